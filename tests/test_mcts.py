"""Tree search: textbook values, exact values, determinism, the memory bound, models, hidden information."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

import ninefold as nf
from ninefold.core import rules
from ninefold.core.games import goofspiel
from ninefold.core.search import matrix
from ninefold.core.search.expectimax import solve
from ninefold.core.search.mcts import Search, draw_move
from ninefold.search import Options, Question
from tests.positions import last_round, walk

EXAMPLES = Path(__file__).parent.parent / "examples"


def cards(*values: int) -> int:
    """Goofspiel cards as a mask; the card worth v is bit v - 1."""
    return sum(1 << value - 1 for value in values)


def dealt(hands: list[int], prizes: int, prize: int) -> rules.State:
    state = rules.State(goofspiel.compile(hands, prizes))
    state.settle(prize - 1)
    return state


def nash(search: Search, own: int) -> tuple[float, list[float]]:
    """Value and mix of the matrix of the root's mean worths; a joint move never made counts as its row's mean."""
    cells = search.cells()
    width = len(cells) // own
    rows = [cells[i * width : (i + 1) * width] for i in range(own)]
    payoff = []
    for row in rows:
        mean = sum(cell[1] for cell in row) / sum(cell[0] for cell in row)
        payoff.append([cell[1] / cell[0] if cell[0] else mean for cell in row])
    value, mix, _ = matrix.solve(payoff)
    return value, mix


def test_each_of_those_who_choose_in_secret_has_room_for_a_node() -> None:
    """Four nodes a visit, as many visits at once as there are between two looks at the memory."""
    position = nf.game("territory", 4).deal(1)
    for memory in (1 << 20, 1 << 28):
        search = Search(position, 0, seed=1, memory=memory)
        search.run(3000)
        assert search.nodes > 3000


def test_more_than_256_legal_moves_are_all_tried() -> None:
    """Coney's sliding frame around one rabbit, thirty cards to place."""
    game = nf.game("coney", 1, options={"frame": "sliding"})
    first, *hand = sorted(game.ruleset.cards)[:31]  # type: ignore[attr-defined]
    player = {"farm": [f"{first} - -", "- - -", "- - -"], "hand": hand, "stock": {"carrot": 9, "pellet": 9, "hay": 9}}
    at = {"turn": 3, "last": "place", "market": [], "discard": [], "pending": {"ask": "place_first"}}
    position = game.position(at | {"player": [player]})
    search = Search(position, 0, seed=1, guesses=0)
    search.run(600)
    assert len(position.legal()) > 256
    assert len(search.strategy()) == len(position.legal())
    assert all(search.strategy())


@pytest.mark.parametrize("algorithm", ["duct", "rm"])
def test_symmetric_goofspiel_is_worth_nothing(algorithm: str) -> None:
    full = cards(1, 2, 3, 4)
    search = Search(dealt([full, full], full, 3), 0, objective=1, algorithm=algorithm, exploration=0.5, seed=1)
    search.run(60_000)
    assert nash(search, 4)[0] == pytest.approx(0, abs=0.15)


@pytest.mark.parametrize("algorithm", ["duct", "rm"])
def test_last_card_decides_goofspiel(algorithm: str) -> None:
    """Hands 2 3 against 1 3, prizes 1 and 3, the 3 shown: who plays 3 first ties or wins; the value is known by hand.

    With the prize 1 still to come: 2 against 1 is worth +3, 2 against 3 -3+1, 3 against 1 +3-1, 3 against 3 0+1.
    """
    state = dealt([cards(2, 3), cards(1, 3)], cards(1, 3), 3)
    search = Search(state, 0, objective=1, algorithm=algorithm, exploration=0.3, seed=3)
    search.run(20_000)
    value, mix = nash(search, 2)
    assert value == pytest.approx(1, abs=0.05)
    assert mix[1] == pytest.approx(1, abs=0.05)


