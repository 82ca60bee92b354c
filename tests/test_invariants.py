"""What holds in every state of every game, on the way of random games through all player counts, presets and options.

The games of the registry are tested through the face; a small game of the tests through the core alone. What is
particular to a game stands in ACCOUNTS: where its cards are.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
import pickle
import random
import struct
import tomllib
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeVar

import pytest

import ninefold as nf
from ninefold.core import rules
from ninefold.core.games import canopy, coney, donuts, goofspiel, territory
from ninefold.core.rules import State
from ninefold.files import from_dict
from ninefold.games import NAMES, module
from ninefold.games.canopy import CanopyRuleset
from ninefold.games.coney import ConeyRuleset
from ninefold.games.territory import TerritoryRuleset
from tests.positions import all_options, wander

S = TypeVar("S", bound=State)
T = TypeVar("T")
TREE = 3000  # states of an exact tree of all that may happen
RANDOM = 2000  # throws of a die
NEAR = 60  # states compared around one
PERFT = 2000  # sequences counted in Python

# --- the games --------------------------------------------------------------------------------------------------------


def donuts_account(state: State) -> None:
    """All cards are in the bag, in sight, or known to somebody."""
    assert isinstance(state, nf.Position)
    data = donuts.dump(state)
    cards = Counter({kind: n for kind, n in enumerate(data["bag"]) if n})
    for hand in data["held"]:
        cards.update({kind: n for kind, n in enumerate(hand) if n})
    cards.update(kind for kind in (*data["row"], *data["discard"]) if kind < donuts.LIMITS["kinds"])
    cards.update(kind for kind, _ in (*data["top"], *data["bottom"], *data["drawn"]))
    assert data["deck"] == sum(data["bag"]) + len(data["top"]) + len(data["bottom"])
    used = state.game.ruleset.used(state.players).values()  # type: ignore[attr-defined]
    assert [cards[kind] for kind in range(len(used))] == [kind.copies_for(state.players) for kind in used]


def coney_account(state: State) -> None:
    """Each card is in one place, what the supply lacks is somewhere."""
    assert isinstance(state, nf.Position)
    ruleset = state.game.ruleset
    assert isinstance(ruleset, ConeyRuleset)
    data = coney.dump(state)
    hidden = len(data["hidden"])
    seen = [*data["discard"], *data["market"], *data["order"], *(card for hand in data["hands"] for card in hand)]
    seen += [card for farm in data["farms"] for card in farm if card != 255]
    seen += [card for reserve in data["reserves"] for card in reserve]
    if coney.TASKS[data["task"]] in ("sale", "sale_reserved") or coney.PHASES[data["phase"]] == "pay":
        seen.append(data["source"])  # in the middle of being sold or placed
    assert len(seen) == len(set(seen))
    assert len(seen) + hidden + data["deck"] == len(ruleset.cards)
    assert all(card not in seen for card, _ in data["classes"])
    for stock in data["stocks"]:
        assert all(0 <= n <= 3 * 24 for n in stock)
    for resource in range(3):
        lying = 0
        for farm, tokens in zip(data["farms"], data["tokens"], strict=True):
            for card, n in zip(farm, tokens, strict=True):
                assert card != 255 or n == 0
                kind = list(ruleset.cards.values())[card].coupon if n else ""
                lying += n * (("carrot", "pellet", "hay")[resource] in kind)
        assert sum(stock[resource] for stock in data["stocks"]) + lying <= 24


def territory_account(state: State) -> None:
    """Each animal is in one place, all lands are in order."""
    assert isinstance(state, nf.Position)
    ruleset = state.game.ruleset
    assert isinstance(ruleset, TerritoryRuleset)
    data = territory.dump(state)
    phase = territory.PHASES[data["phase"]]
    numbers = sorted(animal.number for animal in ruleset.animals.values())
    seen = [*data["deck"], *data["order"], *data["discard"], *data["row"]]
    assert data["left"] == len(data["deck"]) + len(data["order"])
    for one in data["player"]:
        seen += [card for card, _ in one["hand"]]
        seen += [card for card in one["cells"] if card != 255]
        seen += one["returned"] if phase == "return" else []
        seen += [one["played"]] if one["played"] != 255 and phase not in ("play", "boss", "bonus") else []
        for a, b in itertools.combinations([cell for cell in range(9) if one["up"] >> cell & 1], 2):
            if a // 3 == b // 3 or a % 3 == b % 3:
                assert numbers[one["cells"][a]] < numbers[one["cells"][b]]
    assert sorted(seen) == list(range(len(numbers)))


def canopy_account(state: State) -> None:
    """Unseen cards are as many as lie where nobody has looked, known ones no more than there are; trees are whole."""
    assert isinstance(state, nf.Position)
    ruleset = state.game.ruleset
    assert isinstance(ruleset, CanopyRuleset)
    data = canopy.dump(state)
    pile_cards = [card for pile in data["piles"] for card in pile]
    unknown = sum(kind == 31 for kind, _ in (*pile_cards, *data["hand"]))
    later = ruleset.seasons - 1 - data["season"] + (canopy.PHASES[data["phase"]] == "shift")
    assert sum(data["pool"]) == ruleset.removed + ruleset.deck * later + data["deck"] + unknown
    unknown = sum(kind == 31 for kind, _ in (*data["drawn"], *data["under"]))
    assert sum(data["seeds"]) == data["top"] + unknown
    assert data["deck"] + len(pile_cards) + len(data["hand"]) <= ruleset.deck
    known = Counter(kind for kind, _ in (*pile_cards, *data["hand"], *data["drawn"], *data["under"], (data["card"], 0)))
    for one in data["player"]:
        known.update(dict(enumerate(one["forest"])))
        for *trunks, canopy_value, stage in [(*trunks, -1, 0) for trunks in one["open"]] + one["done"]:
            assert sum(trunks) > 0
            assert 0 <= stage <= 3
            known.update(dict(enumerate(trunks)))
            known[3 + canopy_value] += stage > 0
    copies = [ruleset.copies.get(kind, 0) + ruleset.seeds.get(kind, 0) for kind in canopy.KIND_NAMES]
    for kind, n in enumerate(copies):
        assert known[kind] + data["pool"][kind] + data["seeds"][kind] <= n


def goofspiel_account(state: State) -> None:
    """Hands shrink alike, with the prizes; nobody has more points than prizes were turned up."""
    *hands, prizes, prize, players = struct.unpack_from("=4HHBB", state.to_bytes())
    bids = state.to_bytes()[12:16]
    left = {hand.bit_count() for hand in hands[:players]}
    assert left == {prizes.bit_count() + (prize != 255)}
    for hand, bid in zip(hands, bids, strict=True):
        assert bid == 255 or hand >> bid & 1, "a bid stays in the hand until all are revealed"
    turned = sum(i + 1 for i in range(16) if not prizes >> i & 1 and i != prize)
    assert all(0 <= n <= turned for n in state.score()[0])


ACCOUNTS: dict[str, Callable[[State], None]] = {
    "canopy": canopy_account,
    "coney": coney_account,
    "donuts": donuts_account,
    "goofspiel": goofspiel_account,
    "territory": territory_account,
}


class Case(NamedTuple):
    """A game and how many random games of it are played, after one of each preset."""

    name: str
    players: int
    games: int

    def starts(self) -> list[State]:
        """The starts of the games: each has its options."""
        if self.name == "goofspiel":
            hands = [[0b11111] * self.players, [0b1111, 0b11110, 0b110011, 0b1100011][: self.players]]
            pairs = zip(hands * self.games, [0b11111, 0b101101] * self.games, strict=True)
            return [State(goofspiel.compile(*pair)) for pair in pairs]
        presets = [nf.game(self.name, self.players, preset=name) for name in module(self.name).standard().presets]
        options = itertools.cycle(
            random.Random(self.players).sample(all_options(self.name), len(all_options(self.name)))
        )
        chosen = [nf.game(self.name, self.players, options=next(options)) for _ in range(self.games)]
        return [game.start() for game in presets + chosen]

    def walks(self) -> list[list[State]]:
        """All states of each game, the first and the last too: not to be changed."""
        return _walks(self)

    def states(self) -> list[State]:
        """The states of all games."""
        return [state for states in self.walks() for state in states]


@cache
def _walks(case: Case) -> list[list[State]]:
    return [[state.copy() for state in wander(start, seed)] for seed, start in enumerate(case.starts())]


CASES = [Case(name, players, 4) for name in NAMES for players in module(name).players]
CASES += [Case("goofspiel", players, 3) for players in (2, 3, 4)]
MORE = [pytest.param(case._replace(games=24), marks=pytest.mark.long) for case in CASES]
SPARED = {("coney", 3), ("territory", 3)}  # long under the sanitizers, where tables of other sizes do the same
USUAL = [pytest.param(case, marks=pytest.mark.unsanitized) if case[:2] in SPARED else case for case in CASES]
every_game = pytest.mark.parametrize("case", [*USUAL, *MORE], ids=lambda case: "-".join(map(str, case)))


def after(state: S, method: str, *arguments: object) -> S:
    """A copy on which a method was called."""
    changed = state.copy()
    getattr(changed, method)(*arguments)
    return changed


def steps(state: State) -> list[tuple[State, float]]:
    """What may come next and how likely it is where everybody, the lowest first, moves uniformly at random."""
    if state.actors:
        moves = state.legal()
        return [(after(state, "apply", state.actors[0], move), 1 / len(moves)) for move in moves]
    return [(after(state, "settle", outcome), chance) for outcome, chance in state.outcomes()]


# --- moves, chance, the end -------------------------------------------------------------------------------------------


@every_game
def test_legal_moves_are_exactly_those_accepted(case: Case) -> None:
    rng = random.Random(1)
    for state in case.states():
        assert bool(state.actors) + state.is_chance + state.is_over == 1
        for player in range(case.players):
            legal = [int(move) for move in state.legal(player)]
            assert bool(legal) == (player in state.actors)
            assert legal == sorted(set(legal))
            assert len(state.prior(player)) == len(legal)
            assert all(map(math.isfinite, state.prior(player)))
            for move in legal:
                assert after(state, "apply", player, move) != state
            for move in {-1, state.core.num_moves, *rng.sample(range(state.core.num_moves), 12)}.difference(legal):
                unchanged = state.copy()
                with pytest.raises(ValueError, match="not legal"):
                    unchanged.apply(player, move)
                assert unchanged == state
        assert state.legal() == (state.legal(state.actors[0]) if state.actors else [])
        for nobody in (-1, case.players):
            with pytest.raises(ValueError, match="no player"):
                state.legal(nobody)


@every_game
def test_chance_reveals_what_it_says(case: Case) -> None:
    for number, state in enumerate(case.states()):
        outcomes = state.outcomes()
        ids = [int(outcome) for outcome, _ in outcomes]
        assert bool(ids) == state.is_chance
        assert ids == sorted(set(ids))
        rolled = state.copy()
        assert rolled.roll(nf.Generator(number)) == state.is_chance
        if ids:
            assert sum(chance for _, chance in outcomes) == pytest.approx(1, abs=1e-12)
            assert all(0 < chance <= 1 for _, chance in outcomes)
            assert rolled in [following for following, _ in steps(state)]
        else:
            assert rolled == state
        for impossible in {-1, state.core.num_outcomes, *range(state.core.num_outcomes)}.difference(ids):
            with pytest.raises(ValueError, match="impossible"):
                state.settle(impossible)


@every_game
def test_every_game_ends(case: Case) -> None:
    for number, state in enumerate(case.states()):
        finished = after(state, "playout", nf.Generator(number))
        assert finished.is_over
        assert (finished == state) == state.is_over
        check_account(finished)


@every_game
def test_a_game_keeps_to_its_bounds(case: Case) -> None:
    for states in case.walks():
        game = states[0].game
        if isinstance(game, nf.Game):
            extent = game.module.extent(game.ruleset, game.players)
            assert sum(bool(state.actors) for state in states) <= extent.moves
            assert sum(state.is_chance for state in states) <= extent.outcomes
            assert game.module.simultaneous or all(len(state.actors) < 2 for state in states)


@every_game
def test_steps_are_counted_alike(case: Case) -> None:
    def count(state: State, depth: int) -> int:
        return 1 if depth == 0 else sum(count(following, depth - 1) for following, _ in steps(state))

    for state in case.states()[::7]:
        depth = max(depth for depth in range(4) if rules.perft(state, depth) <= PERFT)
        assert rules.perft(state, depth) == count(state, depth)


# --- cards and points -------------------------------------------------------------------------------------------------


def check_account(state: State) -> None:
    """Every card is somewhere, and the points are possible."""
    ACCOUNTS[state.core.name](state)
    points, tiebreak = state.score()
    assert len(points) == len(tiebreak) == state.core.players
    if isinstance(state, nf.Position):
        extent = state.game.module.extent(state.game.ruleset, state.players)
        assert all(extent.low <= n <= extent.high for n in points)
    win, margin, score = (state.utilities(objective) for objective in range(3))
    assert score == points
    if state.core.players == 1:
        assert win == margin == score, "alone there is nobody to win against"
        return
    assert sum(win) == pytest.approx(1)
    best = max(zip(points, tiebreak, strict=True))
    for player, result in enumerate(zip(points, tiebreak, strict=True)):
        assert (win[player] > 0) == (result == best)
        assert margin[player] == points[player] - max(points[:player] + points[player + 1 :], default=0)


@every_game
def test_cards_are_conserved_and_scores_in_range(case: Case) -> None:
    for state in case.states():
        check_account(state)


# --- knowledge --------------------------------------------------------------------------------------------------------


@every_game
def test_sources_of_points_sum_up_to_the_score(case: Case) -> None:
    for state in case.states():
        parts = state.split()
        assert [sum(points) for points in parts] == state.score()[0]
        if isinstance(state, nf.Position):
            assert {len(points) for points in parts} == {len(state.game.sources)}
            assert [sum(some.values()) for some in state.sources()] == state.scores()
        else:
            assert {len(points) for points in parts} == {1}, "who does not tell sources apart has one"


@every_game
def test_a_view_holds_what_a_player_knows_and_no_more(case: Case) -> None:
    """From the view the same worlds are drawn as from the state; the player cannot tell them from the real one."""
    for number, state in enumerate(case.states()):
        for player in range(case.players):
            view = after(state, "hide", player)
            assert after(view, "hide", player) == view
            assert view.key() == view.key(player) == state.key(player)
            assert view.legal(player) == state.legal(player)
            assert view.actors == state.actors
            world = after(state, "resample", player, nf.Generator(number))
            assert after(view, "resample", player, nf.Generator(number)) == world
            assert world.legal(player) == state.legal(player)
            if world.actors == state.actors:  # else hidden choices were taken back
                assert after(world, "hide", player) == view
                assert world.key(player) == state.key(player)
            check_account(world)
            if state.secrets != "hidden":
                assert view == state == world


@every_game
def test_nobody_sees_a_choice_before_the_last_one_is_in(case: Case) -> None:
    for state in case.states():
        if len(state.actors) < 2 or case.name == "goofspiel":
            continue  # the small game hides nothing, as nobody searches it in the middle of a round
        actor, *others = state.actors
        chosen = [after(state, "apply", actor, move) for move in state.legal(actor)]
        for other in others:
            views = [after(one, "hide", other) for one in chosen]
            assert views == [views[0]] * len(views)
            assert len({one.key(other) for one in chosen}) == 1
        assert all(one.secrets == "hidden" for one in chosen)


# --- identity ---------------------------------------------------------------------------------------------------------


@every_game
def test_equality_hash_and_key_agree(case: Case) -> None:
    for states in case.walks():
        found: dict[int, State] = {}
        for state in states:
            twin = state.copy()
            assert twin == state
            assert twin is not state
            assert type(twin) is type(state)
            assert (hash(twin), twin.key(), twin.to_bytes()) == (hash(state), state.key(), state.to_bytes())
            assert found.setdefault(state.key(), state) == state, "different states have different keys"
            assert len(state.to_bytes()) == state.core.state_size
        assert len(found) == len(states), "a step changes the state"
        for state in states[::5]:
            near = [state]
            while len(near) < NEAR and not all(one.is_over for one in near):
                near = [following for one in near for following, _ in steps(one) or [(one, 1)]]
                for one in near[:NEAR]:
                    assert found.setdefault(one.key(), one) == one
        assert all((a == b) == (a is b) for a, b in itertools.combinations_with_replacement(states[:20], 2))


@every_game
def test_files_and_pickles_give_the_same_bytes(case: Case) -> None:
    rng = random.Random(1)
    for state in case.states():
        if not isinstance(state, nf.Position):
            return
        for thing in (state, state.view(rng.randrange(case.players))):
            copies = [from_dict(thing.to_dict()), pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)]
            if rng.random() < 0.05:
                copies += [from_dict(tomllib.loads(thing.to_toml())), from_dict(json.loads(thing.to_json()))]
            for other in copies:
                assert isinstance(other, nf.Position)
                assert other.game is thing.game
                assert other.to_bytes() == thing.to_bytes(), thing.to_dict()
            assert type(copies[1]) is type(copies[2]) is type(thing)


# --- random play is as random as it says ------------------------------------------------------------------------------


def check_frequencies(found: Counter[T], exact: dict[T, float]) -> None:
    """Within five standard deviations, and a few more for what is so rare that its count is no bell curve."""
    assert found.keys() <= exact.keys()
    assert sum(exact.values()) == pytest.approx(1)
    for thing, chance in exact.items():
        expected = found.total() * chance
        assert found[thing] == pytest.approx(expected, abs=5 * math.sqrt(expected) + 8)


def ends(state: State, budget: list[int]) -> dict[State, float]:
    """How likely each end of the game is where everybody moves at random. Raises OverflowError beyond the budget."""
    budget[0] -= 1
    if budget[0] < 0:
        raise OverflowError
    if state.is_over:
        return {state: 1.0}
    found: dict[State, float] = {}
    for following, chance in steps(state):
        for end, share in ends(following, budget).items():
            found[end] = found.get(end, 0) + chance * share
    return found


@every_game
def test_rolls_are_as_frequent_as_outcomes_are_likely(case: Case) -> None:
    generator = nf.Generator(case.players)
    for states in case.walks()[:8]:
        state = next(state for state in reversed(states) if state.is_chance)
        found = Counter(after(state, "roll", generator) for _ in range(RANDOM))
        check_frequencies(found, dict(steps(state)))


@every_game
def test_playouts_are_as_frequent_as_random_moves_make_them(case: Case) -> None:
    """Step by step, and by the game's own loop, which draws cards in its own way: against the exact tree of the end."""
    generator = nf.Generator(case.players, 1)
    for seed, states in enumerate(case.walks()[:8]):
        exact: dict[State, float] = {}
        start = states[-1]
        for state in reversed(states):  # as early as the tree can be counted
            try:
                exact = ends(state, [TREE])
            except OverflowError:
                break
            start = state
        check_frequencies(Counter(after(start, "playout", generator) for _ in range(RANDOM)), exact)
        points: dict[tuple[int, ...], float] = {}
        for end, chance in exact.items():
            result = tuple(end.score()[0])
            points[result] = points.get(result, 0) + chance
        check_frequencies(Counter(tuple(rules.playouts(start, 1, seed, number)) for number in range(RANDOM)), points)
