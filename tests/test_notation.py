"""Moves and outcomes: every notation parses back, as do sloppy ways to write it."""

from __future__ import annotations

import pickle

import pytest

import ninefold as nf
from tests.positions import random_game, walk


@pytest.mark.parametrize("seed", range(40))
def test_every_move_parses_back(seed: int) -> None:
    game = random_game(seed)
    texts = set()
    for number, move in enumerate(game.moves):
        assert move == number
        if move.text.startswith("#"):
            with pytest.raises(nf.InputError):
                game.move(move.text)
        else:
            assert game.move(move.text) is move
            assert game.move(f"  {move.text.upper().replace(':', ' :').replace(' ', '   ')}\t") is move
            texts.add(move.text)
    assert len(texts) == sum(not move.text.startswith("#") for move in game.moves)
    for outcome in game.outcomes:
        if not outcome.text.startswith("#"):
            assert game.outcome(outcome.text) is outcome


@pytest.mark.parametrize("seed", range(10))
def test_only_moves_with_a_notation_are_legal(seed: int) -> None:
    game = random_game(seed)
    for position in walk(game, seed):
        for player in position.actors:
            assert all(game.move(str(move)) is move for move in position.legal(player))
        assert all(game.outcome(str(outcome)) is outcome for outcome, _ in position.outcomes())


def test_words_of_the_notation() -> None:
    texts = {move.text for move in nf.game("donuts", 5).moves}
    for text in (
        "bid 6", "discard french_cruller: 1", "stop french_cruller", "give sprinkled to 4: coffee+7",
        "keep double_chocolate: plain", "take red_velvet: coffee", "stop red_velvet", "take bear_claw from 0: milk",
        "stop bear_claw", "take day_old: day_old", "stop day_old", "pass cinnamon_twist: cinnamon_twist",
        "discard milk: coffee+0", "stop milk", "discard strawberry_glazed from 3: plain",
        "discard raspberry_frosted: plain",
    ):  # fmt: skip
        assert text in texts
    for text in ("bid 7", "bid 0", "give sprinkled to 5: plain", "discard milk: coffee", "stop sprinkled",
                 "give sprinkled to 1: coffee+8"):  # fmt: skip
        assert text not in texts
    assert "discard milk: coffee" in {move.text for move in nf.game("donuts", 5, coffee="final").moves}
    texts = {move.text for move in nf.game("donuts", 3).moves}
    assert not any("day_old" in text for text in texts - {"stop day_old"} if not text.startswith("take day_old"))


def test_coffees_are_written_with_their_points() -> None:
    game = nf.game("donuts", 4, ruleset={"extends": "standard", "kinds": {"coffee": {"per_negative": 3}}})
    assert game.move("discard milk: coffee+6")
    with pytest.raises(nf.InputError):
        game.move("discard milk: coffee+2")


def test_moves_are_numbers_with_a_text() -> None:
    move = nf.game("donuts", 3).move("bid 3")
    assert move == 2
    assert hash(move) == 2
    assert [10, 20, 30][move] == 30
    assert str(move) == move.text == f"{move}" == "bid 3"
    assert f"{move:>7}" == "  bid 3"
    assert repr(move) == "Move('bid 3')"
    assert pickle.loads(pickle.dumps(move)).text == "bid 3"
    assert nf.game("donuts", 3).move(2) is move


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("bid", "bid"),
        ("take red_velvet: glased", "take red_velvet: glazed"),
        ("stop redvelvet", "stop red_velvet"),
        ("", ""),
    ],
)
def test_unknown_moves_name_the_nearest(text: str, match: str) -> None:
    with pytest.raises(nf.InputError, match="unknown move") as error:
        nf.game("donuts", 3).move(text)
    assert error.value.match.startswith(match)


@pytest.mark.parametrize("bad", [-1, 10**30, None, 1.0, b"bid 1"])
def test_moves_of_a_wrong_type(bad: object) -> None:
    with pytest.raises(nf.InputError, match="a move is its notation or a number"):
        nf.game("donuts", 3).move(bad)  # type: ignore[arg-type]
