"""Files: what people type, what programs write, records that replay. Round trips of positions: test_invariants.py."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold as nf
from ninefold import toml
from ninefold.files import from_dict, to_dict, to_text
from ninefold.schema import schemas
from tests.positions import random_game
from tests.shell import EXAMPLES

pytestmark = pytest.mark.unsanitized

HERE = Path(__file__).parent
MINUTE = """
ninefold = 1
game = "donuts"
row = ["glazed", "bear_claw", "plain", "eclair", "coffee"]
discard = ["plain", "coffee"]
[[player]]
cards = { plain = 2, glazed = 1, "coffee+2" = 0 }
[[player]]
cards = {}
[[player]]
[[player]]
cards = { powdered = 1 }
"""


def test_a_loaded_view_is_a_view() -> None:
    position = nf.game("donuts", 3).deal(1)
    position.play(0, "bid 1")
    assert type(from_dict(position.view(1).to_dict())) is nf.View
    assert type(from_dict(position.view(0).to_dict())) is nf.Position, "nothing in it is unknown"


def test_a_position_typed_in_a_minute(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MINUTE)
    position = nf.read(file)
    assert isinstance(position, nf.Position)
    assert position.game is nf.game("donuts", 4)
    assert position.actors == (0, 1, 2, 3)
    assert position.to_dict()["deck"] == 61 - 5 - 2 - 3 - 1
    assert position.scores()[0] == 2 + 3 + 2
    head = 'game = "donuts"\npreset = "bga"\noptions = { coffee = "final" }\ndeck = 50'
    file.write_text(MINUTE.replace('game = "donuts"', head).replace(', "coffee+2" = 0', ""))
    position = nf.read(file)
    assert isinstance(position, nf.Position)
    assert position.game is nf.game("donuts", 4, preset="bga", coffee="final")


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_write_and_read(tmp_path: Path, ending: str) -> None:
    game = nf.game("donuts", 4, ruleset={"extends": "standard", "kinds": {"plain": {"points": 2}}}, coffee="final")
    things: list[nf.Position | nf.Record | nf.Ruleset] = [
        game.deal(3),
        game.deal(4).view(1),
        nf.Record.random(game, 5),
        game.ruleset,
    ]
    for thing in things:
        file = tmp_path / f"thing.{ending}"
        nf.write(thing, file)
        assert nf.read(file) == thing
        assert nf.read(str(file)) == thing


def test_a_ruleset_file_beside_the_position(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(
        'ninefold = 1\ngame = "donuts"\nextends = "standard"\n[kinds.plain]\ncopies = 9\n'
    )
    (tmp_path / "mine.toml").write_text('ruleset = "house.toml"\n' + MINUTE)
    position = nf.read(tmp_path / "mine.toml")
    assert isinstance(position, nf.Position)
    assert position.to_dict()["deck"] == 50 + 2
    assert position.to_dict()["ruleset"] == {"extends": "standard", "kinds": {"plain": {"copies": 9}}}
    assert from_dict(position.to_dict()) == position


def test_content_tells_toml_from_json_without_an_ending(tmp_path: Path) -> None:
    position = nf.game("donuts", 2).deal(1)
    for text in (position.to_toml(), position.to_json(), "\ufeff" + position.to_toml()):
        file = tmp_path / "position"
        file.write_text(text, encoding="utf-8")
        assert nf.read(file) == position


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_examples(file: Path) -> None:
    thing = nf.read(file)
    assert from_dict(to_dict(thing)) == thing
    assert from_dict(tomllib.loads(to_text(thing, "toml"))) == thing


@pytest.mark.parametrize("page", ["files.md", "games/donuts.md", "games/coney.md"])
def test_the_files_in_the_documentation(page: str) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", (HERE.parent / "docs" / page).read_text(), re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        thing = from_dict(tomllib.loads(block))
        assert from_dict(to_dict(thing)) == thing


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 11


# --- records ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_records_replay(seed: int) -> None:
    record = nf.Record.random(random_game(seed), seed)
    assert nf.Record.random(random_game(seed), seed) == record
    positions = list(record.positions())
    assert len(positions) == len(record.steps) + 1
    assert positions[-1].is_over
    assert record.scores == tuple(positions[-1].scores())
    assert from_dict(to_dict(record)) == record


def test_a_record_may_start_in_the_middle() -> None:
    start = nf.game("donuts", 3).deal(1)
    record = nf.Record(start.game, ("0: bid 2", "2: BID 2", " 1 : bid 3"), start=start)
    assert record.end().is_chance
    assert from_dict(to_dict(record)) == record


def test_a_record_says_which_step_is_wrong() -> None:
    game = nf.game("donuts", 2)
    deal = ("deal plain", "deal plain", "deal glazed")
    for steps, message in [
        ((*deal, "0: bid 4"), r"steps\[3\]: step 4: ' bid 4': player 0 can't do that: did you mean 'bid"),
        ((*deal, "deal plain"), r"steps\[3\]: step 4: 'deal plain' is not a player's move such as '0: bid 1'"),
        (("deal plain", "deal brownie"), r"step 2: 'deal brownie' can't come here"),
        (("0: bid 1",), "step 1: .*player 0 does not choose now, but chance"),
        ((*deal, "9: bid 1"), "no player 9"),
    ]:
        with pytest.raises(nf.InputError, match=message) as error:
            nf.Record(game, steps).end()
        assert len(str(error.value).splitlines()) == 1
    with pytest.raises(nf.InputError, match=r"scores: the steps lead to \[0, 0\], not \[1, 0\]"):
        from_dict({"ninefold": 1, "game": "donuts", "players": 2, "steps": list(deal), "scores": [1, 0]})


# --- TOML, schemas ----------------------------------------------------------------------------------------------------

plain = st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.integers(-(2**63), 2**63 - 1), st.booleans())
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab."é', min_size=1), inner, max_size=4)
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text('ab ."\n', min_size=1), values, max_size=5))
def test_toml_reads_back(data: dict[str, object]) -> None:
    assert tomllib.loads(toml.encode(data)) == data


def test_published_schemas_are_current() -> None:
    folder = HERE.parent / "docs" / "schema"
    published = {file.stem: json.loads(file.read_text()) for file in folder.glob("*.json")}
    assert published == schemas(), "run python -m ninefold.schema"
