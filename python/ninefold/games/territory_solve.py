"""Exact searches of Territory alone, as `ninefold.solve` drives them, and the engine's word on a land."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import msgspec

from ninefold.core.games import territory_grid
from ninefold.core.games.territory_open import OpenSolver
from ninefold.errors import InputError, located, near, shown
from ninefold.games.territory_files import CELL_NAMES, STAR
from ninefold.games.territory_ruleset import TerritoryRuleset
from ninefold.solvers import Choice, Induction, OpenOrder, Pace, Solving

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle

__all__ = ["LandSearch", "OpenSearch", "guess_land", "replay_land", "search_of"]

_SIDE = 3  # cells of the land's side
_CELLS = len(CELL_NAMES)


class LandSearch(Solving):
    """The best land of nine given animals, with both bosses, or of all nine that a hand and its drafts allow."""

    name = "land 1"

    def __init__(self, puzzle: Puzzle) -> None:
        """Raises InputError for what is no such question."""
        self.puzzle, self.done = puzzle, False
        names, sides = _names(puzzle)
        cards = _cards(puzzle)
        paths = [f"{field}[{i}]" for field in ("animals", "drafts") for i in range(len(getattr(puzzle, field)))]
        for i, (name, path) in enumerate(zip(cards, paths, strict=True)):
            _known(name, names, path, "animal")
            if name in cards[:i]:
                raise InputError(f"{name} is there twice", path=path, value=name)
        field = "drafts" if puzzle.drafts else "animals"
        if len(getattr(puzzle, field)) != _CELLS:
            raise InputError(f"{_CELLS} animals, not {len(getattr(puzzle, field))}", path=field)
        if puzzle.drafts and puzzle.face_down:
            raise InputError("with drafts all lie face up; a position with an order asks for more", path="face_down")
        for i, name in enumerate(puzzle.goals):
            _known(name, list(sides), f"goals[{i}]", "side of a goal")
            if sides[name][0] in [sides[other][0] for other in puzzle.goals[:i]]:
                raise InputError(f"{name}: this goal is there twice", path=f"goals[{i}]", value=name)
        self.names, self.goals = names, [sides[name] for name in puzzle.goals]
        self.found: dict[str, Any] = {}
        self.best = 0
        self.laid: list[str] = []  # the animals of the best land, in the order in which they come
        self.tried = 0
        self.waiting = _nines(puzzle)
        self.second: int | None = None  # points of the next best set of animals
        self.pace = Pace(1)

    def run(self, milliseconds: int) -> bool:
        """See the class above."""
        return self.pace.run(self.advance, milliseconds)

    def advance(self, work: int) -> bool:
        """The unit is a set of nine animals."""
        before = self.tried
        for nine in islice(self.waiting, work):
            found = self._laid_best(nine)
            self.tried += 1
            if found is None:  # equal numbers may fit nowhere
                continue
            beaten = found["points"]
            if not self.laid or beaten > self.best:
                beaten = self.best if self.laid else None
                self.found, self.laid, self.best = found, nine, found["points"]
            if beaten is not None and (self.second is None or beaten > self.second):
                self.second = beaten
        self.done = self.tried - before < work
        return self.done

    def _laid_best(self, nine: Sequence[str]) -> dict[str, Any] | None:
        """The best land of nine animals."""
        cards = [self.names.index(name) for name in nine]
        return territory_grid.best(self.puzzle.game.core, cards, self.goals, self.puzzle.face_down)

    def drawn(self, sets: int) -> float:
        """See the class above."""
        points: dict[int, int] = {}
        nines, rng = list(_nines(self.puzzle)), random.Random(0)
        for number in {rng.randrange(len(nines)) for _ in range(sets)}:
            found = self._laid_best(nines[number])
            points[number] = found["points"] if found else 0
        return max(points.values())

    def choice(self, work: int) -> Choice:
        """Which nine animals; the same ones may lie in several ways."""
        gap = 0.0 if self.second is None else float(self.best - self.second)
        return Choice([" ".join(sorted(self.laid))], gap, len(_cards(self.puzzle)))

    @property
    def lower(self) -> float | None:
        """The points of the best land so far."""
        return self.best if self.laid else None

    @property
    def upper(self) -> float | None:
        """The same, when it is done."""
        return self.lower if self.done else None

    @property
    def nodes(self) -> int:
        """Sets of nine animals."""
        return self.tried

    def steps(self) -> list[str]:
        """An order of placing, and the bosses."""
        if not self.laid:
            return []
        up = {cell: self.names[card] for cell, card in enumerate(self.found["cells"]) if self.found["up"] >> cell & 1}
        # Without drafts all are there from the beginning, and the lowest number comes first.
        comes = self.laid if self.puzzle.drafts else self.names
        steps = [f"place {up[cell]} {CELL_NAMES[cell]}" for cell in sorted(up, key=lambda at: comes.index(up[at]))]
        down = [name for name in self.laid if name not in up.values()]
        steps += _lay_down(self.puzzle, up, {}, down) or []
        for boss, cell in zip(("land", "water"), self.found["boss"], strict=True):
            if cell < 2 * STAR:
                steps.append(f"{boss} boss {CELL_NAMES[cell % STAR]}{' star' if cell >= STAR else ''}")
        return steps

    def save(self) -> bytes:
        """How many sets of nine have been tried, the best land of them, and the points of the next best."""
        return msgspec.json.encode([self.tried, self.done, self.best, self.laid, self.found, self.second])

    def load(self, data: bytes) -> None:
        """See the class above."""
        try:
            self.tried, self.done, self.best, self.laid, self.found, self.second = msgspec.json.decode(data)
        except (msgspec.DecodeError, TypeError):
            raise ValueError("this is no checkpoint of a land") from None
        self.waiting = islice(_nines(self.puzzle), self.tried, None)


class OpenSearch(OpenOrder):
    """The most points that can be had alone, the order of the deck known."""

    name = "territory open 1"


def search_of(puzzle: Puzzle, objective: int, memory: int, **options: Any) -> Solving:
    """The search for a puzzle: of a known order, or of all that may come."""
    for name, value in options.items():
        raise InputError("territory has no such option", path=name, value=value)
    position = puzzle.position
    if puzzle.question == "land":
        return LandSearch(puzzle)
    if position is None:
        raise InputError("territory has no such question", path="question", value=puzzle.question)
    data = position.to_dict()
    known = "order" in data or not data.get("deck", 0)  # of an order that is too short the search itself says so
    if position.players == 1 and not position.is_chance and known:
        try:
            return OpenSearch(position, OpenSolver(position))
        except ValueError as error:
            raise InputError(str(error)) from None
    return Induction(position, objective, memory)


def replay_land(puzzle: Puzzle, line: Sequence[str]) -> int:
    """Place the animals one by one, asking the engine whether each may lie there: what the land is worth at the end.

    Raises InputError for a step that is wrong.
    """
    up: dict[int, str] = {}
    down: dict[int, str] = {}
    bosses: dict[str, str] = {}
    for number, step in enumerate(line):
        with located(path=f"line[{number}]"):
            boss = re.fullmatch(r"(land|water) boss (\w\w(?: star)?)", step)
            if boss is not None:
                bosses[f"{boss[1]}_boss"] = boss[2]
                continue
            found = re.fullmatch(r"place (\S+) (\S+)( face down)?", step)
            if found is None or found[2] not in CELL_NAMES:
                raise InputError(f"{shown(step)} is no step such as 'place {puzzle.animals[0]} a1'", value=step)
            _known(found[1], _cards(puzzle)[: _there(puzzle, len(up) + len(down))], "", "animal in the hand")
            if found[1] in {*up.values(), *down.values()}:
                raise InputError(f"{found[1]} lies there already", value=step)
            if f"place {found[2]}{found[3] or ''}" not in _legal(puzzle, up, down, found[1]):
                raise InputError(f"{found[1]} may not be placed so on {found[2]} here", value=step)
            (down if found[3] else up)[CELL_NAMES.index(found[2])] = found[1]
    if len(up) + len(down) < _CELLS:
        raise InputError(f"places {len(up) + len(down)} of {_CELLS} animals", path="line")
    if down and not puzzle.face_down:
        raise InputError("cards lie face down", path="line")
    _, sides = _names(puzzle)
    goals = list(_ruleset(puzzle).goals)
    player = {"cells": _rows(up, down), **bosses, "bonus": [goals[sides[name][0]] for name in puzzle.goals]}
    return _position(puzzle, {"player": [player], "pending": {"phase": "over"}}).scores()[0]


def guess_land(puzzle: Puzzle) -> list[str]:
    """Place, one by one, the animal and the cell that the game's quick guess likes best; then the best bosses."""
    up: dict[int, str] = {}
    line = []
    for placed in range(_CELLS):
        tried = []
        for name in _cards(puzzle)[: _there(puzzle, placed)]:
            if name not in up.values():
                position = _placing(puzzle, up, {}, name)
                tried += [
                    (worth, name, str(move).removeprefix("place "))
                    for worth, move in zip(position.prior(0), position.legal(0), strict=True)
                    if not str(move).endswith("face down")
                ]
        if not tried:
            return []
        _, name, cell = max(tried, key=lambda one: one[0])
        up[CELL_NAMES.index(cell)] = name
        line.append(f"place {name} {cell}")
    for boss in ("land", "water"):
        where = [f"{boss} boss {cell}{star}" for cell in CELL_NAMES for star in ("", " star")]
        worth = {step: points for step in where if (points := _points(puzzle, [*line, step])) is not None}
        if worth:
            line.append(max(worth, key=lambda step: worth[step]))
    return line


