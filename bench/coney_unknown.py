"""Solo games of Coney with the deck unknown, by our search and by the prototype's, at the same time a game.

python -m bench.coney_unknown --yardstick DIR --games 400 --seconds 0.3
python -m bench.coney_unknown --ruleset deck.toml --visits 60 --exploration 1 --rollout 0.5 --guesses 0 --games 400

Both play the prototypes' deck. First both are calibrated on a few games: the prototype's playouts to so many seconds a
game, then our visits to what it took. Seconds are processor time, so that a busy machine does not matter. The tree is
kept from decision to decision, until it takes half of its memory; the choice of the action, on which a whole turn
depends, gets more visits than the small choices that follow; and from the last turn on the exact solver plays. With
`--visits` ours plays alone, on the shipped deck or another; that is how the defaults of the search were chosen.
"""

from __future__ import annotations

import argparse
import re
import resource
import time
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import mean, stdev

import ninefold as nf
from bench import coney_deck, yardstick
from ninefold.core.search.expectimax import Solver
from ninefold.core.search.mcts import Search
from ninefold.games.coney import MODULE

SCORE = 2
POLICIES = 1000  # whole turns that the prototype samples at each decision
ACTION = 8  # times the visits, at the choice of the action
CHUNK = 1_000  # nodes of the solver between two looks at what it may use
TUNING = MODULE.tuning
DEFAULTS = {
    "exploration": TUNING.duct_alone or TUNING.duct, "rollout": TUNING.rollout, "guesses": TUNING.guesses_alone,
    "learning": TUNING.learning_alone,
}  # fmt: skip


class Player(ABC):
    """Our search in one game."""

    def __init__(self, constants: dict[str, float], seed: int) -> None:
        self.constants = constants
        self.seed = seed
        self.tree: Search | None = None
        self.solved = True  # every decision of the last turn

    def choose(self, position: nf.Position) -> nf.Move:
        """A move where there are several."""
        moves = position.legal(0)
        if (position.rest or 0) <= TUNING.exact_rest:
            solver = Solver(position, SCORE)
            while not solver.advance(CHUNK) and not self.enough(solver):
                pass
            if solver.done:
                return moves[max(range(len(moves)), key=lambda i: solver.payoff()[i][0])]
            self.solved = False
        if self.tree is None or self.tree.bytes > self.tree.memory // 2:
            self.tree = Search(
                position, 0, objective=SCORE, exploration=self.constants["exploration"],
                rollout=self.constants["rollout"], guesses=self.constants["guesses"],
                learning=self.constants["learning"], seed=self.seed,
            )  # fmt: skip
        else:
            self.tree.advance(position)
        self.think(self.tree, action=str(moves[0]) in ("place", "breed", "refill"))
        shares = self.tree.strategy()
        return moves[max(range(len(moves)), key=shares.__getitem__)]

    def enough(self, solver: Solver) -> bool:
        """Whether the solver has used what it may use for one choice of the last turn."""
        return solver.nodes >= TUNING.exact_nodes

    @abstractmethod
    def think(self, tree: Search, *, action: bool) -> None:
        """Let the tree grow for one choice. action: that of the action, on which a whole turn depends."""


class Counting(Player):
    """So many visits a choice."""

    def __init__(self, constants: dict[str, float], seed: int, visits: int) -> None:
        super().__init__(constants, seed)
        self.visits = visits

    def think(self, tree: Search, *, action: bool) -> None:
        """Grow."""
        tree.run(self.visits * (ACTION if action else 1))


def end(position: nf.Position, player: Player, chance: Callable[[nf.Position], object]) -> int:
    """The points of a game that a player plays to its end. chance: lets it happen where the position waits for it."""
    while not position.is_over:
        if not position.actors:
            chance(position)
        elif len(position.legal(0)) == 1:
            position.play(0, position.legal(0)[0])
        else:
            position.play(0, player.choose(position))
    return position.scores()[0]


def ours(
    game: nf.Game, visits: int, games: int, constants: dict[str, float], first: int = 0
) -> tuple[list[int], float, int]:
    """Points of so many games, seconds a game, and how many last turns were solved throughout."""
    found, solved, began = [], 0, time.process_time()
    for number in range(first, first + games):
        generator, player = nf.Generator(number, 5), Counting(constants, number, visits)
        found.append(end(game.deal(number), player, partial(nf.Position.roll_all, generator=generator)))
        solved += player.solved
    return found, (time.process_time() - began) / games, solved


def prototype(program: Path, deck: Path, playouts: int, games: int) -> tuple[float, float, float]:
    """Mean and standard deviation of points, and seconds a game."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = yardstick.run(program, str(deck), str(games), str(POLICIES), str(playouts))
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    read = re.search(r"mean ([\d.]+) sd ([\d.]+)", text)
    if read is None:
        raise SystemExit(f"coney_mc says: {text}")
    return float(read[1]), float(read[2]), seconds / games


def report(game: nf.Game, visits: int, games: int, constants: dict[str, float]) -> tuple[float, float]:
    """Let ours play. Prints and returns the mean and the half width of its 95 % interval."""
    points, seconds, solved = ours(game, visits, games, constants)
    error = 1.96 * stdev(points) / games**0.5
    print(
        f"ours       {visits:7} visits, {ACTION} times at actions  {mean(points):.2f} ± {error:.2f}  {seconds:.3f} s a "
        f"game, last turn solved in {solved} of {games}",
        flush=True,
    )
    return mean(points), error


def add_constants(parser: argparse.ArgumentParser) -> None:
    """Options for the constants of the search."""
    for name, value in DEFAULTS.items():
        parser.add_argument(f"--{name}", type=float, default=value)


def constants_of(arguments: argparse.Namespace) -> dict[str, float]:
    """What these options say."""
    return {name: getattr(arguments, name) for name in DEFAULTS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", type=Path, help="folder of the prototypes")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.3, help="processor time of a game")
    parser.add_argument("--visits", type=int, help="ours alone, with so many visits")
    parser.add_argument("--ruleset", help="and this deck")
    add_constants(parser)
    arguments = parser.parse_args()
    games, constants = arguments.games, constants_of(arguments)
    if arguments.visits is not None:
        report(nf.game("coney", 1, ruleset=arguments.ruleset), arguments.visits, games, constants)
        return
    if arguments.yardstick is None:
        parser.error("--yardstick or --visits is needed")
    folder: Path = arguments.yardstick / "coney"
    deck = folder / "deck.txt"
    game = nf.game("coney", 1, ruleset=tomllib.loads(coney_deck.ruleset(deck)))
    program = yardstick.build(folder, "coney_mc.cpp")
    pilot = max(8, games // 20)
    playouts = 20
    playouts = max(1, round(playouts * arguments.seconds / prototype(program, deck, playouts, pilot)[2]))
    points, spread, seconds = prototype(program, deck, playouts, games)
    error = 1.96 * spread / games**0.5
    print(f"prototype  {playouts * POLICIES:7} playouts a turn  {points:.2f} ± {error:.2f}  {seconds:.3f} s a game")
    visits = 200
    visits = max(1, round(visits * seconds / ours(game, visits, pilot, constants, first=10**6)[1]))
    own, own_error = report(game, visits, games, constants)
    print(f"difference {own - points:.2f} ± {(own_error**2 + error**2) ** 0.5:.2f} points")


if __name__ == "__main__":
    main()
