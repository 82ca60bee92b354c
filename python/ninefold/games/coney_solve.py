"""Exact searches of Coney, as `ninefold.solve` drives them, and the engine's word on a farm built rabbit by rabbit."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from operator import le
from typing import TYPE_CHECKING, Any, Literal

from ninefold.analysis import Limit
from ninefold.core.games.coney_farm import FarmSolver
from ninefold.core.games.coney_open import OpenSolver
from ninefold.errors import InputError, located, near, shown
from ninefold.files import position_in
from ninefold.games.coney import CELLS, PLACES, ConeyRuleset
from ninefold.games.coney_cards import RESOURCES
from ninefold.search import finished
from ninefold.solvers import Choice, Compiled, Induction, OpenOrder, Pace, Solving, finish

if TYPE_CHECKING:
    from ninefold._game import Game
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle

__all__ = ["FarmSearch", "OpenSearch", "guess_farm", "replay_farm", "search_of"]

_SIDE, _SPAN = 3, 5  # cells of the farm's side, and of the side of all places around a sliding farm
_MOST_TOKENS = 99
_LAST = 2  # turns that backward induction is left to where the other search knows an option not
_SLICE = 250  # milliseconds of two sides side by side: one of them waits for the other at the end
_EAR = 1 << 21  # bytes of a search that only hears what another one found
_GUIDE = 400  # visits a move of a quick player
_PORTION = 10_000  # nodes of a farm at once


class FarmSearch(Compiled):
    """The best farm of given rabbits."""

    name = "farm 1"

    def __init__(self, puzzle: Puzzle) -> None:
        """Raises InputError for what is no such question."""
        self.puzzle = puzzle
        ruleset = _ruleset(puzzle.game)
        names = list(ruleset.cards)
        cards = [_id(name, names, f"rabbits[{i}]") for i, name in enumerate(puzzle.rabbits)]
        for name, n in puzzle.tokens.items():
            _id(name, puzzle.rabbits, f"tokens.{name}")
            if ruleset.cards[name].power.counts != "here":
                raise InputError("no resources can lie on it", path=f"tokens.{name}", value=n)
            _number(n, f"tokens.{name}")
        stock = None
        if puzzle.stock is not None:
            for kind, n in puzzle.stock.items():
                if kind not in RESOURCES:
                    raise InputError(
                        f"unknown resource {shown(kind)}", path="stock", value=kind, match=near(kind, RESOURCES)
                    )
                _number(n, f"stock.{kind}")
            stock = [puzzle.stock.get(kind, 0) for kind in RESOURCES]
        try:
            self.solver = FarmSolver(
                puzzle.game.core, cards, whole=puzzle.use == "all", stock=stock,
                tokens=[puzzle.tokens.get(name, 0) for name in puzzle.rabbits],
            )  # fmt: skip
        except ValueError as error:
            raise InputError(str(error), path="rabbits", value=puzzle.rabbits) from None
        self.names, self.pace = names, Pace()

    def run(self, milliseconds: int) -> bool:
        """See the class above."""
        return self.pace.run(self.solver.advance, milliseconds)

    def choice(self, work: int) -> Choice | None:
        """Which rabbits: the only set is one of which none can be spared, and to which none can be added."""
        chosen = [name for name in self.farm or [] if name != "-"]
        without = 0
        for name in chosen if self.puzzle.use == "best" and len(chosen) == len(CELLS) else []:
            search = self._of([other for other in self.puzzle.rabbits if other != name], "best")
            if not finish(search, work):
                return None
            without = max(without, search.solver.lower or 0)
        gap = float(self.solver.lower - without) if without else 0.0
        return Choice([" ".join(sorted(chosen))], gap, len(self.puzzle.rabbits))

    def _of(self, rabbits: Sequence[str], use: Literal["all", "best"]) -> FarmSearch:
        """The same question about some of the rabbits."""
        tokens = {name: n for name, n in self.puzzle.tokens.items() if name in rabbits}
        return FarmSearch(
            replace(self.puzzle, rabbits=tuple(rabbits), use=use, tokens=tokens, answer=None, grade=None, hints=())
        )

    def drawn(self, sets: int) -> float:
        """See the class above."""
        rng, best = random.Random(0), 0
        for _ in range(sets):
            search = self._of(rng.sample(self.puzzle.rabbits, min(len(CELLS), len(self.puzzle.rabbits))), "all")
            while not search.advance(_PORTION):
                pass
            best = max(best, search.solver.lower or 0)
        return best

    @property
    def memory(self) -> int:
        """It keeps nothing."""
        return 0

    def steps(self) -> list[str]:
        """An order of placing; under the option `sliding` with the cells of the farm as it ends."""
        farm = self.farm
        return [f"place {farm[cell]} {CELLS[cell]}" for cell in self.solver.order or []] if farm else []

    @property
    def farm(self) -> list[str] | None:
        """The names by cell."""
        farm = self.solver.farm
        return None if farm is None else ["-" if card is None else self.names[card] for card in farm]

    def details(self) -> dict[str, Any]:
        """The farm, and what its worth is made of."""
        farm = self.farm
        if farm is None:
            return {}
        ruleset = _ruleset(self.puzzle.game)
        cards = [ruleset.cards[name] for name in farm if name != "-"]
        top = len(ruleset.logo_points) - 1
        points = {
            "printed": sum(card.points for card in cards),
            "logos": sum(ruleset.logo_points[min(sum(c.logo == logo for c in cards), top)] for logo in ruleset.logos),
        }
        return {"farm": farm, "points": {**points, "coupons": int(self.lower or 0) - sum(points.values())}}


class OpenSearch(OpenOrder):
    """The most points that can be had alone, the order of the deck known, and a quick player beside the proof."""

    name = "open 1"

    def __init__(self, position: Position, memory: int, *, sales: bool = True) -> None:
        """Raises ValueError for what this search does not know."""
        super().__init__(position, OpenSolver(position, sales=sales, memory=memory))
        self.sales, self.room = sales, memory
        self.high: Any = None  # the solver of the proof, where `solver` looks for good lines alone
        self.job: Future[bool] | None = None
        self.parts = 0  # tasks elsewhere that do the work
        self.seed = 0  # of the lines played by guesses
        # He plays the position to its end: his line is a first lower bound.
        self.guide = position.copy() if sales else None
        self.guided: list[str] = []

    def divide(self, workers: int) -> None:
        """With two the search for good lines and the proof go on side by side and tell each other of their bounds."""
        if workers < 2 or self.solver.done:
            return
        self._take_sides()
        self.pool = ThreadPoolExecutor(1)
        self.slice = _SLICE

    def _take_sides(self) -> None:
        self.solver = None  # its memory is shared out
        self.solver, self.high = (self._side(side, self.room // 2) for side in ("low", "high"))

    def _side(self, side: str, memory: int) -> OpenSolver:
        return OpenSolver(self.position, sales=self.sales, memory=memory, side=side)

    def lead(self, parts: int) -> None:
        """Of one task both sides come; of more the proof from the first, the search for good lines from the second."""
        self.parts = parts
        self.divide(2)

    def part(self, number: int, parts: int) -> None:
        """The first does the proof, the others look for good lines, each for others; one alone does both."""
        self.guide, self.seed = None, number
        if parts > 1 and not self.solver.done:
            self.solver = None
            self.solver = self._side("low" if number else "high", self.room)

    def merge(self, found: bytes, number: int) -> None:
        """The state of both sides; of further tasks the bounds and the line."""
        if number == 0:
            self.high.load(found)
        if number == 1 or self.parts == 1:
            self.solver.load(found)
        if number > 1:
            other = self._side("low", _EAR)
            other.load(found)
            self.solver.hear(other)
        self._rest()

    def run(self, milliseconds: int) -> bool:
        """See the class above."""
        done = super().run(milliseconds) if self.high is None else self._run_both(milliseconds)
        if not done and self.guide is not None:
            self._play_on(self.guide, to_the_end=bool(self.obstacle))
        return done

    def _run_both(self, milliseconds: int) -> bool:
        """The proof in a thread of its own; the one that ends first waits for the other."""
        self._rest()
        self.job = self.pool.submit(self.high.run, milliseconds)
        try:
            self.solver.run(milliseconds)
            self.job.result()
        except ValueError as error:
            self.obstacle = str(error)
        self._rest()
        return bool(self.solver.done)

    def _rest(self) -> None:
        """Wait until the proof's thread is at rest, and let both know what the other one has found."""
        if self.job is not None:
            wait([self.job])
        self.solver.hear(self.high)
        self.high.hear(self.solver)

    def _play_on(self, guide: Position, *, to_the_end: bool) -> None:
        """The quick player makes a move, or all that are left."""
        while not guide.is_over:
            move = finished(guide, Limit(visits=_GUIDE), exact=False).best
            guide.play(0, move)
            self.guided.append(f"0: {move}")
            if not to_the_end:
                break

    @property
    def _witness(self) -> int | None:
        """The points of the quick player, where he comes to more than the plans of the search."""
        if self.guide is None or not self.guide.is_over:
            return None
        points = self.guide.scores()[0]
        return points if self.solver.lower is None or points > self.solver.lower else None

    @property
    def lower(self) -> float | None:
        """The points of the best line so far."""
        witness = self._witness
        return super().lower if witness is None else witness

    @property
    def nodes(self) -> int:
        """See the class above."""
        return super().nodes + (0 if self.high is None else int(self.high.nodes))

    @property
    def memory(self) -> int:
        """See the class above."""
        return super().memory + (0 if self.high is None else int(self.high.memory))

    def save(self) -> bytes:
        """Of both sides in one: a search that is divided goes on as one that is not, and the other way round."""
        if self.high is None:
            return super().save()
        self._rest()
        return bytes(self.solver.save(self.high))

    def load(self, data: bytes) -> None:
        """See the class above."""
        self.solver.load(data, self.seed)
        if self.high is not None:
            self.high.load(data)

    def remarks(self) -> list[str]:
        """Whether memory was short."""
        halved = self.solver.halved + (0 if self.high is None else self.high.halved)
        return [f"memory is short: the table of positions was halved {halved} times"] if halved else []

    def steps(self) -> list[str]:
        """The best line so far."""
        return super().steps() if self._witness is None else list(self.guided)


