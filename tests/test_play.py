"""Terminal play, as a person at a terminal sees it, and from a script."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import ninefold as nf
from ninefold.cli.keyboard import Keyboard, Lines, Typewriter, completions, keyboard
from ninefold.cli.play import command
from ninefold.cli.sitting import MANY, Sitting
from ninefold.games import NAMES, module
from ninefold.players import LEVELS, player
from ninefold.table import PERSON, Table
from tests.shell import ROOT, run

pexpect = pytest.importorskip("pexpect")
pytest.importorskip("prompt_toolkit")
# Python warns of forks in a program with threads, as the test runner is; the child only starts another program.
pytestmark = [
    pytest.mark.unsanitized,
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]

READY = "\x1b[?2004h"  # what the terminal is sent when a line may be typed


class Terminal:
    """`ninefold play …` at a pseudo-terminal of 40 lines of 100 columns, in this folder."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        ours = {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "NO_COLOR": "1"}
        self.child = pexpect.spawn(
            sys.executable, ["-m", "ninefold", "play", *arguments], cwd=folder, env={**os.environ, **ours},
            encoding="utf-8", dimensions=(40, 100), timeout=120,
        )  # fmt: skip
        self.child.delaybeforesend = None

    def ready(self) -> str:
        """What was shown until a line can be typed."""
        self.child.expect_exact(READY)
        return str(self.child.before)

    def type(self, line: str) -> str:
        """What is shown after this line, until another one can be typed."""
        self.child.send(f"{line}\r")
        return self.ready()

    def leave(self, keys: str = "quit\r") -> str:
        """What is shown at the end of the program."""
        self.child.send(keys)
        self.child.expect(pexpect.EOF)
        self.child.wait()
        assert self.child.exitstatus == 0
        assert "Traceback" not in self.child.before
        return str(self.child.before)


@contextmanager
def terminal(folder: Path, *arguments: str) -> Iterator[Terminal]:
    one = Terminal(folder, *arguments)
    try:
        yield one
    finally:
        one.child.close(force=True)


