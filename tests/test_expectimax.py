"""Exact values: against textbook values, a slow search without a table, the plain twin, and themselves."""

from __future__ import annotations

import itertools
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.core import rules
from ninefold.core.games import goofspiel
from ninefold.core.search import matrix
from ninefold.core.search.expectimax import Solver, solve
from ninefold.core.search.mcts import draw_move
from tests.positions import last_round
from tests.reference.donuts import Donuts
from tests.reference.test_reference_donuts import rig
from tests.slow import slow

WIN, MARGIN, SCORE = 0, 1, 2
BOTH = [WIN, MARGIN]
LONG = [False, pytest.param(True, marks=pytest.mark.long)]


def value(state: rules.State, objective: int, **more: Any) -> float:
    solver = solve(state, objective, **more)
    assert solver.done
    return float(solver.value)


# ---- goofspiel -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5])
def test_goofspiel_is_fair(cards: int) -> None:
    hand = (1 << cards) - 1
    start = rules.State(goofspiel.compile([hand, hand], hand))
    assert value(start, WIN) == pytest.approx(0.5, abs=1e-9)
    assert value(start, MARGIN) == pytest.approx(0.0, abs=1e-9)


def test_goofspiel_by_hand() -> None:
    """The higher card takes a prize. With one high and one low card, the larger of two prizes."""
    assert value(rules.State(goofspiel.compile([0b10, 0b01], 0b100)), MARGIN) == 3
    assert value(rules.State(goofspiel.compile([0b1100, 0b0011], 0b11)), MARGIN) == 3
    assert value(rules.State(goofspiel.compile([0b1001, 0b0110], 0b11)), MARGIN) == 1
    solver = solve(rules.State(goofspiel.compile([0b10, 0b01], 0b1)), WIN)
    assert solver.value == 1.0
    assert solver.payoff() == [[1.0]]


@pytest.mark.parametrize("objective", BOTH)
def test_goofspiel_with_unequal_hands(objective: int) -> None:
    rng = random.Random(objective)
    for _ in range(25):
        cards = rng.randint(2, 4)
        hands = [sum(1 << card for card in rng.sample(range(9), cards)) for _ in range(2)]
        prizes = sum(1 << prize for prize in rng.sample(range(9), cards))
        start = rules.State(goofspiel.compile(hands, prizes))
        assert value(start, objective) == pytest.approx(slow(start, objective, {}), abs=1e-8)


def test_larger_matrices() -> None:
    """Nine moves each: beyond closed forms; the stack grows on the way."""
    hand = (1 << 9) - 1
    state = rules.State(goofspiel.compile([hand, hand], hand))
    for outcome in (0, 1, 2, 3):
        state.settle(outcome)
        state.apply(0, 2 * outcome)
        state.apply(1, 2 * outcome + 1)
    state.settle(4)
    solver = solve(state, MARGIN)
    assert solver.value == pytest.approx(slow(state, MARGIN, {}), abs=1e-8)
    assert solver.exploitability == pytest.approx(0.0, abs=1e-12)
    assert len(solver.payoff()) == len(solver.mix(0)) == len(state.legal(0))


def test_alone() -> None:
    """A single player takes every prize."""
    start = rules.State(goofspiel.compile([0b11111], 0b11111))
    assert value(start, SCORE) == value(start, MARGIN) == 15
    with pytest.raises(ValueError, match="objective 0"):
        Solver(start, WIN)


# ---- donuts --------------------------------------------------------------------------------------------------------


def other_cards(rng: random.Random) -> dict[str, dict[str, Any]]:
    """Other numbers for cards that exact search looks through."""
    possible: dict[str, dict[str, Any]] = {
        "plain": {"most": rng.randint(0, 6), "tied": rng.randint(-1, 3), "points": rng.randint(0, 2)},
        "glazed": {"points": rng.randint(-3, 4), "copies": rng.randint(1, 6)},
        "powdered": {"points": [rng.randint(-5, 5) for _ in range(rng.randint(1, 4))]},
        "chocolate_frosted": {"copies": rng.randint(0, 6), "points": rng.randint(0, 3)},
        "eclair": {"copies": [rng.randint(0, 6)] * 5, "points": [1, 0, 4]},
        "french_cruller": {"copies": rng.randint(0, 5)},
        "maple_bar": {"at_least_types": rng.randint(1, 9), "copies": rng.randint(0, 5), "points": rng.randint(0, 6)},
        "donut_holes": {"copies": rng.randint(0, 6)},
        "jelly_filled": {"points": [0, 6, 0, 15, 0, 25]},
    }
    return {name: possible[name] for name in rng.sample(list(possible), rng.randint(2, 7))}


