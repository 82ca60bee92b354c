"""Canopy: the cards and numbers of a ruleset (docs/games/canopy.md, "Ruleset files")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ninefold.core import rules
from ninefold.core.games import canopy as core
from ninefold.errors import InputError, located, near, shown
from ninefold.ruleset import Remark, Ruleset, standard
from ninefold.schema import convert

__all__ = [
    "ANIMALS", "FAMILIES", "KINDS", "MARK", "PLANTS", "CanopyRuleset", "Learnt", "Numbers", "Shift", "check_number",
    "find", "numbers_of",
]  # fmt: skip

OPTIONS = {"drought_completed_trees": ["exposed", "immune"], "shifting": ["off", "on"]}  # values sorted
PLANTS = ("philodendron", "bromelia", "fern")
ANIMALS = ("emerald_boa", "kinkajou", "leafcutter_ant", "poison_frog", "sloth", "toucan")
FAMILIES: dict[str, tuple[str, ...]] = {  # all kinds of cards in the engine's order, as a player counts them
    "trunk": ("trunk_0", "trunk_1", "trunk_2"),
    "canopy": ("canopy_0", "canopy_1", "canopy_2"),
    **{kind: (kind,) for kind in (*PLANTS, "seed", "rain", "sun", "fire", "drought", "disease")},
    "active animal": ANIMALS,
    "mating animal": tuple(f"{animal}_mating" for animal in ANIMALS),
}
KINDS = tuple(kind for kinds in FAMILIES.values() for kind in kinds)
IN_BOX = {"trunk": 19, "canopy": 10}  # cards of families of which nobody says how many of each kind there are
SEEDS_IN_BOX = 21
MOST_CARDS, MOST_SEEDS = core.LIMITS["cards"], core.LIMITS["seeds"]
POINTS = (-core.LIMITS["points"], core.LIMITS["points"])  # of anything
NUMBER = (0, core.LIMITS["number"])
RANGES = {  # of what is no points
    **dict.fromkeys(("seed_draw", "seed_per_fire", "seed_keep", "kinkajou", "frog"), NUMBER),
    **{f"{threat}_{field}": NUMBER for threat in ("fire", "disease") for field in ("losses", "spread_losses")},
    **{f"{threat}_{field}": (1, NUMBER[1]) for threat in ("fire", "disease") for field in ("two", "spread")},
    **dict.fromkeys(("philodendron_set", "piles"), (1, NUMBER[1])),
}  # fmt: skip
LAST = ("largest", "active", "mating", "mating_pair")  # numbers of the scoring after the last season
MARK = "†"  # behind a number that no source gives


def check_number(value: int, low: int, high: int, path: str) -> None:
    """Raise InputError for a number out of its range."""
    if not low <= value <= high:
        raise InputError(f"must be {low} to {high}, not {shown(value)}", path=path, value=value)


def find(name: str, path: str) -> int:
    """The number of a kind of card. Raises InputError."""
    if name not in KINDS:
        raise InputError(f"unknown card {shown(name)}", path=path, value=name, match=near(name, KINDS))
    return KINDS.index(name)


class Numbers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All numbers of the rules."""

    philodendron_set: int  # so many philodendrons
    philodendron_points: int  # score so much
    bromelia: list[int]  # points of one, two, three or more bromelias, in all
    fern_odd: int  # points of each of an odd number of ferns
    fern_even: int  # and of each of an even number
    weather_pair: int  # points of a pair of rain and sun
    seed_draw: int  # cards drawn by who has a seed
    seed_per_fire: int  # and more for each own fire
    seed_keep: int  # cards kept for each seed
    kinkajou: int  # and more with the kinkajou
    fire_two: int  # from so many fires on
    fire_losses: int  # so many plants are lost
    fire_spread: int  # but from so many on
    fire_spread_losses: int  # both players lose so many
    disease_two: int
    disease_losses: int
    disease_spread: int
    disease_spread_losses: int
    tallest: list[int]  # points of the tallest tree, by season
    largest: int  # points of the largest forest
    active: int  # points of an active animal
    mating: int  # points of a mating one without it
    mating_pair: int  # and with it
    piles: list[int]  # cards of the growth piles at the start of a season
    frog: int  # cards that the poison frog adds to each pile

    def check(self, seasons: int) -> None:
        """Raise InputError for anything that the engine cannot play."""
        for name, value in msgspec.structs.asdict(self).items():
            length = {"bromelia": 3, "tallest": seasons, "piles": 3}.get(name, 0)
            if length and len(value) != length and not (name == "tallest" and len(value) > length):
                raise InputError(f"{length} numbers, not {len(value)}", path=name, value=value)
            for i, number in enumerate(value if length else [value]):
                check_number(number, *RANGES.get(name, POINTS), f"{name}[{i}]" if length else name)
        for threat in ("fire", "disease"):
            two, spread = getattr(self, f"{threat}_two"), getattr(self, f"{threat}_spread")
            if spread <= two:
                message = f"must be more than {threat}_two, {two}, not {spread}"
                raise InputError(message, path=f"{threat}_spread", value=spread)