class Script(Keyboard):
    """A person who types these lines, and leaves."""

    def __init__(self, lines: Sequence[str], *, live: bool = False) -> None:
        self.lines, self.live = list(lines), live

    def ask(self, seat: int, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def played(table: Table, lines: Sequence[str], folder: Path, **options: object) -> str:
    """What is shown to a person who types these lines."""
    screen = Console(file=StringIO(), width=100, height=20)
    live = bool(options.pop("live", False))
    Sitting(table, Script(lines, live=live), screen, str(folder / "game.toml"), **options).run()  # type: ignore[arg-type]
    return screen.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def saved(path: Path) -> nf.Record:
    record = nf.read(path)
    assert isinstance(record, nf.Record)
    return record


# --- at a terminal ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_by_numbers(name: str, tmp_path: Path) -> None:
    players = module(name).players[0]
    others = ["--against", "greedy"] if players > 1 else ["--solo"]
    with terminal(tmp_path, name, *others, "--seed", "9") as at:
        shown = at.ready()
        for _ in range(200):
            if "the game is over" in shown:
                break
            shown = at.type("1")
        assert re.search(r"player 0 +-?\d+ points", shown)
        assert f"saved in ninefold-{name}-9.toml" in at.leave("\r")
    record = saved(tmp_path / f"ninefold-{name}-9.toml")
    assert record.seats == ("",) + ("greedy",) * (players - 1)
    assert record.end().is_over
    assert record.scores is not None


def test_completion_undo_hint_save_and_going_on(tmp_path: Path) -> None:
    with terminal(tmp_path, "donuts", "--against", "greedy", "--seed", "7") as at:
        assert "player 1 (greedy)" in at.ready()
        assert "'bud 2': no move and no command: did you mean 'bid 2'?" in at.type("bud 2")
        at.child.send("\x1b[A")  # what was typed before comes back, to be mended
        at.child.send("\x01\x0bB\t2")  # from its beginning: all away, a B, the rest of the word
        assert "you: bid 2" in at.type("")
        at.type("3")
        assert "taken back: you: bid 3" in at.type("undo")
        assert "share of the win" in at.type("hint 0.1")
        assert "saved in mine.toml" in at.type("save mine.toml")
        assert "ninefold play mine.toml" in at.leave("\x04")
    record = saved(tmp_path / "mine.toml")
    table = Table(nf.game("donuts", 2), [PERSON, "greedy"], seed=7)
    for bid in ("bid 2", "bid 3"):
        table.run()
        table.choose(0, bid)
    table.run()
    steps = table.steps.copy()
    table.undo()
    assert Table.resume(record).position == table.position
    with terminal(tmp_path, "mine.toml") as at:
        assert "you: bid 2" in at.ready()
        at.leave("\x04")
        assert saved(tmp_path / "mine.toml") == record, "nothing was chosen, nothing is changed"
    with terminal(tmp_path, "--resume", "mine.toml") as at:
        at.ready()
        at.type("3")
        assert "saved in mine.toml" in at.leave("\x03")
    assert list(saved(tmp_path / "mine.toml").steps) == steps, "the same luck as if nobody had left"


def hurry(at: Terminal) -> None:
    """Stop the engine until it chooses: at its very first moment it has nothing to choose from, and one is asked."""
    for _ in range(50):
        at.child.expect_exact("thinks")
        at.child.sendintr()
        at.ready()
        if at.child.expect_exact(["player 0>", "Enter goes on"]) == 0:
            return
        at.child.send("\r")


def test_ctrl_c_hurries_the_engine_and_leaves_at_the_prompt(tmp_path: Path) -> None:
    with terminal(tmp_path, "donuts", "--against", "best:time=3000", "--seed", "3") as at:
        hurry(at)
        at.child.send("1\r")
        hurry(at)
        assert "saved in ninefold-donuts-3.toml" in at.leave("\x03")
    assert "0: bid 1" in saved(tmp_path / "ninefold-donuts-3.toml").steps


@pytest.mark.parametrize(("name", "word"), [("coney", "keep"), ("territory", "return")])
def test_nobody_sees_the_cards_of_whoever_sat_there_before(name: str, word: str, tmp_path: Path) -> None:
    with terminal(tmp_path, name, "--seat", "0", "--seat", "1", "--seed", "5") as at:
        screens = [at.ready(), at.type(""), at.type("1"), at.type("")]
        at.leave()
    cards = [set(re.findall(rf"{word} (\w+)", screen)) for screen in screens]
    assert (cards[0], cards[2]) == (set(), set()), "wiped before the keyboard is passed"
    assert cards[1]
    assert cards[3]
    for wiped in screens[0], screens[2]:
        assert "\x1b[2J" in wiped
        assert "\x1b[3J" in wiped
    after = screens[2][screens[2].index("\x1b[2J") :] + screens[3]
    assert "player 0 has chosen" in after
    assert not any(card in after for card in cards[1])


def test_a_bid_is_hidden_from_the_next_person(tmp_path: Path) -> None:
    with terminal(tmp_path, "donuts", "--seat", "0", "--seat", "1", "--seed", "5") as at:
        at.ready()
        assert "\x1b[3J" in at.type("bid 3")
        shown = at.type("")
        assert "player 0 has chosen" in shown
        assert "player 0: bid" not in shown
        assert "type a move or its number" in at.type("\x1b[A"), "what the one typed is not in the other's history"
        assert "player 1: bid 1" in at.type("bid 1") + at.type("")
        at.leave()


# --- without one ------------------------------------------------------------------------------------------------------


def test_a_script_plays_and_its_moves_are_shown(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    said = run(
        "play", "donuts", "--against", "greedy", "--seed", "7", "--save", str(file), text="2\nbid 3\nhint 0.05\n"
    )
    assert "player 0> 2\n" in said.stdout
    assert "you: bid 3" in said.stdout
    assert said.stdout.endswith(f"saved in {file}; to go on: ninefold play {file}\n")
    assert "\x1b" not in said.stdout
    assert len([step for step in saved(file).steps if step.startswith("0:")]) == 2
    assert "Usage: ninefold play" in run("play", "--help").stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_is_the_same_whatever_is_hidden(name: str) -> None:
    """What a person is shown does not change when all that he has not seen is drawn anew."""
    for players in [count for count in module(name).players if count > 1][:2]:
        table = Table(nf.game(name, players), [PERSON] * players, seed=4)
        rng = nf.Generator(players)
        hidden, looks = 0, 0
        while hidden < 6:
            table.run()
            if not table.waiting:
                break
            seat, truth = table.waiting[-1], table.position
            looks += 1
            if looks % 4:
                table.choose(seat, rng.choice(truth.legal(seat)))
                continue
            shown = []
            for _ in range(2):
                screen = Console(file=StringIO(), width=120)
                Sitting(table, Script([]), screen, "x.toml")._show(seat)
                shown.append(screen.file.getvalue())  # type: ignore[attr-defined]
                table.position = world = truth.copy()
                world.resample(seat, rng)
                for other in set(world.actors) - set(truth.actors):  # who has chosen is known, but not what
                    world.play(other, rng.choice(world.legal(other)))
            hidden += world != truth
            table.position = truth
            assert shown[0] == shown[1]
            table.choose(seat, rng.choice(truth.legal(seat)))
        assert hidden > 1, "enough was hidden to tell"


@pytest.mark.parametrize("name", NAMES)
def test_no_move_reads_like_a_command(name: str) -> None:
    commands = Sitting(Table(nf.game(name), [PERSON] * module(name).players[0]), Script([]), Console(), "x")._commands
    for players in module(name).players:
        assert not {move.text for move in nf.game(name, players).moves} & {*commands, "?", "analyze", "exit"}
        assert not {move.text.split()[0].rstrip(":") for move in nf.game(name, players).moves} & set(commands)


def test_long_lists_are_grouped_and_go_on_when_asked(tmp_path: Path) -> None:
    game = nf.game("coney", 1)
    start = next(one for one in nf.Record.random(game, 14).positions() if len(one.legal()) > MANY + 20)
    legal = start.legal()
    table = Table(game, [PERSON], start=start)
    said = played(table, ["place"], tmp_path)
    shown, whole = said.split("type place\n")
    assert re.search(rf"\d+–\d+  place …  {len(legal) - 1} moves: $", shown)
    assert [int(number) for number in re.findall(r"^ +(\d+)  place ", whole, re.MULTILINE)] == list(
        range(2, len(legal) + 1)
    )
    said = played(table, ["moves place", "", "", "", "more"], tmp_path, live=True)
    *_, last, third = re.split(r"… \d+ more lines: Enter", said)
    assert "36  place" in last
    assert re.search(rf"^ +{len(legal)}  place ", third, re.MULTILINE)
    assert "there is no more" in third
    for number in (1, 30):
        table = Table(game, [PERSON], start=start)
        text = re.search(rf"^ +{number}  (\w+( \w+ \w\d)?)", played(table, ["moves"], tmp_path), re.MULTILINE)
        assert text is not None
        played(table, [f"{number}"], tmp_path)
        assert table.steps[0] == f"0: {text[1]}"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "type a move or its number, or ? for help"),
        ("0", "numbered from 1 to 3: there is no '0'"),
        ("9" * 5000, "numbered from 1 to 3: there is no '999"),
        ("99", "numbered from 1 to 3: there is no '99'"),
        ("bid 8", "'bid 8': no move and no command: did you mean 'bid 3'?"),
        ("stop french_cruller", "'stop french_cruller': this can't be done now"),
        ("hnit", "no command: did you mean 'hint'?"),
        ("moves bod", "no move begins with 'bod': did you mean 'bid'?"),
        ("more", "there is no more"),
        ("hint soon", "seconds are a number from 0.01 to 3600, not 'soon'"),
        ("hint nan", "seconds are a number from"),
        ("undo", "there is no choice to take back"),
        ("save -", "not on the screen"),
        ("save no/such/folder.toml", "cannot be written: No such file"),
        ("x" * 500, "no move and no command"),
        ("[bold]\x07", "no move and no command"),
    ],
)
def test_wrong_input_is_told_in_a_line(typed: str, said: str, tmp_path: Path) -> None:
    table = Table(nf.game("donuts", 2), [PERSON, "greedy"], seed=2)
    shown = played(table, [typed], tmp_path)
    assert said in " ".join(shown.split())
    assert "nothing was chosen, so nothing is saved" in shown
    assert not list(tmp_path.iterdir())