def further_powers(rng: random.Random) -> dict[str, dict[str, Any]]:
    """Cards of larger games: a position is then what it is, to the byte."""
    names = ["red_velvet", "bear_claw", "day_old", "cinnamon_twist", "coffee", "milk", "mucho_matcha"]
    small: dict[str, dict[str, Any]] = {"plain": {"copies": 2}, "glazed": {"copies": 2}, "jelly_filled": {"copies": 2}}
    return small | {name: {"players": 2} for name in rng.sample(names, 2)}


def games(seed: int) -> nf.Game:
    """A game of two: the standard one, one with other numbers, and now and then one with other powers."""
    rng = random.Random(seed)
    if seed % 3 == 0:
        return nf.game("donuts", 2)
    changed = further_powers(rng) if seed % 10 == 1 else other_cards(rng)
    return nf.game("donuts", 2, ruleset={"extends": "standard", "kinds": changed})


def endgames(count: int, left: int, *, seed: int = 0) -> Iterator[nf.Position]:
    """Positions with at most so many cards in the deck, met in random games, whoever or whatever comes next."""
    for number in range(seed, seed + count):
        rng = random.Random(f"{number} {left}")
        position = games(number).deal(seed=number)
        while not position.is_over and ((position.rest or 0) > left or position.is_chance):
            step(position, rng)
        for _ in range(rng.choice((0, 0, 0, 1, 2, 3))):
            if not position.is_over:
                step(position, rng)
        if len(position.actors) == 1 or position.secrets == "perfect":
            yield position


def step(position: nf.Position, rng: random.Random) -> None:
    if position.is_chance:
        outcomes = position.outcomes()
        position.settle(rng.choices([outcome for outcome, _ in outcomes], [chance for _, chance in outcomes])[0])
        return
    for player in position.actors:
        position.apply(player, rng.choice(position.legal(player)))


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize("objective", BOTH)
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_against_the_definition(left: int, objective: int, long: bool) -> None:
    counts = {0: 60, 1: 40, 2: 12, 3: 3}
    for position in endgames(counts[left] * (10 if long else 1), left, seed=1000 * long):
        expected = slow(position, objective, {})
        assert value(position, objective) == pytest.approx(expected, abs=1e-7), position.to_dict()


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize("objective", BOTH)
@pytest.mark.parametrize("left", [0, 1, 2, 3, 4, 5])
def test_reductions_lose_nothing(left: int, objective: int, long: bool) -> None:
    """What the game calls the same position is worth the same as when every position is itself alone."""
    counts = {0: 300, 1: 300, 2: 300, 3: 200, 4: 80, 5: 12}
    for position in endgames(counts[left] * (10 if long else 1), left, seed=10_000 + 10_000 * long):
        expected = value(position, objective, reduced=False)
        assert value(position, objective) == pytest.approx(expected, abs=1e-7), position.to_dict()


def twin_of(position: nf.Position) -> Donuts:
    """The plain reference at the same point: everybody about to bid."""
    data = position.to_dict()
    held = [dict(player["cards"]) for player in data["player"]]
    unseen = {name: card.number_of_copies(2) for name, card in Donuts(2).cards.items() if card.number_of_copies(2)}
    for name in [*data["row"], *data.get("discard", [])]:
        unseen[name] -= 1
    for cards in held:
        for name, count in cards.items():
            unseen[name] -= count
    return rig(
        " ".join(data["row"]), held, discard=" ".join(data.get("discard", [])),
        unseen={name: count for name, count in unseen.items() if count},
    )  # fmt: skip


