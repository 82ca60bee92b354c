"""Players by a short name, and games between them: what the strength measurements share.

    random · greedy · careful · step · softmax:T
    mcts:visits=N[,algorithm=duct|rm][,exploration=C][,opponent=softmax:1][,rollout=T][,guesses=V][,observer=single]

`greedy` bids for what adds most points at once; `careful` makes the move that the game's quick guess likes best. `step`
plays Coney alone and looks one turn ahead: see `_step`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import ninefold as nf
from ninefold.core.search.mcts import draw_move

Player = Callable[[nf.Position, int, int], int]


def player(name: str) -> Player:
    """The player with this name: called with a position, his seat and a seed, he says the id of his move."""
    kind, _, rest = name.partition(":")
    if kind == "random":
        return lambda position, seat, seed: draw_move(position, seat, 0, seed)
    if kind == "softmax":
        return lambda position, seat, seed: draw_move(position, seat, float(rest), seed)
    if kind == "greedy":
        return _greedy
    if kind == "careful":
        return _careful
    if kind == "step":
        return _step
    if kind == "mcts":
        return _searcher(dict(word.split("=") for word in rest.split(",")))
    raise SystemExit(f"unknown player {name!r}")


def _greedy(position: nf.Position, seat: int, seed: int) -> int:
    """The bid that adds most to the own points at once if nobody else bids there; one of them if there are several."""
    moves = position.legal(seat)
    if not str(moves[0]).startswith("bid"):
        return draw_move(position, seat, 0, seed)
    gains = []
    for move in moves:
        after = position.copy()
        elsewhere = moves[(moves.index(move) + 1) % len(moves)]
        after.play_all({player: move if player == seat else elsewhere for player in position.actors})
        gains.append(after.scores()[seat] - position.scores()[seat])
    best = [move for move, gain in zip(moves, gains, strict=True) if gain == max(gains)]
    return random.Random(seed).choice(best)


def _careful(position: nf.Position, seat: int, seed: int) -> int:
    """The move that the game's quick guess likes best; one of them if there are several."""
    worth, moves = position.prior(seat), position.legal(seat)
    best = [move for move, value in zip(moves, worth, strict=True) if value >= max(worth) - 1e-6]
    return random.Random(seed).choice(best)


def _counted(position: nf.Position) -> float:
    """Coney: points now, every resource in the stock a third of one."""
    resources: int = sum(position.to_dict()["player"][0].get("stock", {}).values())
    return position.scores()[0] - resources // 3 + resources / 3


def _most_at_once(position: nf.Position, chance: random.Random) -> int:
    """The move after which most is counted; one of them if there are several."""
    moves, gains = position.legal(0), []
    for move in moves:
        after = position.copy()
        after.apply(0, move)
        gains.append(_counted(after))
    return chance.choice([move for move, gain in zip(moves, gains, strict=True) if gain > max(gains) - 1e-9])


def _step(position: nf.Position, seat: int, seed: int) -> int:
    """Coney: the action whose turn, every move the one that adds most at once, leaves most; in the turn such moves."""
    chance = random.Random(seed)
    moves = position.legal(seat)
    if not {str(move) for move in moves} <= {"place", "breed", "refill"}:
        return _most_at_once(position, chance)
    best = []
    for move in moves:
        after, generator = position.copy(), nf.Generator(seed, 6)
        after.apply(seat, move)
        while not after.is_over and after.rest == position.rest:
            if after.actors:
                after.apply(seat, _most_at_once(after, chance))
            after.roll_all(generator)
        best.append((_counted(after), chance.random(), move))
    return max(best)[2]


def _searcher(options: dict[str, str]) -> Player:
    limit = nf.Limit(visits=int(options.pop("visits")))
    numbers = {name: float(options[name]) for name in ("exploration", "rollout", "guesses") if name in options}
    exact = options.pop("exact", "no") == "yes"

    def choose(position: nf.Position, seat: int, seed: int) -> int:
        answer = nf.best(
            position, limit, player=seat, seed=seed, exact=exact, opponent=options.get("opponent"),
            algorithm=options.get("algorithm"), exploration=numbers.get("exploration"), rollout=numbers.get("rollout"),
            guesses=numbers.get("guesses"), observer=options.get("observer"),
        )  # fmt: skip
        return answer.draw(random.Random(seed).random())

    return choose


def play(names: list[str], players: int, number: int, preset: str = "standard", game: str = "donuts") -> list[float]:
    """Shares of the win of the named players in one game, `number`: seats rotate, and so many games share a deal."""
    seats = [names[(seat + number) % players] for seat in range(players)]
    made = [player(name) for name in seats]
    position = nf.game(game, players, preset=preset).start()
    generator = nf.Generator(number // players, 5)
    moves = 0
    while True:
        position.roll_all(generator)
        if position.is_over:
            break
        chosen = {seat: made[seat](position, seat, number * 100_003 + moves * 16 + seat) for seat in position.actors}
        position.play_all(chosen)
        moves += 1
    wins = position.utilities(0)
    return [wins[(index - number) % players] for index in range(players)]


def _numbered(task: tuple[list[str], int, int, str, str]) -> list[float]:
    return play(*task)


def match(
    names: list[str], players: int, games: int, workers: int, preset: str = "standard", game: str = "donuts"
) -> list[float]:
    """The first player's shares of the win, game by game, against the others."""
    with ProcessPoolExecutor(workers) as pool:
        tasks = [(names, players, number, preset, game) for number in range(games)]
        return [result[0] for result in pool.map(_numbered, tasks, chunksize=2)]


def report(who: str, players: int, results: list[float], seconds: float) -> None:
    """Print one line: who played, the share of the win, and how long it took."""
    print(
        f"{players} players{who}: {summary(results)} of {len(results)} games "
        f"(par {1 / players:.1%}, {seconds:.0f} s)", flush=True
    )  # fmt: skip


def summary(results: list[float]) -> str:
    """Mean with a 95 % interval, in per cent."""
    mean = sum(results) / len(results)
    spread = math.sqrt(sum((result - mean) ** 2 for result in results) / len(results))
    return f"{mean:.1%} ± {1.96 * spread / math.sqrt(len(results)):.1%}"
