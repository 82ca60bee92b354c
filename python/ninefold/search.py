"""The best move: an exact solution where the rest of the game is small enough, else Monte Carlo tree search."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, TypedDict, Unpack

import msgspec

from ninefold.analysis import OBJECTIVES, Analysis, Limit, MoveInfo, Opponent, Reply
from ninefold.core.search import matrix
from ninefold.core.search.expectimax import Solver
from ninefold.errors import InputError, choice, shown, whole
from ninefold.memory import default_memory
from ninefold.move import Move
from ninefold.trees import (
    CONFIDENCE,
    Gathered,
    Grown,
    Kept,
    Merged,
    Trees,
    divided,
    half_width,
    largest,
    moments,
    weighted,
)
from ninefold.work import spread

if TYPE_CHECKING:
    from ninefold.position import Position

__all__ = ["analyses", "best", "calibration", "finished"]

SLICE = 0.03  # seconds between two looks at clock and keyboard
MOST_TREES = 256
EXACT_SHARE = 0.5  # of the time, where one is given
EXACT_CHUNK = 5_000  # nodes between two looks at clock and keyboard
ESTIMATES = 4_000  # visits that estimate points beside a proven value


class Options(TypedDict, total=False):
    """What `best` and `analyses` take by keyword, all of it optional."""

    player: int | None  # for whom; the first who must choose if not given
    objective: str | None  # "win" (default for two and more players), "margin" or "score" (default alone)
    opponent: str | Opponent | None  # how the others choose, see `best`
    algorithm: str | None  # "duct" or "rm"
    exploration: float | None  # the algorithm's constant
    rollout: float | None  # temperature of the playouts in points
    guesses: float | None  # visits that the game's quick guess of a move counts as
    halving: int | None  # visits up to which sequential halving shares them among the moves
    horizon: int | None  # turns after which a playout ends in an estimate
    leaves: int | None  # rest of the game whose exact value stands for a playout
    observer: str | None  # whose knowledge tells hidden positions apart: "multiple" or "single"
    threads: int | None  # trees searched at once and merged
    seed: int
    memory: int | None  # bytes for trees and tables
    exact: bool  # solve to the end where that is small enough
    closely: Move | int | str | None  # a move that every fifth visit tries, whatever it seems worth


def best(
    position: Position,
    limit: Limit | None = None,
    *,
    report: Callable[[Analysis], None] | None = None,
    executor: Executor | None = None,
    workers: int = 1,
    **options: Unpack[Options],
) -> Analysis:
    """What a player should do here.

    limit: when to stop (default: two seconds). player: for whom; the first who must choose if not given. objective:
    "win" (default for two and more players), "margin" or "score" (default alone). opponent: how the others choose:
    "self", "softmax:T", "uniform", or a mixture (default: what suits the game, mostly "self" for two players and
    "softmax:1" beyond). algorithm: "duct" or "rm"; exploration: its constant. rollout: temperature in points at which
    playouts follow the game's quick guess, 0 for uniform playouts (default: the opponent model's, or what suits the
    game). guesses: visits that this guess counts as where a move is chosen, 0: every move is tried (default: what
    suits the game). halving: a limit of no more visits than so many is shared among the moves by sequential halving,
    where the others choose at other times or follow a model; 0: none is (default: what suits the game). horizon: turns
    after which a playout ends in what the game estimates, where it can, more of them after more visits; 0: all are
    played to the end (default: what suits the game). leaves: up to this rest of the game (`Position.rest`) playouts
    give way to exact values, where two search for themselves and nothing is hidden; -1: never (default: what suits the
    game). observer: whose knowledge tells positions apart where players know different things: "multiple", that of
    whoever chooses, or "single", always that player's (default: what suits the game). threads: trees searched at once
    and merged. seed: the same seed, threads and limit on visits give the same answer. memory: bytes for trees and
    tables (default: a quarter of what is free, at most 1 GiB). exact: solve to the end where that is small enough.
    closely: a move that every fifth visit tries, so that its worth is known however bad it seems. report: called a few
    times a second with the answer so far. executor: any of `concurrent.futures`, or workers: so many processes; they
    search the trees, threads of them or, if that is not given, as many as workers, and the answer is that of as many
    threads; it grows when a tree is ready, and
    cannot be limited by `separated`.

    KeyboardInterrupt stops the search and gives the answer so far, if there is one. Raises InputError for bad arguments
    and for a position in which this player has nothing to choose, and NinefoldError where workers are lost again and
    again.
    """
    latest: Analysis | None = None
    try:
        for latest in analyses(position, limit, executor=executor, workers=workers, **options):
            if report is not None and not latest.stopped:
                report(latest)
    except KeyboardInterrupt:
        if latest is None:
            raise
        return _stopped(latest, "interrupted")
    assert latest is not None
    return latest


def finished(
    position: Position, limit: Limit | None = None, *, kept: Kept | None = None, **options: Unpack[Options]
) -> Analysis:
    """As `best`, but KeyboardInterrupt goes through: for a question among many, all of which Ctrl-C shall end.

    kept: the trees of earlier questions, from which this one goes on.
    """
    *_, answer = analyses(position, limit, kept=kept, **options)
    return answer


def analyses(
    position: Position,
    limit: Limit | None = None,
    *,
    interval: float = 0.25,
    executor: Executor | None = None,
    workers: int = 1,
    kept: Kept | None = None,
    **options: Unpack[Options],
) -> Iterator[Analysis]:
    """As `finished`, but yields the answer so far every `interval` seconds; `stopped` is "" until the last one."""
    limit = limit or Limit()
    if limit == Limit():
        limit = Limit(time=2.0)
    elsewhere = executor is not None or whole("workers", workers, 1, 10_000) > 1
    if elsewhere and limit.separated is not None:
        raise InputError("is seen only where all trees are: not with workers", path="limit.separated")
    if elsewhere and options.get("threads") is None:
        options["threads"] = min(workers, MOST_TREES)
    asked = Question(position, limit, **options)
    began = clock.perf_counter()
    if asked.exact and asked.opponent.searches and _solvable(asked):
        yield from _exact(asked, began, interval)
        if asked.proven is not None:
            return
    if elsewhere:
        yield from _gathered(asked, options, began, executor, workers)
    else:
        yield from _sampled(asked, Trees(asked) if kept is None else kept.go_on(asked), began, interval)


class Question:
    """The arguments of `best`, checked and completed."""

    def __init__(
        self,
        position: Position,
        limit: Limit,
        *,
        player: int | None = None,
        objective: str | None = None,
        opponent: str | Opponent | None = None,
        algorithm: str | None = None,
        exploration: float | None = None,
        rollout: float | None = None,
        guesses: float | None = None,
        halving: int | None = None,
        horizon: int | None = None,
        leaves: int | None = None,
        observer: str | None = None,
        threads: int | None = None,
        seed: int = 0,
        memory: int | None = None,
        exact: bool = True,
        closely: Move | int | str | None = None,
    ) -> None:
        self.position = position
        self.limit = limit
        self.exact = exact
        if position.is_over:
            raise InputError("the game is over: there is nothing to choose")
        if not position.actors:
            raise InputError("chance moves here: there is nothing to choose")
        self.player = position.actors[0] if player is None else player
        if not isinstance(self.player, int) or not 0 <= self.player < position.players:
            raise InputError(
                f"no player {shown(player)}: players are 0 to {position.players - 1}", path="player", value=player
            )
        self.objective = choice("objective", objective or ("win" if position.players > 1 else "score"), OBJECTIVES)
        if isinstance(opponent, str):
            opponent = Opponent.parse(opponent)
        self.tuning = tuning = position.game.module.tuning
        usual = tuning.table if position.players > 2 else tuning.pair if position.players == 2 else "self"
        self.opponent = opponent or Opponent.parse(usual)
        measured = tuning.calibration if position.players == 2 else tuning.table_calibration
        self.calibration = measured if self.objective == "win" and str(self.opponent) == usual else ()
        default = "duct" if position.players <= 2 or not self.opponent.searches else "rm"
        self.algorithm = choice("algorithm", algorithm or default, ("duct", "rm"))
        explored = tuning.duct if position.players > 1 or tuning.duct_alone is None else tuning.duct_alone
        usual_constant = explored if self.algorithm == "duct" else tuning.rm
        self.exploration = usual_constant if exploration is None else exploration
        if rollout is None:
            rollout = tuning.rollout if self.opponent.searches else self.opponent.rollout
        if not 0 <= rollout <= 1000:
            raise InputError(f"must be from 0 to 1000 points, not {shown(rollout)}", path="rollout", value=rollout)
        self.rollout = rollout
        usual_guesses = tuning.guesses if position.players > 1 else tuning.guesses_alone
        self.guesses = usual_guesses if guesses is None else guesses
        self.point = tuning.point if position.players > 1 else 1.0
        self.learning = tuning.learning_alone if position.players == 1 else 0.0
        if not 0 <= self.guesses <= 1e6:
            raise InputError(f"must be from 0 to 1000000, not {shown(guesses)}", path="guesses", value=guesses)
        most = whole("halving", tuning.halving if halving is None else halving, 0, 1_000_000)
        self.horizon = whole("horizon", tuning.horizon if horizon is None else horizon, 0, 1000)
        self.leaves = whole("leaves", tuning.leaves if leaves is None else leaves, -1, 1000)
        self.observer = choice("observer", observer or tuning.observer, ("multiple", "single"))
        self.threads = whole("threads", 1 if threads is None else threads, 1, MOST_TREES)
        self.seed = whole("seed", seed, 0, 2**64 - 1)
        least = max(1 << 21, self.threads << 20)  # a tree needs a MiB
        self.memory = whole("memory", default_memory(least) if memory is None else memory, least, 1 << 50)
        world = position.copy()
        if world.secrets == "hidden":  # choices already made in secret are taken back: the others choose again
            from ninefold.core.rules import Generator

            world.resample(self.player, Generator(self.seed))
        if self.player not in world.actors:
            raise InputError(f"player {self.player} has nothing to choose here", path="player", value=player)
        self.actors = world.actors
        self.moves: list[Move] = world.legal(self.player)
        self.closely = -1
        if closely is not None:
            move = position.game.move(closely)
            if move not in self.moves:
                raise InputError(f"player {self.player} cannot play {move} here", path="closely", value=closely)
            self.closely = self.moves.index(move)
        alone = len(self.actors) == 1 or all(temperature >= 0 for _, temperature in self.opponent.parts)
        suits = position.players > 1 and alone and self.threads == 1 and self.algorithm == "duct" and closely is None
        self.halving = limit.visits if suits and limit.visits is not None and limit.visits <= most else 0
        self.world = world
        self.plain = position.game.module.without_secrets(position, self.player)  # what the solver is asked about
        self.unseen = list(position.game.module.unseen(position, self.player))
        self.proven: Analysis | None = None


def _stopped(answer: Analysis, why: str) -> Analysis:
    return msgspec.structs.replace(answer, stopped=why)


# --- exact ------------------------------------------------------------------------------------------------------------


def _solvable(asked: Question) -> bool:
    position = asked.plain
    return (
        position.players <= 2
        and asked.objective != ("score" if position.players == 2 else "win")
        and position.secrets == "perfect"
        and position.rest is not None
        and position.rest <= asked.tuning.exact_rest
    )


def _exact(asked: Question, began: float, interval: float) -> Iterator[Analysis]:
    """Try to solve the position within its share of the limit; sets `asked.proven` if that succeeds."""
    limit = asked.limit
    aside = max(1 << 20, asked.memory // 4)  # for the tree of the estimates
    solver = Solver(asked.plain, OBJECTIVES.index(asked.objective), memory=asked.memory - aside)
    trees = Trees(asked, [0], aside)
    trees.run(ESTIMATES)
    estimate = _answer(asked, trees, began, "")
    yield estimate  # so that there is an answer if the solver is interrupted
    shown_at = clock.perf_counter()
    deadline = began + limit.time * EXACT_SHARE if limit.time else math.inf
    nodes = asked.tuning.exact_nodes if not limit.time else math.inf
    while not solver.advance(EXACT_CHUNK):
        now = clock.perf_counter()
        if now > deadline or solver.nodes > nodes:
            return
        if now - shown_at >= interval:
            yield estimate
            shown_at = now
    asked.proven = _proven(asked, solver, trees, began)
    yield asked.proven


def _proven(asked: Question, solver: Solver, trees: Trees, began: float) -> Analysis:
    """The answer from the solved position; points are estimated beside it, by sampling."""
    me, wins = asked.player, asked.objective == "win"
    payoff = solver.payoff()
    if me == 1:  # the solver speaks for player 0: the other's share, or margin, is what is left
        payoff = [[(1.0 if wins else 0.0) - row[j] for row in payoff] for j in range(len(payoff[0]))]
    worth, mix, reply = matrix.solve(payoff)
    rival = 1 - me if len(asked.actors) == 2 else None
    replies = asked.world.legal(rival) if rival is not None else []
    moves = []
    for i, move in enumerate(asked.moves):
        value = sum(share * cell for share, cell in zip(reply, payoff[i], strict=True))
        mean, deviation = trees.points(i, reply) if asked.position.players > 1 else ([value], None)
        win = [value, 1 - value] if me == 0 else [1 - value, value]
        answer = {rival: largest(replies, reply)} if rival is not None else {}
        moves.append(
            MoveInfo(
                move=move, order=0, share=mix[i], visits=0, value=value, interval=(value, value), lcb=value,
                bounds=(value, value), win=win if wins else None, score_mean=mean, score_stdev=deviation,
                line=trees.line(move, answer),
            )
        )  # fmt: skip
    return Analysis(
        player=me, objective=asked.objective, opponent=str(asked.opponent), moves=_ordered(moves), value=worth,
        interval=(worth, worth), proven=True, stopped="proven", visits=0, nodes=solver.nodes, memory=solver.memory,
        full=solver.full,
        time=clock.perf_counter() - began, seed=asked.seed, threads=1,
        replies=_likely([Reply(1 - me, move, share) for move, share in zip(replies, reply, strict=False)]),
        exploitability=matrix.exploitability(payoff, mix, reply) if asked.position.players > 1 else None,
        unseen=asked.unseen,
    )  # fmt: skip


# --- sampled ----------------------------------------------------------------------------------------------------------


def _sampled(asked: Question, trees: Trees, began: float, interval: float) -> Iterator[Analysis]:
    limit = asked.limit
    chunk, shown_at = 256 * asked.threads, 0.0  # the first answer comes at once
    try:
        while True:
            left = limit.visits - trees.visits if limit.visits is not None else chunk
            if limit.nodes is not None:  # a visit adds one node, seldom more
                left = min(left, max(1, limit.nodes - trees.nodes))
            before = clock.perf_counter()
            trees.run(min(chunk, left))
            now = clock.perf_counter()
            chunk = max(64 * asked.threads, min(2 * chunk, int(chunk * SLICE / max(now - before, 1e-6))))
            why = _why_stop(asked, trees, now - began)
            if (
                not why
                and limit.separated is not None
                and _separated(_answer(asked, trees, began, ""), limit.separated)
            ):
                why = "separated"
            if why or now - shown_at >= interval:
                yield _answer(asked, trees, began, why, lines=True)
                shown_at = now
            if why:
                return
    finally:
        trees.close()


def _gathered(
    asked: Question, options: Options, began: float, executor: Executor | None, workers: int
) -> Iterator[Analysis]:
    """One task for each tree, which has its part of the visits and nodes, and of the time if some must wait."""
    limit, count = asked.limit, asked.threads
    same: Options = {**options, "player": asked.player, "threads": count, "memory": asked.memory}
    parts: list[dict[str, float]] = [
        {name: divided(most, count)[stream] for name in ("visits", "nodes") if (most := getattr(limit, name))}
        for stream in range(count)
    ]
    if limit.time is not None:
        left = (limit.time - clock.perf_counter() + began) / math.ceil(count / workers)
        parts = [{**part, "time": max(left, 0.001)} for part in parts]
    tasks = [
        (asked.position, Limit(**part), same, stream)  # type: ignore[arg-type]
        for stream, part in enumerate(parts)
        if all(part.values())  # a part of nothing is no tree
    ]
    grown: dict[int, Grown] = {}
    work = spread(_grow, tasks, executor=executor, workers=workers)
    try:
        for number, tree in work:
            grown[number] = tree
            trees = Gathered(asked, [grown[stream] for stream in sorted(grown)])
            yield _answer(asked, trees, began, tree.stopped if len(grown) == len(tasks) else "", lines=True)
    finally:
        work.close()


def _grow(task: tuple[Position, Limit, Options, int]) -> Grown:
    """One tree of a question."""
    position, limit, options, stream = task
    asked = Question(position, limit, **options)
    trees = Trees(asked, [stream])
    *_, answer = _sampled(asked, trees, clock.perf_counter(), math.inf)
    lines = {info.move: info.line for info in answer.moves}
    return trees.grown([lines[move] for move in asked.moves], answer.stopped)


def _why_stop(asked: Question, trees: Trees, elapsed: float) -> str:
    limit = asked.limit
    if limit.visits is not None and trees.visits >= limit.visits:
        return "visits"
    if limit.time is not None and elapsed >= limit.time:
        return "time"
    if limit.nodes is not None and trees.nodes >= limit.nodes:
        return "nodes"
    return ""


def _answer(asked: Question, trees: Merged, began: float, why: str, *, lines: bool = False) -> Analysis:
    """The answer from the statistics so far.

    Against one rival who searches for himself: the equilibrium of the matrix of mean values. Against others who do:
    the share of each move in the tree. Against a model: the move of the highest mean, a best response.
    """
    trees.merge()
    payoff = trees.means()
    replies: list[Reply] = []
    exploitability = None
    reply = [1.0]
    if trees.rival is not None:
        _, mix, reply = matrix.solve(payoff)
        replies = [
            Reply(trees.rival, move, share) for move, share in zip(asked.world.legal(trees.rival), reply, strict=True)
        ]
        exploitability = _given_away(asked, trees, payoff, mix, reply)
    elif asked.opponent.searches and len(asked.actors) > 1:
        mix = trees.shares()
        for actor in asked.actors:
            if actor != asked.player and (shares := trees.shares(None, actor)):
                replies += [Reply(actor, m, s) for m, s in zip(asked.world.legal(actor), shares, strict=True)]
    else:
        top = trees.likeliest()
        mix = [float(i == top) for i in range(len(payoff))]
    moves = []
    other = 1.0 if asked.objective == "win" else max(1.0, trees.variance())
    for i, move in enumerate(asked.moves):
        row = trees.cells[i * trees.width : (i + 1) * trees.width]
        value = sum(share * mean for share, mean in zip(reply, payoff[i], strict=True))
        error = half_width(row, reply, other)
        win = weighted(row, reply, 3)
        if asked.objective == "win" and asked.position.players == 2 and win is not None:
            win[asked.player], win[1 - asked.player] = value, 1 - value
        mean, deviation = moments(row, reply)
        favourite = {trees.rival: largest(asked.world.legal(trees.rival), reply)} if trees.rival is not None else {}
        moves.append(
            MoveInfo(
                move=move, order=0, share=mix[i] if mix else 0.0, visits=int(sum(cell[0] for cell in row)), value=value,
                interval=(value - error, value + error), lcb=value - error, win=win, score_mean=mean,
                score_stdev=deviation, line=trees.line(move, favourite) if lines else [],
            )
        )  # fmt: skip
    if asked.calibration and trees.visits:
        slope, offset = calibration(asked.calibration, trees.visits)
        moves = [_calibrated(info, asked.player, slope, offset) for info in moves]
    value = sum(info.share * info.value for info in moves)
    error = math.sqrt(sum((info.share * (info.value - info.lcb)) ** 2 for info in moves if info.share))
    return Analysis(
        player=asked.player, objective=asked.objective, opponent=str(asked.opponent), moves=_ordered(moves),
        value=value, interval=(value - error, value + error), proven=False, stopped=why, visits=trees.visits,
        nodes=trees.nodes, memory=trees.bytes,
        time=clock.perf_counter() - began, seed=asked.seed, threads=asked.threads, replies=_likely(replies),
        exploitability=exploitability, full=any(tree.full for tree in trees.trees), unseen=asked.unseen,
    )  # fmt: skip


def calibration(measured: Sequence[tuple[int, float, float]], visits: int) -> tuple[float, float]:
    """Slope and offset of win chances after so many visits: between the measured ones by their logarithm."""
    after = next((i for i, (count, *_) in enumerate(measured) if count >= visits), len(measured))
    if after in (0, len(measured)):
        return measured[min(after, len(measured) - 1)][1:]
    (count, slope, offset), (more, steeper, other) = measured[after - 1 : after + 1]
    part = math.log(visits / count) / math.log(more / count)
    return slope + (steeper - slope) * part, offset + (other - offset) * part


def _calibrated(info: MoveInfo, player: int, slope: float, offset: float) -> MoveInfo:
    """A move with win chances as they come true (Platt 1999): log odds times slope plus offset.

    Playouts play worse than a search does that goes on, and let leads slip; and who takes the others to play worse
    than he does hopes for too much. Visits that were all won, or all lost, count as if half a visit more had gone the
    other way. The others' chances change in proportion.
    """
    least = 0.5 / (info.visits + 1) if info.visits else 0.0

    def true(chance: float) -> float:
        inside = min(max(chance, least), 1 - least)
        odds = math.exp(offset) * inside**slope
        return float(odds / (odds + (1 - inside) ** slope))

    low, high = info.interval
    win = info.win
    if win is not None:
        before, own = 1 - win[player], true(win[player])
        parts = [chance / before if before > 0 else 1 / (len(win) - 1) for chance in win]
        win = [own if seat == player else (1 - own) * part for seat, part in enumerate(parts)]
    return msgspec.structs.replace(
        info, value=true(info.value), interval=(true(low), true(high)), lcb=true(info.lcb), win=win
    )


def _given_away(
    asked: Question, trees: Merged, payoff: list[list[float]], mix: list[float], reply: list[float]
) -> float | None:
    """How much mix and reply give away together in the sampled matrix, where one player's loss is the other's gain."""
    if asked.position.players != 2 or asked.objective == "score":
        return None
    return matrix.exploitability(payoff, mix, reply)


def _separated(answer: Analysis, confidence: float) -> bool:
    """Whether the first move's interval at this confidence lies above every other's, and it is the whole answer."""
    from statistics import NormalDist

    first, *others = answer.moves
    factor = NormalDist().inv_cdf(0.5 + confidence / 2) / CONFIDENCE
    low = first.value - factor * (first.value - first.lcb)
    return first.share > 0.999 and all(low > info.value + factor * (info.value - info.lcb) for info in others)


def _likely(replies: list[Reply]) -> list[Reply]:
    return sorted((reply for reply in replies if reply.share > 1e-9), key=lambda reply: (reply.player, -reply.share))


def _ordered(moves: list[MoveInfo]) -> list[MoveInfo]:
    ranked = sorted(moves, key=lambda info: (-round(info.share, 9), -info.value))
    return [msgspec.structs.replace(info, order=i) for i, info in enumerate(ranked)]
