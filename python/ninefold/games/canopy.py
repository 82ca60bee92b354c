"""Canopy: its words, what lies unseen, and its pictures (rules and formats: docs/games/canopy.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import comb
from typing import TYPE_CHECKING, Any

from ninefold.analysis import Unseen
from ninefold.core import rules
from ninefold.core.games import canopy as core
from ninefold.errors import InputError
from ninefold.games import Extent, GameModule, Tuning, canopy_picture
from ninefold.games.canopy_files import (
    BOTH,
    SOURCES,
    UNKNOWN,
    CanopyPosition,
    Pending,
    Player,
    Reader,
    Writer,
    ruleset_of,
)
from ninefold.games.canopy_ruleset import ANIMALS, FAMILIES, KINDS, PLANTS, CanopyRuleset, Numbers, Shift
from ninefold.position import Position, View

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold._game import Game
    from ninefold.move import Move

__all__ = ["MODULE", "CanopyPosition", "CanopyRuleset", "Numbers", "Pending", "Player", "Shift"]

TREES = core.LIMITS["trees"]
IN_FOREST = [kind for kind in KINDS if kind not in (*FAMILIES["trunk"], *FAMILIES["canopy"], "drought")]
LOST = [*PLANTS, *FAMILIES["active animal"], *FAMILIES["mating animal"]]


class Canopy(GameModule[CanopyRuleset, CanopyPosition]):
    """Canopy, as the face needs it."""

    name = "canopy"
    secret = ("under",)
    players = range(2, 3)
    cards = "copies"
    ruleset_type = CanopyRuleset
    position_type = CanopyPosition
    simultaneous = False
    tuning = Tuning(duct=1.5, guesses=20, point=0.03, halving=40, horizon=2, exact_rest=12)

    def compile(self, ruleset: CanopyRuleset, players: int, options: Mapping[str, str]) -> rules.Game:
        """The core game. Raises InputError where there are too few cards of Shifting Seasons."""
        shifting = options["shifting"] == "on"
        if shifting and len(ruleset.shift) < ruleset.seasons:
            message = f"{len(ruleset.shift)} cards are too few for {ruleset.seasons} seasons"
            raise InputError(message, path="ruleset.shift")
        return ruleset.compiled(shifting=shifting, exposed=options["drought_completed_trees"] == "exposed")

    def extent(self, ruleset: CanopyRuleset, players: int) -> Extent:
        """A turn takes a card of the deck or a pile, and asks twelve times beside five for each card that enters."""
        copies = Counter(ruleset.copies) + Counter(ruleset.seeds)
        trunks = [copies[kind] for kind in FAMILIES["trunk"]]
        numbers = [ruleset.shifted(name) for name in ("", *ruleset.shift)]
        last = ruleset.numbers

        def points(bound: Callable[[Iterable[int]], int]) -> int:
            """What all cards but trees may score at least, or at most: each of them once, and awards every season."""
            plant = bound((0, *(n for one in numbers for n in (one.philodendron_points, one.fern_odd, one.fern_even))))
            award = bound((0, *(n for one in numbers for n in one.bromelia)))
            award += bound((0, *(n for one in numbers for n in one.tallest)))
            weather = bound((0, *(one.weather_pair for one in numbers)))
            animal = bound((0, last.active, last.mating, last.mating_pair))
            return (
                sum(copies[kind] for kind in PLANTS) * plant + min(copies["rain"], copies["sun"]) * weather
                + ruleset.seasons * award + 2 * len(ANIMALS) * animal + bound((0, last.largest))
            )  # fmt: skip

        trees = sum(value * n for value, n in enumerate(trunks)) + 2 * sum(trunks)
        moves = 12 * (ruleset.deck + 3) + 5 * ruleset.deck + 8 * sum(ruleset.seeds.values())
        return Extent(points(min), trees + points(max), ruleset.seasons * moves, copies.total() + ruleset.seasons)

    def sources(self, ruleset: CanopyRuleset, players: int, options: Mapping[str, str]) -> tuple[str, ...]:
        """What scores, and points of a file that does not say where they come from."""
        return *SOURCES, "earlier"

    def words(self, ruleset: CanopyRuleset, players: int, options: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The notation of all move and outcome ids."""
        slots = range(1, TREES + 1)
        trunks = [f"trunk {value} of tree {slot}" for slot in slots for value in range(3)]
        completed = [f"completed tree {n}" if options["drought_completed_trees"] == "exposed" else "" for n in slots]

        def each(text: str, kinds: Sequence[str] = KINDS) -> list[str]:
            return [text + kind if kind in kinds else "" for kind in KINDS]

        def all_of(text: str, things: Sequence[str]) -> list[str]:
            return [text + thing if thing else "" for thing in things]

        blocks = {
            "look": ["look"], "frog": ["poison frog"], "toucan": [f"toucan {pile}" for pile in (1, 2, 3)],
            "keep": ["keep"], "pass": ["pass"], "boa": each("emerald boa "), "leave": ["leave it"],
            "enter": each("enter "), "new tree": ["new tree"], "tree": [f"tree {slot}" for slot in slots],
            "discard": each("discard ", IN_FOREST), "discard trunk": all_of("discard ", trunks),
            "discard tree": all_of("discard ", completed), "ant": each("leafcutter ant: ", IN_FOREST),
            "ant trunk": all_of("leafcutter ant: ", trunks), "ant tree": all_of("leafcutter ant: ", completed),
            "sloth": ["sloth"], "end": ["end turn"], "keep seed": each("keep "), "stop": ["stop"],
            "under": each("under "), "lose": each("lose ", LOST),
        }  # fmt: skip
        moves = _laid_out(core.MOVES, blocks)
        shifts = [f"season {name}" for name in ruleset.shift] if options["shifting"] == "on" else []
        shifts += [""] * (core.LIMITS["shifts"] - len(shifts))
        outcomes = {"deal": each("deal "), "seed": each("seed "), "season": shifts}
        return moves, _laid_out(core.OUTCOMES, outcomes)

    def count_players(self, data: CanopyPosition) -> int:
        """As many as have a forest in the file."""
        return len(data.player)

    def load(self, game: Game, data: CanopyPosition) -> Position:
        """The position, or the view if something in it is unknown."""
        reader = Reader(game, data)
        numbers = reader.numbers()
        position = (View if reader.has_unknown else Position)(game)
        try:
            core.load(position, numbers)
        except ValueError as error:
            raise InputError(str(error)) from None
        return position

    def dump(self, position: Position) -> dict[str, Any]:
        """What is visible, as CanopyPosition says it."""
        return Writer(position).data()

    def missing(self, position: Position, player: int) -> str:
        """Cards among which this player chooses."""
        state = core.dump(position)
        phase, at = core.PHASES[state["phase"]], state["at"]
        where, cards = (f"all cards of pile {at + 1}", state["piles"][at]) if phase == "boa" else ("", [])
        if phase in ("keep", "bury"):
            where, cards = f"the seeds drawn by player {player}", state["drawn"]
        return where if any(kind >= len(KINDS) for kind, _ in cards) else ""

    def without_secrets(self, position: Position, player: int) -> Position:
        """At the very end: what one of the players alone has seen, and nobody will ever have to choose by.

        With one pile left its taker has no choice before all of it lies open. With two, the one on turn chooses by what
        he knows, and the other one gets what is left over. Before the turn of the other one, he sees the first of them
        in any case, so only the second one counts. Cards of a seed draw are nobody's choice but his who draws them.
        """
        state = core.dump(position.view(player))
        phase, task = core.PHASES[state["phase"]], core.TASKS[state["task"]]
        piles = [pile for pile in state["piles"] if pile]
        choosing = phase in ("start", "choose", "boa") or task == "taken"
        matter = piles if len(piles) > 2 else piles[1:] if len(piles) == 2 and not choosing else []
        cards = [*state["hand"], *state["drawn"], *state["under"], *(card for pile in piles for card in pile)]
        if (
            state["season"] + 1 < ruleset_of(position.game).seasons
            or state["deck"]
            or state["turn"] != player
            or any(mask in (1, 2) for pile in matter for _, mask in pile)
            or any(kind == UNKNOWN and mask >> player & 1 for kind, mask in cards)  # a view of the other one
        ):
            return position
        for some in (*state["piles"], state["hand"], state["drawn"], state["under"]):
            some[:] = [(kind, 0 if kind == UNKNOWN else BOTH) for kind, _ in some]
        equal = Position(position.game)
        core.load(equal, state)
        return equal

    def unseen(self, position: Position, player: int) -> list[Unseen]:
        """What may lie in each pile, on the deck, and in a seed draw: all cards not seen are equally likely."""
        state = core.dump(position.view(player))
        pool, seeds = state["pool"], state["seeds"]
        found = [
            _unseen(f"pile {number}", pool, sum(kind >= len(KINDS) for kind, _ in pile))
            for number, pile in enumerate(state["piles"], 1)
        ]
        found.append(_unseen("deck", pool, min(state["deck"], 1)))
        forest = state["player"][player]["forest"]
        if forest[KINDS.index("seed")] and core.PHASES[state["phase"]] not in ("keep", "bury"):
            numbers = canopy_picture.numbers_now(position)
            draw = numbers.seed_draw + numbers.seed_per_fire * forest[KINDS.index("fire")]
            found.append(_unseen("seed draw", seeds, min(draw, state["top"])))
        return [one for one in found if one.cards]

    def takes(self, position: Position, player: int, move: Move) -> list[str]:
        """All cards of a pile that is kept, as far as they have been seen; the one that a boa or a seed draw takes."""
        if move.text == "keep":
            state = core.dump(position)
            return [KINDS[kind] for kind, _ in state["piles"][state["at"]] if kind < len(KINDS)]
        word, _, name = move.text.rpartition(" ")
        return [name] if word in ("keep", "emerald boa") else []

    def owned(self, position: Position, player: int) -> dict[str, int]:
        """The forest as it stands, trees by their parts: of seasons before, what the rules leave of it."""
        mine = core.dump(position)["player"][player]
        cards = Counter({kind: n for kind, n in zip(KINDS, mine["forest"], strict=True) if n})
        for tree in (*mine["open"], *mine["done"]):
            cards.update({KINDS[value]: n for value, n in enumerate(tree[:3]) if n})
            if len(tree) > 3:
                cards[FAMILIES["canopy"][tree[3]]] += 1
        return dict(cards)

    # --- pictures ---

    def gloss(self, position: Position, move: Move) -> str:
        """What lies in the pile, or what the card or tree of a move is."""
        return canopy_picture.gloss(position, str(move))

    def text(self, position: Position) -> str:
        """Heading, piles, and each player's forest."""
        return canopy_picture.text(position, self.dump(position))

    def picture(self, position: Position) -> RenderableType:
        """The piles and the forests under the heading."""
        return canopy_picture.picture(position, self.dump(position))

    def svg(self, position: Position) -> str:
        """The piles, and the forests of the players with their trees."""
        return canopy_picture.svg(position, self.dump(position))


def _laid_out(firsts: Mapping[str, int], blocks: Mapping[str, Sequence[str]]) -> list[str]:
    """The words of all ids. firsts: the first id of each block."""
    found = [""] * max(firsts[word] + len(block) for word, block in blocks.items())
    for word, block in blocks.items():
        found[firsts[word] : firsts[word] + len(block)] = block
    return found


def _unseen(where: str, pool: Sequence[int], cards: int) -> Unseen:
    """Some cards of those not seen, by kind."""
    total = sum(pool)
    some = {}
    for family, kinds in FAMILIES.items():
        other = total - sum(pool[KINDS.index(kind)] for kind in kinds)
        if other < total:
            some[family] = 1 - comb(other, cards) / comb(total, cards)
    return Unseen(where, cards, {KINDS[kind]: n / total for kind, n in enumerate(pool) if n}, some)


MODULE = Canopy()
