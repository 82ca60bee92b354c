"""Pictures of answers and records as SVG, drawn as those of positions are (`ninefold.draw`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ninefold.draw import COLOURS, HEIGHT, Canvas

if TYPE_CHECKING:
    from ninefold.analysis import Analysis
    from ninefold.record import Record

__all__ = ["analysis_svg", "course_svg", "record_svg"]

_PAD = 12
_BAR = 120  # pixels of a whole share
_COLUMNS = {"move": 0, "share": 230, "worth": 400, "points": 560, "visits": 680}
_PLOT = 640, 220  # of a record's points


def analysis_svg(answer: Analysis) -> str:
    """The moves of an answer: how often each is to be played, what it is worth with its interval, points, visits."""
    canvas = Canvas(f"Analysis for player {answer.player}")
    y = _PAD
    for line, kind in ((answer.headline(), "strong"), *((line, "faint") for line in answer.remarks())):
        canvas.text(_PAD, y, line, kind)
        y += HEIGHT
    y += HEIGHT // 2
    for name, x in _COLUMNS.items():
        canvas.text(_PAD + x, y, answer.objective if name == "worth" else name, "faint")
    for info in answer.moves:
        y += HEIGHT + 4
        kind = "strong" if info.order == 0 else ""
        canvas.text(_PAD, y, str(info.move), kind, room=_COLUMNS["share"] - 8)
        canvas.box(_PAD + _COLUMNS["share"], y + 2, _BAR, HEIGHT - 4, "empty")
        canvas.bar(_PAD + _COLUMNS["share"], y + 2, round(_BAR * info.share), HEIGHT - 4, COLOURS[0])
        canvas.text(_PAD + _COLUMNS["share"] + _BAR + 6, y, f"{info.share:.0%}", "faint")
        if info.visits or info.bounds:
            canvas.text(_PAD + _COLUMNS["worth"], y, f"{answer.worth(info.value)} {answer.error(info)}", kind)
        if info.score_mean is not None and info.score_stdev is not None:
            points = f"{info.score_mean[answer.player]:.1f} ± {info.score_stdev[answer.player]:.1f}"
            canvas.text(_PAD + _COLUMNS["points"], y, points)
        canvas.text(_PAD + _COLUMNS["visits"], y, f"{info.visits:,}")
    return canvas.svg()


def record_svg(record: Record) -> str:
    """The points of each player after every step of a record. Raises InputError for a step that is wrong."""
    scores = [position.scores() for position in record.positions()]
    top = max(1, max(max(points) for points in scores))
    low = min(0, min(min(points) for points in scores))
    series = [[(step, float(points[seat])) for step, points in enumerate(scores)] for seat in range(len(scores[0]))]
    return _plot(
        f"Points in a game of {record.game.name}",
        f"{record.game.name}, {record.game.players} players, {len(record.steps)} steps",
        series,
        len(record.steps),
        {points: str(points) for points in (low, 0, (top + low) // 2, top)},
        [str(points) for points in scores[-1]],
    )


def course_svg(title: str, worths: Mapping[int, Sequence[float]], steps: int, *, wins: bool, now: int = 0) -> str:
    """What a game was worth to each player as it went on.

    worths: by number of steps made, each player's share of the win (`wins`) or points. steps: of the whole record. now:
    the number of steps that the reader has before him: a line stands there.
    """
    players = range(max((len(values) for values in worths.values()), default=0))
    series = [[(step, values[seat]) for step, values in sorted(worths.items())] for seat in players]
    if wins:
        ticks = {share: f"{share:.0%}" for share in (0, 0.25, 0.5, 0.75, 1)}
    else:
        reached = [value for line in series for _, value in line]
        low, top = math.floor(min([0, *reached])), math.ceil(max([1, *reached]))
        ticks = {value: f"{value:g}" for value in (low, (low + top) / 2, top)}
    ends = [(f"{line[-1][1]:.0%}" if wins else f"{line[-1][1]:.1f}") if line else "" for line in series]
    return _plot(title, title, series, steps, ticks, ends, now)


def _plot(
    title: str,
    heading: str,
    series: Sequence[Sequence[tuple[int, float]]],
    steps: int,
    ticks: Mapping[float, str],
    ends: Sequence[str],
    now: int | None = None,
) -> str:
    """A line for each player over the steps of a record. ticks: what the heights of the grid are called."""
    width, height = _PLOT
    low, top = min(ticks), max(ticks)
    canvas = Canvas(title)
    canvas.text(_PAD, _PAD, heading, "strong")
    left, upper = _PAD + 40, _PAD + 2 * HEIGHT

    def across(step: int) -> int:
        return left + round(width * step / max(1, steps))

    def down(value: float) -> int:
        return upper + round(height * (top - value) / (top - low))

    for value, word in sorted(ticks.items()):
        canvas.text(_PAD, down(value) - HEIGHT // 2, word, "faint")
        canvas.line([(left, down(value)), (left + width, down(value))])
    if now is not None:
        canvas.line([(across(now), upper), (across(now), upper + height)])
    for seat, line in enumerate(series):
        if line:
            canvas.line([(across(step), down(value)) for step, value in line], COLOURS[seat])
        canvas.dot(left + width + 8, upper + seat * HEIGHT + 4, COLOURS[seat])
        canvas.text(left + width + 24, upper + seat * HEIGHT, f"player {seat}: {ends[seat]}")
    canvas.text(left, upper + height + 6, "steps of the record, from the first to the last", "faint")
    return canvas.svg()
