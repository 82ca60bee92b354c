"""Canopy: what a position and its moves look like, in words, in the terminal, and drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ninefold.core.games import canopy as core
from ninefold.games.canopy_files import NONE, Writer, ruleset_of, tree_text
from ninefold.games.canopy_ruleset import FAMILIES, KINDS, MARK, CanopyRuleset, Numbers

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold.draw import Canvas
    from ninefold.position import Position

__all__ = ["gloss", "numbers_now", "picture", "situation", "svg", "text"]

COLOURS = {  # in the terminal, and in drawings
    "trunk": ("yellow", "#8d6e3f"), "canopy": ("green", "#2da44e"), "philodendron": ("green", "#1a7f37"),
    "bromelia": ("magenta", "#bf3989"), "fern": ("bright_green", "#4ac26b"), "seed": ("white", "#c9a227"),
    "rain": ("cyan", "#2f81d8"), "sun": ("bright_yellow", "#e3b341"), "fire": ("red", "#d1242f"),
    "drought": ("red", "#bc4c00"), "disease": ("red", "#8250df"), "active animal": ("blue", "#0969da"),
    "mating animal": ("bright_blue", "#54aeff"),
}  # fmt: skip
FAMILY_OF = {kind: family for family, kinds in FAMILIES.items() for kind in kinds}
WIDE, HIGH, ROW = 184, 30, 5  # a card of a drawing, and how many lie side by side


# --- words ------------------------------------------------------------------------------------------------------------


def numbers_now(position: Position) -> Numbers:
    """The numbers that hold in this season."""
    return ruleset_of(position.game).shifted(_shift(position, core.dump(position)))


def _shift(position: Position, state: Mapping[str, Any]) -> str:
    """The card of Shifting Seasons that holds, or nothing."""
    return "" if state["shift"] == NONE else list(ruleset_of(position.game).shift)[state["shift"]]


def worth(ruleset: CanopyRuleset, shift: str, kind: str) -> str:
    """What a card is good for, in a few words; invented numbers are marked."""
    numbers = ruleset.shifted(shift)

    def said(name: str) -> str:
        value = getattr(numbers, name)
        changed = bool(shift) and name in ruleset.shift[shift].numbers
        path = f"shift.{shift}" if changed else f"numbers.{name}"
        return (", ".join(map(str, value)) if isinstance(value, list) else str(value)) + ruleset.mark(path)

    plain = {
        "trunk": f"prints {kind[-1]}", "canopy": f"{kind[-1]} a trunk", "seed": "", "drought": "",
        "philodendron": f"{said('philodendron_points')} for {said('philodendron_set')}", "bromelia": said("bromelia"),
        "fern": f"{said('fern_odd')} each if odd", "rain": f"{said('weather_pair')} a pair",
        "sun": f"{said('weather_pair')} a pair", "fire": f"harm from {said('fire_two')}",
        "disease": f"harm from {said('disease_two')}", "active animal": said("active"),
        "mating animal": f"{said('mating')} or {said('mating_pair')}",
    }  # fmt: skip
    return plain[FAMILY_OF[kind]]


def gloss(position: Position, move: str) -> str:
    """What lies in the pile that a move takes, or what the card or tree is that it names."""
    state = core.dump(position)
    data = Writer(position).data()
    if move == "keep" or move.startswith("toucan"):
        pile = state["at"] if move == "keep" else int(move[-1]) - 1
        return ", ".join(card.partition(" ")[0] for card in data["piles"][pile])
    player = state["player"][state["turn"]]
    words = move.replace(":", "").split()
    if "tree" in words and words[-1].isdecimal():
        trees = player["done" if "completed" in words else "open"]
        if int(words[-1]) <= len(trees):
            tree = trees[int(words[-1]) - 1]
            return tree_text(tree[:3], *tree[3:])
        return ""
    return worth(ruleset_of(position.game), _shift(position, state), words[-1]) if words[-1] in KINDS else ""


def situation(position: Position) -> str:
    """In words, who must do what."""
    state = core.dump(position)
    phase = core.PHASES[state["phase"]]
    who, pile = state["turn"], state["at"] + 1
    if phase == "over":
        return f"over, won by {' and '.join(map(str, position.winners()))}"
    card = "" if state["card"] == NONE else KINDS[state["card"]]
    plants, animals = (
        ("a plant", "an animal")
        if state["more"] == 1
        else (f"{state['more']} {what}" for what in ("plants", "animals"))
    )
    return {
        "shift": "chance turns up a season card", "reveal": f"chance shows pile {pile} to {who}",
        "peek": f"chance shows pile {pile} to {who}", "draw": f"chance draws for {who}",
        "seed_draw": f"chance draws seeds for {who}", "start": f"to look: {who}",
        "choose": f"to keep or pass pile {pile}: {who}", "boa": f"to take a card of pile {pile}: {who}",
        "enter": f"to choose what enters: {who}", "grow": f"to choose a tree for {card}: {who}",
        "discard": f"to discard for a drought: {who}", "rest": f"to draw by the sloth or not: {who}",
        "end": f"to end the turn: {who}", "keep": f"to keep seeds: {who}", "bury": f"to put seeds back: {who}",
        "lose_plants": f"to lose {plants}: {who}", "uncover": "chance shows what enters",
        "lose_animals": f"to lose {animals}: {who}",
    }[phase]  # fmt: skip


def heading(position: Position, data: Mapping[str, Any]) -> str:
    """The game, the season, and who must do what."""
    ruleset = ruleset_of(position.game)
    name = data.get("shift", "")
    shift = f" ({ruleset.shift[name].title}{ruleset.mark(f'shift.{name}')})" if name else ""
    head = f"canopy · {ruleset.title}" if ruleset.title else "canopy"
    head += MARK if ruleset.invented else ""
    season = f"season {data['season']} of {ruleset.seasons}{shift}"
    return f"{head} · 2 players · {season} · {situation(position)} · deck {data['deck']}"


def _piles(data: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """What lies face down, with its name."""
    pending = data.get("pending", {})
    places = {f"pile {number}": pile for number, pile in enumerate(data["piles"], 1)}
    places |= {name: pending[field] for name, field in (("to enter", "hand"), ("drawn", "drawn")) if field in pending}
    for name, cards in places.items():  # in brackets, who has seen them
        yield name, [re.sub(r" (.*)", r" (\1)", card) for card in cards]


def _forest(player: Mapping[str, Any]) -> list[str]:
    """The cards of a forest, trees apart: "2 fern", "sloth used"."""
    used = player.get("used", [])
    return [
        f"{n} {kind}" if n > 1 else f"{kind} used" if kind in used else kind
        for kind, n in player.get("forest", {}).items()
    ]


def _open(player: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The open trees and the completed ones."""
    trees = player.get("trees", [])
    return [tree for tree in trees if "x" not in tree], [tree for tree in trees if "x" in tree]


