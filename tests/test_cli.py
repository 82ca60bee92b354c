"""The command line, as a shell sees it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ninefold as nf
from tests.shell import ROOT, run

pytestmark = pytest.mark.unsanitized

EXAMPLE = str(ROOT / "examples" / "donuts-3p.toml")


@pytest.mark.parametrize("command", ["", "deal", "show", "check", "perft"])
def test_help_teaches(command: str) -> None:
    said = run(*command.split(), "--help").stdout
    assert "Usage: ninefold" in said
    assert f"ninefold {command or 'deal'} " in said
    assert "\x1b" not in said, "colours on a terminal only"


def test_version() -> None:
    assert run("--version").stdout.strip() == f"ninefold {nf.__version__}"


def test_deal() -> None:
    said = run("deal", "donuts", "--players", "3", "--seed", "7").stdout
    assert said.startswith("# dealt from seed 7\nninefold = 1\n")
    assert nf.game("donuts", 3).deal(7).to_toml() in said
    data = json.loads(
        run("deal", "donuts", "--preset", "bga", "--option", "coffee=final", "--seed", "1", "--json").stdout
    )
    assert data == nf.game("donuts", preset="bga", coffee="final").deal(1).to_dict()
    house = str(ROOT / "examples" / "donuts-house-rules.toml")
    assert "boston_cream" in run("deal", "donuts", "--players", "3", "--ruleset", house).stdout


def test_deal_piped_into_show_and_check() -> None:
    dealt = run("deal", "donuts", "--players", "4").stdout
    assert "player 3 may: bid 1" in run("show", "-", text=dealt).stdout
    assert run("check", "-", text=dealt).stdout.startswith("-: a position: donuts · 4 players")


def test_show() -> None:
    said = run("show", EXAMPLE).stdout
    for word in ("boston_cream", "player 0 may: bid 1, bid 2, bid 3, bid 4", "deck 29"):
        assert word in said
    facts = json.loads(run("show", EXAMPLE, "--json").stdout)
    position = nf.read(EXAMPLE)
    assert isinstance(position, nf.Position)
    assert facts["scores"] == position.scores()
    assert facts["legal"]["1"] == ["bid 1", "bid 2", "bid 3", "bid 4"]
    assert facts["position"] == position.to_dict()


def test_show_records_and_rulesets() -> None:
    record = "examples/donuts-record.toml"
    assert "over, won by" in run("show", record).stdout
    assert "to bid" in run("show", record, "--step", "4", "--view", "1").stdout
    assert "boston_cream" in run("show", "examples/donuts-house-rules.toml").stdout
    assert run("show", record, "--step", "999", code=2).stderr.startswith("ninefold: --step: 0 to ")
    assert (
        run("show", EXAMPLE, "--step", "1", code=2).stderr == "ninefold: --step: this is no record: it has no steps\n"
    )
    assert run("show", EXAMPLE, "--view", "3", code=2).stderr == "ninefold: --view: players are 0 to 2, not 3\n"


def test_check(tmp_path: Path) -> None:
    files = sorted(map(str, (ROOT / "examples").glob("donuts*.toml")))
    assert len(run("check", *files).stdout.splitlines()) == len(files)
    bad = tmp_path / "bad.toml"
    bad.write_text(Path(EXAMPLE).read_text().replace('"glazed", "eclair"', '"glased", "eclair"'))
    done = run("check", EXAMPLE, str(bad), EXAMPLE, code=2)
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == "ninefold: bad.toml: row[2]: unknown card 'glased': did you mean 'glazed'?\n"
    found = json.loads(run("check", str(bad), "--json", code=2).stdout)
    assert found[0]["path"] == "row[2]"
    assert found[0]["match"] == "glazed"


def test_perft() -> None:
    assert run("perft", "donuts", "--players", "3", "--depth", "4").stdout == "1 13\n2 169\n3 2192\n4 28314\n"
    divided = run("perft", "donuts", "--seed", "1", "--depth", "2", "--divide").stdout
    assert divided == "0: bid 1 3\n0: bid 2 3\n0: bid 3 3\n9 in all\n"
    assert json.loads(run("perft", EXAMPLE, "--depth", "2", "--json").stdout)["depth"] == {"1": 4, "2": 16}
    deep = nf.game("donuts", 2).deal(1)
    assert "5 " in run("perft", "-", "--depth", "5", text=deep.to_toml()).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shw"], "No such command 'shw'"),
        (["show"], "Missing argument"),
        (["show", "none.toml"], "none.toml: no such file"),
        (["show", "."], "this is a directory, not a file"),
        (["deal", "donut"], "game: unknown game 'donut': did you mean 'donuts'?"),
        (["deal", "donuts", "--players", "9"], "players: donuts is for 2 to 6 players, not 9"),
        (["deal", "donuts", "--players", "x"], "Invalid value for '--players'"),
        (["deal", "donuts", "--seed", "-1"], "seed: must be a whole number from 0 to 2**64-1, not -1"),
        (["deal", "donuts", "--seed", "9" * 30], "seed: must be a whole number"),
        (["deal", "donuts", "--option", "coffee"], "--option: an option is NAME=VALUE, not 'coffee'"),
        (["deal", "donuts", "--option", "coffee=hot"], "options.coffee: must be frozen or final, not 'hot'"),
        (["deal", "donuts", "--ruleset", EXAMPLE], "ruleset: this is no ruleset of donuts"),
        (["perft", "donuts", "--depth", "-1"], "Invalid value for '--depth'"),
        (["perft", "examples/donuts-record.toml"], "this is no position"),
        (["perft", "chess"], "game: unknown game 'chess'"),
    ],
)
def test_bad_input(arguments: list[str], message: str) -> None:
    done = run(*arguments, code=2)
    assert message in done.stderr
    assert 1 <= len(done.stderr.splitlines()) <= 2
    assert done.stdout == ""


def test_ctrl_c_leaves_what_has_been_counted() -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "ninefold", "perft", "donuts", "--players", "6", "--depth", "15"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what runs us may have it ignored
    )  # fmt: skip
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert first == "1 23\n"
    assert "Traceback" not in out + err
    assert err.strip().splitlines()[-1] == "ninefold: stopped"


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m ninefold perft donuts --depth 5 | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
