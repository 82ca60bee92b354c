"""Balance: equal players meet, and the seats, scores, lengths and cards of their games are counted, with intervals."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from os import PathLike
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import msgspec

from ninefold._game import Game
from ninefold._match import CONFIDENCE, Log, asked_of, encoded, interval, play, table
from ninefold.move import Move
from ninefold.position import Position
from ninefold.work import collect

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Balance", "CardBalance", "Distribution", "SeatBalance", "Told", "balance"]

BY = "mcts:visits=100"  # who plays, if nobody else is named
MISTAKES = 0.05  # chance that any card at all is marked where all are alike
FEWEST = 20  # games in which somebody owned a card before anything is said of its wins
LITTLE = 200  # games below which a remark says how little they tell
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
BINS = 24  # of a histogram, at most


class Told(msgspec.Struct, frozen=True):
    """What one game told. number: of the game and of its deal. points, wins: by seat. decisions: how often one chose.

    first: the first who chose alone, or -1. owned: cards that counted at the end, by seat. offers: by card, how often
    it could be taken or left, how often it would have been by chance, and how often it was.
    """

    number: int
    points: tuple[int, ...]
    wins: tuple[float, ...]
    decisions: int
    first: int
    owned: tuple[dict[str, int], ...]
    offers: dict[str, tuple[int, float, int]]


class SeatBalance(msgspec.Struct, frozen=True):
    """One seat. win, points: mean and half of its 95 % interval. sure: its win differs from an equal share for certain.

    For certain: beyond a chance of 5 % for all seats together (Holm).
    """

    seat: int
    win: tuple[float, float]
    points: tuple[float, float]
    sure: bool


class Distribution(msgspec.Struct, frozen=True):
    """Whole numbers: mean and half of its 95 % interval over games, quantiles as (level, value), and a histogram.

    bins: how many fell from `low` on, `width` numbers in each.
    """

    mean: tuple[float, float]
    quantiles: list[tuple[float, float]]
    low: int
    width: int
    bins: list[int]


class CardBalance(msgspec.Struct, frozen=True):
    """One card. Means stand with half of their 95 % interval over games; None where little or nothing is known.

    offered: choices in which it could be taken or left; picked: how often it was taken; rate: share and both ends of
    its interval; chance: the share that choices at random would have given it. owners: how often somebody had it at the
    end, counted by seats. win: the owner's share of the win. edge: how much more (or, alone, how many points more) than
    the owners of all other cards had; doubt: the chance of such a difference where all cards are alike, corrected for
    their number (Holm). points, without: mean points of those who owned it and of those who did not. mark: "wins more",
    "wins less", "never taken" or "".
    """

    name: str
    offered: int
    picked: int
    rate: tuple[float, float, float] | None
    chance: float | None
    owners: int
    win: tuple[float, float] | None
    edge: tuple[float, float] | None
    doubt: float | None
    points: float | None
    without: float | None
    mark: str


class Balance(msgspec.Struct, frozen=True):
    """What games of equal players say: what was asked, the games in their order, and why it ended.

    stopped: all, interrupted, or "" while it goes on. title: of the ruleset. invented: it says so of its own data.
    """

    asked: dict[str, Any]
    games: list[Told]
    stopped: str
    title: str
    invented: bool

    @property
    def alone(self) -> bool:
        """Whether one player plays: then points stand for wins."""
        return bool(self.asked["seats"] == 1)

    @property
    def first(self) -> int | None:
        """The seat that was the first to choose alone in every game, if there is one: the starting player."""
        seats = {one.first for one in self.games}
        return seats.pop() if len(seats) == 1 and not self.alone and min(seats) >= 0 else None

    @property
    def shared(self) -> float:
        """The part of the games whose win was shared."""
        return sum(max(one.wins) < 1 for one in self.games) / len(self.games) if self.games else math.nan

    def seats(self) -> list[SeatBalance]:
        """Every seat's results."""
        fair = 1 / self.asked["seats"]
        found = [
            (interval([one.wins[seat] for one in self.games]), interval([one.points[seat] for one in self.games]))
            for seat in range(self.asked["seats"])
        ]
        doubts = [_doubt((win - fair) * CONFIDENCE / half if half else 0, len(self.games)) for (win, half), _ in found]
        sure = [doubt < MISTAKES and not self.alone for doubt in _holm(doubts)]
        return [SeatBalance(seat, win, points, sure[seat]) for seat, (win, points) in enumerate(found)]

    def scores(self) -> Distribution:
        """Points of all seats."""
        return _distribution([list(one.points) for one in self.games])

    def margins(self) -> Distribution | None:
        """Points between the first and the second of a game; None alone."""
        ranked = [sorted(one.points)[-2:] for one in self.games]
        return None if self.alone else _distribution([[first - second] for second, first in ranked])

    def lengths(self) -> Distribution:
        """How often somebody chose in a game."""
        return _distribution([[one.decisions] for one in self.games])

    def cards(self) -> list[CardBalance]:
        """Every card that was owned or on offer, the one that wins most first."""
        return _cards(self.games, alone=self.alone)

    def remarks(self) -> list[str]:
        """What a reader must know beside the numbers."""
        said = []
        if self.invented:
            said.append(
                f"The cards or numbers of this ruleset ({self.title or 'untitled'}) are invented, at least in part: "
                "what stands here says nothing about a printed game."
            )
        if len(self.games) < LITTLE:
            said.append(
                f"{len(self.games)} games tell little: intervals are wide, and what is not marked may still be "
                "out of balance."
            )
        said.append(
            f"All seats were played by {self.asked['players'][0]}; better or other players may use seats and cards "
            "differently."
        )
        if any(one.offers or any(one.owned) for one in self.games):
            said.append(
                "Owning a card and winning go together for many reasons: who is ahead may take it. A mark is a reason "
                "to look at a card, not a verdict."
            )
        return said

    def to_dict(self) -> dict[str, Any]:
        """The numbers, without the single games."""
        data: dict[str, Any] = msgspec.to_builtins(
            {
                "asked": self.asked, "title": self.title, "invented": self.invented, "games": len(self.games),
                "stopped": self.stopped, "first": self.first, "shared": self.shared if self.games else None,
                "seats": self.seats(), "scores": self.scores(), "margins": self.margins(), "lengths": self.lengths(),
                "cards": self.cards(), "remarks": self.remarks(),
            }
        )  # fmt: skip
        return data

    def to_html(self) -> str:
        """A page with tables and plots, in one file. Needs the extra `report`."""
        from ninefold.report import balance_html

        return balance_html(self)

    def __rich__(self) -> RenderableType:
        from ninefold.report import balance_picture

        return balance_picture(self)


