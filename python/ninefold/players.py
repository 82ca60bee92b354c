"""Players by a short name: who sits at the table of a match, a review or a game against the engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ninefold import plugins
from ninefold.analysis import Limit
from ninefold.core.search.mcts import draw_move
from ninefold.errors import InputError, near, shown, whole
from ninefold.lookahead import look_ahead
from ninefold.memory import default_memory
from ninefold.move import Move
from ninefold.position import Position
from ninefold.search import best, finished
from ninefold.trees import Kept

__all__ = ["KINDS", "LEVELS", "Player", "player"]

# How strong an opponent of people is, from 1: the names of players.
LEVELS = ("softmax:2", "greedy", "mcts:visits=300", "best:time=0.5", "best:time=3")

# A player is asked with the position as he sees it, his seat and a seed, and answers with a legal move of his, as an
# object, id or notation. The same seed gives the same answer, if nothing of his depends on the time.
Player = Callable[[Position, int, int], "Move | int | str"]

_LIMITS: Mapping[str, type] = {"visits": int, "nodes": int, "time": float}
_OPTIONS: Mapping[str, type] = {
    "objective": str, "opponent": str, "algorithm": str, "exploration": float, "rollout": float, "guesses": float,
    "halving": int, "horizon": int, "leaves": int, "observer": str, "threads": int, "memory": int,
}  # fmt: skip


def player(spec: str, *, hasty: bool = False, lasting: bool = False) -> Player:
    """The player that a short name says.

    random: every legal move alike · greedy: the move that the game's quick guess likes best · softmax:T: drawn by that
    guess at a temperature of T points · expectimax:depth=2: so many decisions ahead (`ninefold.lookahead`) ·
    mcts:visits=1000: tree search, with limits (visits, nodes, time) and options of
    `ninefold.best` · best:time=1: the same, and exact where the rest of the game is small enough ·
    plugin:module:name: a `Player` of your own · name or name:text: that of a plug-in. hasty: at KeyboardInterrupt a
    search plays what it has, instead of letting it through. lasting: for one whole game, question after question: a
    search goes on from what it knew at the last one where that makes it stronger, so that an answer depends on the
    questions before. Raises InputError.
    """
    kind, _, rest = spec.partition(":")
    if kind in _SEARCHERS:
        return _searcher(spec, rest, exact=_SEARCHERS[kind], hasty=hasty, lasting=lasting)
    if kind in _OTHERS:
        return _OTHERS[kind](spec, rest)
    found = plugins.player(kind, rest)
    if found is None:
        known = [*KINDS, *plugins.names("player")]
        raise InputError(f"unknown player {shown(spec)}", path="player", value=spec, match=near(kind, known))
    return found


def _random(spec: str, rest: str) -> Player:
    _nothing(spec, rest)
    return lambda position, seat, seed: draw_move(position, seat, 0, seed)


def _greedy(spec: str, rest: str) -> Player:
    _nothing(spec, rest)

    def choose(position: Position, seat: int, seed: int) -> Move:
        worth, moves = position.prior(seat), position.legal(seat)
        top = max(worth) - 1e-6
        return random.Random(seed).choice([move for move, value in zip(moves, worth, strict=True) if value >= top])

    return choose


def _softmax(spec: str, rest: str) -> Player:
    temperature = _number(spec, "temperature", rest, float)
    if not 0 < temperature <= 1000:
        raise InputError(f"a temperature is above 0 and at most 1000 points: {shown(spec)}", path="player", value=spec)
    return lambda position, seat, seed: draw_move(position, seat, temperature, seed)


def _expectimax(spec: str, rest: str) -> Player:
    name, _, text = (rest or "depth=2").partition("=")
    if name != "depth":
        raise InputError(
            f"unknown option {shown(name)} of {spec}", path="player", value=spec, match=near(name, ["depth"])
        )
    depth = whole("player", _number(spec, "depth", text, int), 1, 9)
    return lambda position, seat, seed: look_ahead(position, seat, depth, seed)


def _searcher(spec: str, rest: str, *, exact: bool, hasty: bool, lasting: bool) -> Player:
    said = dict(word.partition("=")[::2] for word in rest.split(",") if word)
    known = {**_LIMITS, **_OPTIONS}
    for name in said:
        if name not in known:
            raise InputError(
                f"unknown option {shown(name)} of {spec}", path="player", value=spec, match=near(name, known)
            )
    given = {name: _number(spec, name, text, known[name]) for name, text in said.items()}
    limit = Limit(**{name: given.pop(name) for name in _LIMITS if name in given})
    if limit == Limit():
        raise InputError(f"{spec} thinks for ever: give visits=N, nodes=N or time=SECONDS", path="player", value=spec)
    given.setdefault("memory", default_memory(given.get("threads", 1) << 20))  # looked at once: it takes a while
    kept = Kept()

    def choose(position: Position, seat: int, seed: int) -> Move:
        if len(moves := position.legal(seat)) == 1:  # nothing to think about
            return moves[0]
        asked = {"player": seat, "seed": seed, "exact": exact, **given}
        goes_on = lasting and position.players in position.game.module.tuning.kept
        if hasty:
            answer = best(position, limit, **asked)
        else:
            answer = finished(position, limit, kept=kept if goes_on else None, **asked)
        return answer.draw(random.Random(seed).random())

    return choose


def _plugin(spec: str, rest: str) -> Player:
    home, _, name = rest.partition(":")
    try:
        found: Any = getattr(import_module(home), name)
    except (ImportError, ValueError, AttributeError) as error:
        raise InputError(f"no player {shown(spec)}: {error}", path="player", value=spec) from None
    made = found() if isinstance(found, type) else found
    if not callable(made):
        raise InputError(f"{spec} cannot be called with a position, a seat and a seed", path="player", value=spec)
    chosen: Player = made
    return chosen


def _nothing(spec: str, rest: str) -> None:
    if rest:
        raise InputError(f"{spec.partition(':')[0]} takes nothing behind its name", path="player", value=spec)


def _number(spec: str, name: str, text: str, kind: type) -> Any:
    try:
        return kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise InputError(f"{name} must be {what} in {shown(spec)}", path="player", value=spec) from None


_SEARCHERS: Mapping[str, bool] = {"mcts": False, "best": True}  # and whether they solve where that is possible
_OTHERS: Mapping[str, Callable[[str, str], Player]] = {
    "random": _random, "greedy": _greedy, "softmax": _softmax, "expectimax": _expectimax, "plugin": _plugin,
}  # fmt: skip
KINDS = (*_OTHERS, *_SEARCHERS)
