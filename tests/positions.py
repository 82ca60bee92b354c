"""Random positions of a game for the tests, and a short way to set one up."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

import ninefold as nf
from ninefold.core.rules import State
from ninefold.games import module
from ninefold.games.donuts import DonutsRuleset

S = TypeVar("S", bound=State)


def all_options(name: str) -> list[dict[str, str]]:
    """All combinations of a game's options."""
    options = module(name).standard().options
    values = itertools.product(*(option.values for option in options.values()))
    return [dict(zip(options, chosen, strict=True)) for chosen in values]


OPTIONS = all_options("donuts")


def random_game(seed: int, players: int | None = None) -> nf.Game:
    """A game of donuts whose players and options go through all combinations as the seed grows."""
    return nf.game("donuts", players or 2 + seed % 5, options=OPTIONS[seed // 5 % len(OPTIONS)])


def walk(game: nf.Game, seed: int) -> Iterator[nf.Position]:
    """All positions of a random game, the first and the last too. They are the same object, changed in place."""
    return wander(game.start(), seed)


def wander(state: S, seed: int) -> Iterator[S]:
    """As `walk`, from a state of a game of the face or of the core alone, which is changed."""
    rng = random.Random(seed)
    yield state
    while not state.is_over:
        if state.actors:
            player = rng.choice(state.actors)
            state.apply(player, rng.choice(state.legal(player)))
        else:
            state.roll(nf.Generator(rng.getrandbits(60)))
        yield state


def table(
    row: str, *hands: str, discard: str = "", preset: str = "standard", ruleset: object = None, **more: object
) -> nf.Position:
    """A position of donuts from words: table("plain glazed eclair", "2 plain coffee+1", "") for two players.

    Option names among the keywords go to the game, everything else into the position's data.
    """
    options = {name: more.pop(name) for name in list(more) if name in OPTIONS[0]}
    game = nf.game("donuts", len(hands), preset=preset, options=options, ruleset=ruleset)  # type: ignore[arg-type]
    players = []
    for hand in hands:
        cards: dict[str, int] = {}
        number = 1
        for word in hand.split():
            if word.isdigit():
                number = int(word)
            else:
                cards[word], number = number, 1
        players.append({"cards": cards})
    data: dict[str, object] = {"row": row.split(), "player": players, **more}
    if discard:
        data["discard"] = discard.split()
    return game.position(data)


def last_round(row: str, *hands: str) -> nf.Position:
    """Everybody about to bid, and nothing left in the deck: there are no other cards in this game."""
    held = " ".join(hands).split()
    copies = Counter(row.split())
    for number, name in zip(held[::2], held[1::2], strict=True):
        copies[name] += int(number)
    ruleset = nf.game("donuts", 2).ruleset
    assert isinstance(ruleset, DonutsRuleset)
    kinds = {name: {"copies": copies[name]} for name in ruleset.used(2)}
    return table(row, *hands, ruleset={"extends": "standard", "kinds": kinds})


def bid(position: nf.Position, *places: int) -> nf.Position:
    """All bids of a round, by player."""
    position.play_all({player: f"bid {place}" for player, place in enumerate(places)})
    return position


def cards(position: nf.Position, player: int) -> dict[str, int]:
    """What a player holds."""
    found = position.to_dict()["player"][player]["cards"]
    assert isinstance(found, dict)
    return found


def row(position: nf.Position) -> str:
    """The row, "-" where it is empty."""
    return " ".join(position.to_dict()["row"])


def pile(position: nf.Position) -> str:
    """The discard pile, bottom first."""
    return " ".join(position.to_dict().get("discard", []))


def moves(position: nf.Position, player: int | None = None) -> list[str]:
    """Legal moves as text, sorted."""
    return sorted(str(move) for move in position.legal(player))
