"""Random positions of a game for the tests, and a short way to set one up."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import ninefold as nf

OPTIONS = [
    dict(zip(("double_chocolate_return", "coffee", "red_velvet", "bear_claw"), values, strict=True))
    for values in itertools.product(("bottom", "top"), ("frozen", "final"), ("may", "must"), ("may", "must"))
]


def random_game(seed: int, players: int | None = None) -> nf.Game:
    """A game of donuts whose players and options go through all combinations as the seed grows."""
    return nf.game("donuts", players or 2 + seed % 5, options=OPTIONS[seed // 5 % len(OPTIONS)])


def walk(game: nf.Game, seed: int) -> Iterator[nf.Position]:
    """All positions of a random game, the first and the last too. They are the same object, changed in place."""
    rng = random.Random(seed)
    position = game.start()
    yield position
    while not position.is_over:
        if position.actors:
            player = rng.choice(position.actors)
            position.play(player, rng.choice(position.legal(player)))
        else:
            position.chance(rng=nf.Generator(rng.getrandbits(60)))
        yield position


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
