"""What a player of Canopy has not seen makes no difference to his view, and all worlds that fit it are as likely.

The worlds are made by playing: wherever the other player alone sees a card, another one comes up in them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Container, Iterator
from itertools import chain, count, islice
from typing import Any

import pytest

import ninefold as nf
from ninefold.core.games import canopy as core
from tests.canopy import UNKNOWN, standard
from tests.noleak import assert_drawn_as_likely, assert_same_answer, assert_same_view
from tests.reference.canopy import KINDS, Canopy, Card, World

# Many seed cards, short seasons, and seeds that come back from under their deck.
SEEDS = {"fern": 2, "rain": 2, "trunk_0": 1, "canopy_1": 1, "drought": 1}
SOWING: dict[str, Any] = {
    "copies": standard()["copies"] | {"seed": 14, "bromelia": 2}, "removed": 112 - 3 * 18, "seeds": SEEDS,
}  # fmt: skip


class Shadow:
    """A world beside the real one: the same but for some cards that the viewer has not seen."""

    def __init__(self, position: nf.Position) -> None:
        self.position = position.copy()
        self.kinds: dict[Card, str] = {}  # of cards that only the other player has seen, where they differ

    def play(self, player: int, move: nf.Move) -> bool:
        """A move of the real game, if it can be made here."""
        try:
            self.position.apply(player, move)
        except ValueError:
            return False
        return True

    def reveal(self, outcome: nf.Outcome) -> bool:
        """Chance reveals this, if it can."""
        try:
            self.position.settle(outcome)
        except ValueError:
            return False
        return True

    def differ(self) -> set[Card]:
        """The cards that are others here."""
        return {card for card, kind in self.kinds.items() if card.kind != kind}


class Walk:
    """A random game of engine and twin, and other worlds that the viewer can't tell from it."""

    def __init__(self, game: nf.Game, ruleset: dict[str, Any], seed: int, shadows: int, **options: str) -> None:
        self.rng = random.Random(seed)
        self.viewer = seed % 2
        self.patient = self.rng.uniform(0.4, 0.95)  # how much rather a pile is passed than kept
        self.position = game.start()
        self.twin = Canopy(ruleset, **options)
        self.shadows = [Shadow(self.position) for _ in range(shadows)]

    def step(self) -> None:
        """One random move or card, in all worlds. A world that parts from the real one is made anew."""
        follows = self.move() if self.twin.actors() else self.chance()
        self.shadows = [
            shadow
            if follows(shadow)
            and shadow.position.actors == self.position.actors  # a choice of the other one may be there in one alone
            and not any(self.viewer in card.seen for card in shadow.differ())
            else Shadow(self.position)
            for shadow in self.shadows
        ]

    def move(self) -> Callable[[Shadow], bool]:
        """A move, and how the other worlds follow."""
        player = min(self.twin.actors())
        legal = self.twin.legal(player)
        step = "pass" if "pass" in legal and self.rng.random() < self.patient else self.rng.choice(legal)
        self.twin.apply(player, step)
        move = self.position.game.move(step)
        self.position.play(player, move)
        return lambda shadow: shadow.play(player, move)

    def chance(self) -> Callable[[Shadow], bool]:
        """A card, and how the other worlds follow: one that the other player alone sees may be another one there."""
        twin = self.twin
        outcomes = twin.outcomes()
        known = set(twin.hidden(self.viewer))

        def some() -> nf.Outcome:
            return self.position.game.outcome(self.rng.choices(list(outcomes), list(outcomes.values()))[0])

        outcome = some()
        twin.settle(str(outcome))
        self.position.chance(outcome)
        new = [card for card in twin.hidden(self.viewer) if card not in known]
        # The first piles are looked at so often that a world with another card there soon parts from the real one.
        place = next((place for place in range(3) if new and new[0] in twin.piles[place]), 2)

        def follows(shadow: Shadow) -> bool:
            if not new or self.rng.random() < (0.9, 0.5, 0)[place]:
                return shadow.reveal(outcome)
            other = some()
            shadow.kinds[new[0]] = str(other).split()[1]
            return shadow.reveal(other)

        return follows

    def worlds(self) -> Iterator[Shadow]:
        """Those that differ."""
        for shadow in self.shadows:
            if shadow.position != self.position:  # equal if the same cards came up in another order
                yield shadow


