"""`ninefold bench --compare`: what is missing is named, what is there is shown, and CP-SAT finds the same values."""

from __future__ import annotations

import io
import json
import sys

import pytest
from rich.console import Console

import ninefold as nf
from ninefold import compare
from ninefold.compare import Comparison, Missing, Report
from ninefold.games import NAMES, module
from tests.shell import run
from tests.test_charts import words

pytestmark = pytest.mark.unsanitized

REPORT = Report(
    [
        Comparison(what="games", unit="games a second", ours=ours, anchor="its", rate=r, anchor_rate=10, ratio=r / 10)
        for ours, r in (("a", 12.34), ("b", 4.0))
    ]
    + [
        Comparison(
            what="lands", unit="answers a second", ours="c", anchor="CP-SAT", rate=5e4, anchor_rate=10, ratio=5e3,
            note="lands: all 3 values are equal",
        )
    ],
    [Missing("OpenSpiel", "pip install 'ninefold[openspiel]'")],
    {"ninefold": "1"},
    3,
)  # fmt: skip


def test_what_is_not_installed_is_named_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyspiel", "pettingzoo.classic", "ortools.sat.python"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "ninefold.games.territory_cp", raising=False)
    report = compare.compare(1)
    assert not report.comparisons
    assert [gone.anchor for gone in report.missing] == ["OpenSpiel", "PettingZoo", "OR-Tools CP-SAT"]
    assert all(gone.command in " ".join(report.remarks()) for gone in report.missing)


def test_the_report_says_the_same_in_every_form() -> None:
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(REPORT)
    text = console.export_text()
    drawing = words(REPORT.to_svg())
    for said in ("games, games a second", "× 1.23", "× 0.4", "× 5,000", "lands: all 3 values are equal"):
        assert said in text
        assert said in drawing
    for said in REPORT.remarks():
        assert said in " ".join(text.split())
        assert said in drawing
    assert json.loads(json.dumps(REPORT.to_dict()))["comparisons"][0]["ratio"] == 1.234


def test_each_anchor_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "SECONDS", 1e-4)
    report = compare.compare(1)
    assert all(one.rate > 0 and one.anchor_rate > 0 for one in report.comparisons)
    assert all("equal" in one.note for one in report.comparisons if one.note)
    pairs = {name for name in NAMES if 2 in module(name).players}
    assert "OpenSpiel" in report.versions
    for what in {one.what for one in report.comparisons if "goofspiel" in one.anchor}:
        assert {one.ours.split(",")[0] for one in report.comparisons if one.what == what} == pairs


@pytest.mark.parametrize("name", NAMES)
def test_cp_sat_finds_the_same_values(name: str) -> None:
    pytest.importorskip("ortools")
    same = module(name).same_questions(20, 3)
    if same is not None:
        assert [same.ours(i) for i in range(20)] == [same.theirs(i) for i in range(20)]


def test_wrong_options() -> None:
    with pytest.raises(nf.InputError, match="rounds: must be from 1 to 100, not 0"):
        compare.compare(0)
    assert "--svg belongs to --compare" in run("bench", "--svg", "x.svg", code=2).stderr
    assert "compares nothing" in run("bench", "--compare", "--signature", code=2).stderr
