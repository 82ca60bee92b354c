"""Bad files: one clear line each, which names the file, the place in it, and what would do."""

from __future__ import annotations

import pickle
import random
import re
from pathlib import Path

import pytest

import ninefold as nf
from ninefold.files import from_dict, to_dict, to_text
from tests.complaints import mutated
from tests.fuzzers import play
from tests.positions import random_game, walk

pytestmark = pytest.mark.unsanitized

GOOD = """ninefold = 1
game = "donuts"
row = ["glazed", "red_velvet", "plain", "eclair"]
discard = ["plain"]
[[player]]
cards = { plain = 2 }
[[player]]
cards = { glazed = 1 }
[[player]]
cards = {}
"""
HEAD = "mine.toml: "


def complaint(tmp_path: Path, text: str | bytes, name: str = "mine.toml") -> str:
    """What reading this text says; it must be one line."""
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(nf.InputError) as error:
        nf.read(file)
    said = str(error.value)
    assert len(said.splitlines()) == 1
    assert len(said) < 300
    assert str(pickle.loads(pickle.dumps(error.value))) == said
    assert error.value.file in (name, "none.toml")
    return said


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # cards
        ('["glazed"', '["glased"', "row[0]: unknown card 'glased': did you mean 'glazed'?"),
        ("glazed = 1", "glased = 1", "player[1].cards.glased: unknown card 'glased': did you mean 'glazed'?"),
        ("glazed = 1", "bear_claw = 1", "player[1].cards.bear_claw: bear_claw is not in the deck of 3 players"),
        ("glazed = 1", "glazed = 5", "player[1].cards.glazed: too many glazed: 6 here, 5 in the game"),
        ("glazed = 1", "glazed = -1", "player[1].cards.glazed: a number of cards, not -1"),
        ("glazed = 1", 'glazed = "1"', "player[1].cards.glazed: must be a whole number, not '1'"),
        ("glazed = 1", "glazed = 1.0", "player[1].cards.glazed: must be a whole number, not 1.0"),
        ("glazed = 1", "glazed = true", "player[1].cards.glazed: must be a whole number, not True"),
        ("glazed = 1", "plain = 0, glazed = [1]", "player[1].cards.glazed: must be a whole number, not [1]"),
        ("glazed = 1", f"glazed = 1{'0' * 30}", "player[1].cards.glazed: "),
        ("glazed = 1", f"glazed = 1{'0' * 5000}", "is no TOML: a number is far too long"),
        ("glazed = 1", "glazed = 1e400", "player[1].cards.glazed: must be a whole number, not inf"),
        ("glazed = 1", "glazed = nan", "player[1].cards.glazed: must be a whole number, not nan"),
        ("glazed = 1", '"coffee+1" = 1', "player[1].cards.coffee+1: coffee is not in the deck"),
        ('["plain"]', '["plian"]', "discard[0]: unknown card 'plian': did you mean 'plain'?"),
        ('["plain"]', '"plain"', "discard: must be a list, not 'plain'"),
        ('["plain"]', "[1]", "discard[0]: must be a text in quotes, not 1"),
        ('["plain"]', '["plain"]\ndeck = 3', "deck: 3 cards, but 42 are seen nowhere else"),
        ('["plain"]', '["plain"]\ntop = ["brownie"]', "top[0]: unknown card 'brownie'"),
        ('["plain"]', '["plain"]\nbottom = [{ card = "plain", seen = [3] }]', "bottom[0].seen: players are 0 to 2, not 3"),
        ('["plain"]', f'["plain"]\ntop = {["?"] * 17}', "top: at most 16 known cards, not 17"),
        # row and players
        (', "eclair"]', "]", "row: 3 players have a row of 4 places, not 3"),
        ('"eclair"]', '"eclair", "plain"]', "row: 3 players have a row of 4 places, not 5"),
        ("row = [", "rows = [", "unknown field 'rows': did you mean 'row'?"),
        ("[[player]]\ncards = {}", "[[player]]\ncard = {}", "player[2]: unknown field 'card': did you mean 'cards'?"),
        ("[[player]]", "[player]", "is no TOML: "),
        # the head
        ("ninefold = 1\n", "", "'ninefold = 1' is missing"),
        ("ninefold = 1", "ninefold = 2", "ninefold: the format's version is 1, not 2"),
        ("ninefold = 1", "ninefold = true", "ninefold: the format's version is 1, not True"),
        ('"donuts"', '"donut"', "game: unknown game 'donut': did you mean 'donuts'?"),
        ('"donuts"', "5", "game: unknown game 5"),
        ('"donuts"', '"donuts"\npreset = "bag"', "preset: unknown preset 'bag': did you mean 'bga'?"),
        ('"donuts"', '"donuts"\noptions = { coffee = "x" }', "options.coffee: must be frozen or final, not 'x'"),
        ('"donuts"', '"donuts"\noptions = { coffee = 1 }', "options.coffee: must be a text in quotes, not 1"),
        ('"donuts"', '"donuts"\nruleset = "none.toml"', "no such file"),
        ('"donuts"', '"donuts"\nruleset = { extends = "standard", kinds = { plian = {} } }', "ruleset.kinds: unknown entry 'plian'"),
        # TOML itself
        ('game = "donuts"', 'game = "donuts"\ngame = "donuts"', "is no TOML: Cannot overwrite a value"),
        ("[[player]]\ncards = {}", "[[player]]\ncards = {", "is no TOML: "),
        ('discard = ["plain"]', f"discard = {'[' * 5000}", "is no TOML: nested too deeply"),
        ('discard = ["plain"]', f"discard = {'[' * 50 + ']' * 50}", "discard[0]: must be a text in quotes, not ["),
        # what has been decided
        ("cards = {}", "cards = {}\n[pending]", "pending: bids is missing"),
        ("cards = {}", "cards = {}\n[pending]\nbids = [1, 2]", "pending.bids: one for each of the 3 players, not 2"),
        ("cards = {}", 'cards = {}\n[pending]\nbids = [1, 5, "-"]', "pending.bids[1]: a place from 1 to 4"),
        ("cards = {}", 'cards = {}\n[pending]\nbids = ["-", "-", "-"]', "pending.bids: no bid is made"),
        ("cards = {}", "cards = {}\n[pending]\nbids = [1, 1, 1]", "pending.place: all bids are made"),
        ("cards = {}", 'cards = {}\n[pending]\nbids = [1, 1, "-"]\npower = "milk"', "pending.power: needs the place"),
        ("cards = {}", 'cards = {}\n[pending]\nbids = [1, 1, "-"]\nplace = 1', "pending.bids: bids are known while"),
        ("cards = {}", "cards = {}\n[pending]\nbids = [1, 1, 2]\nplace = 1", "pending.place: 2 bids on place 1"),
        ("cards = {}", "cards = {}\n[pending]\nbids = [1, 1, 2]\nplace = 2", "pending.place: place 1 has been resolved"),
        ("cards = {}", "cards = {}\n[pending]\nbids = [1, 1, 2]\nplace = 9", "pending.place: a place from 1 to 4"),
    ],
)  # fmt: skip
def test_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    said = complaint(tmp_path, GOOD.replace(old, new, 1) if old != "[[player]]" else GOOD.replace(old, new))
    assert said.startswith((HEAD + message, "none.toml: " + message)) or said == message


