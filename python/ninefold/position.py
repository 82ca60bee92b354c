"""Positions: a point of a game, with checked moves."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ninefold.core import rules
from ninefold.core.rules import Generator
from ninefold.errors import IllegalMoveError, InputError, near, shown
from ninefold.move import Move, Outcome

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold._game import Game

__all__ = ["Position", "View"]


class Position(rules.State):
    """A point of a game. `play` and `chance` change it in place; `copy()` is cheap.

    Players are numbered from 0. Equal positions know the same: `==`, and `hash` while it does not change.
    From the core: `actors` (players who must choose now), `is_chance`, `is_over`, `legal(player)` (their moves),
    `outcomes()` ([(outcome, probability)] at a chance node), `copy()`, `key(viewer)`, `observe(viewer)` (what he knows
    in numbers: `Game.observation`), and `resample(viewer, rng)`, which draws anew, in place, what the viewer has not
    seen: one world, uniform over all that the view allows.
    """

    __slots__ = ()
    game: Game

    def __init__(self, game: Game) -> None:
        """The start of a game, before anything is revealed."""
        super().__init__(game.core)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.core.players

    def play(self, player: int, move: Move | int | str) -> None:
        """A player makes a move. Raises IllegalMoveError, which names what is legal; nothing has happened then.

        Choices made at once stay hidden until the last one is in.
        """
        if isinstance(move, str):
            try:
                move = self.game.move(move)
            except InputError:
                raise self._illegal(player, move) from None
        try:
            self.apply(player, move)
        except (ValueError, TypeError, OverflowError):
            raise self._illegal(player, move) from None

    def play_all(self, moves: Mapping[int, Move | int | str]) -> None:
        """Several players move, lowest first, or, if one of the moves is illegal, none. Raises IllegalMoveError."""
        after = self.copy()
        for player in sorted(moves):
            after.play(player, moves[player])
        self._set_bytes(after.to_bytes())

    def _illegal(self, player: object, move: object) -> IllegalMoveError:
        name = self.game.moves[move] if isinstance(move, int) and 0 <= move < len(self.game.moves) else move
        said = shown(str(name)) if isinstance(name, (str, Move)) else shown(name)
        if not isinstance(player, int) or not 0 <= player < self.players:
            return IllegalMoveError(f"no player {shown(player)}: 0 to {self.players - 1}", player=None, move=move)
        if self.is_over:
            return IllegalMoveError(f"{said}: the game is over", player=player, move=move)
        if player not in self.actors:
            who = " and ".join(map(str, self.actors)) or "chance"
            return IllegalMoveError(f"{said}: player {player} does not choose now, but {who}", player=player, move=move)
        legal = [str(option) for option in self.legal(player)]
        match = near(str(name), legal)
        hint = f"did you mean {match!r}?" if match else f"may {_few(legal)}"
        return IllegalMoveError(f"{said}: player {player} can't do that: {hint}", player=player, move=move, legal=legal)

    def chance(self, outcome: Outcome | int | str | None = None, rng: Generator | None = None) -> Outcome:
        """Chance reveals one thing, and which one is returned: this outcome, or one at random (fresh without an rng).

        Raises IllegalMoveError for an impossible outcome, and where chance has nothing to reveal.
        """
        possible = [found for found, _ in self.outcomes()]
        if not possible:
            raise IllegalMoveError("chance has nothing to reveal here", player=None, move=outcome)
        if outcome is None:
            before = self.copy()
            self.roll(rng or Generator(int.from_bytes(os.urandom(8), "little")))
            return next(found for found in possible if before._settled(found) == self)
        try:
            found = self.game.outcome(outcome)
            self.settle(found)
        except ValueError:
            names = [str(name) for name in possible]
            match = near(outcome, names)
            hint = f"did you mean {match!r}?" if match else f"possible: {_few(names)}"
            message = f"{shown(outcome)} can't come here: {hint}"
            raise IllegalMoveError(message, player=None, move=outcome, legal=names) from None
        return found

    def _settled(self, outcome: int) -> Position:
        after = self.copy()
        after.settle(outcome)
        return after

    def scores(self) -> list[int]:
        """Points of each player for what lies there now."""
        return self.score()[0]

    def sources(self) -> list[dict[str, int]]:
        """Where each player's points come from: those of `Game.sources` that are not 0; they sum up to `scores()`."""
        names = self.game.sources
        return [{name: n for name, n in zip(names, parts, strict=True) if n} for parts in self.split()]

    def winners(self) -> list[int]:
        """The players who would win if the game ended now; several share it."""
        points, tiebreak = self.score()
        results = list(zip(points, tiebreak, strict=True))
        return [player for player, result in enumerate(results) if result == max(results)]

    def view(self, player: int) -> View:
        """What this player knows. Hidden choices of others and cards not seen are unknown in it, and stay so."""
        view = View(self.game)
        view._set_bytes(self.to_bytes())
        view.hide(player)
        return view

    def to_dict(self) -> dict[str, Any]:
        """The position as in a position file, only what is visible: `Game.position` reads it back."""
        from ninefold.files import to_dict

        return to_dict(self)

    def to_toml(self) -> str:
        """The text of a position file for people."""
        from ninefold.files import to_text

        return to_text(self, "toml")

    def to_json(self) -> str:
        """The text of a position file for programs."""
        from ninefold.files import to_text

        return to_text(self, "json")

    def to_svg(self) -> str:
        """A picture of what lies there, as the text of an SVG file; it is light or dark as the reader's screen is."""
        return self.game.module.svg(self)

    _repr_svg_ = to_svg  # notebooks show it

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (type(self), self.game, self.game.core.version, self.to_bytes()))

    def __str__(self) -> str:
        return self.game.module.text(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game!r}: {', '.join(self.__str__().splitlines()[:2])}>"

    def __rich__(self) -> RenderableType:
        return self.game.module.picture(self)


class View(Position):
    """A position with something unknown in it. It can be played on as far as nothing unknown is needed."""

    __slots__ = ()

    def play(self, player: int, move: Move | int | str) -> None:
        """As `Position.play`; raises IllegalMoveError too where the move's result depends on what is unknown."""
        if player in self.actors and (missing := self.game.module.missing(self, player)):
            raise IllegalMoveError(f"this view does not know {missing}", player=player, move=move)
        super().play(player, move)

    def apply(self, player: int, move: int) -> None:
        """As `play`, by numbers."""
        if player in self.actors and (missing := self.game.module.missing(self, player)):
            raise IllegalMoveError(f"this view does not know {missing}", player=player, move=move)
        super().apply(player, move)

    def playout(self, generator: Generator) -> None:
        """A view is no world to play to the end: raises IllegalMoveError. `resample` makes it one."""
        raise IllegalMoveError("a view cannot be played to the end: resample it first", player=None, move=None)


def _few(words: list[str]) -> str:
    return ", ".join(words[:8]) + (f" and {len(words) - 8} more" if len(words) > 8 else "")


def _restore(kind: type[Position], game: Game, version: int, data: bytes) -> Position:
    if version != game.core.version:
        raise InputError(f"this {game.name} position was pickled by version {version} of its rules", value=version)
    position = kind(game)
    position._set_bytes(data)
    return position
