"""Matches: named players at one table, seats rotated, the same deals for everybody, with intervals."""

from __future__ import annotations

import itertools
import math
import os
import random
import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from ninefold._game import Game, game
from ninefold.checkpoint import sync_folder
from ninefold.core.rules import Generator
from ninefold.errors import InputError, located, shown
from ninefold.games import module
from ninefold.move import Move
from ninefold.players import player
from ninefold.position import Position
from ninefold.work import spread

__all__ = ["Played", "Result", "Sprt", "Standing", "match", "play"]

CONFIDENCE = 1.96  # standard errors of a 95 % interval
_HEAD = b'{"ninefold":1,'  # how the first line begins
_SYNC = 1.0  # seconds of games that may be lost with the power, not with the process
_FEWEST = 16  # deals before a sequential test may speak: its variance is estimated


class Sprt(msgspec.Struct, frozen=True):
    """A sequential probability ratio test of the first player's share of the win.

    low, high: the two shares to be told apart. alpha: the chance to say `high` where `low` is true; beta: the reverse.
    The normal approximation with the variance over deals, as Fishtest has it for chess engines.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raise InputError for numbers that make no test."""
        if not 0 <= self.low < self.high <= 1:
            raise InputError("a test tells a share from a larger one: 0 <= low < high <= 1", path="sprt")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise InputError("alpha and beta lie between 0 and 0.5", path="sprt")

    def ratio(self, shares: Sequence[float]) -> float:
        """The log likelihood ratio of `high` against `low` from the mean shares of the deals; 0 while they are few."""
        n = len(shares)
        if n < _FEWEST:
            return 0.0
        mean = sum(shares) / n
        # A thousandth keeps a run of equal results from counting as certainty.
        variance = max(sum((share - mean) ** 2 for share in shares) / n, 1e-3)
        return n * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * variance)

    def verdict(self, shares: Sequence[float]) -> str:
        """`high`, `low`, or "" while it is open."""
        ratio = self.ratio(shares)
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return "high"
        return "low" if ratio <= math.log(self.beta / (1 - self.alpha)) else ""


class Played(msgspec.Struct, frozen=True):
    """One game. number: counted from 0; games of one deal follow each other. seats: the player's number by seat.

    points: by seat. wins: shares of the win by seat. decisions: how often somebody chose. seconds: spent, by seat.
    """

    number: int
    seats: tuple[int, ...]
    points: tuple[int, ...]
    wins: tuple[float, ...]
    decisions: int
    seconds: tuple[float, ...]


class Standing(msgspec.Struct, frozen=True):
    """How one player did. win, points: mean and half of its 95 % interval over deals. rating: openskill's mu, sigma."""

    name: str
    games: int
    win: tuple[float, float]
    points: tuple[float, float]
    seconds: float
    rating: tuple[float, float] | None = None