def test_help_names_all_commands_and_names_are_shown_as_they_are(tmp_path: Path) -> None:
    table = Table(nf.game("donuts", 2), [PERSON, "greedy"], seed=2)
    table.seats = (PERSON, "[/a] [bold]b")
    shown = played(table, ["?", *["1"] * 30], tmp_path)
    assert "player 1 ([/a] [bold]b)  " in shown
    for word in ("hint", "undo", "analyse", "record", "save", "quit", "Ctrl-C"):
        assert word in shown


def test_analyse_and_record_speak_for_the_person(tmp_path: Path) -> None:
    table = Table(nf.game("coney", 2), [PERSON, "greedy"], seed=2)
    shown = played(table, ["1", "record", "analyse 0.05", "show"], tmp_path)
    assert "player 1 (greedy): keep …" in shown
    assert "you: keep" in shown
    assert "visits" in shown
    assert shown.count("── coney · player 0 ──") == 3


def test_explain_compares_moves_by_what_the_person_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.cli.sitting.HINT", 0.05)
    table = Table(nf.game("donuts", 2), [PERSON, "greedy"], seed=2)
    shown = played(table, ["explain 1", "explain bid 2", "explain bid 9", "explain 9", "explain"], tmp_path)
    assert shown.count("pairs of games with the same luck") == 3
    assert "'bid 9': no move and no command: did you mean 'bid 3'?" in shown
    assert "numbered from 1 to 3: there is no '9'" in shown


