"""The engine of Canopy without the face, against the obvious: what cannot be is refused, guesses, playouts by them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

import ninefold as nf
from ninefold.core.games import canopy as core
from ninefold.core.rules import Game, Generator, State, playouts
from ninefold.core.search.mcts import draw_move, policy_playouts
from ninefold.games.canopy import CanopyRuleset
from ninefold.ruleset import standard
from tests.positions import wander

UNKNOWN = 31
CHOOSE, REST, KEEP, DISCARD = map(core.PHASES.index, ("choose", "rest", "keep", "discard"))
Change = Callable[[dict[str, Any]], object]


def start(**options: str) -> nf.Position:
    return nf.game("canopy", 2, options=options).start()


def somewhere(phase: str, seed: int = 0) -> nf.Position:
    """A position of a random game in this phase."""
    while True:
        for state in wander(start(), seed):
            if core.PHASES[core.dump(state)["phase"]] == phase:
                return state
        seed += 1


def greedy(state: State, player: int) -> int:
    guesses = state.prior(player)
    return int(state.legal(player)[guesses.index(max(guesses))])


# --- what cannot be ---------------------------------------------------------------------------------------------------


def move_card(data: dict[str, Any]) -> None:
    data["piles"][0].append(data["piles"][1].pop())
    data["piles"][0][-1] = (0, 0)


def hide_twice(data: dict[str, Any]) -> None:
    data["piles"][1][0] = (UNKNOWN, 1)
    data["piles"][2][0] = (UNKNOWN, 2)


def no_seeds(data: dict[str, Any]) -> None:
    data["player"][data["turn"]]["forest"][9] = 0


WRONG: dict[str, tuple[str, Change, str]] = {
    "one card too many": ("choose", lambda data: data["pool"].__setitem__(6, 13), "12 copies of philodendron"),
    "one unseen card less": ("choose", lambda data: data["pool"].__setitem__(6, 0), "are unseen"),
    "a card in two places": ("choose", lambda data: data["player"][0]["forest"].__setitem__(15, 2), "too many cards"),
    "a known card nobody has seen": ("choose", move_card, "cannot have been seen by 0"),
    "nobody's view": ("choose", hide_twice, "nobody's view"),
    "a pile without its cards": ("choose", lambda data: data["piles"].__setitem__(2, []), "face down|no empty"),
    "a drought in a forest": ("choose", lambda data: data["player"][1]["forest"].__setitem__(13, 1), "does not lie"),
    "an open tree without trunks": ("choose", lambda data: data["player"][0]["open"].append((0, 0, 0)), "no tree has"),
    "a canopy of three": ("choose", lambda data: data["player"][0]["done"].append((1, 0, 0, 3, 1)), "canopy 0, 1 or 2"),
    "an animal used that is not there": ("choose", lambda data: data["player"][0]["used"].append(1), "cannot be used"),
    "a look at cards not seen": ("choose", lambda data: data.update(turn=1 - data["turn"]), "has seen these cards"),
    "a question of the sloth without it": ("choose", lambda data: data.update(phase=REST), "rest: "),
    "a season without an end": ("choose", lambda data: data.update(phase=KEEP), "a season ends when"),
    "a fourth season": ("choose", lambda data: data.update(season=3), "no such number"),
    "cards on hand while one chooses": ("enter", lambda data: data.update(phase=CHOOSE, task=0), "no empty places"),
    "a trunk that discards": ("grow", lambda data: data.update(phase=DISCARD), "no question"),
    "a choice of one card": ("enter", lambda data: data.update(phase=REST, task=0), "no empty places"),
    "more losses than threats": ("lose_animals", lambda data: data.update(more=9), "no question"),
    "a draw without seeds": ("keep", no_seeds, "no seed cards"),
    "a game that is over too soon": ("over", lambda data: data.update(season=1), "lie face down|only after"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_position_that_cannot_be_is_refused_and_changes_nothing(name: str) -> None:
    phase, change, message = WRONG[name]
    state = somewhere(phase)
    data = copy.deepcopy(core.dump(state))
    change(data)
    other = start()
    before = other.to_bytes()
    with pytest.raises(ValueError, match=message):
        core.load(other, data)
    assert other.to_bytes() == before


def test_any_changed_number_is_refused_or_comes_back_as_it_is() -> None:
    """Whatever is loaded can be played on: no number of a position brings the engine down."""
    rng = random.Random(1)
    states = [state.copy() for seed in range(6) for state in wander(start(), seed)]
    loaded = 0
    for state in rng.sample(states, 400):
        data = core.dump(state)
        for _ in range(4):
            changed = copy.deepcopy(data)
            name = rng.choice([key for key in changed if isinstance(changed[key], int)])
            changed[name] = rng.choice([0, 1, 2, 3, changed[name] + 1, max(0, changed[name] - 1)])
            other = start()
            try:
                core.load(other, changed)
            except ValueError:
                continue
            loaded += 1
            assert core.dump(other) == changed
            other.playout(Generator(loaded))
            assert other.is_over
    assert loaded > 300


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"removed": 11}, "do not split"),
        ({"seasons": 1}, "too long"),
        ({"copies": {"sloth": 2, "rain": 7}}, "an animal and its mate are single"),
        ({"copies": {"trunk_0": 13, "rain": 2}}, "at most 15|at most 24"),
        ({"numbers": {"piles": [9, 9, 19]}}, "fewer than"),
        ({"numbers": {"piles": [0, 2, 3]}}, "at least one"),
        ({"numbers": {"seed_draw": 9, "seed_per_fire": 9}}, "at most 16"),
    ],
)
def test_cards_and_numbers_that_do_not_fit_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compiled(changes)


def compiled(changes: Mapping[str, Any]) -> Game:
    """The core game of the standard ruleset with changes."""
    ruleset = standard("canopy", CanopyRuleset)
    cards = {**ruleset.copies, **changes.get("copies", {})}
    return core.compile(
        [cards.get(kind, 0) for kind in core.KIND_NAMES], [ruleset.seeds.get(kind, 0) for kind in core.KIND_NAMES],
        changes.get("removed", ruleset.removed), changes.get("seasons", ruleset.seasons),
        {**msgspec.structs.asdict(ruleset.numbers), **changes.get("numbers", {})}, [], False,
    )  # fmt: skip


# --- guesses ----------------------------------------------------------------------------------------------------------


def test_guesses_know_no_more_than_the_player() -> None:
    for seed in range(20):
        for state in wander(start(), seed):
            for player in state.actors:
                view = state.copy()
                view.hide(player)
                assert view.prior(player) == state.prior(player)


def test_greedy_play_beats_random_play() -> None:
    """At least 93 of 100; measured: `python -m bench.canopy`."""
    wins = 0.0
    for game in range(60):
        state, generator = start(), Generator(game)
        while not state.is_over:
            if not state.actors:
                state.roll(generator)
            elif state.actors[0] == game % 2:
                state.apply(game % 2, greedy(state, game % 2))
            else:
                state.apply(1 - game % 2, generator.choice([int(move) for move in state.legal()]))
        wins += state.utilities(0)[game % 2]
    assert wins >= 56


@pytest.mark.parametrize("options", [{}, {"shifting": "on", "drought_completed_trees": "exposed"}])
def test_playouts_by_guesses_are_about_those_of_the_guesses(options: dict[str, str]) -> None:
    """The loop of the engine takes short cuts, so its points are not quite those of moves drawn one by one."""
    games, first = 400, 0.0
    for seed in range(games):
        state, generator = start(**options), Generator(seed)
        while not state.is_over:
            if state.actors:
                state.apply(state.actors[0], draw_move(state, state.actors[0], 1.0, seed, generator.below(1 << 30)))
            else:
                state.roll(generator)
        first += sum(state.score()[0]) / games
    assert sum(policy_playouts(start(**options), 20_000, 1.0, 1)) / 20_000 == pytest.approx(first, abs=6)
    assert sum(playouts(start(**options), 20_000, 1)) / 20_000 < first - 20


def test_playouts_start_anywhere() -> None:
    """Points already scored are kept, and what is over stays as it is."""
    for seed in range(4):
        for state in wander(start(), seed):
            if state.is_over:
                assert policy_playouts(state, 3, 0.5, 1) == [3 * n for n in state.score()[0]]
            else:
                assert len(policy_playouts(state, 1, 0.5, seed)) == 2
