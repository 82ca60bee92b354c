"""Reviews: what each choice of a played game gave away, and where luck and skill turned it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ninefold._match import known_to
from ninefold.analysis import Analysis, Limit, MoveInfo
from ninefold.errors import InputError, shown, whole
from ninefold.move import Move
from ninefold.position import Position
from ninefold.record import Record
from ninefold.search import finished
from ninefold.trees import CONFIDENCE
from ninefold.work import collect

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Choice", "PlayerReview", "Review", "TurningPoint", "accuracy", "review"]

VISITS = 1000  # of each choice, if no limit is given
AGAIN = 4  # times as long a mistake is looked at again
TURNS = 8  # turning points that are told
SURE = 3.290527 / CONFIDENCE  # halves of a 95 % interval in half of a 99.9 % one, beyond which noise hardly gets
NIL = 1e-9  # what is less is rounding
MIX = 0.05  # smallest share of a move that is told as part of a mix


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One choice of a record, by what its player knew. Values are shares of the win, points where one plays alone.

    step: its number in the record, from 1. about: what the move's notation does not tell, such as the card bid for.
    mix: the answer's moves and their shares, the best first. value: of that answer; worth: of the move chosen, both
    against what the others were expected to do. regret: value - worth, not below 0, and `interval`, its 95 % interval;
    both are 0 for the best move. lost: the regret of a mistake (see `review`), else 0. proven: all of this is exact.
    points: how many points the answer brings beyond the move chosen, and half of the 95 % interval, where known.
    accuracy: 0 to 100. before, after: everybody's value by the answer and by the move chosen. doubt: half of the 95 %
    intervals of value and worth. line: what is expected after the best move.
    """

    step: int
    turn: int  # choices made at once have the same one
    player: int
    move: str
    about: str
    mix: list[tuple[str, float]]
    value: float
    worth: float
    regret: float
    interval: tuple[float, float]
    lost: float
    proven: bool
    points: tuple[float, float] | None
    accuracy: float
    before: list[float]
    after: list[float]
    doubt: tuple[float, float]
    visits: int
    line: list[str]

    @property
    def best(self) -> str:
        """The move that the answer plays most often."""
        return self.mix[0][0]


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A shift of a player's value beyond noise: outside of a 99.9 % interval.

    kind: "choice", his own; "luck", what chance and the others' good moves brought until he chose again. first, last:
    the steps between which it happened. change: of his value; error: half of its 95 % interval. said: the move and the
    one that was better, or the steps.
    """

    player: int
    kind: str
    first: int
    last: int
    change: float
    error: float
    said: str


class PlayerReview(msgspec.Struct, frozen=True, kw_only=True):
    """One player's game. choices: reviewed, those with one legal move apart. mistakes: with a regret beyond noise.

    accuracy: mean of the choices', 0 to 100; None without any. start, end: his value at his first choice and at the end
    (the result; his last value where that is unknown). by_mistakes, by_others, by_luck: what his mistakes, the others'
    mistakes, and everything else changed in between, regrets within noise among it; they add up.
    """

    player: int
    choices: int
    mistakes: int
    accuracy: float | None
    start: float | None
    end: float | None
    by_mistakes: float
    by_others: float
    by_luck: float


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A reviewed record. choices: in the order of its steps, as far as they have been reviewed.

    game, title: its name, and that of its ruleset. players: their number. steps: of the record. result: shares of the
    win (alone: points) at the end, None for an unfinished game. points: at the last step. total: choices that were to
    be reviewed. stopped: all, interrupted, or "" while it goes on. limit: for each choice.
    """

    game: str
    title: str
    players: int
    steps: list[str]
    choices: list[Choice]
    result: list[float] | None
    points: list[int]
    total: int
    stopped: str
    limit: Limit

    @property
    def alone(self) -> bool:
        """Whether values are points."""
        return self.players == 1

    def mistakes(self) -> list[Choice]:
        """The choices with a regret beyond noise, the largest first."""
        return sorted((one for one in self.choices if one.lost), key=lambda one: (-one.lost, one.step))

    def standings(self) -> list[PlayerReview]:
        """Everybody's game."""
        return [self._player(seat) for seat in range(self.players)]

    def turning_points(self) -> list[TurningPoint]:
        """The largest shifts beyond noise, by choice and by luck, the largest first.

        Of shifts by luck at the same time only that of the player whom it moved most is told.
        """
        found = [
            TurningPoint(
                player=one.player, kind="choice", first=one.step, last=one.step, change=-one.regret,
                error=one.interval[1] - one.regret, said=f"{one.move} instead of {one.best}",
            )
            for one in self.mistakes()
        ]  # fmt: skip
        lucks = [
            one for seat in range(self.players) for one in self._lucks(seat) if abs(one.change) > SURE * one.error + NIL
        ]
        for luck in sorted(lucks, key=lambda one: (-abs(one.change), one.first, one.player)):
            if not any(
                other.kind == "luck" and other.first <= luck.last and luck.first <= other.last for other in found
            ):
                found.append(luck)
        return sorted(found, key=lambda one: (-abs(one.change), one.first))[:TURNS]

    def curve(self, player: int) -> list[tuple[int, float]]:
        """A player's value by the number of steps done: before and after each of his choices, and at the end."""
        points: list[tuple[int, float]] = []
        for one in self._of(player):
            points += [(one.step - 1, one.value), (one.step, one.worth)]
        if points and self._whole and self.result is not None:
            points.append((len(self.steps), self.result[player]))
        return points

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data | {
            "standings": msgspec.to_builtins(self.standings()),
            "turning_points": msgspec.to_builtins(self.turning_points()),
        }

    def to_html(self, title: str = "") -> str:
        """A page with tables and the value curve, in one file, under this title. Needs the extra `report`."""
        from ninefold.report import review_html

        return review_html(self, title)

    def to_svg(self) -> str:
        """The value curve with its turning points, as the text of an SVG file."""
        from ninefold.charts import review_svg

        return review_svg(self)

    _repr_svg_ = to_svg  # notebooks show it

    def __rich__(self) -> RenderableType:
        from ninefold.report import review_picture

        return review_picture(self)

    # --- sums ---

    @property
    def _whole(self) -> bool:
        return len(self.choices) == self.total

    def _of(self, player: int) -> list[Choice]:
        return [one for one in self.choices if one.player == player]

    def _stretches(self, player: int) -> Iterator[_Stretch]:
        """What happened between a player's choices, and after the last one."""
        mine = self._of(player)
        for one, after in itertools.zip_longest(mine, mine[1:]):
            if after is None and not (self._whole and self.result is not None):
                return
            last = len(self.steps) if after is None else after.step - 1
            others = [
                other
                for other in self.choices
                if other.player != player and one.turn <= other.turn and (after is None or other.turn < after.turn)
            ]
            given = sum(other.after[player] - other.before[player] for other in others if other.lost)
            value = self.result[player] if after is None and self.result is not None else after.value if after else 0.0
            doubts = [one.doubt[1], 0.0 if after is None else after.doubt[0]]
            doubts += [math.hypot(*other.doubt) for other in others if other.lost]
            yield _Stretch(one, last, value - one.worth - given, given, math.hypot(*doubts))

    def _lucks(self, player: int) -> Iterator[TurningPoint]:
        for one, last, luck, _, error in self._stretches(player):
            between = self.steps[one.step : last]
            if all(step.startswith(f"{player}:") for step in between):
                continue  # nothing happened to him: the search thinks again
            said = ", ".join(between[:4]) + (f" and {len(between) - 4} more" if len(between) > 4 else "")
            yield TurningPoint(
                player=player, kind="luck", first=one.step, last=last, change=luck, error=error, said=said
            )

    def _player(self, player: int) -> PlayerReview:
        mine, stretches = self._of(player), list(self._stretches(player))
        if not mine:
            return PlayerReview(
                player=player, choices=0, mistakes=0, accuracy=None, start=None, end=None, by_mistakes=0.0,
                by_others=0.0, by_luck=0.0,
            )  # fmt: skip
        start, end = mine[0].value, mine[-1].worth
        if len(stretches) == len(mine) and self.result is not None:
            end = self.result[player]
        lost, given = sum(one.lost for one in mine), sum(one.given for one in stretches)
        return PlayerReview(
            player=player, choices=len(mine), mistakes=sum(one.lost > 0 for one in mine),
            accuracy=sum(one.accuracy for one in mine) / len(mine), start=start, end=end, by_mistakes=0.0 - lost,
            by_others=given, by_luck=end - start + lost - given,
        )  # fmt: skip


