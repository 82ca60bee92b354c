"""Calibration: of all moves that were given 60 % to win, do 60 % win?

    python -m bench.calibration --game canopy --games 300 --visits 1000 --svg docs/calibration-canopy.svg

Every seat plays by search; of each decision with a choice the win chance is kept that the answer gave to the move
that was played, and compared with how the game ended. ECE, the expected calibration error, is the mean distance of
the two over ten bins, weighted by their decisions. Decisions of one game are not independent: the interval is that of
a bootstrap over games; and what a perfectly calibrated player would show with as few games stands beside it
("floor").
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from scipy.optimize import minimize  # type: ignore[import-untyped,unused-ignore]

import ninefold as nf
from ninefold._match import known_to
from ninefold.draw import COLOURS, HEIGHT, Canvas
from ninefold.players import player
from ninefold.work import spread

BINS = 10
RESAMPLES = 400  # of the bootstrap
SIDE = 320  # pixels of the plot


class Said(NamedTuple):
    """What was said in one game: for each decision a win chance, and the share of the win that came."""

    chances: tuple[tuple[float, float], ...]


class Task(NamedTuple):
    """One game to be played."""

    game: str
    players: int
    visits: int
    opponent: str | None
    exact: bool
    others: str
    seed: int


def play(task: Task) -> Said:
    """One game in which every seat searches, or one of them, by turns, among others."""
    others = player(task.others) if task.others else None
    position = nf.game(task.game, task.players).start()
    luck, dice = nf.Generator(task.seed), random.Random(task.seed)
    said: list[tuple[int, float]] = []
    while True:
        position.roll_all(luck)
        if position.is_over:
            break
        chosen: dict[int, nf.Move] = {}
        for seat in position.actors:
            moves = position.legal(seat)
            if len(moves) == 1:
                chosen[seat] = moves[0]
                continue
            seen = known_to(position, seat)
            if others is not None and seat != task.seed % task.players:
                chosen[seat] = position.game.move(others(seen, seat, dice.getrandbits(63)))
                continue
            answer = nf.best(
                seen, nf.Limit(visits=task.visits), player=seat, opponent=task.opponent, exact=task.exact,
                seed=dice.getrandbits(63),
            )  # fmt: skip
            chosen[seat] = answer.draw(dice.random())
            info = next(info for info in answer.moves if info.move == chosen[seat])
            if info.win is not None:
                said.append((seat, info.win[seat]))
        position.play_all(chosen)
    wins = position.utilities(0)
    return Said(tuple((chance, wins[seat]) for seat, chance in said))


class Bin(NamedTuple):
    """Decisions with about the same chance: their number, the mean of what was said, and of what came."""

    decisions: int
    said: float
    came: float


def bins(games: Sequence[Said]) -> list[Bin]:
    """Ten bins of equal width; empty ones are left out."""
    sums = [[0, 0.0, 0.0] for _ in range(BINS)]
    for game in games:
        for chance, won in game.chances:
            one = sums[min(BINS - 1, int(chance * BINS))]
            one[0] += 1
            one[1] += chance
            one[2] += won
    return [Bin(int(count), said / count, came / count) for count, said, came in sums if count]


def error(found: Sequence[Bin]) -> float:
    """The expected calibration error."""
    return sum(one.decisions * abs(one.said - one.came) for one in found) / sum(one.decisions for one in found)


def floor(games: Sequence[Said], dice: random.Random) -> float:
    """The error that perfect chances would show: each game's decisions, all won or all lost by its first chance."""
    drawn = []
    for game in games:
        luck = dice.random()  # one for the game: its decisions win or lose together
        drawn.append(Said(tuple((chance, float(luck < chance)) for chance, _ in game.chances)))
    return error(bins(drawn))


def fit(games: Sequence[Said]) -> tuple[float, float]:
    """Slope and offset of log odds that would fit what came best, by likelihood: 1 and 0 are calibrated."""
    said = [(min(max(chance, 1e-4), 1 - 1e-4), won) for game in games for chance, won in game.chances]
    known = [(math.log(chance / (1 - chance)), won) for chance, won in said]

    def surprise(at: Sequence[float]) -> float:
        total = 0.0
        for odds, won in known:
            raised = at[0] * odds + at[1]
            total += math.log1p(math.exp(-raised)) + (1 - won) * raised
        return total

    slope, offset = minimize(surprise, [1.0, 0.0], method="Nelder-Mead").x
    return float(slope), float(offset)


def svg(title: str, found: Sequence[Bin], note: str) -> str:
    """The reliability plot."""
    canvas = Canvas(title)
    canvas.text(12, 12, title, "strong")
    canvas.text(12, 12 + HEIGHT, note, "faint")
    left, top = 60, 24 + 2 * HEIGHT

    def at(x: float, y: float) -> tuple[int, int]:
        return left + round(SIDE * x), top + round(SIDE * (1 - y))

    for step in range(0, 11, 2):
        canvas.line([at(0, step / 10), at(1, step / 10)])
        canvas.text(20, at(0, step / 10)[1] - HEIGHT // 2, f"{step * 10} %", "faint")
        canvas.text(at(step / 10, 0)[0] - 12, at(0, 0)[1] + 6, f"{step * 10} %", "faint")
    canvas.line([at(0, 0), at(1, 1)])
    for one, other in pairwise(found):
        canvas.line([at(one.said, one.came), at(other.said, other.came)], COLOURS[0])
    for one in found:
        x, y = at(one.said, one.came)
        canvas.dot(x - 5, y - 5, COLOURS[0])
    canvas.text(left, at(0, 0)[1] + 8 + HEIGHT, "across: chance that was given; up: share that was won", "faint")
    return canvas.svg()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", required=True)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0, help="of the first game; the others follow")
    parser.add_argument("--visits", type=int, default=1000)
    parser.add_argument("--opponent")
    parser.add_argument("--others", default="", metavar="PLAYER", help="one seat searches, the others are this player")
    parser.add_argument("--exact", action="store_true", help="solve to the end where that is possible")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--svg", type=Path)
    arguments = parser.parse_args()
    asked = (
        arguments.game, arguments.players, arguments.visits, arguments.opponent, arguments.exact, arguments.others,
    )  # fmt: skip
    tasks = [Task(*asked, seed) for seed in range(arguments.seed, arguments.seed + arguments.games)]
    games = [said for _, said in sorted(spread(play, tasks, workers=arguments.workers))]
    found = bins(games)
    print("said    came    decisions")
    for one in found:
        print(f"{one.said:6.1%}  {one.came:6.1%}  {one.decisions:9,}")
    dice = random.Random(1)
    resampled = sorted(error(bins(dice.choices(games, k=len(games)))) for _ in range(RESAMPLES))
    low, high = resampled[RESAMPLES // 40], resampled[-RESAMPLES // 40]
    least = sum(floor(games, dice) for _ in range(RESAMPLES)) / RESAMPLES
    decisions = sum(one.decisions for one in found)
    note = (
        f"{arguments.games} games, {decisions:,} decisions, {arguments.visits:,} visits a move: "
        f"ECE {error(found):.1%} ({low:.1%} to {high:.1%}), floor {least:.1%}"
    )
    print(note)
    slope, offset = fit(games)
    print(f"log odds would fit best with slope {slope:.2f} and offset {offset:+.2f}")
    if arguments.svg:
        title = f"{arguments.game}, {arguments.players} players: win chances given and won"
        arguments.svg.write_text(svg(title, found, note))


if __name__ == "__main__":
    main()
