"""Pictures of answers and records, and plots: what they say is what the answer says."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ninefold as nf
from ninefold import plots
from ninefold.games import NAMES, module
from tests.shell import run

pytestmark = pytest.mark.unsanitized

SVG = "{http://www.w3.org/2000/svg}"


def words(drawing: str) -> list[str]:
    """All lines of text of a well-formed picture."""
    return [one.text or "" for one in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


def rows_of(chart: Any) -> list[dict[str, Any]]:
    """The data of an Altair chart."""
    (rows,) = chart.to_dict()["datasets"].values()
    return list(rows)


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_of_an_answer(name: str) -> None:
    position = nf.game(name, module(name).players[-1]).deal(3)
    answer = nf.best(position, nf.Limit(visits=60), seed=1)
    said = words(answer.to_svg())
    assert said[0] == answer.headline()
    for info in answer.moves[:20]:
        assert any(word.startswith(str(info.move)[:25]) for word in said)
        assert f"{info.visits:,}" in said
    shares = [one for one in ElementTree.fromstring(answer.to_svg()).iter(f"{SVG}rect") if one.get("fill")]
    assert [int(one.get("width", 0)) for one in shares] == [round(120 * info.share) for info in answer.moves]
    assert answer._repr_svg_() == answer.to_svg()


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_of_a_record(name: str) -> None:
    of = nf.game(name, module(name).players[-1])
    record = nf.Record.random(of, 5)
    drawing = record._repr_svg_()
    said = words(drawing)
    assert f"{name}, {of.players} players, {len(record.steps)} steps" in said
    assert record.scores is not None
    for seat, points in enumerate(record.scores):
        assert f"player {seat}: {points}" in said
    lines = [one for one in ElementTree.fromstring(drawing).iter(f"{SVG}polyline") if one.get("stroke")]
    assert [len(one.get("points", "").split()) for one in lines] == [len(record.steps) + 1] * of.players


def test_pictures_on_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "answer.svg"
    run("best", "examples/donuts-3p.toml", "--visits", "200", "--svg", str(out))
    assert any(word.startswith("player 0: ") for word in words(out.read_text()))
    run("show", "examples/donuts-record.toml", "--svg", str(out))
    assert words(out.read_text())[0].startswith("donuts, ")
    run("show", "examples/donuts-record.toml", "--step", "3", "--svg", str(out))
    assert not words(out.read_text())[0].startswith("donuts, 2 players, ")
    assert nf.game("donuts", 2).deal(1)._repr_svg_().startswith("<svg ")


def test_plots_hold_the_numbers_of_the_search() -> None:
    record = nf.Record.random(nf.game("donuts", 2), 1)
    rows = rows_of(plots.value_of_record(record, nf.Limit(visits=60), seed=1))
    assert [row["move"] for row in rows] == [record.steps[row["step"] - 1] for row in rows]
    known = [row for row in rows if row["low"] is not None]
    assert len(known) > len(rows) // 2
    assert all(row["low"] <= row["value"] <= row["high"] for row in known)
    position = next(iter(record.positions()))
    while not position.actors:
        position.chance(rng=nf.Generator(1))
    rows = rows_of(plots.convergence(position, (50, 100), seed=2))
    assert {row["visits"] for row in rows} == {50, 100}
    answer = nf.best(position, nf.Limit(visits=100), seed=2, exact=False)
    assert {(str(info.move), info.value) for info in answer.moves} == {
        (row["move"], row["value"]) for row in rows if row["visits"] == 100
    }
    played = {float(visits): nf.match([f"mcts:visits={visits}", "random"], "donuts", 4) for visits in (1, 20)}
    rows = rows_of(plots.strength(played))
    assert [row["value"] for row in rows] == [result.standings()[0].win[0] for result in played.values()]
    with pytest.raises(nf.InputError, match="no matches"):
        plots.strength({})
    with pytest.raises(nf.InputError, match="numbers of visits"):
        plots.convergence(position, ())