def slow_twin(position: nf.Position, steps: list[tuple[int | None, str]], objective: int) -> float:
    """The value by the twin, which can't be copied: each position is played to again."""
    twin = twin_of(position)
    for player, move in steps:
        if player is None:
            twin.settle(move)
        else:
            twin.apply(player, move)
    if twin.over():
        if objective == WIN:
            return (0 in twin.winners()) / len(twin.winners())
        return float(twin.scores()[0] - twin.scores()[1])
    if twin.outcomes():
        weights = twin.outcomes()
        total = sum(weight * slow_twin(position, [*steps, (None, kind)], objective) for kind, weight in weights.items())
        return total / sum(weights.values())
    actors = sorted(twin.actors())
    choices = [[(player, move) for move in twin.legal(player)] for player in actors]
    values = [slow_twin(position, [*steps, *moves], objective) for moves in itertools.product(*choices)]
    if len(actors) == 1:
        return max(values) if actors == [0] else min(values)
    columns = len(choices[1])
    return matrix.value([values[i : i + columns] for i in range(0, len(values), columns)])


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize("objective", BOTH)
def test_against_the_twin(objective: int, long: bool) -> None:
    count = 0
    for position in endgames(600 if long else 300, 1 if long else 0, seed=77):
        if position.game is nf.game("donuts", 2) and len(position.actors) == 2:
            count += 1
            assert value(position, objective) == pytest.approx(slow_twin(position, [], objective), abs=1e-9)
    assert count > 10


@pytest.mark.parametrize("left", [3, 5])
def test_players_change_places(left: int) -> None:
    for position in endgames(20, left, seed=500):
        if len(position.actors) == 2:
            data = position.to_dict()
            data["player"].reverse()
            changed = position.game.position(data)
            assert value(position, MARGIN) == pytest.approx(-value(changed, MARGIN), abs=1e-7)
            assert value(position, WIN) == pytest.approx(1 - value(changed, WIN), abs=1e-7)


def test_by_hand() -> None:
    """The last round. Who gets the better card is ahead, and nobody gets a card for which both bid."""
    solver = solve(last_round("powdered glazed plain", "2 powdered", ""), WIN)
    assert (solver.value, solver.mix(0)) == (1.0, [1.0, 0.0, 0.0])
    solver = solve(last_round("powdered powdered glazed", "", ""), MARGIN)
    assert solver.value == pytest.approx(0.0)
    assert solver.payoff() == [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [-1.0, -1.0, 0.0]]
    assert solver.mix(0)[2] == 0.0


def test_over() -> None:
    position = last_round("powdered powdered glazed", "2 powdered", "")
    for player in (0, 1):
        position.apply(player, 0)
    assert position.is_over
    solver = solve(position, MARGIN)
    assert (solver.value, solver.payoff(), solver.mix(0), solver.line()) == (6.0, [[]], [], [])


# ---- the solver ----------------------------------------------------------------------------------------------------


def middle() -> nf.Position:
    return next(p for p in endgames(40, 6, seed=300) if len(p.actors) == 2 and p.game is nf.game("donuts", 2))


@pytest.mark.parametrize("objective", BOTH)
def test_small_memory(objective: int) -> None:
    """A table without room forgets, and the value stays."""
    small, large = solve(middle(), objective, memory=49_152), solve(middle(), objective)
    assert small.full
    assert not large.full
    assert small.nodes > large.nodes
    assert small.memory <= 49_152 + 32_768  # the stack may double
    assert small.value == pytest.approx(large.value, abs=1e-8)


def test_the_stack_grows_and_is_counted() -> None:
    hand = (1 << 16) - 1
    state = rules.State(goofspiel.compile([hand, hand], hand))
    state.settle(0)
    solver = Solver(state, MARGIN, memory=1 << 20)
    before = solver.memory
    assert not solver.advance(3000)
    assert solver.memory >= before + (1 << 15)


@pytest.mark.parametrize("memory", [49_152, 1 << 28])
def test_slices(memory: int) -> None:
    whole, sliced = Solver(middle(), WIN, memory=memory), Solver(middle(), WIN, memory=memory)
    assert whole.advance(10**9)
    while not sliced.advance(1):
        assert sliced.value is None
        with pytest.raises(ValueError, match="not solved yet"):
            sliced.payoff()
    assert (whole.value, whole.nodes, whole.entries) == (sliced.value, sliced.nodes, sliced.entries)
    assert whole.advance(1)


def test_limits() -> None:
    calls: list[int] = []
    solver = solve(middle(), MARGIN, nodes=100, progress=lambda solver: calls.append(solver.nodes))
    assert not solver.done
    assert solver.nodes == calls[-1] == 100
    assert not solve(middle(), MARGIN, time=0.0).done