def test_three_players_find_the_move_that_wins_at_once() -> None:
    """The prize 4 is shown and the 1 still to come: the 5 takes it for certain, the 1 never takes anything."""
    state = dealt([cards(1, 5), cards(2, 3), cards(2, 3)], cards(1, 4), 4)
    for algorithm in ("duct", "rm"):
        search = Search(state, 0, objective=1, algorithm=algorithm, exploration=0.1, seed=5)
        search.run(20_000)
        assert search.strategy()[1] > 0.95
        cells = search.cells()
        assert sum(sum(cell[3]) for cell in cells) == pytest.approx(19_999)


def test_same_seed_same_tree_however_it_is_cut() -> None:
    position = nf.game("donuts", 4).deal(3)
    one, cut, other = (Search(position, 2, seed=seed) for seed in (9, 9, 10))
    one.run(5000)
    for part in (1, 1023, 1024, 2952):
        cut.run(part)
    other.run(5000)
    assert (one.trace, one.nodes, one.cells()) == (cut.trace, cut.nodes, cut.cells())
    assert one.trace != other.trace
    assert one.visits == cut.visits == 5000


def test_streams_are_independent_and_threads_merge_deterministically() -> None:
    position = nf.game("donuts", 3).deal(3)
    first = nf.best(position, nf.Limit(visits=4000), threads=3, seed=4)
    again = nf.best(position, nf.Limit(visits=4000), threads=3, seed=4)
    assert [(m.move, m.visits, m.value) for m in first.moves] == [(m.move, m.visits, m.value) for m in again.moves]
    assert first.visits == 4000


def told(answer: nf.Analysis) -> nf.Analysis:
    """All of an answer that visits and seed decide; lines of merged trees are those of one of them."""
    moves = [msgspec.structs.replace(info, line=[]) for info in answer.moves]
    return msgspec.structs.replace(answer, moves=moves, time=0.0, memory=0)


@pytest.mark.parametrize(
    ("name", "players"), [("donuts", 2), ("donuts", 4), ("coney", 1), ("territory", 3), ("canopy", 2)]
)
def test_trees_grown_elsewhere_say_what_threads_say(name: str, players: int) -> None:
    position = next(one for one in itertools.islice(walk(nf.game(name, players), 5), 8, None) if one.actors)
    view = position.view(position.actors[-1])
    for visits, threads in ((1001, 3), (2, 5)):
        limit, options = (
            nf.Limit(visits=visits),
            Options(threads=threads, seed=3, player=position.actors[-1], exact=False),
        )
        with ThreadPoolExecutor(2) as pool:
            answers = [nf.best(view, limit, executor=pool, workers=workers, **options) for workers in (1, 2)]
        assert told(answers[0]) == told(answers[1]) == told(nf.best(view, limit, **options))
        assert [one.line for one in answers[0].moves] == [one.line for one in answers[1].moves]
        assert answers[0].moves[0].line


def test_each_tree_has_its_part_of_the_limit_and_interrupts_give_those_that_are_ready() -> None:
    position, seen = nf.game("donuts", 3).deal(3), list[int]()

    def enough(so_far: nf.Analysis) -> None:
        seen.append(so_far.visits)
        raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as pool:
        timed = nf.best(position, nf.Limit(time=0.2), executor=pool, workers=2, threads=4)
        assert (timed.stopped, timed.threads) == ("time", 4)
        assert nf.best(position, nf.Limit(nodes=801), executor=pool, workers=2).nodes == 801
        cut = nf.best(position, nf.Limit(visits=400), executor=pool, workers=1, threads=4, report=enough)
        assert (cut.stopped, cut.visits, seen) == ("interrupted", 100, [100])
        assert sum(info.visits for info in cut.moves) in (99, 100)
        with pytest.raises(nf.InputError, match=r"limit\.separated: .* not with workers"):
            nf.best(position, nf.Limit(separated=0.9), executor=pool)
    with pytest.raises(nf.InputError, match="workers: must be a whole number"):
        nf.best(position, workers=0)


def test_memory_bound_stops_growth_and_search_goes_on() -> None:
    position = nf.game("donuts", 6).deal(1)
    search = Search(position, 0, memory=1 << 20)
    search.run(3000)
    nodes = search.nodes
    search.run(3000)
    assert search.full
    assert search.bytes <= 1 << 20
    assert nodes <= search.nodes < 3000
    assert sum(cell[0] for cell in search.cells()) == 5999  # all but the visit that made the root


