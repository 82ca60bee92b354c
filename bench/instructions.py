"""Instructions of fixed work, counted by callgrind: a measure of speed without noise, kept from commit to commit.

    python -m bench.instructions                counts, beside those of bench/instructions.json
    python -m bench.instructions --check        and fails where one differs by more than 1 %
    python -m bench.instructions --write        keeps the new counts

Needs valgrind and gcc. Counts are compared where the core was built by the same compiler for the same machine, those of
files only under the same build of Python; otherwise they are told. A difference passes `--check` if the environment
variable INSTRUCTIONS (in `.ci/run` the commit messages since the file was written) has a line `Instructions: why`.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
KEPT = Path(__file__).with_suffix(".json")
MOST = 0.01  # of a difference
SEED = 1

# Counting begins after the imports, and is cut between one work and the next: what Python does to start counts nowhere.
SWITCH = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void end(const char *what) { CALLGRIND_DUMP_STATS_AT(what); CALLGRIND_STOP_INSTRUMENTATION; }
"""


def works() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is counted: its name, and the work, which has been prepared."""
    import ninefold as nf
    from ninefold.core import rules
    from ninefold.core.games import coney_farm, territory_grid
    from ninefold.core.search.expectimax import Solver
    from ninefold.core.search.mcts import Search

    examples = {
        "donuts": "donuts-3p.toml", "coney": "coney/2p.toml", "territory": "territory-2p.toml",
        "canopy": "canopy/two-piles.toml",
    }  # fmt: skip
    for name, file in examples.items():
        yield f"{name}: random games", partial(rules.playouts, nf.game(name, 2).start(), 150, SEED)
        position = nf.game(name, 2).deal(SEED)
        yield f"{name}: visits", partial(Search(position, position.actors[0], seed=SEED).run, 150)
        text = (ROOT / "examples" / file).read_text(encoding="utf-8")
        yield f"{name}: files", partial(there_and_back, text)
    solved = nf.read(ROOT / "examples" / "donuts-2p-endgame.toml")
    assert isinstance(solved, nf.Position)
    yield "donuts: exact nodes", partial(Solver(solved, 1, memory=1 << 22).advance, 2000)
    alone = nf.game("coney", 1)
    yield "coney: exact nodes", partial(coney_farm.FarmSolver(alone.core, range(14)).advance, 2000)
    yield "territory: exact lands", partial(territory_grid.solve_many, nf.game("territory", 1).core, 300, SEED)
    picks = nf.read(ROOT / "examples" / "canopy" / "last-picks.toml")
    assert isinstance(picks, nf.Position)
    whole = picks.game.module.without_secrets(picks, picks.actors[0])
    yield "canopy: exact nodes", partial(Solver(whole, 1, memory=1 << 22).advance, 2000)


def there_and_back(text: str) -> None:
    """Read a file and write it."""
    from ninefold.files import parse, to_text

    to_text(parse(text, "example.toml"), "toml")


def inside(library: str) -> None:
    """Under callgrind: do it all, each work once before it is counted."""
    switch = ctypes.CDLL(library)
    for what, work in works():
        if what.endswith("files"):
            work()  # caches of Python
        label = what.encode()
        switch.begin()
        work()
        switch.end(label)


def counted() -> dict[str, int]:
    """Instructions by work. Exits with a message where that is impossible."""
    for tool in ("valgrind", "gcc"):
        if shutil.which(tool) is None:
            raise SystemExit(f"{tool} is needed to count instructions")
    with tempfile.TemporaryDirectory() as folder:
        source, library, out = (Path(folder) / name for name in ("switch.c", "switch.so", "out"))
        source.write_text(SWITCH)
        done = subprocess.run(
            ["gcc", "-O1", "-shared", "-fPIC", str(source), "-o", str(library)], capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit("valgrind's header callgrind.h is needed to count instructions")
        subprocess.run(
            [
                "valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}", "-q",
                sys.executable, "-m", "bench.instructions", "--inside", str(library),
            ],
            check=True, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONMALLOC": "pymalloc"},
        )  # fmt: skip
        found = {}
        for file in Path(folder).glob("out.*"):
            text = file.read_text(errors="replace")
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
            total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
            if name and total:
                found[name[1]] = int(total[1])
    return dict(sorted(found.items()))


def built() -> dict[str, str]:
    """What the counts depend on beside the source."""
    from ninefold.core import rules

    compiler = re.search(rb"(GCC: [^\0]*|clang version [^\0]*)", Path(rules.__file__).read_bytes())
    return {
        "compiler": compiler[1].decode() if compiler else "unknown",
        "machine": platform.machine(),
        "python": " ".join(sys.version.split()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        inside(arguments.inside)
        return
    here, counts = built(), counted()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"built": {}, "counts": {}}
    same = {name for name in here if kept["built"].get(name) == here[name]}
    changed = []
    for what, count in counts.items():
        line, before = f"{what:28} {count:14,}", kept["counts"].get(what)
        if before:
            line += f"  {count / before - 1:+.2%}"
            needs = {"compiler", "machine"} | ({"python"} if what.endswith("files") else set())
            if not needs <= same:
                line += ", built otherwise: not compared"
            elif abs(count / before - 1) > MOST:
                changed.append(what)
        print(line)
    if arguments.write:
        KEPT.write_text(json.dumps({"built": here, "counts": counts}, indent=1) + "\n")
        return
    missing = kept["counts"].keys() - counts.keys()
    if arguments.check and (missing or changed):
        why = re.search(r"^Instructions: .*\S", os.environ.get("INSTRUCTIONS", ""), re.MULTILINE)
        print(
            f"more than {MOST:.0%} apart: {', '.join(changed) or 'none'}; not counted: {', '.join(missing) or 'none'}"
        )
        if why is None or missing:
            raise SystemExit("write the counts (--write), with a line 'Instructions: why' in the commit message")
        print(why[0])


if __name__ == "__main__":
    main()
