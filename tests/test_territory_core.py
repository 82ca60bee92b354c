"""The engine of Territory without the face, against the obvious: placement, knowledge, the best land of nine."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold.core.games import territory as core
from ninefold.core.games import territory_grid
from ninefold.core.rules import Game, Generator, State, playouts
from tests.positions import wander

NONE, ALL = 255, 0b111111111
TERRAINS = ("land", "water", "both")
PHASES = {name: number for number, name in enumerate(core.PHASES)}
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
BESIDE = {c: [d for d in range(9) if abs(c // 3 - d // 3) + abs(c % 3 - d % 3) == 1] for c in range(9)}
Land = dict[int, int]  # number by cell, of face-up cards


def animals(numbers: list[int], rng: random.Random) -> list[dict[str, Any]]:
    return [{"number": n, "terrain": rng.choice(TERRAINS), "stars": rng.randint(1, 5)} for n in sorted(numbers)]


def compiled(
    players: int,
    cards: list[dict[str, Any]],
    *,
    hand: int = 5,
    keep: int = 3,
    row: int = 4,
    rounds: int = 9,
    goals: list[Any] | None = None,
    skills: list[Any] | None = None,
    **options: bool,
) -> Game:
    return core.compile(
        players, rounds, hand, keep, row, [3, 2, 1, 0], cards, goals or [], skills or [],
        options.get("territory_points", False), options.get("face_down_free", False), options.get("bonus_may", False),
    )  # fmt: skip


def ascends(land: Land) -> bool:
    lines = [[land[cell] for cell in line if cell in land] for line in LINES]
    return all(line == sorted(set(line)) for line in lines)


def places(state: State, player: int = 0) -> tuple[set[int], set[int]]:
    """The legal cells of a placement, face up and face down."""
    moves = [int(move) for move in state.legal(player)]
    up, down = core.MOVES["place"], core.MOVES["place down"]
    return {move - up for move in moves if move < down}, {move - down for move in moves if move >= down}


def about_to_place(game: Game, land: dict[int, int], down: dict[int, int], card: int) -> State:
    """A state in which the only player places a card on a land of animals by cell."""
    state = State(game)
    data = core.dump(state)
    lying = land | down
    data.update(phase=PHASES["place"], round=1, waiting=1, decided=0)
    data["deck"] = [other for other in data["deck"] if other != card and other not in lying.values()]
    data["left"] = len(data["deck"])
    data["player"][0].update(
        played=card, cells=[lying.get(cell, NONE) for cell in range(9)], up=sum(1 << cell for cell in land)
    )
    core.load(state, data)
    return state


# --- placement --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("free", [False, True])
def test_a_card_lies_where_all_numbers_ascend_and_else_face_down(free: bool) -> None:
    rng = random.Random(1)
    for _ in range(1500):
        numbers = [rng.randint(1, rng.choice([9, 20, 99])) for _ in range(12)]
        cards = animals(numbers, rng)
        game = compiled(1, cards, face_down_free=free)
        land: dict[int, int] = {}
        down: dict[int, int] = {}
        for card, cell in zip(rng.sample(range(12), 9), rng.sample(range(9), 9), strict=True):
            with_it = {c: cards[i]["number"] for c, i in {**land, cell: card}.items()}
            if rng.random() < 0.8 and ascends(with_it):
                land[cell] = card
            elif rng.random() < 0.3:
                down[cell] = card
        empty = set(range(9)) - set(land) - set(down)
        card = rng.choice([i for i in range(12) if i not in (*land.values(), *down.values())])
        if not empty:
            continue
        there = {cell: cards[i]["number"] for cell, i in land.items()}
        fits = {cell for cell in empty if ascends({**there, cell: cards[card]["number"]})}
        assert places(about_to_place(game, land, down, card)) == (fits, empty if free or not fits else set())


def fillings_by_brute_force(cards: int) -> int:
    """The ways in which numbers 1 to `cards` can lie face up."""
    return sum(
        ascends(dict(zip(cells, range(cards), strict=True))) for cells in itertools.permutations(range(9), cards)
    )


def fillings_by_engine(game: Game, cards: int) -> int:
    """The same by laying them in ascending order: each way comes once, as all that is lower lies before."""
    lands: list[Land] = [{}]
    for card in range(cards):
        following = []
        for land in lands:
            up, _ = places(about_to_place(game, land, {}, card)) if len(land) == card else (set(), set())
            following += [{**land, cell: card} for cell in up]
        lands = following
    return len(lands)


def known_fillings() -> list[int]:
    """By number of cards: the line of the file of counts that says so."""
    text = (Path(__file__).parent / "data" / "territory.perft").read_text()
    (line,) = (line for line in text.splitlines() if line.startswith("# fillings:"))
    return [int(word) for word in line.split()[2:]]


def test_nine_animals_have_42_full_lands_and_so_many_partial_ones() -> None:
    game = compiled(1, animals(list(range(1, 13)), random.Random(1)))
    known = known_fillings()
    assert known[9] == 42
    assert [fillings_by_engine(game, n) for n in range(10)] == known
    assert [fillings_by_brute_force(n) for n in range(8)] == known[:8]


@pytest.mark.long
def test_all_fillings_by_brute_force() -> None:
    assert [fillings_by_brute_force(n) for n in range(10)] == known_fillings()


def test_the_order_of_placing_makes_no_difference() -> None:
    """Four cards in any order reach the same lands."""
    game = compiled(1, animals(list(range(1, 13)), random.Random(1)))
    for order in itertools.permutations([0, 3, 4, 9]):
        lands: set[frozenset[tuple[int, int]]] = {frozenset()}
        for card in order:
            following = set()
            for land in lands:
                up, _ = places(about_to_place(game, dict(land), {}, card))
                following |= {land | {(cell, card)} for cell in up}
            lands = following
        assert len(lands) == known_fillings()[4]


# --- random games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [1, 2, 3])
def test_random_games_from_the_start_give_back_as_random_moves_do(keep: int) -> None:
    """One round of one player whose points tell which card he placed, and so what he gave back and took."""
    cards: list[dict[str, Any]] = [{"number": n, "terrain": "land", "stars": 1} for n in range(1, 6)]
    goals = [
        ({"points": 1 << goal, "program": [("cards", 1 << goal), ("count", 0), ("at least", 1)]},) * 2
        for goal in range(5)
    ]
    game = compiled(1, cards, hand=3, keep=keep, row=1, rounds=1, goals=goals)

    def points(state: State, chance: float) -> Iterator[tuple[int, float]]:
        """Each end of the game and its chance, from where the sides are known."""
        if state.is_over:
            yield state.score()[0][0], chance
        elif state.actors:
            moves = state.legal(0)
            for move in moves:
                following = state.copy()
                following.apply(0, int(move))
                yield from points(following, chance / len(moves))
        else:
            for outcome, share in state.outcomes()[: 1 if core.dump(state)["decided"] < 5 else None]:
                following = state.copy()
                following.settle(int(outcome))
                yield from points(following, chance * (1 if core.dump(state)["decided"] < 5 else share))

    start = State(game)
    exact: Counter[int] = Counter()
    for n, chance in points(start, 1.0):
        exact[n] += chance  # type: ignore[assignment]
    throws = 20000
    found = Counter(playouts(start, 1, 7, number)[0] for number in range(throws))
    assert found.keys() <= exact.keys()
    for n, chance in exact.items():
        assert found[n] == pytest.approx(throws * chance, abs=5 * math.sqrt(throws * chance) + 8)


# --- knowledge --------------------------------------------------------------------------------------------------------

Step = tuple[str, int, int | None]  # a move or chance; who; what, None where the viewer does not see it


def outcome_between(before: State, after: State) -> int:
    for outcome, _ in before.outcomes():
        following = before.copy()
        following.settle(int(outcome))
        if following == after:
            return int(outcome)
    raise AssertionError


def seen_game(game: Game, seed: int, viewer: int, until: tuple[int, str]) -> tuple[State, list[Step]]:
    """A random game up to a round and phase in which all must choose, and what one player sees of it."""
    rng = random.Random(seed)
    state = State(game)
    script: list[Step] = []
    players = game.players
    cards = len(core.dump(state)["deck"])
    hand = 0
    while not state.is_over:
        data = core.dump(state)
        phase = core.PHASES[data["phase"]]
        if (data["round"], phase) == until and len(state.actors) == players:
            break
        if state.actors:
            player = rng.choice(state.actors)
            moves = [int(move) for move in state.legal(player)]
            move = rng.choice(moves)
            if phase == "return":
                hand = len(data["player"][player]["hand"])
            if core.MOVES["take deck"] in moves and rng.random() < 0.5:
                move = core.MOVES["take deck"]
            script.append(("move", player, None if phase == "return" and player != viewer else move))
            state.apply(player, move)
        else:
            before = state.copy()
            state.roll(Generator(rng.getrandbits(40)))
            hidden = phase == "draw" and data["queue"][0] != viewer
            if phase == "deal":
                hidden = (cards - data["left"]) // (hand or game_hand(game)) != viewer
            script.append(("chance", 0, None if hidden else outcome_between(before, state)))
    return state, script


def game_hand(game: Game) -> int:
    """Cards dealt to each player: it is in the rules alone, so deal and count."""
    state = State(game)
    while not state.actors:
        state.roll(Generator(0))
    return len(core.dump(state)["player"][0]["hand"])


def worlds(start: State, script: list[Step]) -> dict[State, float]:
    """Each state that what was seen allows, and its chance where everybody moves at random."""
    found: Counter[bytes] = Counter()
    states: dict[bytes, State] = {}

    def go(state: State, i: int, chance: float) -> None:
        if i == len(script):
            found[state.to_bytes()] += chance  # type: ignore[assignment]
            states[state.to_bytes()] = state
            return
        kind, who, what = script[i]
        if (kind == "move") != (who in state.actors):
            return
        if kind == "move":
            moves = [int(move) for move in state.legal(who)]
            for move in moves if what is None else {what}.intersection(moves):
                following = state.copy()
                following.apply(who, move)
                go(following, i + 1, chance / len(moves))
        else:
            for outcome, share in state.outcomes():
                if what is None or what == int(outcome):
                    following = state.copy()
                    following.settle(int(outcome))
                    go(following, i + 1, chance * share)

    go(start, 0, 1.0)
    total = sum(found.values())
    return {states[data]: chance / total for data, chance in found.items()}


def without_memory_of_others(state: State, viewer: int) -> State:
    """What others gave back is not part of a world, as nothing that the viewer does depends on it."""
    data = core.dump(state)
    for player, one in enumerate(data["player"]):
        if player != viewer and data["phase"] != PHASES["return"]:
            one.update(returned=[], met=[0] * len(one["met"]))
    other = State(state.core)
    core.load(other, data)
    return other


def test_worlds_are_drawn_as_likely_as_they_are() -> None:
    """Against all ways the hidden cards can have come about; one card is given back, so that all ways count alike."""
    throws, uneven = 3000, 0
    for players, cards, hand, wanted in ((2, 9, 3, 15), (2, 11, 3, 40), (3, 11, 2, 15)):
        compared = 0
        for seed in itertools.count():
            game = compiled(players, animals(list(range(1, cards + 1)), random.Random(seed)), hand=hand, keep=hand - 1,
                            row=1, rounds=4)  # fmt: skip
            until = [(3, "play"), (4, "play"), (3, "place"), (4, "choose")][seed % 4]
            state, script = seen_game(game, seed, 0, until)
            if state.is_over or not core.dump(state)["player"][0]["returned"]:
                continue
            exact: Counter[State] = Counter()
            for world, chance in worlds(State(game), script).items():
                exact[without_memory_of_others(world, 0)] += chance  # type: ignore[assignment]
            found: Counter[State] = Counter()
            generator = Generator(seed)
            for _ in range(throws):
                world = state.copy()
                world.resample(0, generator)
                found[world] += 1
            assert found.keys() <= exact.keys()
            for world, chance in exact.items():
                assert found[world] == pytest.approx(throws * chance, abs=5 * math.sqrt(throws * chance) + 8)
            compared += 1
            uneven += max(exact.values()) > 1.01 * min(exact.values())
            if compared == wanted:
                break
    assert uneven > 5, "a card given back is less likely in a hand"


def hidden_in(data: dict[str, Any]) -> Iterator[int]:
    for one in data["player"]:
        yield from one["hidden"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_of_an_older_deck_stay_among_those_who_hold_them(players: int) -> None:
    """After reshuffles: the hidden cards of each earlier deck are known as a set."""
    game = compiled(players, animals(list(range(1, 5 * players + 6)), random.Random(1)),
                    skills=[{"effect": "draft twice", "points": 1, "uses": 0}] * 4)  # fmt: skip
    older = 0
    for seed in range(30):
        for number, state in enumerate(wander(State(game), seed)):
            if number % 7:
                continue
            viewer = number % players
            view = state.copy()
            view.hide(viewer)
            data, real = core.dump(view), core.dump(state)
            pools = {pool for pool in hidden_in(data) if pool != data["pool"]}
            older += len(pools)
            for pool in pools:
                cards = {card for card, origin in data["older"] if origin == pool}
                held = {
                    card for player, one in enumerate(real["player"]) for card, origin in one["hand"]
                    if origin == pool and player != viewer
                }  # fmt: skip
                drafted = sum(one["drafted"].count(128 + pool) for one in data["player"])
                assert cards == held
                assert len(cards) == list(hidden_in(data)).count(pool) + drafted
            world = state.copy()
            world.resample(viewer, Generator(number))
            again = world.copy()
            again.hide(viewer)
            if world.actors == state.actors:
                assert again == view
    assert older > 20


def test_a_position_with_a_card_at_two_places_is_refused() -> None:
    state = State(compiled(2, animals(list(range(1, 21)), random.Random(1))))
    data = core.dump(state)
    data["discard"] = [3]
    with pytest.raises(ValueError, match="animal 3 is at two places"):
        core.load(state, data)
    data = core.dump(State(state.core))
    data["deck"] = [0]
    data["player"][1]["hidden"] = [1, 1]
    with pytest.raises(ValueError, match="1 more hidden cards"):
        core.load(state, data)


def test_a_condition_that_cannot_be_evaluated_is_refused() -> None:
    cards = animals(list(range(1, 13)), random.Random(1))
    fine = {"points": 1, "program": [("up", 0), ("count", 0)]}
    for program, message in [
        ([("count", 0)], "leaves 0 values"),
        ([("up", 0), ("up", 0)], "leaves 2 values"),
        ([], "1 to 240 operations"),
        ([("up", 0)] * 13, "leaves 13 values"),
    ]:
        with pytest.raises(ValueError, match=message):
            compiled(1, cards, goals=[(fine, {"points": 1, "program": program})])
    with pytest.raises(ValueError, match="must ascend"):
        compiled(1, cards[::-1])


# --- the best land ----------------------------------------------------------------------------------------------------


def territory(terrain: set[int], boss: int) -> int:
    reached = {boss}
    while more := {d for c in reached for d in BESIDE[c] if d in terrain} - reached:
        reached |= more
    return len(reached)


EVEN = 0b1010101010101
GOALS: list[tuple[list[tuple[str, int]], Any]] = [
    (
        [("up", 0), ("cells", 0b101000101), ("and", 0), ("cards", EVEN), ("and", 0), ("count", 0), ("at least", 2)],
        lambda land, bosses: sum(land.get(c, 1) % 2 == 0 for c in (0, 2, 6, 8)) >= 2,
    ),
    (
        [("boss", 0), ("boss", 1), ("beside", 0), ("and", 0), ("count", 0), ("at least", 1)],
        lambda land, bosses: None not in bosses and bosses[0] in BESIDE[bosses[1]],
    ),
    ([("down", 0), ("count", 0), ("exactly", 2)], lambda land, bosses: len(land) == 7),
    (
        [("up", 0), ("run", 0), ("at least", 4)],
        lambda land, bosses: any({n, n + 1, n + 2, n + 3} <= set(land.values()) for n in range(13)),
    ),
]


def bosses_by_brute_force(land: Land, cards: list[dict[str, Any]], goals: list[int], territory_points: bool) -> int:
    """The best of all choices of bosses and of the sides of their markers; ids and animals are the same here."""
    best = 0
    ground = [{c for c, i in land.items() if cards[i]["terrain"] in (name, "both")} for name in ("land", "water")]
    for pair in itertools.product(*([None, *cells] for cells in ground)):
        if pair[0] is not None and pair[0] == pair[1]:
            continue
        points = sum(1 << g for g in goals if GOALS[g][1](land, pair))
        for which in range(2):
            boss = pair[which]
            if boss is not None:
                size = territory(ground[which] - {pair[1 - which]}, boss)
                stars = cards[land[boss]]["stars"]
                sides = [n + size * territory_points for n in (stars, stars + 1) if size >= n]
                points += max(sides, default=0)
        best = max(best, points)
    return best


def all_lands(nine: list[int], cards: list[dict[str, Any]]) -> list[Land]:
    """All ways for some of nine animals to lie face up."""
    found: list[Land] = [{}]
    for card in nine:
        found += [
            {**land, cell: card} for land in found for cell in range(9)
            if cell not in land and ascends({c: cards[i]["number"] for c, i in {**land, cell: card}.items()})
        ]  # fmt: skip
    return found


def comes_about(land: Land, nine: list[int], cards: list[dict[str, Any]]) -> bool:
    """Whether a land comes about by placing the nine in some order, face down only what fits nowhere."""
    cell_of = {card: cell for cell, card in land.items()}
    seen = set()

    def go(placed: frozenset[int], down: frozenset[int]) -> bool:
        if (placed, down) in seen:
            return False
        seen.add((placed, down))
        if len(placed) == 9:
            return True
        there = {cell: cards[card]["number"] for cell, card in land.items() if card in placed}
        empty = set(range(9)) - set(there) - down
        for card in set(nine) - placed:
            if card in cell_of:
                if go(placed | {card}, down):
                    return True
            elif not any(ascends({**there, cell: cards[card]["number"]}) for cell in empty):
                for cell in empty - set(land):
                    if go(placed | {card}, down | {cell}):
                        return True
        return False

    return go(frozenset(), frozenset())


def goal_cards() -> list[Any]:
    return [({"points": 1 << i, "program": program},) * 2 for i, (program, _) in enumerate(GOALS)]


@pytest.mark.parametrize("territory_points", [False, True])
def test_the_best_land_face_up_is_the_best_of_all(territory_points: bool) -> None:
    rng = random.Random(territory_points)
    none = 0
    for number in range(60):
        numbers = list(range(1, 13)) if number % 3 else [rng.randint(1, 9) for _ in range(12)]
        cards = animals(numbers, rng)
        game = compiled(1, cards, goals=goal_cards(), territory_points=territory_points)
        nine = sorted(rng.sample(range(12), 9))
        goals = [g for g in rng.sample(range(4), rng.randint(0, 4)) if g != 3 or number % 3]  # a run wants numbers
        lands = [
            dict(zip(order, nine, strict=True)) for order in tableaux()
            if ascends({c: cards[i]["number"] for c, i in zip(order, nine, strict=True)})
        ]  # fmt: skip
        found = territory_grid.best(game, nine, [(g, number % 2) for g in goals])
        if found is None:
            none += 1
            assert not lands
            continue
        best = max(best_of(land, cards, goals, territory_points) for land in lands)
        assert found["points"] == best
        assert found["up"] == ALL
        assert dict(enumerate(found["cells"])) in lands
        check_markers(game, found, goals, number % 2)
    assert none > 0


def best_of(land: Land, cards: list[dict[str, Any]], goals: list[int], territory_points: bool) -> int:
    """The best choice of bosses in a land of animals."""
    fixed = sum(1 << g for g in goals if g != 1 and GOALS[g][1](land, (None, None)))
    return fixed + bosses_by_brute_force(land, cards, [g for g in goals if g == 1], territory_points)


def check_markers(game: Game, found: dict[str, Any], goals: list[int], side: int) -> None:
    """The land as a position at the end of a game scores what it is said to."""
    state = State(game)
    data = core.dump(state)
    data.update(phase=PHASES["over"], round=9, decided=4, sides=ALL & 15 if side else 0)
    data["deck"] = [card for card in data["deck"] if card not in found["cells"]]
    data["left"] = len(data["deck"])
    data["player"][0].update(
        cells=found["cells"], up=found["up"], boss=found["boss"], goals=sum(1 << goal for goal in goals)
    )
    core.load(state, data)
    assert state.score()[0] == [found["points"]]


def tableaux() -> list[tuple[int, ...]]:
    """Orders in which nine ascending numbers fill the cells."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(9):
        found = [
            (*order, cell) for order in found for cell in range(9)
            if cell not in order and (cell < 3 or cell - 3 in order) and (cell % 3 == 0 or cell - 1 in order)
        ]  # fmt: skip
    return found


