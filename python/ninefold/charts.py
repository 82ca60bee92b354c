"""Pictures of answers and records as SVG, drawn as those of positions are (`ninefold.draw`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ninefold.draw import COLOURS, HEIGHT, Canvas

if TYPE_CHECKING:
    from ninefold._balance import Distribution
    from ninefold._review import Review
    from ninefold.analysis import Analysis
    from ninefold.compare import Report
    from ninefold.record import Record

__all__ = [
    "Bar", "analysis_svg", "bars_svg", "comparison_svg", "course_svg", "histogram_svg", "record_svg", "review_svg",
]  # fmt: skip

_PAD = 12
_BAR = 120  # pixels of a whole share
_COLUMNS = {"move": 0, "share": 230, "worth": 400, "points": 560, "visits": 680}
_PLOT = 640, 220  # of a course of steps
_ROW = 340  # pixels of the widest bar with an interval
_LABEL = 170  # and of what stands before it
_RATIOS = {"ours": 0, "a second": 150, "ratio": 240, "its rate": 560}  # of a comparison
_DECADE = 45  # pixels of ten times as fast
_DECADES = -1, 5  # ratios that have room


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
    canvas = Canvas(f"Points in a game of {record.game.name}")
    canvas.text(_PAD, _PAD, f"{record.game.name}, {record.game.players} players, {len(record.steps)} steps", "strong")
    ticks = {float(points): str(points) for points in sorted({low, 0, (top + low) // 2, top})}
    across, down = _course(canvas, len(record.steps), ticks)
    for seat in range(record.game.players):
        canvas.line([(across(step), down(points[seat])) for step, points in enumerate(scores)], COLOURS[seat])
        _legend(canvas, seat, f"player {seat}: {scores[-1][seat]}")
    return canvas.svg()


def review_svg(found: Review) -> str:
    """What each player had to expect before and after his choices; turning points are numbered as they are told."""
    canvas = Canvas("What each player had to expect, step by step")
    curves = [found.curve(seat) for seat in range(found.players)]
    values = [value for curve in curves for _, value in curve]
    if found.alone:
        low, top = min([0.0, *values]), max([1.0, *values])
        ticks: dict[float, str] = {value: f"{value:.1f}" for value in sorted({low, (low + top) / 2, top})}
    else:
        ticks = {part / 4: f"{part / 4:.0%}" for part in range(5)}
        # A mean of all but certain games may lie a rounding outside.
        curves = [[(step, min(max(value, 0.0), 1.0)) for step, value in curve] for curve in curves]
    what = "points expected" if found.alone else "chance of the win"
    canvas.text(_PAD, _PAD, f"{found.game}: {what}, as each player saw it", "strong")
    across, down = _course(canvas, len(found.steps), ticks)
    for seat, curve in enumerate(curves):
        if curve:
            canvas.line([(across(step), down(value)) for step, value in curve], COLOURS[seat])
            _legend(canvas, seat, f"player {seat}")
    for number, turn in enumerate(found.turning_points(), 1):
        before = [point for point in curves[turn.player] if point[0] >= turn.last]
        if before:
            step, value = before[0]
            canvas.dot(across(step) - 5, down(value) - 5, COLOURS[turn.player])
            canvas.text(across(step) + 6, down(value) - HEIGHT, str(number), "mark")
    return canvas.svg()


def course_svg(title: str, worths: Mapping[int, Sequence[float]], steps: int, *, wins: bool, now: int) -> str:
    """What a game was worth to each player, as far as it is known; it may be known at some steps alone.

    worths: by number of steps made, each player's share of the win (`wins`) or points. steps: of the whole record. now:
    the number of steps that the reader has before him: a line stands there.
    """
    canvas = Canvas(title)
    canvas.text(_PAD, _PAD, title, "strong")
    reached = [value for values in worths.values() for value in values]
    low, top = (0, 1) if wins else (math.floor(min([0, *reached])), math.ceil(max([1, *reached])))
    ticks = [low + part * (top - low) / 4 for part in range(5)]
    across, down = _course(canvas, steps, {tick: f"{tick:.0%}" if wins else f"{tick:.1f}" for tick in ticks})
    canvas.line([(across(now), down(low)), (across(now), down(top))])
    known = sorted(worths.items())
    for seat in range(len(known[0][1]) if known else 0):
        canvas.line([(across(step), down(values[seat])) for step, values in known], COLOURS[seat])
        last = known[-1][1][seat]
        _legend(canvas, seat, f"player {seat}: {last:.0%}" if wins else f"player {seat}: {last:.1f}")
    return canvas.svg()


def _course(
    canvas: Canvas, steps: int, ticks: Mapping[float, str]
) -> tuple[Callable[[int], int], Callable[[float], int]]:
    """The frame of a plot over the steps of a record: where a step and where a value lies. ticks: labels by value."""
    width, height = _PLOT
    left, upper = _PAD + 40, _PAD + 2 * HEIGHT
    low, top = min(ticks), max(ticks)

    def across(step: int) -> int:
        return left + round(width * step / max(1, steps))

    def down(value: float) -> int:
        return upper + round(height * (top - value) / (top - low))

    for value, label in ticks.items():
        canvas.text(_PAD, down(value) - HEIGHT // 2, label, "faint")
        canvas.line([(left, down(value)), (left + width, down(value))])
    canvas.text(left, upper + height + 6, "steps of the record, from the first to the last", "faint")
    return across, down


def _legend(canvas: Canvas, seat: int, text: str) -> None:
    """A player's name and colour, beside the plot."""
    left, upper = _PAD + 40 + _PLOT[0], _PAD + 2 * HEIGHT
    canvas.dot(left + 8, upper + seat * HEIGHT + 4, COLOURS[seat])
    canvas.text(left + 24, upper + seat * HEIGHT, text)