class _Stretch(NamedTuple):
    """From after one choice of a player to before his next."""

    choice: Choice
    last: int  # step
    luck: float
    given: float  # by others' mistakes
    error: float


def accuracy(lost: float) -> float:
    """How good a choice was, 0 to 100, that lost this share of the win (0 .. 1).

    The curve that lichess fitted to games of chess (https://lichess.org/page/accuracy), there over the per cents of the
    win that a move loses; shifted by a ten-thousandth, so that who loses nothing has 100.
    """
    return max(0.0, 103.1668 * math.exp(-0.04354 * 100 * lost) - 3.1668)


def review(
    record: Record,
    limit: Limit | None = None,
    *,
    players: Iterable[int] | None = None,
    seed: int = 0,
    report: Callable[[Review], None] | None = None,
    executor: Executor | None = None,
    workers: int = 1,
) -> Review:
    """Look at every choice of a record as its player saw it, and say what it gave away.

    limit: for each choice (default: 1,000 visits). players: whose choices; everybody's if not given. seed: the same
    seed and a limit on visits give the same review, on any number of workers. report: called with the review so far
    when there is more of it. executor: any of `concurrent.futures`; workers: processes, if there is none.

    A mistake is a choice whose regret lies outside of its 99.9 % interval, twice: in a search with this limit, and in
    one with four times of it, which gives its numbers. Choices with one legal move are passed over. KeyboardInterrupt
    gives what has been reviewed so far. Raises InputError for a step that is wrong and for players that are not there.
    """
    limit = limit or Limit()
    if limit == Limit():
        limit = Limit(visits=VISITS)
    whole("seed", seed, 0, 2**64 - 1)
    seats = sorted(set(range(record.game.players) if players is None else players))
    for seat in seats:
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < record.game.players:
            last = record.game.players - 1
            raise InputError(f"no player {shown(seat)}: players are 0 to {last}", path="players", value=seat)
    tasks, end = _tasks(record, seats)
    result = None
    if end.is_over:
        result = [float(n) for n in end.scores()] if end.players == 1 else list(end.utilities(0))
    done: dict[int, Choice] = {}

    def so_far(stopped: str) -> Review:
        ready = 0
        while ready in done:
            ready += 1
        return Review(
            game=record.game.name, title=record.game.ruleset.title, players=record.game.players,
            steps=list(record.steps), choices=[done[i] for i in range(ready)], result=result, points=end.scores(),
            total=len(tasks), stopped=stopped, limit=limit,
        )  # fmt: skip

    def take(number: int, choice: Choice) -> None:
        done[number] = choice
        if report is not None:
            report(so_far(""))

    return so_far(collect(_look, ((task, limit, seed) for task in tasks), take, executor=executor, workers=workers))


