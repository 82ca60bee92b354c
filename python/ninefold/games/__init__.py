"""The games: one module and one ruleset file each, and what the face asks of such a module.

Adding a game: write `games/<name>.py` with a `GameModule` called `MODULE` and `games/<name>.toml`, and put the name
into `NAMES`. `tests/test_registry.py` says what else is missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from ninefold.errors import InputError, near, shown
from ninefold.ruleset import Ruleset, standard

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold._game import Game
    from ninefold.analysis import Unseen
    from ninefold.core import rules
    from ninefold.move import Move
    from ninefold.observation import Observation
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle
    from ninefold.puzzles import Kind
    from ninefold.solvers import Solving

__all__ = ["NAMES", "Extent", "GameModule", "PositionFile", "Tuning", "module"]

NAMES = ("donuts", "coney", "territory", "canopy")


class PositionFile(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the position files of all games share; each game adds what lies on its table."""

    ninefold: Literal[1]
    game: str
    preset: str = "standard"
    options: dict[str, str] = {}
    ruleset: str | dict[str, Any] | None = None  # a file, relative to this one, or the ruleset itself


R = TypeVar("R", bound=Ruleset)
P = TypeVar("P", bound=PositionFile)


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """How a search does best in a game, measured in docs/strength.md: the defaults of `ninefold.best`."""

    duct: float = 1.5  # exploration of this algorithm
    rm: float = 0.1  # and of this one
    duct_alone: float | None = None  # and of duct for somebody alone, in deviations of his points; None: as with others
    rollout: float = 0.3  # temperature of the playouts, in points, where everybody searches for himself
    guesses: float = 0  # visits that the game's guess of a move counts as
    guesses_alone: float = 0  # the same for somebody alone
    point: float = 1  # what a point of that guess is worth at a table, in units of the objective; alone, a point
    learning_alone: float = 0  # how much of a move's mean gain in playouts counts in later ones, for somebody alone
    halving: int = 0  # up to so many visits at a table are shared among the root's moves by sequential halving
    horizon: int = 0  # turns after which a playout ends in an estimate, more after many visits; 0: none does
    leaves: int = -1  # up to this rest exact values stand for playouts
    calibration: tuple[
        tuple[int, float, float], ...
    ] = ()  # of win chances of two: visits, slope and offset of log odds
    table_calibration: tuple[tuple[int, float, float], ...] = ()  # and beyond two
    pair: str = "self"  # how the other one of two is thought to choose
    table: str = "softmax:1"  # and how others are, beyond two
    observer: str = "multiple"  # whose knowledge tells hidden positions apart
    kept: tuple[int, ...] = ()  # numbers of players with whom somebody goes on from the tree of his last decision
    exact_rest: int = -1  # beyond this rest of the game nobody can solve it while waiting
    exact_nodes: int = 1_000_000  # effort of the exact solver where no time is given


class Extent(NamedTuple):
    """Bounds that hold in every game of these cards and players from its start; they need not be reached."""

    low: int  # fewest points
    high: int  # most points
    moves: int  # most moves of all players together
    outcomes: int  # most outcomes of chance


class SameQuestion(NamedTuple):
    """Exact questions, by number from 0, that OR-Tools CP-SAT can be asked as well: for comparisons."""

    what: str  # in a few words
    ours: Callable[[int], int]  # the value by our search
    theirs: Callable[[int], int]  # and by CP-SAT


