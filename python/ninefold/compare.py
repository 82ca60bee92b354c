"""Ours beside others' on this machine: OpenSpiel's compiled games, PettingZoo's own and OR-Tools CP-SAT.

Others play other games, so a ratio tells an order of magnitude; only the exact questions are the same for both.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from ninefold._game import Game, game, game_names
from ninefold.bench import SEED, amount, per_second, rate
from ninefold.core import rules
from ninefold.core.search.mcts import Search
from ninefold.errors import InputError
from ninefold.games import module

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold.games import SameQuestion
    from ninefold.position import Position

__all__ = ["Comparison", "Report", "compare", "loop", "spiel", "times", "turns"]

SECONDS = 0.1  # of each timing
QUESTIONS = 5  # exact ones of each round
GOOFSPIEL = "goofspiel(players=2,num_cards=9)"
TREE = 200  # visits of a tree: OpenSpiel's bot makes one for each search


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """One line: what both did, the medians of a few rounds, and the median of the rounds' ratios."""

    what: str
    unit: str
    ours: str  # which game
    anchor: str  # and what stands beside it
    rate: float
    anchor_rate: float
    ratio: float  # ours through theirs: above 1 ours is faster
    note: str = ""  # of exact questions whether the answers are equal


class Missing(msgspec.Struct, frozen=True):
    """An anchor that is not installed, and what installs it."""

    anchor: str
    command: str


class Report(msgspec.Struct, frozen=True):
    """What was measured, with which versions, and what was not there to be measured."""

    comparisons: list[Comparison]
    missing: list[Missing]
    versions: dict[str, str]
    rounds: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `ninefold bench --compare --json` prints it."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def to_svg(self) -> str:
        """The report as the text of an SVG file."""
        from ninefold.charts import comparison_svg

        return comparison_svg(self)

    def remarks(self) -> list[str]:
        """What must be said beside the figures, a line each."""
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        return [
            f"one thread, processor time, medians of {self.rounds} rounds that alternate; {versions}",
            "a decision is one player's choice, drawn at random, the chance that follows included",
            "others' games are other games: ratios tell the order of magnitude; exact questions are the same for both",
            *(f"{gone.anchor} is not installed: {gone.command}" for gone in self.missing),
        ]

    def __rich__(self) -> RenderableType:
        """The picture for a terminal."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        parts: list[RenderableType] = []
        for what, group in groupby(self.comparisons, key=lambda one: one.what):
            lines = list(group)
            parts.append(Text(f"{what}, {lines[0].unit}", style="bold"))
            table = Table(box=None, show_header=False, padding=(0, 2))
            table.add_column(width=32)
            table.add_column(width=12, justify="right")
            table.add_column()
            table.add_row(lines[0].anchor, f"{lines[0].anchor_rate:,.0f}", "", style="dim")
            for one in lines:
                table.add_row(one.ours, f"{one.rate:,.0f}", f"× {times(one.ratio)}")
            parts.append(table)
        notes = [one.note for one in self.comparisons if one.note]
        return Group(*parts, *map(Text, notes + self.remarks()))


def times(ratio: float) -> str:
    """A ratio in three digits: 0.0123, 1.23, 123."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def loop(of: Game, decisions: int) -> tuple[int, int]:
    """Random games one after the other until there were so many choices, each a call. Returns games and choices."""
    rng = rules.Generator(SEED)
    games = made = 0
    while made < decisions:
        position = of.deal(games)
        games += 1
        while not position.is_over:
            for player in position.actors:
                position.play(player, rng.choice(position.legal(player)))
                made += 1
            position.roll_all(rng)
    return games, made


def turns(env: Any, decisions: int) -> None:
    """Random games in an environment of PettingZoo in which one agent acts after the other."""
    rng = random.Random(SEED)
    while decisions > 0:
        env.reset(seed=decisions)
        while not any(env.terminations.values()):
            env.step(int(rng.choice(env.last()[0]["action_mask"].nonzero()[0])))
            decisions -= 1


