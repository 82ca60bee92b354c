"""The best farm of given rabbits of Coney, beside every farm that can be built of them in plain Python."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from ninefold.core.games import coney
from ninefold.core.games.coney_farm import FarmSolver
from ninefold.core.rules import Game
from tests.reference.coney import Atom, Card, Condition, Either, EndCoupon, Rabbit, holds
from tests.reference.coney import Coney as Twin

COLOURS = ("white", "black", "grey", "brown", "orange")
ATTRIBUTES = ("male", "female", *COLOURS)
RESOURCES = ("carrot", "pellet", "hay")
SHOPS = ("bakery", "florist", "library")
OPTIONS = {"adjacency": "self", "touch": "off", "frame": "fixed", "wild_scores": "one"}
OTHERS = {"second_draw": "must", "place_nothing": "on"}
TOP = [0, 0, 0, 2, 4, 6]


def random_card(rng: random.Random, colours: int = 5) -> dict[str, Any]:
    """A card of a ruleset, as text, of the part of the grammar that matters here."""
    wild = rng.random() < 0.15
    words = [
        f"{rng.choice(['no', 'no', 'at most 1', 'at least 1', 'at least 1', 'at least 2'])} "
        f"{rng.choice(ATTRIBUTES[: 2 + colours])}"
        for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))
    ]
    condition = words[0] if words else ""
    for word in words[1:]:
        condition += f" {rng.choice(['and', 'or'])} {word}"
    what = rng.choice([*(f"{kind} {name}" for kind in ("neighbour", "line") for name in ATTRIBUTES[: 2 + colours])])
    return {
        "points": rng.randint(-1, 3),
        "colours": [] if wild else rng.sample(COLOURS[:colours], rng.choice([1, 1, min(2, colours)])),
        "sex": "wild" if wild else rng.choice(["male", "female"]),
        "cost": f"{rng.randint(0, 2)} carrot {rng.randint(0, 1)} hay {rng.randint(0, 2)} any",
        "condition": condition,
        "coupon": f"end: {rng.choice([1, 1, 2, -1])} per {what}" if rng.random() < 0.5 else "",
        "logo": rng.choice(["", *SHOPS]),
    }


def clauses(condition: Condition) -> list[dict[str, tuple[int, int]]]:
    """A twin's condition in disjunctive form, as the engine wants it."""
    if isinstance(condition, Atom):
        return [{condition.attribute: (condition.least, min(condition.most, 4))}]
    if isinstance(condition, Either):
        return [clause for part in condition.parts for clause in clauses(part)]
    found: list[dict[str, tuple[int, int]]] = [{}]
    for part in condition.parts:
        found = [joined(one, other) for one in found for other in clauses(part)]
    return found


