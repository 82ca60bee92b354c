"""Coverage-guided fuzzing of files and of the protocol; needs `pip install atheris`.

    python -m tests.fuzzers files --minutes 5
    python -m tests.fuzzers protocol --minutes 5
    python -m tests.fuzzers files FILE        again what a run has found

Inputs are examples with values changed, taken out, repeated or exchanged between files, now and then with odd bytes.
A file must be refused in one line, or read back the same from both formats and be played to its end; a line must be
answered. Whatever else happens ends the run, and the input is written to `--found` (default build/fuzz).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.complaints import mutated
from tests.shell import EXAMPLES, ROOT

if TYPE_CHECKING:
    import ninefold as nf

LARGEST = 1 << 16  # bytes of an input
STEPS = 3000  # more than any game has
ODD: list[Any] = [
    None,
    True,
    -1,
    255,
    1 << 31,
    (1 << 63) - 1,
    1 << 64,
    1e308,
    "",
    "?",
    "-",
    "\u2028",
    [],
    {},
    [[]],
    [None] * 70,
]
CAPS = {"time": 0.02, "visits": 200, "nodes": 2000, "threads": 2, "memory": 1 << 22}  # of what a line may ask for


def pool(data: Any) -> Iterator[Any]:
    """Every value and every name in the data."""
    yield data
    if isinstance(data, dict):
        yield from data
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from pool(inner)


def seeds(what: str) -> list[dict[str, Any]]:
    """The examples, and for the protocol questions about them."""
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in EXAMPLES]
    if what == "files":
        return files
    asked: list[dict[str, Any]] = [{"id": "v", "action": "version"}, {"id": "e", "action": "terminate_all"}]
    for data in files:
        if "steps" in data:
            asked.append({"id": "r", "record": data, "turns": [0, 3], "visits": 20})
        elif "question" not in data and "extends" not in data:
            asked.append({"id": "p", "position": data, "visits": 50, "seed": 1, "report_every": 0.01})
            asked.append({"id": "q", "position": data, "nodes": 500, "threads": 2, "exact": True, "memory": 1 << 20})
    return asked


class Mutator:
    """Changes an input as data where it is data, else its bytes."""

    def __init__(self, what: str) -> None:
        self.what, self.seeds = what, seeds(what)
        self.values = [value for data in self.seeds for value in pool(data)]
        self.words = sorted({value for value in self.values if isinstance(value, str)})

    def read(self, data: bytes) -> Any:
        text = data.decode()
        return json.loads(text) if text.lstrip()[:1] == "{" else tomllib.loads(text)

    def __call__(self, data: bytes, largest: int, seed: int) -> bytes:
        """As libFuzzer asks for it."""
        import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

        rng = random.Random(seed)
        if rng.random() < 0.1:
            changed: bytes = atheris.Mutate(data, largest)
            return changed
        return self.changed(data, rng)[:largest]

    def changed(self, data: bytes, rng: random.Random) -> bytes:
        """A few changes; of an example where this is no data."""
        try:
            thing = self.read(data)
        except (ValueError, RecursionError):
            thing = rng.choice(self.seeds)
        for _ in range(rng.randrange(1, 5)):
            thing = self.change(thing, rng) if rng.random() < 0.3 else mutated(thing, rng, self.words)
        return self.write(thing, rng)

    def change(self, data: Any, rng: random.Random) -> Any:
        """One value somewhere exchanged for an odd one or one of another example, or a field added."""
        if isinstance(data, dict) and data and rng.random() < 0.85:
            key = rng.choice(self.words if rng.random() < 0.1 else list(data))
            return {**data, key: self.change(data.get(key), rng)}
        if isinstance(data, list) and data and rng.random() < 0.85:
            i = rng.randrange(len(data))
            return [*data[:i], self.change(data[i], rng), *data[i + 1 :]]
        return rng.choice(ODD if rng.random() < 0.5 else self.values)

    def write(self, thing: Any, rng: random.Random) -> bytes:
        from ninefold import toml

        if self.what == "files" and isinstance(thing, dict) and rng.random() < 0.5:
            with contextlib.suppress(TypeError, ValueError):
                return toml.encode(thing).encode()
        return json.dumps(thing).encode("utf-8", "replace")


def play(world: nf.Position, rng: random.Random) -> None:
    """A random game to its end from here."""
    import ninefold as nf

    for _ in range(STEPS):
        if world.is_over:
            return
        if world.actors:
            player = rng.choice(world.actors)
            world.play(player, rng.choice(world.legal(player)))
        else:
            world.chance(rng=nf.Generator(rng.getrandbits(60)))
    raise AssertionError("the game does not end")


def one_file(data: bytes) -> None:
    """What a file with these bytes must come to."""
    import ninefold as nf
    from ninefold.files import parse, to_text
    from ninefold.games import module

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    rng = random.Random(len(data))
    try:
        thing = parse(text, "fuzz")
    except nf.InputError as error:
        one_line(error)
        return
    for kind in ("toml", "json"):
        again = parse(to_text(thing, kind), f"fuzz.{kind}")
        assert again == thing, f"{kind}: reads back as something else"
    try:
        if isinstance(thing, nf.Position):
            world = thing.copy()
            seats = [seat for seat in range(world.players) if not world.game.module.missing(world, seat)] or [0]
            world.resample(rng.choice(seats), nf.Generator(1))
            whole = world.game.position(world.to_dict())
            play(whole, rng)
        elif isinstance(thing, nf.Record):
            for position in thing.positions():
                position.scores()
        elif isinstance(thing, nf.Ruleset):
            for players in module(thing.game).players:
                play(nf.game(thing.game, players, ruleset=thing).deal(1), rng)
    except nf.InputError as error:
        if isinstance(thing, nf.Position):
            raise AssertionError("a position that was accepted cannot be played") from error
        one_line(error)


def one_line(error: nf.InputError) -> None:
    """What is said about wrong input."""
    assert len(str(error).splitlines()) == 1, str(error)


def capped(line: bytes) -> bytes:
    """The line, asking for little: what is searched for is not the question here."""
    try:
        query = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(query, dict):
        return line
    for name, most in CAPS.items():
        if isinstance(query.get(name), int | float) and query[name] > most:
            query[name] = most
    if query.get("action", "analyze") == "analyze":
        query.setdefault("time", CAPS["time"])
        query.setdefault("memory", CAPS["memory"])
    return json.dumps(query).encode("utf-8", "replace")


def one_talk(data: bytes) -> None:
    """What the service must make of these lines, and of a good one after them."""
    from ninefold.protocol import serve

    died: list[threading.ExceptHookArgs] = []
    threading.excepthook = died.append
    said: list[dict[str, Any]] = []
    lines = [capped(line) for line in data.split(b"\n")]
    lines.append(b'{"id": "last", "action": "version"}')
    serve(io.BytesIO(b"\n".join(lines)), lambda line: said.append(json.loads(line)), 1)
    if died:
        raise AssertionError("a thread of the service died") from died[0].exc_value
    assert any(one.get("id") == "last" for one in said), "the last line has no answer"


def corpus(what: str, folder: Path) -> None:
    """Write the examples there, of files in both formats."""
    from ninefold import toml

    for i, data in enumerate(seeds(what)):
        (folder / f"{i}.json").write_text(json.dumps(data))
        if what == "files":
            (folder / f"{i}.toml").write_text(toml.encode(data))


def fuzz(what: str, options: Sequence[str]) -> None:
    """Run libFuzzer in this process, which it ends."""
    import atheris

    with atheris.instrument_imports(include=["ninefold"], enable_loader_override=False):
        import ninefold
        import ninefold.files
        import ninefold.protocol
        import ninefold.puzzle
        import ninefold.record  # noqa: F401
        from ninefold.games import NAMES, module

        for name in NAMES:
            module(name)
    atheris.Setup(
        [what, *options], one_file if what == "files" else one_talk,
        custom_mutator=Mutator(what), internal_libfuzzer=True,
    )  # fmt: skip
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["files", "protocol"])
    parser.add_argument("files", type=Path, nargs="*", help="inputs to be tried again, without atheris")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0, help="0: a new one")
    parser.add_argument("--found", type=Path, default=ROOT / "build" / "fuzz")
    parser.add_argument("--libfuzzer", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.libfuzzer is not None:
        fuzz(arguments.what, arguments.libfuzzer)
    for file in arguments.files:
        (one_file if arguments.what == "files" else one_talk)(file.read_bytes())
    if arguments.files:
        return
    arguments.found.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        corpus(arguments.what, Path(folder))
        # In a process of its own: libFuzzer ends the one that it runs in, and the folder must go.
        done = subprocess.run(
            [
                sys.executable, "-m", "tests.fuzzers", arguments.what, "--libfuzzer",
                f"-max_total_time={arguments.minutes * 60:.0f}", f"-max_len={LARGEST}", f"-seed={arguments.seed}",
                "-timeout=60", "-rss_limit_mb=2048", "-print_final_stats=1",
                f"-artifact_prefix={arguments.found.resolve()}{os.sep}{arguments.what}-", folder,
            ],
            cwd=ROOT,
        )  # fmt: skip
    raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
