"""A game at one keyboard: what each person is shown, what he may type, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count, groupby
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.segment import Segment, Segments
from rich.table import Table as Grid
from rich.text import Text

from ninefold.analysis import Analysis, Limit
from ninefold.checkpoint import write_whole
from ninefold.cli.best import answer_picture, watched
from ninefold.cli.keyboard import Keyboard
from ninefold.errors import InputError, NinefoldError, near, shown
from ninefold.explain import explain
from ninefold.files import text_format, to_text
from ninefold.move import Move
from ninefold.puzzle import Puzzle
from ninefold.search import best
from ninefold.table import Table

__all__ = ["Sitting"]

MANY = 24  # moves: beyond them the groups that have more than FEW are told by their first word alone
FEW = 6
HINTS = 3  # moves that a hint tells
HINT, ANALYSIS = 1.0, 5.0  # seconds of thinking, if nothing else is said
SECONDS = 0.01, 3600.0  # the least and the most
_ALIASES = {"?": "help", "analyze": "analyse", "exit": "quit"}
_QUESTIONS = {
    "maximum": "how many points can you have?",
    "value": "what is this worth to player 0, and which move keeps it?",
}


class _Command(NamedTuple):
    takes: str
    does: str
    now: Callable[[int, str], None]  # called with the seat of whoever typed it and what stood behind the word
    ended: bool = True  # whether it makes sense when the game is over


class _LeaveError(Exception):
    """Somebody leaves the table."""


class Sitting:
    """Persons at one keyboard play the game of a table, turn by turn, until somebody leaves."""

    def __init__(
        self,
        table: Table,
        keys: Keyboard,
        screen: Console,
        file: str,
        *,
        own: bool = False,
        puzzle: Puzzle | None = None,
    ) -> None:
        """A table with at least one person.

        file: where the game is saved when somebody leaves; own: that it holds this game already, so that it may be
        written anew. puzzle: what is asked of the position at which the table began.
        """
        self.table, self.keys, self.screen, self.file, self.puzzle = table, keys, screen, file, puzzle
        self._hints = list(puzzle.hints) if puzzle is not None else []  # of the puzzle, from vague to plain
        self._own = {file} if own else set()
        self._changed = False
        self._watched: tuple[int, bool] | None = None  # who saw the screen last, and whether secrets stood there
        self._rest: list[list[Segment]] = []  # lines of a long list that `more` shows
        self._commands = {
            "help": _Command("", "this list; also ?", self._help),
            "show": _Command("", "the picture and the moves again", self._show),
            "moves": _Command("[WORD]", "all moves, or those that begin with a word", self._moves, ended=False),
            "more": _Command("", "go on with a long list", self._more),
            "hint": _Command(
                "[SECONDS]",
                f"what the engine would do, after {HINT:g} s; first a puzzle's own",
                self._hint,
                ended=False,
            ),
            "analyse": _Command(
                "[SECONDS]", f"all it says, after {ANALYSIS:g} s or Ctrl-C", self._analyse, ended=False
            ),
            "explain": _Command(
                "[MOVE]", "what speaks for the best move, or against this one", self._explain, ended=False
            ),
            "undo": _Command("", "take back the last choice of a person, and what came after it", self._undo),
            "record": _Command("", "what has happened, as far as you may know", self._record),
            "save": _Command("[FILE]", f"write the game into a file: {file}", self._save),
            "quit": _Command("", "leave; the game is saved", self._quit),
        }

    # --- the course of a game -----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until somebody leaves or no more is typed; what was chosen is saved then. Raises InputError."""
        try:
            self._greet()
            while True:
                self._others()
                self._turn(next(iter(self.table.waiting), self.table.persons[0]))
        except _LeaveError:
            pass
        except (EOFError, KeyboardInterrupt):
            self.screen.print()
        except BaseException:  # an opponent of one's own that fails, say: what was played is not lost
            self._leave()
            raise
        self._leave()

    def _greet(self) -> None:
        table = self.table
        seats = [self._name(seat) for seat in range(len(table.seats))]
        if len(table.persons) == 1:
            seats.insert(0, f"you are {seats.pop(table.persons[0])}")
        self._say(f"{table.game.name}, seed {table.seed}: {', '.join(seats)}; ? for help")
        if self.puzzle is not None:
            self._say(f"{self.puzzle.title or 'a puzzle'}: {_QUESTIONS[self.puzzle.question]}")

    def _others(self) -> None:
        """All that nobody at the keyboard decides. Ctrl-C makes a player who searches choose at once."""
        while (seat := self.table.thinking) is not None or self.table.position.is_chance:
            if seat is None or not self.keys.live:
                self.table.step()
                continue
            try:
                with self.screen.status(Text(f"{self._name(seat)} thinks … (Ctrl-C: choose now)")):
                    self.table.step()
            except KeyboardInterrupt:  # he has no choice at hand yet
                if self.keys.ask(seat, "stopped: Enter goes on, quit leaves> ", lambda: ["quit"]).strip():
                    raise _LeaveError from None

    def _turn(self, seat: int) -> None:
        """Show a person what he may see, and do what he types until the game has moved."""
        if not self.table.position.is_over:
            self._pass_to(seat)
        self._show(seat)
        steps = len(self.table.steps)
        while len(self.table.steps) == steps:
            typed = self.keys.ask(seat, f"player {seat}> ", lambda: self._lines(seat))
            try:
                self._do(seat, typed.strip())
            except NinefoldError as error:
                self._say(str(error), "red")
            except KeyboardInterrupt:  # while the engine was asked for advice
                self._say("stopped before there was an answer", "red")

    def _pass_to(self, seat: int) -> None:
        """Wipe the screen and wait, if another person saw it last and there is something to hide."""
        hidden = self.table.position.secrets == "hidden"
        who, before = self._watched or (None, False)
        if who == seat:
            hidden = hidden or before
        elif len(self.table.persons) > 1 and (hidden or before) and self.keys.live:
            self.screen.clear()
            self.screen.file.write("\x1b[3J")  # what has scrolled away, too
            self.keys.ask(seat, f"player {seat}: press Enter when you alone see the screen ", list)
        self._watched = seat, hidden

    def _do(self, seat: int, typed: str) -> None:
        legal = self._legal(seat)
        word, _, rest = typed.partition(" ")
        name = _ALIASES.get(word.lower(), word.lower())
        if not typed:
            self._do_nothing(seat, legal)
        elif name in self._commands and (legal or self._commands[name].ended):
            self._commands[name].now(seat, rest.strip())
        elif (move := self._named(typed, legal)) in legal:
            self._choose(seat, move)
        elif not rest and any(_first(one) == name for one in legal):
            self._moves(seat, name)
        else:
            raise self._wrong(seat, typed, move)

    def _do_nothing(self, seat: int, legal: list[Move]) -> None:
        if self._rest:
            self._go_on()
        elif not legal:
            raise _LeaveError
        elif len(legal) == 1:
            self._choose(seat, legal[0])
        else:
            raise InputError("type a move or its number, or ? for help")

    def _named(self, typed: str, legal: list[Move]) -> Move | None:
        """The move with this number or notation, which may be an illegal one. Raises InputError for a wrong number."""
        if typed.isdecimal() and legal:
            number = int(typed[:9])
            if not 1 <= number <= len(legal):
                raise InputError(f"the moves are numbered from 1 to {len(legal)}: there is no {shown(typed)}")
            return legal[number - 1]
        try:
            return self.table.game.move(typed)
        except InputError:
            return None

    def _wrong(self, seat: int, typed: str, move: Move | None) -> InputError:
        over = self.table.position.is_over
        why = "the game is over" if over else "this can't be done now" if move is not None else "no move and no command"
        return InputError(f"{shown(typed)}: {why}", match=near(typed, self._lines(seat)))

    def _choose(self, seat: int, move: Move) -> None:
        self.table.choose(seat, move)
        self._changed = True

    def _leave(self) -> None:
        if self._changed:
            file = Path(self.file)
            for number in count(2):
                try:
                    self._write(self.file)
                    break
                except FileExistsError:
                    self.file = str(file.with_name(f"{file.stem}-{number}{file.suffix}"))
        if self.file in self._own:
            self._say(f"saved in {self.file}; to go on: ninefold play {quote(self.file)}")
        else:
            self._say("nothing was chosen, so nothing is saved")

    def _write(self, name: str) -> None:
        """Write the game. Raises FileExistsError for a file that another one made, InputError for other troubles."""
        text = to_text(self.table.record(), text_format(name)).encode()
        if name in self._own:
            write_whole(name, text)
        else:
            try:
                with open(name, "xb") as file:
                    file.write(text)
            except FileExistsError:
                raise
            except (OSError, ValueError) as error:
                raise InputError(f"cannot be written: {getattr(error, 'strerror', None) or error}", file=name) from None
            self._own.add(name)
        self.file, self._changed = name, False

    # --- commands -----------------------------------------------------------------------------------------------------

    def _help(self, seat: int, rest: str) -> None:
        grid = Grid.grid(padding=(0, 2))
        grid.add_row("a number", "the move with this number")
        grid.add_row("a move", "as it stands in the list; Tab completes")
        grid.add_row("a first word", "the moves that begin with it")
        grid.add_row("Enter", "the only move, where there is but one; more of a long list")
        for name, command in self._commands.items():
            grid.add_row(Text(f"{name} {command.takes}"), Text(command.does))
        grid.add_row("Ctrl-C, Ctrl-D", "as quit")
        self.screen.print(grid)

    def _show(self, seat: int, rest: str = "") -> None:
        self._rest = []
        self.screen.print(Rule(f"{self.table.game.name} · player {seat}"))
        news = [step for step in self.table.since(seat) if not self._is_idle(step)]
        for who, steps in groupby(news, _chooser):
            self.screen.print(Text(self._told(who, seat, steps)))
        if self.table.position.is_over:
            self._end()
            return
        self.screen.print(self.table.view(seat))
        self._page(self._listing(seat))

    def _moves(self, seat: int, rest: str) -> None:
        legal = self._legal(seat)
        word = rest.lower()
        if word and not any(_first(move) == word for move in legal):
            words = {_first(move) for move in legal}
            raise InputError(f"no move begins with {shown(rest)}", match=near(word, words))
        self._page(self._listing(seat, word, whole=True))

    def _more(self, seat: int, rest: str) -> None:
        if not self._rest:
            raise InputError("there is no more")
        self._go_on()

    def _hint(self, seat: int, rest: str) -> None:
        if self.puzzle is not None and not rest and not self.table.steps and self._hints:
            self._say(self._hints.pop(0))
            return
        answer = self._think(seat, rest, HINT, lambda so_far: Text("thinking …"))
        legal, view, gloss = self._legal(seat), self.table.view(seat), self.table.game.module.gloss
        grid = Grid("", "move", "share", answer.objective, box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for info in answer.moves[:HINTS]:
            sure = f"{answer.worth(info.value)} {answer.error(info)}"
            name = f"{info.move} {gloss(view, info.move)}".rstrip()
            grid.add_row(f"{legal.index(info.move) + 1}", Text(name), f"{info.share:.0%}", sure)
        self.screen.print(grid)
        self._say(f"{answer.headline()}; {answer.time:.1f} s", "dim")

    def _analyse(self, seat: int, rest: str) -> None:
        view = self.table.view(seat)
        answer = self._think(seat, rest, ANALYSIS, lambda so_far: answer_picture(view, so_far))
        self.screen.print(answer_picture(view, answer))

    def _explain(self, seat: int, rest: str) -> None:
        legal = self._legal(seat)
        move = self._named(rest, legal) if rest else None
        if rest and move not in legal:
            raise self._wrong(seat, rest, move)
        answer = self._think(seat, "", HINT, lambda so_far: Text("thinking …"))
        self.screen.print(explain(self.table.view(seat), move, player=seat, answer=answer))

    def _undo(self, seat: int, rest: str) -> None:
        heard = self.table.heard(seat)
        gone = self.table.undo()
        self._changed = True
        taken = heard[-gone]
        self._say(f"taken back: {self._told(_chooser(taken), seat, [taken])}")

    def _record(self, seat: int, rest: str) -> None:
        heard = self.table.steps if self.table.position.is_over else self.table.heard(seat)
        grid = Grid.grid(padding=(0, 2))
        for number, step in enumerate(heard, 1):
            grid.add_row(f"{number}", Text(self._told(_chooser(step), seat, [step])))
        self._page(grid)

    def _save(self, seat: int, rest: str) -> None:
        name = rest or self.file
        if name == "-":
            raise InputError("the game is written into a file, not on the screen: it tells what is hidden")
        try:
            self._write(name)
        except FileExistsError:
            raise InputError("is there already, and not this game: name another file", file=name) from None
        self._say(f"saved in {name}")

    def _quit(self, seat: int, rest: str) -> None:
        raise _LeaveError

    # --- what they need -----------------------------------------------------------------------------------------------

    def _legal(self, seat: int) -> list[Move]:
        """The moves in the order of their numbers: those with the same first word stand together. None at the end."""
        legal = [] if self.table.position.is_over else self.table.view(seat).legal(seat)
        order = {word: place for place, word in reversed(list(enumerate(map(_first, legal))))}
        return sorted(legal, key=lambda move: order[_first(move)])

    def _lines(self, seat: int) -> list[str]:
        """What may be typed here, moves first."""
        legal = self._legal(seat)
        return [*map(str, legal), *(name for name, command in self._commands.items() if legal or command.ended)]

    def _listing(self, seat: int, word: str = "", *, whole: bool = False) -> RenderableType:
        """The moves, numbered, or those with this first word; groups of many are cut short unless `whole`."""
        legal, view, gloss = self._legal(seat), self.table.view(seat), self.table.game.module.gloss
        parts: list[RenderableType] = []
        for first, numbered in groupby(enumerate(legal, 1), lambda one: _first(one[1])):
            group = list(numbered)
            if word not in ("", first):
                continue
            if not whole and len(legal) > MANY and len(group) > FEW:
                parts.append(Text(f"{group[0][0]:4}–{group[-1][0]}  {first} …  {len(group)} moves: type {first}"))
                continue
            notes = [gloss(view, move) for _, move in group]
            lines = [Text(f"{number:4}  {move}") for number, move in group]
            if any(notes):
                grid = Grid.grid(padding=(0, 2))
                for line, note in zip(lines, notes, strict=True):
                    grid.add_row(line, Text(note, style="dim"))
                parts.append(grid)
            else:
                parts.append(Columns(lines, padding=(0, 2)))
        return Group(*parts)

    def _page(self, what: RenderableType) -> None:
        """Print this, for a person no more at once than fits on his screen."""
        self._rest = self.screen.render_lines(what, pad=False)
        self._go_on()

    def _go_on(self) -> None:
        room = max(5, self.screen.height - 3) if self.keys.live else len(self._rest)
        now, self._rest = self._rest[:room], self._rest[room:]
        for line in now:
            self.screen.print(Segments([*line, Segment.line()]), end="")
        if self._rest:
            self._say(f"… {len(self._rest)} more lines: Enter")

    def _think(self, seat: int, rest: str, usual: float, draw: Callable[[Analysis], RenderableType]) -> Analysis:
        """The engine's answer for what this person knows. Raises InputError."""
        seconds = usual
        if rest:
            try:
                seconds = float(rest)
            except ValueError:
                seconds = 0
            if not SECONDS[0] <= seconds <= SECONDS[1]:
                raise InputError(f"seconds are a number from {SECONDS[0]:g} to {SECONDS[1]:g}, not {shown(rest)}")
        view, objective = self.table.view(seat), self.puzzle.objective if self.puzzle else None
        return watched(
            self.screen,
            lambda report: best(view, Limit(time=seconds), player=seat, objective=objective, report=report),
            draw,
        )

    def _end(self) -> None:
        """The last picture, who has how many points, and who won."""
        position = self.table.position
        grid = Grid.grid(padding=(0, 2))
        winners = position.winners() if position.players > 1 else []
        for seat, points in enumerate(position.scores()):
            won = "" if seat not in winners else "won" if len(winners) == 1 else "shares the win"
            grid.add_row(Text(self._name(seat)), f"{points} points", won)
        self.screen.print(position, grid)
        if self.puzzle is not None and self.puzzle.answer is not None:
            lower, upper = self.puzzle.answer.bounds
            self._say(f"the answer: {lower:g}" if lower == upper else f"the answer: from {lower} to {upper}")
        self._say("the game is over: Enter leaves, undo takes the last choice back")

    def _name(self, seat: int) -> str:
        """Who sits there."""
        return f"player {seat}" if seat in self.table.persons else f"player {seat} ({self.table.seats[seat]})"

    def _is_idle(self, step: str) -> bool:
        """Whether this only says that a player, no person, has made a choice which is not known yet: he always has."""
        return step.endswith(": …") and _chooser(step) not in self.table.persons

    def _told(self, who: int | None, seat: int, steps: Iterable[str]) -> str:
        """In words for a seat, what somebody did, or chance if that is None."""
        name = "chance" if who is None else "you" if who == seat else self._name(who)
        did = [step.partition(": ")[2] if who is not None else step for step in steps]
        if did == ["…"]:
            return f"{name} has chosen"
        return f"{name}: {' · '.join(did)}"

    def _say(self, text: str, style: str = "") -> None:
        """A message on one line, however narrow the screen is: so it can be copied."""
        self.screen.print(Text(text, style=style), soft_wrap=True)


def _first(move: Move) -> str:
    """The word that a move begins with."""
    return str(move).split()[0].rstrip(":")


def _chooser(step: str) -> int | None:
    """Whose choice a step is; None: chance's."""
    who, colon, _ = step.partition(":")
    return int(who) if colon and who.isdecimal() else None