def text(position: Position, data: Mapping[str, Any]) -> str:
    """Heading, piles, and each player's forest."""
    lines = [heading(position, data)]
    lines += [f"{name}  {', '.join(cards) or '-'}" for name, cards in _piles(data)]
    for seat, player in enumerate(data["player"]):
        lines.append(f"{seat}  {player.get('points', 0):3} points  {', '.join(_forest(player))}".rstrip())
        for name, trees in zip(("open trees", "completed trees"), _open(player), strict=True):
            if trees:
                lines.append(f"   {name}  {' · '.join(trees)}")
    return "\n".join(lines)


# --- pictures ---------------------------------------------------------------------------------------------------------


def picture(position: Position, data: Mapping[str, Any]) -> RenderableType:
    """The piles and the forests under the heading."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    def styled(words: Sequence[str], between: str = "\n") -> Text:
        parts = []
        for word in words:
            kind = next((part for part in word.split() if part in FAMILY_OF), "")
            parts.append(Text(word, style=COLOURS[FAMILY_OF[kind]][0] if kind else "dim"))
        return Text(between).join(parts)

    piles = Table(box=box.ROUNDED)
    columns = list(_piles(data))
    for name, cards in columns:
        piles.add_column(f"{name}: {len(cards)}", min_width=14)
    piles.add_row(*(styled(cards) for _, cards in columns))
    forests = Table(box=box.ROUNDED, show_lines=False)
    for name in ("", "points", "forest", "open trees", "completed trees"):
        forests.add_column(name, justify="right" if name in ("", "points") else "left")
    for seat, player in enumerate(data["player"]):
        trees = _open(player)
        forests.add_row(
            str(seat), str(player.get("points", 0)), styled(_forest(player), ", "), *map("\n".join, trees),
            style="bold" if seat in position.actors else "", end_section=True,
        )  # fmt: skip
    return Group(Text(heading(position, data), style="bold"), piles, forests)


def svg(position: Position, data: Mapping[str, Any]) -> str:
    """The piles, and the forests of the players with their trees."""
    from ninefold.draw import HEIGHT, Canvas

    head = heading(position, data)
    canvas = Canvas(head)
    canvas.text(16, 12, head, "strong")
    top = 12 + 2 * HEIGHT
    lowest = top
    for column, (name, cards) in enumerate(_piles(data)):
        x = 16 + column * (WIDE + 16)
        canvas.text(x, top, f"{name}: {len(cards)}", "faint")
        for row, word in enumerate(cards or ["-"]):
            y = top + HEIGHT + row * (HIGH + 4)
            _draw_card(canvas, x, y, word)
            lowest = max(lowest, y + HIGH)
    y = lowest + HEIGHT
    for seat, player in enumerate(data["player"]):
        canvas.text(16, y, f"{seat}: {player.get('points', 0)} points", "strong")
        y += HEIGHT + 4
        y = _draw_row(canvas, y, _forest(player))
        y = _draw_row(canvas, y, [tree for some in _open(player) for tree in some])
        y += HEIGHT
    return canvas.svg()


def _draw_row(canvas: Canvas, y: int, words: Sequence[str]) -> int:
    """Cards or trees side by side. Returns where the next thing may be drawn."""
    for place, word in enumerate(words):
        _draw_card(canvas, 16 + place % ROW * (WIDE + 8), y + place // ROW * (HIGH + 6), word)
    return y + -(-len(words) // ROW) * (HIGH + 6)


def _draw_card(canvas: Canvas, x: int, y: int, word: str) -> None:
    """One card, or several that are alike, or a tree; of an unknown one no more than that it lies there."""
    kind = next((part for part in word.split() if part in FAMILY_OF), "trunk_0" if word[0].isdecimal() else "")
    canvas.box(x, y, WIDE, HIGH, "card" if kind else "empty")
    if kind:
        canvas.dot(x + 8, y + 10, COLOURS[FAMILY_OF[kind]][1])
    used = word.endswith(" used") or word.endswith(" spent")
    canvas.text(x + (24 if kind else 10), y + 6, word, "faint" if used else "", room=WIDE - 30)
