"""How fast is it here, and is it the same program? Fixed work, timed, and a signature of all that was decided."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from ninefold._game import game, game_names
from ninefold.core import rules
from ninefold.core.search.expectimax import Solver
from ninefold.core.search.mcts import Search
from ninefold.games import module
from ninefold.position import Position

__all__ = ["Measurement", "amount", "measure", "per_second", "rate", "signature"]

SEED = 1
VISITS = 5_000  # of each search that the signature is made of
ENDGAMES = 3  # positions solved for the signature, of each game that can be solved
REST = 4  # how much of the game is left in them
SECONDS = 0.25  # of each timing


class Measurement(msgspec.Struct, frozen=True):
    """One timing: of what, how much of it a second, and the unit."""

    game: str
    players: int
    what: str
    rate: float
    unit: str


def signature() -> str:
    """16 hexadecimal digits that are the same on every machine, compiler and Python, until play or search changes.

    Made of the nodes of fixed searches in the order in which they came to be, of fixed playouts and of solved endgames.
    """
    digest = hashlib.sha256()
    for name in game_names():
        for players in module(name).players:
            position = game(name, players).deal(SEED)
            digest.update(repr(rules.playouts(position, 200, SEED)).encode())
            for algorithm in ("duct", "rm"):
                search = Search(position, position.actors[0], algorithm=algorithm, exploration=1.0, seed=SEED)
                search.run(VISITS)
                digest.update(f"{search.nodes} {search.trace}".encode())
            if players > 1:
                search = Search(position, position.actors[0], rollout=1.0, model=[(1.0, 1.0)], seed=SEED)
                search.run(VISITS // 5)
                digest.update(f"{search.nodes} {search.trace}".encode())
        for endgame in _endgames(name):
            digest.update(f"{_solved(endgame).nodes}".encode())
    return digest.hexdigest()[:16]


def _endgames(name: str) -> Iterator[Position]:
    """Positions near the end of random two-player games that can be solved exactly."""
    if 2 not in module(name).players:
        return
    generator = rules.Generator(SEED, 2)
    start = game(name, 2).start()
    if start.secrets != "perfect" or start.rest is None:
        return
    found = 0
    while found < ENDGAMES:
        position = start.copy()
        position.roll_all(generator)
        while (position.rest or 0) > REST and not position.is_over:
            for player in position.actors:
                position.apply(player, generator.choice(position.legal(player)))
            position.roll_all(generator)
        if position.rest == REST and not position.is_over:
            found += 1
            yield position


def _solved(position: Position) -> Solver:
    solver = Solver(position, 1, memory=1 << 26)
    while not solver.advance(20_000):
        pass
    return solver


def measure(progress: Callable[[str], None] = lambda what: None) -> Iterator[Measurement]:
    """Time everything, each thing for a quarter of a second and three times; the best of them counts."""
    for name in game_names():
        for players in module(name).players:
            progress(f"{name}, {players} players")
            start = game(name, players).start()
            dealt = game(name, players).deal(SEED)
            steps = rules.walks(start, 100, SEED) / 100
            timings: list[tuple[str, str, float, Callable[[int], object]]] = [
                ("random games", "games/s", 1, partial(_play, start)),
                ("steps through the table", "steps/s", steps, partial(_walk, start)),
                ("copies", "copies/s", 1, partial(rules.clones, start)),
                ("tree search", "visits/s", 1, partial(_search, dealt)),
            ]
            for what, unit, scale, work in timings:
                yield Measurement(name, players, what, scale * per_second(work, SECONDS), unit)


def _play(start: Position, n: int) -> None:
    rules.playouts(start, n, SEED)


def _walk(start: Position, n: int) -> None:
    rules.walks(start, n, SEED)


def _search(position: Position, n: int) -> None:
    Search(position, position.actors[0], seed=SEED).run(n)


def per_second(
    work: Callable[[int], object], seconds: float, repeats: int = 3, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Units of work a second, of so much work that it takes about so many seconds: the best of a few repeats."""
    return rate(work, amount(work, seconds, clock), repeats, clock)


def amount(work: Callable[[int], object], seconds: float, clock: Callable[[], float] = time.perf_counter) -> int:
    """So much work that it takes about so many seconds."""
    n, took = 1, 0.0
    while took < seconds / 8:
        n *= 4
        took = _timed(work, n, clock)
    return max(1, int(n * seconds / took))


def rate(
    work: Callable[[int], object], n: int, repeats: int = 5, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Units of work a second: n of them, the best of a few repeats."""
    return n / min(_timed(work, n, clock) for _ in range(repeats))


def _timed(work: Callable[[int], object], n: int, clock: Callable[[], float]) -> float:
    started = clock()
    work(n)
    return max(clock() - started, 1e-9)
