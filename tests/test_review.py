"""Reviews: planted mistakes are found, solved play has none, what is hidden stays hidden, pages need nothing else."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

import ninefold as nf
from ninefold._match import known_to
from ninefold._review import Choice, accuracy
from tests.shell import run

pytestmark = pytest.mark.unsanitized

SMALL = nf.Limit(visits=60)
SOLVED = nf.Limit(visits=1000)  # of what is not: no clock decides


class Page(HTMLParser):
    """A page's words; every element is closed, and nothing comes from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img", "iframe", "object", "base"), tag
        for name, value in attrs:
            assert name not in ("src", "href", "srcset", "action", "style"), (tag, name)
            assert not name.startswith("on"), (tag, name)
            assert name == "xmlns" or "//" not in (value or ""), value
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            assert not re.search(r"url\(|@import", data)
        self.words += data


def course(game: nf.Game, seed: int, skip: int, length: int, loss: float) -> tuple[nf.Record, int]:
    """Play by search after `skip` choices by guesses, but for one move that loses at least that: its step is told."""
    chance, position = nf.Generator(seed), game.start()
    for _ in range(skip):
        position.roll_all(chance)
        moves = {}
        for seat in position.actors:
            guesses = position.prior(seat)
            moves[seat] = position.legal(seat)[guesses.index(max(guesses))]
        position.play_all(moves)
    start, steps, planted, choices = position.copy(), [], 0, 0
    while not position.is_over and choices < length:
        if position.is_chance:
            steps.append(str(position.chance(rng=chance)))
            continue
        chosen = {}
        for seat in position.actors:
            answer = nf.best(known_to(position, seat), nf.Limit(visits=400), player=seat, seed=seed)
            worst = min(answer.moves, key=lambda info: info.interval[1])
            chosen[seat] = answer.best
            choices += 1
            if not planted and choices > 3 and answer.value - worst.interval[1] > loss:
                chosen[seat], planted = worst.move, len(steps) + 1 + len(chosen) - 1
        position.play_all(chosen)
        steps += [f"{seat}: {move}" for seat, move in sorted(chosen.items())]
    assert planted
    return nf.Record(game, tuple(steps), start), planted


@pytest.mark.parametrize(
    ("name", "players", "seed", "skip", "loss"),
    [
        ("donuts", 3, 4, 6, 0.2),
        ("coney", 1, 1, 20, 1.0),
        ("territory", 2, 2, 20, 0.25),
        ("canopy", 2, 3, 60, 0.04),
    ],
)
def test_a_planted_mistake_is_the_largest(name: str, players: int, seed: int, skip: int, loss: float) -> None:
    record, planted = course(nf.game(name, players), seed, skip, 20, loss)
    found = nf.review(record, nf.Limit(visits=800), seed=2)
    worst = found.mistakes()[0]
    assert worst.step == planted
    assert worst.lost == max(one.lost for one in found.choices) > loss / 2
    assert worst.interval[0] > 0
    assert worst.best != worst.move
    assert any(turn.kind == "choice" and turn.first == planted for turn in found.turning_points())


def test_solved_play_without_a_mistake_has_no_regret() -> None:
    start = nf.read("examples/donuts-2p-endgame.toml")
    assert isinstance(start, nf.Position)
    position, chance, steps = start.copy(), nf.Generator(1), list[str]()
    while not position.is_over:
        if position.is_chance:
            steps.append(str(position.chance(rng=chance)))
            continue
        moves = {seat: nf.best(position, SOLVED, player=seat).best for seat in position.actors}
        position.play_all(moves)
        steps += [f"{seat}: {move}" for seat, move in sorted(moves.items())]
    found = nf.review(nf.Record(start.game, tuple(steps), start))
    assert found.choices
    assert all(one.proven for one in found.choices)
    assert [one.regret for one in found.choices] == [0.0] * len(found.choices)
    assert {one.accuracy for one in found.standings() if one.choices} == {100.0}
    assert not found.mistakes()
    for one in found.standings():
        assert one.by_mistakes == one.by_others == 0


def test_in_a_mix_regret_is_counted_against_the_worth_of_the_equilibrium() -> None:
    start = nf.read("examples/donuts-2p-endgame.toml")
    assert isinstance(start, nf.Position)
    answer = nf.best(start, SOLVED, player=0)
    assert answer.proven
    for info in answer.moves:
        other = start.legal(1)[0]
        record = nf.Record(start.game, (f"0: {info.move}", f"1: {other}"), start)
        one = nf.review(record, players=[0]).choices[0]
        assert one.regret == pytest.approx(max(0, answer.value - info.value), abs=1e-9)
        assert one.interval == (one.regret, one.regret)
        if info.share > 1e-6:
            assert one.regret == pytest.approx(0, abs=1e-9)


def test_accuracy_falls_with_what_is_lost() -> None:
    curve = [accuracy(lost / 100) for lost in range(101)]
    assert curve[0] == 100
    assert curve == sorted(curve, reverse=True)
    assert curve[-1] == 0
    assert accuracy(0.1) == pytest.approx(103.1668 * 2.718281828 ** (-0.4354) - 3.1669, abs=1e-3)