def balance(
    of: Game | str,
    games: int = 400,
    *,
    player: str = BY,
    seats: int | None = None,
    seed: int = 0,
    file: str | PathLike[str] | None = None,
    executor: Executor | None = None,
    workers: int = 1,
    report: Callable[[Balance], None] | None = None,
) -> Balance:
    """Let equal players play, and count what seats and cards are worth.

    of: a game, or the name of one for `seats` players (default: the fewest). games: as many deals, one game each.
    player: who sits on all seats, see `ninefold.players.player`. seed: with it everything can be repeated, on any
    number of workers, if the player does not look at the clock. file: games are added to it as they end, and a file
    with games of the same question goes on. executor: any of `concurrent.futures`; workers: processes, if there is
    none. report: called after every game.

    KeyboardInterrupt ends it with the games so far. Raises InputError for a player, numbers and files that are wrong.
    """
    asked = {**asked_of([player], of, games, seats, seed, None), "kind": "balance"}
    del asked["sprt"]
    game, _, _ = table(encoded(asked))
    done: dict[int, Told] = {}
    log = None if file is None else Log(file, asked, done, Told)

    def so_far(stopped: str) -> Balance:
        told = [done[number] for number in sorted(done) if number < games]
        return Balance(asked, told, stopped, game.ruleset.title, game.ruleset.made_up)

    def take(_: int, told: Told) -> None:
        done[told.number] = told
        if log is not None:
            log.add(told)
        if report is not None:
            report(so_far(""))

    tasks = [(encoded(asked), number) for number in range(games) if number not in done]
    try:
        return so_far(collect(_tell, tasks, take, executor=executor, workers=workers))
    finally:
        if log is not None:
            log.close()