def _points(puzzle: Puzzle, line: Sequence[str]) -> int | None:
    """What a line comes to, None if it may not be."""
    try:
        return replay_land(puzzle, line)
    except InputError:
        return None


def _cards(puzzle: Puzzle) -> list[str]:
    """All that is or comes into the hand, in order."""
    return [*puzzle.animals, *puzzle.drafts]


def _there(puzzle: Puzzle, placed: int) -> int:
    """How many of them have come when so many are placed; in the last round also what has just been drafted."""
    return len(puzzle.animals) + min(placed + (placed == _CELLS - 1), len(puzzle.drafts))


def _nines(puzzle: Puzzle) -> Iterator[list[str]]:
    """The sets of nine that can be placed, each in the order in which they come, which will do as well as any other."""
    cards, there = _cards(puzzle), [_there(puzzle, placed) for placed in range(_CELLS)]
    for nine in combinations(range(len(cards)), _CELLS):
        if all(card < limit for card, limit in zip(nine, there, strict=True)):
            yield [cards[i] for i in nine]


def _lay_down(puzzle: Puzzle, up: Mapping[int, str], down: Mapping[int, str], names: Sequence[str]) -> list[str] | None:
    """Steps by which these animals come to lie face down, the others lying; None if they cannot."""
    if not names:
        return []
    for name in names:
        for move in _legal(puzzle, up, down, name):
            if move.endswith("face down"):
                cell = CELL_NAMES.index(move.split()[1])
                rest = _lay_down(puzzle, up, {**down, cell: name}, [other for other in names if other != name])
                if rest is not None:
                    return [f"place {name} {move.removeprefix('place ')}", *rest]
    return None


