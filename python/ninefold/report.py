"""Reports: sections of words, tables and plots, for the terminal and as one HTML file that needs nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.checkpoint import write_whole
from ninefold.errors import NinefoldError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold._balance import Balance, CardBalance, Distribution
    from ninefold._review import Choice, Review, TurningPoint

__all__ = ["Section", "balance_html", "balance_picture", "page", "review_html", "review_picture", "write_page"]

BRIEF = 12  # rows of a long table that a terminal shows


class Section(NamedTuple):
    """One part of a report. numbers: columns that are aligned to the right. marked: rows that stand out.

    plots: SVG, for pages alone. brief: rows that the terminal shows, None for all; 0: the section is for pages alone.
    slim: columns that it shows, None for all.
    """

    title: str
    text: Sequence[str] = ()
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    numbers: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()
    plots: Sequence[Callable[[], str]] = ()
    brief: int | None = None
    slim: Sequence[int] | None = None


def page(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """An HTML page: no scripts, nothing from elsewhere, all words escaped. Raises NinefoldError without Jinja."""
    text: str = _template().render(title=title, lead=lead, sections=sections)
    return text


def write_page(path: str, text: str) -> None:
    """Write a page, all of it or nothing; "-" is the standard output. Raises InputError."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write_whole(path, text.encode())


@cache
def _template() -> Any:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup
    except ModuleNotFoundError:
        raise NinefoldError("pages need Jinja: pip install 'ninefold[report]'") from None
    made = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters["drawing"] = lambda plot: Markup(plot())  # the canvas has escaped its words
    return made.get_template("page.html.jinja")


