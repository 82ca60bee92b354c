"""Pictures of answers and records as SVG, drawn as those of positions are (`ninefold.draw`)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ninefold.draw import COLOURS, HEIGHT, Canvas

if TYPE_CHECKING:
    from ninefold.analysis import Analysis
    from ninefold.compare import Report
    from ninefold.record import Record

__all__ = ["analysis_svg", "comparison_svg", "record_svg"]

_PAD = 12
_BAR = 120  # pixels of a whole share
_COLUMNS = {"move": 0, "share": 230, "worth": 400, "points": 560, "visits": 680}
_PLOT = 640, 220  # of a record's points
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
    width, height = _PLOT
    canvas = Canvas(f"Points in a game of {record.game.name}")
    canvas.text(_PAD, _PAD, f"{record.game.name}, {record.game.players} players, {len(record.steps)} steps", "strong")
    left, upper = _PAD + 40, _PAD + 2 * HEIGHT

    def across(step: int) -> int:
        return left + round(width * step / max(1, len(scores) - 1))

    def down(points: float) -> int:
        return upper + round(height * (top - points) / (top - low))

    for points in sorted({low, 0, (top + low) // 2, top}):
        canvas.text(_PAD, down(points) - HEIGHT // 2, str(points), "faint")
        canvas.line([(left, down(points)), (left + width, down(points))])
    for seat in range(record.game.players):
        corners = [(across(step), down(points[seat])) for step, points in enumerate(scores)]
        canvas.line(corners, COLOURS[seat])
        canvas.text(left + width + 8, upper + seat * HEIGHT, f"player {seat}: {scores[-1][seat]}")
        canvas.dot(left + width + 100, upper + seat * HEIGHT + 4, COLOURS[seat])
    canvas.text(left, upper + height + 6, "steps of the record, from the first to the last", "faint")
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
