"""Matches and players by name: pairing, intervals, early stops, files, workers, errors."""

from __future__ import annotations

import multiprocessing
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

import ninefold as nf
from ninefold._match import Played, Result
from ninefold.cli.match import picture
from ninefold.core.search.expectimax import solve
from ninefold.players import KINDS, player
from ninefold.trees import Trees
from tests.positions import last_round
from tests.shell import run

pytestmark = pytest.mark.unsanitized


def apart(position: nf.Position, seat: int, seed: int) -> str:
    """A player of one's own, by notation: nobody bids where another does."""
    moves = position.legal(seat)
    return str(moves[seat % len(moves)])


def peeping(position: nf.Position, seat: int, seed: int) -> int:
    """A player who fails if he is shown what he may not see."""
    assert position.secrets != "hidden" or isinstance(position, nf.View)
    return int(position.legal(seat)[0])


@pytest.mark.parametrize("seat", [0, 1])
def test_looking_ahead_takes_what_the_last_round_brings(seat: int) -> None:
    position = last_round("french_cruller powdered eclair", "", "")
    assert solve(position, 1).payoff() == [[0, -1, 2], [1, 0, 3], [-2, -3, 0]]  # "bid 2" is best against any other
    assert str(player("expectimax:depth=1")(position, seat, 7)) == "bid 2"