def _tell(task: tuple[bytes, int]) -> Told:
    """One game, and what it told."""
    data, number = task
    of, names, seed = table(data)
    offers: dict[str, tuple[int, float, int]] = {}
    first = -1

    def watch(position: Position, chosen: Mapping[int, Move]) -> None:
        nonlocal first
        if first < 0 and len(chosen) == 1:
            (first,) = chosen
        for seat, move in chosen.items():
            for card, part, taken in _offered(position, seat, move):
                offered, chance, picked = offers.get(card, (0, 0.0, 0))
                offers[card] = offered + 1, chance + part, picked + taken

    end, decisions, _ = play(of, names * of.players, seed, number, number, watch)
    owned = tuple({**of.module.owned(end, seat)} for seat in range(of.players))
    wins = tuple(end.utilities(0)) if of.players > 1 else (1.0,)
    return Told(number, tuple(end.scores()), wins, decisions, first, owned, offers)


def _offered(position: Position, seat: int, chosen: Move) -> Iterator[tuple[str, float, bool]]:
    """The cards that can be taken or left: by which part of the moves they are taken, and whether they were."""
    legal = position.legal(seat)
    takes = {move: set(position.game.module.takes(position, seat, move)) for move in legal}
    for card, moves in sorted(Counter(card for cards in takes.values() for card in cards).items()):
        if moves < len(legal):
            yield card, moves / len(legal), card in takes[chosen]


# --- statistics -------------------------------------------------------------------------------------------------------


def _cards(games: Sequence[Told], *, alone: bool) -> list[CardBalance]:
    """All cards, with marks."""
    names = sorted({card for one in games for card in itertools.chain(one.offers, *one.owned)})
    owners = {name: _owners(games, name) for name in names}
    worth = [[float(p) for p in one.points] if alone else list(one.wins) for one in games]
    every = [[len(cards) for cards in one.owned] for one in games]  # kinds of cards, by seat
    edges = {name: edge for name in names if (edge := _edge(owners[name], every, worth)) is not None}
    doubts = dict(zip(edges, _holm([edge[2] for edge in edges.values()]), strict=True))
    found = []
    for name in names:
        offers = [one.offers.get(name, (0, 0.0, 0)) for one in games]
        offered, picked = sum(n for n, _, _ in offers), sum(n for _, _, n in offers)
        chance = sum(part for _, part, _ in offers)
        edge, doubt = edges.get(name), doubts.get(name)
        mark = ""
        if edge is not None and doubt is not None and doubt < MISTAKES:
            mark = "wins more" if edge[0] > 0 else "wins less"
        elif offered and not picked and len(names) * math.exp(-chance) < MISTAKES:
            mark = "never taken"  # a Poisson count of so many by chance is hardly ever 0, for none of the cards
        has = [(one.points[seat], seat in mine) for one, mine in zip(games, owners[name], strict=True)
               for seat in range(len(one.points))]  # fmt: skip
        found.append(
            CardBalance(
                name, offered, picked, _rate([(k, n) for n, _, k in offers]), chance / offered if offered else None,
                sum(map(len, owners[name])), None if alone else _ratio(owners[name], worth),
                None if edge is None else edge[:2], doubt, _mean([p for p, owns in has if owns]),
                _mean([p for p, owns in has if not owns]), mark,
            )
        )  # fmt: skip
    return sorted(found, key=lambda one: (-one.edge[0] if one.edge else math.inf, one.name))


def _owners(games: Sequence[Told], name: str) -> list[list[int]]:
    """The seats that owned a card, game by game."""
    return [[seat for seat, cards in enumerate(one.owned) if name in cards] for one in games]