class GameModule(ABC, Generic[R, P]):
    """One game as the face needs it: schemas, words, and the way between positions and data."""

    name: str
    players: range  # player counts
    cards: str  # the table of a ruleset file that holds its cards
    ruleset_type: type[R]
    position_type: type[P]
    simultaneous = True  # whether several may have to choose at once
    secret: tuple[str, ...] = ()  # first words of moves whose rest the others are not told
    tuning = Tuning()

    @property
    def counts(self) -> str:
        """The player counts in words."""
        few, many = self.players[0], self.players[-1]
        return f"{few}" if few == many else f"{few} to {many}"

    def standard(self) -> R:
        """The game's own ruleset."""
        return standard(self.name, self.ruleset_type)

    @abstractmethod
    def compile(self, ruleset: R, players: int, options: Mapping[str, str]) -> rules.Game:
        """The core game. Raises InputError where this number of players cannot play the ruleset."""

    @abstractmethod
    def extent(self, ruleset: R, players: int) -> Extent:
        """How many points, moves and outcomes are possible."""

    @abstractmethod
    def words(self, ruleset: R, players: int, options: Mapping[str, str]) -> tuple[Sequence[str], Sequence[str]]:
        """The notation of each move id and each outcome id; "" for ids that mean nothing in this game."""

    def sources(self, ruleset: R, players: int, options: Mapping[str, str]) -> Sequence[str]:
        """What points come from, a few words for each source that the engine tells apart, in its order."""
        return ("points",)

    @abstractmethod
    def count_players(self, data: P) -> int:
        """The number of players of a position file."""

    @abstractmethod
    def load(self, game: Game, data: P) -> Position:
        """The position that a file describes. Raises InputError for an impossible one."""

    @abstractmethod
    def dump(self, position: Position) -> dict[str, Any]:
        """The game's own part of the position's file."""

    @abstractmethod
    def missing(self, position: Position, player: int) -> str:
        """What this player's choice in a view depends on and the view does not know: "", or "the bid of player 1"."""

    @abstractmethod
    def gloss(self, position: Position, move: Move) -> str:
        """What a move is about where its notation does not tell, such as the card on the place of a bid; else ""."""

    def without_secrets(self, position: Position, player: int) -> Position:
        """A position worth the same to this player, by what he knows, where nobody knows what the other does not.

        The position itself where there is none: then nothing is proven.
        """
        return position

    def observation(self, game: Game) -> Observation:
        """What the engine's observations consist of: `<name>_planes.py` says it."""
        from ninefold.observation import Observation

        planes = import_module(f"ninefold.games.{self.name}_planes")
        found = Observation(planes.VERSION, planes.PLANES, planes.dimensions(game))
        assert found.size == game.core.observation_size
        return found

    def unseen(self, position: Position, player: int) -> Sequence[Unseen]:
        """What this player has not seen and may soon see, place by place: what an answer tells beside its moves."""
        return ()

    def takes(self, position: Position, player: int, move: Move) -> Sequence[str]:
        """The cards, by name, that a legal move of this player is meant to bring him: what counts as picking them."""
        return ()

    def owned(self, position: Position, player: int) -> Mapping[str, int]:
        """The cards, by name, that count for this player, and how many of each: what a game may have been won by."""
        return {}

    @abstractmethod
    def text(self, position: Position) -> str:
        """A compact picture in plain text, several lines."""

    @abstractmethod
    def picture(self, position: Position) -> RenderableType:
        """A picture for the terminal."""

    @abstractmethod
    def svg(self, position: Position) -> str:
        """A picture as the text of an SVG file."""

    def solver(self, puzzle: Puzzle, objective: str, memory: int, **options: Any) -> Solving:
        """An exact search of the puzzle's question. Raises InputError where there is none.

        The default is backward induction. options: what only this game's searches know.
        """
        from ninefold.analysis import OBJECTIVES
        from ninefold.solvers import Induction

        for name, value in options.items():
            raise InputError(f"{self.name} has no such option", path=name, value=value)
        if puzzle.position is None:
            raise InputError(f"{self.name} has no such question", path="question", value=puzzle.question)
        return Induction(puzzle.position, OBJECTIVES.index(objective), memory)

    def replay_cards(self, puzzle: Puzzle, line: Sequence[str]) -> int:
        """What this line builds of the cards of a puzzle without a position is worth; only of a game that has such.

        Raises InputError for a step that is wrong.
        """
        raise InputError(f"{self.name} has no such question", path="question", value=puzzle.question)

    def same_questions(self, count: int, seed: int) -> SameQuestion | None:
        """So many questions of this game for a comparison, or None. Raises ImportError where CP-SAT is missing."""
        return None

    def guess_cards(self, puzzle: Puzzle) -> list[str]:
        """The line by which a quick guess builds of the cards of a puzzle; [] if it comes to no end."""
        return []

    def puzzle_kinds(self) -> Mapping[str, Kind]:
        """What puzzles can be made of this game: `<name>_puzzles.py` says it."""
        kinds: Mapping[str, Kind] = import_module(f"ninefold.games.{self.name}_puzzles").KINDS
        return kinds

    def turns(self, steps: Sequence[str]) -> list[list[str]]:
        """The steps of a solution as people would write them: a list for each line."""
        return [list(steps)]


def module(name: object) -> GameModule[Any, Any]:
    """The module of a game. Raises InputError, with a near match, for an unknown name."""
    if not isinstance(name, str) or name not in NAMES:
        raise InputError(f"unknown game {shown(name)}", path="game", value=name, match=near(name, NAMES))
    found = import_module(f"ninefold.games.{name}").MODULE
    assert isinstance(found, GameModule)
    return found
