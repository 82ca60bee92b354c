"""`ninefold analyze` and its client: the talk of the docs, partial answers, priorities, ends, and lines of any kind."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold as nf
from ninefold.client import Client
from ninefold.protocol import LONGEST, Service, serve

pytestmark = pytest.mark.unsanitized

PAGE = Path(__file__).parent.parent / "docs" / "protocol.md"
POSITION = nf.game("donuts", 3).deal(1).to_dict()


def talk(*queries: dict[str, Any] | bytes, workers: int = 1) -> list[dict[str, Any]]:
    """What the service says to these lines."""
    said: list[dict[str, Any]] = []
    lines = [query if isinstance(query, bytes) else json.dumps(query).encode() for query in queries]
    serve(io.BytesIO(b"\n".join(lines)), lambda line: said.append(json.loads(line)), workers)
    return said


def only(*queries: dict[str, Any] | bytes) -> dict[str, Any]:
    (said,) = talk(*queries)
    return said


def test_the_talk_of_the_docs() -> None:
    (text,) = re.findall(r"```text\n(> .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    said: list[dict[str, Any]] = []
    service = Service(lambda line: said.append(json.loads(line)))
    answers = 0
    for line in text.splitlines():
        if line.startswith("> "):
            assert len(said) == answers
            service.line(line[2:].encode())
            continue
        while len(said) <= answers:
            time.sleep(0.01)
        wanted = json.loads(line[2:].replace(", …}", "}"))
        assert {name: said[answers].get(name) for name in wanted} == wanted
        assert said[answers].keys() == wanted.keys() or line.endswith(", …}")
        answers += 1
    service.close()
    assert len(said) == answers


def test_answers_are_those_of_best() -> None:
    answer = only({"id": "a", "position": POSITION, "visits": 400, "seed": 3, "opponent": "uniform"})
    position = nf.game("donuts", 3).position(POSITION)
    same = json.loads(json.dumps(nf.best(position, nf.Limit(visits=400), seed=3, opponent="uniform").to_dict()))
    same.update(id="a", turn=0, during_search=False, time=answer["time"])
    assert answer == same


def test_answers_so_far_come_before_the_last() -> None:
    said = talk({"id": "a", "position": POSITION, "time": 1, "report_every": 0.2})
    assert [one["during_search"] for one in said] == [True] * (len(said) - 1) + [False]
    assert len(said) >= 3
    visits = [one["visits"] for one in said]
    assert visits == sorted(visits)


def test_the_largest_priority_goes_first_and_ids_are_free_again() -> None:
    held = {"id": "held", "position": POSITION, "visits": 20_000}
    rest = [{"id": f"{n}", "position": POSITION, "visits": 20, "priority": n} for n in (1, 3, 2)]
    said: list[dict[str, Any]] = []
    service = Service(lambda line: said.append(json.loads(line)))
    service.line(json.dumps({**held, "report_every": 0.01, "time": 60}).encode())
    while not said:
        time.sleep(0.01)
    for query in [*rest, {"id": "3", "position": POSITION, "visits": 10}]:
        service.line(json.dumps(query).encode())
    assert {"id": "3", "error": "a query of this id is still being answered", "field": "id"} in said
    service.close()
    assert [one["id"] for one in said if one.get("stopped")] == ["held", "3", "2", "1"]


def test_searches_are_ended() -> None:
    """The one that runs gives what it has, the one that waits has nothing."""
    said: list[dict[str, Any]] = []
    service = Service(lambda line: said.append(json.loads(line)))
    began = time.monotonic()
    for name, position in (("a", POSITION), ("b", POSITION)):
        service.line(json.dumps({"id": name, "position": position, "time": 60}).encode())
    time.sleep(0.3)
    service.line(b'{"id": "end", "action": "terminate", "terminate_id": "a"}')
    service.line(b'{"id": "all", "action": "terminate_all"}')
    service.close()
    assert time.monotonic() - began < 10
    answers = {one["id"]: one for one in said}
    assert answers["a"]["stopped"] == "interrupted"
    assert answers["a"]["moves"]
    assert answers["b"] == {
        "id": "b", "turn": 0, "during_search": False, "stopped": "interrupted", "no_results": True
    }  # fmt: skip
    assert answers["end"]["terminate_id"] == "a"


def test_nothing_that_a_line_holds_reads_a_file() -> None:
    said = only({"id": "a", "position": {**POSITION, "ruleset": "/etc/passwd"}})
    assert said["error"] == "names a file: give the ruleset itself"
    assert said["field"] == "position.ruleset"


@pytest.mark.parametrize(
    ("query", "field", "error"),
    [
        ({"id": 3}, "id", "must be a text in quotes, not 3"),
        ({"id": "a"}, "position", "either a position or a record"),
        ({"id": "a", "position": POSITION, "record": {}}, "position", "either a position or a record"),
        ({"id": "a", "position": {}}, "position", "game is missing"),
        ({"id": "a", "position": POSITION, "turns": [0]}, "turns", "belongs to a record"),
        ({"id": "a", "position": POSITION, "visits": 0}, "limit.visits", "must be from 1 to"),
        ({"id": "a", "position": POSITION, "player": 3}, "player", "no player 3"),
        ({"id": "a", "position": POSITION, "algorithm": "dukt"}, "algorithm", "did you mean 'duct'?"),
        ({"id": "a", "position": POSITION, "report_every": 0}, "report_every", "must be from 0.01"),
        ({"id": "a", "position": POSITION, "terminate_id": "b"}, "terminate_id", "belongs to the action"),
        ({"id": "a", "action": "terminate"}, "terminate_id", "is missing"),
        ({"id": "a", "action": "terminate_all", "terminate_id": "b"}, "terminate_id", "belongs to the action"),
        ({"id": "a", "action": "version", "position": POSITION}, "position", "belongs to the action 'analyze'"),
        ({"id": "a", "action": "versions"}, "action", "did you mean 'version'?"),
        (b"[1]", "", "a line holds an object"),
        (b'{"id": "a", "visits": 1e999}', "", "this is no JSON"),
        (b"\xff\xfe", "", "this is no JSON"),
        (b"[" * 100_000, "", "this is no JSON"),
        (b'"' + b"x" * (LONGEST + 10) + b'"', "", "a line has at most"),
    ],
)
def test_a_wrong_line_is_told_with_its_field(query: dict[str, Any] | bytes, field: str, error: str) -> None:
    said = only(query)
    assert said["field"] == field
    assert error in said["error"]


def test_after_a_line_that_is_too_long_the_next_one_counts() -> None:
    said = talk(b"x" * (3 * LONGEST), {"id": "v", "action": "version"})
    assert [one["id"] for one in said] == [None, "v"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.binary(max_size=60)
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.dictionaries(
        st.sampled_from(["id", "action", "position", "record", "turns", "time", "player", "seed", "priority"]),
        JSON | st.sampled_from(["analyze", "terminate", "version", "a", POSITION, 1, [0]]), max_size=6,
    ).map(lambda value: json.dumps(value | {"visits": 1}).encode())
)  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_no_line_breaks_the_service(line: bytes) -> None:
    said = talk(line, {"id": "last", "action": "version"})
    assert any(one["id"] == "last" for one in said)


def test_client() -> None:
    record = nf.Record.random(nf.game("coney", 2), 3)
    turn = next(i for i, position in enumerate(record.positions()) if i > 5 and position.actors)
    reports: list[dict[str, Any]] = []
    with Client(workers=2) as client:
        assert client.version()["version"] == nf.__version__
        one = client.analyze(nf.game("donuts", 3).deal(1), visits=300)
        two = client.analyze_record(record, [turn], visits=50)
        wrong = client.analyze(POSITION, player=7)
        long = client.analyze(POSITION, time=60, report_every=0.05, report=reports.append)
        while not reports:
            time.sleep(0.01)
        client.terminate(long)
        assert one.result(30)["visits"] == 300
        assert two[0].result(30)["turn"] == turn
        assert long.result(30)["stopped"] == "interrupted"
        with pytest.raises(nf.InputError, match="no player 7"):
            wrong.result(30)


def test_a_reader_who_goes_away_ends_the_service() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ninefold", "analyze"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    query = {"id": "a", "position": POSITION, "time": 60, "report_every": 0.05}
    process.stdin.write(json.dumps(query).encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    process.stdin.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(30)