def search_of(puzzle: Puzzle, objective: int, memory: int, **options: Any) -> Solving:
    """The search for a puzzle: of farms, of a known order, or of all that may come."""
    for name, value in options.items():
        if name != "sales" or puzzle.question == "farm":
            raise InputError("there is no such option here", path=name, value=value)
    if puzzle.question == "farm":
        return FarmSearch(puzzle)
    position = puzzle.position
    assert position is not None
    data = position.to_dict()
    unknown = position.players == 1 and data["deck"] > len(data.get("order", []))
    if position.players == 1 and not unknown:
        try:
            return OpenSearch(position, memory, **options)
        except ValueError as error:
            if options or (position.rest or 0) > _LAST:
                raise InputError(str(error)) from None
    for name, value in options.items():
        raise InputError("is for one player who knows the order of the deck", path=name, value=value)
    return Induction(position, objective, memory)


def replay_farm(puzzle: Puzzle, line: Sequence[str]) -> int:
    """Place the rabbits one by one, asking the engine whether each may lie there: what the farm is worth at the end.

    Raises InputError for a step that is wrong.
    """
    farm: dict[int, str] = {}
    for number, step in enumerate(line):
        with located(path=f"line[{number}]"):
            found = re.fullmatch(r"place (\S+) (\S+)", step)
            if found is None or found[2] not in CELLS:
                raise InputError(f"{shown(step)} is no step such as 'place {puzzle.rabbits[0]} {CELLS[0]}'", value=step)
            name, cell = found[1], CELLS.index(found[2])
            _id(name, puzzle.rabbits, "")
            if name in farm.values():
                raise InputError(f"{name} lies there already", value=step)
            if cell not in _cells(puzzle, farm, name):
                raise InputError(f"{name} may not be placed on {found[2]} here", value=step)
            farm[cell] = name
    if puzzle.use == "all" and len(farm) < len(puzzle.rabbits):
        raise InputError(f"places {len(farm)} of {len(puzzle.rabbits)} rabbits", path="line")
    if not _is_paid(puzzle, farm.values()):
        raise InputError("costs more than the stock", path="line")
    return _position(puzzle, farm, "", {}).scores()[0]


