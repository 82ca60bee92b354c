"""The puzzles of examples/coney: made from deals, solved, and written with their answers.

    python -m bench.coney_puzzles [NAME ...] [--time 900] [--folder examples/coney]

Open ones are deals whose deck lies in a known, shuffled order; those with less than nine turns left were played up to
there by a small search. What is not proven in time is written with its bounds.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec

import ninefold as nf
from ninefold.files import from_dict
from ninefold.games.coney_puzzles import in_order
from ninefold.puzzles import NUMBERS

VISITS = 400  # a move, of the play that leads to a puzzle


class Open(NamedTuple):
    """Nine turns less those that are played."""

    left: int
    seed: int


class Farm(NamedTuple):
    """So many rabbits, drawn with this seed."""

    rabbits: int
    use: str
    seed: int
    stock: dict[str, int] | None = None


PUZZLES: dict[str, Open | Farm] = {
    "open-01": Open(3, 1),
    "open-02": Open(3, 5),
    "open-03": Open(4, 2),
    "open-04": Open(4, 5),
    "open-05": Open(5, 1),
    "open-06": Open(5, 3),
    "open-07": Open(6, 1),
    "open-08": Open(6, 6),
    "open-09": Open(7, 1),
    "open-10": Open(8, 1),
    "open-11": Open(9, 1),
    "open-12": Open(9, 2),
    "farm-01": Farm(9, "all", 3),
    "farm-02": Farm(14, "best", 2),
    "farm-03": Farm(20, "best", 5, {"carrot": 6, "pellet": 6, "hay": 6}),
}


def opened(left: int, seed: int) -> nf.Position:
    """A deal in a known order, played until so many turns are left."""
    position = in_order(nf.game("coney", 1).deal(seed), seed)
    while left < 9 and ((position.rest or 0) > left or "pending" in position.to_dict()):
        position.play(0, nf.best(position, nf.Limit(visits=VISITS), seed=seed, exact=False).best)
    return position


def puzzle(name: str) -> nf.Puzzle:
    """One of the puzzles, without its answer."""
    game, what = nf.game("coney", 1), PUZZLES[name]
    if isinstance(what, Open):
        title = f"{NUMBERS[what.left].capitalize()} turns left" if what.left < 9 else "All nine turns"
        return nf.Puzzle(game, "maximum", opened(*what), title=f"{title}, the order of the deck known")
    rabbits = random.Random(what.seed).sample(list(game.ruleset.cards), what.rabbits)  # type: ignore[attr-defined]
    title = "Nine rabbits, every one of them" if what.use == "all" else f"The best farm of {what.rabbits} rabbits"
    title += ", to be paid for" if what.stock else ""
    return from_dict(
        {
            "ninefold": 1, "game": "coney", "title": title, "question": "farm", "rabbits": rabbits, "use": what.use,
            **({"stock": what.stock} if what.stock else {}),
        }
    )  # type: ignore[return-value]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(PUZZLES), metavar="NAME")
    parser.add_argument("--time", type=float, default=900, help="seconds for each")
    parser.add_argument("--folder", type=Path, default=Path("examples/coney"))
    arguments = parser.parse_args()
    for name in arguments.names:
        asked = puzzle(name)
        found = nf.solve(asked, nf.Limit(time=arguments.time))
        assert found.certificate is not None
        answer = msgspec.convert(found.certificate["answer"], nf.Answer)
        answer = msgspec.structs.replace(answer, command=f"ninefold solve examples/coney/{name}.toml")
        nf.write(replace(asked, answer=answer), arguments.folder / f"{name}.toml")
        print(f"{name}: {found.lower} to {found.upper}, {found.time:.2f} s, {found.nodes:,} nodes", flush=True)


if __name__ == "__main__":
    main()