class _Task(NamedTuple):
    """A choice to be looked at: where it stands, and the position as its player sees it."""

    step: int
    turn: int
    seen: Position
    player: int
    move: Move


def _tasks(record: Record, seats: list[int]) -> tuple[list[_Task], Position]:
    """The choices of these seats among several moves, and the position at the end."""
    found: list[_Task] = []
    turn, waiting, asked = -1, set[int](), Position(record.game)
    *before, end = record.positions()
    for number, (said, position) in enumerate(zip(record.steps, before, strict=True), 1):
        if not position.actors:
            continue
        word, _, text = said.partition(":")
        player = int(word)
        if player not in waiting:
            turn, waiting, asked = turn + 1, set(position.actors), position  # nobody has chosen yet: no secrets more
        waiting.discard(player)
        if player in seats and len(asked.legal(player)) > 1:
            found.append(_Task(number, turn, known_to(asked, player), player, asked.game.move(text)))
    return found, end


def _look(task: tuple[_Task, Limit, int]) -> Choice:
    """What a choice gave away; what seems a mistake is looked at again, longer and with other random numbers."""
    asked, limit, seed = task
    found = _glance(asked, limit, seed)
    if found.lost and not found.proven:
        longer = {name: AGAIN * value for name in ("time", "visits", "nodes") if (value := getattr(limit, name))}
        found = _glance(asked, msgspec.structs.replace(limit, **longer), (seed + 1) % 2**64)
    return found


