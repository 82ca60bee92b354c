"""Puzzles: a position with a question, and the answer where it is known (docs/solve.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from ninefold._game import Game
from ninefold.errors import InputError, located, near, shown
from ninefold.position import Position, View
from ninefold.record import Record
from ninefold.schema import convert

__all__ = ["MARKED", "Answer", "Grade", "Puzzle", "PuzzleFile"]

Question = Literal["maximum", "value", "farm", "land"]
_FIELDS = {
    "farm": ("rabbits", "tokens", "stock"),
    "land": ("animals", "drafts", "goals", "face_down"),
}  # of questions about cards
_CLOSE = 1e-9  # values that differ by less are equal
_LEAST = 1 << 20  # bytes of memory for a search that is only to look at its question
_LONGEST = 300  # characters of a hint
_HARD = 1_000  # nodes of a proof, for each of the best lines, that make a puzzle harder
MARKED: Mapping[str, float] = {"score": 1, "margin": 0.25, "win": 0.02}  # losses that count, by objective


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of a puzzle's answer. Where it is not solved, lower and upper say how far the proof has come."""

    value: float | int | None = None
    lower: float | int | None = None
    upper: float | int | None = None
    line: list[str] = []  # the steps, as in a record, that reach the value or the lower bound
    optimal: int | None = None  # first moves that keep the value
    time: float | None = None  # seconds that the proof took,
    command: str = ""  # and how it was found

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The proven bounds, equal where it is solved."""
        return (self.value, self.value) if self.value is not None else (self.lower, self.upper)


class Grade(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How hard a puzzle is, from 1 to 5, and what was measured for it (docs/puzzles.md).

    Losses are in the unit of the objective. Alone they are those of the whole game, played to its end; of two players
    those of the first move.
    """

    level: int
    options: int  # first moves to choose from; of a question about cards: cards
    optimal: int  # first moves that keep the value, or sets of cards
    lines: int | None = None  # best lines, where they could be counted
    guessed: bool = False  # whether the game's quick guess begins with a best move
    greedy: float | None = None  # what the quick guess loses,
    small: float | None = None  # and searches of 100
    large: float | None = None  # and of 1,000 visits; of cards: of so many sets drawn at random
    nodes: int  # of the proof, in the unit of its search

    def measured(self, objective: str) -> int:
        """The level that the facts make.

        1: the quick guess loses nothing that counts. Otherwise 2, and one more for each of these: a search of 100
        visits loses, one of 1,000 does, the proof took 1,000 nodes or more for each of the best lines. At most 3 where
        the quick guess begins right.
        """
        counts = MARKED[objective] - _CLOSE
        if (self.greedy or 0) < counts:
            return 1
        level = 2 + ((self.small or 0) >= counts) + ((self.large or 0) >= counts)
        level += self.nodes >= _HARD * (self.lines or 1)
        return min(level, 3) if self.guessed else level


