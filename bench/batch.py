"""Batches: random stepping of many games at once beside a Python loop over positions, in one run.

python -m bench.batch [--threads N]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import ninefold as nf
from ninefold.batch import Batch
from ninefold.bench import rate
from ninefold.compare import loop
from ninefold.games import NAMES, module

ROWS = 1000


def step(batch: Batch, decisions: int) -> None:
    """So many choices of single players, all at random, and the chance between them."""
    moves = batch.sample()
    while decisions > 0:
        decisions -= int((moves >= 0).sum())
        batch.step(moves)
        batch.sample(moves)


def each(work: Callable[[], object], rows: int) -> None:
    for _ in range(0, rows, ROWS):
        work()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1, help="measure so many, by wall time: for a quiet machine")
    threads = parser.parse_args().threads
    clock = time.process_time if threads == 1 else time.perf_counter
    kind = "CPU" if threads == 1 else "wall"
    print(f"thousands a second, {ROWS} games at once, {threads} thread{'s' * (threads > 1)}, {kind} time")
    print("game         random decisions: batch   Python loop   ratio    masks   observations   playouts")
    for name in NAMES:
        for players in module(name).players:
            game = nf.game(name, players)
            batch = game.batch(ROWS, seed=1, threads=threads, auto_reset=True)
            step(batch, 20_000)
            masks, seen = batch.legal_mask(), batch.observe()
            fast = rate(partial(step, batch), 300_000, 5, clock)
            slow = rate(partial(loop, game), 30_000, 5, clock)
            mask = rate(partial(each, partial(batch.legal_mask, masks)), 20 * ROWS, 3, clock)
            observe = players * rate(partial(each, partial(batch.observe, None, seen)), 10 * ROWS, 3, clock)
            playouts = rate(partial(each, partial(batch.playouts, 1)), 5 * ROWS, 3, clock)
            print(
                f"{name:10} {players}{fast / 1e3:25,.0f}{slow / 1e3:14,.0f}{fast / slow:8.1f}{mask / 1e3:9,.0f}"
                f"{observe / 1e3:15,.0f}{playouts / 1e3:11,.0f}"
            )


if __name__ == "__main__":
    main()
