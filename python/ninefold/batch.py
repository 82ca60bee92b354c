"""Batches: many games at once, as NumPy arrays. Needs the extra `batch`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from ninefold.analysis import OBJECTIVES
from ninefold.core.batch import Rows
from ninefold.errors import InputError, NinefoldError, choice, shown, whole
from ninefold.position import Position, View

try:
    import numpy as np
    import numpy.typing as npt
except ModuleNotFoundError:
    raise NinefoldError("batches need NumPy: pip install 'ninefold[batch]'") from None

if TYPE_CHECKING:
    from ninefold._game import Game

__all__ = ["Batch", "Positions"]

_AT_ONCE = 1000  # playouts of a call that nothing can interrupt


class Batch:
    """n games side by side, a row each, all at a decision or over: what chance reveals follows each step at once.

    Made by `Game.batch`. Attributes: `game`, `n`, `threads`, `objective` and `auto_reset` as given; `states`, the bytes
    of all positions ([n, state_size], may be copied back and forth), and `generators`, the state of each row's random
    numbers ([n, 3], for chance, samples, playouts): the two arrays are all that a batch knows, and both are live.
    `rewards` ([n, players]): what the objective was worth to each player of the games that ended by the last step, else
    0. The same seed gives the same numbers for any number of threads; a row's depend on its number, not on the others.

    Where an array is returned, `out` may be one of the same shape and type that is filled instead. Bad arrays and
    illegal moves raise InputError; nothing has happened then.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int = 0,
        threads: int = 1,
        *,
        auto_reset: bool = False,
        objective: str | None = None,
    ) -> None:
        """Use `Game.batch`."""
        self.game, self.auto_reset = game, bool(auto_reset)
        self.n = whole("n", n, 1, 1 << 31)
        self.threads = whole("threads", threads, 1, 1024)
        default = OBJECTIVES[2 if game.players == 1 else 0]
        self.objective = choice("objective", objective or default, OBJECTIVES)
        self._goal = OBJECTIVES.index(self.objective)
        self.states: npt.NDArray[np.uint8] = np.zeros((n, game.core.state_size), np.uint8)
        self.generators: npt.NDArray[np.uint64] = np.zeros((n, 3), np.uint64)
        self.rewards: npt.NDArray[np.float64] = np.zeros((n, game.players))
        self._rows = Rows(game.core, self.states, self.generators)
        self._rows.seed(whole("seed", seed, 0, (1 << 64) - 1))
        self.start()

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch: {self.n} × {self.game!r}>"

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads)

    def _each(self, work: Callable[[int, int], Any]) -> list[Any]:
        """Do it for all rows, a range for each thread: its answers in the order of rows."""
        parts = min(self.threads, self.n)
        if parts == 1:
            return [work(0, self.n)]
        marks = [self.n * part // parts for part in range(parts + 1)]
        return list(self._pool.map(work, marks[:-1], marks[1:]))

    def _new(self, out: npt.NDArray[Any] | None, shape: tuple[int, ...], kind: type[np.generic]) -> npt.NDArray[Any]:
        """The array to be filled. Raises InputError if it is not of this shape and type, or cannot be written."""
        return np.empty(shape, kind) if out is None else self._checked("out", out, shape, kind, True)

    def _checked(
        self, path: str, given: object, shape: tuple[int, ...], kind: type[np.generic], written: bool
    ) -> npt.NDArray[Any]:
        wanted = f"an array {list(shape)} of {np.dtype(kind)}"
        if not isinstance(given, np.ndarray):
            raise InputError(f"must be {wanted}, not {shown(given)}", path=path, value=given)
        if given.dtype != kind or given.shape != shape:
            raise InputError(f"must be {wanted}, not {list(given.shape)} of {given.dtype}", path=path, value=given)
        if not given.flags.c_contiguous or not given.flags.aligned:
            raise InputError("must lie in one piece, row after row (C order)", path=path, value=given)
        if written and not given.flags.writeable:
            raise InputError("is read-only", path=path, value=given)
        return given

    def start(self) -> None:
        """Begin a new game in every row, by each row's own generator; row 0 of a new batch is `game.deal(seed)`."""
        self._each(self._rows.start)

    @property
    def positions(self) -> Positions:
        """The rows as positions: `positions[i]` is a copy of one, assigning makes the row that position."""
        return Positions(self)

    @property
    def actors(self) -> npt.NDArray[np.uint8]:
        """Who must choose in each row, bit p for player p; 0 where the game is over."""
        out = np.empty(self.n, np.uint8)
        self._each(partial(self._rows.actors, out))
        return out

    @property
    def is_over(self) -> npt.NDArray[np.bool_]:
        """Which games have ended."""
        out = np.empty(self.n, np.bool_)
        self._each(partial(self._rows.over, out.view(np.uint8)))
        return out

    def legal_mask(self, out: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]:
        """Legal moves, [n, players, len(game.moves)]: nothing is legal for a player who does not choose."""
        shape = (self.n, self.game.players, self.game.core.num_moves)
        out = self._new(out, shape, np.bool_)
        self._each(partial(self._rows.legal, out.view(np.uint8)))
        return out

    def sample(self, out: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """A random legal move for each player who must choose, [n, players], all equally likely; -1 for the others."""
        out = self._new(out, (self.n, self.game.players), np.int32)
        self._each(partial(self._rows.sample, out))
        return out

    def step(self, moves: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
        """Make moves (by id, [n, players], -1 for none) and return which games ended by that; see `rewards`.

        A player who must choose and does not (-1) still must afterwards. Games that are over stay so or, with
        `auto_reset`, begin anew as soon as they have ended.
        """
        given = moves
        if isinstance(moves, np.ndarray) and np.issubdtype(moves.dtype, np.integer):
            if moves.dtype != np.int32:
                bounds = np.iinfo(moves.dtype)  # what is illegal stays so
                moves = moves.clip(max(-2, bounds.min), min(self.game.core.num_moves, bounds.max))
            moves = np.ascontiguousarray(moves, np.int32)
        moves = self._checked("moves", moves, (self.n, self.game.players), np.int32, False)
        wrong = next(filter(None, self._each(partial(self._rows.check, moves))), None)
        if wrong:
            raise self._illegal(wrong, int(given[wrong]))
        ended = np.empty(self.n, np.bool_)
        outs = (moves, ended.view(np.uint8), self.rewards, self._goal, self.auto_reset)
        self._each(partial(self._rows.step, *outs))
        return ended

    def _illegal(self, place: tuple[int, int], move: int) -> InputError:
        row, player = place
        try:
            self.positions[row].play(player, move)
        except NinefoldError as error:
            return InputError(str(error), path=f"moves[{row}, {player}]", value=move)
        raise AssertionError("a move that the batch finds illegal is")

    def observe(self, player: int | None = None, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """What each player knows, [n, players, size], or what one does, [n, size]: see `Game.observation`."""
        seats = self.game.players
        size = self.game.observation.size
        if player is None:
            out = self._new(out, (self.n, seats, size), np.float32)
            self._each(partial(self._rows.observe, out, 0))
            return out
        player = whole("player", player, 0, seats - 1)
        out = self._new(out, (self.n, size), np.float32)
        self._each(partial(self._rows.observe, out[:, None], player))
        return out

    def scores(self) -> npt.NDArray[np.int32]:
        """Points of each player for what lies there now, [n, players]."""
        out = np.empty((self.n, self.game.players), np.int32)
        self._each(partial(self._rows.scores, out))
        return out

    def utilities(self) -> npt.NDArray[np.float64]:
        """What the objective would be worth to each player if the game ended now, [n, players]."""
        out = np.empty((self.n, self.game.players))
        self._each(partial(self._rows.utilities, out, self._goal))
        return out

    def playouts(self, n: int, temperature: float = 0) -> npt.NDArray[np.float64]:
        """The mean utilities, [n, players], of so many random games to the end from each row, which stays as it is.

        temperature: moves by softmax of the game's own guesses of them, in points; 0: all equally likely.
        """
        n = whole("n", n, 1, 1 << 40)
        if not isinstance(temperature, (int, float)) or not 0 <= temperature < float("inf"):
            raise InputError(f"must be 0 or more, not {shown(temperature)}", path="temperature", value=temperature)
        out = np.zeros((self.n, self.game.players))

        def work(first: int, last: int) -> None:
            rows = max(1, _AT_ONCE // n)
            for row in range(first, last, rows):
                for done in range(0, n, _AT_ONCE):
                    some = min(_AT_ONCE, n - done)
                    self._rows.playouts(out, some, temperature, self._goal, row, min(row + rows, last))

        self._each(work)
        out /= n
        return out


class Positions(Sequence[Position]):
    """The rows of a batch as positions: copies on their way out, and back in by assigning."""

    def __init__(self, batch: Batch) -> None:
        """Use `Batch.positions`."""
        self._batch = batch

    def __len__(self) -> int:
        return self._batch.n

    @overload
    def __getitem__(self, row: SupportsIndex) -> Position: ...
    @overload
    def __getitem__(self, row: slice) -> list[Position]: ...
    def __getitem__(self, row: SupportsIndex | slice) -> Position | list[Position]:
        """A copy of a row."""
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        position = Position(self._batch.game)
        self._batch._rows.read(self._row(row), position)
        return position

    def __setitem__(self, row: SupportsIndex, position: Position) -> None:
        """Make a row this position of the same game; what chance must reveal first is revealed."""
        if not isinstance(position, Position) or position.game is not self._batch.game:
            message = f"must be a position of {self._batch.game!r}, not {shown(position)}"
            raise InputError(message, path=f"positions[{row}]", value=position)
        if isinstance(position, View):
            message = "a view is no world to play in: resample it first"
            raise InputError(message, path=f"positions[{row}]", value=position)
        self._batch._rows.write(self._row(row), position)

    def __iter__(self) -> Iterator[Position]:
        return (self[row] for row in range(len(self)))

    def _row(self, row: SupportsIndex) -> int:
        row = index(row)
        if not -len(self) <= row < len(self):
            raise IndexError(f"no row {row}: rows are 0 to {len(self) - 1}")
        return row % len(self)
