"""Territory: its words and pictures (rules and formats: docs/games/territory.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ninefold.analysis import OBJECTIVES
from ninefold.core import rules
from ninefold.core.games import territory as core
from ninefold.errors import InputError
from ninefold.games import Extent, GameModule, SameQuestion, Tuning
from ninefold.games import territory_cards as cards
from ninefold.games.territory_files import (
    BOSSES,
    CELL_NAMES,
    DECLARATIONS,
    EMPTY,
    SECRET,
    Held,
    Pending,
    Player,
    Reader,
    TerritoryPosition,
    Writer,
    ruleset_of,
)  # fmt: skip
from ninefold.games.territory_ruleset import OPTIONS, Animal, Goal, Side, Skill, TerritoryRuleset
from ninefold.position import Position, View

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold._game import Game
    from ninefold.draw import Canvas
    from ninefold.move import Move
    from ninefold.puzzle import Puzzle
    from ninefold.solvers import Solving

__all__ = [
    "MODULE", "Animal", "Goal", "Held", "Pending", "Player", "Side", "Skill", "TerritoryPosition", "TerritoryRuleset",
]  # fmt: skip

CELLS = cards.CELLS
COLOURS = {"land": "yellow", "water": "cyan", "both": "green"}  # in the terminal
HUES = {"land": "#c9a227", "water": "#2f81d8"}  # in drawings
WIDE, HIGH = 150, 66  # a card of a drawing


class Territory(GameModule[TerritoryRuleset, TerritoryPosition]):
    """Territory, as the face needs it."""

    name = "territory"
    secret = ("return", "choose")
    players = range(1, 5)
    cards = "animals"
    ruleset_type = TerritoryRuleset
    position_type = TerritoryPosition
    tuning = Tuning(
        rollout=0.15,
        guesses=40,
        point=0.05,
        halving=40,
        calibration=((40, 0.77, -0.2), (41, 0.91, -0.33)),
        pair="softmax:0.3",
        table="softmax:0.3",
        kept=(1,),
        exact_rest=6,
        exact_nodes=300_000,
    )

    def standard_options(self) -> dict[str, list[str]]:
        """The options that the engine knows and their values, sorted."""
        return OPTIONS

    def compile(self, ruleset: TerritoryRuleset, players: int, options: Mapping[str, str]) -> rules.Game:
        """The core game. Raises InputError where there are not enough animals for the first hands."""
        if len(ruleset.animals) < players * ruleset.hand:
            message = f"{len(ruleset.animals)} animals cannot be dealt to {players} players, {ruleset.hand} each"
            raise InputError(message, path="ruleset.animals")
        animals = ruleset.facts()

        def side(side: Side) -> dict[str, Any]:
            return {"points": side.points, "program": side.program(animals)}

        return core.compile(
            players=players, rounds=ruleset.rounds, hand=ruleset.hand, keep=ruleset.keep, row=ruleset.row,
            largest=ruleset.largest,
            animals=[animal._asdict() for animal in animals],
            goals=[(side(goal.front), side(goal.back)) for goal in ruleset.goals.values()],
            skills=[
                {"effect": cards.effect(skill.effect), "points": skill.points, "uses": skill.uses}
                for skill in ruleset.skills.values()
            ],
            territory_points=options["territory_points"] == "on", face_down_free=options["face_down"] == "free",
            bonus_may=options["bonus"] == "may",
        )  # fmt: skip

    def extent(self, ruleset: TerritoryRuleset, players: int) -> Extent:
        """A round asks each player six times, and three times for each skill, but the first hand for every card."""
        stars = max((animal.stars for animal in ruleset.animals.values()), default=0)
        goals = sum(max(goal.front.points, goal.back.points) for goal in ruleset.goals.values())
        skills = sum(skill.points for skill in ruleset.skills.values())
        high = len(BOSSES) * (stars + 1 + len(CELL_NAMES)) + goals + skills + max(ruleset.largest)
        moves = players * (ruleset.hand + ruleset.rounds * (6 + 3 * len(ruleset.skills)))
        drawn = players * ruleset.hand
        drawn += ruleset.rounds * (ruleset.row + players * (2 + ruleset.row * len(ruleset.skills)))
        return Extent(0, high, moves, len(ruleset.goals) + drawn)

    def sources(self, ruleset: TerritoryRuleset, players: int, options: Mapping[str, str]) -> tuple[str, ...]:
        """Stars and territory of each boss, the award for the largest territory, and each goal and skill."""
        named = (
            f"{card} {name}" for card, names in (("goal", ruleset.goals), ("skill", ruleset.skills)) for name in names
        )
        bosses = (f"{boss} {what}" for what in ("boss", "territory") for boss in BOSSES)
        return *bosses, "largest territory", *named

    def words(self, ruleset: TerritoryRuleset, players: int, options: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The notation of all move and outcome ids."""
        names, skills = ruleset.order(), list(ruleset.skills)
        pairs = {CELLS * i + j: (one, other) for i, one in enumerate(CELL_NAMES) for j, other in enumerate(CELL_NAMES)}
        blocks = {
            "return": [f"return {name}" for name in names], "play": [f"play {name}" for name in names],
            "take": [f"take {name}" for name in names], "take deck": ["take deck"],
            "use": [f"use {name}" for name in skills],
            "move": [f"move {one} {other}" if one != other else "" for one, other in pairs.values()],
            "swap": [f"swap {one} {other}" if i // CELLS < i % CELLS else "" for i, (one, other) in pairs.items()],
            "choose": [f"choose {name}" for name in names], "place": [f"place {cell}" for cell in CELL_NAMES],
            "place down": [f"place {cell} face down" for cell in CELL_NAMES], "boss": DECLARATIONS,
            "bonus goal": [f"bonus {name}" for name in ruleset.goals],
            "bonus skill": [f"bonus {name}" for name in skills],
            "no bonus": ["no bonus"] if options["bonus"] == "may" else [""],
        }  # fmt: skip
        moves = [""] * (core.MOVES["no bonus"] + 1)
        for word, first in core.MOVES.items():
            moves[first : first + len(blocks[word])] = blocks[word]
        sides = [f"side {side.name}" for _, side in ruleset.sides()]
        outcomes = [f"deal {name}" for name in names]
        outcomes += [""] * (core.OUTCOME_SIDE - len(outcomes)) + sides
        return moves, outcomes + [""] * (2 * core.LIMITS["goals"] - len(sides))

    def count_players(self, data: TerritoryPosition) -> int:
        """As many as have a table in the file."""
        return len(data.player)

    def load(self, game: Game, data: TerritoryPosition) -> Position:
        """The position, or the view if something in it is unknown."""
        reader = Reader(game, data)
        numbers = reader.numbers()
        position = (View if reader.has_unknown else Position)(game)
        core.load(position, numbers)
        return position

    def dump(self, position: Position) -> dict[str, Any]:
        """What is visible, as TerritoryPosition says it."""
        return Writer(position).data()

    def solver(self, puzzle: Puzzle, objective: str, memory: int, **options: Any) -> Solving:
        """See `territory_solve`."""
        from ninefold.games import territory_solve

        return territory_solve.search_of(puzzle, OBJECTIVES.index(objective), memory, **options)

    def replay_cards(self, puzzle: Puzzle, line: Sequence[str]) -> int:
        """See `territory_solve`."""
        from ninefold.games import territory_solve

        return territory_solve.replay_land(puzzle, line)

    def same_questions(self, count: int, seed: int) -> SameQuestion:
        """See `territory_cp`."""
        from ninefold.games import territory_cp

        return territory_cp.lands(count, seed)

    def guess_cards(self, puzzle: Puzzle) -> list[str]:
        """See `territory_solve`."""
        from ninefold.games import territory_solve

        return territory_solve.guess_land(puzzle)

    def turns(self, steps: Sequence[str]) -> list[list[str]]:
        """A line for each round."""
        found: list[list[str]] = [[]]
        for step in steps:
            if step.removeprefix("0: ").startswith("play ") and found[-1]:
                found.append([])
            found[-1].append(step)
        return found

    def missing(self, position: Position, player: int) -> str:
        """Hidden choices without which the last choice of a question has no result."""
        state = core.dump(position)
        if position.actors != (player,):
            return ""
        for field, what in (
            ("played", "card played by"), ("chosen", "card chosen by"), ("spot", "cell chosen by"),
            ("declared", "declaration of"),
        ):  # fmt: skip
            hidden = [str(other) for other, known in enumerate(state["player"]) if known[field] == SECRET]
            if hidden:
                return f"the {what} player {' and '.join(hidden)}"
        return ""

    def takes(self, position: Position, player: int, move: Move) -> list[str]:
        """The animal drafted from the row, or the bonus card; of a goal the side that is up."""
        word, _, name = move.text.partition(" ")
        if word == "bonus" and name in ruleset_of(position.game).goals:
            return [_up(position, name).name]
        return [name] if word in ("take", "bonus") and name != "deck" else []

    def owned(self, position: Position, player: int) -> dict[str, int]:
        """The animals that lie face up, and the bonus cards; of goals the side that is up."""
        ruleset, mine = ruleset_of(position.game), self.dump(position)["player"][player]
        cards = [word for row in mine.get("cells", []) for word in row.split() if word in ruleset.animals]
        bonus = [_up(position, name).name if name in ruleset.goals else name for name in mine.get("bonus", [])]
        return dict(Counter([*cards, *bonus]))

    # --- pictures ---

    def gloss(self, position: Position, move: Move) -> str:
        """Number, terrain and stars of an animal; what a goal needs and a skill does."""
        ruleset = ruleset_of(position.game)
        word, _, name = move.text.partition(" ")
        if word in ("use", "bonus") and name in ruleset.skills:
            return ruleset.skills[name].effect
        if word == "bonus" and name in ruleset.goals:
            side = _up(position, name)
            return f"{side.needs}: {side.points}"
        animal = ruleset.animals.get(name) if word in ("return", "play", "take", "choose") else None
        return "" if animal is None else animal.short

    def situation(self, position: Position) -> str:
        """In words, who must do what."""
        state = core.dump(position)
        phase = core.PHASES[state["phase"]]
        who = " ".join(map(str, position.actors))
        if phase == "over":
            return f"over, won by {' and '.join(map(str, position.winners()))}" if position.players > 1 else "over"
        said = {
            "sides": "chance turns up a goal", "deal": "chance deals", "return": f"to give back a card: {who}",
            "fill": "chance fills the row", "redraw": "chance fills the row", "draw": "chance draws",
            "choose": f"to choose what to place: {who}", "boss": f"to declare a boss: {who}",
            "bonus": f"to take a bonus card: {who}", "part": f"to use a skill: {who}",
        }  # fmt: skip
        return said.get(phase, f"to {phase}: {who}")

    def _heading(self, position: Position, data: Mapping[str, Any]) -> str:
        players = "1 player" if position.players == 1 else f"{position.players} players"
        when = f"round {data['round']} · " if data["round"] else ""
        discard = len(data.get("discard", []))
        title = ruleset_of(position.game).title  # it says of the set of this package that it is invented
        head = f"territory · {title}" if title else "territory"
        return f"{head} · {players} · {when}{self.situation(position)} · deck {data['deck']} · discard {discard}"

    def _bonus(self, position: Position, data: Mapping[str, Any], owner: int | None) -> Iterator[tuple[str, str, int]]:
        """The bonus cards of a player, or those that lie open: name, what it needs or does, points."""
        ruleset = ruleset_of(position.game)
        taken = {name: i for i, player in enumerate(data["player"]) for name in player.get("bonus", [])}
        for goal in list(ruleset.goals)[: len(data["sides"])]:
            if taken.get(goal) == owner:
                side = _up(position, goal)
                yield goal, side.needs, side.points
        for name, skill in ruleset.skills.items():
            if taken.get(name) == owner:
                yield name, skill.effect, skill.points

    def _seat(self, position: Position, data: Mapping[str, Any], player: int) -> list[str]:
        """Hand and bosses of a player, and what has been decided about him, in a few words each."""
        animals, mine = ruleset_of(position.game).animals, data["player"][player]
        hand = [card if isinstance(card, str) else card["card"] for card in mine.get("hand", [])]
        told = [_told(animals, name) for name in [*hand, *mine.get("shown", [])]]
        words = [f"hand {', '.join(told)}"] if told else []
        words += [f"{name} boss {mine[f'{name}_boss']}" for name in BOSSES if f"{name}_boss" in mine]
        for field, what in (("played", "plays"), ("chosen", "chooses"), ("spots", "on"), ("declared", "declares")):
            word = data.get("pending", {}).get(field, [EMPTY] * position.players)[player]
            words += [f"{what} {_told(animals, word)}"] if word != EMPTY else []
        return words

    def _cells(self, position: Position, player: Mapping[str, Any]) -> list[list[str]]:
        """The nine cells in three rows as they lie: the animals, the bosses in brackets."""
        animals = ruleset_of(position.game).animals
        rows = [[_told(animals, word) for word in row.split()] for row in player.get("cells", [f"{EMPTY} " * 3] * 3)]
        for name in BOSSES:
            if boss := player.get(f"{name}_boss"):
                column, row = "abc".index(boss[0]), 3 - int(boss[1])
                rows[row][column] = f"[{rows[row][column]}{' +1' if boss.endswith('star') else ''}]"
        return rows

    def text(self, position: Position) -> str:
        """Heading, row, bonus cards, and each player's land."""
        data = self.dump(position)
        animals = ruleset_of(position.game).animals
        lines = [
            self._heading(position, data),
            f"row  {', '.join(_told(animals, name) for name in data['row'])}".rstrip(),
        ]
        lines += [f"open {name} {points}: {said}" for name, said, points in self._bonus(position, data, None)]
        for player, points in enumerate(position.scores()):
            lines.append(f"{player}  {points:3} points  {'  '.join(self._seat(position, data, player))}".rstrip())
            rows = self._cells(position, data["player"][player])
            width = max(len(word) for row in rows for word in row)
            for number, row in zip("321", rows, strict=True):
                lines.append(f"   {number} {'  '.join(word.ljust(width) for word in row)}".rstrip())
            lines += [f"   has {name} {worth}: {said}" for name, said, worth in self._bonus(position, data, player)]
        return "\n".join(lines)

    def picture(self, position: Position) -> RenderableType:
        """The row, the bonus cards and the lands of the players under the heading."""
        from rich import box
        from rich.columns import Columns
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        data = self.dump(position)
        animals = ruleset_of(position.game).animals

        def card(word: str) -> Text:
            found = animals.get(re.sub(r"[^a-z0-9_]| .*", "", word.lstrip("[")))
            style = "dim" if found is None or word.startswith("(") else COLOURS[found.terrain]
            return Text(word, style=f"{style} reverse" if word.startswith("[") else style)

        heading = Text(self._heading(position, data), style="bold")
        row = Text("row  ") + Text("   ").join(card(_told(animals, name)) for name in data["row"])
        bonus = Table("open", "points", "for", box=box.ROUNDED)
        for name, said, points in self._bonus(position, data, None):
            bonus.add_row(name, str(points), said)
        lands: list[RenderableType] = []
        for player, points in enumerate(position.scores()):
            style = "bold" if player in position.actors else ""
            land = Table(title=f"{player}: {points} points", title_style=style, box=box.ROUNDED, show_lines=True)
            for name in ("", "a", "b", "c"):
                land.add_column(name, min_width=10 * bool(name))
            for number, cells in zip("321", self._cells(position, data["player"][player]), strict=True):
                land.add_row(number, *map(card, cells))
            told = [f"{name} {worth}: {said}" for name, said, worth in self._bonus(position, data, player)]
            lands.append(Group(land, *map(Text, [*self._seat(position, data, player), *told])))
        return Group(heading, row, *([bonus] if bonus.row_count else []), Columns(lands))

    def svg(self, position: Position) -> str:
        """The row, the bonus cards, and the lands with what their owners hold."""
        from ninefold.draw import HEIGHT, Canvas

        data, ruleset = self.dump(position), ruleset_of(position.game)
        heading = self._heading(position, data)
        canvas = Canvas(heading)
        canvas.text(16, 12, heading, "strong")
        y = 12 + 2 * HEIGHT

        def line(words: Sequence[str]) -> None:
            nonlocal y
            for place, word in enumerate(words):
                _draw_card(canvas, 16 + place * (WIDE + 8), y, word, ruleset.animals)
            y += HIGH + 8

        def lines(texts: Iterable[str], kind: str) -> None:
            nonlocal y
            for text in texts:
                canvas.text(16, y, text, kind)
                y += HEIGHT

        line(data["row"])
        lines((f"{name} {points}: {said}" for name, said, points in self._bonus(position, data, None)), "")
        for player, points in enumerate(position.scores()):
            y += HEIGHT
            lines([f"{player}: {points} points"], "strong")
            mine = data["player"][player]
            bosses = {boss[:2]: boss for boss in (mine.get(f"{name}_boss") for name in BOSSES) if boss}
            for row, text in zip("321", mine.get("cells", [f"{EMPTY} " * 3] * 3), strict=True):
                words = list(zip("abc", text.split(), strict=True))
                line([f"{word} {bosses[c + row][3:] or 'plain'}" if c + row in bosses else word for c, word in words])
            lines(self._seat(position, data, player), "faint")
            lines((f"{name} {worth}: {said}" for name, said, worth in self._bonus(position, data, player)), "faint")
        return canvas.svg()


def _draw_card(canvas: Canvas, x: int, y: int, word: str, animals: Mapping[str, Animal]) -> None:
    """One card, with the side of its marker, "fox star", if there is one; or a cell that has none face up."""
    name, _, boss = word.partition(" ")
    animal = animals.get(name)
    canvas.box(x, y, WIDE, HIGH, "card" if animal else "empty")
    if animal is None:
        canvas.text(x + 10, y + 6, "" if name == EMPTY else name, "faint")
        return
    canvas.text(x + 10, y + 6, str(animal.number), "strong")
    canvas.text(x + 36, y + 6, name, "", room=WIDE - 46)
    for place, terrain in enumerate(("land", "water")):
        if animal.terrain in (terrain, "both"):
            canvas.dot(x + 10 + 14 * place, y + 30, HUES[terrain])
    canvas.text(x + 44, y + 26, "★" * animal.stars, "faint")
    if boss:
        canvas.text(x + 10, y + 43, "boss ★" if boss == "star" else "boss", "mark")


def _told(animals: Mapping[str, Animal], word: str) -> str:
    """A card with its number, terrain and stars; everything else as it is."""
    name = word.strip("()")
    if name not in animals:
        return word
    return f"({name})" if word != name else f"{name} {animals[name].short}"


def _up(position: Position, goal: str) -> Side:
    """The side of a goal that is up."""
    goals = ruleset_of(position.game).goals
    back = core.dump(position)["sides"] >> list(goals).index(goal) & 1
    return goals[goal].back if back else goals[goal].front


MODULE = Territory()
