"""Canopy: what is to be gained on a player of few visits, the ceiling of matches between numbers of visits.

    python -m bench.canopy_ceiling --positions 60 --worlds 2000
    python -m bench.canopy_ceiling --positions 60 --reference 20000

Of each of some games by guesses one position is taken in which somebody keeps a pile or passes it, half of a game's
choices and those that matter. A move is worth what it brings in games by guesses from then on, in the same worlds with
the same random numbers for both; or, with --reference, what a search of so many visits finds. One such measurement
says which move is best, another one what that gains, so that no luck is counted. The row of `greedy` says how far sums
of such gains tell the outcome of matches.
"""

from __future__ import annotations

import argparse
import random
import statistics

import ninefold as nf
from ninefold._match import interval
from ninefold.core.search.mcts import draw_move, policy_playouts

TEMPERATURE = 0.3  # of the games by guesses
Worth = list[float]  # by legal move, the share of the win of who chooses


def choices(seed: int) -> tuple[nf.Position, int]:
    """A position of a game by guesses in which a pile is kept or passed, as who chooses sees it; how many a game has."""
    position, chance, dice = nf.game("canopy").start(), nf.Generator(7, seed), random.Random(seed)
    found = []
    while True:
        position.roll_all(chance)
        if position.is_over:
            break
        seat = position.actors[0]
        if [str(move) for move in position.legal(seat)[:2]] == ["keep", "pass"]:
            found.append(position.view(seat))
        position.apply(seat, draw_move(position, seat, TEMPERATURE, dice.getrandbits(60)))
    return dice.choice(found), len(found)


def played(position: nf.Position, worlds: int, seed: int) -> Worth:
    """Of each move, by games by guesses."""
    seat = position.actors[0]
    moves, generator = position.legal(seat), nf.Generator(seed, 1)
    won = [0.0] * len(moves)
    for number in range(worlds):
        world = position.copy()
        world.resample(seat, generator)
        for i, move in enumerate(moves):
            after = world.copy()
            after.apply(seat, move)
            points = policy_playouts(after, 1, TEMPERATURE, worlds * seed + number)
            won[i] += (points[seat] > points[1 - seat]) + (points[0] == points[1]) / 2
    return [wins / worlds for wins in won]


def searched(position: nf.Position, visits: int, seed: int) -> Worth:
    """Of each move, by a search."""
    answer = nf.best(position, nf.Limit(visits=visits), seed=seed, exact=False)
    return [next(info.value for info in answer.moves if info.move == move) for move in position.legal(answer.player)]


def chosen(position: nf.Position, visits: int, seeds: range) -> list[int]:
    """What a player of so many visits chooses with each seed."""
    moves = position.legal(position.actors[0])
    answers = (nf.best(position, nf.Limit(visits=visits), seed=seed) for seed in seeds)
    return [moves.index(answer.best) for answer in answers]


def likeliest(worth: Worth) -> int:
    return worth.index(max(worth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--worlds", type=int, default=2000, help="in which each move is played out")
    parser.add_argument("--reference", type=int, help="visits of the search that says what moves are worth, instead")
    parser.add_argument("--weak", type=int, default=400, help="visits of the player to gain on")
    parser.add_argument("--visits", type=int, nargs="+", default=[4000])
    parser.add_argument("--seeds", type=int, default=4, help="of each player in each position")
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    arguments = parser.parse_args()
    measure, effort = (searched, arguments.reference) if arguments.reference else (played, arguments.worlds)
    gains: dict[str, list[float]] = {}
    each: list[int] = []
    for number in range(arguments.first, arguments.first + arguments.positions):
        position, count = choices(number)
        each.append(count)
        worths = [measure(position, effort, seed) for seed in (1001, 1002)]
        players = {
            f"{visits:,} visits": chosen(position, visits, range(10, 10 + arguments.seeds))
            for visits in arguments.visits
        }
        players["greedy"] = [likeliest(position.prior(position.actors[0]))]
        weak = chosen(position, arguments.weak, range(50, 50 + arguments.seeds))
        for name in (*players, "the best"):
            gain = 0.0
            for one, other in (worths, worths[::-1]):
                own = players.get(name) or [likeliest(one)]
                gain += statistics.mean(other[i] for i in own) - statistics.mean(other[i] for i in weak)
            gains.setdefault(name, []).append(gain / 2)
    choices_each = statistics.mean(each) / 2
    print(f"gained on {arguments.weak:,} visits: a choice, and in a player's {choices_each:.1f} choices of a game")
    for name, values in gains.items():
        mean, half = interval(values)
        print(f"{name:14} {mean:8.2%} ± {half:.2%}   {choices_each * mean:6.1%} ± {choices_each * half:.1%}")


if __name__ == "__main__":
    main()
