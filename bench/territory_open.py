"""The open solo puzzle of Territory: deals whose deck lies in a known order, solved to proof.

    python -m bench.territory_open [DEALS] [--time 60] [--from-hands] [--option NAME=VALUE ...]
    python -m bench.territory_open --write examples/territory

--from-hands: five cards in the hand, of which three are to be kept; else the first round begins.
--write: make the puzzles of examples/territory, with their answers.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

import ninefold as nf

VISITS = 200  # a move, of the play that leads to a puzzle


class Open(NamedTuple):
    """So many rounds to be played, or ten: the cards of the first hand are to be given back, too."""

    rounds: int
    seed: int
    options: Mapping[str, str] = MappingProxyType({})


PUZZLES = {
    "open-01": Open(10, 1),
    "open-02": Open(10, 2, {"territory_points": "on"}),
    "open-03": Open(9, 3),
    "open-04": Open(9, 4, {"face_down": "free", "bonus": "may"}),
    "open-05": Open(9, 5, {"territory_points": "on"}),
    "open-06": Open(8, 6),
    "open-07": Open(7, 7),
    "open-08": Open(6, 8),
    "open-09": Open(5, 9),
    "open-10": Open(5, 10, {"face_down": "free"}),
    "open-11": Open(4, 11),
    "open-12": Open(3, 12),
}
LANDS = {  # nine animals drawn with this seed, the two sides of goals, and whether cards may lie face down
    "land-01": (1, (), False),
    "land-02": (2, ("herd", "far_thrones"), False),
    "land-03": (3, ("neighbours", "four_corners"), True),
}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def in_order(position: nf.Position, seed: int) -> nf.Position:
    """The same position, alone, with the deck in a known order."""
    data: dict[str, Any] = position.to_dict()
    player = data["player"][0]
    seen = {*data.get("row", []), *data.get("discard", []), *player.get("hand", []), *player.get("shown", [])}
    seen |= {*player.get("returned", []), *data.get("pending", {}).get("played", [])}
    seen |= set(re.findall(r"\w+", " ".join(player.get("cells", []))))
    deck = [name for name in position.game.ruleset.animals if name not in seen]  # type: ignore[attr-defined]
    random.Random(seed).shuffle(deck)
    fields = {name: value for name, value in data.items() if name not in ("ninefold", "game", "options", "ruleset")}
    return position.game.position({**fields, "order": deck})


def opened(rounds: int, seed: int, options: Mapping[str, str] | None = None) -> nf.Position:
    """A deal in a known order, played until so many rounds are left."""
    game = nf.game("territory", 1, options=dict(options or {}))
    position, rng = game.start(), nf.Generator(seed)
    while not position.actors:
        position.chance(rng=rng)
    if rounds < 10:
        while not position.actors or position.to_dict().get("pending", {}).get("phase") == "return":
            if position.actors:
                position.play(0, rng.choice(position.legal()))
            else:
                position.chance(rng=rng)
    position = in_order(position, seed)
    while rounds < 9 and ((position.rest or 0) > 4 * rounds or "pending" in position.to_dict()):
        position.play(0, nf.best(position, nf.Limit(visits=VISITS), seed=seed, exact=False).best)
    return position


def puzzle(what: Open) -> nf.Puzzle:
    """One of the open puzzles, without its answer."""
    title = f"{NUMBERS[what.rounds].capitalize()} rounds left" if what.rounds < 9 else "All nine rounds"
    title += ", three of five cards to be kept" if what.rounds == 10 else ""
    position = opened(*what)
    return nf.Puzzle(position.game, "maximum", position, title=f"{title}; the order of the deck known")


def write(folder: Path, time: float) -> None:
    """Make the puzzles."""
    folder.mkdir(exist_ok=True)
    asked = {name: puzzle(what) for name, what in PUZZLES.items()}
    for name, (seed, goals, face_down) in LANDS.items():
        game = nf.game("territory", 1)
        animals = tuple(random.Random(seed).sample(list(game.ruleset.animals), 9))  # type: ignore[attr-defined]
        asked[name] = nf.Puzzle(
            game, "land", title="The best land of nine animals", animals=animals, goals=goals, face_down=face_down
        )
    for name, one in asked.items():
        found = nf.solve(one, nf.Limit(time=time))
        assert found.certificate is not None
        answer = msgspec.convert(found.certificate["answer"], nf.Answer)
        answer = msgspec.structs.replace(answer, command=f"ninefold solve examples/territory/{name}.toml")
        nf.write(replace(one, answer=answer), folder / f"{name}.toml")
        print(f"{name}: {found.lower} to {found.upper}, {found.time:.3f} s, {found.nodes:,} nodes", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deals", nargs="?", type=int, default=50)
    parser.add_argument("--time", type=float, default=60, help="seconds for each")
    parser.add_argument("--from-hands", action="store_true")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write, arguments.time)
        return
    options = dict(option.split("=") for option in arguments.option)
    times, values = [], []
    for seed in range(arguments.deals):
        position = opened(10 if arguments.from_hands else 9, seed, options)
        found = nf.solve(position, nf.Limit(time=arguments.time))
        times.append(found.time if found.proven else float("inf"))
        values.append(found.lower or 0)
    print(
        f"{sum(time < float('inf') for time in times)} of {len(times)} proven; seconds: median "
        f"{statistics.median(times):.4f}, most {max(times):.4f}; points: mean {statistics.mean(values):.2f}, "
        f"{min(values)} to {max(values)}"
    )


if __name__ == "__main__":
    main()
