"""Plug-ins: rulesets and players of other packages, and what is said about broken ones."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

import ninefold as nf
from ninefold import plugins
from ninefold.files import from_dict
from ninefold.players import player
from tests.complaints import said
from tests.packages import example, install
from tests.shell import run

pytestmark = pytest.mark.unsanitized

TOML = 'ninefold = 1\ngame = "donuts"\ntitle = "Mine"\nextends = "standard"\n[kinds.plain]\ncopies = 3\n'


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for packages, in front of `sys.path`, with the example in it; also for processes."""
    folder = tmp_path / "site"
    paths = example(folder)
    monkeypatch.setattr(sys, "path", [*paths, *sys.path])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")]))
    return folder


def add_ruleset(site: Path, package: str, name: str, code: str) -> None:
    module = f"module_of_{package}"
    install(site, package, {module: code}, {"ninefold.rulesets": {name: f"{module}:FILE"}})


def add_player(site: Path, package: str, name: str, code: str) -> None:
    module = f"module_of_{package}"
    install(site, package, {module: code}, {"ninefold.players": {name: f"{module}:make"}})


def test_without_plugins_nothing_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    assert list(plugins.listed()) == []


@pytest.mark.usefixtures("site")
def test_example_is_listed() -> None:
    assert [(one.kind, one.name, one.error) for one in plugins.listed()] == [
        ("ruleset", "bakery", ""),
        ("player", "nth", ""),
    ]
    told = run("plugins").stdout
    for word in ("bakery", "nth", "ninefold-bakery"):
        assert word in told
    about = [(one["name"], one["about"]) for one in json.loads(run("plugins", "--json").stdout)]
    assert about[0] == ("bakery", "donuts: The bakery bakes more of what is cheap")
    assert about[1][1].startswith("Plays the move that is N-th best")


def test_ruleset_goes_by_its_name(site: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = nf.game("donuts", 3, ruleset="bakery")
    assert game.ruleset.title == "The bakery bakes more of what is cheap"
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(run("deal", "donuts", "--players", "3", "--ruleset", "bakery").stdout)
    position = nf.read("mine.toml")
    assert isinstance(position, nf.Position)
    assert position.game is game
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(site)])
    assert nf.read("mine.toml") == position, "what is written holds the ruleset itself"


@pytest.mark.usefixtures("site")
def test_position_file_and_query_may_name_it() -> None:
    game = nf.game("donuts", 2, ruleset="bakery")
    data = {**game.deal(1).to_dict(), "ruleset": "bakery"}
    query = {"id": "1", "action": "analyze", "position": data, "visits": 10}
    answer = json.loads(run("analyze", text=json.dumps(query) + "\n").stdout.splitlines()[-1])
    assert answer["moves"]
    position = from_dict(data)
    assert isinstance(position, nf.Position)
    assert position.game is game


@pytest.mark.usefixtures("site")
def test_a_path_is_a_file_though_a_plugin_has_the_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bakery").write_text(TOML)
    titles = [nf.game("donuts", ruleset=name).ruleset.title for name in ("bakery", "./bakery", Path("bakery"))]
    assert titles == ["The bakery bakes more of what is cheap", "Mine", "Mine"]


@pytest.mark.usefixtures("site")
def test_player_goes_by_its_name() -> None:
    position = nf.game("donuts", 2).deal(3)
    worth = dict(zip(position.legal(0), position.prior(0), strict=True))
    assert worth[position.game.move(player("nth:1")(position, 0, 0))] == max(worth.values())
    alone = nf.match(["nth:1", "nth:2"], "donuts", 8, seed=1)
    assert alone.names == ["nth:1", "nth:2"]
    spread = nf.match(["nth:1", "nth:2"], "donuts", 8, seed=1, workers=2)
    assert [one.points for one in spread.games] == [one.points for one in alone.games]


@pytest.mark.usefixtures("site")
def test_near_names_are_suggested() -> None:
    with pytest.raises(nf.InputError) as error:
        nf.game("donuts", ruleset="bakerie")
    assert said(error) == "ruleset: no file and no plug-in 'bakerie': did you mean 'bakery'?"
    with pytest.raises(nf.InputError) as error:
        player("nht:2")
    assert said(error) == "player: unknown player 'nht:2': did you mean 'nth'?"