@pytest.mark.parametrize("name", ["coney", "territory", "canopy"])
def test_what_a_player_could_not_see_changes_nothing(name: str) -> None:
    game, checked = nf.game(name, 2), 0
    position, chance = game.start(), nf.Generator(8)
    for _ in range(60):
        position.roll_all(chance)
        if position.is_over:
            break
        for seat in position.actors:
            other = position.copy()
            other.resample(seat, nf.Generator(9))
            if position.secrets == "hidden" and other != position and len(position.legal(seat)) > 1 and checked < 6:
                assert other.view(seat) == position.view(seat)
                if set(other.actors) != set(position.actors):
                    continue  # hidden choices were taken back
                step = (f"{seat}: {position.legal(seat)[-1]}",)
                one, two = (nf.review(nf.Record(game, step, start), SMALL).choices for start in (position, other))
                assert one == two
                checked += 1
        position.play_all({seat: chance.choice(position.legal(seat)) for seat in position.actors})
    assert checked


def test_choices_made_at_once_are_hidden_from_each_other() -> None:
    position = nf.game("donuts", 3).deal(4)
    seen = []
    for bid in (1, 2):
        record = nf.Record(position.game, (f"0: bid {bid}", "1: bid 3", "2: bid 4"), position)
        found = nf.review(record, SMALL)
        assert {one.turn for one in found.choices} == {0}
        seen.append(found.choices[1:])
    assert seen[0] == seen[1]


@pytest.mark.parametrize(("name", "players"), [("donuts", 6), ("coney", 1), ("territory", 3), ("canopy", 2)])
def test_a_review_adds_up_and_is_a_page(name: str, players: int) -> None:
    record = nf.Record.random(nf.game(name, players), 2)
    found = nf.review(record, nf.Limit(visits=40))
    assert found.stopped == "all"
    assert len(found.choices) == found.total > 0
    steps = list(record.positions())
    assert [one.step for one in found.choices] == [
        i
        for i, (step, position) in enumerate(zip(record.steps, steps, strict=False), 1)
        if ":" in step and position.actors and len(position.legal(int(step[0]))) > 1
    ]
    for one in found.choices:
        assert f"{one.player}: {one.move}" == record.steps[one.step - 1]
        assert one.interval[0] <= one.regret <= one.interval[1]
        assert one.lost in (0, one.regret)
        assert not one.lost or one.proven or one.interval[0] > 0
        assert 0 <= one.accuracy <= 100
        assert len(one.before) == len(one.after) == players
    for player in found.standings():
        assert player.start is not None
        assert player.end is not None
        assert player.end == pytest.approx(
            player.start + player.by_mistakes + player.by_others + player.by_luck, abs=1e-9
        )
        curve = found.curve(player.player)
        assert curve[-1] == (len(record.steps), player.end)
        assert [step for step, _ in curve] == sorted(step for step, _ in curve)
    for turn in found.turning_points():
        assert abs(turn.change) > 0
        assert turn.kind == "choice" or abs(turn.change) > turn.error
    words = Page(found.to_html("<script>alert(1)</script> & <b>mine</b>.toml")).words
    assert "<script>alert(1)</script> & <b>mine</b>.toml" in words
    assert all(one.move in words for one in found.choices)
    assert msgspec.json.encode(found.to_dict())
    assert found.game in found.to_svg()


def test_players_workers_and_interruptions() -> None:
    record = nf.Record.random(nf.game("donuts", 3), 4)
    whole = nf.review(record, SMALL, seed=3)
    only = nf.review(record, SMALL, seed=3, players=[1])
    assert only.choices == [one for one in whole.choices if one.player == 1]
    with ThreadPoolExecutor(2) as pool:
        assert nf.review(record, SMALL, seed=3, executor=pool, workers=2) == whole

    def stop(so_far: nf.Review) -> None:
        if len(so_far.choices) == 7:
            raise KeyboardInterrupt

    part = nf.review(record, SMALL, seed=3, report=stop)
    assert part.stopped == "interrupted"
    assert part.choices == whole.choices[:7]
    assert f"7 of {whole.total} choices reviewed" in Page(part.to_html()).words
    with pytest.raises(nf.InputError, match="no player 3: players are 0 to 2"):
        nf.review(record, players=[3])
    with pytest.raises(nf.InputError, match=r"steps\[0\]"):
        nf.review(nf.Record(record.game, ("deal nothing",)))


def test_a_move_that_was_never_tried_is_not_blamed() -> None:
    position = nf.game("coney", 1).deal(3)
    move = position.legal(0)[-1]
    (one,) = nf.review(nf.Record(position.game, (f"0: {move}",), position), nf.Limit(visits=1)).choices
    assert isinstance(one, Choice)
    assert one.lost == one.regret == 0


def test_the_command(tmp_path: Path) -> None:
    page = tmp_path / "<b>.html"
    page.write_text("old")
    said = run(
        "review", "examples/donuts-record.toml", "--visits", "20", "--player", "0", "--html", str(page), "--json"
    )
    data = msgspec.json.decode(said.stdout)
    assert {one["player"] for one in data["choices"]} == {0}
    assert "Review of examples/donuts-record.toml" in Page(page.read_text()).words
    assert list(tmp_path.iterdir()) == [page]
    alike = run("review", "examples/donuts-record.toml", "--visits", "20", "--player", "0", "--workers", "2", "--json")
    assert alike.stdout == said.stdout
    said = run("review", "examples/donuts-record.toml", "--visits", "20")
    assert "Turning points" in said.stdout
    assert "Mistakes" in said.stdout
    for arguments, wrong in (
        (["examples/donuts-3p.toml"], "this is no record of a game"),
        (["examples/donuts-record.toml", "--visits", "0"], "limit.visits"),
        (["examples/donuts-record.toml", "--visits", "9", "--player", "7"], "no player 7"),
        (["examples/donuts-record.toml", "--visits", "9", "--html", str(tmp_path / "no" / "x")], "cannot be written"),
    ):
        assert wrong in run("review", *arguments, code=2).stderr