OUT_OF_MEMORY = """
import resource
import ninefold as nf
from ninefold.core.search.mcts import Search
position = nf.game("donuts", 6).deal(1)
search = Search(position, 0, memory=1 << 30)
search.run(1000)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (1 << 23), resource.RLIM_INFINITY))
for number in (0, 1):
    search.run(10**5)
    print(search.full, search.visits, sum(cell[0] for cell in search.cells()) == search.visits - 1)
nodes = search.nodes
search.run(2000)
print(search.nodes == nodes < 10**5)
try:
    grown = [Search(position, 0, memory=1 << 30) for _ in range(10**4)]
except MemoryError:
    print("MemoryError")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc how much memory is taken")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the address sanitizer ends the process")
def test_where_the_machine_has_no_more_memory_the_tree_stays_and_learns_on() -> None:
    done = subprocess.run([sys.executable, "-c", OUT_OF_MEMORY], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["True 101000 True", "True 201000 True", "True", "MemoryError"]


CRULLER = "french_cruller powdered eclair"  # who takes the Cruller decides whether the Eclair finds the Powdered


@pytest.mark.parametrize("seat", [0, 1])
def test_one_player_choosing_alone_is_believed_to_choose_well(seat: int) -> None:
    """The last round: either way of knowing better than the mean of all visits gives the exact worths."""
    position = last_round(CRULLER, "", "")
    payoff = solve(position, 1).payoff()
    assert payoff == [[0, -1, 2], [1, 0, 3], [-2, -3, 0]]  # the same with seats exchanged
    solved = Search(position, seat, objective=1, exploration=1.5, seed=1, leaves=2)
    played = Search(position, seat, objective=1, exploration=1.5, seed=1, leaves=-1)
    solved.run(1000)
    played.run(20_000)
    for row, exact, near in zip(solved.payoff(), payoff, played.payoff(), strict=True):
        assert row == pytest.approx(exact, abs=1e-9)
        assert near == pytest.approx(exact, abs=0.2)


def test_exact_leaves_bring_the_worths_nearer_and_stay_within_memory() -> None:
    near = {-1: 0.0, 2: 0.0, 4: 0.0}
    for seed in range(12):
        bidding = (p for p in walk(nf.game("donuts", 2), seed) if len(p.actors) == 2)
        position = next(p.copy() for p in bidding if p.rest is not None and p.rest <= 5)
        payoff = solve(position, 1).payoff()
        for leaves in near:
            search = Search(position, 0, objective=1, rollout=0.3, leaves=leaves, memory=1 << 22, seed=seed)
            search.run(3000)
            assert search.bytes <= 1 << 22
            rows = zip(search.payoff(), payoff, strict=True)
            near[leaves] += sum(abs(a - b) for row, exact in rows for a, b in zip(row, exact, strict=True))
    assert near[4] < near[2] < near[-1] / 2


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("algorithm", ["duct", "rm"])
def test_more_joint_moves_than_a_node_counts(players: int, algorithm: str) -> None:
    """Nine cards each: nodes go without, and the highest card is not wasted on the lowest prize."""
    full = cards(*range(1, 10))
    search = Search(dealt([full] * players, full, 1), 0, objective=1, algorithm=algorithm, exploration=0.3, seed=1)
    search.run(5000)
    assert search.payoff() == []
    assert len(search.cells()) == (81 if players == 2 else 9)
    assert sum(cell[0] for cell in search.cells()) == 4999
    assert search.strategy()[8] < 0.2


@pytest.mark.parametrize("players", range(2, 7))
def test_statistics_of_the_root_add_up(players: int) -> None:
    position = nf.game("donuts", players).deal(players)
    search = Search(position, players - 1, seed=1)
    search.run(2000)
    cells = search.cells()
    assert sum(cell[0] for cell in cells) == 1999
    assert sum(sum(cell[3]) for cell in cells) == pytest.approx(1999)  # wins are shares of one
    assert all(cell[2] <= cell[1] + 1e-9 for cell in cells)  # worth is 0 .. 1: its square is no larger
    assert search.nodes <= 2000


@pytest.mark.parametrize("model", ["uniform", "softmax:1", "0.5*softmax:0.5+0.5*uniform", "0.5*self+0.5*softmax:2"])
def test_models_are_followed_and_said(model: str) -> None:
    position = nf.game("donuts", 4).deal(2)
    answer = nf.best(position, nf.Limit(visits=2000), opponent=model)
    assert answer.opponent == str(nf.Opponent.parse(model))
    assert sum(info.share for info in answer.moves) == pytest.approx(1)
    assert answer.moves[0].share == 1  # a best response to a model needs no mix


def test_draws_follow_the_softmax() -> None:
    position = nf.game("donuts", 2).deal(3)
    worth = position.prior(0)
    counts = [0] * len(worth)
    for seed in range(6000):
        counts[position.legal(0).index(position.game.moves[draw_move(position, 0, 0.7, seed)])] += 1
    import math

    weights = [math.exp(value / 0.7) for value in worth]
    for count, weight in zip(counts, weights, strict=True):
        share = weight / sum(weights)
        assert count / 6000 == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 6000) + 0.002)


def test_hidden_cards_change_nothing_for_who_has_not_seen_them() -> None:
    """Positions that differ only in what the searcher has not seen get the same answer with the same seed."""
    found = 0
    for seed in range(25):
        for position in walk(nf.game("donuts", 3), seed):
            if position.secrets != "hidden" or len(position.actors) < 3 or found > 4 * seed + 4:
                continue
            for viewer in position.actors:
                other = position.copy()
                other.resample(viewer, nf.Generator(seed, 1))
                assert position.view(viewer) == other.view(viewer)
                if other == position:
                    continue
                found += 1
                answers = []
                for world in (position, other):
                    search = Search(world, viewer, seed=7)
                    search.run(300)
                    answers.append((search.cells(), search.strategy()))
                assert answers[0] == answers[1]
    assert found >= 30


def test_bad_arguments_are_named() -> None:
    position = nf.game("donuts", 2).deal(1)
    with pytest.raises(ValueError, match="algorithm"):
        Search(position, 0, algorithm="uct")
    with pytest.raises(ValueError, match="objective"):
        Search(position, 0, objective=3)
    with pytest.raises(ValueError, match="memory"):
        Search(position, 0, memory=10)
    with pytest.raises(ValueError, match="nothing to choose"):
        Search(nf.game("donuts", 2).start(), 0)
    with pytest.raises(ValueError, match="no player 5"):
        Search(position, 5)


def test_limits_are_kept() -> None:
    position = nf.game("donuts", 2).deal(3)
    assert nf.best(position, nf.Limit(visits=777)).visits == 777
    few = nf.best(position, nf.Limit(nodes=500))
    assert (few.stopped, few.nodes) == ("nodes", 500)
    quick = nf.best(position, nf.Limit(time=0.1))
    assert quick.stopped == "time"
    assert quick.time < 1
    certain = nf.best(nf.game("donuts", 4).deal(5), nf.Limit(separated=0.6, visits=10**6), seed=1)
    assert certain.stopped == "separated"
    assert certain.moves[0].lcb > certain.moves[1].lcb


def test_two_players_share_the_win() -> None:
    answer = nf.best(nf.game("donuts", 2).deal(3), nf.Limit(visits=3000), player=1)
    for info in answer.moves:
        assert info.win is not None
        assert info.win[1] == info.value
        assert sum(info.win) == pytest.approx(1)
    assert answer.replies
    assert answer.exploitability is not None
    assert answer.exploitability < 1e-6


def test_an_endgame_is_proven_for_both_players_alike() -> None:
    position = nf.read(EXAMPLES / "donuts-2p-endgame.toml")
    assert isinstance(position, nf.Position)
    first, second = (nf.best(position, nf.Limit(visits=100), player=player, objective="margin") for player in (0, 1))
    assert first.proven
    assert second.proven
    assert first.value == pytest.approx(-second.value, abs=1e-6)
    assert {r.move: pytest.approx(r.share, abs=1e-6) for r in first.replies} == {
        info.move: info.share for info in second.moves if info.share > 1e-9
    }
    assert all(info.bounds == (info.value, info.value) for info in first.moves)


def test_a_visit_may_add_a_node_for_each_player() -> None:
    """Where players know different things each has nodes of his own; one run of many visits has room for them all."""
    position = nf.game("coney", 4).deal(1)
    search = Search(position, 0, exploration=1.0, seed=1)
    search.run(2000)
    assert search.nodes > 2 * search.visits
    bounded = Search(position, 0, exploration=1.0, seed=1, memory=1 << 20)
    bounded.run(4000)
    assert bounded.full


def test_guesses_save_visits_to_moves_that_look_bad() -> None:
    """Without them every move is tried before any twice; with them visits go where the game's guess points first."""
    position = nf.game("coney", 1).deal(3)
    for step in range(40):
        if len(position.legal(0)) >= 12:
            break
        position.apply(0, draw_move(position, 0, 0.3, step))
        position.roll_all(nf.Generator(step))
    count, guess = len(position.legal(0)), position.prior(0)
    tried = {}
    for guesses in (0.0, 1.0):
        search = Search(position, 0, objective=2, exploration=0.1, guesses=guesses, point=10, seed=1)
        search.run(count + 1)
        tried[guesses] = [cell[0] for cell in search.cells()]
    assert min(tried[0.0]) >= 1
    assert min(tried[1.0]) == 0
    assert tried[1.0][guess.index(max(guess))] >= 1