@pytest.mark.parametrize("objective", BOTH)
def test_mixes_guarantee_the_value(objective: int) -> None:
    for position in endgames(30, 4, seed=900):
        solver = solve(position, objective)
        payoff, mixes = solver.payoff(), [solver.mix(player) for player in (0, 1)]
        assert [len(mix) for mix in mixes] == [len(position.legal(player)) for player in (0, 1)]
        assert solver.exploitability == pytest.approx(0.0, abs=1e-9)
        if not position.is_chance and not position.is_over:
            rows, columns = (mix or [1.0] for mix in mixes)
            mean = sum(p * q * cell for p, row in zip(rows, payoff, strict=True)
                       for q, cell in zip(columns, row, strict=True))  # fmt: skip
            assert mean == pytest.approx(solver.value, abs=1e-9)


def test_line() -> None:
    for position in endgames(20, 3, seed=40):
        solver = solve(position, MARGIN)
        assert solver.line(2) == solver.line()[:2]
        again = position.copy()
        for player, step in solver.line():
            if player is None:
                again.settle(step)
            else:
                again.apply(player, step)
        assert again.is_over


def test_refusals() -> None:
    three = nf.game("donuts", 3).deal(seed=1)
    with pytest.raises(ValueError, match="one or two players"):
        Solver(three, WIN)
    two = nf.game("donuts", 2).deal(seed=1)
    for objective in (-1, SCORE, 3):
        with pytest.raises(ValueError, match=f"objective {objective}"):
            Solver(two, objective)
    with pytest.raises(ValueError, match="at least"):
        Solver(two, WIN, memory=1000)
    with pytest.raises(ValueError, match="at least 1"):
        Solver(two, WIN).advance(0)
    two.apply(0, 1)
    with pytest.raises(ValueError, match="does not"):
        Solver(two, WIN)
    hidden = nf.game("donuts", 2, ruleset={"extends": "standard", "kinds": {"double_chocolate": {"players": 2}}})
    with pytest.raises(ValueError, match="does not"):
        Solver(hidden.deal(seed=1), WIN)


# ---- coney ---------------------------------------------------------------------------------------------------------

OPTIONS = {
    "adjacency": ["self", "mutual"], "touch": ["off", "on"], "frame": ["fixed", "sliding"],
    "wild_scores": ["one", "none"], "second_draw": ["must", "may"], "place_nothing": ["on", "off"],
}  # fmt: skip


def small_deck(rng: random.Random) -> nf.Game:
    """A solo game of few cards and other numbers, so that all of its last turn can be tried."""
    deck = tomllib.loads((Path(nf.__file__).parent / "games/coney.toml").read_text(encoding="utf-8"))
    names = rng.sample(list(deck["cards"]), rng.randint(7, 10))
    deck |= {
        "cards": {name: deck["cards"][name] for name in names}, "hand": 2, "market": 1, "turns": rng.randint(3, 8),
        "reserve": rng.choice([1, 2]), "supply": rng.choice([4, 6, 24, "unlimited"]),
        "reserved_penalty": rng.choice([2, 2, 0]), "resources_per_point": rng.choice([3, 3, 2]),
        "logo_points": rng.choice([[0, 0, 0, 2, 4, 6], [0, 3, 1, 2]]),
    }  # fmt: skip
    options = {name: rng.choice(values) for name, values in OPTIONS.items() if rng.random() < 0.25}
    return nf.game("coney", 1, ruleset=deck, options=options)


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize("left", [1, 2])
def test_the_last_turns_of_coney_lose_nothing(left: int, long: bool) -> None:
    """What `reduce` leaves out does not matter, what `bound` cuts off is not the best: all values agree."""
    rng = random.Random(left)
    found, wanted = 0, (1500 if left == 1 else 300) if long else (60 if left == 1 else 15)
    while found < wanted:
        position, generator = small_deck(rng).start(), rules.Generator(rng.getrandbits(32))
        steps = rng.randint(0, 5)
        while not position.is_over:
            position.roll_all(generator)
            if position.actors:
                if (position.rest or 0) <= left and steps == 0:
                    break
                steps -= (position.rest or 0) <= left
                position.apply(0, draw_move(position, 0, rng.choice([0, 0.5]), rng.getrandbits(32)))
        if position.is_over:
            continue
        plain = solve(position, SCORE, reduced=False, nodes=100_000)
        if plain.done:
            found += 1
            reduced = solve(position, SCORE)
            assert reduced.nodes <= plain.nodes
            assert reduced.value == pytest.approx(plain.value)
            assert [pytest.approx(row) for row in reduced.payoff()] == plain.payoff()