def joined(one: Mapping[str, tuple[int, int]], other: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    both = dict(one)
    for name, (least, most) in other.items():
        low, high = both.get(name, (0, 4))
        both[name] = (max(low, least), min(high, most))
    return both


def possible(found: list[dict[str, tuple[int, int]]]) -> list[dict[str, tuple[int, int]]]:
    """Without clauses that contradict themselves, which the engine need not know; never true if none is left."""
    left = [clause for clause in found if all(least <= most for least, most in clause.values())]
    return [] if {} in left else left or [{"male": (4, 0)}]


def compiled(twin: Twin, options: Mapping[str, str]) -> Game:
    """The core game of a twin's deck."""
    effect = {"fixed": (0, 0, 0), "groups": [], "draws": 0, "sells": False}
    cards = [
        {
            "points": card.points,
            "attributes": ["wild"] if card.is_wild else [card.sex, *card.colours],
            "cost": tuple(card.cost[kind] for kind in (*RESOURCES, "any")),
            "condition": possible(clauses(card.condition)),
            "sale": effect,
            "coupon": ("end", card.end.counts, card.end.what, card.end.points) if card.end else None,
            "logo": SHOPS.index(card.logo) if card.logo else None,
        }
        for card in twin.cards.values()
    ]  # fmt: skip
    data = {
        "hand": 4, "reserve": 2, "supply": 24, "turns": 9, "max_rounds": 40, "market": 3, "resources_per_point": 3,
        "reserved_penalty": 2, "logo_points": twin.logo_points, "cards": cards,
    }  # fmt: skip
    return coney.compile(data, 1, {**options, **OTHERS})


def random_twin(rng: random.Random, n: int, options: Mapping[str, str], colours: int = 5) -> Twin:
    deck: dict[str, Any] = {"cards": {f"rabbit{i}": random_card(rng, colours) for i in range(n)}, "logo_points": TOP}
    if rng.random() < 0.3:
        deck["logo_points"] = [0, rng.randint(-1, 1), 2, 0, 3]
    twin = Twin(1, deck, options=options)
    twin.stocks[0] = dict.fromkeys(RESOURCES, 0)  # what is left would count
    return twin


def random_options(rng: random.Random) -> dict[str, str]:
    return {
        "adjacency": rng.choice(["self", "mutual"]), "touch": rng.choice(["off", "on"]),
        "frame": rng.choice(["fixed", "sliding"]), "wild_scores": rng.choice(["one", "none"]),
    }  # fmt: skip


Farm = frozenset[tuple[tuple[int, int], str]]


def farms(twin: Twin, names: list[str], allowed: Any = None) -> Iterator[Farm]:
    """Every farm that can be built of these rabbits, one after the other."""
    met: set[Farm] = {frozenset()}
    waiting = list(met)
    while waiting:
        farm = waiting.pop()
        yield farm
        twin.farms[0] = {cell: Rabbit(twin.cards[name]) for cell, name in farm}
        for name in names:
            if any(name == other for _, other in farm):
                continue
            for cell in [(row, column) for row in range(3) for column in range(3)]:
                if cell in twin.farms[0] or not twin._may_lie(0, twin.cards[name], cell):
                    continue
                more = farm | {(cell, name)}
                if more not in met:
                    met.add(more)
                    waiting.append(more)


def worth(twin: Twin, farm: Farm, tokens: Mapping[str, int]) -> int:
    twin.farms[0] = {cell: Rabbit(twin.cards[name], tokens.get(name, 0)) for cell, name in farm}
    return twin._score(0)


def is_paid(twin: Twin, farm: Farm, stock: tuple[int, int, int]) -> bool:
    fixed = [sum(twin.cards[name].cost[kind] for _, name in farm) for kind in RESOURCES]
    free = sum(twin.cards[name].cost["any"] for _, name in farm)
    return all(one <= other for one, other in zip(fixed, stock, strict=True)) and sum(fixed) + free <= sum(stock)


def solve(solver: FarmSolver, nodes: int = 50) -> FarmSolver:
    """To the end, in small steps; the bounds close and never cross."""
    lower, upper = solver.lower, solver.upper
    while not solver.advance(nodes):
        assert solver.upper is not None
        assert upper is not None
        assert solver.upper <= upper
        if solver.lower is not None:
            assert lower is None or solver.lower >= lower
            assert solver.lower <= solver.upper
        lower, upper = solver.lower, solver.upper
    assert solver.lower == solver.upper
    return solver


def check_answer(twin: Twin, solver: FarmSolver, tokens: Mapping[str, int]) -> None:
    """The twin places the farm in the order that the answer gives, and counts it."""
    farm, order = solver.farm, solver.order
    if farm is None or order is None:
        assert solver.lower is None
        return
    names = list(twin.cards)
    assert sorted(order) == [cell for cell in range(9) if farm[cell] is not None]
    twin.farms[0] = {}
    for cell in order:
        card = twin.cards[names[farm[cell] or 0]]
        at = divmod(cell, 3)
        assert at not in twin.farms[0]
        assert twin._may_lie(0, card, at)
        twin.farms[0][at] = Rabbit(card)
    found = frozenset((cell, rabbit.card.name) for cell, rabbit in twin.farms[0].items())
    assert len({name for _, name in found}) == len(found)
    assert worth(twin, found, tokens) == solver.lower


def check_instance(seed: int, n: int) -> None:
    rng = random.Random(seed)
    options = random_options(rng) if seed % 2 else OPTIONS
    twin = random_twin(rng, n, options, rng.choice([2, 5]))
    game = compiled(twin, options)
    tokens = {name: rng.randint(0, 2) for name in twin.cards} if seed % 3 == 0 else {}
    for name in tokens:
        if rng.random() < 0.5:  # coupons that count resources are made here: the twin's deck is of text
            twin.cards[name] = replaced(twin.cards[name], EndCoupon(rng.choice([1, 2]), "here", "hay"))
            game = compiled(twin, options)
    stock = (rng.randint(0, 4), rng.randint(0, 2), rng.randint(0, 3)) if seed % 5 == 0 else None
    possible = [
        (worth(twin, farm, tokens), farm)
        for farm in list(farms(twin, list(twin.cards)))
        if stock is None or is_paid(twin, farm, stock)
    ]
    marks = [tokens.get(name, 0) for name in twin.cards]
    best = solve(FarmSolver(game, range(n), tokens=marks, stock=stock))
    assert best.lower == max(points for points, _ in possible)
    check_answer(twin, best, tokens)
    whole = solve(FarmSolver(game, range(n), whole=True, tokens=marks, stock=stock))
    assert whole.lower == max((points for points, farm in possible if len(farm) == n), default=None)
    check_answer(twin, whole, tokens)


def replaced(card: Card, end: EndCoupon) -> Card:
    return Card(**{**card.__dict__, "end": end})


@pytest.mark.parametrize("seed", range(20))
def test_the_best_of_three_is_that_of_all_farms(seed: int) -> None:
    for part in range(15):
        check_instance(100 * seed + part, 1 + part % 3)


@pytest.mark.parametrize("seed", range(40))
def test_the_best_of_four_is_that_of_all_farms(seed: int) -> None:
    check_instance(10_000 + seed, 4)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_the_best_of_five_is_that_of_all_farms(seed: int) -> None:
    check_instance(20_000 + seed, 5)


# --- full farms: of few kinds, so that all of them can be built -------------------------------------------------------

CELLS = [(row, column) for row in range(3) for column in range(3)]
BESIDE = [[b for b, (y, x) in enumerate(CELLS) if abs(row - y) + abs(column - x) == 1] for row, column in CELLS]


def reachable(kinds: list[Card], most: list[int], options: Mapping[str, str]) -> Iterator[tuple[int, ...]]:
    """Every farm, by cell the number of a kind or -1, that can be built with so many rabbits of each kind at most."""

    @cache
    def may_lie(kind: int, neighbours: tuple[int, ...]) -> bool:
        return holds(kinds[kind].condition, [kinds[other] for other in neighbours])

    def around(farm: tuple[int, ...], cell: int) -> tuple[int, ...]:
        return tuple(sorted(farm[other] for other in BESIDE[cell] if farm[other] >= 0))

    def is_legal(farm: tuple[int, ...], cell: int, after: tuple[int, ...]) -> bool:
        neighbours = around(farm, cell)
        if not may_lie(after[cell], neighbours):
            return False
        if options["touch"] == "on" and not neighbours and max(farm) >= 0:
            return False
        return options["adjacency"] == "self" or all(
            may_lie(farm[other], around(after, other)) or not may_lie(farm[other], around(farm, other))
            for other in BESIDE[cell]
            if farm[other] >= 0
        )

    empty: tuple[int, ...] = (-1,) * 9
    met, waiting = {empty}, [empty]
    while waiting:
        farm = waiting.pop()
        yield farm
        for cell in range(9):
            for kind in range(len(kinds)):
                after = (*farm[:cell], kind, *farm[cell + 1 :])
                if farm[cell] >= 0 or farm.count(kind) == most[kind] or after in met:
                    continue
                if is_legal(farm, cell, after):
                    met.add(after)
                    waiting.append(after)


def check_kinds(seed: int, kinds: int) -> None:
    rng = random.Random(seed)
    options = random_options(rng)
    colours = rng.choice([1, 2, 3])
    data = [random_card(rng, colours) for _ in range(kinds)]
    most = [rng.randint(3, 7) for _ in data]
    if rng.random() < 0.5:
        most[-1] = max(1, 9 - sum(most[:-1]))
    numbers = [kind for kind in range(kinds) for _ in range(most[kind])]
    twin = Twin(
        1, {"cards": {f"rabbit{i}": data[kind] for i, kind in enumerate(numbers)}, "logo_points": TOP}, options=options
    )
    twin.stocks[0] = dict.fromkeys(RESOURCES, 0)
    game = compiled(twin, options)
    cards = list(twin.cards.values())
    of_kind = [cards[numbers.index(kind)] for kind in range(kinds)]
    best: dict[int, int] = {}
    for farm in reachable(of_kind, most, options):
        twin.farms[0] = {CELLS[cell]: Rabbit(of_kind[kind]) for cell, kind in enumerate(farm) if kind >= 0}
        size = len(twin.farms[0])
        best[size] = max(best.get(size, -99), twin._score(0))
    solver = solve(FarmSolver(game, range(len(numbers))), 1000)
    assert solver.lower == max(best.values())
    check_answer(twin, solver, {})
    if len(numbers) <= 9:
        whole = solve(FarmSolver(game, range(len(numbers)), whole=True), 1000)
        assert whole.lower == best.get(len(numbers))
        check_answer(twin, whole, {})


@pytest.mark.parametrize("seed", range(40))
def test_full_farms_of_two_kinds(seed: int) -> None:
    check_kinds(seed, 2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_full_farms_of_three_kinds(seed: int) -> None:
    check_kinds(1000 + seed, 3)


# --- and beyond -------------------------------------------------------------------------------------------------------


def test_no_farm_that_is_built_at_random_is_worth_more() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        options = random_options(rng)
        twin = random_twin(rng, 12, options)
        solver = solve(FarmSolver(compiled(twin, options), range(12)), 1000)
        check_answer(twin, solver, {})
        for _ in range(40):
            twin.farms[0] = {}
            for name in rng.sample(list(twin.cards), 12):
                cells = [cell for cell in CELLS if cell not in twin.farms[0]]
                cells = [cell for cell in cells if twin._may_lie(0, twin.cards[name], cell)]
                if cells:
                    twin.farms[0][rng.choice(cells)] = Rabbit(twin.cards[name])
                    assert solver.lower is not None
                    assert twin._score(0) <= solver.lower


def test_more_rabbits_more_options_bounds_and_slices() -> None:
    rng = random.Random(1)
    twin = random_twin(rng, 63, OPTIONS)
    game = compiled(twin, OPTIONS)
    last = None
    for n in (9, 20, 40, 63):
        solver = FarmSolver(game, range(n))
        longest, began = 0.0, time.perf_counter()
        while not solver.advance(2_000):
            longest, began = max(longest, time.perf_counter() - began), time.perf_counter()
        assert longest < 1, "a slice is a few milliseconds, on whatever machine"
        check_answer(twin, solver, {})
        assert last is None or (solver.lower is not None and solver.lower >= last)
        last = solver.lower


def test_what_it_refuses() -> None:
    twin = random_twin(random.Random(1), 12, OPTIONS)
    game = compiled(twin, OPTIONS)
    for arguments, options, message in [
        ([], {}, "1 to 63 cards, not 0"),
        (range(10), {"whole": True}, "1 to 9 cards, not 10"),
        ([0, 0], {}, "cards are different numbers below 12"),
        ([12], {}, "cards are different numbers below 12"),
        ([-1], {}, "cards are different numbers below 12"),
        ([1], {"tokens": [1, 2]}, "tokens of 1 cards, not 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            FarmSolver(game, arguments, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nodes must be at least 1"):
        FarmSolver(game, [1]).advance(0)
