"""The slow twin of Coney plays the line of an answer: the separate checker of what is shipped as proven."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

import ninefold as nf
from tests.reference.coney import RESOURCES, Coney, Rabbit, cell_text

__all__ = ["twin_points"]


def twin_points(puzzle: nf.Puzzle, line: list[str]) -> int:
    """The points that a line comes to by the twin's rules, which must allow every step."""
    twin = twin_of(puzzle)
    if puzzle.position is not None:
        for step in line:
            twin.apply(0, step.removeprefix("0: "))
        assert twin.over()
        return twin.scores()[0]
    twin.farms, twin.stocks = [{}], [dict.fromkeys(RESOURCES, 0)]
    for step in line:
        _, name, cell = step.split()
        at = next((row, column) for row in range(3) for column in range(3) if cell_text((row, column)) == cell)
        assert at not in twin.farms[0]
        assert twin._may_lie(0, twin.cards[name], at)
        twin.farms[0][at] = Rabbit(twin.cards[name], puzzle.tokens.get(name, 0))
    return twin.scores()[0]


def twin_of(puzzle: nf.Puzzle) -> Coney:
    """The twin where the puzzle begins: at the first discards, or at the beginning of a turn."""
    ruleset = msgspec.to_builtins(puzzle.game.ruleset)
    options = dict(puzzle.game.options)
    if puzzle.position is None:
        return Coney(1, ruleset, options=options)
    data: dict[str, Any] = puzzle.position.to_dict()
    player = data["player"][0]
    if data.get("pending", {}).get("ask") == "limit":
        return Coney(1, ruleset, order=[*player["hand"], *data["order"]], options=options)
    assert "pending" not in data
    twin = Coney(1, ruleset, options=options)
    twin.order, twin.unseen = list(data["order"]), set()
    twin.discard, twin.market = list(data["discard"]), list(data["market"])
    twin.hands, twin.reserves = [list(player["hand"])], [list(player.get("reserve", []))]
    twin.farms = [{}]
    for row, words in enumerate(player["farm"]):
        for column, word in enumerate(words.split()):
            name, _, tokens = word.partition("+")
            if name != "-":
                twin.farms[0][row, column] = Rabbit(twin.cards[name], int(tokens or 0))
    twin.stocks = [{kind: player["stock"].get(kind, 0) for kind in RESOURCES}]
    used = Counter(twin.stocks[0])
    for rabbit in twin.farms[0].values():
        if rabbit.tokens:
            used[twin.food(rabbit.card)] += rabbit.tokens
    twin.supply = {kind: ruleset["supply"] - used[kind] for kind in RESOURCES}
    twin.rounds, twin.last_action = data["turn"] - 1, data.get("last", "")
    twin.possible, twin.options, twin.chosen = {}, {}, {}
    twin.script = twin._rounds()
    twin._go_on()
    return twin
