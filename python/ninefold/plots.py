"""Plots as Altair charts, which notebooks show and `chart.save` writes. Needs the extra `plots`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from ninefold.analysis import Limit
from ninefold.errors import InputError, NinefoldError
from ninefold.search import finished

if TYPE_CHECKING:
    from ninefold._match import Result
    from ninefold.position import Position
    from ninefold.record import Record
    from ninefold.search import Options

try:
    import altair as alt
except ModuleNotFoundError:
    raise NinefoldError("plots need Altair: pip install 'ninefold[plots]'") from None

__all__ = ["convergence", "strength", "value_of_record"]


def value_of_record(
    record: Record, limit: Limit | None = None, **options: Unpack[Options]
) -> alt.LayerChart | alt.FacetChart:
    """What the search thinks of each decision of a record: the value for its mover, with the 95 % interval.

    limit: for each position (default: 200 visits). options: as `ninefold.best` takes them. Raises InputError for a step
    that is wrong.
    """
    rows = []
    for step, (said, position) in enumerate(zip(record.steps, record.positions(), strict=False)):
        seat, colon, _ = said.partition(":")
        if not colon or len(position.legal(int(seat))) < 2:
            continue
        options["player"] = int(seat)
        answer = finished(position, limit or Limit(visits=200), **options)
        low, high = _ends(answer.interval)
        rows.append(
            {
                "step": step + 1,
                "player": f"player {seat}",
                "value": answer.value,
                "low": low,
                "high": high,
                "move": said,
            }
        )
    if not rows:
        raise InputError("nobody has a choice in this record")
    return _banded(rows, "step:Q", "value", "player:N")


def convergence(
    position: Position, visits: Sequence[int] = (100, 300, 1000, 3000), **options: Unpack[Options]
) -> alt.LayerChart | alt.FacetChart:
    """How the worth of each move settles with more visits, with 95 % intervals; exact answers are switched off."""
    rows = []
    options["exact"] = False
    for budget in visits:
        for info in finished(position, Limit(visits=budget), **options).moves:
            if info.visits:
                low, high = _ends(info.interval)
                rows.append({"visits": budget, "move": str(info.move), "value": info.value, "low": low, "high": high})
    if not rows:
        raise InputError("give numbers of visits", path="visits", value=list(visits))
    return _banded(rows, alt.X("visits:Q").scale(type="log"), "value", "move:N")


def strength(results: Mapping[float, Result] | Iterable[tuple[float, Result]]) -> alt.LayerChart | alt.FacetChart:
    """Share of the win of the first player of matches by his budget (visits, seconds, anything), with 95 % intervals.

    results: a match for each budget, as `ninefold.match` gives them. Raises InputError where there is none.
    """
    pairs = results.items() if isinstance(results, Mapping) else results
    rows = []
    for budget, result in pairs:
        first = next(one for one in result.standings() if one.name == result.names[0])
        mean, half = first.win
        low, high = _ends((mean - half, mean + half))
        rows.append({"budget": budget, "value": mean, "low": low, "high": high, "games": first.games})
    if not rows:
        raise InputError("no matches to plot", path="results")
    return _banded(rows, alt.X("budget:Q").scale(type="log"), "share of the win", None)


def _ends(interval: tuple[float, float]) -> tuple[float | None, float | None]:
    """An interval as JSON can say it: nothing known is None."""
    low, high = interval
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (None, None)


def _banded(
    rows: list[dict[str, Any]], x: str | alt.X, title: str, colour: str | None
) -> alt.LayerChart | alt.FacetChart:
    """A line through the values, and a band from `low` to `high`."""
    base = alt.Chart({"values": rows}).encode(x=x)
    if colour is not None:
        base = base.encode(color=colour)
    return alt.layer(
        base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q").title(title), y2="high:Q"),
        base.mark_line(point=True).encode(y="value:Q", tooltip=[alt.Tooltip(f"{name}:N") for name in rows[0]]),
    )