def most(land: Land, cards: list[dict[str, Any]], goals: list[int]) -> int:
    """No more than the stars of two animals, one more for each, and all goals."""
    stars = [
        max((cards[i]["stars"] + 1 for i in land.values() if cards[i]["terrain"] in (name, "both")), default=0)
        for name in ("land", "water")
    ]
    return sum(stars) + sum(1 << g for g in goals)


@pytest.mark.unsanitized
@pytest.mark.parametrize("free", [False, True])
def test_the_best_land_with_cards_face_down_is_the_best_of_all(free: bool) -> None:
    """Many animals have the same number, so that few lie in order and all can be tried."""
    rng = random.Random(free)
    better = 0
    for _ in range(3):
        cards = animals([rng.choice([3, 5]) for _ in range(12)], rng)
        game = compiled(1, cards, goals=goal_cards(), face_down_free=free)
        nine = sorted(rng.sample(range(12), 9))
        goals = [2] if rng.random() < 0.5 else []
        best = 0
        for land in sorted(all_lands(nine, cards), key=len, reverse=True):
            if most(land, cards, goals) > best:
                points = best_of(land, cards, goals, False)
                if points > best and (free or comes_about(land, nine, cards)):
                    best = points
        found = territory_grid.best(game, nine, [(g, 0) for g in goals], face_down=True)
        assert found is not None
        assert found["points"] == best
        assert sorted(found["cells"]) == nine
        check_markers(game, found, goals, 0)
        better += found["up"] != ALL
    assert better > 0


def test_what_is_no_land_of_nine_is_refused() -> None:
    game = compiled(1, animals(list(range(1, 13)), random.Random(1)))
    for nine in ([0] * 9, range(8), range(4, 13)):
        with pytest.raises(ValueError, match="9 different animals"):
            territory_grid.best(game, nine)
    with pytest.raises(ValueError, match="no side 0 of a goal 0"):
        territory_grid.best(game, range(9), [(0, 0)])
