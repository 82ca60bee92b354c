"""Answers on the page: bars, intervals, lines and proofs, shown while they grow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ninefold.analysis import Limit
from ninefold.errors import InputError

if TYPE_CHECKING:
    from ninefold.analysis import Analysis, MoveInfo
    from ninefold.position import Position
    from ninefold.web.app import Ask
    from ninefold.web.store import Item

__all__ = ["MEMORY", "TIMES", "Picture", "Row", "limit_of", "picture", "think", "wonder"]

MEMORY = 128 << 20  # bytes for the trees of one analysis
TIMES = (3, 15, 60, 300)  # seconds to choose from
SAMPLES = 1000  # pairs of games that explain a move


@dataclass(frozen=True)
class Row:
    """One move of an answer. left, right, middle: of its interval on a scale from 0 to 100."""

    info: MoveInfo
    gloss: str
    worth: str
    error: str
    points: str
    wins: str
    left: float
    right: float
    middle: float

    @property
    def share(self) -> str:
        """Of the mix."""
        return f"{self.info.share:.0%}"


@dataclass(frozen=True)
class Picture:
    """An answer for the page."""

    answer: Analysis
    rows: list[Row]
    headline: str
    remarks: list[str]


def picture(position: Position, answer: Analysis) -> Picture:
    """An answer about this position, ready to be drawn."""
    tried = [info for info in answer.moves if info.visits or info.bounds]
    if answer.objective == "win":
        low, high = 0.0, 1.0
    else:
        low = min((info.interval[0] for info in tried), default=0.0)
        high = max((info.interval[1] for info in tried), default=1.0)
    wide = max(high - low, 1e-9)

    def scaled(value: float) -> float:
        return round(100 * min(max((value - low) / wide, 0), 1), 1)

    rows = []
    for info in answer.moves:
        points = ""
        if info.score_mean and info.score_stdev:
            points = f"{info.score_mean[answer.player]:.1f} ± {info.score_stdev[answer.player]:.1f}"
        wins = " · ".join(f"{share:.0%}" for share in info.win) if info.win else ""
        rows.append(
            Row(
                info, position.game.module.gloss(position, info.move),
                answer.worth(info.value) if info.visits or info.bounds else "–", answer.error(info), points, wins,
                *map(scaled, (*info.interval, info.value)),
            )
        )  # fmt: skip
    return Picture(answer, rows, answer.headline(), answer.remarks())


def limit_of(ask: Ask) -> Limit:
    """How long the reader wants it to think."""
    return Limit(time=float(ask.number("time", TIMES[1], 1, TIMES[-1])))


def think(ask: Ask, item: Item, position: Position, seat: int) -> None:
    """Begin an analysis of what this seat knows. Raises InputError where there is nothing to choose."""
    if seat not in position.actors:
        raise InputError(f"player {seat} has nothing to choose here")
    limit = limit_of(ask)

    def work(tell: Callable[[Any], None]) -> Analysis:
        return best_of(position, seat, limit, tell)

    item.drop_job()
    item.job = ask.web.jobs.start("analysis", position, work)


def wonder(ask: Ask, item: Item, position: Position, seat: int) -> None:
    """Begin to explain why the best move is better than another. Raises InputError where it cannot be."""
    from ninefold.explain import Explanation, explain

    if seat not in position.actors:
        raise InputError(f"player {seat} has nothing to choose here")
    other = ask.number("against", -1, -1, 1 << 30)
    if other not in map(int, position.legal(seat)):
        raise InputError("choose a move to compare the best one with")
    # What has been thought already need not be thought again.
    known = item.job.latest if item.job and item.job.kind == "analysis" and item.job.over else None

    def work(tell: Callable[[Any], None]) -> Explanation:
        answer = known or best_of(position, seat, Limit(time=2.0), lambda _: tell(None))
        tell(None)  # whoever stopped the search wants no explanation either
        return explain(position, other, answer=answer, samples=SAMPLES)

    item.drop_job()
    item.job = ask.web.jobs.start("explanation", position, work)


def best_of(position: Position, seat: int, limit: Limit, tell: Callable[[Any], None]) -> Analysis:
    """The best move; `tell` hears of it while it is sought."""
    from ninefold.search import best

    return best(position, limit, player=seat, memory=MEMORY, report=tell)