def _glance(asked: _Task, limit: Limit, seed: int) -> Choice:
    """What a choice gave away, as one search sees it."""
    step, turn, seen, player, move = asked
    answer = finished(seen, limit, player=player, seed=seed, closely=move)
    chosen = next(info for info in answer.moves if info.move == move)
    known = bool(chosen.visits or chosen.bounds)
    doubts = (_half(answer.interval), _half(chosen.interval))
    low, regret, high = _regret(answer, chosen, known=known, doubts=doubts)
    sure = answer.proven or regret > SURE * (high - regret)
    lost = regret if sure and regret > NIL else 0.0
    alone = seen.players == 1
    part = lost / max(abs(answer.value), 1) if alone else lost  # alone: of the points that were to be had
    before = answer.outlook
    return Choice(
        step=step, turn=turn, player=player, move=str(move), about=seen.game.module.gloss(seen, move),
        mix=[(str(info.move), info.share) for info in answer.moves if info.order == 0 or info.share >= MIX],
        value=answer.value, worth=chosen.value if known else answer.value, regret=regret, interval=(low, high),
        lost=lost, proven=answer.proven, points=_points(answer, chosen), accuracy=accuracy(part), before=before,
        after=list(chosen.win or [chosen.value]) if known else before,
        doubt=doubts if known else (doubts[0], doubts[0]), visits=answer.visits, line=answer.moves[0].line,
    )  # fmt: skip


def _half(interval: tuple[float, float]) -> float:
    return (interval[1] - interval[0]) / 2


def _regret(
    answer: Analysis, chosen: MoveInfo, *, known: bool, doubts: tuple[float, float]
) -> tuple[float, float, float]:
    """Least, likeliest and largest regret of a move. Where it was never tried, nothing but the bounds is known."""
    if chosen.share > 1 - NIL:
        return 0.0, 0.0, 0.0
    if not known:
        return 0.0, 0.0, answer.value if answer.objective == "win" else math.inf
    regret, half = answer.value - chosen.value, math.hypot(*doubts)
    if answer.proven and regret < NIL:
        return 0.0, 0.0, 0.0
    return max(0.0, regret - half), max(0.0, regret), max(0.0, regret + half)


def _points(answer: Analysis, chosen: MoveInfo) -> tuple[float, float] | None:
    """How many points the answer's mix brings beyond the move chosen, and half of the interval."""
    parts = [(info.share, info) for info in answer.moves if info.share > NIL] + [(-1.0, chosen)]
    change = variance = 0.0
    for weight, info in parts:
        if info.score_mean is None or info.score_stdev is None or not info.visits:
            return None
        change += weight * info.score_mean[answer.player]
        variance += (weight * info.score_stdev[answer.player]) ** 2 / info.visits
    if chosen.share > 1 - NIL:
        return 0.0, 0.0
    return change, CONFIDENCE * math.sqrt(variance)