class Bar(NamedTuple):
    """A value with its interval. colour: number of one of `COLOURS`. told: the value in words."""

    label: str
    value: float
    low: float
    high: float
    told: str
    colour: int = 0


def bars_svg(title: str, bars: Sequence[Bar], base: float) -> str:
    """Values as bars from `base` on, to the left or the right, each with its interval as a whisker."""
    canvas = Canvas(title)
    canvas.text(_PAD, _PAD, title, "strong")
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if math.isfinite(end)]
    low, high = min([base, *ends]), max([base, *ends])
    left, y = _PAD + _LABEL, _PAD + HEIGHT + 8

    def across(value: float) -> int:
        return left + round(_ROW * (min(max(value, low), high) - low) / (high - low or 1))

    for bar in bars:
        canvas.text(_PAD, y, bar.label, room=_LABEL - 8)
        ends_at = sorted((across(base), across(bar.value)))
        canvas.bar(ends_at[0], y + 4, max(ends_at[1] - ends_at[0], 1), HEIGHT - 8, COLOURS[bar.colour])
        canvas.line([(across(bar.low), y + HEIGHT // 2), (across(bar.high), y + HEIGHT // 2)], "var(--ink)")
        canvas.text(left + _ROW + 12, y, bar.told, "faint")
        y += HEIGHT + 2
    canvas.line([(across(base), _PAD + HEIGHT + 6), (across(base), y)])
    return canvas.svg()


def histogram_svg(title: str, found: Distribution) -> str:
    """How often each number came."""
    canvas = Canvas(title)
    canvas.text(_PAD, _PAD, title, "strong")
    height, wide = _PLOT[1] // 2, 24
    floor = _PAD + 2 * HEIGHT + height
    top = max([*found.bins, 1])
    for i, count in enumerate(found.bins):
        x = _PAD + i * wide
        tall = round(height * count / top)
        if count:
            canvas.bar(x, floor - tall, wide - 3, max(tall, 1), COLOURS[0])
        canvas.text(x, floor + 2, str(found.low + i * found.width), "faint")
    canvas.line([(_PAD, floor), (_PAD + len(found.bins) * wide, floor)])
    each = "" if found.width == 1 else f", {found.width} numbers a bar"
    canvas.text(_PAD, floor + HEIGHT, f"at most {top:,} a bar{each}", "faint")
    return canvas.svg()


def comparison_svg(report: Report) -> str:
    """Ours beside others': a bar for each ratio, each tenfold as long as the other; to the right, ours is faster."""
    from ninefold.compare import times

    canvas = Canvas("ninefold beside others")
    low, high = _DECADES
    one = _PAD + _RATIOS["ratio"] + 70 - low * _DECADE  # where both are equally fast
    y, what = _PAD, ""
    for found in report.comparisons:
        if found.what != what:
            what = found.what
            y += HEIGHT // 2
            canvas.text(_PAD, y, f"{what}, {found.unit}", "strong")
            y += HEIGHT
            canvas.text(_PAD + _RATIOS["its rate"], y, f"{found.anchor}: {found.anchor_rate:,.0f}", "faint")
        canvas.text(_PAD, y, found.ours, room=_RATIOS["a second"] - 8)
        canvas.text(_PAD + _RATIOS["a second"], y, f"{found.rate:,.0f}")
        canvas.text(_PAD + _RATIOS["ratio"], y, f"× {times(found.ratio)}")
        end = one + round(_DECADE * min(high, max(low, math.log10(found.ratio))))
        canvas.bar(min(one, end), y + 3, max(2, abs(end - one)), HEIGHT - 6, COLOURS[0 if found.ratio >= 1 else 1])
        canvas.line([(one, y), (one, y + HEIGHT)])
        y += HEIGHT
    y += HEIGHT // 2
    for line in [*(found.note for found in report.comparisons if found.note), *report.remarks()]:
        canvas.text(_PAD, y, line, "faint")
        y += HEIGHT
    return canvas.svg()
