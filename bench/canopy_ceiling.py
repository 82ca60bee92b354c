"""Canopy: what is to be gained on a player of few visits, the ceiling of matches between numbers of visits.

    python -m bench.canopy_ceiling greedy mcts:visits=4000 --positions 240
    python -m bench.canopy_ceiling greedy mcts:visits=4000 --positions 60 --reference 20000

Of each of some games by guesses one position is taken in which somebody keeps a pile or passes it, half of a game's
choices and those that matter. A move is worth what it brings in games by guesses from then on, in the same worlds with
the same random numbers for both; or, with --reference, what a search of so many visits finds. One such measurement
says which move is best, another one what that gains, so that no luck is counted. The row of `greedy` says how far sums
of such gains tell the outcome of matches. Interrupted, it tells what it has.
"""

from __future__ import annotations

import argparse
import random
import statistics

import ninefold as nf
from ninefold._match import interval
from ninefold.core.search.mcts import draw_move, policy_playouts
from ninefold.players import Player, player

TEMPERATURE = 0.3  # of the games by guesses
Worth = list[float]  # by legal move, the share of the win of who chooses


def choices(seed: int) -> tuple[nf.Position, int]:
    """A position of a game by guesses where a pile is kept or passed, as who chooses sees it; how many a game has."""
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


def chosen(position: nf.Position, who: Player, seeds: range) -> list[int]:
    """What a player chooses with each seed."""
    seat = position.actors[0]
    moves = position.legal(seat)
    return [moves.index(position.game.move(who(position, seat, seed))) for seed in seeds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", help="as in ninefold match")
    parser.add_argument("--weak", default="mcts:visits=400", help="the player to gain on")
    parser.add_argument("--positions", type=int, default=240)
    parser.add_argument("--worlds", type=int, default=1000, help="in which each move is played out")
    parser.add_argument("--reference", type=int, help="visits of the search that says what moves are worth, instead")
    parser.add_argument("--seeds", type=int, default=2, help="of each player in each position")
    arguments = parser.parse_args()
    measure, effort = (searched, arguments.reference) if arguments.reference else (played, arguments.worlds)
    gains: dict[str, list[float]] = {}
    each: list[int] = []
    try:
        for number in range(arguments.positions):
            position, count = choices(number)
            worths = [measure(position, effort, seed) for seed in (1001, 1002)]
            weak = chosen(position, player(arguments.weak), range(arguments.seeds))
            found = {
                name: chosen(position, player(name), range(50, 50 + arguments.seeds)) for name in arguments.players
            }
            each.append(count)
            for name in (*found, "the best"):
                gain = 0.0
                for one, other in (worths, worths[::-1]):
                    picked = found.get(name) or [one.index(max(one))]
                    gain += statistics.mean(other[i] for i in picked) - statistics.mean(other[i] for i in weak)
                gains.setdefault(name, []).append(gain / 2)
    except KeyboardInterrupt:
        pass
    own = statistics.mean(each) / 2
    print(f"gained on {arguments.weak}, {len(each)} positions: a choice, and in a player's {own:.1f} choices of a game")
    for name, values in gains.items():
        mean, half = interval(values)
        print(f"{name:32} {mean:8.2%} ± {half:.2%}   {own * mean:6.1%} ± {own * half:.1%}")


if __name__ == "__main__":
    main()