class Result(msgspec.Struct, frozen=True):
    """A match: what was asked, the games in their order, and why it ended: all, sprt or interrupted.

    verdict: of the sequential test, "high", "low" or "".
    """

    asked: dict[str, Any]
    games: list[Played]
    stopped: str
    verdict: str = ""

    @property
    def names(self) -> list[str]:
        """The players, in the order in which they were named."""
        names: list[str] = self.asked["players"]
        return names

    def deals(self, who: int) -> list[tuple[float, float]]:
        """A player's mean share of the win and points, deal by deal: rotations of one deal are one measurement."""
        found: dict[int, list[tuple[float, float]]] = {}
        for one in self.games:
            for seat, index in enumerate(one.seats):
                if index == who:
                    found.setdefault(one.number // len(one.seats), []).append((one.wins[seat], one.points[seat]))
        return [
            (sum(share for share, _ in games) / len(games), sum(points for _, points in games) / len(games))
            for games in found.values()
        ]

    def standings(self) -> list[Standing]:
        """Every player's results; ratings where more than two took part and openskill is installed."""
        ratings = _ratings(self.games, len(self.names)) if len(self.names) > 2 else None
        found = []
        for who, name in enumerate(self.names):
            deals = self.deals(who)
            games = sum(index == who for one in self.games for index in one.seats)
            seconds = sum(s for one in self.games for s, i in zip(one.seconds, one.seats, strict=True) if i == who)
            found.append(
                Standing(
                    name, games, interval([share for share, _ in deals]), interval([points for _, points in deals]),
                    seconds, None if ratings is None else ratings[who],
                )
            )  # fmt: skip
        return found

    def to_dict(self) -> dict[str, Any]:
        """The match in words and numbers, without its games."""
        data: dict[str, Any] = {"asked": self.asked, "games": len(self.games), "stopped": self.stopped}
        if self.verdict:
            data["verdict"] = self.verdict
        return data | {"standings": msgspec.to_builtins(self.standings())}


def match(
    players: Sequence[str],
    of: Game | str,
    games: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    sprt: Sprt | None = None,
    file: str | PathLike[str] | None = None,
    executor: Executor | None = None,
    workers: int = 1,
    report: Callable[[Result], None] | None = None,
) -> Result:
    """Let players play against each other.

    players: short names, see `ninefold.players.player`. of: a game, or the name of one for `seats` players (default: as
    many as are named, or the fewest of the game). Fewer players than seats: the last one takes the seats that are left;
    more: every table that can be made of them plays. games: of each table, rounded up to whole deals: each deal is
    played in every rotation of the seats, with the same random numbers for chance. seed: with it everything can be
    repeated, on any number of workers, if no player looks at the clock. sprt: stop as soon as it decides about the
    first player. file: games are added to it as they end, and a file with games of the same match goes on. executor:
    any of `concurrent.futures`; workers: processes, if there is none. report: called after every deal.

    KeyboardInterrupt ends the match with the games so far. Raises InputError for players, numbers and files that are
    wrong, and for a file that cannot be written any more; the games in it stay.
    """
    asked = asked_of(players, of, games, seats, seed, sprt)
    plan = _Plan(asked)
    done: dict[int, Played] = {}
    log = None if file is None else Log(file, asked, done, Played)
    stopped, verdict = "all", ""
    try:
        for _ in itertools.chain([None], _finished(plan, done, executor, workers, log)):
            if report is not None:
                report(plan.result(done, "", ""))
            verdict = plan.verdict(done)
            if verdict:
                stopped = "sprt"
                break
    except KeyboardInterrupt:
        stopped = "interrupted"
    finally:
        if log is not None:
            log.close()
    return plan.result(done, stopped, verdict)


def play(
    of: Game,
    names: Sequence[str],
    seed: int,
    deal: int,
    number: int,
    watch: Callable[[Position, Mapping[int, Move]], None] | None = None,
) -> tuple[Position, int, list[float]]:
    """One game between the players of these names, by seat: how it ended, how often somebody chose, and their seconds.

    deal: which random numbers chance draws; number: which ones the players do. watch: called with every position in
    which somebody chooses, and what is chosen, by seat; it must change nothing.
    """
    made = [player(name, lasting=True) for name in names]
    position, chance = of.start(), Generator(seed, deal)
    dice, decisions, spent = random.Random(f"{seed}/{number}"), 0, [0.0] * len(made)
    while True:
        position.roll_all(chance)
        if position.is_over:
            return position, decisions, spent
        chosen = {}
        for seat in position.actors:
            seen = known_to(position, seat)
            began = clock.perf_counter()
            chosen[seat] = made[seat](seen, seat, dice.getrandbits(63))
            spent[seat] += clock.perf_counter() - began
        after = position.copy()
        after.play_all(chosen)  # before anybody is told of a move that is none
        if watch is not None:
            watch(position, {seat: of.move(move) for seat, move in chosen.items()})
        position = after
        decisions += len(chosen)


def known_to(position: Position, seat: int) -> Position:
    """A position as it is shown to a player who must choose in it: what is hidden from him stays so."""
    return position.view(seat) if position.secrets == "hidden" else position.copy()


# --- what is played ---------------------------------------------------------------------------------------------------


def asked_of(
    players: Sequence[str], of: Game | str, games: int, seats: int | None, seed: int, sprt: Sprt | None
) -> dict[str, Any]:
    """All that decides the games, as it stands at the head of a file."""
    if isinstance(of, str):
        of = game(of, seats_for(of, players) if seats is None else seats)
    if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= 10**9:
        raise InputError(f"must be a whole number from 1 to 1000000000, not {shown(games)}", path="games", value=games)
    if not 0 <= seed < 2**64:
        raise InputError("must be from 0 to 2^64 - 1", path="seed", value=seed)
    if not players:
        raise InputError("a match needs players", path="players")
    for name in players:
        player(name)
    if len(players) > of.players and len(set(players)) < len(players):
        raise InputError("a player is there twice", path="players", value=list(players))
    return {
        "ninefold": 1, "game": of.name, "version": of.core.version, "seats": of.players, "options": dict(of.options),
        "ruleset": msgspec.to_builtins(of.ruleset), "players": list(players), "games": games, "seed": seed,
        "sprt": msgspec.to_builtins(sprt),
    }  # fmt: skip


def seats_for(name: str, players: Sequence[str]) -> int:
    """As many seats as players are named, as far as the game of this name allows it."""
    possible = module(name).players
    return min(max(len(players), possible[0]), possible[-1])


class _Plan:
    """Which games a match has: tables, each with its deals, each of them in all rotations."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked
        seats, count = asked["seats"], len(asked["players"])
        if count > seats:
            self.tables = list(itertools.combinations(range(count), seats))
        else:
            self.tables = [tuple(min(seat, count - 1) for seat in range(seats))]
        self.deals = -(-asked["games"] // seats)
        self.test = None if asked["sprt"] is None else Sprt(**asked["sprt"])
        self.tested = 0  # deals that the test has seen, in their order: so any number of workers gets one verdict
        self.shares: list[float] = []  # of the first player in them

    def __iter__(self) -> Iterator[int]:
        """The numbers of the deals; those of one table lie `len(tables)` apart, so that all of them go on together."""
        return iter(range(self.deals * len(self.tables)))

    def numbers(self, deal: int) -> range:
        """The games of a deal."""
        return range(deal * self.asked["seats"], (deal + 1) * self.asked["seats"])

    def task(self, deal: int) -> tuple[bytes, int, tuple[int, ...], int]:
        """What a worker needs to play a deal."""
        return encoded(self.asked), deal, self.tables[deal % len(self.tables)], deal // len(self.tables)

    def verdict(self, done: Mapping[int, Played]) -> str:
        """Of the sequential test, from the deals up to the first that is missing."""
        while self.test is not None and all(number in done for number in self.numbers(self.tested)):
            games = [done[number] for number in self.numbers(self.tested)]
            self.tested += 1
            self.shares += [share for share, _ in Result(self.asked, games, "").deals(0)]
            if verdict := self.test.verdict(self.shares):
                return verdict
        return ""

    def result(self, done: Mapping[int, Played], stopped: str, verdict: str) -> Result:
        return Result(self.asked, [done[number] for number in sorted(done)], stopped, verdict)


def encoded(asked: dict[str, Any]) -> bytes:
    """What a worker must know of it: `table` makes the game of it."""
    names = ("game", "seats", "options", "ruleset", "players", "seed")
    return msgspec.json.encode({name: asked[name] for name in names})


@lru_cache(maxsize=4)
def table(data: bytes) -> tuple[Game, list[str], int]:
    """Game, players and seed of what `encoded` gave."""
    asked = msgspec.json.decode(data)
    of = game(asked["game"], asked["seats"], options=asked["options"], ruleset=asked["ruleset"])
    return of, asked["players"], asked["seed"]


def _play_deal(task: tuple[bytes, int, tuple[int, ...], int]) -> list[Played]:
    """All rotations of one deal."""
    data, deal, places, dealt = task
    of, names, seed = table(data)
    games = []
    for turn in range(len(places)):
        seats = tuple(places[(seat + turn) % len(places)] for seat in range(len(places)))
        number = deal * len(places) + turn
        end, decisions, spent = play(of, [names[index] for index in seats], seed, dealt, number)
        games.append(
            Played(
                number, seats, tuple(end.scores()), tuple(end.utilities(0)) if len(places) > 1 else (1.0,), decisions,
                tuple(round(seconds, 6) for seconds in spent),
            )
        )  # fmt: skip
    return games


def _finished(
    plan: _Plan, done: dict[int, Played], executor: Executor | None, workers: int, log: Log[Played] | None
) -> Iterator[None]:
    """Play the deals that are missing; `done` has one more whenever this comes back."""
    missing = (deal for deal in plan if not all(number in done for number in plan.numbers(deal)))
    for _, games in spread(_play_deal, map(plan.task, missing), executor=executor, workers=workers):
        for one in games:
            if log is not None and one.number not in done:
                log.add(one)
            done[one.number] = one
        yield


class _Numbered(Protocol):
    @property
    def number(self) -> int: ...


G = TypeVar("G", bound=_Numbered)


class Log(Generic[G]):
    """A file of one line for what was asked and one for each game, in JSON.

    A line is there when its newline is: what a run leaves that is killed, or whose disk is full, is whole up to there.
    """

    def __init__(self, path: str | PathLike[str], asked: dict[str, Any], done: dict[int, G], kind: type[G]) -> None:
        """Read the games that are there into `done`, and open the file for more. kind: of game. Raises InputError."""
        name = fspath(path)
        self.kind = kind
        self.name, self.games, self.size, self.synced = Path(name).name, 0, 0, clock.monotonic()
        with located(file=self.name):
            try:
                self.file = open(name, "a+b", buffering=0)  # noqa: SIM115 (closed by `close`)
                try:
                    self._lock()
                    self._go_on(asked, done)
                    sync_folder(Path(name).parent)
                except BaseException:
                    self.file.close()
                    raise
            except OSError as error:
                raise InputError(f"cannot be used: {error.strerror}") from None

    def _lock(self) -> None:
        """Only one match at a time may write here; where the system has no locks that is up to the user."""
        try:
            import fcntl

            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another match is writing here") from None
        except (ImportError, OSError):
            pass

    def _go_on(self, asked: dict[str, Any], done: dict[int, G]) -> None:
        """Read what is there, and cut off what a run left that was ended while it wrote: that game is played again."""
        self.file.seek(0)
        lines = self.file.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            cut = lines.pop()
            if not lines and cut[: len(_HEAD)] != _HEAD[: len(cut)]:  # not ours: it must not be cut off
                raise InputError("this is no file of a match")
        if lines:
            self._read(lines, asked, done)
        self.size = sum(map(len, lines))
        self.file.truncate(self.size)
        if not lines:
            self._write(asked)
        self.games = max(0, len(lines) - 1)

    def _read(self, lines: Sequence[bytes], asked: dict[str, Any], done: dict[int, G]) -> None:
        try:
            before = msgspec.json.decode(lines[0], type=dict[str, Any])
        except msgspec.DecodeError:
            raise InputError("this is no file of a match") from None
        now = msgspec.json.decode(msgspec.json.encode(asked))
        for what in now:
            if what not in ("games", "sprt") and before.get(what) != now[what]:
                raise InputError(f"these are games of another match: {what} is different")
        for number, line in enumerate(lines[1:], 2):
            try:
                one = msgspec.json.decode(line, type=self.kind)
            except (msgspec.DecodeError, msgspec.ValidationError):
                raise InputError(f"line {number} is no game") from None
            done[one.number] = one

    def add(self, one: G) -> None:
        """Write a game. Raises InputError where that is not possible; the games before it are then in the file."""
        try:
            self._write(one)
            self.games += 1
            if clock.monotonic() - self.synced > _SYNC:
                os.fsync(self.file.fileno())
                self.synced = clock.monotonic()
        except OSError as error:
            said = f"cannot be written: {error.strerror}; {self.games:,} games are in it, and it can go on from there"
            raise InputError(said, file=self.name) from None

    def _write(self, what: object) -> None:
        """A whole line, or nothing of it."""
        line = msgspec.json.encode(what) + b"\n"
        written = 0
        try:
            while written < len(line):  # a disk that becomes full takes a part of it
                written += self.file.write(line[written:])
        except BaseException:
            with suppress(OSError):
                self.file.truncate(self.size)
            raise
        self.size += len(line)

    def close(self) -> None:
        """No more games."""
        with suppress(OSError):  # a device that cannot be asked to
            os.fsync(self.file.fileno())
        self.file.close()


# --- statistics -------------------------------------------------------------------------------------------------------


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean, and half of its 95 % interval; the half of less than two values is infinite."""
    if not values:
        return math.nan, math.inf
    n, mean = len(values), sum(values) / len(values)
    if n < 2:
        return mean, math.inf
    return mean, CONFIDENCE * math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)


def _ratings(games: Sequence[Played], players: int) -> list[tuple[float, float]] | None:
    """Of all players from the games in their order (Plackett-Luce); None without openskill."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    known = [model.rating() for _ in range(players)]
    for one in games:
        # One who sits at the table twice is rated by his first seat.
        seats = {index: seat for seat, index in reversed(list(enumerate(one.seats)))}
        if len(seats) < 2:
            continue
        scores = [one.wins[seat] + 1e-9 * one.points[seat] for seat in seats.values()]
        rated = model.rate([[known[index]] for index in seats], scores=scores)
        for index, team in zip(seats, rated, strict=True):
            known[index] = team[0]
    return [(rating.mu, rating.sigma) for rating in known]
