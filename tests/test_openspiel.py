"""The games as OpenSpiel's: its own tests, golden playthroughs, and its algorithms against our exact values."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.core.search.expectimax import solve
from ninefold.games import NAMES, module
from tests import playthroughs
from tests.positions import wander

pytestmark = pytest.mark.unsanitized

pyspiel = pytest.importorskip("pyspiel")
adapter = pytest.importorskip("ninefold.adapters.openspiel")

WIN, MARGIN, SCORE = range(3)
COUNTS = [(name, players) for name in NAMES for players in module(name).players]
every_game = pytest.mark.parametrize(("name", "players"), COUNTS)


def load(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"ninefold_{name}", parameters)


def states(game: Any, seed: int) -> Iterator[Any]:
    """All states of a random game, the first and the last too. They are the same object, changed in place."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        if state.is_simultaneous_node():
            choices = [state.legal_actions(player) for player in range(state.num_players())]
            state.apply_actions([rng.choice(legal) if legal else 0 for legal in choices])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
        yield state


# --- its own tests ----------------------------------------------------------------------------------------------------


@every_game
def test_random_games(name: str, players: int) -> None:
    game = load(name, players=players)
    pyspiel.random_sim_test(game, 1, True, False)
    assert game.num_players() == players
    extent = game.start.game.module.extent(game.start.game.ruleset, players)
    assert (game.max_game_length(), game.max_chance_nodes_in_history()) == (extent.moves, extent.outcomes)
    assert game.get_type().short_name == f"ninefold_{name}"


@pytest.mark.long
@every_game
@pytest.mark.parametrize("objective", ["win", "margin", "score"])
def test_more_random_games(name: str, players: int, objective: str) -> None:
    for preset in module(name).standard().presets:
        game = load(name, players=players, objective=objective, preset=preset, recall=2)
        pyspiel.random_sim_test(game, 1, True, False)


