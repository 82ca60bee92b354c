"""Records: a whole game, or the part of it that was played, as text that can be replayed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from ninefold._game import Game
from ninefold.core.rules import Generator
from ninefold.errors import IllegalMoveError, InputError, shown
from ninefold.position import Position
from ninefold.schema import convert

__all__ = ["Record", "RecordFile"]


class RecordFile(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record's file. `start` is a position's data, for a game that did not begin at the beginning."""

    ninefold: Literal[1]
    game: str
    players: int
    preset: str = "standard"
    options: dict[str, str] = {}
    ruleset: str | dict[str, Any] | None = None
    seed: int | None = None  # what the game was dealt from, for the curious: the steps tell all
    seats: list[str] | None = None  # who sits where: names of players, "" a person
    start: dict[str, Any] | None = None
    steps: list[str]  # "0: bid 3" for a player's move, "deal glazed" for what chance revealed
    scores: list[int] | None = None  # points at the end, checked


@dataclass(frozen=True)
class Record:
    """A game from its beginning, or from `start`, with every step: "0: bid 3" is a player's, "deal glazed" chance's.

    scores: points of each player after the last step, or None. seats: the name of each player, "" for a person, or
    None. The steps are checked when they are replayed.
    """

    game: Game
    steps: tuple[str, ...]
    start: Position | None = None
    seed: int | None = None
    scores: tuple[int, ...] | None = None
    seats: tuple[str, ...] | None = None

    @classmethod
    def random(cls, game: Game, seed: int) -> Record:
        """A whole game of uniformly random moves: the same for the same seed."""
        rng = Generator(seed)
        position = game.start()
        steps = []
        while not position.is_over:
            if position.actors:
                player = position.actors[0]
                move = rng.choice(position.legal(player))
                position.play(player, move)
                steps.append(f"{player}: {move}")
            else:
                steps.append(str(position.chance(rng=rng)))
        return cls(game, tuple(steps), seed=seed, scores=tuple(position.scores()))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], folder: Path = Path()) -> Record:
        """The record that this data describes, replayed once. Raises InputError for the first step that is wrong."""
        from ninefold.files import game_of, position_in

        form = convert(dict(data), RecordFile)
        game = game_of(form.game, form.players, form.preset, form.options, form.ruleset, folder)
        start = None if form.start is None else position_in(game, form.start)
        scores = None if form.scores is None else tuple(form.scores)
        seats = None if form.seats is None else tuple(form.seats)
        if seats is not None and len(seats) != form.players:
            raise InputError(f"{form.players} play, not {len(seats)}", path="seats", value=form.seats)
        record = cls(game, tuple(form.steps), start, form.seed, scores, seats)
        end = record.end()
        if scores is not None and list(scores) != end.scores():
            raise InputError(f"the steps lead to {end.scores()}, not {list(scores)}", path="scores", value=form.scores)
        return record

    def to_dict(self) -> dict[str, Any]:
        """The data of the record's file."""
        from ninefold.files import game_fields

        data = {**game_fields(self.game), "players": self.game.players}
        if self.seed is not None:
            data["seed"] = self.seed
        if self.seats is not None:
            data["seats"] = list(self.seats)
        if self.start is not None:
            data["start"] = self.game.module.dump(self.start)
        data["steps"] = list(self.steps)
        if self.scores is not None:
            data["scores"] = list(self.scores)
        return data

    def to_svg(self) -> str:
        """Each player's points after every step, as the text of an SVG file. Raises InputError for a wrong step."""
        from ninefold.charts import record_svg

        return record_svg(self)

    _repr_svg_ = to_svg  # notebooks show it

    def positions(self) -> Iterator[Position]:
        """The position before each step and after the last, each a copy. Raises InputError for a step that is wrong."""
        position = self.game.start() if self.start is None else self.start.copy()
        yield position.copy()
        for number, step in enumerate(self.steps):
            try:
                _take(position, step)
            except (IllegalMoveError, InputError) as error:
                raise InputError(f"step {number + 1}: {error}", path=f"steps[{number}]", value=step) from None
            yield position.copy()

    def end(self) -> Position:
        """The position after the last step. Raises InputError for a step that is wrong."""
        *_, last = self.positions()
        return last


def _take(position: Position, step: str) -> None:
    """One step of a record, in place."""
    player, colon, move = step.partition(":")
    if colon and player.strip().isdecimal():
        position.play(int(player), move)
    elif position.actors:
        raise InputError(f"{shown(step)} is not a player's move such as '{position.actors[0]}: {position.legal()[0]}'")
    else:
        position.chance(step)
