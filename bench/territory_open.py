"""The open solo puzzle of Territory: deals whose deck lies in a known order, solved to proof.

    python -m bench.territory_open [DEALS] [--time 60] [--from-hands] [--hard] [--option NAME=VALUE ...]
    python -m bench.territory_open --write examples/territory

--from-hands: five cards in the hand, of which three are to be kept; else the first round begins.
--hard: goals that can hardly be met are worth 9 points each, so that many scores must be refuted.
--write: make the puzzles of examples/territory, with their answers.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

import ninefold as nf
from ninefold.core.games.territory_open import OpenSolver
from ninefold.games.territory_puzzles import in_order
from ninefold.puzzles import NUMBERS

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
    "open-10": Open(5, 13, {"face_down": "free"}),
    "open-11": Open(4, 11),
    "open-12": Open(3, 12),
}


class Land(NamedTuple):
    """Nine animals drawn with this seed, or a hand and nine drafts, and the two sides of goals."""

    seed: int
    goals: tuple[str, ...] = ()
    face_down: bool = False
    hand: int = 0


LANDS = {
    "land-01": Land(1),
    "land-02": Land(2, ("herd", "far_thrones")),
    "land-03": Land(3, ("neighbours", "four_corners"), face_down=True),
    "land-04": Land(4, ("singles", "near_thrones"), hand=3),
    "land-05": Land(5, ("neighbours", "shoreline"), hand=3),
}
HARD = (  # both sides of eight goals
    "at least 8 water", "at least 7 both", "run of 6", "no empty and sum of any at most 120",
    "sum of any at least 360", "at least 9 odd", "stars of any at least 46", "group of 8 water", "run of 5 water",
    "3 lines of both", "at least 8 even and at least 4 both", "diagonal of only water and run of 4",
    "no empty and no face down and stars of any at most 16",
    "land boss in centre and water boss in corners and at least 8 land",
    "at least 4 number 1 to 10 and at least 4 number 41 to 50", "2 lines of only water and 2 lines of only land",
)  # fmt: skip


def hard() -> dict[str, Any]:
    """The invented set with other goals."""
    ruleset = msgspec.to_builtins(nf.game("territory", 1).ruleset)
    sides = [(goal, side) for goal in ruleset["goals"].values() for side in ("front", "back")]
    for (goal, side), needs in zip(sides, HARD, strict=True):
        goal[side] |= {"needs": needs, "points": 9}
    return {**ruleset, "ninefold": 1, "game": "territory"}


def opened(
    rounds: int, seed: int, options: Mapping[str, str] | None = None, ruleset: dict[str, Any] | None = None
) -> nf.Position:
    """A deal in a known order, played until so many rounds are left."""
    game = nf.game("territory", 1, options=dict(options or {}), ruleset=ruleset)
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


def land(what: Land) -> nf.Puzzle:
    """One of the questions about cards, without its answer."""
    game = nf.game("territory", 1)
    cards = tuple(random.Random(what.seed).sample(list(game.ruleset.animals), what.hand + 9))  # type: ignore[attr-defined]
    animals, drafts = (cards[: what.hand], cards[what.hand :]) if what.hand else (cards, ())
    title = "The best land of a hand and its drafts" if what.hand else "The best land of nine animals"
    return nf.Puzzle(
        game, "land", title=title, animals=animals, drafts=drafts, goals=what.goals, face_down=what.face_down
    )


def write(folder: Path, time: float, names: Sequence[str]) -> None:
    """Make the puzzles, those with such names or all."""
    folder.mkdir(exist_ok=True)
    asked = {name: puzzle(what) for name, what in PUZZLES.items() if not names or name in names}
    asked |= {name: land(what) for name, what in LANDS.items() if not names or name in names}
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
    parser.add_argument("--hard", action="store_true")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="of the puzzles to be made")
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write, arguments.time, arguments.only)
        return
    options = dict(option.split("=") for option in arguments.option)
    ruleset = hard() if arguments.hard else None
    times, values, refuted = [], [], 0
    for seed in range(arguments.deals):
        position = opened(10 if arguments.from_hands else 9, seed, options, ruleset)
        first = OpenSolver(position).upper
        found = nf.solve(position, nf.Limit(time=arguments.time))
        times.append(found.time if found.proven else float("inf"))
        values.append(found.lower or 0)
        refuted += found.proven and values[-1] < first
    print(
        f"{sum(time < float('inf') for time in times)} of {len(times)} proven, {refuted} below the first bound; "
        f"seconds: median {statistics.median(times):.4f}, most {max(times):.4f}; "
        f"points: mean {statistics.mean(values):.2f}, {min(values)} to {max(values)}"
    )


if __name__ == "__main__":
    main()
