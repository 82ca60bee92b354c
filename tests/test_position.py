"""Positions: checked moves, chance, copies, equality, pickling, views."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys

import pytest

import ninefold as nf
from tests.positions import random_game, table, walk


def test_games_are_interned_and_immutable() -> None:
    game = nf.game("donuts", 3, preset="bga")
    again = nf.game(
        "donuts", players=3, options={"double_chocolate_return": "top", "red_velvet": "must"}, bear_claw="must"
    )
    assert game is again
    assert game == pickle.loads(pickle.dumps(game)) == copy.deepcopy(game)
    assert game != nf.game("donuts", 3)
    assert len({game, again, nf.game("donuts", 4, preset="bga")}) == 2
    assert nf.game_names() == ("donuts", "coney", "territory", "canopy")
    with pytest.raises(AttributeError):
        game.players = 4
    with pytest.raises(TypeError):
        game.options["coffee"] = "final"  # type: ignore[index]


def test_same_content_of_a_ruleset_is_the_same_game() -> None:
    changed = {"extends": "standard", "kinds": {"plain": {"points": 2}}}
    game = nf.game("donuts", 3, ruleset=changed)
    assert game is nf.game("donuts", 3, ruleset=game.ruleset)
    assert game is not nf.game("donuts", 3)
    assert nf.game("donuts", 3, ruleset={"extends": "standard"}) is nf.game("donuts", 3)


def test_deal() -> None:
    game = nf.game("donuts", 4)
    assert game.deal(7) == game.deal(seed=7) != game.deal(8)
    assert game.deal(7).actors == (0, 1, 2, 3)
    by_hand = game.start()
    rng = nf.Generator(7)
    while by_hand.is_chance:
        by_hand.chance(rng=rng)
    assert by_hand == game.deal(7)
    for bad in (-1, 1 << 64, 1.5, "7"):
        with pytest.raises(nf.InputError, match="seed"):
            game.deal(bad)  # type: ignore[arg-type]


def test_play_says_what_is_legal() -> None:
    position = nf.game("donuts", 3).deal(1)
    before = position.copy()
    for player, move, message in [
        (0, "bid 9", "did you mean 'bid"),
        (0, "bid9", "did you mean 'bid"),
        (0, "xyzzy", "may bid 1, bid 2, bid 3, bid 4"),
        (0, 10**30, "may bid 1"),
        (0, -1, "may bid 1"),
        (0, 856, "may bid 1"),
        (0, None, "may bid 1"),
        (3, "bid 1", "no player 3"),
        (-1, "bid 1", "no player -1"),
        ("0", "bid 1", "no player '0'"),
        (0, "take day_old: plain", "can't do that"),
    ]:
        with pytest.raises(nf.IllegalMoveError, match=message) as error:
            position.play(player, move)  # type: ignore[arg-type]
        assert "\n" not in str(error.value)
    assert position == before
    position.play(0, " BID  2 ")
    with pytest.raises(nf.IllegalMoveError, match="player 0 does not choose now, but 1 and 2") as error:
        position.play(0, "bid 1")
    assert pickle.loads(pickle.dumps(error.value)).player == 0
    with pytest.raises(nf.IllegalMoveError, match="chance has nothing"):
        position.chance()


def test_play_all_is_all_or_nothing() -> None:
    position = nf.game("donuts", 3).deal(1)
    before = position.copy()
    with pytest.raises(nf.IllegalMoveError):
        position.play_all({0: "bid 1", 1: "bid 2", 2: "bid 5"})
    assert position == before
    position.play_all({2: "bid 3", 0: "bid 1"})
    assert position.actors == (1,)


def test_chance() -> None:
    position = nf.game("donuts", 2).start()
    assert position.is_chance
    assert sum(chance for _, chance in position.outcomes()) == pytest.approx(1)
    with pytest.raises(nf.IllegalMoveError, match="did you mean 'deal glazed'"):
        position.chance("deal glased")
    with pytest.raises(nf.IllegalMoveError, match="can't come here"):
        position.chance("bear_claw")
    outcome = position.chance("deal glazed")
    assert str(outcome) == "deal glazed"
    assert isinstance(position.chance(), nf.Outcome)
    with pytest.raises(nf.IllegalMoveError, match="does not choose now, but chance"):
        position.play(0, "bid 1")


def test_the_end() -> None:
    *_, position = walk(nf.game("donuts", 2), 3)
    assert position.is_over
    assert not position.is_chance
    assert position.winners()
    with pytest.raises(nf.IllegalMoveError, match="the game is over"):
        position.play(0, "bid 1")


@pytest.mark.parametrize("seed", range(10))
def test_copies_and_what_is_printed(seed: int) -> None:
    for position in walk(random_game(seed), seed):
        assert position == copy.copy(position) == copy.deepcopy(position)
        view = position.view(0)
        assert type(pickle.loads(pickle.dumps(view))) is nf.View
        assert position != object()
        assert str(position).count("\n") == position.players + 1
        assert len(repr(position).splitlines()) == 1


def test_pickles_go_to_other_processes() -> None:
    position = nf.game("donuts", 3, coffee="final").deal(5)
    code = "import pickle, sys; p = pickle.load(sys.stdin.buffer); print(hash(p), p.game, p.key(1))"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(position), capture_output=True, check=True)
    assert done.stdout.decode().strip() == f"{hash(position)} {position.game} {position.key(1)}"


def test_a_view_is_played_on_as_far_as_it_knows() -> None:
    position = nf.game("donuts", 3).deal(1)
    position.play(0, "bid 2")
    view = position.view(1)
    view.play(1, "bid 1")
    assert view.actors == (2,)
    with pytest.raises(nf.IllegalMoveError, match="does not know the bid of player 0"):
        view.play(2, "bid 3")
    mine = position.view(0)
    mine.play_all({1: "bid 1", 2: "bid 1"})
    assert mine.is_chance
    drawn = table(
        "- glazed glazed glazed", "double_chocolate", "", "",
        pending={"bids": [1, 2, 2], "place": 1, "power": "double_chocolate", "drawn": ["plain", "eclair"]},
    )  # fmt: skip
    with pytest.raises(nf.IllegalMoveError, match="does not know the cards that player 0 drew"):
        drawn.view(1).play(0, "keep double_chocolate: plain")
    drawn.view(0).play(0, "keep double_chocolate: plain")


def test_views_go_on_to_the_end_without_a_crash() -> None:
    """Chance in a view deals from all that it has not seen; what needs a hidden choice raises."""
    rng = random.Random(1)
    finished = 0
    for seed in range(60):
        game = nf.game("donuts", 4, double_chocolate_return="top" if seed % 2 else "bottom")
        position = next(p for i, p in enumerate(walk(game, seed)) if i == 40 or p.is_over)
        view = position.view(seed % 4)
        while not view.is_over:
            if view.actors:
                player = rng.choice(view.actors)
                moves = view.legal(player)
                if not moves or view.game.module.missing(view, player):
                    with pytest.raises(nf.IllegalMoveError, match="does not know"):
                        view.play(player, moves[0] if moves else "bid 1")
                    break
                view.play(player, rng.choice(moves))
            else:
                view.chance(rng=nf.Generator(rng.getrandbits(60)))
        else:
            finished += 1
    assert finished


def test_import_is_light() -> None:
    code = "import sys, ninefold; print(*sorted({'numpy', 'msgspec', 'rich', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == ""


def test_a_view_is_no_world() -> None:
    view = nf.game("donuts", 3).deal(1).view(0)
    with pytest.raises(nf.IllegalMoveError, match="resample it first"):
        view.playout(nf.Generator(1))


def test_gloss() -> None:
    position = table("plain glazed eclair", "", "")
    game = position.game
    assert game.module.gloss(position, game.move("bid 3")) == "eclair"
    assert game.module.gloss(position, game.move("stop milk")) == ""