@pytest.mark.usefixtures("site")
def test_ruleset_of_another_game_is_refused() -> None:
    with pytest.raises(nf.InputError, match="this is no ruleset of coney"):
        nf.game("coney", ruleset="bakery")


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("import nowhere", "plug-in 'mine' of broken 1.0: ModuleNotFoundError: No module named 'nowhere'"),
        ("FIL = 1", "plug-in 'mine' of broken 1.0: AttributeError: module 'module_of_broken' has no attribute 'FILE'"),
        ("FILE = 3", "plug-in 'mine' of broken 1.0: this is no file: 3"),
        (
            "import pathlib; FILE = pathlib.Path(__file__).with_name('no.toml')",
            "plug-in 'mine' of broken 1.0: FileNotFoundError",
        ),
        ("import pathlib; FILE = pathlib.Path(__file__)", "module_of_broken.py of broken 1.0: is no TOML"),
        ("raise ValueError('two\\nlines')", "plug-in 'mine' of broken 1.0: ValueError: two lines"),
    ],
)
def test_broken_ruleset_is_one_line_with_its_package(site: Path, code: str, complaint: str) -> None:
    add_ruleset(site, "broken", "mine", code)
    sys.modules.pop("module_of_broken", None)
    with pytest.raises(nf.InputError) as error:
        nf.game("donuts", ruleset="mine")
    assert complaint in said(error)
    assert {one.name: bool(one.error) for one in plugins.listed()} == {"bakery": False, "mine": True, "nth": False}


def test_wrong_word_in_a_ruleset_is_named_with_file_and_package(site: Path) -> None:
    (site / "mine.toml").write_text(TOML.replace("plain", "plane"))
    add_ruleset(site, "broken", "mine", "import pathlib; FILE = pathlib.Path(__file__).with_name('mine.toml')")
    sys.modules.pop("module_of_broken", None)
    with pytest.raises(nf.InputError) as error:
        nf.game("donuts", ruleset="mine")
    assert said(error) == "mine.toml of broken 1.0: kinds: unknown entry 'plane': did you mean 'plain'?"


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("import nowhere_at_all", "plug-in 'mine' of broken 1.0: ModuleNotFoundError: No module named"),
        ("make = 3", "plug-in 'mine' of broken 1.0: 3 cannot be called"),
        ("def make(said): return 3", "plug-in 'mine' of broken 1.0: it gives 3, which is no player"),
        ("def make(): pass", "plug-in 'mine' of broken 1.0: TypeError: make() takes 0 positional arguments"),
        ("def make(said): raise ValueError('too cold')", "player: too cold in 'mine:2'"),
    ],
)
def test_broken_player_is_one_line_with_its_package(site: Path, code: str, complaint: str) -> None:
    add_player(site, "broken", "mine", code)
    sys.modules.pop("module_of_broken", None)
    with pytest.raises(nf.InputError) as error:
        nf.match(["mine:2", "random"], "donuts", 2)
    assert complaint in said(error)


def test_two_plugins_of_one_name_are_refused_and_others_go_on(site: Path) -> None:
    add_ruleset(site, "other", "bakery", "FILE = 1")
    add_player(site, "third", "nth", "make = print")
    with pytest.raises(nf.InputError) as error:
        nf.game("donuts", ruleset="bakery")
    assert said(error) == "ruleset: two plug-ins have the name 'bakery': ninefold-bakery 1.0 and other 1.0"
    with pytest.raises(nf.InputError) as error:
        player("nth:1")
    assert said(error) == "player: two plug-ins have the name 'nth': ninefold-bakery 1.0 and third 1.0"
    player("greedy")
    wrong = run("plugins", code=2)
    assert len(wrong.stderr.splitlines()) == 2


def test_names_that_cannot_be_reached_are_said_so(site: Path) -> None:
    add_player(site, "mine", "greedy", "make = print")
    install(site, "odd", {}, {"ninefold.rulesets": {"my.toml": "nowhere:FILE"}})
    errors = [one.error for one in plugins.listed() if one.error]
    assert errors == [
        "ruleset: a plug-in's name has letters, digits, - and _ alone, not 'my.toml': odd 1.0",
        "player: plug-in 'greedy' of mine 1.0: ninefold has a player of this name",
    ]