def _ratio(owners: Sequence[Sequence[int]], worth: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """The mean worth of a card's owners and half of its interval over games; None while it was owned in few."""
    total, n = sum(map(len, owners)), sum(map(bool, owners))
    if n < FEWEST:
        return None
    mean = sum(one[seat] for seats, one in zip(owners, worth, strict=True) for seat in seats) / total
    apart = [sum(one[seat] - mean for seat in seats) / total for seats, one in zip(owners, worth, strict=True)]
    return mean, CONFIDENCE * _deviation(apart, n)


def _edge(
    owners: Sequence[Sequence[int]], every: Sequence[Sequence[int]], worth: Sequence[Sequence[float]]
) -> tuple[float, float, float] | None:
    """How much more a card's owners got than those of all other cards: mean, half of its interval, doubt.

    Not more than an equal share: who owns anything at all has often won. Each pair of an owner and a card counts once.
    None while the card was owned in few games.
    """
    mine, n = sum(map(len, owners)), sum(map(bool, owners))
    others = sum(map(sum, every)) - mine
    if n < FEWEST or not others:
        return None
    got = [sum(one[seat] for seat in seats) for seats, one in zip(owners, worth, strict=True)]
    rest = [sum(n * w for n, w in zip(cards, one, strict=True)) - g
            for cards, one, g in zip(every, worth, got, strict=True)]  # fmt: skip
    mean, other = sum(got) / mine, sum(rest) / others
    apart = [
        (g - mean * len(seats)) / mine - (r - other * (sum(cards) - len(seats))) / others
        for g, r, seats, cards in zip(got, rest, owners, every, strict=True)
    ]
    error = _deviation(apart, n)
    return mean - other, CONFIDENCE * error, _doubt((mean - other) / error if error else 0, n)


def _rate(counts: Sequence[tuple[int, int]]) -> tuple[float, float, float] | None:
    """Picked out of offered, game by game: a share with Wilson's interval, wider where choices of a game are alike."""
    offered = sum(n for _, n in counts)
    if not offered:
        return None
    share = sum(k for k, _ in counts) / offered
    n = float(offered)
    if 0 < share < 1:
        apart = _deviation([(k - share * m) / offered for k, m in counts], sum(m > 0 for _, m in counts))
        if math.isfinite(apart):
            n /= max(1.0, apart * apart * offered / (share * (1 - share)))
    square = CONFIDENCE * CONFIDENCE
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = CONFIDENCE * math.sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return share, max(0.0, middle - half), min(1.0, middle + half)


def _deviation(apart: Sequence[float], n: int) -> float:
    """The standard error of a ratio from what each of n games adds to its error; infinite for one game."""
    return math.sqrt(sum(x * x for x in apart) * n / (n - 1)) if n > 1 else math.inf


def _doubt(t: float, n: int) -> float:
    """The two-sided chance of a t value of n games, by Wallace's approximation of Student's distribution."""
    free = max(n - 1, 1)
    z = (8 * free + 1) / (8 * free + 3) * math.sqrt(free * math.log1p(t * t / free))
    return 2 * NormalDist().cdf(-z)


def _holm(doubts: Sequence[float]) -> list[float]:
    """Chances corrected for their number, so that the chance of any mistake is kept (Holm 1979)."""
    found, worst = [0.0] * len(doubts), 0.0
    for rank, i in enumerate(sorted(range(len(doubts)), key=doubts.__getitem__)):
        worst = max(worst, min(1.0, doubts[i] * (len(doubts) - rank)))
        found[i] = worst
    return found


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _distribution(games: Sequence[Sequence[int]]) -> Distribution:
    """Of all numbers; those of one game are one measurement of the mean."""
    values = sorted(value for one in games for value in one)
    if not values:
        return Distribution((math.nan, math.inf), [], 0, 1, [])
    width = -(-(values[-1] - values[0] + 1) // BINS)
    bins = [0] * ((values[-1] - values[0]) // width + 1)
    for value in values:
        bins[(value - values[0]) // width] += 1
    quantiles = [(level, _quantile(values, level)) for level in QUANTILES]
    return Distribution(interval([sum(one) / len(one) for one in games]), quantiles, values[0], width, bins)


def _quantile(values: Sequence[int], level: float) -> float:
    """Between the two nearest of the sorted values, in proportion."""
    at = level * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])
