"""What a player of Coney has not seen makes no difference to the view of him, and all worlds that fit it are equal."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.core.search.mcts import Search
from tests.noleak import assert_drawn_as_likely, assert_same_view
from tests.reference.coney import Coney, World

SMALL: dict[str, Any] = tomllib.loads((Path(__file__).parent / "data/coney-small.toml").read_text())
History = list[tuple[int | None, str]]  # who, None for chance; what


def ruleset(cards: int, **numbers: int) -> dict[str, Any]:
    """The last so many cards of the small deck: those before them draw and pay less."""
    return SMALL | {"cards": dict(list(SMALL["cards"].items())[-cards:]), **numbers}


def replayed(players: int, rules: dict[str, Any], history: History) -> Coney | None:
    """The twin after all this, or None if it cannot happen."""
    twin = Coney(players, rules)
    for who, what in history:
        if who is None:
            if what not in twin.outcomes():
                return None
            twin.settle(what)
        else:
            if what not in twin.legal(who):
                return None
            twin.apply(who, what)
    return twin


def played(game: nf.Game, history: History) -> nf.Position:
    """The engine after all this."""
    position = game.start()
    for who, what in history:
        if who is None:
            position.chance(f"deal {what}")
        else:
            position.play(who, what)
    return position


class Walk:
    """A random game of the twin, and when each card began its present life: it was there, or shuffled into the deck."""

    def __init__(self, players: int, rules: dict[str, Any], seed: int) -> None:
        self.twin = Coney(players, rules)
        self.rules = rules
        self.rng = random.Random(seed)
        self.history: History = []
        self.born = dict.fromkeys(self.twin.cards, 0)

    def step(self) -> None:
        """One random move or card. Refills are taken more often, as they move cards unseen."""
        twin, rng = self.twin, self.rng
        lines = len(twin.logs[0])
        if twin.actors():
            player = rng.choice(sorted(twin.actors()))
            legal = twin.legal(player)
            move = "refill" if "refill" in legal and rng.random() < 0.6 else rng.choice(legal)
            if "draw deck" in legal and rng.random() < 0.6:
                move = "draw deck"
            twin.apply(player, move)
            self.history.append((player, move))
        else:
            card = rng.choice(list(twin.outcomes()))
            twin.settle(card)
            self.history.append((None, card))
        for line in twin.logs[0][lines:]:
            if line[0] == "shuffle":
                self.born |= dict.fromkeys(line[-1], len(self.history))

    def hidden(self, viewer: int) -> list[str]:
        """Cards in the deck, and in other hands and packs."""
        twin = self.twin
        places = [hand for piles in (twin.hands, twin.packs) for seat, hand in enumerate(piles) if seat != viewer]
        return sorted({card for place in [*places, twin.unseen] for card in place})

    def exchanged(self, viewer: int) -> History | None:
        """The same game with two cards in each other's place, where the viewer can't tell the difference."""
        one, other = self.rng.sample(self.hidden(viewer), 2)
        if self.born[one] != self.born[other]:
            return None
        start = self.born[one]
        names = {one: other, other: one}
        history = self.history[:start]
        history += [
            (who, " ".join(names.get(word, word) for word in what.split())) for who, what in self.history[start:]
        ]
        if history == self.history:
            return None  # both are in the deck
        twin = replayed(self.twin.players, self.rules, history)
        if twin is None or twin.logs[viewer] != self.twin.logs[viewer] or twin.world() == self.twin.world():
            return None
        return history


@pytest.mark.parametrize("players", [2, 3, 4])
def test_views_and_legal_moves_do_not_depend_on_what_is_hidden(players: int) -> None:
    compared = drafts = renewed = 0
    for seed in range(24):
        rules = ruleset(30 if seed % 2 else 5 * players + 4)
        game = nf.game("coney", players, ruleset=rules)
        walk = Walk(players, rules, seed)
        for _ in range(walk.rng.randint(5 * players + 1, 9 * players if seed % 4 == 0 else 150)):
            walk.step()
        for viewer in range(players):
            for _ in range(12):
                history = walk.exchanged(viewer) if len(walk.hidden(viewer)) >= 2 else None
                if history is None:
                    continue
                position, world = played(game, walk.history), played(game, history)
                assert world != position
                assert_same_view(position, world, viewer, seed)
                if viewer in position.actors and compared % 3 == 0:
                    searches = [Search(state, viewer, seed=7) for state in (position, world)]
                    for search in searches:
                        search.run(300)
                    cells, strategies = ([getattr(one, of)() for one in searches] for of in ("cells", "strategy"))
                    assert cells[0] == cells[1], "the same seed finds the same"
                    assert strategies[0] == strategies[1]
                compared += 1
                drafts += bool(walk.twin.packs[0])
                renewed += any(walk.born.values())
    assert compared > 60
    assert drafts > 8
    assert renewed > 8


def world_of(position: nf.Position) -> World:
    """Hands, packs and deck, as the twin says it."""
    data = position.to_dict()

    def names(cards: list[Any]) -> frozenset[str]:
        return frozenset(card if isinstance(card, str) else card["card"] for card in cards)

    hands = tuple(names(player["hand"]) for player in data["player"])
    packs = tuple(names(player.get("pack", [])) for player in data["player"])
    lying = {word for player in data["player"] for row in player["farm"] for word in row.replace("+", " ").split()}
    lying |= {card for player in data["player"] for card in player.get("reserve", [])}
    lying |= {*data["market"], *data["discard"], data.get("pending", {}).get("card")}
    rest = set(position.game.ruleset.cards) - lying - set().union(*hands, *packs)  # type: ignore[attr-defined]
    return hands, packs, frozenset(rest)


def check_uniform(position: nf.Position, viewer: int, worlds: dict[World, int], samples: int) -> None:
    """Resampling finds exactly these worlds, each as often as its weight says."""
    generator = nf.Generator(viewer)
    found: Counter[World] = Counter()
    for _ in range(samples):
        world = position.copy()
        world.resample(viewer, generator)
        found[world_of(world)] += 1
    assert_drawn_as_likely(found, worlds)


# Players, size of a hand, cards of the deck and of the market, games. In the draft of four there are too many worlds.
CASES = [(2, 4, 15, 2, 3), (2, 2, 9, 2, 3), (3, 4, 18, 2, 1), (3, 2, 12, 2, 2), (4, 2, 13, 1, 1)]
LONG = [*((*case[:4], 12) for case in CASES), (4, 4, 22, 2, 6)]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("players", "hand", "cards", "market", "games"), [*CASES, *(pytest.param(*c, marks=pytest.mark.long) for c in LONG)]
)
def test_resampling_is_uniform_over_the_worlds_of_a_view(
    players: int, hand: int, cards: int, market: int, games: int
) -> None:
    """In the draft and after it, and with a deck made anew: small decks, all worlds by the twin."""
    rules = ruleset(cards, hand=hand, market=market)
    game = nf.game("coney", players, ruleset=rules)
    checked: Counter[str] = Counter()
    for seed in range(games):
        walk = Walk(players, rules, seed)
        while walk.twin.outcomes():
            walk.step()
        for number in range(80):
            walk.step()
            is_draft = bool(walk.twin.packs[0])
            is_small = players == 2 or (len(walk.twin.hands[0]) >= hand - 1 and (players, hand) != (4, 4))
            if number % (3 if is_draft else 8) or (is_draft and not is_small):
                continue
            viewer = walk.rng.randrange(players)
            worlds = walk.twin.worlds(viewer)
            assert walk.twin.world() in worlds
            assert len(set(worlds.values())) == 1
            if 1 < len(worlds) < 12_000:
                checked["draft" if is_draft else "anew" if any(walk.born.values()) else "deck"] += 1
                check_uniform(played(game, walk.history), viewer, worlds, min(40 * len(worlds), 1000))
    assert checked["draft"] > 0 or (players, hand) == (4, 4)
    assert checked["deck"] + checked["anew"] > 0
