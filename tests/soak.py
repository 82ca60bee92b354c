"""The service or the web server under load for a long time: all is answered, and memory stays bounded.

    python -m tests.soak protocol --minutes 60 [--load 0.1] [--workers 2] [--seed 1]
    python -m tests.soak server --minutes 60 [--load 0.1] [--seed 1]

`ninefold analyze` is asked about random positions and records of all games, with answers so far, searches that are
ended, and wrong lines of all kinds (as `tests.fuzzers` makes them). `ninefold serve` has a reader who follows links and
sends forms at random, and opens files, right and wrong ones; it keeps fewer things, with smaller trees, than it does
for people, so that all its places are soon taken and memory depends little on how many searches run at a time. With
--load both sides together take no more than this part of a processor. Prints the resident memory, and fails if an
answer is missing, if the server says that it failed, or if the last quarter of the time needed more memory than the
second, by medians, by over 5 % and 4 MiB: the first quarter is for filling up.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from html.parser import HTMLParser
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import IO, Any
from urllib.parse import urlencode, urlsplit

import ninefold as nf
from ninefold.games import NAMES, module
from tests.fuzzers import Mutator, capped
from tests.shell import ROOT

WINDOW = 12  # questions before their answers are waited for
PAUSE = 5.0  # seconds between two looks at the memory
SLACK = 1.05, 4 << 20
PATIENCE = 120.0  # seconds for the answers of a window
SERVER = """
from ninefold.web import analysing, store
store.MOST, analysing.MEMORY = 40, 4 << 20
from ninefold.cli import main
main()
"""


def resident(pid: int) -> int:
    """Bytes of a process in memory, on Linux."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()


def spent(pid: int) -> float:
    """Seconds of the processor that a process and this one have taken, on Linux."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") + time.process_time()


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


class Page(HTMLParser):
    """The links of a page, and its forms: action, method and fields with the values that each may have."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[tuple[str, str, dict[str, list[str]]]] = []
        self.select = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(told.get("href", ""))
        elif tag == "form":
            self.forms.append((told.get("action", ""), told.get("method", "get").upper(), {}))
        elif tag in ("input", "button", "textarea", "select") and self.forms:
            self.select = told.get("name", "")
            values = self.forms[-1][2].setdefault(self.select, [])
            if tag != "select":
                values.append(told.get("value", ""))
        elif tag == "option" and self.forms and self.select:
            self.forms[-1][2][self.select].append(told.get("value", ""))


class Reader:
    """Somebody who does everything that a page offers, and sometimes what it does not."""

    def __init__(self, seed: int, url: str) -> None:
        self.rng, self.url = random.Random(seed), urlsplit(url)
        self.mutator = Mutator("files")
        self.page, self.at = Page(""), "/"

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> None:
        """One request, and where it leads. Raises AssertionError if the server failed."""
        connection = HTTPConnection(self.url.netloc, timeout=PATIENCE)
        head = {"Origin": f"http://{self.url.netloc}", "Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode(fields or {}).encode("utf-8", "replace") if method == "POST" else None
        connection.request(method, path, body, head)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        connection.close()
        assert answer.status < 500, f"{method} {path} {fields}: {answer.status}"
        if answer.status in (302, 303):
            self.ask("GET", answer.headers["location"])
        elif answer.headers.get_content_type() == "text/html":
            self.page, self.at = Page(text), path

    def step(self) -> int:
        """Something at random; the number of requests."""
        rng = self.rng
        links = [link for link in self.page.links if link.startswith("/")]
        if rng.random() < 0.05 or not (links or self.page.forms):
            self.ask("GET", "/")
        elif rng.random() < 0.1:
            example = json.dumps(rng.choice(self.mutator.seeds)).encode()
            data = self.mutator.changed(example, rng) if rng.random() < 0.5 else example
            self.ask("POST", "/open", {"text": data.decode("utf-8", "replace")})
        elif self.page.forms and rng.random() < 0.8:
            action, method, offered = rng.choice(self.page.forms)
            fields = {name: rng.choice(values) for name, values in offered.items() if name and values}
            if fields and rng.random() < 0.05:
                fields[rng.choice(list(fields))] = rng.choice(self.mutator.words)
            action = action or self.at
            self.ask(method, action if method == "POST" else f"{action.partition('?')[0]}?{urlencode(fields)}", fields)
        elif links:
            self.ask("GET", rng.choice(links))
        return 1


class Talk:
    """Windows of questions to `ninefold analyze`."""

    def __init__(self, seed: int, workers: int) -> None:
        self.asker = Asker(seed)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ninefold", "analyze", "--workers", str(workers)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def step(self) -> int:
        """One window; the number of its lines."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        sent, began = self.asker.lines(), time.monotonic()
        # Beside the reading: with both pipes full, each side would wait for the other.
        writer = Thread(target=send, args=(self.process.stdin, sent))
        writer.start()
        while self.asker.waiting:
            said = self.process.stdout.readline()
            assert said, "the service has ended"
            self.asker.answered(json.loads(said))
        writer.join()
        assert time.monotonic() - began < PATIENCE, "a window took too long"
        return len(sent)

    def close(self) -> None:
        """The service ends when it has no more to read."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        for rest in self.process.stdout:
            self.asker.answered(json.loads(rest))
        assert self.process.wait(60) == 0, "the service failed"


def soak(step: Callable[[], int], pid: int, minutes: float, load: float) -> bool:
    """Go on for so long, looking at the memory now and then. Returns whether it is bounded."""
    looks, done = [], 0
    before = spent(pid)
    began = looked = time.monotonic()
    while (now := time.monotonic()) < began + 60 * minutes:
        if spent(pid) - before > load * (now - began):
            time.sleep(0.1)
        else:
            done += step()
        if now - looked > PAUSE:
            looked = now
            looks.append(resident(pid))
            print(f"{(now - began) / 60:6.1f} min {done:8,} asked {looks[-1] / 2**20:8.1f} MiB", flush=True)
    if len(looks) < 4:
        raise SystemExit(f"too short: it takes four looks at the memory, one every {PAUSE:.0f} seconds")
    quarters = [looks[i * len(looks) // 4 : (i + 1) * len(looks) // 4] for i in range(4)]
    middles = [statistics.median(some) for some in quarters]
    said = ", ".join(
        f"{middle / 2**20:.1f} ({max(some) / 2**20:.1f})" for middle, some in zip(middles, quarters, strict=True)
    )
    print(f"{done:,} asked; memory, by quarters of the time, median (most): {said} MiB")
    return middles[3] <= middles[1] * SLACK[0] + SLACK[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["protocol", "server"])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--load", type=float, default=1e9, help="of one processor, at most")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.what == "protocol":
        talk = Talk(arguments.seed, arguments.workers)
        process = talk.process
        try:
            bounded = soak(talk.step, process.pid, arguments.minutes, arguments.load)
            talk.close()
        finally:
            process.kill()
    else:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, "serve", "--port", "0", "examples/coney"],
            stdout=subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            reader = Reader(arguments.seed, process.stdout.readline().split()[0].decode())
            bounded = soak(reader.step, process.pid, arguments.minutes, arguments.load)
            assert process.poll() is None, "the server has ended"
        finally:
            process.kill()
    if not bounded:
        raise SystemExit("memory grows")


if __name__ == "__main__":
    main()