def spiel(of: Any, decisions: int) -> None:
    """Random games of OpenSpiel from Python, step by step."""
    rng = random.Random(SEED)
    players = range(of.num_players())
    while decisions > 0:
        state = of.new_initial_state()
        while not state.is_terminal():
            if state.is_simultaneous_node():
                choices = [state.legal_actions(player) for player in players]
                state.apply_actions([rng.choice(legal) if legal else 0 for legal in choices])
                decisions -= sum(map(bool, choices))
            else:
                decisions -= not state.is_chance_node()
                state.apply_action(rng.choice(state.legal_actions()))


def length(of: Game) -> float:
    """Decisions of a random game, the mean of some."""
    games, decisions = loop(of, 2000)
    return decisions / games


def compare(rounds: int = 3, progress: Callable[[str], None] = lambda what: None) -> Report:
    """Measure everything that is installed. rounds: 1 to 100, each of them about three seconds.

    progress: is called with what is measured next. Raises InputError for another number of rounds.
    """
    if not 1 <= rounds <= 100:
        raise InputError(f"must be from 1 to 100, not {rounds}", path="rounds", value=rounds)
    found: list[Comparison] = []
    missing: list[Missing] = []
    from ninefold import __version__

    versions = {"ninefold": __version__}
    for name, package, command, run in (
        ("OpenSpiel", "open_spiel", "pip install 'ninefold[openspiel]'", _openspiel),
        ("PettingZoo", "pettingzoo", "pip install 'ninefold[pettingzoo]' pygame", _pettingzoo),
        ("OR-Tools CP-SAT", "ortools", "pip install ortools", _cp_sat),
    ):
        progress(name)
        try:
            measured = list(run(rounds, progress))
        except ImportError:
            missing.append(Missing(name, command))
            continue
        versions[name] = metadata.version(package)
        found += measured
    return Report(found, missing, versions, rounds)


def _side_by_side(
    what: str,
    unit: str,
    anchor: tuple[str, Callable[[int], object], float],
    ours: dict[str, tuple[Callable[[int], object], float]],
    rounds: int,
    progress: Callable[[str], None],
) -> Iterator[Comparison]:
    """Rates of all in turn, round by round; each work comes with the units that one of it has."""
    rates: dict[str, list[float]] = {name: [] for name in ours}
    theirs: list[float] = []
    sizes = {work: amount(work, SECONDS, time.process_time) for work, *_ in (anchor[1:], *ours.values())}

    def measured(work: Callable[[int], object], scale: float) -> float:
        return scale * rate(work, sizes[work], 1, time.process_time)

    for number in range(rounds):
        progress(f"{what}, round {number + 1} of {rounds}")
        theirs.append(measured(*anchor[1:]))
        for name, (work, scale) in ours.items():
            rates[name].append(measured(work, scale))
    for name, some in rates.items():
        yield Comparison(
            what=what, unit=unit, ours=name, anchor=anchor[0], rate=statistics.median(some),
            anchor_rate=statistics.median(theirs),
            ratio=statistics.median(a / b for a, b in zip(some, theirs, strict=True)),
        )  # fmt: skip


def _table_for_two() -> dict[str, Game]:
    """Each game with two players."""
    return {f"{name}, 2 players": game(name, 2) for name in game_names() if 2 in module(name).players}


