"""The service under load for a long time: every question is answered, and memory stays bounded.

    python -m tests.soak --minutes 60 [--workers 2] [--seed 1]

`ninefold analyze` is asked about random positions and records of all games, with answers so far, searches that are
ended, and wrong lines of all kinds (as `tests.fuzzers` makes them). Prints its resident memory, and fails if an answer
is missing or if the second half of the time needed more memory than the first by over 5 % and 4 MiB.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import IO, Any

import ninefold as nf
from ninefold.games import NAMES, module
from tests.fuzzers import Mutator, capped

WINDOW = 12  # questions before their answers are waited for
PAUSE = 5.0  # seconds between two looks at the memory
SLACK = 1.05, 4 << 20
PATIENCE = 120.0  # seconds for the answers of a window


def resident(pid: int) -> int:
    """Bytes of a process in memory, on Linux."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096


class Asker:
    """Makes up questions, and knows which answers are still to come."""

    def __init__(self, seed: int) -> None:
        self.rng, self.number = random.Random(seed), 0
        self.mutator = Mutator("protocol")
        self.waiting: dict[tuple[str, int], bool] = {}

    def lines(self) -> list[bytes]:
        """So many questions of a window, a few of them ended at once, and wrong lines between them."""
        lines = []
        for _ in range(WINDOW):
            lines.append(json.dumps(self.question()).encode())
            if self.rng.random() < 0.3:
                wrong = json.dumps(self.rng.choice(self.mutator.seeds)).encode()
                lines.append(capped(self.mutator.changed(wrong, self.rng)).replace(b"\n", b" "))
            if self.rng.random() < 0.1:
                lines.append(json.dumps(
                    {"id": "end", "action": "terminate", "terminate_id": f"soak {self.number}"}).encode())  # fmt: skip
        return lines

    def question(self) -> dict[str, Any]:
        """About a random position, or several of a record."""
        rng = self.rng
        self.number += 1
        name = f"soak {self.number}"
        game = nf.game(rng.choice(NAMES))
        game = nf.game(game.name, rng.choice(list(module(game.name).players)))
        record = nf.Record.random(game, rng.getrandbits(30))
        turns = [turn for turn, position in enumerate(record.positions()) if position.actors and not position.is_over]
        asked: dict[str, Any] = {"id": name, "visits": rng.choice((10, 100, 400)), "memory": 8 << 20, "time": 2}
        asked["seed"] = self.number
        if rng.random() < 0.3:
            asked["report_every"] = 0.01
        if rng.random() < 0.3:
            asked["threads"] = 2
        if rng.random() < 0.4:
            chosen = rng.sample(turns, min(3, len(turns)))
            asked.update(record=record.to_dict(), turns=chosen)
        else:
            chosen, position = [0], list(record.positions())[rng.choice(turns)]
            asked["position"] = position.view(position.actors[0]).to_dict()
        self.waiting.update({(name, turn): True for turn in chosen})
        return asked

    def answered(self, said: dict[str, Any]) -> None:
        """Take note of a line of output. Raises AssertionError for one that should not be."""
        name = said.get("id")
        if not isinstance(name, str) or not name.startswith("soak "):
            return
        assert "error" not in said, said
        if not said.get("during_search"):
            assert self.waiting.pop((name, said["turn"]), False), f"answered twice: {said}"


def send(stream: IO[bytes], lines: list[bytes]) -> None:
    """Write the lines."""
    stream.write(b"\n".join(lines) + b"\n")
    stream.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    asker, looks, lines = Asker(arguments.seed), [], 0
    process = subprocess.Popen(
        [sys.executable, "-m", "ninefold", "analyze", "--workers", str(arguments.workers)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    began = looked = time.monotonic()
    try:
        while (now := time.monotonic()) < began + 60 * arguments.minutes:
            sent = asker.lines()
            lines += len(sent)
            # Beside the reading: with both pipes full, each side would wait for the other.
            writer = Thread(target=send, args=(process.stdin, sent))
            writer.start()
            while asker.waiting:
                said = process.stdout.readline()
                assert said, "the service has ended"
                asker.answered(json.loads(said))
            writer.join()
            assert time.monotonic() - now < PATIENCE, "a window took too long"
            if now - looked > PAUSE:
                looked = now
                looks.append(resident(process.pid))
                print(f"{(now - began) / 60:6.1f} min {lines:8,} lines {looks[-1] / 2**20:8.1f} MiB", flush=True)
        process.stdin.close()
        for rest in process.stdout:
            asker.answered(json.loads(rest))
        assert process.wait(60) == 0, "the service failed"
    finally:
        process.kill()
    half = len(looks) // 2
    if half:
        first, second = max(looks[:half]), max(looks[half:])
        print(f"{lines:,} lines; most memory: first half {first / 2**20:.1f}, second half {second / 2**20:.1f} MiB")
        if second > first * SLACK[0] + SLACK[1]:
            raise SystemExit("memory grows")


if __name__ == "__main__":
    main()
