"""Coney alone beside the best in hindsight: the bench deals our player the same cards, and keeps what it found."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from bench import coney_hindsight
from bench.coney_bands import shuffled
from bench.coney_hindsight import bounds, played
from bench.coney_unknown import DEFAULTS

import ninefold as nf


def test_nobody_beats_hindsight_with_the_same_cards() -> None:
    game = nf.game("coney", 1, ruleset={"extends": "standard", "turns": 3})
    for number in range(4):
        order = shuffled(game, number)
        ours, best = played(game, number, order, DEFAULTS, 0.005), bounds(game, number, order, 5)
        assert best["lower"] == best["upper"] >= ours["points"]
        assert len(ours["turns"]) <= game.ruleset.turns  # type: ignore[attr-defined]


def test_a_file_keeps_games_and_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text('{"deal": 7, "lower": 20, "upper": 30, "seconds": 1}\n')
    quick = ["--seconds", "0.01", "--limit", "0.1", "--file", str(file)]
    for deals in ("7-7", "7-8"):
        monkeypatch.setattr(sys, "argv", ["coney_hindsight", "--deals", deals, *quick])
        coney_hindsight.main()
    found = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(one["deal"], "points" in one) for one in found] == [(7, False), (7, True), (8, True), (8, False)]
    *_, first, _, _, second = capsys.readouterr().out.splitlines()
    assert re.match(r"1 deals: .* points of 30.00", first)
    assert re.match(r"2 deals: ", second)