def _openspiel(rounds: int, progress: Callable[[str], None]) -> Iterator[Comparison]:
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    ours = _table_for_two()
    yield from _side_by_side(
        "random games, step by step from Python", "decisions a second",
        ("OpenSpiel's goofspiel, compiled", partial(spiel, pyspiel.load_game(GOOFSPIEL)), 1),
        {name: (partial(loop, of), 1) for name, of in ours.items()}, rounds, progress,
    )  # fmt: skip
    # The bot plays many random games from one leaf: a loop that is all compiled.
    turn_based = pyspiel.load_game(f"turn_based_simultaneous_game(game={GOOFSPIEL})")
    state = turn_based.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def played(n: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(n, SEED)
        pyspiel.MCTSBot(turn_based, evaluator, 2.0, 1, 100, False, SEED, False).mcts_search(state)

    def searched(n: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        for _ in range(n):
            pyspiel.MCTSBot(turn_based, evaluator, 2.0, TREE, 100, False, SEED, False).mcts_search(state)

    yield from _side_by_side(
        "random games, compiled", "decisions a second", ("OpenSpiel's goofspiel", played, _spiel_length(turn_based)),
        {name: (partial(_playouts, of.start()), length(of)) for name, of in ours.items()}, rounds, progress,
    )  # fmt: skip
    yield from _side_by_side(
        f"tree search of {TREE} visits, random games at its leaves", "visits a second",
        ("OpenSpiel's goofspiel, MCTSBot", searched, TREE),
        {name: (partial(_searches, of.deal(SEED)), TREE) for name, of in ours.items()}, rounds, progress,
    )  # fmt: skip


def _spiel_length(of: Any) -> float:
    """Decisions of a game that always has as many."""
    state, n = of.new_initial_state(), 0
    while not state.is_terminal():
        n += not state.is_chance_node()
        state.apply_action(state.legal_actions()[0])
    return n


def _playouts(start: Position, n: int) -> None:
    rules.playouts(start, n, SEED)


def _searches(position: Position, n: int) -> None:
    for _ in range(n):
        Search(position, position.actors[0], rollout=1.0, seed=SEED).run(TREE)


def _pettingzoo(rounds: int, progress: Callable[[str], None]) -> Iterator[Comparison]:
    from pettingzoo.classic.tictactoe.tictactoe import raw_env  # type: ignore[import-untyped,unused-ignore]

    from ninefold.adapters import pettingzoo as zoo

    ours: dict[str, tuple[Callable[[int], object], float]] = {
        f"{name}, 2 players": (partial(turns, zoo.Games(name).raw_env(players=2)), 1.0)
        for name in game_names()
        if 2 in module(name).players
    }
    yield from _side_by_side(
        "random games as PettingZoo environments (AEC)", "decisions a second",
        ("PettingZoo's tictactoe", partial(turns, raw_env()), 1), ours, rounds, progress,
    )  # fmt: skip


def _cp_sat(rounds: int, progress: Callable[[str], None]) -> Iterator[Comparison]:
    import ortools.sat.python.cp_model  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: F401

    for name in game_names():
        same = module(name).same_questions(QUESTIONS * rounds, SEED)
        if same is not None:
            progress(same.what)
            yield _same(name, same, rounds)


def _same(name: str, same: SameQuestion, rounds: int) -> Comparison:
    """The same questions to both, a few in each round; ours again and again until that takes long enough."""
    ours, theirs, values = [], [], []
    for number in range(rounds):
        first = QUESTIONS * number
        began = time.process_time()
        answers = [same.theirs(first + i) for i in range(QUESTIONS)]
        theirs.append(QUESTIONS / (time.process_time() - began))
        values += [(same.ours(first + i), answer) for i, answer in enumerate(answers)]

        def again(n: int, first: int = first) -> None:
            for i in range(n):
                same.ours(first + i % QUESTIONS)

        ours.append(per_second(again, SECONDS, 1, time.process_time))
    wrong = [f"{mine} and {other}" for mine, other in values if mine != other]
    note = f"{same.what}: all {len(values)} values are equal"
    if wrong:
        note = f"{same.what}: {len(wrong)} of {len(values)} values differ: {', '.join(wrong)}"
    return Comparison(
        what=f"{same.what}, exact", unit="answers a second", ours=name, anchor="CP-SAT, one worker",
        rate=statistics.median(ours), anchor_rate=statistics.median(theirs),
        ratio=statistics.median(a / b for a, b in zip(ours, theirs, strict=True)), note=note,
    )  # fmt: skip
