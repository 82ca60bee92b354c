"""Best moves, exact solutions and fast search for four modern tabletop games.

>>> import ninefold as nf
>>> position = nf.game("donuts", players=3).deal(seed=7)
>>> position.play(0, "bid 3")
"""

from importlib import import_module

TYPE_CHECKING = False  # a type checker knows better; importing it from `typing` would take 15 ms

# Everything is imported when it is first used, so that `import ninefold` costs nothing. A module whose name would hide
# a function of this package has an underscore.
if TYPE_CHECKING:
    from ninefold._balance import Balance, balance
    from ninefold._game import Game, game, game_names
    from ninefold._match import Result, Sprt, match
    from ninefold._review import Review, review
    from ninefold._solve import solve
    from ninefold.analysis import Analysis, Limit, MoveInfo, Opponent
    from ninefold.core.rules import Generator
    from ninefold.errors import IllegalMoveError, InputError, NinefoldError
    from ninefold.files import read, write
    from ninefold.move import Move, Outcome
    from ninefold.position import Position, View
    from ninefold.puzzle import Answer, Grade, Puzzle
    from ninefold.record import Record
    from ninefold.ruleset import Ruleset
    from ninefold.search import analyses, best
    from ninefold.solution import Solution

_HOMES = {
    "_balance": ("Balance", "balance"),
    "_game": ("Game", "game", "game_names"),
    "_match": ("Result", "Sprt", "match"),
    "_review": ("Review", "review"),
    "_solve": ("solve",),
    "analysis": ("Analysis", "Limit", "MoveInfo", "Opponent"),
    "core.rules": ("Generator",),
    "errors": ("IllegalMoveError", "InputError", "NinefoldError"),
    "files": ("read", "write"),
    "move": ("Move", "Outcome"),
    "position": ("Position", "View"),
    "puzzle": ("Answer", "Grade", "Puzzle"),
    "record": ("Record",),
    "ruleset": ("Ruleset",),
    "search": ("analyses", "best"),
    "solution": ("Solution",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"
__all__ = [
    "Analysis", "Answer", "Balance", "Game", "Generator", "Grade", "IllegalMoveError", "InputError", "Limit", "Move",
    "MoveInfo", "NinefoldError", "Opponent", "Outcome", "Position", "Puzzle", "Record", "Result", "Review", "Ruleset",
    "Solution", "Sprt", "View", "analyses", "balance", "best", "game", "game_names", "match", "read", "review", "solve",
    "write",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