@pytest.mark.parametrize(
    ("name", "players"), [("canopy", 2), ("coney", 1), ("coney", 4), ("territory", 1), ("territory", 3)]
)
def test_a_guess_that_outweighs_all_visits_decides_alone(name: str, players: int) -> None:
    """And a point of it is a point where there is nothing else to win; alone a game may heed it otherwise."""
    position = nf.game(name, players).deal(1)
    player = position.actors[0]
    guess = position.prior(player)
    favourite = position.legal(player)[guess.index(max(guess))]
    asked = Question(position, nf.Limit(visits=40), player=player)
    tuning = position.game.module.tuning
    usual = (tuning.guesses_alone, 1) if players == 1 else (tuning.guesses, tuning.point)
    assert (asked.guesses, asked.point) == usual
    blind = nf.best(position, nf.Limit(visits=40), player=player, guesses=1e6, halving=0, exact=False, seed=2)
    assert blind.best == favourite
    assert blind.moves[0].visits > 20


def test_sequential_halving_shares_visits_round_by_round_and_strikes_off_the_worse_half() -> None:
    """Karnin, Koren, Somekh 2013: in four rounds of 160 visits 16, 8, 4 and 2 moves are in."""
    position = nf.game("coney", 2).deal(0)
    for step in range(400):
        if len(position.actors) == 1 and len(position.legal(position.actors[0])) > 16:
            break
        for player in position.actors:
            position.apply(player, draw_move(position, player, 0.3, step))
        position.roll_all(nf.Generator(step))
    player = position.actors[0]
    assert len(position.legal(player)) > 16
    asked = {"guesses": 1, "rollout": 0.4, "exploration": 0.7, "seed": 1}
    search = Search(position, player, halving=640, **asked)  # type: ignore[arg-type]
    search.run(640)
    visits = sorted((cell[0] for cell in search.cells()), reverse=True)
    assert sum(visits) == 639  # the first one made the root
    rounds = {16: 160 / 16, 8: 160 / 8, 4: 160 / 4, 2: 160 / 2}
    for place, many in enumerate(visits):
        assert abs(many - sum(each for stayed, each in rounds.items() if place < stayed)) <= 1