def test_no_file_of_another_game_is_overwritten(tmp_path: Path) -> None:
    def table() -> Table:
        return Table(nf.game("donuts", 2), [PERSON, "greedy"], seed=2)

    (tmp_path / "taken.toml").write_text("mine")
    assert "is there already, and not this game" in played(table(), ["save " + str(tmp_path / "taken.toml")], tmp_path)
    assert "saved in" in played(table(), ["1", "save", "1", "save"], tmp_path)
    first = (tmp_path / "game.toml").read_bytes()
    played(table(), ["2"], tmp_path)
    assert (tmp_path / "game.toml").read_bytes() == first
    assert "0: bid 2" in saved(tmp_path / "game-2.toml").steps
    assert (tmp_path / "taken.toml").read_text() == "mine"
    again = Table.resume(saved(tmp_path / "game.toml"))
    played(again, ["3"], tmp_path, own=True)
    assert saved(tmp_path / "game.toml").steps[: len(again.steps)] == tuple(again.steps)


def test_an_opponent_who_fails_costs_no_game(tmp_path: Path) -> None:
    table = Table(nf.game("canopy"), [PERSON, "random"], seed=2)

    def fails(position: nf.Position, seat: int, seed: int) -> str:
        raise RuntimeError("out of order")

    table._players[1] = fails
    with pytest.raises(RuntimeError, match="out of order"):
        played(table, ["1"] * 9, tmp_path)
    assert saved(tmp_path / "game.toml").steps == tuple(table.steps)


def test_a_puzzle_has_hints_of_its_own_before_the_engine_is_asked(tmp_path: Path) -> None:
    puzzle = nf.read(ROOT / "examples" / "book" / "territory-2-1.toml")
    assert isinstance(puzzle, nf.Puzzle)
    assert puzzle.position is not None
    assert puzzle.hints
    table = Table(puzzle.game, [PERSON], start=puzzle.position)
    shown = " ".join(played(table, [*["hint"] * len(puzzle.hints), "hint 0.1"], tmp_path, puzzle=puzzle).split())
    places = [shown.index(hint) for hint in puzzle.hints]
    assert places == sorted(places)
    assert "share" in shown[places[-1] :]


def test_the_end_of_a_puzzle_tells_its_answer(tmp_path: Path) -> None:
    puzzle = nf.read(ROOT / "examples" / "coney" / "open-01.toml")
    assert isinstance(puzzle, nf.Puzzle)
    assert puzzle.position is not None
    table = Table(puzzle.game, [PERSON], start=puzzle.position)
    shown = played(table, ["1"] * 60, tmp_path, puzzle=puzzle)
    assert "how many points can you have?" in shown
    assert re.search(r"player 0 +\d+ points", shown)
    assert "the answer: " in shown


def test_the_last_choice_can_be_taken_back_after_the_end(tmp_path: Path) -> None:
    table = Table(nf.game("donuts", 2), [PERSON, "greedy"], seed=2)
    shown = played(table, ["1"] * 30 + ["hint", "undo", "1", "record"], tmp_path)
    assert shown.count("the game is over: Enter leaves") == 2
    assert "'hint': the game is over" in shown
    assert table.position.is_over


def test_completions_go_word_by_word() -> None:
    lines = ["done", "place fern a1", "place fern b1", "place oak a1", "help"]
    assert completions("", lines) == ["done", "place ", "help"]
    assert completions("PL", lines) == ["place "]
    assert completions("place ", lines) == ["place fern ", "place oak "]
    assert completions("place  fern", lines) == ["place fern "]
    assert completions("place fern b", lines) == ["place fern b1"]
    assert completions("plaice", lines) == []


