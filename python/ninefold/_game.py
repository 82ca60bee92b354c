"""Games: the rules, a number of players, cards and options, fixed once and for all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

from ninefold.core import rules
from ninefold.errors import InputError, located, near, shown
from ninefold.games import NAMES, GameModule, module
from ninefold.move import Move, Outcome
from ninefold.position import Position
from ninefold.ruleset import Ruleset, changes, choose, resolve

if TYPE_CHECKING:
    from ninefold.batch import Batch
    from ninefold.observation import Observation

__all__ = ["Game", "game", "game_names"]

N = TypeVar("N", Move, Outcome)


class Game:
    """Rules, players, cards and options: immutable. Equal games are one object, so `==` and `hash` are identity.

    Attributes: `name`, `players` (their number), `options` (name: value), `ruleset`, `moves` and `outcomes` (one for
    each id of the engine; an id that means nothing here has the notation "#id", which does not parse), `module` (what
    the game's own module provides) and `core` (what searches are given). Made by `ninefold.game`.
    """

    name: str
    players: int
    options: Mapping[str, str]
    ruleset: Ruleset
    moves: tuple[Move, ...]
    outcomes: tuple[Outcome, ...]
    module: GameModule[Any, Any]
    core: rules.Game

    def __init__(self, name: str, players: int, ruleset: Ruleset, options: Mapping[str, str]) -> None:
        """Use `ninefold.game`, which gives the same object for the same game."""
        found = module(name)
        moves, outcomes = found.words(ruleset, players, options)
        self.__dict__.update(
            name=name, players=players, ruleset=ruleset, options=MappingProxyType(dict(options)), module=found,
            core=found.compile(ruleset, players, options),
            moves=tuple(Move(i, text or f"#{i}") for i, text in enumerate(moves)),
            outcomes=tuple(Outcome(i, text or f"#{i}") for i, text in enumerate(outcomes)),
        )  # fmt: skip
        self.core.name_all(self, self.moves, self.outcomes)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a game never changes")

    def __repr__(self) -> str:
        chosen = "".join(
            f", {name}={value!r}" for name, value in self.options.items() if value != self.ruleset.options[name].default
        )
        return f"game({self.name!r}, {self.players}{chosen}{', ruleset={…}' if changes(self.ruleset) else ''})"

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self.name, self.players, msgspec.json.encode(self.ruleset), dict(self.options)))

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def start(self) -> Position:
        """The position before anything is revealed."""
        return Position(self)

    def deal(self, seed: int) -> Position:
        """The start, with what chance reveals before anybody chooses: the same for the same seed (0 .. 2**64-1)."""
        if not isinstance(seed, int) or not 0 <= seed < 1 << 64:
            raise InputError(f"must be a whole number from 0 to 2**64-1, not {shown(seed)}", path="seed", value=seed)
        position = Position(self)
        position.roll_all(rules.Generator(seed))
        return position

    def batch(
        self, n: int, seed: int = 0, threads: int = 1, *, auto_reset: bool = False, objective: str | None = None
    ) -> Batch:
        """n games at once as NumPy arrays, dealt by the seed. Needs the extra `batch`.

        threads: how many work on them; results do not depend on it. auto_reset: a game that ends begins anew at once.
        objective: what counts, "win" (default for two and more players), "margin" or "score" (default alone).
        """
        from ninefold.batch import Batch

        return Batch(self, n, seed, threads, auto_reset=auto_reset, objective=objective)

    def position(self, data: Mapping[str, Any] | None = None, /, **fields: Any) -> Position:
        """The position that says this, as in a position file; what is said about the game itself is this game's.

        Raises InputError for an impossible position.
        """
        from ninefold.files import position_in

        return position_in(self, {**(data or {}), **fields})

    def move(self, text: str | int) -> Move:
        """The move with this notation or id; spaces and capitals do not matter. Raises InputError."""
        return _find(text, self.moves, self._moves_by_text, "move")

    def outcome(self, text: str | int) -> Outcome:
        """The outcome with this notation or id; spaces and capitals do not matter. Raises InputError."""
        return _find(text, self.outcomes, self._outcomes_by_text, "outcome")

    @cached_property
    def observation(self) -> Observation:
        """What the numbers of `position.observe(player)` are: planes by name, and their version."""
        return self.module.observation(self)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """What points come from, in the words of the rules: `position.sources()` splits them up."""
        return tuple(self.module.sources(self.ruleset, self.players, self.options))

    @cached_property
    def _moves_by_text(self) -> dict[str, Move]:
        return {move.text: move for move in self.moves if not move.text.startswith("#")}

    @cached_property
    def _outcomes_by_text(self) -> dict[str, Outcome]:
        return {outcome.text: outcome for outcome in self.outcomes if not outcome.text.startswith("#")}


def _find(text: object, all_of_them: tuple[N, ...], by_text: dict[str, N], what: str) -> N:
    if isinstance(text, str):
        word = re.sub(r" ?: ?", ": ", " ".join(text.lower().split()))
        if word in by_text:
            return by_text[word]
        raise InputError(f"unknown {what} {shown(text)}", value=text, match=near(word, by_text))
    if isinstance(text, int) and 0 <= text < len(all_of_them):
        return all_of_them[text]
    raise InputError(f"a {what} is its notation or a number below {len(all_of_them)}, not {shown(text)}", value=text)


_made: WeakValueDictionary[tuple[object, ...], Game] = WeakValueDictionary()
_making = Lock()


def _intern(name: str, players: int, ruleset: Ruleset, options: Mapping[str, str]) -> Game:
    key = (name, players, msgspec.json.encode(ruleset), tuple(options.items()))
    with _making:
        made = _made.get(key)
        if made is None:
            made = _made[key] = Game(name, players, ruleset, options)
        return made


def _restore(name: str, players: int, ruleset: bytes, options: dict[str, str]) -> Game:
    return _intern(name, players, msgspec.json.decode(ruleset, type=module(name).ruleset_type), options)


def game(
    name: str,
    players: int | None = None,
    *,
    preset: str = "standard",
    options: Mapping[str, str] | None = None,
    ruleset: str | PathLike[str] | Mapping[str, Any] | Ruleset | None = None,
    **more_options: str,
) -> Game:
    """The game with this name.

    players: their number; the smallest possible if not given. preset: a named set of options, which `options` and
    keyword arguments override. ruleset: a file, the name of a plug-in's, a mapping with what a file says, or a
    `Ruleset`; the standard one if not given. Raises InputError. The same arguments give the same object.

    >>> game("donuts", 3, preset="bga", coffee="final")
    game('donuts', 3, double_chocolate_return='top', coffee='final', red_velvet='must', bear_claw='must')
    """
    found = module(name)
    if players is None:
        players = found.players[0]
    if isinstance(players, bool) or not isinstance(players, int) or players not in found.players:
        raise InputError(
            f"{name} is for {found.counts} players, not {shown(players)}", path="players",
            value=players,
        )  # fmt: skip
    rules_of_it = _ruleset(found, ruleset)
    if preset not in rules_of_it.presets:
        raise InputError(
            f"unknown preset {shown(preset)}", path="preset", value=preset, match=near(preset, rules_of_it.presets)
        )
    chosen = {**rules_of_it.presets[preset], **(options or {}), **more_options}
    return _intern(name, players, rules_of_it, choose(rules_of_it, chosen))


def _ruleset(found: GameModule[Any, Any], ruleset: object) -> Ruleset:
    if ruleset is None:
        standard: Ruleset = found.standard()
        return standard
    if isinstance(ruleset, (str, PathLike)):
        from ninefold.files import read_ruleset

        ruleset = read_ruleset(ruleset, found.name)
    if isinstance(ruleset, Mapping):
        with located(path="ruleset"):
            ruleset = resolve({"ninefold": 1, "game": found.name, **ruleset}, found.ruleset_type)
    if not isinstance(ruleset, found.ruleset_type):
        raise InputError(f"this is no ruleset of {found.name}", path="ruleset", value=ruleset)
    assert isinstance(ruleset, Ruleset)
    ruleset.check()
    return ruleset


def game_names() -> tuple[str, ...]:
    """The names of all games."""
    return NAMES
