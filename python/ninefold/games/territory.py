"""Territory: its cards, words, position files and picture (rules and formats: docs/games/territory.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ninefold.core import rules
from ninefold.core.games import territory as core
from ninefold.errors import InputError, located, near, shown
from ninefold.games import GameModule, PositionFile
from ninefold.games import territory_cards as cards
from ninefold.position import Position, View
from ninefold.ruleset import Remark, Ruleset

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold._game import Game
    from ninefold.move import Move

__all__ = [
    "MODULE", "Animal", "Goal", "Held", "Pending", "Player", "Side", "Skill", "TerritoryPosition", "TerritoryRuleset",
]  # fmt: skip

CELLS = cards.CELLS
NONE, SECRET, HIDDEN = 255, 254, 128  # the engine: no card, cell or choice; a hidden choice; + pool: a hidden card
DOWN = STAR = 16  # the engine: added to a cell, placed face down; the marker's star side
EMPTY, UNKNOWN = "-", "?"  # how a file writes no card, and one that the owner of the file does not know
CELL_NAMES = tuple(column + row for row in "123" for column in "abc")
BOSSES = ("land", "water")
DECLARATIONS = ("no boss", "land boss", "land boss star", "water boss", "water boss star")
SPOTS = (*CELL_NAMES, *[""] * (DOWN - CELLS), *(f"{cell} face down" for cell in CELL_NAMES))
TERRAINS = {"land": "L", "water": "W", "both": "B"}
COLOURS = {"land": "yellow", "water": "cyan", "both": "green"}
LINES = [[3 * row + column for column in range(3)] for row in range(3)]
LINES += [[3 * row + column for row in range(3)] for column in range(3)]
NAME = re.compile("[a-z][a-z0-9_]*")
MOST_POINTS, MOST_DRAWN = 99, 3  # of any card; cards that a player draws from the deck in a round
MOST_ANIMALS, MOST_GOALS, MOST_SKILLS = core.LIMITS["animals"], core.LIMITS["goals"], core.LIMITS["skills"]
MOST_DEALT, MOST_IN_ROW = core.LIMITS["hand"], core.LIMITS["row"]

# --- ruleset ----------------------------------------------------------------------------------------------------------


def _check_number(value: int, low: int, high: int, path: str) -> None:
    if not low <= value <= high:
        raise InputError(f"must be {low} to {high}, not {shown(value)}", path=path, value=value)


def _check_name(name: str, what: str, path: str) -> None:
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
        _check_number(self.number, 1, cards.HIGHEST, "number")
        _check_number(self.stars, 1, cards.MOST_STARS, "stars")


class Side(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One side of a goal."""

    name: str  # how moves call it: like no other side and no skill
    needs: str  # what one's own nine cells need: the grammar of the page
    points: int  # 0 .. 99

    def check(self) -> None:
        """Raise InputError for what cannot be played."""
        _check_name(self.name, "a side's name", "name")
        _check_number(self.points, 0, MOST_POINTS, "points")
        with located(path="needs"):
            cards.needs(self.needs)


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
        _check_number(self.points, 0, MOST_POINTS, "points")
        _check_number(self.uses, 0, 9, "uses")


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

    def sides(self) -> Iterator[tuple[str, Side]]:
        """Both sides of all goals in the engine's order, each with its path."""
        for name, goal in self.goals.items():
            yield f"goals.{name}.front", goal.front
            yield f"goals.{name}.back", goal.back

    def check(self) -> None:
        """Raise InputError for anything that the engine cannot play."""
        super().check()
        wanted = MODULE.standard_options()
        if {name: sorted(option.values) for name, option in self.options.items()} != wanted:
            raise InputError(f"the options are {', '.join(wanted)}, with the standard values", path="options")
        _check_number(self.rounds, 1, 9, "rounds")
        _check_number(self.hand, 1, MOST_DEALT, "hand")
        _check_number(self.keep, 1, self.hand, "keep")
        _check_number(self.row, 1, MOST_IN_ROW, "row")
        if len(self.largest) != 4:
            raise InputError(f"four numbers, for one to four players, not {len(self.largest)}", path="largest")
        for i, points in enumerate(self.largest):
            _check_number(points, 0, MOST_POINTS, f"largest[{i}]")
        for path, things, most in (
            ("animals", self.animals, MOST_ANIMALS), ("goals", self.goals, MOST_GOALS), ("skills", self.skills, MOST_SKILLS),
        ):  # fmt: skip
            if len(things) > most:
                raise InputError(f"at most {most} {path}, not {len(things)}", path=path)
        for name, animal in self.animals.items():
            _check_name(name, "an animal's name", "animals")
            with located(path=f"animals.{name}"):
                animal.check()
        for name in self.goals:
            _check_name(name, "a goal's name", "goals")
        for name, skill in self.skills.items():
            _check_name(name, "a skill's name", "skills")
            with located(path=f"skills.{name}"):
                skill.check()
        taken = {name: f"skills.{name}" for name in self.skills}
        for path, side in self.sides():
            with located(path=path):
                side.check()
            if side.name in taken:
                raise InputError(
                    f"{shown(side.name)} is also the name of {taken[side.name]}", path=f"{path}.name", value=side.name
                )
            taken[side.name] = path

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
        animals = [animal.facts for animal in self.animals.values()]
        found += [
            Remark(f"{path}.needs", f"no animal is {shown(test.cells.text)}")
            for path, side in self.sides()
            for test in cards.needs(side.needs).tests()
            if test.cells.face == "up" and not any(map(test.cells.fits, animals))
        ]
        return found


# --- position files ---------------------------------------------------------------------------------------------------


class Held(msgspec.Struct, forbid_unknown_fields=True):
    """A hidden card, an animal or "?", that its owner drew from an earlier or later deck than the first."""

    card: str
    pool: int