def _legal(puzzle: Puzzle, up: Mapping[int, str], down: Mapping[int, str], name: str) -> list[str]:
    """The engine's legal moves where an animal is about to be placed."""
    return [str(move) for move in _placing(puzzle, up, down, name).legal(0)]


def _placing(puzzle: Puzzle, up: Mapping[int, str], down: Mapping[int, str], name: str) -> Position:
    """The position in which this land lies there and an animal is about to be placed."""
    return _position(puzzle, {"player": [{"cells": _rows(up, down)}], "pending": {"phase": "place", "played": [name]}})


def _rows(up: Mapping[int, str], down: Mapping[int, str]) -> list[str]:
    words = [up.get(cell) or (f"({down[cell]})" if cell in down else "-") for cell in range(_CELLS)]
    return [" ".join(words[_SIDE * row : _SIDE * row + _SIDE]) for row in (2, 1, 0)]


def _position(puzzle: Puzzle, data: Mapping[str, Any]) -> Position:
    """A position of these data, the sides up that the puzzle names."""
    _, sides = _names(puzzle)
    named = {sides[name][0]: name for name in puzzle.goals}
    up = [named.get(i, goal.front.name) for i, goal in enumerate(_ruleset(puzzle).goals.values())]
    return puzzle.game.position({"sides": up, **data})


def _names(puzzle: Puzzle) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """The animals in the engine's order, and where each side of a goal is."""
    ruleset = _ruleset(puzzle)
    sides = {
        side.name: (i, j)
        for i, goal in enumerate(ruleset.goals.values())
        for j, side in enumerate((goal.front, goal.back))
    }
    return ruleset.order(), sides


def _known(name: str, names: Sequence[str], path: str, what: str) -> None:
    if name not in names:
        raise InputError(f"unknown {what} {shown(name)}", path=path, value=name, match=near(name, names))


def _ruleset(puzzle: Puzzle) -> TerritoryRuleset:
    assert isinstance(puzzle.game.ruleset, TerritoryRuleset)
    return puzzle.game.ruleset
