"""The plug-in as its users meet it: installed, and by its names."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.games.donuts import DonutsRuleset


def test_ruleset_changes_the_deck() -> None:
    ruleset = nf.game("donuts", players=2, ruleset="bakery").ruleset
    assert isinstance(ruleset, DonutsRuleset)
    assert ruleset.kinds["plain"].copies == 10


def test_player_of_a_higher_rank_wins_more() -> None:
    best, worst = nf.match(["nth:1", "nth:9"], "donuts", 40, seed=1).standings()
    assert best.win[0] > worst.win[0]


@pytest.mark.parametrize(("spec", "said"), [("nth:0", "N counts from 1 in 'nth:0'"), ("nth", "invalid literal")])
def test_wrong_rank_is_refused(spec: str, said: str) -> None:
    with pytest.raises(nf.InputError, match=said):
        nf.match([spec, "random"], "donuts", 2)