def test_playouts_that_learn_come_to_more() -> None:
    """What moves gained in earlier playouts draws later ones (Finnsson, Björnsson 2008), alone only, within memory."""

    def grown(position: nf.Position, learning: float, memory: int = 1 << 26) -> Search:
        search = Search(
            position, 0, objective=2, exploration=1.4, rollout=0.4, guesses=1, learning=learning, memory=memory, seed=2
        )
        search.run(2000)
        return search

    def mean(search: Search) -> float:
        cells = search.cells()
        return sum(cell[1] for cell in cells) / sum(cell[0] for cell in cells)

    deals = [nf.game("coney", 1).deal(number) for number in range(4)]
    gains = [mean(grown(deal, 2.0)) - mean(grown(deal, 0.0)) for deal in deals]
    assert sum(gains) / len(gains) > 0.05
    one, other = grown(deals[0], 2.0), grown(deals[0], 2.0)
    assert (one.trace, one.cells()) == (other.trace, other.cells())
    assert one.trace != grown(deals[0], 0.0).trace
    for memory in (1 << 20, 1 << 21):
        assert grown(deals[0], 2.0, memory).bytes <= memory
    assert one.bytes > grown(deals[0], 0.0).bytes
    with pytest.raises(ValueError, match="learning"):
        Search(deals[0], 0, learning=-1)
    assert Question(deals[0], nf.Limit(visits=10)).learning > 0
    assert Question(nf.game("coney", 2).deal(1), nf.Limit(visits=10)).learning == 0


