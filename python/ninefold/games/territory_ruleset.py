"""Territory: the cards and numbers of a ruleset (docs/games/territory.md, "Ruleset files")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from ninefold.core.games import territory as core
from ninefold.errors import InputError, located, shown
from ninefold.games import territory_cards as cards
from ninefold.ruleset import Remark, Ruleset

__all__ = ["Animal", "Goal", "Side", "Skill", "TerritoryRuleset", "check_number"]

OPTIONS = {
    "territory_points": ["off", "on"],
    "face_down": ["forced", "free"],
    "bonus": ["may", "must"],
}  # values sorted
TERRAINS = {"land": "L", "water": "W", "both": "B"}
NAME = re.compile("[a-z][a-z0-9_]*")
MOST_POINTS = 99  # of any card
MOST_ANIMALS, MOST_GOALS, MOST_SKILLS = core.LIMITS["animals"], core.LIMITS["goals"], core.LIMITS["skills"]
MOST_DEALT, MOST_IN_ROW = core.LIMITS["hand"], core.LIMITS["row"]


def check_number(value: int, low: int, high: int, path: str) -> None:
    """Raise InputError for a number out of its range."""
    if not low <= value <= high:
        raise InputError(f"must be {low} to {high}, not {shown(value)}", path=path, value=value)


def _check_name(name: str, what: str, path: str) -> None:
    """Raise InputError for what cannot be a word of a move."""
    if not NAME.fullmatch(name) or name == "deck":
        raise InputError(f"{what} is lower-case letters, digits and _, not {shown(name)}", path=path, value=name)


class Animal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One card: each animal is there once."""

    number: int  # 1 .. 99; several may have the same
    terrain: Literal["land", "water", "both"]
    stars: int  # 1 .. 9

    @property
    def short(self) -> str:
        """Number, terrain and stars in a few letters."""
        return f"{self.number}{TERRAINS[self.terrain]}{self.stars}"

    @property
    def facts(self) -> cards.Animal:
        """What goals can ask of it."""
        return cards.Animal(self.number, self.terrain, self.stars)

    def check(self) -> None:
        """Raise InputError for numbers that the engine cannot hold."""
        check_number(self.number, 1, cards.HIGHEST, "number")
        check_number(self.stars, 1, cards.MOST_STARS, "stars")


class Side(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One side of a goal."""

    name: str  # how outcomes call it: like no other side
    needs: str  # what one's own nine cells need: the grammar of the page
    points: int  # 0 .. 99

    def check(self) -> None:
        """Raise InputError for what cannot be played."""
        _check_name(self.name, "a side's name", "name")
        check_number(self.points, 0, MOST_POINTS, "points")
        with located(path="needs"):
            cards.needs(self.needs)

    def program(self, animals: Sequence[cards.Animal]) -> cards.Program:
        """What is needed, as the engine computes it. Raises InputError if it is too much. animals: by id."""
        program = cards.needs(self.needs).program(animals)
        most = core.LIMITS["operations"]
        if len(program) > most:
            raise InputError(f"too long: {len(program)} operations, at most {most}", path="needs", value=self.needs)
        if cards.held_at_once(program) > core.LIMITS["stack"]:
            raise InputError("too many parentheses in one another", path="needs", value=self.needs)
        return program


class Goal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A goal card: one of its sides is up."""

    front: Side
    back: Side


class Skill(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A skill card."""

    effect: str  # one of the effects of the page
    points: int  # 0 .. 99
    uses: int = 1  # times a game; 0: once every round

    def check(self) -> None:
        """Raise InputError for what cannot be played."""
        with located(path="effect"):
            cards.effect(self.effect)
        check_number(self.points, 0, MOST_POINTS, "points")
        check_number(self.uses, 0, 9, "uses")


class TerritoryRuleset(Ruleset, frozen=True, kw_only=True):
    """The cards and numbers of Territory."""

    rounds: int  # 1 .. 9
    hand: int  # cards dealt at the start
    keep: int  # of which so many are kept
    row: int  # open cards of the draft
    largest: list[int]  # points for the largest territory: alone, two, three, four who tie
    animals: dict[str, Animal]
    goals: dict[str, Goal]
    skills: dict[str, Skill]

    def order(self) -> list[str]:
        """The animals in the engine's order: by number, equal ones as in the file."""
        return sorted(self.animals, key=lambda name: self.animals[name].number)

    def facts(self) -> list[cards.Animal]:
        """What goals can ask of the animals, in the engine's order."""
        return [self.animals[name].facts for name in self.order()]

    def sides(self) -> Iterator[tuple[str, Side]]:
        """Both sides of all goals in the engine's order, each with its path."""
        for name, goal in self.goals.items():
            yield f"goals.{name}.front", goal.front
            yield f"goals.{name}.back", goal.back

    def check(self) -> None:
        """Raise InputError for anything that the engine cannot play."""
        super().check()
        wanted = OPTIONS
        if {name: sorted(option.values) for name, option in self.options.items()} != wanted:
            raise InputError(f"the options are {', '.join(wanted)}, with the standard values", path="options")
        check_number(self.rounds, 1, 9, "rounds")
        check_number(self.hand, 1, MOST_DEALT, "hand")
        check_number(self.keep, 1, self.hand, "keep")
        check_number(self.row, 1, MOST_IN_ROW, "row")
        if len(self.largest) != 4:
            raise InputError(f"four numbers, for one to four players, not {len(self.largest)}", path="largest")
        for i, points in enumerate(self.largest):
            check_number(points, 0, MOST_POINTS, f"largest[{i}]")
        for path, things, most in (
            ("animals", self.animals, MOST_ANIMALS), ("goals", self.goals, MOST_GOALS),
            ("skills", self.skills, MOST_SKILLS),
        ):  # fmt: skip
            if len(things) > most:
                raise InputError(f"at most {most} {path}, not {len(things)}", path=path)
        for name, animal in self.animals.items():
            _check_name(name, "an animal's name", "animals")
            with located(path=f"animals.{name}"):
                animal.check()
        for name in self.goals:
            _check_name(name, "a goal's name", "goals")
            if name in self.skills:
                raise InputError(f"{shown(name)} is also the name of a skill", path="goals", value=name)
        for name, skill in self.skills.items():
            _check_name(name, "a skill's name", "skills")
            with located(path=f"skills.{name}"):
                skill.check()
        taken: dict[str, str] = {}
        for path, side in self.sides():
            with located(path=path):
                side.check()
            if side.name in taken:
                raise InputError(
                    f"{shown(side.name)} is also the name of {taken[side.name]}", path=f"{path}.name", value=side.name
                )
            taken[side.name] = path
            with located(path=path):
                side.program(self.facts())

    def warnings(self) -> list[Remark]:
        """Where the cards depart from what is known of the box, and tests that no animal can pass."""
        found = []
        for path, n, known in (
            ("animals", len(self.animals), 50), ("goals", len(self.goals), 8), ("skills", len(self.skills), 4),
        ):  # fmt: skip
            if n != known:
                found.append(Remark(path, f"{n}, the box has {known}"))
        for terrain, known in (("land", 24), ("water", 13), ("both", 13)):
            n = sum(animal.terrain == terrain for animal in self.animals.values())
            if n != known:
                found.append(Remark("animals", f"{n} of the terrain {terrain}, the box has {known}"))
        animals = self.facts()
        found += [
            Remark(f"{path}.needs", f"no animal is {shown(test.cells.text)}")
            for path, side in self.sides()
            for test in cards.needs(side.needs).tests()
            if test.cells.face == "up" and not any(map(test.cells.fits, animals))
        ]
        return found
