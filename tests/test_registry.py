"""What every game of the registry must bring along."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path

import pytest
from rich.console import Console

import ninefold as nf
from ninefold.games import NAMES, module

ROOT = Path(__file__).parent.parent


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    found = request.param
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize(
    "path",
    [
        "cyext/ninefold/core/games/{}.pxd",
        "cyext/ninefold/core/games/{}.pyx",
        "python/ninefold/core/games/{}.pyi",
        "python/ninefold/games/{}.py",
        "python/ninefold/games/{}.toml",
        "python/ninefold/games/{}_puzzles.py",
        "tests/data/{}.perft",
        "tests/reference/{}.py",
        "tests/test_rules_{}.py",
        "docs/games/{}.md",
        "docs/schema/{}-position.json",
        "docs/schema/{}-ruleset.json",
    ],
)
def test_files(name: str, path: str) -> None:
    assert (ROOT / path.format(name)).is_file(), "a game of the registry needs this file: CONTRIBUTING.md"


def test_example(name: str) -> None:
    assert list((ROOT / "examples").glob(f"{name}*.toml")) or list((ROOT / "examples" / name).glob("*.toml"))


def test_bench(name: str) -> None:
    files = [ROOT / "python/ninefold/bench.py", *(ROOT / "bench").rglob("*.py")]
    assert any(name in file.read_text() for file in files if file.is_file()), "no benchmark mentions the game"


def test_engine(name: str) -> None:
    assert find_spec(f"ninefold.core.games.{name}")
    game = nf.game(name)
    assert game.core.name == name
    assert game.name == name
    assert game.core.state_size % 8 == 0


def test_picture(name: str) -> None:
    console = Console(width=100, record=True, file=io.StringIO())
    for players in module(name).players:
        console.print(nf.game(name, players).deal(1))
        assert len(console.export_text().splitlines()) > players


def test_presets(name: str) -> None:
    ruleset = module(name).standard()
    assert "standard" in ruleset.presets
    for preset in ruleset.presets:
        assert nf.game(name, preset=preset).name == name
