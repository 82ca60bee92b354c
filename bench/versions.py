"""An older version of the package as a player of a match, in a process of its own.

    NINEFOLD_OLD=FOLDER ninefold match mcts:time=0.02 plugin:bench.versions:Older --game canopy --games 400

FOLDER holds the older package (`pip install --no-deps --target FOLDER .` in a checkout of it). `NINEFOLD_OLD_LIMIT`
(default `time=0.02`) is its limit; everything else is as that version has it by default. Positions go over as files,
with the ruleset of this version, and without what the player may not know; `NINEFOLD_OLD_LACKS` names fields of them
that the older version has not, with commas between them (`scored` of Canopy: where points came from).
"""

from __future__ import annotations

import os
import subprocess
import sys

import msgspec

from ninefold.position import Position

LIMIT = os.environ.get("NINEFOLD_OLD_LIMIT", "time=0.02")
LACKS = os.environ.get("NINEFOLD_OLD_LACKS", "").split(",")

# What runs with the older package: a line with a position, a seat and a seed; the answer is the move's notation.
SERVER = """
import json, random, sys
from pathlib import Path
import ninefold as nf
from ninefold.files import from_dict
if Path(sys.argv[2]).resolve() not in Path(nf.__file__).absolute().parents:
    sys.exit(f"{sys.argv[2]} holds no package: {nf.__file__} was found instead")
name, _, value = sys.argv[1].partition("=")
limit = nf.Limit(**{name: float(value) if name == "time" else int(value)})
for line in sys.stdin:
    data, seat, seed = json.loads(line)
    answer = nf.best(from_dict(data), limit, player=seat, seed=seed)
    print(answer.draw(random.Random(seed).random()), flush=True)
"""


class Older:
    """The player: one process for each game."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def __call__(self, position: Position, seat: int, seed: int) -> str:
        moves = position.legal(seat)
        if len(moves) == 1:
            return str(moves[0])
        data = position.to_dict()
        data["options"] = dict(position.game.options)
        data.pop("preset", None)
        for part in (data, *data.get("player", [])):
            for name in LACKS:
                part.pop(name, None)
        data["ruleset"] = msgspec.to_builtins(position.game.ruleset)
        return self.ask(msgspec.json.encode([data, seat, seed >> 1]).decode())

    def ask(self, line: str) -> str:
        if self.process is None:
            folder = os.environ["NINEFOLD_OLD"]
            self.process = subprocess.Popen(
                # -P: not the package of the folder that we are in
                [sys.executable, "-P", "-c", SERVER, LIMIT, folder], env={**os.environ, "PYTHONPATH": folder},
                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise RuntimeError("the older version has stopped: see what it printed")
        return answer

    def __del__(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
