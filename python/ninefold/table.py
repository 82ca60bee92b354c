"""A game at one table: who sits where, what has happened, and what each may know of it."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence

from ninefold._game import Game
from ninefold._match import known_to
from ninefold.core.rules import Generator
from ninefold.errors import InputError, located, whole
from ninefold.move import Move, Outcome
from ninefold.players import Player, player
from ninefold.position import Position, View
from ninefold.record import Record

__all__ = ["PERSON", "Table"]

PERSON = ""  # the name of whoever is asked, in the list of seats


class Table:
    """A game being played by persons and players with a short name (`ninefold.players.player`).

    `position` is the truth: show `view(seat)` and `heard(seat)`.
    """

    def __init__(
        self, game: Game, seats: Sequence[str], *, seed: int | None = None, start: Position | None = None
    ) -> None:
        """An empty table.

        seats: for each seat such a name, or `PERSON`. start: where the game begins, if not at its beginning; what is
        unknown in it is drawn, so that it agrees with what the first person knows. seed: with it the same choices meet
        the same luck and the same answers, also after `undo`; drawn freshly if not given. Raises InputError for wrong
        seats, seeds (0 .. 2**64-1), and a start of another game.
        """
        if len(seats) != game.players:
            raise InputError(f"{game.players} sit at this table, not {len(seats)}", path="seats", value=list(seats))
        if start is not None and start.game is not game:
            raise InputError(f"this is a position of {start.game!r}, not of {game!r}", path="start")
        self.game = game
        self.seats = tuple(seats)
        self._players: dict[int, Player] = {}
        for seat, name in enumerate(seats):
            if name != PERSON:
                with located(path=f"seats[{seat}]"):
                    self._players[seat] = player(name, hasty=True)  # Ctrl-C: choose now
        self.seed = int.from_bytes(os.urandom(6), "little") if seed is None else whole("seed", seed, 0, 2**64 - 1)
        self.start = None if start is None else self._world(start)
        self.position = game.start() if self.start is None else self.start.copy()
        self.steps: list[str] = []
        self._before: list[Position] = []  # of each step
        self._told: list[list[str]] = [[] for _ in seats]

    @classmethod
    def resume(cls, record: Record) -> Table:
        """The table at which this record was played so far; the record names the seats. Raises InputError."""
        if record.seats is None:
            raise InputError("this record does not say who sits where", path="seats")
        table = cls(record.game, record.seats, seed=record.seed, start=record.start)
        *table._before, table.position = Record(record.game, record.steps, table.start).positions()
        table.steps = list(record.steps)
        return table

    def _world(self, start: Position) -> Position:
        world = Position(start.game)
        world._set_bytes(start.to_bytes())
        if isinstance(start, View):
            world.resample(next(iter(self.persons), 0), Generator(self.seed))
        return world

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons."""
        return tuple(seat for seat, name in enumerate(self.seats) if name == PERSON)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The persons who must choose now."""
        return tuple(seat for seat in self.position.actors if seat not in self._players)

    @property
    def thinking(self) -> int | None:
        """The seat whose player, no person, chooses in the next `step`; None if there is none."""
        return next((seat for seat in self.position.actors if seat in self._players), None)

    def view(self, seat: int) -> Position:
        """What somebody knows: all that may be shown to him."""
        return known_to(self.position, seat)

    def choose(self, seat: int, move: Move | int | str) -> None:
        """Somebody makes a move. Raises IllegalMoveError, and nothing has happened then."""
        after = self.position.copy()
        after.play(seat, move)
        chosen = self.game.move(move) if isinstance(move, (str, int)) else move
        self._done(f"{seat}: {chosen}", after)

    def step(self) -> str | None:
        """One thing for which nobody is asked: chance reveals something, or a player who is no person chooses.

        Returns the step, as in a record; None if persons must choose, or the game is over.
        """
        if self.position.is_chance:
            after = self.position.copy()
            outcome = after.chance(rng=Generator(self.seed, len(self.steps)))
            self._done(str(outcome), after)
            return self.steps[-1]
        if (seat := self.thinking) is not None:
            dice = random.Random(f"{self.seed}/{len(self.steps)}/{seat}")
            self.choose(seat, self._players[seat](self.view(seat), seat, dice.getrandbits(63)))
            return self.steps[-1]
        return None

    def run(self) -> list[str]:
        """All steps until a person must choose or the game is over."""
        began = len(self.steps)
        while self.step() is not None:
            pass
        return self.steps[began:]

    def undo(self, seat: int | None = None) -> int:
        """Take back the last choice of this person, or of any, and all that came after; returns the number of steps.

        Raises InputError if there is none.
        """
        whose = self.persons if seat is None else (seat,)
        for number in reversed(range(len(self.steps))):
            chooser, colon, _ = self.steps[number].partition(":")
            if colon and chooser.isdecimal() and int(chooser) in whose:
                gone = len(self.steps) - number
                self.position = self._before[number]
                del self.steps[number:], self._before[number:]
                for heard in self._told:
                    heard.clear()
                return gone
        raise InputError("there is no choice to take back")

    def heard(self, seat: int) -> list[str]:
        """The steps as this seat came to know them, one for each of `steps`: what it may not know is left out.

        Choices that are made at once stay hidden until the last one is in: then "1: …" stands there, or the own choice.
        """
        known = self._told[seat]
        while len(known) < len(self.steps):
            before = self._before[len(known)]
            if before.is_chance:
                known.append(_told(before, self.game.outcome(self.steps[len(known)]), seat))
                continue
            steps = self.steps[len(known) : len(known) + len(before.actors)]
            own, whole = f"{seat}:", len(steps) == len(before.actors)
            said = [step if step.startswith(own) else self._said(step) if whole else f"{step[0]}: …" for step in steps]
            if not whole:
                return known + said
            known += said
        return list(known)

    def since(self, seat: int) -> list[str]:
        """What this seat came to know (`heard`) since its last choice: that one first, or those made at once with it.

        Before its first choice: all that happened, without what chance revealed before anybody chose.
        """
        chosen = [number for number, before in enumerate(self._before) if before.actors]
        own = [number for number in chosen if self.steps[number].startswith(f"{seat}:")]
        first = own[-1] if own else chosen[0] if chosen else len(self.steps)
        while own and first and len(self._before[first - 1].actors) > len(self._before[first].actors) > 0:
            first -= 1  # one that was made at once with it
        return self.heard(seat)[first:]

    def _said(self, step: str) -> str:
        chooser, _, move = step.partition(": ")
        verb = _verb(self.game.move(move))
        return f"{chooser}: {verb} …" if verb in self.game.module.secret else step

    def record(self) -> Record:
        """The game so far, which `resume` takes up again."""
        scores = tuple(self.position.scores()) if self.position.is_over else None
        return Record(self.game, tuple(self.steps), self.start, self.seed, scores, self.seats)

    def _done(self, step: str, after: Position) -> None:
        self._before.append(self.position)
        self.steps.append(step)
        self.position = after


def _told(before: Position, outcome: Outcome, seat: int) -> str:
    """An outcome, as a seat comes to know of it: without what it shows, where another one would look the same to it."""

    def seen(one: Outcome) -> int:
        return before._settled(one).key(seat)

    alike = [one for one, _ in before.outcomes() if seen(one) == seen(outcome)]
    return str(outcome) if alike == [outcome] else f"{_verb(outcome)} …"


def _verb(move: Move | Outcome) -> str:
    return str(move).partition(" ")[0]
