"""Random games of OpenSpiel's compiled 9-card Goofspiel, a smaller game, beside ours. Needs `pip install open_spiel`.

python -m bench.openspiel
"""

from __future__ import annotations

import time

import ninefold as nf
from ninefold.core import rules


def main() -> None:
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    turn_based = pyspiel.load_game("turn_based_simultaneous_game(game=goofspiel(players=2,num_cards=9))")
    state = turn_based.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    rollouts = 200_000
    bot = pyspiel.MCTSBot(
        turn_based, pyspiel.RandomRolloutEvaluator(rollouts, 1), 2.0, 1, 100, False, 1, False
    )  # fmt: skip
    best = 0.0
    for _ in range(3):
        started = time.perf_counter()
        bot.mcts_search(state)
        best = max(best, rollouts / (time.perf_counter() - started))
    print(f"OpenSpiel {getattr(pyspiel, '__version__', '')}, goofspiel of 9 cards, random games: {best:,.0f} a second")
    start = nf.game("donuts", 2).start()
    best = 0.0
    for _ in range(3):
        started = time.perf_counter()
        rules.playouts(start, rollouts, 1)
        best = max(best, rollouts / (time.perf_counter() - started))
    print(f"ninefold donuts, 2 players, random games:  {best:,.0f} a second")


if __name__ == "__main__":
    main()