@pytest.mark.parametrize(("name", "players"), [("territory", 2), ("territory", 4), ("canopy", 2), ("donuts", 3)])
@pytest.mark.parametrize("visits", [1, 2, 7, 40])
def test_few_visits_are_shared_by_halving_and_the_answer_was_not_struck_off(
    name: str, players: int, visits: int
) -> None:
    position = nf.game(name, players).deal(4)
    player, limit = position.actors[0], nf.Limit(visits=visits)
    answer = nf.best(position, limit, player=player, exact=False, seed=3)
    assert answer.visits == visits
    assert answer.moves[0].visits >= max(info.visits for info in answer.moves) - 1
    assert answer == msgspec.structs.replace(
        nf.best(position, limit, player=player, exact=False, seed=3), time=answer.time, memory=answer.memory
    )


def test_halving_is_for_small_known_budgets_and_who_chooses_alone() -> None:
    territory, canopy, donuts = (nf.game(*which).deal(1) for which in (("territory", 2), ("canopy", 2), ("donuts", 2)))
    few, more = nf.Limit(visits=40), nf.Limit(visits=41)
    assert Question(territory, few).halving == Question(canopy, few).halving == 40
    assert Question(territory, more, halving=50).halving == 41
    asked: list[tuple[nf.Position, nf.Limit, Options]] = [
        (territory, more, {}),
        (territory, nf.Limit(time=1), {}),
        (territory, few, {"halving": 0}),
        (territory, few, {"threads": 2}),
        (territory, few, {"algorithm": "rm"}),
        (territory, few, {"opponent": "self"}),
        (territory, few, {"closely": territory.legal(0)[0]}),
        (nf.game("territory", 1).deal(1), few, {}),
        (donuts, few, {}),
    ]
    for position, limit, options in asked:
        assert Question(position, limit, **options).halving == 0, options
    for wrong in ({"model": [(1, -1)]}, {"model": [(1, 0.3)], "algorithm": "rm"}):
        with pytest.raises(ValueError, match="sequential halving is for"):
            Search(territory, 0, halving=40, **wrong)


def test_a_tree_goes_on_from_a_later_position() -> None:
    """What it learned there counts, the root's statistics begin anew, and other games are refused."""
    position = nf.game("coney", 1).deal(1)
    search = Search(position, 0, objective=2, rollout=0.4, guesses=1, exploration=0.7, seed=1)
    search.run(3000)
    shares = search.strategy()
    position.apply(0, position.legal(0)[shares.index(max(shares))])
    position.roll_all(nf.Generator(1))
    known, nodes = search.node_visits(position, 0), search.nodes
    assert known > 100
    search.advance(position)
    assert search.strategy() == search.strategy(position)
    assert sum(cell[0] for cell in search.cells()) == 0
    search.run(200)
    assert len(search.cells()) == len(position.legal(0))
    assert sum(cell[0] for cell in search.cells()) == 200
    assert search.node_visits(position, 0) == known + 200
    assert search.nodes > nodes
    with pytest.raises(ValueError, match="same game"):
        search.advance(nf.game("coney", 2).deal(1))
    while not position.is_over:
        position.roll_all(nf.Generator(1))
        if position.actors:
            position.apply(0, position.legal(0)[0])
    with pytest.raises(ValueError, match="nothing to choose"):
        search.advance(position)


