"""Puzzles: what people type, what comes back, and one clear line about what is wrong."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.files import from_dict, to_dict, to_text

FARM = """ninefold = 1
game = "coney"
title = "Five rabbits"
question = "farm"
rabbits = ["ivy", "pippin", "rowan", "olive", "bramble"]
use = "best"
"""
VALUE = """ninefold = 1
game = "donuts"
question = "value"
objective = "margin"
[position]
row = ["jelly_filled", "plain", "maple_bar"]
discard = ["eclair", "plain", "french_cruller", "plain", "powdered"]
player = [
  { cards = { plain = 1, glazed = 2, powdered = 2, chocolate_frosted = 1, donut_holes = 2, jelly_filled = 2 } },
  { cards = { plain = 2, glazed = 1, powdered = 1, eclair = 1, chocolate_frosted = 1, donut_holes = 3, jelly_filled = 2 } },
]
"""


def puzzle(text: str) -> nf.Puzzle:
    found = from_dict(tomllib.loads(text))
    assert isinstance(found, nf.Puzzle)
    return found


@pytest.mark.parametrize("text", [FARM, VALUE])
def test_they_come_back(text: str, tmp_path: Path) -> None:
    one = puzzle(text)
    for ending in ("toml", "json"):
        file = tmp_path / f"puzzle.{ending}"
        nf.write(one, file)
        assert nf.read(file) == one
    assert from_dict(tomllib.loads(to_text(one, "toml"))) == one
    assert json.loads(to_text(one, "json")) == to_dict(one)


@pytest.mark.parametrize("text", [FARM, VALUE])
def test_so_do_their_answers(text: str) -> None:
    solution = nf.solve(puzzle(text))
    assert solution.certificate is not None
    answered = from_dict(solution.certificate)
    assert isinstance(answered, nf.Puzzle)
    assert answered.answer is not None
    assert answered.answer.value == solution.value
    assert answered.answer.line == solution.line
    assert from_dict(tomllib.loads(to_text(answered, "toml"))) == answered


def test_grade_and_hints_come_back() -> None:
    one = from_dict(change(FARM, grade=GRADE, hints=["Look twice.", "Ivy is not there."]))
    assert isinstance(one, nf.Puzzle)
    assert one.grade == nf.Grade(level=2, options=5, optimal=1, greedy=3, nodes=12)
    assert one.hints == ("Look twice.", "Ivy is not there.")
    assert from_dict(tomllib.loads(to_text(one, "toml"))) == one
    assert one.unanswered().hints == ()
    solution = nf.solve(one)
    assert solution.certificate is not None
    answered = from_dict(solution.certificate)
    assert isinstance(answered, nf.Puzzle)
    assert (answered.grade, answered.hints) == (one.grade, one.hints)


def test_a_farm_may_have_tokens_and_a_stock() -> None:
    data = {
        "ninefold": 1, "game": "coney", "question": "farm", "rabbits": ["hen", "cock"], "tokens": {"hen": 2},
        "stock": {"carrot": 1}, "ruleset": {
            "cards": {
                "hen": {"sex": "female", "colours": "white", "coupon": "end: 2 per hay here", "cost": "1 any"},
                "cock": {"sex": "male", "colours": "black", "points": 3, "cost": "1 carrot"},
                **{f"other{i}": {"sex": "male", "colours": "grey", "points": 1} for i in range(9)},
            },
        },
    }  # fmt: skip
    one = from_dict(data)
    assert isinstance(one, nf.Puzzle)
    solution = nf.solve(one)
    assert solution.value == 4, "only one of them can be paid"
    assert solution.line == ["place hen b2"] or solution.line[0].startswith("place hen ")
    rich = from_dict({**data, "stock": {"carrot": 2}})
    assert isinstance(rich, nf.Puzzle)
    assert nf.solve(rich).value == 7


def change(text: str, **fields: Any) -> dict[str, Any]:
    data = {**tomllib.loads(text), **fields}
    return {name: value for name, value in data.items() if value is not None}


POSITION = tomllib.loads(VALUE)["position"]
SOLO = {name: value for name, value in nf.game("coney").deal(1).to_dict().items() if name not in ("ninefold", "game")}
GRADE: dict[str, Any] = {"level": 2, "options": 5, "optimal": 1, "greedy": 3, "nodes": 12}
ANSWERED: dict[str, Any] = {"value": 4, "line": ["place ivy b2"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (change(FARM, question="farms"), "question: unknown value 'farms'"),
        (change(FARM, rabbit=[]), "unknown field 'rabbit': did you mean 'rabbits'?"),
        (change(FARM, rabbits=None), "rabbits is missing"),
        (change(FARM, rabbits=5), "rabbits: must be a list, not 5"),
        (change(FARM, use="some"), "use: unknown value 'some'"),
        (change(FARM, position=SOLO), "position: a farm is asked of rabbits, not of a position"),
        (change(FARM, objective="win"), "objective: the objective of farm is score, not 'win'"),
        (change(VALUE, objective="wins"), "objective: the objective of value is win or margin, not 'wins': did you mean 'win'?"),
        (change(VALUE, position=None), "position is missing"),
        (change(VALUE, rabbits=["ivy"]), "rabbits: belongs to the question 'farm', not to 'value'"),
        (change(VALUE, question="maximum"), "question: 'maximum' is a question of one player, not of 2"),
        (change(VALUE, position={**POSITION, "row": ["plain"]}), "position.row: 2 players have a row of 3 places, not 1"),
        (change(VALUE, position={**POSITION, "rows": 1}), "position: unknown field 'rows': did you mean 'row'?"),
        (change(VALUE, players=9), "players: donuts is for 2 to 6 players, not 9"),
        (change(VALUE, players=3), "position.player: this game has 3 players, not 2"),
        (change(FARM, hints=["", "b"]), "hints[0]: a hint is one line of at most 300 characters, not ''"),
        (change(FARM, hints="b"), "hints: must be a list, not 'b'"),
        (change(FARM, grade={**GRADE, "level": 3}), "grade.level: what was measured makes 2, not 3"),
        (change(FARM, grade={**GRADE, "greedy": -1}), "grade.greedy: must be at least 0, not -1"),
        (change(FARM, grade={**GRADE, "optimal": 7}), "grade.optimal: 7 of 5 are too many"),
        (change(FARM, grade={**GRADE, "gready": 1}), "grade: unknown field 'gready': did you mean 'greedy'?"),
        (change(FARM, grade=GRADE, answer={"value": 13, "optimal": 2}), "grade.optimal: the answer says 2, not 1"),
        (change(VALUE, answer={"valu": 1}), "answer: unknown field 'valu': did you mean 'value'?"),
        (change(VALUE, answer={"value": 1, "lower": 1}), "answer.lower: a value that is proven has no bounds beside it"),
        (change(VALUE, answer={"lower": 2, "upper": 1}), "answer.lower: is above upper, 1"),
        (change(VALUE, answer={"value": 1, "line": ["0: bid 9"]}), "answer.line[0]: step 1: ' bid 9': player 0 can't do that"),
        (change(FARM, answer={**ANSWERED, "line": ["place ivy b4"]}), "answer.line[0]: 'place ivy b4' is no step such as"),
        (change(FARM, answer={**ANSWERED, "line": ["place iyv b2"]}), "answer.line[0]: unknown card 'iyv': did you mean 'ivy'?"),
        (change(FARM, answer={**ANSWERED, "line": 2 * ["place ivy b2"]}), "answer.line[1]: ivy lies there already"),
        (change(FARM, answer={**ANSWERED, "value": 99}), "answer.value: the line leads to "),
        (change(FARM, answer={"lower": 99, "line": ["place ivy b2"]}), "answer.lower: the line leads to "),
        (change(FARM, use="all", answer=ANSWERED), "answer.line: places 1 of 5 rabbits"),
        (change(FARM, stock={}, answer=ANSWERED), "answer.line: costs more than the stock"),
    ],
)  # fmt: skip
def test_one_line_about_what_is_wrong(data: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        from_dict(data)
    said = str(error.value)
    assert said.startswith(message)
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rabbits": ["ivy", "pipin"]}, "rabbits[1]: unknown card 'pipin': did you mean 'pippin'?"),
        ({"rabbits": ["ivy", "ivy"]}, "rabbits: cards are different numbers"),
        ({"rabbits": list(nf.game("coney").ruleset.cards)[:10], "use": "all"}, "rabbits: 1 to 9 cards, not 10"),  # type: ignore[attr-defined]
        ({"tokens": {"ivy": -1}}, "tokens.ivy: "),
        ({"tokens": {"iyv": 1}}, "tokens.iyv: unknown card 'iyv': did you mean 'ivy'?"),
        ({"stock": {"carot": 1}}, "stock: unknown resource 'carot': did you mean 'carrot'?"),
        ({"stock": {"hay": 1000}}, "stock.hay: must be 0 to 99, not 1000"),
    ],
)
def test_one_line_about_what_cannot_be_solved(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        from_dict(change(FARM, **fields))
    assert str(error.value).startswith(message)
