"""Observations: what a player knows as a fixed number of 32-bit floats, in named planes."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import NamedTuple

from ninefold.errors import InputError, near, shown

__all__ = ["Layout", "Observation", "Plane", "layout"]


class Layout(NamedTuple):
    """A plane of a game before its numbers of players and cards are known: a row of the table in docs/games/."""

    name: str
    shape: tuple[str, ...]  # dimensions by name
    values: str
    text: str
    seats: str  # "" always there, "alone" or "together" only for 1 player or for more


class Plane(NamedTuple):
    """One plane: `start` and `size` say where it lies in the observation, row by row where it has several dimensions.

    `values` says what its numbers may be, `text` what they mean; `axes` names the dimensions of `shape`.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    values: str
    text: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def stop(self) -> int:
        """Where the next one begins."""
        return self.start + self.size

    @property
    def slice(self) -> slice:
        """Its place, to take it out of an observation."""
        return slice(self.start, self.stop)


class Observation:
    """What the observations of a game consist of: their `size`, their `planes`, and the `version` of both.

    Within one version a plane of a game with the same players and cards keeps its place and meaning.
    `position.observe(player)` is one observation, `observation["row"]` a plane of it.
    """

    def __init__(self, version: int, layouts: tuple[Layout, ...], dimensions: Mapping[str, int]) -> None:
        """See the class; `game.observation` makes them."""
        self.version = version
        start, planes = 0, []
        for name, axes, values, text, seats in layouts:
            if seats in ("", "alone" if dimensions["players"] == 1 else "together"):
                planes.append(Plane(name, start, tuple(dimensions[axis] for axis in axes), axes, values, text))
                start = planes[-1].stop
        self.planes: tuple[Plane, ...] = tuple(planes)
        self.size = start

    def __getitem__(self, name: str) -> Plane:
        """The plane with this name. Raises InputError."""
        for plane in self.planes:
            if plane.name == name:
                return plane
        names = [plane.name for plane in self.planes]
        raise InputError(f"unknown plane {shown(name)}", value=name, match=near(name, names))

    def __repr__(self) -> str:
        return f"<Observation: {self.size} numbers in {len(self.planes)} planes, version {self.version}>"


def layout(text: str) -> tuple[Layout, ...]:
    """The planes that a table describes: name | dimensions | values | meaning; deeper lines go on with the meaning.

    A name with a star is only there for one player, with a plus only for more.
    """
    rows: list[list[str]] = []
    for line in text.strip("\n").splitlines():
        if line.startswith(" "):
            rows[-1][-1] += " " + line.strip()
        else:
            rows.append([cell.strip() for cell in line.split("|")])
    kinds = {"*": "alone", "+": "together"}
    return tuple(
        Layout(
            name.rstrip("*+"), tuple(axes.split(" x ")) if axes else (), values, text, kinds.get(name[-1], "")
        )
        for name, axes, values, text in rows
    )  # fmt: skip


# --- the pages in docs/games/ ----------------------------------------------------------------------------------------

START, END = "<!-- planes -->\n", "<!-- end of planes -->\n"


def table(name: str) -> str:
    """The planes of a game's observations as a table for its page."""
    from ninefold._game import game
    from ninefold.games import module

    observations = [game(name, players).observation for players in module(name).players]
    layouts: dict[str, Plane] = {plane.name: plane for found in observations for plane in found.planes}
    sizes = ", ".join(str(found.size) for found in observations)
    counts = f"{sizes} numbers for {module(name).counts} players"
    lines = [
        f"Version {observations[0].version}; with the standard ruleset {counts}.",
        "", "| plane | shape | numbers | meaning |", "|---|---|---|---|",
    ]  # fmt: skip
    for plane in layouts.values():
        there = [plane.name in {one.name for one in found.planes} for found in observations]
        only = "" if all(there) else " (alone)" if there[0] else " (2 or more players)"
        lines.append(f"| `{plane.name}`{only} | {' × '.join(plane.axes)} | {plane.values} | {plane.text} |")
    return "\n".join(lines) + "\n"


def main(folder: str = "docs/games") -> None:
    """Write the tables of all games into their pages in FOLDER."""
    from pathlib import Path

    from ninefold.games import NAMES

    for name in NAMES:
        page = Path(folder, f"{name}.md")
        before, rest = page.read_text(encoding="utf-8").split(START)
        page.write_text(before + START + table(name) + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
