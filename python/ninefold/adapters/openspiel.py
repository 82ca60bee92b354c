"""All games for OpenSpiel: importing this module registers `ninefold_donuts`, `ninefold_coney` and so on.

>>> import pyspiel
>>> import ninefold.adapters.openspiel
>>> game = pyspiel.load_game("ninefold_donuts(players=3,preset=bga,coffee=final)")
>>> game.new_initial_state().is_chance_node()
True

docs/adapters.md says what the parameters are and what strings and tensors hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from ninefold._game import game as make_game
from ninefold.adapters import Rewards, missing
from ninefold.core.rules import Generator
from ninefold.errors import InputError, whole
from ninefold.files import read
from ninefold.games import NAMES, module
from ninefold.position import Position, View

try:
    import numpy as np
    import pyspiel  # type: ignore[import-not-found,unused-ignore]
except ModuleNotFoundError:
    raise missing("open_spiel", "openspiel") from None

__all__ = ["SpielGame", "SpielState"]

PREFIX = "ninefold_"
PAST = "past choices"  # beside the planes of an observation
MOST_RECALL = 1000
TEXTS = 1 << 14  # strings of views kept for the next state in which a player knows the same
CHANCE, SIMULTANEOUS, TERMINAL = (
    int(who) for who in (pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.SIMULTANEOUS, pyspiel.PlayerId.TERMINAL)
)


class _Node(NamedTuple):
    """A point of a game as OpenSpiel wants to know it. It never changes, so clones of a state share it."""

    position: Position
    mover: int
    views: tuple[int, ...]  # what each player knows now, as the key of his view
    memories: tuple[bytes, ...]  # what each of them has seen and chosen up to now, as a digest
    choices: tuple[tuple[tuple[Position, int], ...], ...]  # and where he last chose what, the latest first

    def __deepcopy__(self, memo: object) -> _Node:
        return self


def _mover(position: Position) -> int:
    actors = position.actors
    if len(actors) == 1:
        return actors[0]
    return SIMULTANEOUS if actors else TERMINAL if position.is_over else CHANCE


def _root(position: Position) -> _Node:
    views = tuple(position.key(player) for player in range(position.players))
    return _Node(position, _mover(position), views, (b"",) * position.players, ((),) * position.players)


def _digest(memory: bytes, view: int, move: int) -> bytes:
    """A memory with what came then. A view that stays the same is no event, so nobody counts hidden steps."""
    event = view.to_bytes(8, "little") + move.to_bytes(2, "little", signed=True)
    return blake2b(memory + event, digest_size=16).digest()


def _after(node: _Node, moves: Mapping[int, int], outcome: int | None, recall: int) -> _Node:
    """What comes when these players move, or chance does."""
    position = node.position.copy()
    if outcome is not None:
        position.settle(outcome)
    for player, move in moves.items():
        position.apply(player, move)
    views = tuple(position.key(player) for player in range(position.players))
    memories, choices = list(node.memories), list(node.choices)
    for player, (old, new) in enumerate(zip(node.views, views, strict=True)):
        if old != new or player in moves:
            memories[player] = _digest(memories[player], old, moves.get(player, -1))
    if recall:
        for player, move in moves.items():
            choices[player] = ((node.position, move), *choices[player][: recall - 1])
    return _Node(position, _mover(position), views, tuple(memories), tuple(choices))


class SpielState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A state, as OpenSpiel knows it; `position` is the same as ninefold knows it, not to be changed."""

    _node: _Node  # OpenSpiel copies and pickles all attributes of a state: there is this one

    def __init__(self, game: SpielGame, node: _Node) -> None:
        """Made by `SpielGame.new_initial_state`."""
        super().__init__(game)
        self._node = node

    @property
    def position(self) -> Position:
        """The position."""
        return self._node.position

    def current_player(self) -> int:
        """Who moves: a seat, or one of OpenSpiel's ids for chance, several at once, and the end."""
        return self._node.mover

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._node.mover == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        position = self._node.position
        if player == SIMULTANEOUS:  # asked by `string_to_action`: what anybody may do
            return sorted({int(move) for actor in position.actors for move in position.legal(actor)})
        return list(map(int, position.legal(player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may reveal, with exact probabilities."""
        return [(int(outcome), chance) for outcome, chance in self._node.position.outcomes()]

    def _apply_action(self, action: int) -> None:
        recall = self.get_game().recall
        if self._node.mover == CHANCE:
            self._node = _after(self._node, {}, action, recall)
        else:
            self._node = _after(self._node, {self._node.mover: action}, None, recall)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        moves = {player: actions[player] for player in self._node.position.actors}
        self._node = _after(self._node, moves, None, self.get_game().recall)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self._node.position.game
        return str(game.outcomes[action] if player == CHANCE else game.moves[action])

    def returns(self) -> list[float]:
        """The rewards at the end; before it nobody has any."""
        if self._node.mover != TERMINAL:
            return [0.0] * self._node.position.players
        rewards: Rewards = self.get_game().rewards
        return rewards.of(self._node.position)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that this player cannot tell from this one: what he has not seen is drawn anew, uniformly.

        Its history begins with it; the others remember nothing but what they know there.
        """
        position = self._node.position.copy()
        position.resample(player, Generator(int(sampler() * (1 << 53))))
        fresh = _root(position)
        memories, choices = list(fresh.memories), list(fresh.choices)
        memories[player], choices[player] = self._node.memories[player], self._node.choices[player]
        return SpielState(self.get_game(), fresh._replace(memories=tuple(memories), choices=tuple(choices)))

    def __str__(self) -> str:
        return f"{self._node.position}\nstate {self._node.position.key():016x}"

    def _to_struct(self) -> dict[str, Any]:
        return self._node.position.to_dict()

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self._node.position.view(player).to_dict()

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        return {"move": self._action_to_string(player, action)}

    def _struct_to_actions(self, action: Mapping[str, str]) -> list[int]:
        game = self._node.position.game
        return [int((game.outcome if self._node.mover == CHANCE else game.move)(action["move"]))]


class SpielGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """A game, as OpenSpiel knows it. Attributes: `start` (the first position), `rewards` and `recall`."""

    name: str

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Use `pyspiel.load_game("ninefold_donuts", parameters)`."""
        name = self.name
        usual = _parameters(name)
        given = {key: value for key, value in parameters.items() if value != usual[key]}
        self.start = _start(name, given)
        self.recall = whole("recall", given.get("recall", 0), 0, MOST_RECALL)
        self.rewards = rewards = Rewards(self.start.game, given.get("objective", ""))
        self._root = _root(self.start)
        self._texts: dict[tuple[int, int], str] = {}
        game, players = self.start.game, self.start.players
        info = pyspiel.GameInfo(
            num_distinct_actions=game.core.num_moves, max_chance_outcomes=game.core.num_outcomes, num_players=players,
            min_utility=float(rewards.low), max_utility=float(rewards.high),
            utility_sum=0.0 if rewards.zero_sum else None,
            max_game_length=game.module.extent(game.ruleset, players).moves,
        )  # fmt: skip
        kind = _type(
            name,
            simultaneous=players > 1 and game.module.simultaneous,
            perfect=self.start.secrets == "perfect",
            zero_sum=rewards.zero_sum,
        )
        super().__init__(kind, info, given)

    def max_chance_nodes_in_history(self) -> int:
        """A bound that holds for every game of the ruleset."""
        game = self.start.game
        return game.module.extent(game.ruleset, game.players).outcomes

    def new_initial_state(self, state: object = None) -> SpielState:
        """The start, or the state that a struct, a dict or JSON says: a position file. Raises InputError."""
        if state is None:
            return SpielState(self, self._root)
        data: Any = json.loads(state) if isinstance(state, str) else state
        if isinstance(data, pyspiel.StateStruct):
            data = data.to_dict()
        return SpielState(self, _root(_complete(self.start.game.position(data))))

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> SpielObserver | None:
        """The observer of this type; None for one that ninefold has not: public or private knowledge alone."""
        if params:
            raise InputError("observers have no parameters", path="params", value=dict(params))
        if iig_obs_type is None:
            return SpielObserver(self, recalls=False)
        if not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SpielObserver(self, recalls=iig_obs_type.perfect_recall)

    def __reduce__(self) -> tuple[object, ...]:
        return (_load, (str(self),))

    def text(self, position: Position, player: int, view: int) -> str:
        """What a player sees, in words, and the key of it."""
        found = self._texts.get((player, view))
        if found is None:
            if len(self._texts) >= TEXTS:
                self._texts.clear()
            found = self._texts[player, view] = f"{position.view(player)}\nplayer {player} knows {view:016x}"
        return found


class SpielObserver:
    """What a player knows of a state, as tensor and string."""

    def __init__(self, game: SpielGame, *, recalls: bool) -> None:
        """Made by `SpielGame.make_py_observer`. recalls: also what the player saw and did before."""
        self.recalls = recalls
        self._text = game.text
        layout = game.start.game.observation
        past = game.recall * (layout.size + 1) if recalls else 0
        self.tensor = np.zeros(layout.size + past, np.float32)
        self._now = self.tensor[: layout.size]
        self._past = self.tensor[layout.size :].reshape(-1, layout.size + 1)
        self.dict = {plane.name: self._now[plane.slice].reshape(plane.shape) for plane in layout.planes if plane.size}
        if past:
            self.dict[PAST] = self._past

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what this player knows into the tensor."""
        node = state._node
        self._now[:] = node.position.observe(player)
        if len(self._past):
            self._past.fill(0)
            for row, (position, move) in zip(self._past, node.choices[player], strict=False):
                row[:-1] = position.observe(player)
                row[-1] = (move + 1) / position.core.num_moves

    def string_from(self, state: SpielState, player: int) -> str:
        """What this player knows, in words; what he has been through, as a digest."""
        node = state._node
        seen = self._text(node.position, player, node.views[player])
        return f"{seen}\nand remembers {node.memories[player].hex() or 'nothing'}" if self.recalls else seen


def _load(text: str) -> SpielGame:
    """A pickled game: finding this function has registered it."""
    game: SpielGame = pyspiel.load_game(text)
    return game


def _parameters(name: str) -> dict[str, Any]:
    """The parameters of a game and their defaults; "" leaves it to the preset, the ruleset or the number of players."""
    found = module(name)
    return {
        "players": found.players[0], "preset": "standard", "ruleset": "", "position": "", "objective": "", "recall": 0,
        **dict.fromkeys(found.standard().options, ""),
    }  # fmt: skip


def _type(name: str, *, simultaneous: bool, perfect: bool, zero_sum: bool) -> Any:
    found, kind = module(name), pyspiel.GameType
    return kind(
        short_name=PREFIX + name, long_name=found.standard().title or name.title(),
        dynamics=kind.Dynamics.SIMULTANEOUS if simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION if perfect else kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=found.players[-1], min_num_players=found.players[0],
        provides_information_state_string=True, provides_information_state_tensor=True,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )  # fmt: skip


def _start(name: str, given: Mapping[str, Any]) -> Position:
    """The first position of the game with these parameters. Raises InputError."""
    rules = {key: value for key, value in given.items() if key not in ("position", "objective", "recall")}
    if path := given.get("position"):
        for key, value in rules.items():
            raise InputError("the position says this already", path=key, value=value)
        position = read(path)
        if not isinstance(position, Position) or position.game.name != name:
            raise InputError(f"this is no position of {name}", path="position", value=path)
        return _complete(position)
    players, preset, ruleset = (rules.pop(key, None) for key in ("players", "preset", "ruleset"))
    return make_game(name, players, preset=preset or "standard", ruleset=ruleset, options=rules).start()


def _complete(position: Position) -> Position:
    """The position, if all of it is known. Raises InputError."""
    if isinstance(position, View):
        raise InputError("something is unknown in it: it cannot be played", path="position")
    return position


# OpenSpiel keeps what makes a game beyond the end of the interpreter, and lets it go then: only a class, which its own
# cycles keep alive, survives that.
for _name in NAMES:
    _made = type(f"{_name.title()}Game", (SpielGame,), {"name": _name, "__doc__": SpielGame.__doc__})
    pyspiel.register_game(_type(_name, simultaneous=module(_name).simultaneous, perfect=False, zero_sum=False), _made)