def test_wrong_numbers_of_players(tmp_path: Path) -> None:
    head = 'ninefold = 1\ngame = "donuts"\nrow = ["plain"]\n'
    assert complaint(tmp_path, head) == HEAD + "player is missing"
    for n in (1, 7, 100):
        assert complaint(tmp_path, head + "[[player]]\n" * n) == HEAD + f"player: donuts is for 2 to 6 players, not {n}"


POWER = """ninefold = 1
game = "donuts"
row = ["-", "-", "plain", "glazed", "plain"]
discard = ["glazed"]
{more}
[[player]]
cards = {{ plain = 1 }}
[[player]]
cards = {{ {kind} = 1 }}
[[player]]
[[player]]
[pending]
bids = [1, 2, 1, {last}]
place = 2
power = "{kind}"
{end}
"""


@pytest.mark.parametrize(
    ("kind", "end", "message"),
    [
        ("milk", "chosen = 3", "pending.chosen: must be 0 to 2 here, not 3"),
        ("milk", "", "pending.power: there is nothing to choose"),
        ("glazed", "", "pending.power: unknown power 'glazed'"),
        ("bear_claw", 'drawn = ["plain"]', "pending.drawn: only double_chocolate draws"),
        ("bear_claw", 'passes = ["plain"]', "pending.passes: only with cinnamon_twist"),
        ("bear_claw", 'card = "plain"', "pending.power: player 1 has no card with the power bear_claw"),
        ("cinnamon_twist", "", "pending.passes: one for each of the 4 players, not 0"),
        ("cinnamon_twist", 'passes = ["plain", "cinnamon_twist", "-", "-"]', "pending.passes: everybody has chosen"),
        ("cinnamon_twist", 'passes = ["glazed", "-", "-", "-"]', "pending.passes[0]: player 0 does not hold that card"),
        ("cinnamon_twist", 'passes = ["-", "-", "?", "-"]', "pending.passes[2]: player 2 does not hold that card"),
        ("double_chocolate", 'drawn = ["plain", "plain", "plain"]', "pending.drawn: at most two cards, not 3"),
        ("double_chocolate", 'drawn = ["brownie"]', "pending.drawn[0]: unknown card 'brownie'"),
        ("french_cruller", "chosen = 3", "pending.chosen: place 3 still has a card"),
    ],
)
def test_impossible_powers(tmp_path: Path, kind: str, end: str, message: str) -> None:
    assert complaint(tmp_path, POWER.format(kind=kind, end=end, more="", last=4)).startswith(HEAD + message)


