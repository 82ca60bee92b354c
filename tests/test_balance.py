"""Balance: a strong card is marked and equal ones are not, statistics, files, workers, pages."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

import ninefold as nf
from ninefold import _balance
from tests.shell import run
from tests.test_review import Page

pytestmark = pytest.mark.unsanitized


def donuts(**kinds: int) -> nf.Game:
    """Donuts for two without powers: each kind so many points, one copy of what has less than nothing."""
    return nf.game(
        "donuts",
        2,
        ruleset={
            "title": "test",
            "kinds": {
                name: {"players": 2, "copies": 5 if points > 0 else 1, "points": points}
                for name, points in kinds.items()
            },
        },
    )


def test_a_strong_card_is_marked_and_a_bad_one_is_never_taken() -> None:
    found = nf.balance(donuts(gold=6, silver=2, bronze=2, copper=2, tin=2, poison=-40), 150, player="softmax:2", seed=1)
    cards = {one.name: one for one in found.cards()}
    assert found.cards()[0].name == "gold"
    assert [name for name, one in cards.items() if one.mark == "wins more"] == ["gold"]
    assert [name for name, one in cards.items() if one.mark == "never taken"] == ["poison"]
    gold, poison = cards["gold"], cards["poison"]
    assert gold.edge is not None
    assert gold.edge[0] > gold.edge[1] > 0
    assert gold.doubt is not None
    assert gold.doubt < 0.05
    assert gold.rate is not None
    assert gold.chance is not None
    assert gold.rate[1] > gold.chance
    assert (poison.picked, poison.owners, poison.win, poison.points) == (0, 0, None, None)
    assert gold.points is not None
    assert gold.without is not None
    assert gold.points > gold.without


def test_equal_cards_are_not_marked() -> None:
    for seed in range(2):
        found = nf.balance(donuts(a=2, b=2, c=2, d=2, e=2, f=2), 100, player="softmax:1", seed=seed)
        assert [one.mark for one in found.cards()] == [""] * 6
        assert not any(one.sure for one in found.seats())


@pytest.mark.parametrize(
    ("name", "seats"), [("donuts", 3), ("coney", 1), ("coney", 2), ("territory", 4), ("canopy", 2)]
)
def test_every_game_is_counted(name: str, seats: int) -> None:
    found = nf.balance(name, 4, seats=seats, player="softmax:1", seed=2)
    assert len(found.games) == 4
    for one in found.games:
        assert len(one.points) == len(one.wins) == len(one.owned) == seats
        assert sum(one.wins) == pytest.approx(1)
        assert any(one.owned)
        for offered, chance, picked in one.offers.values():
            assert 0 < chance < offered >= picked >= 0
    cards = found.cards()
    assert sum(one.offered for one in cards) > 0
    assert {one.name for one in cards} >= {card for one in found.games for owned in one.owned for card in owned}
    assert sum(found.scores().bins) == 4 * seats
    assert sum(found.lengths().bins) == 4
    assert (found.margins() is None) == (seats == 1)
    assert msgspec.json.encode(found.to_dict())
    words = Page(found.to_html()).words
    assert "4 games tell little" in words
    assert ("invented" in words) == (name != "donuts")
    assert found.first == (0 if name == "canopy" or (name, seats) == ("coney", 2) else None)


def test_a_hostile_title_is_only_words() -> None:
    title = "</title><script>alert(1)</script> invented"
    game = nf.game("donuts", 2, ruleset={"extends": "standard", "title": title})
    assert title in Page(nf.balance(game, 2, player="random").to_html()).words


def test_the_same_games_on_any_number_of_workers_and_from_a_file(tmp_path: Path) -> None:
    whole = nf.balance("donuts", 12, player="mcts:visits=5", seed=3)
    with ThreadPoolExecutor(2) as pool:
        assert nf.balance("donuts", 12, player="mcts:visits=5", seed=3, executor=pool, workers=2) == whole
    file = tmp_path / "games.jsonl"

    def stop(so_far: nf.Balance) -> None:
        if len(so_far.games) == 5:
            raise KeyboardInterrupt

    part = nf.balance("donuts", 12, player="mcts:visits=5", seed=3, file=file, report=stop)
    assert part.stopped == "interrupted"
    assert part.games == whole.games[:5]
    assert nf.balance("donuts", 12, player="mcts:visits=5", seed=3, file=file).games == whole.games
    with pytest.raises(nf.InputError, match="another match: seed is different"):
        nf.balance("donuts", 12, player="mcts:visits=5", seed=4, file=file)
    with pytest.raises(nf.InputError, match="unknown player"):
        nf.balance("donuts", 12, player="gredy")


def test_statistics_are_those_of_the_books() -> None:
    stats = pytest.importorskip("scipy.stats")
    for n in (5, 20, 200):
        for t in (0.5, 2.0, 4.0):
            assert _balance._doubt(t, n) == pytest.approx(2 * stats.t.sf(t, n - 1), rel=0.05)
    doubts = [0.01, 0.04, 0.03, 0.5]
    assert _balance._holm(doubts) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    # One offer a game: nothing to correct, Wilson's interval as it is.
    rng = random.Random(1)
    counts = [(int(rng.random() < 0.2), 1) for _ in range(400)]
    share, low, high = _balance._rate(counts) or (0, 0, 0)
    book = stats.binomtest(sum(k for k, _ in counts), 400).proportion_ci(method="wilson")
    assert share == sum(k for k, _ in counts) / 400
    assert (low, high) == pytest.approx((book.low, book.high), abs=2e-3)
    # Ten offers a game, all alike: as sure as one.
    alike = _balance._rate([(10 * k, 10) for k, _ in counts]) or (0, 0, 0)
    assert alike == pytest.approx((share, low, high), abs=2e-3)
    none: Any = _balance._rate([(0, 1)] * 50)
    assert none[0] == none[1] == 0
    assert none[2] == pytest.approx(stats.binomtest(0, 50).proportion_ci(method="wilson").high, abs=1e-3)
    told = _balance._distribution([[1, 2], [3, 4], [60, 4]])
    assert told.width == 3
    assert sum(told.bins) == 6
    assert dict(told.quantiles)[0.5] == 3.5
    assert told.mean[0] == pytest.approx(74 / 6)


def test_marks_are_seldom_wrong_where_cards_are_alike() -> None:
    """Cards dealt at random to winners and losers: hardly one of fifty reports marks any of 20 cards."""
    rng, marked = random.Random(4), 0
    for _ in range(50):
        games = []
        for number in range(60):
            owned = tuple({f"c{rng.randrange(20)}": 1 for _ in range(8)} for _ in range(2))
            win = rng.random() < 0.5
            games.append(_balance.Told(number, (0, 0), (float(win), float(not win)), 1, 0, owned, {}))
        marked += any(one.mark for one in _balance._cards(games, alone=False))
    assert marked <= 6


def test_the_command(tmp_path: Path) -> None:
    page, file = tmp_path / "page.html", tmp_path / "games.jsonl"
    said = run(
        "balance", "donuts", "--games", "6", "--by", "softmax:1", "--html", str(page), "--file", str(file), "--json"
    )
    data = msgspec.json.decode(said.stdout)
    assert data["games"] == 6
    assert "Balance of donuts" in Page(page.read_text()).words
    assert len(file.read_text().splitlines()) == 7
    said = run("balance", "donuts", "--games", "6", "--by", "softmax:1", "--workers", "2", "--file", str(file))
    assert "Scores and length" in said.stdout
    assert "unknown player 'gredy'" in run("balance", "donuts", "--by", "gredy", code=2).stderr
    assert "games" in run("balance", "donuts", "--games", "0", code=2).stderr
    assert "workers" in run("balance", "donuts", "--workers", "0", "--games", "2", "--by", "random", code=2).stderr
