"""The puzzle maker: positions from play that have a single best first move, proven, graded and with hints.

A game says in `games/<name>_puzzles.py` which kinds of puzzles can be made of it. Everything here depends on seeds and
on counted work alone, never on the clock: the same seed makes the same puzzle on every machine.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from ninefold.analysis import OBJECTIVES, Limit
from ninefold.core.rules import Generator
from ninefold.core.search.mcts import draw_move
from ninefold.errors import InputError, NinefoldError, near, shown, whole
from ninefold.games import NAMES, module
from ninefold.position import Position
from ninefold.puzzle import MARKED, Answer, Grade, Puzzle
from ninefold.search import finished
from ninefold.solvers import Choice, Induction, Solving, finish

__all__ = [
    "LEVELS", "NUMBERS", "TRIES", "WORK", "Kind", "best_lines", "check_wish", "command", "daily", "fitting", "make",
    "played", "spot", "task",
]  # fmt: skip

LEVELS = range(1, 6)
TRIES = 3_000  # candidates before it is given up
_DAILY = 200  # of the wanted level, for the puzzle of a day
WORK = 50_000  # of a proof, in the unit of its search, where a kind says nothing else: a fraction of a second
SMALL, LARGE = 100, 1_000  # visits of the searches that a puzzle is graded by
_MEMORY = 1 << 26  # bytes of a search's tables: fixed, since what a search does depends on it
_POSITIONS = 20_000  # looked at for counting the best lines


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def spot(cell: int, of: str) -> str:
    """Where a cell of three rows of three lies, as a hint says it. of: such as "the farm"."""
    column, row = cell % 3, cell // 3
    return f"in the middle of {of}" if column == row == 1 else "at an edge" if 1 in (column, row) else "in a corner"


class Kind(NamedTuple):
    """A kind of puzzle.

    about: in a few words, for help. sample: a candidate from a seed, None where this seed has none. clue: a line about
    where the answer lies, from a puzzle and the line of its answer, that does not tell it. work: what the proof may
    take at most, and as much again for each of the other first moves, in the unit of its search.
    """

    about: str
    sample: Callable[[int], Puzzle | None]
    clue: Callable[[Puzzle, Sequence[str]], str]
    work: int = WORK


def played(start: Position, seed: int) -> Iterator[Position]:
    """The positions of a game from here on in which somebody must choose, each a copy.

    Everybody draws his moves by the game's quick guess, at the temperature that its playouts have.
    """
    position, chance, number = start.copy(), Generator(seed, 1), 0
    temperature = position.game.module.tuning.rollout
    while True:
        position.roll_all(chance)
        if position.is_over:
            return
        yield position.copy()
        moves = {seat: draw_move(position, seat, temperature, seed, 2 + number + seat) for seat in position.actors}
        position.play_all(moves)
        number += position.players


def make(
    game: str,
    *,
    seed: int,
    kind: str | None = None,
    level: int | None = None,
    tries: int = TRIES,
) -> Puzzle:
    """A puzzle of a game, proven, with grade, hints and answer: the same for the same arguments, on every machine.

    seed: at least 0. kind: one of the game's, see `GameModule.puzzle_kinds`; any if not given. level: 1 to 5; any if
    not given. tries: candidates at most. The answer begins with a single best move, and all others lose what counts
    (`ninefold.puzzle.MARKED`); of cards a single set of them is best.

    Raises InputError for wrong arguments, NinefoldError where no candidate fits.
    """
    check_wish(game, seed, kind, level)
    found = _first(game, seed, kind, level, whole("tries", tries, 1, 10**9))
    if found is None:
        raise NinefoldError(
            f"none of {tries} candidates makes such a puzzle of {game}: try another seed, kind or level"
        )
    return found


def _first(game: str, seed: int, kind: str | None, level: int | None, tries: int) -> Puzzle | None:
    """The first candidate that fits, None if none does."""
    kinds = module(game).puzzle_kinds()
    for attempt in range(tries):
        rng = random.Random(f"{game}/{seed}/{attempt}")
        chosen = kinds[kind or rng.choice(list(kinds))]
        candidate = chosen.sample(rng.getrandbits(62))
        found = None if candidate is None else fitting(candidate, chosen, level)
        if found is not None:
            assert found.answer is not None
            answer = structs.replace(found.answer, command=command(game, seed, kind, level))
            return replace(found, answer=answer)
    return None


def check_wish(game: str, seed: int, kind: str | None, level: int | None) -> None:
    """Whether `make` knows such puzzles. Raises InputError."""
    kinds = module(game).puzzle_kinds()
    whole("seed", seed, 0, 2**63 - 1)
    if level is not None:
        whole("level", level, LEVELS[0], LEVELS[-1])
    if kind is not None and kind not in kinds:
        raise InputError(
            f"{game} has no puzzles of the kind {shown(kind)}: {', '.join(kinds)}", path="kind", value=kind,
            match=near(kind, kinds),
        )  # fmt: skip


def task(wish: tuple[str, int, str | None, int | None]) -> Puzzle:
    """`make` of a game, a seed, a kind and a level, as a worker calls it."""
    game, seed, kind, level = wish
    return make(game, seed=seed, kind=kind, level=level)


def command(game: str, seed: int, kind: str | None = None, level: int | None = None) -> str:
    """The command that makes this puzzle again."""
    options = "".join(f" --{name} {value}" for name, value in (("kind", kind), ("level", level)) if value is not None)
    return f"ninefold puzzle make {game}{options} --seed {seed}"


def daily(date: datetime.date, game: str | None = None) -> Puzzle:
    """The puzzle of a day, of this game, or of all in turn: the same on every machine. Raises InputError.

    From Monday to Friday the levels rise from 1 to 5, as far as a few hundred candidates have such a puzzle; at
    weekends any level may come.
    """
    number = date.toordinal()
    name = NAMES[number % len(NAMES)] if game is None else game
    check_wish(name, number, None, None)
    level = date.isoweekday()
    found = _first(name, number, None, level, _DAILY) if level in LEVELS else None
    found = found or make(name, seed=number)
    return replace(found, title=f"{date.isoformat()}: {found.title}")


def fitting(puzzle: Puzzle, kind: Kind, level: int | None = None) -> Puzzle | None:
    """The puzzle with grade, hints and answer, or None if it is not a good one, or not of this level."""
    try:
        search = puzzle.game.module.solver(puzzle, puzzle.objective, _MEMORY)
    except InputError:  # there is none that knows how
        return None
    if not finish(search, kind.work) or search.lower is None:
        return None
    line, counts = search.steps(), MARKED[puzzle.objective]
    guessed, greedy = _guess(puzzle, search, line)
    if greedy is None or (level is not None and (greedy >= counts) != (level > 1)):  # what is quick to tell comes first
        return None
    choice = search.choice(kind.work)
    if choice is None or len(choice.best) != 1 or choice.gap < counts:
        return None
    small, large = (_searched(puzzle, search, line, visits) for visits in (SMALL, LARGE))
    counted = None if puzzle.position is None else best_lines(puzzle.position, puzzle.objective)
    grade = Grade(
        level=0, options=choice.options, optimal=1, lines=None if counted is None else counted[1], guessed=guessed,
        greedy=greedy, small=small, large=large, nodes=search.nodes,
    )  # fmt: skip
    grade = structs.replace(grade, level=grade.measured(puzzle.objective))
    if level not in (None, grade.level):
        return None
    asked = replace(puzzle, answer=Answer(value=_plain(search.lower), line=line, optimal=1), grade=grade)
    return replace(asked, hints=tuple(_hints(asked, choice, kind)))


# --- the grade --------------------------------------------------------------------------------------------------------


def _guess(puzzle: Puzzle, search: Solving, line: Sequence[str]) -> tuple[bool, float | None]:
    """Whether the quick guess begins with the best move, and what it loses."""
    if puzzle.position is None:
        built = puzzle.game.module.guess_cards(puzzle)
        return False, _behind(search, puzzle.replay(built)) if built else None

    def guess(position: Position) -> int:
        worth = position.prior(position.actors[0])
        return worth.index(max(worth))

    position = puzzle.position
    first = guess(position)
    guessed = line[0] == f"{position.actors[0]}: {position.legal(position.actors[0])[first]}"
    if _is_certain(puzzle, line):
        return guessed, _behind(search, _play(position, lambda now: int(now.legal(0)[guess(now)])))
    assert isinstance(search, Induction)
    mix = [float(i == first) for i in range(len(position.legal(position.actors[0])))]
    return guessed, _rounded(search.given_away(mix))


def _searched(puzzle: Puzzle, search: Solving, line: Sequence[str], visits: int) -> float | None:
    """What a search of so many visits loses; of cards, the best of so many sets drawn at random."""
    if puzzle.position is None:
        return _behind(search, search.drawn(visits))

    def ask(position: Position) -> list[tuple[int, float]]:
        answer = finished(
            position, Limit(visits=visits), objective=puzzle.objective, opponent="self", leaves=-1, exact=False,
            memory=_MEMORY,
        )  # fmt: skip
        return [(int(info.move), info.share) for info in answer.moves]

    if _is_certain(puzzle, line):
        return _behind(search, _play(puzzle.position, lambda now: ask(now)[0][0]))
    assert isinstance(search, Induction)
    shares = dict(ask(puzzle.position))
    return _rounded(search.given_away([shares[int(move)] for move in puzzle.position.legal(puzzle.position.actors[0])]))


def _is_certain(puzzle: Puzzle, line: Sequence[str]) -> bool:
    """Whether one player alone knows what comes, so that a whole game has its points."""
    return puzzle.replay(list(line)) is not None


def _play(start: Position, choose: Callable[[Position], int]) -> int:
    """The points of one player who chooses so to the end, where nothing is left to chance."""
    position = start.copy()
    while not position.is_over:
        position.play(0, choose(position))
    return position.scores()[0]


def _behind(search: Solving, points: float | None) -> float:
    assert search.lower is not None
    assert points is not None
    return _rounded(search.lower - points)


def _rounded(loss: float) -> float:
    """What a file says of a loss: no noise of the last digits, and no loss below zero."""
    return _plain(max(0.0, round(loss, 4)))


def _plain(value: float) -> float:
    return int(value) if value == int(value) else value


class _TooMany(Exception):
    """More positions than shall be looked at."""


def best_lines(start: Position, objective: str, most: int = _POSITIONS) -> tuple[float, int] | None:
    """What a position is worth to player 0, and how many lines of best play lead to it, by trying everything.

    None where chance plays a part, where two choose at once, and where that takes more than so many positions.
    """
    known: dict[bytes, tuple[float, int]] = {}
    number = OBJECTIVES.index(objective)

    def value(position: Position) -> tuple[float, int]:
        if position.is_over:
            return position.utilities(number)[0], 1
        name = position.to_bytes()
        if name not in known:
            if len(position.actors) != 1 or len(known) >= most:
                raise _TooMany
            seat, found = position.actors[0], []
            for move in position.legal(seat):
                after = position.copy()
                after.apply(seat, move)
                found.append(value(after))
            top = max(found)[0] if seat == 0 else min(found)[0]
            known[name] = top, sum(lines for worth, lines in found if worth == top)
        return known[name]

    try:
        return value(start)
    except _TooMany:
        return None


# --- hints ------------------------------------------------------------------------------------------------------------


def _hints(puzzle: Puzzle, choice: Choice, kind: Kind) -> Iterator[str]:
    """From vague to plain."""
    grade, answer = puzzle.grade, puzzle.answer
    assert grade is not None
    assert answer is not None
    lost = grade.greedy or 0
    if lost < MARKED[puzzle.objective]:
        yield "What looks best at first sight is best."
    elif grade.guessed:
        yield f"What looks best at first sight begins right, but loses {_amount(puzzle, lost)} later on."
    else:
        yield f"What looks best at first sight loses {_amount(puzzle, lost)}."
    yield _worth(puzzle)
    yield kind.clue(puzzle, answer.line)
    if puzzle.position is None:
        yield f"These are the best: {', '.join(choice.best[0].split())}."
        return
    seat = puzzle.position.actors[0]
    gloss = puzzle.game.module.gloss(puzzle.position, puzzle.game.move(choice.best[0]))
    yield f"Player {seat} begins with: {choice.best[0]}" + (f" ({gloss})." if gloss else ".")


def _worth(puzzle: Puzzle) -> str:
    """The value in words."""
    assert puzzle.answer is not None
    value = puzzle.answer.value
    assert value is not None
    if puzzle.objective == "score":
        return f"{_amount(puzzle, value)} can be had."
    if puzzle.objective == "win":
        return f"With best play player 0 wins {value:.1%} of the games."
    if abs(value) < 0.005:
        return "With best play nobody ends ahead."
    ahead = 0 if value > 0 else 1
    return f"With best play player {ahead} ends {_amount(puzzle, abs(value))} ahead" + (
        "." if value == int(value) else ", on average."
    )


def _amount(puzzle: Puzzle, value: float) -> str:
    """Points, or a share of the win."""
    if puzzle.objective == "win":
        return f"{value:.1%} of the games"
    return f"{round(value, 2):g} point{'' if round(value, 2) == 1 else 's'}"