class Shift(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of Shifting Seasons."""

    title: str
    numbers: dict[str, int | list[int]]  # those that it changes for a season


class CanopyRuleset(Ruleset, frozen=True, kw_only=True):
    """The cards and numbers of Canopy."""

    invented: list[str] = []  # paths of this file whose values no source gives
    seasons: int
    removed: int  # cards put away unseen
    copies: dict[str, int]  # of the main deck, by kind
    seeds: dict[str, int] = {}  # of the seed deck
    numbers: Numbers
    shift: dict[str, Shift] = {}

    @property
    def deck(self) -> int:
        """Cards of a season."""
        return (sum(self.copies.values()) - self.removed) // self.seasons

    @property
    def made_up(self) -> bool:
        """Whether any of its values is listed as invented."""
        return bool(self.invented)

    def is_invented(self, path: str) -> bool:
        """Whether no source gives what stands there."""
        return any(path == one or path.startswith(one + ".") for one in self.invented)

    def mark(self, path: str) -> str:
        """What is written behind a number: nothing, or the mark of an invented one."""
        return MARK if self.is_invented(path) else ""

    def shifted(self, name: str) -> Numbers:
        """The numbers of a season with this card of Shifting Seasons, or with none."""
        if not name:
            return self.numbers
        changed = {**msgspec.structs.asdict(self.numbers), **self.shift[name].numbers}
        with located(path=f"shift.{name}.numbers"):
            return convert(changed, Numbers)

    def check(self) -> None:
        """Raise InputError for anything that the engine cannot play."""
        super().check()
        if {name: sorted(option.values) for name, option in self.options.items()} != OPTIONS:
            raise InputError(f"the options are {', '.join(OPTIONS)}, with the standard values", path="options")
        check_number(self.seasons, 1, core.LIMITS["seasons"], "seasons")
        for path, cards, most in (("copies", self.copies, MOST_CARDS), ("seeds", self.seeds, MOST_SEEDS)):
            for name, n in cards.items():
                find(name, path)
                check_number(n, 0, most, f"{path}.{name}")
            if sum(cards.values()) > most:
                raise InputError(f"at most {most} cards, not {sum(cards.values())}", path=path)
        for kind in (*ANIMALS, *FAMILIES["mating animal"]):
            if self.copies.get(kind, 0) + self.seeds.get(kind, 0) > 1:
                raise InputError("at most one in both decks", path=f"copies.{kind}", value=self.copies.get(kind, 0))
        self._check_decks()
        with located(path="numbers"):
            self.numbers.check(self.seasons)
        if len(self.shift) > core.LIMITS["shifts"]:
            raise InputError(f"at most {core.LIMITS['shifts']} cards, not {len(self.shift)}", path="shift")
        for name in self.shift:
            if not re.fullmatch("[a-z][a-z0-9_]*", name):
                what = f"a season's name is lower-case letters, digits and _, not {shown(name)}"
                raise InputError(what, path="shift", value=name)
            numbers = self.shifted(name)
            with located(path=f"shift.{name}.numbers"):
                for number in LAST:
                    if number in self.shift[name].numbers:
                        message = "counts after the last season, when no season card holds"
                        raise InputError(message, path=number, value=self.shift[name].numbers[number])
                numbers.check(self.seasons)
        self.compiled(shifting=len(self.shift) >= self.seasons, exposed=False)
        paths = dict(_leaves(msgspec.to_builtins(self), ""))
        known = {path.rsplit(".", n)[0] for path in paths for n in range(path.count(".") + 1)}
        for i, path in enumerate(self.invented):
            if path not in known:
                raise InputError(
                    f"there is no {shown(path)} here", path=f"invented[{i}]", value=path, match=near(path, known)
                )

    def compiled(self, *, shifting: bool, exposed: bool) -> rules.Game:
        """The core game. Raises InputError for what the engine has no room for."""
        try:
            return core.compile(
                copies=[self.copies.get(kind, 0) for kind in KINDS], seeds=[self.seeds.get(kind, 0) for kind in KINDS],
                removed=self.removed, seasons=self.seasons, numbers=msgspec.structs.asdict(self.numbers),
                shifts=[msgspec.structs.asdict(self.shifted(name)) for name in self.shift] if shifting else [],
                exposed=exposed,
                learnt=not shifting and not exposed and numbers_of(self) == _teach(),
            )  # fmt: skip
        except ValueError as error:
            raise InputError(str(error)) from None

    def _check_decks(self) -> None:
        """The season decks are equal, and large enough for the piles."""
        total = sum(self.copies.values())
        check_number(self.removed, 0, max(total - 1, 0), "removed")
        left = total - self.removed
        if left % self.seasons:
            message = f"{total} cards less {self.removed} removed do not split into {self.seasons} equal seasons"
            raise InputError(message, path="copies", value=total)
        for path, numbers in (
            ("numbers", self.numbers), *((f"shift.{name}", self.shifted(name)) for name in self.shift),
        ):  # fmt: skip
            if sum(numbers.piles) > self.deck:
                message = f"{sum(numbers.piles)} cards, but a season has {self.deck}"
                raise InputError(message, path=f"{path}.piles", value=numbers.piles)

    def warnings(self) -> list[Remark]:
        """Where this departs from what is known of the box, and what has been changed and is still called invented."""
        found = []
        box = standard(self.game, CanopyRuleset)
        here = dict(_leaves(msgspec.to_builtins(self), ""))
        for path, value in _leaves(msgspec.to_builtins(box), ""):
            if path.partition(".")[0] not in ("seasons", "removed", "copies", "numbers", "seeds"):
                continue
            now = here.get(path, 0)
            if now != value and not box.is_invented(path):
                found.append(Remark(path, f"the rules say {value}, not {now}"))
            elif now != value and self.is_invented(path):
                found.append(Remark(path, f"{now} is listed as invented: is it printed on your cards?"))
        for family, number in IN_BOX.items():
            n = sum(self.copies.get(kind, 0) for kind in FAMILIES[family])
            if n != number:
                found.append(Remark("copies", f"{n} cards of the kind {family}: the box has {number}"))
        if sum(self.seeds.values()) != SEEDS_IN_BOX:
            found.append(Remark("seeds", f"{sum(self.seeds.values())} cards: the box has {SEEDS_IN_BOX}"))
        return found


class Learnt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `bench.canopy_value` found: `ninefold.core.games.canopy.teach` says what the numbers are."""

    made_by: str  # the command
    ruleset: dict[str, Any]  # for which alone they hold
    weights: list[list[list[float]]]
    deviations: list[list[float]]


def numbers_of(ruleset: CanopyRuleset) -> dict[str, Any]:
    """What a game without variants is played with."""
    data = msgspec.to_builtins(ruleset)
    return {name: data[name] for name in ("seasons", "removed", "copies", "seeds", "numbers")}


@cache
def _teach() -> dict[str, Any]:
    """Give the engine what was learnt; for which ruleset."""
    learnt = msgspec.json.decode(Path(__file__).with_name("canopy_value.json").read_bytes(), type=Learnt)
    core.teach(learnt.weights, learnt.deviations)
    return learnt.ruleset


def _leaves(data: Mapping[str, Any], path: str) -> Iterator[tuple[str, object]]:
    """All values of a file that are no tables, with their paths."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value