def test_a_single_observer_shares_nodes_that_several_tell_apart() -> None:
    """The other's hidden hand is his own business: from what the searcher sees, many of his nodes are one."""
    position = nf.game("coney", 2).deal(3)
    while len(position.actors) != 1 or position.secrets != "hidden":
        position.apply(position.actors[0], position.legal(position.actors[0])[-1])
        position.roll_all(nf.Generator(1))
    searches = {}
    for observer in ("multiple", "single"):
        searches[observer] = Search(position, position.actors[0], seed=1, guesses=1, observer=observer)
        searches[observer].run(3000)
        assert sum(searches[observer].strategy()) == pytest.approx(1)
    assert searches["single"].nodes < searches["multiple"].nodes
    with pytest.raises(ValueError, match="observer must be"):
        Search(position, position.actors[0], observer="none")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_hands_of_coney_are_searched_from_draft_to_the_middle_of_a_turn(players: int) -> None:
    """From a position and from the view of it alone, which gives the same answer."""
    generator = nf.Generator(5)
    position = nf.game("coney", players).deal(5)
    phases = set()
    for step in range(60):
        player = position.actors[step % len(position.actors)]
        phases.add("draft" if len(position.actors) > 1 else "turn")
        if step % 6 == 0:
            both = (position, position.view(player))
            answers = [nf.best(one, nf.Limit(visits=50), player=player, seed=2) for one in both]
            assert [(info.move, info.visits, info.value) for info in answers[0].moves] == [
                (info.move, info.visits, info.value) for info in answers[1].moves
            ]
            assert answers[0].best in position.legal(player)
        position.apply(player, generator.choice(position.legal(player)))
        position.roll_all(generator)
    assert phases == {"draft", "turn"}


def test_the_last_turn_of_coney_is_proven() -> None:
    generator, position = nf.Generator(2), nf.game("coney", 1).deal(2)
    while position.rest != 1 or not position.actors:
        if position.actors:
            position.apply(0, generator.choice(position.legal(0)))
        position.roll_all(generator)
    answer = nf.best(position, nf.Limit(visits=100))
    assert answer.proven
    assert answer.value == max(info.value for info in answer.moves)
    assert all(info.bounds == (info.value, info.value) and info.score_mean == [info.value] for info in answer.moves)
    assert not nf.best(position, nf.Limit(visits=100), exact=False).proven


@pytest.mark.parametrize(("name", "players"), [("donuts", 2), ("donuts", 4), ("canopy", 2), ("territory", 2)])
def test_a_move_is_looked_at_closely_however_bad_it_seems(name: str, players: int) -> None:
    position, limit = nf.game(name, players).deal(2), nf.Limit(visits=4000)  # a move's worth lags while it learns
    plain = nf.best(position, limit, seed=1, player=position.actors[0])
    bad = plain.moves[-1]
    close = nf.best(position, limit, seed=1, player=position.actors[0], closely=str(bad.move))
    again = next(info for info in close.moves if info.move == bad.move)
    assert close.visits == 4000
    assert again.visits >= max(799, bad.visits)
    assert again.value - again.lcb <= bad.value - bad.lcb
    assert abs(again.value - bad.value) < bad.value - bad.lcb + again.value - again.lcb + 0.05
    other = next(move for move in position.game.moves if move not in position.legal(0) and move.text[0] != "#")
    with pytest.raises(nf.InputError, match="closely: player 0 cannot play"):
        nf.best(position, nf.Limit(visits=10), player=0, closely=other)
    with pytest.raises(ValueError, match="closely must be -1 or below"):
        Search(position, 0, closely=len(position.legal(0)))