def walks(shadows: int) -> Iterator[Walk]:
    """Games with all options, and with seeds."""
    sowing = standard(**SOWING)
    options: list[dict[str, str]] = [{}, {"shifting": "on"}, {"drought_completed_trees": "exposed"}]
    games = [(nf.game("canopy", 2, options=chosen), standard(), chosen) for chosen in options]
    games.append((nf.game("canopy", 2, ruleset=sowing), sowing, {}))
    for seed in count():
        game, ruleset, chosen = games[seed // 2 % len(games)]
        yield Walk(game, ruleset, seed, shadows, **chosen)


def pairs(*, choosing: bool) -> Iterator[tuple[Walk, Shadow]]:
    """A game where the viewer must choose, or the other player, and a world that he can't tell from it."""
    for walk in walks(shadows=8):
        while not walk.twin.over():
            walk.step()
            if walk.twin.actors() == {walk.viewer if choosing else 1 - walk.viewer}:
                for world in walk.worlds():
                    yield walk, world


def places(twin: Canopy, cards: Container[Card]) -> set[str]:
    """Where some of these cards lie."""
    where = {
        "pile": chain.from_iterable(twin.piles), "under": twin.under_seeds, "hand": twin.hand, "drawn": twin.drawn,
    }  # fmt: skip
    return {place for place, there in where.items() if any(card in cards for card in there)}


def compare(number: int, *, answers: int) -> None:
    """So many pairs look the same to who must choose, and a search of every n-th of them finds the same."""
    differ: Counter[str] = Counter()
    for n, (walk, world) in enumerate(islice(pairs(choosing=True), number)):
        assert_same_view(walk.position, world.position, walk.viewer, n)
        if n % answers == 0:
            assert_same_answer(walk.position, world.position, walk.viewer, visits=30)
        differ.update(places(walk.twin, world.differ()))
    assert differ.keys() == {"pile", "under"}
    assert min(differ.values()) > number / 20


def test_10000_pairs_of_positions_look_the_same_to_who_must_choose() -> None:
    compare(10_000, answers=250)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_10000_pairs_of_positions_have_the_same_answers() -> None:
    compare(10_000, answers=1)


def test_they_look_the_same_to_who_waits() -> None:
    """If the same is asked of the other player: that is no secret, and may depend on what he has."""
    differ: Counter[str] = Counter()
    for n, (walk, world) in enumerate(islice(pairs(choosing=False), 5000)):
        if core.dump(world.position)["phase"] == core.dump(walk.position)["phase"]:
            assert_same_view(walk.position, world.position, walk.viewer, n)
            differ.update(places(walk.twin, world.differ()))
    assert min(differ[place] for place in ("pile", "under", "hand", "drawn")) > 50


# --- all worlds are as likely ----------------------------------------------------------------------------------------


def world_of(position: nf.Position) -> World:
    """What lies where, as the twin says it."""
    state = core.dump(position)

    def cards(some: list[tuple[int, int]]) -> list[tuple[str, tuple[int, ...]]]:
        return [
            ("" if kind == UNKNOWN else KINDS[kind], tuple(seat for seat in (0, 1) if seen >> seat & 1))
            for kind, seen in some
        ]

    places = [*state["piles"], state["hand"], state["drawn"]]
    return (*(tuple(sorted(cards(place))) for place in places), tuple(cards(state["under"])))


@pytest.mark.parametrize("games", [30, pytest.param(250, marks=pytest.mark.long)])
def test_resampling_is_uniform_over_the_worlds_of_a_view(games: int) -> None:
    """Few kinds, so that the twin can list all worlds: of who must choose, and of who waits for the other one."""
    copies = dict.fromkeys(KINDS, 0) | {"fern": 7, "rain": 4, "seed": 6, "fire": 1, "sloth": 1, "toucan": 1}
    ruleset = standard(
        copies=copies, seeds={"fern": 3, "rain": 2, "sun": 1}, removed=2, seasons=2, tallest=[3, 4], shift={}
    )
    game = nf.game("canopy", 2, ruleset=ruleset)
    checked: Counter[tuple[bool, str]] = Counter()
    for seed in range(games):
        walk = Walk(game, ruleset, seed, shadows=0)
        while not walk.twin.over():
            walk.step()
            hidden = walk.twin.hidden(walk.viewer)
            if not hidden or not walk.twin.actors() or walk.rng.random() < 0.5:
                continue
            worlds = walk.twin.worlds(walk.viewer)
            if not 1 < len(worlds) < 100:
                continue
            assert walk.twin.world() == world_of(walk.position)
            generator = nf.Generator(seed)
            found: Counter[World] = Counter()
            for _ in range(10 * len(worlds)):
                world = walk.position.copy()
                world.resample(walk.viewer, generator)
                found[world_of(world)] += 1
            assert_drawn_as_likely(found, worlds)
            waits = walk.viewer not in walk.twin.actors()
            checked.update((waits, place) for place in places(walk.twin, set(hidden)))
    chosen = {(False, "pile"), (False, "under")}
    assert checked.keys() == chosen | {(True, place) for place in ("pile", "under", "hand", "drawn")}
    assert min(checked[one] for one in chosen) > games / 2
