"""Kill -9 at random moments: a solve or a match that is killed again and again comes to the same answer.

    python -m tests.kills [KILLS] [--seed N]

Each run goes on from what the one before it left. After every kill the file must be whole: a checkpoint that loads, a
match's file in which every line that ends is a game. The searches write their checkpoint after every slice, so that
many kills come while it is written.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

import ninefold as nf
from ninefold import _solve
from ninefold._match import Played
from ninefold.solvers import Solving
from tests.shell import ROOT

__all__ = ["kill_matches", "kill_solves"]

PUZZLES = ("coney/open-04.toml", "donuts-2p-endgame.toml", "coney/open-06.toml", "territory/open-06.toml")
ROUNDING = 1e-9  # of backward induction
NAMES = ["mcts:visits=30", "softmax:1"]


class Tally(NamedTuple):
    """What happened: kills, of which so many left a draft behind, and runs that came to their end."""

    kills: int
    drafts: int
    ends: int


def kill_solves(kills: int, folder: Path, *, seed: int = 0, puzzles: Sequence[str] = PUZZLES) -> Tally:
    """Kill solves until so many are killed; every answer that comes must be the proven one."""
    rng, count, drafts, ends = random.Random(seed), 0, 0, 0
    while count < kills:
        name = puzzles[ends % len(puzzles)]
        what = nf.read(ROOT / "examples" / name)
        assert isinstance(what, (nf.Puzzle, nf.Position))
        truth = nf.solve(what).value
        assert truth is not None
        file, answer = folder / f"{ends}.checkpoint", folder / f"{ends}.json"
        nodes, longest = 0, 0.1

        while killed(partial(solve, what, file, answer, 1 + count % 2), rng.uniform(0, longest)):
            count += 1
            if file.exists():
                before = nf.solve(what, nf.Limit(nodes=1), checkpoint=file, memory=1 << 25)
                assert before.nodes >= nodes, "nothing is lost that was written"
                longest *= 1 if before.nodes > nodes else 1.3  # it must come on
                nodes = before.nodes
                assert (before.lower or 0) - ROUNDING <= truth <= (before.upper or 99) + ROUNDING
            left = list(folder.glob(f"{ends}.*.draft"))
            drafts += len(left)
            for draft in left:
                draft.unlink()
        value, line, remarks = msgspec.json.decode(answer.read_bytes())
        assert abs(value - truth) < ROUNDING
        assert not remarks
        if isinstance(what, nf.Puzzle):
            assert what.replay(line) == value
        ends += 1
    return Tally(count, drafts, ends)


def solve(what: nf.Puzzle | nf.Position, file: Path, answer: Path, workers: int) -> None:
    """Solve on, and write the answer to a file."""
    _solve.SAVE, Solving.slice = 0.0, 5
    found = nf.solve(what, checkpoint=file, memory=1 << 25, workers=workers)
    answer.write_bytes(msgspec.json.encode([found.value, found.line, found.remarks]))


def kill_matches(kills: int, folder: Path, *, seed: int = 0, workers: int = 1, number: int = 200) -> Tally:
    """Kill matches until so many are killed; each file must come to hold the games of a match that was left alone."""
    rng, count, ends = random.Random(seed), 0, 0
    alone = games(nf.match(NAMES, "donuts", number, seed=seed))
    while count < kills:
        file = folder / f"{ends}.jsonl"
        done, longest = 0, 0.15 if workers == 1 else 1.5
        run = partial(nf.match, NAMES, "donuts", number, seed=seed, file=file, workers=workers)
        while killed(run, rng.uniform(0, longest)):
            count += 1
            lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
            whole = [line for line in lines if line.endswith(b"\n")]
            assert len(whole) >= len(lines) - 1
            assert len(whole) >= done, "nothing is lost that was written"
            longest *= 1 if len(whole) > done else 1.3
            done = len(whole)
            for line in whole[1:]:
                msgspec.json.decode(line, type=Played)
        assert games(nf.match(NAMES, "donuts", number, seed=seed, file=file)) == alone
        ends += 1
    return Tally(count, 0, ends)


def games(result: nf.Result) -> list[Played]:
    """Without their times."""
    return [msgspec.structs.replace(one, seconds=()) for one in result.games]


def killed(run: Callable[[], object], seconds: float) -> bool:
    """Let a child run for so long, then kill it. Returns whether it had to be killed. A child must not fail."""
    child = os.fork()
    if child == 0:
        told = os.dup(2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what Python's own helpers say when their parent is gone
        try:
            run()
        except BaseException:
            os.write(told, traceback.format_exc().encode())
            os._exit(1)
        os._exit(0)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            assert status == 0, "the run failed"
            return False
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert status in (0, signal.SIGKILL), "the run failed"
    return status != 0


def main() -> None:
    """Kill as often as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kills", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = kill_solves(given.kills, Path(folder), seed=given.seed)
        print(
            f"solve: {found.kills} kills, {found.drafts} of them while a draft was written; {found.ends} proven answers"
        )
        for workers in (1, 2):
            kills = given.kills if workers == 1 else given.kills // 8 + 1
            found = kill_matches(kills, Path(folder), seed=given.seed, workers=workers)
            print(f"match, {workers} workers: {found.kills} kills, {found.ends} whole files")


if __name__ == "__main__":
    main()