def test_impossible_refills(tmp_path: Path) -> None:
    hole = GOOD.replace('"eclair"]', '"-"]')
    assert complaint(tmp_path, hole.replace("row =", 'top = ["plain"]\nrow =')).startswith(
        HEAD + "top: the next card is known, plain"
    )
    assert "nobody bids while places are empty" in complaint(tmp_path, hole + '[pending]\nbids = [1, "-", "-"]\n')


def test_what_is_no_text(tmp_path: Path) -> None:
    assert complaint(tmp_path, b"") == HEAD + "is empty"
    assert complaint(tmp_path, b" \n\t\n") == HEAD + "is empty"
    assert complaint(tmp_path, GOOD.replace("plain", "plaïn").encode("latin-1")).startswith(
        HEAD + "is not UTF-8 text: byte 0xef"
    )
    assert complaint(tmp_path, GOOD.encode("utf-16")).startswith(HEAD + "is not UTF-8 text: byte 0xff at 0")
    assert complaint(tmp_path, GOOD.encode("utf-16-le")).startswith(HEAD + "is not text: a NUL character")
    assert complaint(tmp_path, GOOD.replace("1", "\0", 1)).startswith(HEAD + "is not text: a NUL character at 11")
    assert complaint(tmp_path, b"\x89PNG\r\n\x1a\n").startswith(HEAD + "is not UTF-8 text")
    assert "MiB" in complaint(tmp_path, b"#" * ((1 << 24) + 1))


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD)
    for path, message in [
        (tmp_path, f"{tmp_path.name}: this is a directory, not a file"),
        (tmp_path / "mime.toml", "mime.toml: no such file: did you mean 'mine.toml'?"),
        (tmp_path / "no" / "such" / "folder.toml", "folder.toml: no such file"),
        (tmp_path / "mine.toml" / "x.toml", "x.toml: cannot be read: Not a directory"),
        (tmp_path / ("x" * 300), "x" * 300 + ": cannot be read: File name too long"),
    ]:
        with pytest.raises(nf.InputError) as error:
            nf.read(path)
        assert str(error.value) == message
    with pytest.raises(nf.InputError, match="cannot be read: embedded null byte"):
        nf.read("a\0b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no JSON: Input data was truncated"),
        ("[1]", "a file holds a table, not [1]"),
        ("null", "a file holds a table, not None"),
        ('{"ninefold": 1, "game": "donuts", "row": [1e400]}', "is no JSON: Number out of range"),
        ('{"ninefold": 1e0, "game": "donuts"}', "ninefold: must be a whole number, not 1.0"),
        ('{"ninefold": 1, "game": "donuts", "row": []} x', "is no JSON: JSON is malformed"),
        ("[" * 100000, "is no JSON: "),
        ('{"ninefold": 1, "game": {}}', "game: unknown game {}"),
        ('{"ninefold": 1, "game": "donuts", "steps": 5}', "steps: must be a list, not 5"),
        ('{"ninefold": 1, "game": "donuts", "players": 3, "steps": [5]}', "steps[0]: must be a text in quotes, not 5"),
        ('{"ninefold": 1, "game": "donuts", "players": 9, "steps": []}', "players: donuts is for 2 to 6 players, not 9"),
        ('{"ninefold": 1, "game": "donuts", "players": 2, "steps": ["deal x"]}', "steps[0]: step 1: 'deal x' can't come here"),
        ('{"ninefold": 1, "game": "donuts", "extends": {}}', "extends: a ruleset extends 'standard', not {}"),
        ('{"ninefold": 1, "game": "donuts", "kinds": []}', "kinds: must be a table, not []"),
        ('{"ninefold": 1, "game": "donuts", "kinds": {"a": null}}', "kinds.a: must be a table, not None"),
    ],
)  # fmt: skip
def test_json(tmp_path: Path, text: str, message: str) -> None:
    assert complaint(tmp_path, text, "mine.json").startswith("mine.json: " + message)