def guess_farm(puzzle: Puzzle) -> list[str]:
    """Place, one by one, whichever rabbit brings the most points at once where it brings them; the first of equals."""
    farm: dict[int, str] = {}
    line: list[str] = []
    while True:
        tried = [
            (_position(puzzle, {**farm, cell: name}, "", {}).scores()[0], name, cell)
            for name in puzzle.rabbits
            if name not in farm.values() and _is_paid(puzzle, [*farm.values(), name])
            for cell in _cells(puzzle, farm, name)
        ]
        if not tried:
            return line
        _, name, cell = max(tried, key=lambda one: one[0])
        farm[cell] = name
        line.append(f"place {name} {CELLS[cell]}")


def _cells(puzzle: Puzzle, farm: Mapping[int, str], name: str) -> list[int]:
    """Where the engine lets a rabbit be placed."""
    price = _ruleset(puzzle.game).cards[name].price
    carrots, pellets, hay = price.fixed
    stock = dict(zip(RESOURCES, (carrots + price.any, pellets, hay), strict=True))
    legal = {str(move) for move in _position(puzzle, farm, name, stock).legal(0)}
    found = []
    for cell in range(len(CELLS)):
        corner = (0, 0)
        if puzzle.game.options["frame"] == "sliding":  # the engine has the farm pushed to the top left
            lying = farm or [cell]
            corner = min(other // _SIDE for other in lying), min(other % _SIDE for other in lying)
        row, column = cell // _SIDE - corner[0], cell % _SIDE - corner[1]
        if cell not in farm and f"place {name} {PLACES[(row + 2) * _SPAN + column + 2]}" in legal:
            found.append(cell)
    return found


def _is_paid(puzzle: Puzzle, names: Iterable[str]) -> bool:
    """Whether the stock, if there is one, pays for all these rabbits."""
    if puzzle.stock is None:
        return True
    prices = [_ruleset(puzzle.game).cards[name].price for name in names]
    given = [puzzle.stock.get(kind, 0) for kind in RESOURCES]
    fixed = [sum(price.fixed[kind] for price in prices) for kind in range(len(RESOURCES))]
    return sum(fixed) + sum(price.any for price in prices) <= sum(given) and all(map(le, fixed, given))


def _position(puzzle: Puzzle, farm: Mapping[int, str], hand: str, stock: Mapping[str, int]) -> Position:
    """The position in which this farm lies there and a rabbit is about to be placed."""

    def word(cell: int) -> str:
        name = farm.get(cell, "-")
        return f"{name}+{puzzle.tokens[name]}" if puzzle.tokens.get(name) else name

    rows = [" ".join(word(_SIDE * row + column) for column in range(_SIDE)) for row in range(_SIDE)]
    player = {"farm": rows, "hand": [hand] if hand else [], "stock": {kind: n for kind, n in stock.items() if n}}
    data: dict[str, Any] = {"player": [player], "last": "place", "pending": {"ask": "place_first"}}
    return position_in(puzzle.game, data)


def _id(name: str, names: Sequence[str], path: str) -> int:
    if name not in names:
        raise InputError(f"unknown card {shown(name)}", path=path, value=name, match=near(name, names))
    return names.index(name)


def _number(value: int, path: str) -> None:
    if not 0 <= value <= _MOST_TOKENS:
        raise InputError(f"must be 0 to {_MOST_TOKENS}, not {shown(value)}", path=path, value=value)


def _ruleset(game: Game) -> ConeyRuleset:
    assert isinstance(game.ruleset, ConeyRuleset)
    return game.ruleset
