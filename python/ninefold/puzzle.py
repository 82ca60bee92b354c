"""Puzzles: a position with a question, and the answer where it is known (docs/solve.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from ninefold._game import Game
from ninefold.errors import InputError, located, near, shown
from ninefold.position import Position, View
from ninefold.record import Record
from ninefold.schema import convert

__all__ = ["Answer", "Puzzle", "PuzzleFile"]

Question = Literal["maximum", "value", "farm", "land"]
_FIELDS = {
    "farm": ("rabbits", "tokens", "stock"),
    "land": ("animals", "drafts", "goals", "face_down"),
}  # of questions about cards
_CLOSE = 1e-9  # values that differ by less are equal
_LEAST = 1 << 20  # bytes of memory for a search that is only to look at its question


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
    answer: Answer | None = None


@dataclass(frozen=True)
class Puzzle:
    """A question about a position, or about cards. `answer` is checked when it is read.

    question: "maximum" (the most points that one player can have, expected where chance plays a part), "value" (what a
    position of two players is worth to player 0, by `objective`), "farm" (Coney: the best farm of `rabbits`: of all
    of them, or the best of them), or "land" (Territory: the best land of nine `animals`, with bosses and `goals`; with
    `drafts`, of nine out of a hand and what comes into it).
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

    def __post_init__(self) -> None:
        """Check that question and fields fit each other, and the answer's line. Raises InputError."""
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
        if self.answer is not None:
            with located(path="answer"):
                self._check_answer(self.answer)

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
        if self.answer is not None:
            data["answer"] = msgspec.to_builtins(self.answer)
        return data
