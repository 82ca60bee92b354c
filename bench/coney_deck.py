"""The prototypes' deck of Coney as a ruleset of this package.

python -m bench.coney_deck DIR/deck.txt > deck.toml
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ATTRIBUTES = ("male", "female", "white", "black", "grey", "brown", "orange")
RESOURCES = ("carrot", "pellet", "hay")
MODES = ("any", "same", "different")
LOGOS = ("bakery", "florist", "library")
HEAD = """\
ninefold = 1
game = "coney"
title = "The invented deck of the prototypes"
supply = "unlimited"
logos = ["bakery", "florist", "library"]
"""


def atom(attribute: int, relation: int, n: int) -> str:
    """One count of a condition. The relation: 0 none, 1 at most, 2 at least."""
    return (
        f"no {ATTRIBUTES[attribute]}",
        f"at most {n} {ATTRIBUTES[attribute]}",
        f"at least {n} {ATTRIBUTES[attribute]}",
    )[relation]


def amounts(numbers: list[int], words: tuple[str, ...]) -> str:
    """Numbers of resources in words."""
    return " ".join(f"{n} {word}" for n, word in zip(numbers, words, strict=True) if n)


def coupon(kind: int, what: int) -> str:
    """A coupon in words; "" for none."""
    if kind == 3:
        return f"breed: 1 {(*RESOURCES, 'any')[what]}"
    if kind == 5:
        return f"end: 1 per neighbour {ATTRIBUTES[what]}"
    if kind == 6:
        return f"end: 1 per {RESOURCES[what]} here"
    return {0: "", 1: "now: draw 1", 2: "now: sell reserved", 4: "breed: draw 1"}[kind]


def card(numbers: list[int]) -> dict[str, object]:
    """One card of the ruleset from one line of numbers."""
    points, colours, sex, _ = numbers[:4]
    first, second = atom(*numbers[9:12]), atom(*numbers[12:15])
    condition = ("", first, f"{first} and {second}", f"{first} or {second}")[numbers[8]]
    sale = [amounts(numbers[15:18], RESOURCES), amounts([numbers[18]], (MODES[numbers[19]],))]
    fields: dict[str, object] = {
        "points": points,
        "colours": " ".join(name for i, name in enumerate(ATTRIBUTES[2:]) if colours >> i & 1),
        "sex": ("male", "female", "wild")[sex],
        "cost": amounts(numbers[4:8], (*RESOURCES, "any")),
        "condition": condition,
        "sale": " ".join(filter(None, sale)),
        "coupon": coupon(*numbers[20:22]),
        "logo": LOGOS[numbers[22]] if numbers[22] < len(LOGOS) else "",
    }
    return {name: value for name, value in fields.items() if value != ""}


def cards(path: Path) -> dict[str, dict[str, object]]:
    """All cards of a prototypes' deck, by name, in its order."""
    lines = [line for line in path.read_text().splitlines() if line.strip()]
    return {f"rabbit_{i + 1:02}": card([int(word) for word in line.split()]) for i, line in enumerate(lines)}


def ruleset(path: Path) -> str:
    """A ruleset file."""
    text = HEAD
    for name, fields in cards(path).items():
        text += f"\n[cards.{name}]\n"
        text += "".join(
            f"{field} = {value}\n" if isinstance(value, int) else f'{field} = "{value}"\n'
            for field, value in fields.items()
        )
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck", type=Path, help="deck.txt of the prototypes")
    sys.stdout.write(ruleset(parser.parse_args().deck))


if __name__ == "__main__":
    main()