@pytest.mark.parametrize("name", NAMES)
def test_playthrough(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(playthroughs.ROOT)
    original, new = playthroughs.tool().replay(playthroughs.FOLDER / f"{name}.txt")
    assert original == new, "python -m tests.playthroughs writes the files anew"


@every_game
def test_states_are_what_positions_are(name: str, players: int) -> None:
    for state in states(load(name, players=players, objective="score"), 1):
        position = state.position
        assert state.is_terminal() == position.is_over
        assert state.is_chance_node() == position.is_chance
        assert state.is_simultaneous_node() == (len(position.actors) > 1)
        if state.is_chance_node():
            assert state.chance_outcomes() == position.outcomes()
            continue
        for player in range(players):
            assert state.legal_actions(player) == position.legal(player)
            names = [state.action_to_string(player, move) for move in state.legal_actions(player)]
            assert names == [str(move) for move in position.legal(player)]
            assert [state.string_to_action(player, name) for name in names] == position.legal(player)
            assert state.observation_tensor(player) == list(position.observe(player))
    assert state.returns() == state.rewards() == position.scores()


# --- what players know ------------------------------------------------------------------------------------------------


@every_game
def test_resampling_keeps_what_a_player_knows(name: str, players: int) -> None:
    """What OpenSpiel's C++ tests ask, which cannot be run from Python; and that the hidden cards make no difference."""
    game = load(name, players=players, recall=1)
    numbers = random.Random(1)
    for number, state in enumerate(states(game, 2)):
        if state.is_chance_node() or number % 5:
            continue
        for player in range(players):
            world = state.resample_from_infostate(player, numbers.random)
            assert world.current_player() == state.current_player()
            assert world.legal_actions(player) == state.legal_actions(player)
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.information_state_tensor(player) == state.information_state_tensor(player)
            assert world.observation_string(player) == state.observation_string(player)
            again = [one.resample_from_infostate(player, lambda: 0.5) for one in (state, world)]
            assert again[0].position == again[1].position
            assert world.history() == []
            assert pickle.loads(pickle.dumps(world)).information_state_string(player) == (
                state.information_state_string(player)
            )


@every_game
def test_information_states_are_all_that_was_seen_and_chosen(name: str, players: int) -> None:
    game = load(name, players=players)
    known: dict[str, object] = {}
    for seed in range(3):
        lived: list[list[tuple[int, int | None]]] = [[] for _ in range(players)]
        before: Any = None
        for number, state in enumerate(states(game, seed)):
            if number > 60:
                break
            done = state.full_history()
            moved = {}
            if before is not None:
                moved = {pair.player: pair.action for pair in done[len(before.history()) :] if pair.player >= 0}
                moved = {player: move for player, move in moved.items() if player in before.position.actors}
            for player in range(players):
                if before is not None:
                    old, new = before.position.key(player), state.position.key(player)
                    if old != new or player in moved:
                        lived[player].append((old, moved.get(player)))
                text = state.information_state_string(player)
                assert text.startswith(state.observation_string(player))
                life = (player, tuple(lived[player]), state.position.key(player))
                assert known.setdefault(text, life) == life
            before = state.clone()
    assert len(set(known.values())) == len(known)


def test_past_choices() -> None:
    game = load("coney", recall=2)
    size, moves = game.observation_tensor_size(), game.num_distinct_actions()
    assert game.information_state_tensor_size() == size + 2 * (size + 1)
    past: list[list[float]] = []
    before: list[float] = []
    for state in states(game, 1):
        last = state.full_history()[-1:]
        if last and last[0].player == 0:
            past.append([*before, (last[0].action + 1) / moves])
        before = state.observation_tensor(0)
        tensor = state.information_state_tensor(0)
        assert tensor[:size] == before
        rows = [tensor[size + i * (size + 1) :][: size + 1] for i in range(2)]
        for row, then in zip(rows, [*past[:-3:-1], [0.0] * (size + 1), [0.0] * (size + 1)], strict=False):
            assert row == pytest.approx(then)


def test_observers_that_are_not_there() -> None:
    game = load("canopy")
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert game.make_py_observer(public) is None
    with pytest.raises(nf.InputError, match="params"):
        game.make_py_observer(None, {"what": 1})


# --- positions, structs, parameters ----------------------------------------------------------------------------------


@every_game
def test_structs(name: str, players: int) -> None:
    game = load(name, players=players)
    for number, state in enumerate(states(game, 3)):
        if number % 7:
            continue
        data = json.loads(state.to_json())
        assert data == state.position.to_dict()
        for start in (data, state.to_json(), state.to_struct()):
            assert game.new_initial_state(start).position == state.position
        for player in range(players if not state.is_chance_node() else 0):
            assert json.loads(state.to_observation_struct(player).to_json()) == state.position.view(player).to_dict()
            for move in state.legal_actions(player)[:3]:
                told = state.action_to_struct(player, move)
                assert json.loads(told.to_json()) == {"move": str(state.position.game.moves[move])}
                assert state.struct_to_actions(told) == [move]


def test_parameters(tmp_path: Path) -> None:
    game = pyspiel.load_game("ninefold_donuts(players=3,preset=bga,coffee=final,objective=margin)")
    assert game.start.game is nf.game("donuts", 3, preset="bga", coffee="final")
    assert pickle.loads(pickle.dumps(game)).start == game.start
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert load("donuts", objective="margin").get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert str(load("coney")) == "ninefold_coney()"
    position = nf.game("coney").deal(5)
    file = tmp_path / "start.toml"
    file.write_text(position.to_toml())
    game = load("coney", position=str(file))
    assert game.new_initial_state().position == position
    file.write_text(nf.game("canopy").deal(1).view(1).to_toml())
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("coney", {"objective": "wim"}, "objective: unknown objective 'wim'"),
        ("donuts", {"players": 7}, "players: donuts is for 2 to 6 players"),
        ("donuts", {"coffee": "cold"}, "coffee"),
        ("donuts", {"recall": -1}, "recall"),
        ("coney", {"position": str(file)}, "no position of coney"),
        ("canopy", {"position": str(file)}, "cannot be played"),
        ("canopy", {"position": str(file), "shifting": "on"}, "shifting: the position says this already"),
    ]
    for name, parameters, match in wrong:
        with pytest.raises(nf.InputError, match=match):
            load(name, **parameters)


# --- its algorithms against our exact values --------------------------------------------------------------------------


def nodes(position: nf.Position, most: int) -> int:
    """How many states there are from here, with all ways to them, or more than `most`."""
    found = 1
    actor = position.actors[:1]
    for step in position.legal() if actor else [outcome for outcome, _ in position.outcomes()]:
        after = position.copy()
        if actor:
            after.apply(actor[0], step)
        else:
            after.settle(step)
        found += nodes(after, most - found)
        if found > most:
            break
    return found


def endgame(game: nf.Game, seed: int, most: int, least: int = 2) -> nf.Position:
    """The earliest decision of a random game from which it has at most so many states, and at least so many."""
    for number in range(seed, seed + 100):
        found = None
        for position in reversed([one.copy() for one in wander(game.start(), number)]):
            size = nodes(position, most)
            if size > most:
                break
            if position.actors and size >= least:
                found = position
        if found is not None:
            plain = game.module.without_secrets(found, found.actors[0])
            if plain.secrets == "perfect" or game.players == 1:
                return plain
    raise AssertionError("no such endgame")


def expected(state: Any) -> float:
    """The best that a player who is alone can expect."""
    if state.is_terminal():
        return float(state.returns()[0])
    if state.is_chance_node():
        return float(sum(chance * expected(state.child(outcome)) for outcome, chance in state.chance_outcomes()))
    return max(expected(state.child(move)) for move in state.legal_actions())