class PuzzleFile(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A puzzle's file. `position` holds the fields of a position file; the other questions have fields of their own."""

    ninefold: Literal[1]
    game: str
    players: int | None = None
    preset: str = "standard"
    options: dict[str, str] = {}
    ruleset: str | dict[str, Any] | None = None
    title: str = ""
    question: Question
    objective: str = ""  # of `value`: win or margin
    position: dict[str, Any] | None = None
    rabbits: list[str] = []  # of `farm`: cards,
    use: Literal["all", "best"] = "best"  # whether all of them must lie there,
    tokens: dict[str, int] = {}  # resources lying on them,
    stock: dict[str, int] | None = None  # and what they must be paid from; free if not given
    animals: list[str] = []  # of `land`: nine cards, or those of the first hand,
    drafts: list[str] = []  # and then what is drafted in each of nine rounds,
    goals: list[str] = []  # sides of goals that count where they are met,
    face_down: bool = False  # and whether cards may lie face down, as the rules allow in some order of placing
    grade: Grade | None = None
    hints: list[str] = []  # from vague to plain
    answer: Answer | None = None


@dataclass(frozen=True)
class Puzzle:
    """A question about a position, or about cards. `answer`, `grade` and `hints` are checked when it is read.

    question: "maximum" (the most points that one player can have, expected where chance plays a part), "value" (what a
    position of two players is worth to player 0, by `objective`), "farm" (Coney: the best farm of `rabbits`: of all
    of them, or the best of them), or "land" (Territory: the best land of nine `animals`, with bosses and `goals`; with
    `drafts`, of nine out of a hand and what comes into it). hints: from vague to plain.
    """

    game: Game
    question: Question
    position: Position | None = None
    title: str = ""
    objective: str = ""
    rabbits: tuple[str, ...] = ()
    use: Literal["all", "best"] = "best"
    tokens: Mapping[str, int] = field(default_factory=dict)
    stock: Mapping[str, int] | None = None
    animals: tuple[str, ...] = ()
    drafts: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    face_down: bool = False
    answer: Answer | None = None
    grade: Grade | None = None
    hints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that question and fields fit each other, and the answer, its line and grade. Raises InputError."""
        for question, names in _FIELDS.items():
            for name in names:
                if getattr(self, name) and self.question != question:
                    raise InputError(f"belongs to the question {question!r}, not to {self.question!r}", path=name)
        if self.question in _FIELDS:
            of = _FIELDS[self.question][0]
            if self.position is not None:
                raise InputError(f"a {self.question} is asked of {of}, not of a position", path="position")
            if not getattr(self, of):
                raise InputError(f"{of} is missing")
        else:
            self._check_position()
        goals = {"maximum": ("score",), "value": ("win", "margin"), "farm": ("score",), "land": ("score",)}[
            self.question
        ]
        if self.objective and self.objective not in goals:
            raise InputError(
                f"the objective of {self.question} is {' or '.join(goals)}, not {shown(self.objective)}",
                path="objective", value=self.objective, match=near(self.objective, goals),
            )  # fmt: skip
        if not self.objective:
            object.__setattr__(self, "objective", goals[0])
        if self.position is None:
            self.game.module.solver(self, self.objective, _LEAST)  # which knows what cards there are
        for i, hint in enumerate(self.hints):
            if not hint.strip() or len(hint) > _LONGEST or "\n" in hint:
                raise InputError(
                    f"a hint is one line of at most {_LONGEST} characters, not {shown(hint)}", path=f"hints[{i}]",
                    value=hint,
                )  # fmt: skip
        if self.grade is not None:
            with located(path="grade"):
                self._check_grade(self.grade)
        if self.answer is not None:
            with located(path="answer"):
                self._check_answer(self.answer)

    def _check_grade(self, grade: Grade) -> None:
        for name in ("options", "optimal", "lines", "greedy", "small", "large", "nodes"):
            value = getattr(grade, name)
            if value is not None and not 0 <= value < float("inf"):
                raise InputError(f"must be at least 0, not {shown(value)}", path=name, value=value)
        if grade.optimal > max(grade.options, 1):
            raise InputError(f"{grade.optimal} of {grade.options} are too many", path="optimal", value=grade.optimal)
        counted = None if self.answer is None else self.answer.optimal
        if counted is not None and counted != grade.optimal:
            raise InputError(f"the answer says {counted}, not {grade.optimal}", path="optimal", value=grade.optimal)
        level = grade.measured(self.objective)
        if grade.level != level:
            raise InputError(f"what was measured makes {level}, not {grade.level}", path="level", value=grade.level)

    def unanswered(self) -> Puzzle:
        """The same question without hints and answer."""
        return replace(self, answer=None, hints=())

    def _check_position(self) -> None:
        if self.position is None:
            raise InputError("position is missing")
        if isinstance(self.position, View):
            raise InputError("this is what one player knows: something in it is unknown", path="position")
        if self.position.is_over:
            raise InputError("the game is over: there is nothing to ask", path="position")
        alone = self.position.players == 1
        if alone != (self.question == "maximum") or self.position.players > 2:
            raise InputError(
                f"{self.question!r} is a question of {'two players' if self.question == 'value' else 'one player'}, "
                f"not of {self.position.players}", path="question", value=self.question,
            )  # fmt: skip

    def _check_answer(self, answer: Answer) -> None:
        if answer.value is not None and (answer.lower is not None or answer.upper is not None):
            raise InputError("a value that is proven has no bounds beside it", path="lower")
        lower, upper = answer.bounds
        if lower is not None and upper is not None and lower > upper:
            raise InputError(f"is above upper, {shown(upper)}", path="lower", value=lower)
        if not answer.line:
            return
        worth = self.replay(answer.line)
        if worth is not None and (lower is None or abs(worth - lower) > _CLOSE):
            name = "value" if answer.value is not None else "lower"
            raise InputError(f"the line leads to {worth}, not {shown(lower)}", path=name, value=lower)

    def replay(self, line: list[str]) -> int | None:
        """Play a line through the engine: the points it comes to, or None where it proves no value.

        It proves none where chance plays a part, or two players do. Raises InputError for a step that is wrong.
        """
        if self.position is None:
            return self.game.module.replay_cards(self, line)
        positions = Record(self.game, tuple(line), self.position).positions()
        certain = self.position.players == 1
        with located(path="line"):
            try:
                for last in positions:
                    certain = certain and not last.is_chance
            except InputError as error:
                error.path = error.path.removeprefix("steps")
                raise
        if not certain:
            return None
        if not last.is_over:
            raise InputError("the game is not over after the last step", path="line")
        return last.scores()[0]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], folder: Path = Path()) -> Puzzle:
        """The puzzle that this data describes. Raises InputError."""
        from ninefold.files import game_of, position_in
        from ninefold.games import module

        form = convert(dict(data), PuzzleFile)
        found = module(form.game)
        players = form.players
        if players is None and form.position is not None:
            with located(path="position"):
                head = {"ninefold": 1, "game": form.game}
                players = found.count_players(convert({**head, **form.position}, found.position_type))
        if players is None:
            players = found.players[0]
        game = game_of(form.game, players, form.preset, form.options, form.ruleset, folder)
        position = None
        if form.position is not None:
            with located(path="position"):
                position = position_in(game, form.position)
        return cls(
            game, form.question, position, form.title, form.objective, tuple(form.rabbits), form.use, form.tokens,
            form.stock, tuple(form.animals), tuple(form.drafts), tuple(form.goals), form.face_down, form.answer,
            form.grade, tuple(form.hints),
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The data of the puzzle's file."""
        from ninefold.files import game_fields

        data = game_fields(self.game)
        if self.title:
            data["title"] = self.title
        data["question"] = self.question
        if self.question == "value":
            data["objective"] = self.objective
        if self.position is not None:
            data["position"] = self.game.module.dump(self.position)
        if self.question == "farm":
            data.update(rabbits=list(self.rabbits), use=self.use)
            if self.tokens:
                data["tokens"] = dict(self.tokens)
            if self.stock is not None:
                data["stock"] = dict(self.stock)
        if self.question == "land":
            data["animals"] = list(self.animals)
            if self.drafts:
                data["drafts"] = list(self.drafts)
            data.update(goals=list(self.goals), face_down=self.face_down)
        if self.hints:
            data["hints"] = list(self.hints)
        for name in ("grade", "answer"):
            if (found := getattr(self, name)) is not None:
                data[name] = msgspec.to_builtins(found)
        return data