def test_keyboards(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(keyboard(), Lines), "the tests' standard input is no terminal"
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    assert isinstance(keyboard(), Typewriter)
    monkeypatch.setattr("ninefold.cli.keyboard.find_spec", lambda name: None)
    plain = keyboard()
    assert isinstance(plain, Lines)
    assert plain.live


def test_levels_are_players_and_documented() -> None:
    said = command.help or ""
    page = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    for number, spec in enumerate(LEVELS, 1):
        assert callable(player(spec))
        assert spec in said
        assert f"| {number} | `{spec}` |" in page


def begun(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Table:
    """The table at which this command lets people play."""
    tables: list[Table] = []
    monkeypatch.setattr(Sitting, "run", lambda self: tables.append(self.table))
    command.main(list(arguments), standalone_mode=False)
    (table,) = tables
    return table


def test_who_sits_where(monkeypatch: pytest.MonkeyPatch) -> None:
    three = LEVELS[2]
    for arguments, seats in (
        ("donuts", ["", three]),
        ("coney", [""]),
        ("coney --solo", [""]),
        ("coney --level 1", ["", LEVELS[0]]),
        ("coney --against greedy --against random", ["", "greedy", "random"]),
        ("coney --seat 2", [three, three, ""]),
        ("donuts --players 4 --seat 1 --seat 3 --against greedy", ["greedy", "", "greedy", ""]),
        ("canopy --seat 0 --seat 1", ["", ""]),
        ("examples/donuts-3p.toml --seat 1 --level 2", ["greedy", "", "greedy"]),
        ("donuts --position examples/donuts-3p.toml --against greedy", ["", "greedy", "greedy"]),
        ("examples/donuts-record.toml --seat 1", None),
    ):
        monkeypatch.chdir(ROOT)
        table = begun(monkeypatch, *arguments.split())
        if seats is not None:
            assert list(table.seats) == seats, arguments
    assert begun(monkeypatch, "donuts", "--seed", "5", "--option", "coffee=final").game.options["coffee"] == "final"
    assert begun(monkeypatch, "donuts", "--seed", "5").seed == 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("donut", "unknown game 'donut': did you mean 'donuts'?"),
        ("donuts --seat 2 --players 2", "--seat: seats are 0 to 1, not 2"),
        ("donuts --seat -1", "--seat: seats are 0 to 1, not -1"),
        ("donuts --players 2 --against greedy --against greedy", "--against: 1 seats are free, not 2"),
        ("donuts --against greddy", "unknown player 'greddy': did you mean 'greedy'?"),
        ("donuts --against greedy --level 2", "--level: those of --against are as strong as they are"),
        ("donuts --solo", "donuts is for 2 to 6 players, not 1"),
        ("coney --solo --players 2", "--solo: alone means one player, not 2"),
        ("coney --seat 7", "coney is for 1 to 4 players, not 8"),
        ("donuts --seed -1", "seed: must be a whole number from 0"),
        ("examples/donuts-3p.toml --players 3", "the file says which game that is"),
        ("coney --position examples/donuts-3p.toml", "this is a game of donuts, not of coney"),
        ("--resume examples/donuts-3p.toml", "this is no saved game: begin there by --position"),
        ("examples/donuts-house-rules.toml", "a ruleset, or a puzzle about cards alone, is nothing to play"),
        ("examples/coney/farm-01.toml", "a ruleset, or a puzzle about cards alone, is nothing to play"),
        ("--resume - donuts", "name a file"),
        ("nowhere.toml", "nowhere.toml: no such file"),
        ("nowhere.toml --resume other.toml", "a game begins at one file, not at other.toml and nowhere.toml"),
        ("donuts --save README.md", "README.md: is there already"),
    ],
)
def test_wrong_tables_are_told_in_a_line(arguments: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(nf.InputError) as error:
        begun(monkeypatch, *arguments.split())
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_table_needs_a_game_and_a_person(tmp_path: Path) -> None:
    assert "say which game, or a file" in run("play", code=2).stderr
    engines = Table(nf.game("donuts", 2), ["random", "random"], seed=1)
    nf.write(engines.record(), tmp_path / "engines.toml")
    assert "no person sits at this table" in run("play", str(tmp_path / "engines.toml"), code=2).stderr