def value_between(game: Any, iterations: int) -> tuple[float, float]:
    """What player 0 can be sure of, and can get at most, by the policies that CFR+ finds."""
    turns = pyspiel.convert_to_turn_based(game) if game.get_type().dynamics.name == "SIMULTANEOUS" else game
    solver = pyspiel.CFRPlusSolver(turns)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    root = turns.new_initial_state()
    best = [pyspiel.TabularBestResponse(turns, player, policy) for player in (0, 1)]
    high, low = best[0].value_from_state(root), -best[1].value_from_state(root)
    assert high - low == pytest.approx(pyspiel.nash_conv(turns, policy), abs=1e-9)
    return low, high


def small_donuts() -> dict[str, Any]:
    copies = {"glazed": 3, "powdered": 1}
    kinds = {name: {"copies": copies.get(name, 0)} for name in nf.game("donuts").ruleset.used(2)}  # type: ignore[attr-defined]
    return {"ninefold": 1, "game": "donuts", "extends": "standard", "kinds": kinds}


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_cfr_finds_the_value_of_a_small_deck(objective: str, tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps(small_donuts()))
    game = load("donuts", ruleset=str(file), objective=objective)
    exact = solve(game.start, WIN if objective == "win" else MARGIN).value
    low, high = value_between(game, 20)
    assert low - 1e-9 <= (2 * exact - 1 if objective == "win" else exact) <= high + 1e-9
    assert high - low < 0.1


@pytest.mark.parametrize("name", ["donuts", "canopy"])
def test_cfr_finds_the_value_of_an_endgame(name: str, tmp_path: Path) -> None:
    position = endgame(nf.game(name, 2), 3, 300, 40)
    file = tmp_path / "end.json"
    file.write_text(position.to_json())
    low, high = value_between(load(name, position=str(file), objective="margin"), 20)
    assert low - 1e-9 <= solve(position, MARGIN).value <= high + 1e-9
    assert high - low < 0.1


@pytest.mark.parametrize("name", ["coney", "territory"])
def test_the_best_score_of_a_solo_endgame(name: str) -> None:
    game = load(name)
    for seed in (0, 50):
        position = endgame(game.start.game, seed, 300, 40)
        state = game.new_initial_state(position.to_dict())
        assert expected(state) == pytest.approx(solve(position, SCORE).value)


@pytest.mark.parametrize("name", ["coney", "canopy"])
def test_tree_search_finds_the_best_move(name: str) -> None:
    players = module(name).players[0]
    game = load(name, objective="margin")
    tried = 0
    for seed in range(0, 400, 100):
        position = endgame(nf.game(name, players), seed, 150, 20)
        me = position.actors[0]
        worth = {}
        for move in position.legal(me):
            after = position.copy()
            after.apply(me, move)
            value = solve(after, MARGIN).value
            worth[int(move)] = -value if me else value
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 4.0, 1000, 100, False, 1, False)
        root = bot.mcts_search(game.new_initial_state(position.to_dict()))  # `step` calls Python without its lock
        most_visited = max(root.children, key=lambda child: child.explore_count)
        assert worth[most_visited.action] == max(worth.values())
        tried += len(set(worth.values())) > 1
    assert tried


def test_tree_search_in_turns_finds_a_saddle_point(tmp_path: Path) -> None:
    """Where pure bids are an equilibrium it makes no difference that the second player sees what the first one does."""
    tried = 0
    for seed in range(0, 300, 30):
        position = endgame(nf.game("donuts", 2), seed, 200, 20)
        if len(position.actors) < 2:
            continue
        payoff = solve(position, MARGIN).payoff()
        surest = [min(row) for row in payoff]
        if max(surest) < min(map(max, zip(*payoff, strict=True))) - 1e-9 or max(surest) == min(surest):
            continue
        file = tmp_path / f"{seed}.json"
        file.write_text(position.to_json())
        game = pyspiel.convert_to_turn_based(load("donuts", position=str(file), objective="margin"))
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 6.0, 1500, 100, False, 1, False)
        root = bot.mcts_search(game.new_initial_state())
        chosen = max(root.children, key=lambda child: child.explore_count).action
        assert surest[position.legal(0).index(chosen)] == pytest.approx(max(surest))
        tried += 1
    assert tried


def test_search_in_information_sets() -> None:
    from open_spiel.python.algorithms import ismcts, mcts  # type: ignore[import-untyped,unused-ignore]

    game = load("canopy")
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1), 2.0, 20)
    for number, state in enumerate(states(game, 1)):
        if not state.is_chance_node() and len(state.legal_actions()) > 1 and number > 20:
            assert bot.step(state) in state.legal_actions()
            break