class Player(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What one player has."""

    cells: list[str] = ["- - -", "- - -", "- - -"]  # rows 3, 2, 1: as they lie; "-" empty, "(otter)" face down
    land_boss: str = ""  # a cell, or "c3 star"
    water_boss: str = ""
    bonus: list[str] = []  # goals and skills taken
    hand: list[str | Held] = []  # cards that only the owner knows, "?" hidden
    shown: list[str] = []  # cards in the hand that everybody knows: they were taken from the row
    drafted: list[str | Held] = []  # last round: cards drafted in it; those known are also in the hand
    returned: list[str] = []  # given back at the start, and not seen since
    hidden_plays: list[int] = []  # rounds in which a card was played that only the owner had known
    draws: list[int] = []  # rounds in which a card of the first deck was drawn, each as often as it was
    met: list[list[int]] = []  # by player: rounds in which that player played a card that this one had given back


PendingPhase = Literal[
    "deal", "return", "fill", "play", "draft", "redraw", "draw", "part", "choose", "place", "boss", "bonus",
    "over",
]  # fmt: skip


class Pending(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What has been decided since the round began. By player: "-" not yet or nothing, "?" hidden."""

    phase: PendingPhase
    played: list[str] = []  # by player: animals; when cards are placed, those
    turns: list[int] = []  # draft and bonus: whose turn it is, and whose after that
    takes: int = 0  # draft: cards that the first of them still takes
    taken: bool = False  # draft: one was taken in this turn
    used: list[str] = []  # draft: skills used in this turn
    skill: str = ""  # part: the skill that asks
    chosen: list[str] = []  # choose, by player: animals
    spots: list[str] = []  # place and later, by player: "a1", "b2 face down"
    declared: list[str] = []  # boss, by player: "no boss", "land boss star", …
    fill: int = 0  # fill and redraw: cards still to be turned up
    given: int = 0  # return: cards that each has given back
    done: list[int] = []  # return: who has given back one more


class TerritoryPosition(PositionFile, kw_only=True):
    """A position of Territory: what is visible. The animals not seen anywhere are the deck."""

    round: int | None = None  # from 1; as many cards as lie there, and one
    sides: list[str]  # the sides that are up, in the order of the goals, the taken ones too
    row: list[str] = []
    discard: list[str] = []
    deck: int | None = None  # number of cards, to be checked
    order: list[str] = []  # alone: known cards on top of the deck, the next first
    spent: dict[str, int] = {}  # skills: how often each has been used in the game
    first: list[int] = []  # who drafts first in the next round
    pool: int | None = None  # number of the deck, 1 and more after a reshuffle
    older: list[Held] = []  # a view: cards that somebody holds since before a reshuffle
    player: list[Player]
    pending: Pending | None = None


class _Reader:
    """Turns the words of one file into the engine's numbers, and notes where each animal is."""

    def __init__(self, game: Game, data: TerritoryPosition) -> None:
        self.data, self.players = data, game.players
        self.ruleset = _ruleset(game)
        self.names = self.ruleset.order()
        self.animals = [self.ruleset.animals[name] for name in self.names]
        self.goals, self.skills = list(self.ruleset.goals), list(self.ruleset.skills)
        self.where: dict[int, str] = {}  # by animal
        self.default_pool = int(self.players > 1)
        self.has_unknown = False
        self.bonus_at: dict[str, str] = {}  # where each bonus card is taken

    def numbers(self) -> dict[str, Any]:
        """What the engine's `load` wants. Raises InputError for anything impossible."""
        data = self.data
        self.pool = self.default_pool if data.pool is None else data.pool
        _check_number(self.pool, self.default_pool, core.LIMITS["cards"] if self.players > 1 else 0, "pool")
        players = [self.player(player, f"player[{i}]") for i, player in enumerate(data.player)]
        numbers: dict[str, Any] = {
            "row": sorted(self.see(name, f"row[{i}]") for i, name in enumerate(data.row)),
            "discard": sorted(self.see(name, f"discard[{i}]") for i, name in enumerate(data.discard)),
            "order": [self.see(name, f"order[{i}]") for i, name in enumerate(data.order)],
            "player": players, "pool": self.pool, "given": 0, "fill": 0, "waiting": 0, "queue": [], "takes": 0, "used": 0,
            "part": NONE, "first": self.mask(data.first, "first"),
        }  # fmt: skip
        if len(data.row) > self.ruleset.row:
            raise InputError(f"a row has {self.ruleset.row} cards, not {len(data.row)}", path="row")
        if data.order and self.players > 1:
            raise InputError("the order of the deck can be known only alone", path="order")
        numbers["older"] = sorted(
            (self.see(held.card, f"older[{i}].card"), held.pool) for i, held in enumerate(data.older)
        )
        self.has_unknown |= bool(data.older)
        self.sides(numbers)
        self.spent(numbers)
        self.phase(numbers)
        self.deck(numbers)
        return numbers

    def see(self, name: str, path: str) -> int:
        """Number of an animal that lies somewhere, which it does only once."""
        animal = self.animal(name, path)
        if animal in self.where:
            raise InputError(f"{name} is also in {self.where[animal]}", path=path, value=name)
        self.where[animal] = path
        return animal

    def animal(self, name: str, path: str) -> int:
        """Number of an animal."""
        if name not in self.ruleset.animals:
            match = near(name, self.names)
            raise InputError(f"unknown animal {shown(name)}", path=path, value=name, match=match)
        return self.names.index(name)

    def cell(self, name: str, path: str, names: Sequence[str] = CELL_NAMES) -> int:
        """Number of a cell."""
        word = " ".join(name.lower().split())
        if word not in names or not word:
            match = near(word, names)
            raise InputError(f"a cell is a1 to c3, not {shown(name)}", path=path, value=name, match=match)
        return names.index(word)

    def seat(self, player: int, path: str) -> int:
        """A player's number."""
        if not 0 <= player < self.players:
            raise InputError(f"players are 0 to {self.players - 1}, not {shown(player)}", path=path, value=player)
        return player

    def mask(self, players: Sequence[int], path: str) -> int:
        """Players as a mask."""
        return sum(1 << self.seat(player, f"{path}[{i}]") for i, player in enumerate(dict.fromkeys(players)))

    def rounds(self, rounds: Sequence[int], path: str) -> None:
        """Numbers of rounds."""
        for i, number in enumerate(rounds):
            _check_number(number, 1, self.ruleset.rounds, f"{path}[{i}]")

    # --- one player ---

    def player(self, player: Player, path: str) -> dict[str, Any]:
        """What one player has, as the engine knows it."""
        cell, up = self.land(player.cells, f"{path}.cells")
        boss = [
            self.boss(word, BOSSES[i], cell, up, f"{path}.{BOSSES[i]}_boss")
            for i, word in enumerate((player.land_boss, player.water_boss))
        ]
        if NONE not in boss and boss[0] & ~STAR == boss[1] & ~STAR:
            raise InputError("one marker a card", path=f"{path}.water_boss", value=player.water_boss)
        hand, hidden = self.hand(player.hand, f"{path}.hand")
        hand += [(self.see(name, f"{path}.shown[{i}]"), 0) for i, name in enumerate(player.shown)]
        for field in ("hidden_plays", "draws"):
            self.rounds(getattr(player, field), f"{path}.{field}")
        for i, met in enumerate(player.met):
            self.rounds(met, f"{path}.met[{i}]")
        if player.met and len(player.met) != self.players:
            raise InputError(f"one for each of the {self.players} players, not {len(player.met)}", path=f"{path}.met")
        bonus = self.bonus(player.bonus, f"{path}.bonus")
        met = [sum(1 << number - 1 for number in set(rounds)) for rounds in player.met or [[]] * self.players]
        events = [(int(i in player.hidden_plays), player.draws.count(i)) for i in range(1, 10)]
        for i, (_, drawn) in enumerate(events):
            if drawn > MOST_DRAWN:
                raise InputError(f"at most {MOST_DRAWN} cards in round {i + 1}, not {drawn}", path=f"{path}.draws")
        returned = sorted(self.animal(name, f"{path}.returned[{i}]") for i, name in enumerate(player.returned))
        if len(set(returned)) > self.ruleset.hand - self.ruleset.keep or len(set(returned)) < len(returned):
            raise InputError(
                f"at most {self.ruleset.hand - self.ruleset.keep} different cards are given back",
                path=f"{path}.returned",
            )
        return {
            "cells": cell, "up": up, "boss": boss, "goals": bonus & (1 << len(self.goals)) - 1,
            "skills": bonus >> len(self.goals), "hand": sorted(hand), "hidden": sorted(hidden), "returned": returned,
            "events": events, "met": met, "played": NONE, "drafted": [NONE, NONE], "chosen": NONE, "spot": NONE,
            "declared": NONE,
        }  # fmt: skip

    def land(self, rows: Sequence[str], path: str) -> tuple[list[int], int]:
        """Animals by cell, and which of them lie face up, a mask."""
        if len(rows) != 3:
            raise InputError(f"three rows, the upper one first, not {len(rows)}", path=path)
        cell, up = [NONE] * CELLS, 0
        for i, text in enumerate(rows):
            words = text.split()
            if len(words) != 3:
                raise InputError(f"three cells in a row, not {len(words)}", path=f"{path}[{i}]", value=text)
            for column, word in enumerate(words):
                if word == EMPTY:
                    continue
                face_down = word[0] == "(" and word[-1] == ")"
                place = 3 * (2 - i) + column
                cell[place] = self.see(word[1:-1] if face_down else word, f"{path}[{i}]")
                up |= (not face_down) << place
        for line in LINES:
            here = [place for place in line if up >> place & 1]
            for first, second in pairwise(here):
                if self.animals[cell[first]].number >= self.animals[cell[second]].number:
                    one, other = (f"{self.names[cell[p]]} {self.animals[cell[p]].number}" for p in (first, second))
                    raise InputError(
                        f"{one} on {CELL_NAMES[first]} and {other} on {CELL_NAMES[second]} do not ascend", path=path
                    )
        return cell, up

    def boss(self, word: str, terrain: str, cell: Sequence[int], up: int, path: str) -> int:
        """Where a marker lies."""
        if not word:
            return NONE
        name, _, star = " ".join(word.lower().split()).partition(" ")
        if star not in ("", "star"):
            raise InputError(f"a cell, or a cell and star, not {shown(word)}", path=path, value=word)
        place = self.cell(name, path)
        if not up >> place & 1:
            raise InputError(f"no card lies face up on {CELL_NAMES[place]}", path=path, value=word)
        animal = self.animals[cell[place]]
        if animal.terrain not in (terrain, "both"):
            raise InputError(f"{self.names[cell[place]]} is no animal of {terrain}", path=path, value=word)
        return place + STAR * bool(star)

    def held(self, card: str | Held, path: str) -> tuple[int, int]:
        """A hidden card, or SECRET, and the deck it came from."""
        name, pool = (card, self.default_pool) if isinstance(card, str) else (card.card, card.pool)
        _check_number(pool, self.default_pool, self.pool, f"{path}.pool")
        if name == UNKNOWN:
            if self.players == 1:
                raise InputError("alone no card of the hand is unknown", path=path, value=name)
            self.has_unknown = True
            return SECRET, pool
        return self.see(name, path), pool

    def hand(self, hand: Sequence[str | Held], path: str) -> tuple[list[tuple[int, int]], list[int]]:
        """Known cards, each with its pool, and the pools of those that are not known."""
        held = [self.held(card, f"{path}[{i}]") for i, card in enumerate(hand)]
        return [pair for pair in held if pair[0] != SECRET], [pool for animal, pool in held if animal == SECRET]

    def bonus(self, names: Sequence[str], path: str) -> int:
        """Bonus cards, a mask of goals and then skills, each of which is there only once."""
        mask = 0
        for i, name in enumerate(names):
            known = [*self.goals, *self.skills]
            if name not in known:
                match = near(name, known)
                raise InputError(f"unknown goal or skill {shown(name)}", path=f"{path}[{i}]", value=name, match=match)
            if name in self.bonus_at:
                raise InputError(f"{name} is also in {self.bonus_at[name]}", path=f"{path}[{i}]", value=name)
            self.bonus_at[name] = f"{path}[{i}]"
            mask |= 1 << known.index(name)
        return mask

    # --- the table ---

    def sides(self, numbers: dict[str, Any]) -> None:
        """Which sides of the goals are up."""
        goals = list(self.ruleset.goals.values())
        sides = self.data.sides
        if len(sides) > len(goals):
            raise InputError(f"there are {len(goals)} goals, not {len(sides)}", path="sides")
        numbers["decided"], numbers["sides"] = len(sides), 0
        for i, name in enumerate(sides):
            names = [goals[i].front.name, goals[i].back.name]
            if name not in names:
                message = f"the sides of {self.goals[i]} are {' and '.join(names)}, not {shown(name)}"
                raise InputError(message, path=f"sides[{i}]", value=name, match=near(name, names))
            numbers["sides"] |= names.index(name) << i

    def spent(self, numbers: dict[str, Any]) -> None:
        """How often skills have been used."""
        numbers["spent"] = [0] * len(self.skills)
        for name, times in self.data.spent.items():
            if name not in self.skills:
                raise InputError(
                    f"unknown skill {shown(name)}", path="spent", value=name, match=near(name, self.skills)
                )
            _check_number(times, 0, self.ruleset.skills[name].uses, f"spent.{name}")
            numbers["spent"][self.skills.index(name)] = times

    def phase(self, numbers: dict[str, Any]) -> None:
        """How far the round is, and who must choose."""
        data, players, pending = self.data, numbers["player"], self.data.pending
        for i, (player, known) in enumerate(zip(data.player, players, strict=True)):
            self.drafted(player.drafted, known, f"player[{i}].drafted")
        lying = max(CELLS - player["cells"].count(NONE) for player in players)
        phase: str = pending.phase if pending is not None else "play"
        if numbers["decided"] < len(self.goals):
            if pending is not None:
                raise InputError("first all sides are turned up", path="sides")
            phase = "sides"
        setting_up = phase in ("sides", "deal", "return") or (phase == "fill" and pending and not pending.played)
        last = self.ruleset.rounds
        number = 0 if setting_up else min(lying + (phase not in ("boss", "bonus", "over")), last)
        numbers["round"] = number = number if data.round is None else data.round
        _check_number(number, 0 if setting_up else 1, 0 if setting_up else last, "round")
        if pending is None and phase == "play" and (lying >= number or not any(map(_cards, players))):
            phase = "over"
        numbers["phase"] = core.PHASES.index(phase)
        if pending is not None:
            with located(path="pending"):
                self.pending(pending, numbers)
        elif phase == "play":
            numbers["waiting"] = sum(bool(_cards(player)) << i for i, player in enumerate(players))

    def drafted(self, drafted: Sequence[str | Held], player: dict[str, Any], path: str) -> None:
        """Cards drafted in the last round: those known are in the hand."""
        if len(drafted) > 2:
            raise InputError(f"at most two cards, not {len(drafted)}", path=path)
        hand = [animal for animal, _ in player["hand"]]
        for i, card in enumerate(drafted):
            name, pool = (card, self.pool) if isinstance(card, str) else (card.card, card.pool)
            if name == UNKNOWN:
                self.has_unknown = True
                player["drafted"][i] = HIDDEN + pool
            else:
                animal = player["drafted"][i] = self.animal(name, f"{path}[{i}]")
                if animal not in hand:
                    raise InputError(f"{name} is not in the hand", path=f"{path}[{i}]", value=name)

    def pending(self, pending: Pending, numbers: dict[str, Any]) -> None:
        """What has been decided since the round began."""
        players, phase = numbers["player"], pending.phase
        self.played(pending, players)
        queue = numbers["queue"] = [self.seat(player, f"turns[{i}]") for i, player in enumerate(pending.turns)]
        if len(set(queue)) < len(queue):
            raise InputError("each player has one turn", path="turns")
        if phase in ("draft", "redraw", "draw", "part", "bonus"):
            if not queue:
                raise InputError("whose turn is it?", path="turns")
            numbers["waiting"] = (phase in ("draft", "part", "bonus")) << queue[0]
        if phase in ("draft", "redraw", "draw", "part"):
            self.draft(pending, numbers)
        _check_number(pending.fill, 0, self.ruleset.row, "fill")
        numbers["fill"] = pending.fill
        numbers["given"] = pending.given
        if phase == "return":
            _check_number(pending.given, 0, self.ruleset.hand - self.ruleset.keep - 1, "given")
            numbers["waiting"] = (1 << self.players) - 1 & ~self.mask(pending.done, "done")
        who: dict[str, Callable[[Mapping[str, Any]], bool]] = {
            "play": lambda player: _cards(player) > 0 and player["played"] == NONE,
            "choose": lambda player: player["drafted"][0] != NONE and player["chosen"] == NONE,
            "place": lambda player: player["played"] != NONE and player["spot"] == NONE,
            "boss": lambda player: self.may_declare(player) and player["declared"] == NONE,
        }
        if phase in who:
            numbers["waiting"] = sum(who[phase](player) << i for i, player in enumerate(players))
            if not numbers["waiting"]:
                raise InputError(f"nobody is left to {phase}", path="phase")

    def played(self, pending: Pending, players: list[dict[str, Any]]) -> None:
        """Choices by player."""
        phase = pending.phase
        for i, word in self.by_player(pending.played, "played"):
            players[i]["played"] = self.secret(word, phase == "play", f"played[{i}]") or self.animal(
                word, f"played[{i}]"
            )
        for i, word in self.by_player(pending.chosen, "chosen"):
            players[i]["chosen"] = self.secret(word, phase == "choose", f"chosen[{i}]") or self.animal(
                word, f"chosen[{i}]"
            )
        for i, word in self.by_player(pending.spots, "spots"):
            spot = self.secret(word, phase == "place", f"spots[{i}]")
            players[i]["spot"] = spot or self.cell(word, f"spots[{i}]", SPOTS)
        for i, word in self.by_player(pending.declared, "declared"):
            players[i]["declared"] = self.secret(word, phase == "boss", f"declared[{i}]") or self.declared(word, i)
        for i, player in enumerate(players):
            card, spot = player["played"], player["spot"]
            if phase == "play" and card < SECRET and card not in [animal for animal, _ in player["hand"]]:
                raise InputError(f"{self.names[card]} is not in the hand", path=f"played[{i}]")
            if phase in ("boss", "bonus"):
                if (card == NONE) != (spot == NONE) or (
                    card != NONE and (spot % STAR >= CELLS or player["cells"][spot % STAR] != card)
                ):
                    raise InputError("this is where the card played lies", path=f"spots[{i}]")
            elif phase != "play" and card < SECRET:
                self.see(self.names[card], f"pending.played[{i}]")

    def by_player(self, words: Sequence[str], path: str) -> Iterator[tuple[int, str]]:
        """One word for each player, or none at all; only those that say something."""
        if words and len(words) != self.players:
            raise InputError(f"one for each of the {self.players} players, not {len(words)}", path=path)
        return ((i, word) for i, word in enumerate(words) if word != EMPTY)

    def secret(self, word: str, allowed: bool, path: str) -> int:
        """The number of a hidden choice, 0 for one that is known."""
        if word != UNKNOWN:
            return 0
        if not allowed:
            raise InputError("this has been shown", path=path, value=word)
        self.has_unknown = True
        return SECRET

    def declared(self, word: str, player: int) -> int:
        """Number of what a player declared."""
        name = " ".join(word.lower().split())
        if name not in DECLARATIONS:
            match = near(name, DECLARATIONS)
            raise InputError(f"unknown declaration {shown(word)}", path=f"declared[{player}]", value=word, match=match)
        return DECLARATIONS.index(name)

    def may_declare(self, player: Mapping[str, Any]) -> bool:
        """16: whether a marker can lie on the card just placed."""
        if player["spot"] >= DOWN:
            return False
        terrain = self.animals[player["cells"][player["spot"]]].terrain
        return any(player["boss"][i] == NONE and terrain in (name, "both") for i, name in enumerate(BOSSES))

    def draft(self, pending: Pending, numbers: dict[str, Any]) -> None:
        """How far the turn in the draft is."""
        numbers["takes"] = pending.takes or 1
        _check_number(numbers["takes"], 1, 2, "takes")
        used = 0
        for i, name in enumerate([*pending.used, *[pending.skill] * (pending.phase == "part")]):
            path = f"used[{i}]" if i < len(pending.used) else "skill"
            if name not in self.skills:
                raise InputError(f"unknown skill {shown(name)}", path=path, value=name, match=near(name, self.skills))
            used |= 1 << self.skills.index(name)
        if pending.phase == "part":
            numbers["part"] = self.skills.index(pending.skill)
            if self.ruleset.skills[pending.skill].effect not in ("move", "swap"):
                raise InputError(f"{pending.skill} asks nothing", path="skill", value=pending.skill)
        numbers["used"] = 255 if pending.taken else used

    def deck(self, numbers: dict[str, Any]) -> None:
        """The animals not seen anywhere, less the hidden ones, are the deck."""
        players, pending = numbers["player"], self.data.pending
        if pending is not None and pending.phase == "return":
            for i, player in enumerate(self.data.player):
                for j, name in enumerate(player.returned):
                    self.see(name, f"player[{i}].returned[{j}]")
        unseen = [animal for animal in range(len(self.names)) if animal not in self.where]
        hidden = [pool for player in players for pool in player["hidden"]]
        hidden += [card - HIDDEN for player in players for card in player["drafted"] if HIDDEN <= card < SECRET]
        for pool in {*hidden, *(pool for _, pool in numbers["older"])} - {self.pool}:
            there, known = hidden.count(pool), sum(other == pool for _, other in numbers["older"])
            if there != known:
                raise InputError(f"{there} hidden cards of deck {pool}, but {known} animals of it", path="older")
        left = len(unseen) + len(numbers["order"]) - hidden.count(self.pool)
        if pending is not None and pending.phase == "return":
            given = pending.given * self.players + len(set(pending.done))
            left -= given - sum(len(player["returned"]) for player in players)
        if left < 0:
            raise InputError(
                f"{hidden.count(self.pool)} cards are hidden, but only {len(unseen)} animals are left", path="player"
            )
        if self.data.deck is not None and self.data.deck != left:
            message = f"{shown(self.data.deck)} cards, but {left} are seen nowhere else"
            raise InputError(message, path="deck", value=self.data.deck)
        numbers["left"], numbers["deck"] = left, unseen
        if pending is None or pending.phase != "return":
            for i, player in enumerate(players):
                others = {animal for other in players if other is not player for animal, pool in other["hand"] if pool}
                for animal in player["returned"]:
                    if animal in self.where and animal not in others:
                        message = f"{self.names[animal]} is in {self.where[animal]}: it has been seen since"
                        raise InputError(message, path=f"player[{i}].returned")


def _cards(player: Mapping[str, Any]) -> int:
    """Cards in a hand."""
    return len(player["hand"]) + len(player["hidden"])


def _ruleset(game: Game) -> TerritoryRuleset:
    assert isinstance(game.ruleset, TerritoryRuleset)
    return game.ruleset


# --- the module -------------------------------------------------------------------------------------------------------


class Territory(GameModule[TerritoryRuleset, TerritoryPosition]):
    """Territory, as the face needs it."""

    name = "territory"
    players = range(1, 5)
    cards = "animals"
    ruleset_type = TerritoryRuleset
    position_type = TerritoryPosition

    def standard_options(self) -> dict[str, list[str]]:
        """The options that the engine knows and their values, sorted."""
        return {"territory_points": ["off", "on"], "face_down": ["forced", "free"], "bonus": ["may", "must"]}

    def compile(self, ruleset: TerritoryRuleset, players: int, options: Mapping[str, str]) -> rules.Game:
        """The core game. Raises InputError where there are not enough animals for the first hands."""
        if len(ruleset.animals) < players * ruleset.hand:
            message = f"{len(ruleset.animals)} animals cannot be dealt to {players} players, {ruleset.hand} each"
            raise InputError(message, path="ruleset.animals")
        animals = [ruleset.animals[name] for name in ruleset.order()]
        facts = [animal.facts for animal in animals]

        def side(side: Side) -> dict[str, Any]:
            return {"points": side.points, "program": cards.needs(side.needs).program(facts)}

        return core.compile(
            players=players, rounds=ruleset.rounds, hand=ruleset.hand, keep=ruleset.keep, row=ruleset.row,
            largest=ruleset.largest,
            animals=[{"number": a.number, "terrain": a.terrain, "stars": a.stars} for a in animals],
            goals=[(side(goal.front), side(goal.back)) for goal in ruleset.goals.values()],
            skills=[
                {"effect": cards.effect(skill.effect), "points": skill.points, "uses": skill.uses}
                for skill in ruleset.skills.values()
            ],
            territory_points=options["territory_points"] == "on", face_down_free=options["face_down"] == "free",
            bonus_may=options["bonus"] == "may",
        )  # fmt: skip

    def words(self, ruleset: TerritoryRuleset, players: int, options: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The notation of all move and outcome ids."""
        names, skills = ruleset.order(), list(ruleset.skills)
        pairs = {CELLS * i + j: (one, other) for i, one in enumerate(CELL_NAMES) for j, other in enumerate(CELL_NAMES)}
        blocks = {
            "return": [f"return {name}" for name in names], "play": [f"play {name}" for name in names],
            "take": [f"take {name}" for name in names], "take deck": ["take deck"],
            "use": [f"use {name}" for name in skills],
            "move": [f"move {one} {other}" if one != other else "" for one, other in pairs.values()],
            "swap": [f"swap {one} {other}" if i // CELLS < i % CELLS else "" for i, (one, other) in pairs.items()],
            "choose": [f"choose {name}" for name in names], "place": [f"place {cell}" for cell in CELL_NAMES],
            "place down": [f"place {cell} face down" for cell in CELL_NAMES], "boss": DECLARATIONS,
            "bonus goal": [f"bonus {name}" for name in ruleset.goals],
            "bonus skill": [f"bonus {name}" for name in skills],
            "no bonus": ["no bonus"] if options["bonus"] == "may" else [""],
        }  # fmt: skip
        moves = [""] * (core.MOVES["no bonus"] + 1)
        for word, first in core.MOVES.items():
            moves[first : first + len(blocks[word])] = blocks[word]
        sides = [f"side {side.name}" for _, side in ruleset.sides()]
        outcomes = [f"deal {name}" for name in names]
        outcomes += [""] * (core.OUTCOME_SIDE - len(outcomes)) + sides
        return moves, outcomes + [""] * (2 * core.LIMITS["goals"] - len(sides))

    def count_players(self, data: TerritoryPosition) -> int:
        """As many as have a table in the file."""
        return len(data.player)

    def load(self, game: Game, data: TerritoryPosition) -> Position:
        """The position, or the view if something in it is unknown."""
        reader = _Reader(game, data)
        numbers = reader.numbers()
        position = (View if reader.has_unknown else Position)(game)
        core.load(position, numbers)
        return position

    def dump(self, position: Position) -> dict[str, Any]:
        """What is visible, as TerritoryPosition says it."""
        return _Writer(position).data()

    def missing(self, position: Position, player: int) -> str:
        """Hidden choices without which the last choice of a question has no result."""
        state = core.dump(position)
        if position.actors != (player,):
            return ""
        for field, what in (
            ("played", "card played by"), ("chosen", "card chosen by"), ("spot", "cell chosen by"),
            ("declared", "declaration of"),
        ):  # fmt: skip
            hidden = [str(other) for other, known in enumerate(state["player"]) if known[field] == SECRET]
            if hidden:
                return f"the {what} player {' and '.join(hidden)}"
        return ""

    # --- pictures ---

    def gloss(self, position: Position, move: Move) -> str:
        """Number, terrain and stars of an animal; what a goal needs and a skill does."""
        ruleset = _ruleset(position.game)
        word, _, name = move.text.partition(" ")
        if word in ("use", "bonus") and name in ruleset.skills:
            return ruleset.skills[name].effect
        if word == "bonus" and name in ruleset.goals:
            side = _up(position, name)
            return f"{side.needs}: {side.points}"
        animal = ruleset.animals.get(name) if word in ("return", "play", "take", "choose") else None
        return "" if animal is None else animal.short

    def situation(self, position: Position) -> str:
        """In words, who must do what."""
        state = core.dump(position)
        phase = core.PHASES[state["phase"]]
        who = " ".join(map(str, position.actors))
        if phase == "over":
            return f"over, won by {' and '.join(map(str, position.winners()))}" if position.players > 1 else "over"
        said = {
            "sides": "chance turns up a goal", "deal": "chance deals", "return": f"to give back a card: {who}",
            "fill": "chance fills the row", "redraw": "chance fills the row", "draw": "chance draws",
            "choose": f"to choose what to place: {who}", "boss": f"to declare a boss: {who}",
            "bonus": f"to take a bonus card: {who}", "part": f"to use a skill: {who}",
        }  # fmt: skip
        return said.get(phase, f"to {phase}: {who}")

    def _heading(self, position: Position, data: Mapping[str, Any]) -> str:
        players = "1 player" if position.players == 1 else f"{position.players} players"
        when = f"round {data['round']} · " if data["round"] else ""
        discard = len(data.get("discard", []))
        return f"territory · {players} · {when}{self.situation(position)} · deck {data['deck']} · discard {discard}"

    def _open(self, position: Position, data: Mapping[str, Any]) -> Iterator[tuple[str, str, int]]:
        """The bonus cards that lie open: name, what it needs or does, points."""
        ruleset = _ruleset(position.game)
        taken = {name for player in data["player"] for name in player.get("bonus", [])}
        for goal in list(ruleset.goals)[: len(data["sides"])]:
            if goal not in taken:
                side = _up(position, goal)
                yield goal, side.needs, side.points
        for name, skill in ruleset.skills.items():
            if name not in taken:
                yield name, skill.effect, skill.points

    def _seat(self, position: Position, data: Mapping[str, Any], player: int) -> list[str]:
        """Hand and bonus cards of a player, and what has been decided about him, in a few words each."""
        animals, mine = _ruleset(position.game).animals, data["player"][player]
        hand = [card if isinstance(card, str) else card["card"] for card in mine.get("hand", [])]
        told = [_told(animals, name) for name in [*hand, *mine.get("shown", [])]]
        words = [f"hand {', '.join(told)}"] if told else []
        words += [f"bonus {', '.join(mine['bonus'])}"] if "bonus" in mine else []
        words += [f"{name} boss {mine[f'{name}_boss']}" for name in BOSSES if f"{name}_boss" in mine]
        for field, what in (("played", "plays"), ("chosen", "chooses"), ("spots", "on"), ("declared", "declares")):
            word = data.get("pending", {}).get(field, [EMPTY] * position.players)[player]
            words += [f"{what} {_told(animals, word)}"] if word != EMPTY else []
        return words

    def _cells(self, position: Position, player: Mapping[str, Any]) -> list[list[str]]:
        """The nine cells in three rows as they lie: the animals, the bosses in brackets."""
        animals = _ruleset(position.game).animals
        rows = [[_told(animals, word) for word in row.split()] for row in player["cells"]]
        for name in BOSSES:
            if boss := player.get(f"{name}_boss"):
                column, row = "abc".index(boss[0]), 3 - int(boss[1])
                rows[row][column] = f"[{rows[row][column]}{' +1' if boss.endswith('star') else ''}]"
        return rows

    def text(self, position: Position) -> str:
        """Heading, row, bonus cards, and each player's land."""
        data = self.dump(position)
        animals = _ruleset(position.game).animals
        lines = [
            self._heading(position, data),
            f"row  {', '.join(_told(animals, name) for name in data['row'])}".rstrip(),
        ]
        lines += [f"open {name} {points}: {said}" for name, said, points in self._open(position, data)]
        for player, points in enumerate(position.scores()):
            lines.append(f"{player}  {points:3} points  {'  '.join(self._seat(position, data, player))}".rstrip())
            rows = self._cells(position, data["player"][player])
            width = max(len(word) for row in rows for word in row)
            for number, row in zip("321", rows, strict=True):
                lines.append(f"   {number} {'  '.join(word.ljust(width) for word in row)}".rstrip())
        return "\n".join(lines)

    def picture(self, position: Position) -> RenderableType:
        """The row, the bonus cards and the lands of the players under the heading."""
        from rich import box
        from rich.columns import Columns
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        data = self.dump(position)
        animals = _ruleset(position.game).animals

        def card(word: str) -> Text:
            found = animals.get(re.sub(r"[^a-z0-9_]| .*", "", word.lstrip("[")))
            style = "dim" if found is None or word.startswith("(") else COLOURS[found.terrain]
            return Text(word, style=f"{style} reverse" if word.startswith("[") else style)

        heading = Text(self._heading(position, data), style="bold")
        row = Text("row  ") + Text("   ").join(card(_told(animals, name)) for name in data["row"])
        bonus = Table("open", "points", "for", box=box.ROUNDED)
        for name, said, points in self._open(position, data):
            bonus.add_row(name, str(points), said)
        lands: list[RenderableType] = []
        for player, points in enumerate(position.scores()):
            style = "bold" if player in position.actors else ""
            land = Table(title=f"{player}: {points} points", title_style=style, box=box.ROUNDED, show_lines=True)
            for name in ("", "a", "b", "c"):
                land.add_column(name, min_width=10 * bool(name))
            for number, cells in zip("321", self._cells(position, data["player"][player]), strict=True):
                land.add_row(number, *map(card, cells))
            lands.append(Group(land, *map(Text, self._seat(position, data, player))))
        return Group(heading, row, *([bonus] if bonus.row_count else []), Columns(lands))


def _told(animals: Mapping[str, Animal], word: str) -> str:
    """A card with its number, terrain and stars; everything else as it is."""
    name = word.strip("()")
    if name not in animals:
        return word
    return f"({name})" if word != name else f"{name} {animals[name].short}"


def _up(position: Position, goal: str) -> Side:
    """The side of a goal that is up."""
    goals = _ruleset(position.game).goals
    back = core.dump(position)["sides"] >> list(goals).index(goal) & 1
    return goals[goal].back if back else goals[goal].front


class _Writer:
    """Turns the engine's numbers of one position into the words of a file."""

    def __init__(self, position: Position) -> None:
        self.ruleset = _ruleset(position.game)
        self.names = self.ruleset.order()
        self.goals, self.skills = list(self.ruleset.goals), list(self.ruleset.skills)
        self.state = core.dump(position)
        self.players: list[dict[str, Any]] = self.state["player"]
        self.alone = len(self.players) == 1
        self.phase = core.PHASES[self.state["phase"]]

    def data(self) -> dict[str, Any]:
        """All of it."""
        state = self.state
        sides = [side.name for _, side in self.ruleset.sides()]
        data: dict[str, Any] = {
            "round": state["round"],
            "sides": [sides[2 * i + (state["sides"] >> i & 1)] for i in range(state["decided"])],
            "row": self.named(state["row"]), "discard": self.named(state["discard"]), "deck": state["left"],
            "order": self.named(state["order"]),
            "spent": {name: n for name, n in zip(self.skills, state["spent"], strict=True) if n},
            "first": self.seats(state["first"]),
        }  # fmt: skip
        if state["pool"] > 1:
            data["pool"] = state["pool"]
        data["older"] = [{"card": self.names[animal], "pool": pool} for animal, pool in state["older"]]
        data["player"] = [self.player(player) for player in self.players]
        lying = max(CELLS - player["cells"].count(NONE) for player in self.players)
        over = lying >= state["round"] or not any(map(_cards, self.players))
        begun = any(player[field] != NONE for player in self.players for field in ("played", "chosen"))
        if self.phase not in ("sides", "over" if over else "", "" if begun or over else "play"):
            data["pending"] = self.pending()
        return {key: value for key, value in data.items() if value not in ([], {}) or key in ("sides", "row")}

    def named(self, animals: Sequence[int]) -> list[str]:
        """Names of animals."""
        return [self.names[animal] for animal in animals]

    def seats(self, mask: int) -> list[int]:
        """Players of a mask."""
        return [player for player in range(len(self.players)) if mask >> player & 1]

    def held(self, name: str, pool: int, plain: int) -> str | dict[str, Any]:
        """A hidden card, with its deck where that is not the usual one."""
        return name if pool == plain else {"card": name, "pool": pool}

    def player(self, player: Mapping[str, Any]) -> dict[str, Any]:
        """What one player has."""
        plain = 0 if self.alone else 1
        drafted = [card for card in player["drafted"] if card != NONE]
        data: dict[str, Any] = {
            "cells": self.land(player),
            "bonus": [
                name
                for names, mask in ((self.goals, player["goals"]), (self.skills, player["skills"]))
                for i, name in enumerate(names)
                if mask >> i & 1
            ],
            "hand": [
                *(self.held(self.names[animal], pool, plain) for animal, pool in player["hand"] if pool or self.alone),
                *(self.held(UNKNOWN, pool, plain) for pool in player["hidden"]),
            ],
            "shown": [self.names[animal] for animal, pool in player["hand"] if not pool and not self.alone],
            "drafted": [
                self.names[card] if card < HIDDEN else self.held(UNKNOWN, card - HIDDEN, self.state["pool"])
                for card in drafted
            ],
            "returned": self.named(player["returned"]),
            "hidden_plays": [i for i, (played, _) in enumerate(player["events"], 1) if played],
            "draws": [i for i, (_, drawn) in enumerate(player["events"], 1) for _ in range(drawn)],
        }  # fmt: skip
        if any(player["met"]):
            data["met"] = [[i + 1 for i in range(CELLS) if mask >> i & 1] for mask in player["met"]]
        for name, boss in zip(BOSSES, player["boss"], strict=True):
            if boss != NONE:
                data[f"{name}_boss"] = CELL_NAMES[boss % STAR] + " star" * (boss >= STAR)
        return {key: value for key, value in data.items() if value}

    def land(self, player: Mapping[str, Any]) -> list[str]:
        """The three rows as they lie, columns under one another."""
        words = [
            EMPTY if animal == NONE else self.names[animal] if player["up"] >> i & 1 else f"({self.names[animal]})"
            for i, animal in enumerate(player["cells"][:CELLS])
        ]
        width = [max(map(len, words[column::3])) for column in range(3)]
        return [
            " ".join(word.ljust(width[i]) for i, word in enumerate(words[row : row + 3])).rstrip() for row in (6, 3, 0)
        ]

    def pending(self) -> dict[str, Any]:
        """What has been decided since the round began."""
        state, special = self.state, {NONE: EMPTY, SECRET: UNKNOWN}

        def choices(field: str, words: Sequence[str]) -> list[str]:
            found = [special.get(player[field]) or words[player[field]] for player in self.players]
            return found if set(found) != {EMPTY} else []

        used = state["used"]
        pending: dict[str, Any] = {
            "phase": self.phase, "played": choices("played", self.names), "turns": state["queue"],
            "takes": state["takes"] if state["takes"] > 1 else 0, "taken": used == 255,
            "used": [name for i, name in enumerate(self.skills) if used != 255 and used >> i & 1 and i != state["part"]],
            "skill": self.skills[state["part"]] if state["part"] != NONE else "",
            "chosen": choices("chosen", self.names), "spots": choices("spot", SPOTS),
            "declared": choices("declared", DECLARATIONS), "fill": state["fill"], "given": state["given"],
        }  # fmt: skip
        if self.phase == "return":
            pending["done"] = self.seats(~state["waiting"])
        return {key: value for key, value in pending.items() if value}


MODULE = Territory()
