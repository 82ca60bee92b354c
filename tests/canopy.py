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
from pathlib import Path
from typing import Any, Protocol

from tests.reference.canopy import Canopy, Card, Tree

FILE = Path(__file__).parents[1] / "python/ninefold/games/canopy.toml"

Pair = tuple[str, str]
NOTHING: Pair = ("", "")


def standard(**changes: Any) -> dict[str, Any]:
    """The standard ruleset as plain data, with other numbers, or other entries where it has them by that name."""
    ruleset: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    for name, what in changes.items():
        (ruleset if name in ruleset else ruleset["numbers"])[name] = what
    return ruleset


@dataclass
class Scene:
    """Somebody is about to begin his turn."""

    piles: str
    deck: int = 20
    cards: Pair = NOTHING
    trees: Pair = NOTHING
    done: Pair = NOTHING
    used: Pair = NOTHING
    points: tuple[int, int] = (0, 0)
    season: int = 1
    first: int = 0
    turn: int = 0
    changes: dict[str, Any] = field(default_factory=dict)  # of the ruleset
    options: dict[str, str] = field(default_factory=dict)


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


def words(cards: Counter[str]) -> str:
    return " ".join(sorted(cards.elements()))


def trunks_of(word: str) -> list[int]:
    """How many trunks of each value."""
    return [word.split("+").count(printed) for printed in "012"]


def tree_word(trunks: list[int]) -> str:
    return "+".join(str(printed) for printed, n in enumerate(trunks) for _ in range(n))


def done_word(word: str) -> tuple[str, list[int], int]:
    """Its stage, its trunks, its canopy."""
    stage, _, rest = word.rpartition(":")
    trunks, canopy = rest.split("x")
    return stage, trunks_of(trunks), int(canopy)


def used_up(scene: Scene) -> Counter[str]:
    """All cards that lie open or that somebody has seen."""
    found = Counter(" ".join(scene.cards).split())
    found.update(word.split(":")[0] for word in scene.piles.split() if word not in "|?")
    for word in " ".join((*scene.trees, *scene.done)).split():
        trunks, _, canopy = word.rpartition(":")[2].partition("x")
        found.update(f"trunk_{printed}" for printed in trunks.split("+"))
        if canopy:
            found[f"canopy_{canopy}"] += 1
    return found


# --- the twin ---------------------------------------------------------------------------------------------------------


class Staged(Canopy):
    """The twin, whose first season begins in the middle of it."""

    def __init__(self, scene: Scene) -> None:
        self.scene: Scene | None = scene
        super().__init__(standard(**scene.changes), **scene.options)

    def _begin_season(self) -> Generator[None, None, None]:
        if self.scene is None:
            yield from super()._begin_season()
            return
        scene, self.scene = self.scene, None
        self.season, self.first, self.turn, self.deck = scene.season, scene.first, scene.turn, scene.deck
        self.unseen -= used_up(scene)
        for pile, cards in zip(self.piles, scene.piles.split("|"), strict=True):
            for word in cards.split():
                card = Card()
                if word != "?":
                    card.kind, _, seats = word.partition(":")
                    card.seen = set(map(int, seats or "01"))
                pile.append(card)
        for seat, forest in enumerate(self.forests):
            forest.cards.update(scene.cards[seat].split())
            forest.points = scene.points[seat]
            forest.used = set(scene.used[seat].split())
            for word in scene.trees[seat].split():
                tree = Tree()
                tree.trunks = trunks_of(word)
                forest.trees.append(tree)
            for word in scene.done[seat].split():
                tree = Tree()
                stage, tree.trunks, tree.canopy = done_word(word)
                tree.season, tree.won = scene.season - (stage != ""), stage == "spent"
                forest.completed.append(tree)


class TwinTable:
    """A table of the twin."""

    def __init__(self, scene: Scene) -> None:
        self.twin = Staged(scene)

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
        def word(card: Card) -> str:
            seats = "".join(map(str, sorted(card.seen)))
            return f"{card.kind}:{seats}".removesuffix(":01") if card.kind else "?"

        return " | ".join(" ".join(sorted(map(word, pile))) for pile in self.twin.piles)

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


Maker = Callable[..., Table]


def twin_table(piles: str, **scene: Any) -> Table:
    return TwinTable(Scene(piles, **scene))