def test_truncated_files(tmp_path: Path) -> None:
    """Cut anywhere, a file is refused in one line, or what is left is a whole one."""
    position = nf.game("donuts", 3).deal(1)
    position.play(0, "bid 1")
    refused = []
    for kind in ("toml", "json"):
        text = to_text(position, kind)
        for end in range(0, len(text), 3):
            file = tmp_path / f"cut.{kind}"
            file.write_text(text[:end])
            try:
                nf.read(file)
            except nf.InputError as error:
                refused.append(str(error))
    assert len(refused) > 150
    assert not any("\n" in said for said in refused)


def test_damaged_files_never_raise_anything_else(tmp_path: Path) -> None:
    rng = random.Random(1)
    words = [
        '"-"',
        '"?"',
        "-1",
        "99",
        "[]",
        "{}",
        "true",
        '"plain"',
        '"coffee+1"',
        "1e999",
        "",
        '"milk"',
        "[[player]]",
        "\n",
    ]
    texts = [file.read_text() for file in (Path(__file__).parent.parent / "examples").glob("donuts*.toml")]
    accepted, refused = 0, []
    for _ in range(1500):
        pieces = re.split(r'("[^"]*"|\d+|\s+)', rng.choice(texts)[:1500])
        for _ in range(rng.randrange(1, 4)):
            pieces[rng.randrange(len(pieces))] = rng.choice(words)
        file = tmp_path / "damaged.toml"
        file.write_text("".join(pieces))
        try:
            thing = nf.read(file)
        except nf.InputError as error:
            refused.append(str(error))
        else:
            accepted += 1
            assert from_dict(to_dict(thing)) == thing
    assert accepted > 20
    assert not any("\n" in said for said in refused)


def test_position_of_another_game() -> None:
    game = nf.game("donuts", 3)
    with pytest.raises(nf.InputError, match="this game has 3 players, not 2"):
        game.position(row=["plain"] * 3, player=[{}, {}])
    with pytest.raises(nf.InputError, match="player is missing"):
        game.position(row=[])


WORDS = ("-", "?", "plain", "double_chocolate", "coffee+1", "milk", "french_cruller", "day_old", "bear_claw")


def test_every_position_that_is_accepted_can_be_played_to_its_end() -> None:
    rng = random.Random(2)
    played = 0
    for seed in range(120):
        for position in walk(random_game(seed), seed):
            if rng.random() > 0.15:
                continue
            data = position.to_dict() if rng.random() < 0.7 else position.view(0).to_dict()
            for _ in range(rng.randrange(1, 4)):
                data = mutated(data, rng, WORDS)
            try:
                end = from_dict(data)
            except nf.InputError:
                continue
            assert isinstance(end, nf.Position)
            assert from_dict(end.to_dict()) == end
            played += 1
            end.resample(0, nf.Generator(seed))
            world = nf.game("donuts", end.players, options=end.game.options).position(end.to_dict())
            play(world, rng)
    assert played > 100