def _picture(title: str, lead: Sequence[str], sections: Sequence[Section]) -> RenderableType:
    """The same for a terminal, without the plots."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    parts: list[RenderableType] = [Text(title, style="bold"), *(Text(line, style="dim") for line in lead)]
    for section in sections:
        if section.brief == 0:
            continue
        parts += [Text(), Text(section.title, style="bold"), *map(Text, section.text)]
        if not section.rows:
            continue
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        columns = range(len(section.head)) if section.slim is None else section.slim
        for column in columns:
            table.add_column(Text(section.head[column]), justify="right" if column in section.numbers else "left")
        for number, row in enumerate(section.rows[: section.brief]):
            table.add_row(*(Text(row[column]) for column in columns), style="bold" if number in section.marked else "")
        parts.append(table)
        if section.brief is not None and len(section.rows) > section.brief:
            parts.append(Text(f"… and {len(section.rows) - section.brief} more: --html or --json has all", style="dim"))
    return Group(*parts)


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


# --- reviews ----------------------------------------------------------------------------------------------------------

METHOD = (
    "Each choice was searched as its player saw it. Its regret is the value of the search's answer less that of the "
    "move chosen, ± half of the 95 % interval. It counts as a mistake if it lies outside of its 99.9 % interval, also "
    "in a search four times as long. The interval knows how much was sampled, not what the search misjudges.",
    "Accuracy is the mean over the choices of 103.17 · exp(−0.04354 · per cent of the win lost) − 3.17, the curve of "
    "lichess; where one plays alone, of the per cent of the points that were to be had.",
    "Luck and the rest is what is left of a player's course: chance, what became known, which of their good moves the "
    "others happened to play, and regrets within noise.",
)


def review_html(found: Review, title: str = "") -> str:
    """A review as a page."""
    lead, sections = _review(found)
    return page(title or f"Review of a game of {found.game}", lead, sections)


def review_picture(found: Review) -> RenderableType:
    """A review for the terminal."""
    lead, sections = _review(found)
    return _picture(f"review of a game of {found.game}", lead, sections)


def _review(found: Review) -> tuple[list[str], list[Section]]:
    lead = [f"{found.game}{f' ({found.title})' if found.title else ''} · {_counted(found.players, 'player')}"
            f" · {_counted(len(found.steps), 'step')} · {_limit(found)} a choice"]  # fmt: skip
    if found.result is None:
        lead.append("The game is not over.")
    elif found.alone:
        lead.append(f"It ended with {_counted(found.points[0], 'point')}.")
    else:
        won = [str(seat) for seat, share in enumerate(found.result) if share > 0]
        lead.append(f"Won by player {' and '.join(won)}, with {', '.join(map(str, found.points))} points by seat.")
    if len(found.choices) < found.total:
        lead.append(f"{len(found.choices)} of {_counted(found.total, 'choice')} reviewed.")

    def worth(value: float) -> str:
        return f"{value:.2f}" if found.alone else f"{value:.1%}"

    def change(value: float) -> str:
        return f"{value:+.2f}" if found.alone else f"{value:+.1%}"

    standings = found.standings()
    players = Section(
        "Players", (),
        ("player", "choices", "mistakes", "accuracy", "expected at first", "own mistakes", "others' mistakes",
         "luck and the rest", "at the end"),
        [
            [
                str(one.player), str(one.choices), str(one.mistakes),
                "" if one.accuracy is None else f"{one.accuracy:.1f}",
                "" if one.start is None else worth(one.start),
                change(one.by_mistakes), change(one.by_others), change(one.by_luck),
                "" if one.end is None else worth(one.end),
            ]
            for one in standings
            if one.choices
        ],
        frozenset(range(1, 9)),
    )  # fmt: skip
    turns = found.turning_points()
    turning = Section(
        "Turning points", () if turns else ("No shift is larger than the search's doubt.",),
        ("", "steps", "player", "change", "±", "by", "what"),
        [
            [
                str(number), _steps(one), str(one.player), change(one.change), worth(one.error),
                "own choice" if one.kind == "choice" else "luck", one.said,
            ]
            for number, one in enumerate(turns, 1)
        ],
        frozenset({0, 1, 3, 4}), plots=[found.to_svg],
    )  # fmt: skip

    def row(one: Choice) -> list[str]:
        differs = one.regret > 0 and one.best != one.move
        points = (
            "" if one.points is None or not differs or found.alone else f"{one.points[0]:.2f} ± {one.points[1]:.2f}"
        )
        regret = "proven" if one.proven and not one.regret else ""
        if one.regret:
            regret = worth(one.regret) + (", proven" if one.proven else f" ± {worth(one.interval[1] - one.regret)}")
        mixed = ", ".join(f"{move} {share:.0%}" if share < 0.995 else move for move, share in one.mix)
        return [
            str(one.step), str(one.player), one.move + (f" ({one.about})" if one.about else ""), worth(one.worth),
            regret, points, mixed if differs or len(one.mix) > 1 else "", " · ".join(one.line) if one.lost else "",
        ]  # fmt: skip

    head = ("step", "player", "move", "worth", "regret", "points given up", "better, or the mix", "line of the best")
    numbers = frozenset({0, 3, 4, 5})
    mistakes = found.mistakes()
    worst = Section(
        "Mistakes", () if mistakes else ("None is larger than the search's doubt.",), head[:-1],
        [row(one)[:-1] for one in mistakes], numbers, brief=BRIEF, slim=(0, 1, 2, 3, 4, 6),
    )  # fmt: skip
    every = Section(
        "All choices", (), head, [row(one) for one in found.choices], numbers,
        frozenset(i for i, one in enumerate(found.choices) if one.lost), brief=0,
    )  # fmt: skip
    return lead, [players, turning, worst, every, Section("How to read this", METHOD, brief=0)]


def _steps(turn: TurningPoint) -> str:
    first = turn.first + (turn.kind == "luck")  # luck comes after the choice that it is counted from
    return str(first) if first == turn.last else f"{first}–{turn.last}"


def _limit(found: Review) -> str:
    limit = found.limit
    parts = [f"{limit.time:g} s"] if limit.time is not None else []
    parts += [f"{limit.visits:,} visits"] if limit.visits is not None else []
    parts += [f"{limit.nodes:,} nodes"] if limit.nodes is not None else []
    parts += [f"until {limit.separated:.0%} sure"] if limit.separated is not None else []
    return ", ".join(parts)


# --- balance ----------------------------------------------------------------------------------------------------------


def balance_html(found: Balance) -> str:
    """A balance report as a page."""
    lead, sections = _balance(found)
    return page(f"Balance of {found.asked['game']}", lead, sections)


def balance_picture(found: Balance) -> RenderableType:
    """A balance report for the terminal."""
    lead, sections = _balance(found)
    return _picture(f"balance of {found.asked['game']}", lead, sections)


def _balance(found: Balance) -> tuple[list[str], list[Section]]:
    from ninefold.charts import Bar, bars_svg, histogram_svg

    asked = found.asked
    ends = {"all": "", "interrupted": " · interrupted", "": " · playing"}[found.stopped]
    lead = [
        f"{asked['game']}{f' ({found.title})' if found.title else ''} · {_counted(asked['seats'], 'seat')} · "
        f"{_counted(len(found.games), 'game')} · {asked['players'][0]} · seed {asked['seed']}{ends}",
        *found.remarks(),
    ]
    if not found.games:
        return lead, []
    fair, seats = 1 / asked["seats"], found.seats()
    said = []
    if found.first is not None:
        said.append(f"Seat {found.first} is the first to choose alone in every game.")
    if not found.alone:
        said.append(f"An equal share is {fair:.1%}. The win was shared in {found.shared:.1%} of the games.")
    places = Section(
        "Seats", said, ("seat", "win", "points", ""),
        [
            [str(one.seat), "" if found.alone else _percent(one.win), _number(one.points),
             ("more" if one.win[0] > fair else "less") + " than an equal share" if one.sure else ""]
            for one in seats
        ],
        frozenset({1, 2}), frozenset(one.seat for one in seats if one.sure),
        [] if found.alone else [lambda: bars_svg("Share of the win by seat, with 95 % intervals", [
            Bar(f"seat {one.seat}", one.win[0], one.win[0] - one.win[1], one.win[0] + one.win[1], _percent(one.win), 0)
            for one in seats
        ], fair)],
    )  # fmt: skip
    spreads: list[tuple[str, Distribution]] = [("points", found.scores()), ("choices in a game", found.lengths())]
    if (margins := found.margins()) is not None:
        spreads.insert(1, ("points ahead of the second", margins))
    levels = [level for level, _ in spreads[0][1].quantiles]
    spread = Section(
        "Scores and length", (),
        ("", "mean", *("least" if not level else "most" if level == 1 else f"{level:.0%}" for level in levels)),
        [[name, _number(one.mean), *(f"{value:.4g}" for _, value in one.quantiles)] for name, one in spreads],
        frozenset(range(1, 2 + len(levels))),
        plots=[lambda name=name, one=one: histogram_svg(name.capitalize(), one) for name, one in spreads],  # type: ignore[misc]
    )  # fmt: skip
    return lead, [places, spread, *_cards(found)]


def _cards(found: Balance) -> list[Section]:
    from ninefold._balance import FEWEST
    from ninefold.charts import Bar, bars_svg

    cards = found.cards()
    if not cards:
        return []

    def edge(one: CardBalance) -> str:
        return "" if one.edge is None else f"{one.edge[0]:+.2f} ± {one.edge[1]:.2f}" if found.alone else (
            f"{one.edge[0]:+.1%} ± {one.edge[1]:.1%}")  # fmt: skip

    def row(one: CardBalance) -> list[str]:
        return [
            one.name, f"{one.offered:,}", "" if one.rate is None else f"{one.rate[0]:.1%}",
            "" if one.rate is None else f"{one.rate[1]:.1%} … {one.rate[2]:.1%}",
            "" if one.chance is None else f"{one.chance:.1%}", f"{one.owners:,}",
            "" if one.win is None else _percent(one.win), edge(one), "" if one.points is None else f"{one.points:.2f}",
            "" if one.without is None else f"{one.without:.2f}", one.mark,
        ]  # fmt: skip

    marked = frozenset(i for i, one in enumerate(cards) if one.mark)
    text = (
        "Picked: of the choices in which a card could be taken or left; by chance: what choices at random would have "
        f"given it. More than others: how many more {'points' if found.alone else 'per cent of the win'} its owners at "
        "the end had than those of all other cards, an owner counting once for each card. Intervals are 95 %, over "
        "games.",
        "Marked is what is beyond a chance of 5 % for all cards together (Holm's correction); a card that was had in "
        f"fewer than {FEWEST} games is not judged.",
    )
    shown = [one for one in cards if one.edge is not None]
    picks = sorted((one for one in cards if one.rate is not None), key=lambda one: (-(one.rate or (0,))[0], one.name))
    colour = {"wins more": 1, "wins less": 4}
    return [
        Section(
            "Marked cards", () if marked else ("None.",), ("card", "mark", "more than others", "picked", "owners"),
            [[one.name, one.mark, edge(one), "" if one.rate is None else f"{one.rate[0]:.1%}", f"{one.owners:,}"]
             for one in cards if one.mark],
            frozenset({2, 3, 4}),
        ),
        Section(
            "Cards", text,
            ("card", "on offer", "picked", "95 %", "by chance", "owners", "win", "more than others", "points with",
             "without", "mark"),
            [row(one) for one in cards], frozenset(range(1, 10)), marked,
            [
                lambda: bars_svg("More than the owners of other cards, with 95 % intervals", [
                    Bar(one.name, one.edge[0], one.edge[0] - one.edge[1], one.edge[0] + one.edge[1],
                        edge(one) + (f"  {one.mark}" if one.mark else ""), colour.get(one.mark, 0))
                    for one in shown if one.edge is not None
                ], 0),
                lambda: bars_svg("Picked, out of the choices in which it was on offer", [
                    Bar(one.name, one.rate[0], one.rate[1], one.rate[2],
                        f"{one.rate[0]:.1%}" + (f"  {one.mark}" if one.mark == "never taken" else ""))
                    for one in picks if one.rate is not None
                ], 0),
            ],
            brief=None if len(cards) <= 2 * BRIEF else BRIEF, slim=(0, 2, 4, 5, 7, 10),
        ),
    ]  # fmt: skip


def _percent(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.1%} ± {pair[1]:.1%}"


def _number(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.2f} ± {pair[1]:.2f}"
