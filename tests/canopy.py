"""Positions of Canopy from a few words, of the engine and of its slow twin alike, for the tests of the rules.

Cards are words, "fern fern sun". A tree is its trunks, "0+2"; a completed one has its canopy as well, "0+2x1", and
perhaps "old:" before it (completed in an earlier season) or "spent:" (it has won). Piles are divided by "|": "?" is a
card that nobody has seen, "fern:0" one that player 0 has seen, "fern" one that both have.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import ninefold as nf
from ninefold.core.games import canopy as core
from tests.reference.canopy import ANIMALS, KINDS, Canopy, Card, Tree

FILE = Path(__file__).parents[1] / "python/ninefold/games/canopy.toml"
STAGES = ["", "", "old:", "spent:"]  # in front of a completed tree, by the engine's number
NONE, UNKNOWN = 255, 31
Pair = tuple[str, str]
NOTHING: Pair = ("", "")


def standard(**changes: Any) -> dict[str, Any]:
    """The standard ruleset as plain data, with other numbers, or other entries where it has them by that name."""
    ruleset: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    for name, what in changes.items():
        (ruleset if name in ruleset else ruleset["numbers"])[name] = what
    if changes:
        ruleset["invented"] = []
    return ruleset


def words(cards: Counter[str]) -> str:
    return " ".join(sorted(cards.elements()))


def trunks_of(word: str) -> list[int]:
    """How many trunks of each value."""
    return [word.split("+").count(printed) for printed in "012"]


def tree_word(trunks: list[int]) -> str:
    return "+".join(str(printed) for printed, n in enumerate(trunks) for _ in range(n))


def done_word(word: str) -> tuple[str, list[int], int]:
    """What is in front of it, its trunks, its canopy."""
    stage, colon, rest = word.rpartition(":")
    trunks, canopy = rest.split("x")
    return stage + colon, trunks_of(trunks), int(canopy)


def tree_cards(trunks: list[int], *canopy: int) -> Counter[str]:
    """The cards of a tree."""
    return Counter({f"trunk_{printed}": n for printed, n in enumerate(trunks)}) + Counter(f"canopy_{n}" for n in canopy)


@dataclass
class Scene:
    """Somebody is about to begin his turn."""

    piles: str
    deck: int = 20
    cards: Pair = NOTHING
    trees: Pair = NOTHING
    done: Pair = NOTHING  # what was completed this season comes last
    used: Pair = NOTHING
    points: tuple[int, int] = (0, 0)
    season: int = 1
    first: int = 0
    turn: int = 0
    shifts: tuple[str, ...] = ()  # season cards that were turned up, the last one holds
    changes: dict[str, Any] = field(default_factory=dict)  # of the ruleset
    options: dict[str, str] = field(default_factory=dict)

    def ruleset(self) -> dict[str, Any]:
        return standard(**self.changes)

    def places(self) -> list[list[tuple[str, set[int]]]]:
        """The cards of each pile, "" for one that nobody has seen."""
        split = [[word.partition(":") for word in pile.split()] for pile in self.piles.split("|")]
        return [
            [("", set()) if kind == "?" else (kind, set(map(int, seats or "01"))) for kind, _, seats in pile]
            for pile in split
        ]

    def unseen(self) -> Counter[str]:
        """Cards that nobody has seen: as many as lie face down.

        Others are taken for discarded, the most frequent first.
        """
        ruleset = self.ruleset()
        season_deck = (sum(ruleset["copies"].values()) - ruleset["removed"]) // ruleset["seasons"]
        lie = self.deck + ruleset["removed"] + season_deck * (ruleset["seasons"] - self.season)
        found = Counter(ruleset["copies"])
        found.subtract(" ".join(self.cards).split())
        for kind, _ in chain.from_iterable(self.places()):
            found[kind] -= kind != ""
            lie += kind == ""
        for word in " ".join(self.trees).split():
            found.subtract(tree_cards(trunks_of(word)))
        for word in " ".join(self.done).split():
            _, trunks, canopy = done_word(word)
            found.subtract(tree_cards(trunks, canopy))
        del found[""]
        while found.total() > lie:
            found[max(found, key=found.__getitem__)] -= 1
        assert found.total() == lie, "more cards than have been dealt"
        assert min(found.values()) >= 0, "more cards than there are"
        return found


class Table(Protocol):
    """A position that goes on, and what lies there in the same words."""

    def go(self, *steps: str) -> None: ...
    def actor(self) -> int | None: ...
    def moves(self) -> list[str]: ...
    def chances(self) -> dict[str, float]: ...
    def cards(self, seat: int = 0) -> str: ...
    def trees(self, seat: int = 0) -> str: ...
    def done(self, seat: int = 0) -> str: ...
    def piles(self) -> str: ...
    def discard(self) -> str: ...
    def points(self) -> list[int]: ...
    def deck(self) -> int: ...
    def season(self) -> int: ...
    def winners(self) -> list[int]: ...
    def is_over(self) -> bool: ...


Maker = Callable[..., Table]


# --- the twin ---------------------------------------------------------------------------------------------------------


class Staged(Canopy):
    """The twin, whose first season begins in the middle of one."""

    def __init__(self, scene: Scene) -> None:
        self.scene: Scene | None = scene
        super().__init__(scene.ruleset(), **scene.options)

    def _begin_season(self) -> Generator[None, None, None]:
        if self.scene is None:
            yield from super()._begin_season()
            return
        scene, self.scene = self.scene, None
        self.season, self.first, self.turn, self.deck = scene.season, scene.first, scene.turn, scene.deck
        self.unseen = scene.unseen()
        self.shifts_left = [name for name in self.shifts if name not in scene.shifts]
        for self.shift in scene.shifts[-1:]:
            self.numbers = {**self.base, **self.shifts[self.shift]}
        for pile, cards in zip(self.piles, scene.places(), strict=True):
            for kind, seen in cards:
                pile.append(Card())
                pile[-1].kind, pile[-1].seen = kind, seen
        for seat, forest in enumerate(self.forests):
            forest.cards.update(scene.cards[seat].split())
            forest.points = scene.points[seat]
            forest.used = set(scene.used[seat].split())
            for word in scene.trees[seat].split():
                forest.trees.append(Tree())
                forest.trees[-1].trunks = trunks_of(word)
            for word in scene.done[seat].split():
                tree = Tree()
                stage, tree.trunks, tree.canopy = done_word(word)
                tree.season, tree.won = scene.season - (stage != ""), stage == "spent:"
                forest.completed.append(tree)


class TwinTable:
    """A table of the twin."""

    def __init__(self, piles: str, **scene: Any) -> None:
        self.twin = Staged(Scene(piles, **scene))

    def go(self, *steps: str) -> None:
        for step in steps:
            if self.twin.actors():
                self.twin.apply(min(self.twin.actors()), step)
            else:
                self.twin.settle(step)

    def actor(self) -> int | None:
        return min(self.twin.actors(), default=None)

    def moves(self) -> list[str]:
        actor = self.actor()
        return [] if actor is None else self.twin.legal(actor)

    def chances(self) -> dict[str, float]:
        outcomes = self.twin.outcomes()
        return {outcome: weight / sum(outcomes.values()) for outcome, weight in outcomes.items()}

    def cards(self, seat: int = 0) -> str:
        return words(self.twin.forests[seat].cards)

    def trees(self, seat: int = 0) -> str:
        return " ".join(tree_word(tree.trunks) for tree in sorted(self.twin.forests[seat].trees, key=Tree.order))

    def done(self, seat: int = 0) -> str:
        return " ".join(
            ("spent:" if tree.won else "old:" if tree.season < self.twin.season else "")
            + f"{tree_word(tree.trunks)}x{tree.canopy}"
            for tree in self.twin.forests[seat].completed
        )

    def piles(self) -> str:
        return pile_words([[(card.kind, card.seen) for card in pile] for pile in self.twin.piles])

    def discard(self) -> str:
        return words(self.twin.discard)

    def points(self) -> list[int]:
        return self.twin.scores()

    def deck(self) -> int:
        return self.twin.deck

    def season(self) -> int:
        return self.twin.season

    def winners(self) -> list[int]:
        return self.twin.winners()

    def is_over(self) -> bool:
        return self.twin.over()


def pile_words(piles: list[list[tuple[str, set[int]]]]) -> str:
    """As in a scene."""

    def word(kind: str, seen: set[int]) -> str:
        return f"{kind}:{''.join(map(str, sorted(seen)))}".removesuffix(":01") if kind else "?"

    return " | ".join(" ".join(sorted(word(*card) for card in pile)) for pile in piles)


# --- the engine -------------------------------------------------------------------------------------------------------


def by_kind(cards: str | Counter[str]) -> list[int]:
    found = Counter(cards.split()) if isinstance(cards, str) else cards
    return [found[kind] for kind in KINDS]


def counted(numbers: list[int]) -> Counter[str]:
    return Counter(dict(zip(KINDS, numbers, strict=True)))


def engine_state(scene: Scene, start: dict[str, Any]) -> dict[str, Any]:
    """What the engine calls this scene; `start` is the beginning of its game."""
    shifts = [list(scene.ruleset()["shift"]).index(name) for name in scene.shifts]
    turn, places, mine = scene.turn, scene.places(), scene.cards[scene.turn].split()
    waits = set(mine) - set(scene.used[turn].split())
    unknown = [place for place in places if any(turn not in seen for _, seen in place)]
    phase, at = "start", 0
    if not ("poison_frog" in waits and scene.deck) and not ("toucan" in waits and unknown):
        at = next(i for i, place in enumerate(places) if place)
        phase = "reveal" if any(not kind for kind, _ in places[at]) else "choose"
        places[at] = [(kind, seen | {turn} if kind else seen) for kind, seen in places[at]]
    return {
        **start,
        "phase": core.PHASES.index(phase), "at": at, "season": scene.season - 1, "turn": turn, "first": scene.first,
        "deck": scene.deck, "pool": by_kind(scene.unseen()), "shifts": shifts, "shift": shifts[-1] if shifts else NONE,
        "piles": [
            [(KINDS.index(kind) if kind else UNKNOWN, sum(1 << seat for seat in seen)) for kind, seen in place]
            for place in places
        ],
        "player": [
            {
                "forest": by_kind(scene.cards[seat]),
                "open": [tuple(trunks_of(word)) for word in scene.trees[seat].split()],
                "done": [
                    (*trunks, canopy, STAGES.index(stage, 1))
                    for stage, trunks, canopy in map(done_word, scene.done[seat].split())
                ],
                "used": [ANIMALS.index(animal) for animal in scene.used[seat].split()],
                "points": scene.points[seat],
                "scored": [],
            }
            for seat in (0, 1)
        ],
    }  # fmt: skip


class EngineTable:
    """A table of the engine."""

    def __init__(self, piles: str, **more: Any) -> None:
        scene = Scene(piles, **more)
        game = nf.game("canopy", 2, ruleset=scene.ruleset(), options=scene.options)
        self.position = nf.Position(game)
        core.load(self.position, engine_state(scene, core.dump(self.position)))
        self.there = self.cards_there()

    def state(self) -> dict[str, Any]:
        return core.dump(self.position)

    def cards_there(self) -> Counter[str]:
        """All cards that are not discarded."""
        state = self.state()
        found = counted(state["pool"]) + counted(state["seeds"])
        for cards in (*state["piles"], state["hand"], state["drawn"], state["under"]):
            found.update(KINDS[kind] for kind, seen in cards if kind != UNKNOWN)
        if state["card"] != NONE:
            found[KINDS[state["card"]]] += 1
        for player in state["player"]:
            found.update(counted(player["forest"]))
            for trunks in player["open"]:
                found.update(tree_cards(trunks))
            for *trunks, canopy, _ in player["done"]:
                found.update(tree_cards(trunks, canopy))
        return found

    def go(self, *steps: str) -> None:
        for step in steps:
            if self.position.actors:
                self.position.play(self.position.actors[0], step)
            else:
                self.position.chance(step)

    def actor(self) -> int | None:
        return min(self.position.actors, default=None)

    def moves(self) -> list[str]:
        actor = self.actor()
        return [] if actor is None else sorted(map(str, self.position.legal(actor)))

    def chances(self) -> dict[str, float]:
        return {str(outcome): chance for outcome, chance in self.position.outcomes()}

    def cards(self, seat: int = 0) -> str:
        return words(counted(self.state()["player"][seat]["forest"]))

    def trees(self, seat: int = 0) -> str:
        return " ".join(map(tree_word, self.state()["player"][seat]["open"]))

    def done(self, seat: int = 0) -> str:
        done = self.state()["player"][seat]["done"]
        return " ".join(f"{STAGES[stage]}{tree_word(trunks)}x{canopy}" for *trunks, canopy, stage in done)

    def piles(self) -> str:
        return pile_words(
            [
                [
                    ("" if kind == UNKNOWN else KINDS[kind], {seat for seat in (0, 1) if seen >> seat & 1})
                    for kind, seen in pile
                ]
                for pile in self.state()["piles"]
            ]
        )

    def discard(self) -> str:
        return words(self.there - self.cards_there())

    def points(self) -> list[int]:
        return self.position.scores()

    def deck(self) -> int:
        return int(self.state()["deck"])

    def season(self) -> int:
        return int(self.state()["season"]) + 1

    def winners(self) -> list[int]:
        return self.position.winners()

    def is_over(self) -> bool:
        return self.position.is_over