@pytest.mark.parametrize(
    "name", ["random", "greedy", "softmax:0.5", "expectimax:depth=2", "mcts:visits=20,opponent=self", "best:nodes=50"]
)
@pytest.mark.parametrize("game", nf.game_names())
def test_every_player_makes_legal_moves_in_every_game_and_repeats_them(name: str, game: str) -> None:
    choose, again = player(name), player(name)
    generator = nf.Generator(3)
    position = nf.game(game).deal(3)
    for seed in range(6):
        while not position.actors and not position.is_over:
            position.roll_all(generator)
        seat = position.actors[0]
        move = choose(position, seat, seed)
        assert move in position.legal(seat)
        assert again(position, seat, seed) == move
        position.play_all({other: generator.choice(position.legal(other)) for other in position.actors})


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gredy", "unknown player 'gredy': did you mean 'greedy'?"),
        ("greedy:2", "greedy takes nothing behind its name"),
        ("softmax:warm", "temperature must be a number in 'softmax:warm'"),
        ("softmax:-1", "a temperature is above 0"),
        ("expectimax:width=2", "unknown option 'width' of expectimax:width=2"),
        ("expectimax:depth=0", "must be a whole number from 1 to 9, not 0"),
        ("mcts", "mcts thinks for ever: give visits=N"),
        ("mcts:visits=many", "visits must be a whole number"),
        ("mcts:visit=3", "unknown option 'visit' of mcts:visit=3: did you mean 'visits'?"),
        ("plugin:nowhere_at_all:x", "no player 'plugin:nowhere_at_all:x': No module named"),
        ("plugin:tests.test_match:missing", "no player 'plugin:tests.test_match:missing': module"),
        ("plugin:tests.test_match:__doc__", "cannot be called"),
    ],
)
def test_a_wrong_player_is_one_clear_line(spec: str, said: str) -> None:
    with pytest.raises(nf.InputError) as error:
        nf.match([spec, "random"], "donuts", 2)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_every_deal_is_played_in_all_rotations_with_the_same_luck() -> None:
    result = nf.match(["plugin:tests.test_match:apart", "random", "greedy"], nf.game("donuts", 3), 6, seed=5)
    assert [one.seats for one in result.games] == 2 * [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    alike = nf.match(3 * ["plugin:tests.test_match:apart"], nf.game("donuts", 3), 6, seed=5)
    points = [one.points for one in alike.games]
    assert len(set(points[:3])) == 1, "players who choose alike meet the same luck in every rotation of a deal"
    assert points[0] != points[3]


def test_players_are_shown_what_they_may_know() -> None:
    for name in ("coney", "territory"):
        result = nf.match(2 * ["plugin:tests.test_match:peeping"], nf.game(name, 2), 2)
        assert len(result.games) == 2


def without_seconds(result: nf.Result) -> list[Played]:
    return [msgspec.structs.replace(one, seconds=()) for one in result.games]


def test_the_same_seed_plays_the_same_games_on_any_number_of_workers() -> None:
    names = ["mcts:visits=20", "softmax:1"]
    alone = nf.match(names, "donuts", 12, seed=3)
    with ThreadPoolExecutor(3) as executor:
        threads = nf.match(names, "donuts", 12, seed=3, executor=executor, workers=3)
    assert without_seconds(threads) == without_seconds(alone)
    assert without_seconds(nf.match(names, "donuts", 12, seed=3, workers=2)) == without_seconds(alone)
    assert without_seconds(nf.match(names, "donuts", 12, seed=4)) != without_seconds(alone)


def test_a_killed_worker_changes_nothing(tmp_path: Path) -> None:
    """The games that it had are played again, in another process."""
    names = ["mcts:visits=60", "softmax:1"]
    alone = nf.match(names, "donuts", 40, seed=3)
    killed: list[int] = []

    def kill(so_far: nf.Result) -> None:
        if len(so_far.games) >= 4 and not killed:
            victim = multiprocessing.active_children()[0]
            victim.kill()
            killed.append(victim.pid or 0)

    file = tmp_path / "games.jsonl"
    result = nf.match(names, "donuts", 40, seed=3, workers=2, report=kill, file=file)
    assert killed
    assert without_seconds(result) == without_seconds(alone)
    assert [one.win for one in result.standings()] == [one.win for one in alone.standings()]
    assert len(file.read_text().splitlines()) == 41, "every game once"


def test_fewer_players_than_seats_and_more() -> None:
    table = nf.match(["greedy", "random"], "donuts", 8, seats=4)
    assert {one.seats for one in table.games} == {(0, 1, 1, 1), (1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1)}
    assert [one.games for one in table.standings()] == [8, 24]
    pairs = nf.match(["greedy", "random", "softmax:1"], "donuts", 4, seats=2)
    assert sorted({tuple(sorted(one.seats)) for one in pairs.games}) == [(0, 1), (0, 2), (1, 2)]
    assert [one.games for one in pairs.standings()] == [8, 8, 8]
    alone = nf.match(["random", "greedy"], "coney", 3, seats=1)
    assert [one.games for one in alone.standings()] == [3, 3]
    assert alone.standings()[1].points[0] > alone.standings()[0].points[0]


def test_the_better_player_is_rated_higher() -> None:
    standings = nf.match(["random", "greedy", "softmax:8"], "coney", 12, seats=2, seed=1).standings()
    ratings = [one.rating[0] if one.rating else 0 for one in standings]
    assert ratings[1] == max(ratings)
    assert ratings[0] == min(ratings)


def test_intervals_are_those_of_the_deals() -> None:
    def game(number: int, wins: tuple[float, float]) -> Played:
        seats = (0, 1) if number % 2 == 0 else (1, 0)
        return Played(number, seats, (3, 1), wins, 1, (0.0, 0.0))

    # Deal 0: player 0 wins both rotations; deal 1: none; deal 2: each seat once.
    wins = [(1.0, 0.0), (0.0, 1.0), (0.0, 1.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0)]
    result = Result({"players": ["a", "b"]}, [game(i, share) for i, share in enumerate(wins)], "all")
    mean, half = result.standings()[0].win
    assert mean == pytest.approx(0.5)
    assert half == pytest.approx(1.96 * (0.5 / 2 / 3) ** 0.5 * 1.0)  # deals 1, 0, 0.5: variance 1/4


def test_sequential_test_decides_as_often_right_as_it_says() -> None:
    """Games of a player who wins 50 or 60 %: at most about 5 % of the verdicts are wrong, and most come early."""
    test = nf.Sprt(0.5, 0.6)
    dice = random.Random(1)
    for truth, wanted in ((0.5, "low"), (0.6, "high")):
        verdicts, lengths = [], []
        for _ in range(200):
            shares: list[float] = []
            while not (verdict := test.verdict(shares)) and len(shares) < 3000:
                shares.append(float(dice.random() < truth))
            verdicts.append(verdict)
            lengths.append(len(shares))
        assert verdicts.count(wanted) >= 0.92 * len(verdicts)
        assert sum(lengths) / len(lengths) < 400


def test_a_match_stops_when_the_test_decides_for_any_number_of_workers() -> None:
    results = [
        nf.match(["greedy", "random"], "coney", 2000, seats=2, sprt=nf.Sprt(0.5, 0.8), workers=workers, seed=2)
        for workers in (1, 2)
    ]
    assert [(result.stopped, result.verdict) for result in results] == 2 * [("sprt", "high")]
    assert len(results[0].games) == 32


@pytest.mark.parametrize("numbers", [(0.6, 0.5), (-0.1, 0.5), (0.5, 1.2), (0.5, 0.6, 0.7), (0.5, 0.6, 0.05, 0.0)])
def test_a_wrong_test_is_refused(numbers: tuple[float, ...]) -> None:
    with pytest.raises(nf.InputError):
        nf.Sprt(*numbers)


def test_a_file_goes_on_where_it_ended(tmp_path: Path) -> None:
    """Also where the run was ended in the middle of a line."""
    file = tmp_path / "games.jsonl"
    names = ["greedy", "random"]
    whole = nf.match(names, "donuts", 8, seed=1, file=file)
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 9
    file.write_text("".join(lines[:4]) + lines[4][:20])
    played = []
    again = nf.match(names, "donuts", 10, seed=1, file=file, report=lambda so_far: played.append(len(so_far.games)))
    assert played == [3, 4, 6, 8, 10]
    assert [one.points for one in again.games[:8]] == [one.points for one in whole.games]
    assert len(file.read_text().splitlines()) == 11
    with pytest.raises(nf.InputError, match=r"games\.jsonl: these are games of another match: seed is different"):
        nf.match(names, "donuts", 8, seed=2, file=file)
    file.write_text(lines[0] + "nonsense\n")
    with pytest.raises(nf.InputError, match="line 2 is no game"):
        nf.match(names, "donuts", 8, seed=1, file=file)
    file.write_text("nonsense\n")
    with pytest.raises(nf.InputError, match="no file of a match"):
        nf.match(names, "donuts", 8, seed=1, file=file)
    with pytest.raises(nf.InputError, match="cannot be used"):
        nf.match(names, "donuts", 8, seed=1, file=tmp_path / "nowhere" / "games.jsonl")


def test_an_interrupted_match_tells_what_it_has() -> None:
    def interrupt(so_far: nf.Result) -> None:
        if len(so_far.games) >= 4:
            raise KeyboardInterrupt

    result = nf.match(["greedy", "random"], "donuts", 1000, report=interrupt)
    assert result.stopped == "interrupted"
    assert len(result.games) == 4


def test_one_interrupt_while_a_player_searches_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not taken for a wish that he should choose at once, as at a table with persons."""
    run_visits, calls = Trees.run, 0

    def interrupted(trees: Trees, visits: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 20:
            raise KeyboardInterrupt
        run_visits(trees, visits)

    monkeypatch.setattr(Trees, "run", interrupted)
    result = nf.match(["mcts:visits=2000", "greedy"], "donuts", 4)
    assert (result.stopped, calls) == ("interrupted", 20)
    screen = Console(width=100)
    with screen.capture() as said:
        screen.print(picture(result))
    assert "nan" not in said.get()
    assert "inf" not in said.get()
    start, calls = nf.game("donuts", 2).start(), 18
    start.roll_all(nf.Generator(1))
    with pytest.raises(KeyboardInterrupt):
        player("mcts:visits=2000")(start, 0, 1)
    calls = 18
    assert player("mcts:visits=2000", hasty=True)(start, 0, 1) in start.legal(0)


def test_command_line() -> None:
    said = run("match", "greedy", "random", "--game", "donuts", "--games", "4").stdout
    assert "greedy" in said
    assert "all games played" in said
    data = msgspec.json.decode(run("match", "greedy", "random", "--game", "coney", "--games", "4", "--json").stdout)
    assert data["games"] == 4
    assert [one["name"] for one in data["standings"]] == ["greedy", "random"]
    wrong = run("match", "greedy", "randm", "--game", "donuts", code=2).stderr
    assert wrong == "ninefold: player: unknown player 'randm': did you mean 'random'?\n"
    assert "two shares" in run("match", "greedy", "random", "--game", "donuts", "--sprt", "0.5", code=2).stderr
    assert "did you mean" in run("match", "greedy", "random", "--game", "donut", code=2).stderr


def test_kinds_are_those_of_the_docstring() -> None:
    assert all(f"{kind}:" in str(player.__doc__) for kind in KINDS)
