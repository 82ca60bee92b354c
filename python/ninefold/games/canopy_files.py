"""Canopy: position files, to the engine's numbers and back (docs/games/canopy.md, "Position files")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ninefold.core.games import canopy as core
from ninefold.errors import InputError, located, near, shown
from ninefold.games import PositionFile
from ninefold.games.canopy_ruleset import ANIMALS, FAMILIES, KINDS, CanopyRuleset, check_number, find

if TYPE_CHECKING:
    from ninefold._game import Game
    from ninefold.position import Position

__all__ = [
    "BOTH", "NONE", "UNKNOWN", "CanopyPosition", "Pending", "Player", "Reader", "Writer", "ruleset_of", "tree_text",
]  # fmt: skip

SEATS, PILES = 2, 3
UNKNOWN, NONE = 31, 255  # the engine: a card that the state's owner has not seen; no card
BOTH = 3  # the engine: seen by both
NEW, OLD, SPENT = 1, 2, 3  # the engine: stages of a completed tree
MOST_POINTS = 9999  # of a player
LOOKS = ("reveal", "peek", "choose", "boa")  # phases in which a pile is looked at
STAGES = {NEW: "", OLD: " scored", SPENT: " spent"}
TREE = re.compile(r"([012](?:\+[012])*)(?: ?[x×] ?([012])( scored| spent)?)?")
TRUNKS, CANOPIES = FAMILIES["trunk"], FAMILIES["canopy"]

Card = tuple[int, int]  # kind, and the players who have looked at it, a mask

Phase = Literal[
    "shift", "reveal", "peek", "uncover", "draw", "seed_draw", "start", "choose", "boa", "enter", "grow", "discard",
    "rest", "end", "keep", "bury", "lose_plants", "lose_animals", "over",
]  # fmt: skip
Task = Literal["", "kept", "taken", "passed", "rested", "sown"]


# What scores, in the engine's order.
SOURCES = (
    "trees", "tallest tree", "philodendrons", "bromelias", "ferns", "weather", "wildlife", "largest forest",
)  # fmt: skip


class Player(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What one player has."""

    forest: dict[str, int] = {}  # cards by kind, trees apart
    trees: list[str] = []  # "0+2" open; "1+2 x2" completed, " scored" in an earlier season, " spent": has won the award
    used: list[str] = []  # animals used this season
    points: int = 0  # scored so far
    scored: dict[str, int] = {}  # of these, what is known to have come from each of SOURCES


class Pending(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What is asked, where it is not the beginning of a turn."""

    phase: Phase
    pile: int = 0  # the one that is looked at, 1 .. 3
    hand: list[str] = []  # cards on their way into the forest
    task: Task = ""  # what follows when all of them are in
    card: str = ""  # grow, discard: the one that enters
    drawn: list[str] = []  # of a seed draw: what is neither kept nor under the deck
    more: int = 0  # cards still to be drawn, that may be kept, or that must be lost
    least: str = ""  # no card before this one, in the order of the page, can be named any more


class CanopyPosition(PositionFile, kw_only=True):
    """A position of Canopy: what is visible."""

    view: int | None = None  # the player who knows no more than this file
    season: int = 1
    turn: int = 0
    first: int = 0  # who began the season
    deck: int | None = None  # cards left of this season's deck
    piles: list[list[str]]  # "fern", "fern both", "?", "? opponent"
    shift: str = ""  # Shifting Seasons: the card that holds
    earlier_shifts: list[str] = []  # and those of earlier seasons
    discard: dict[str, int] = {}
    sown: dict[str, int] = {}  # cards of the seed deck that have been kept
    under: list[str] = []  # cards under the seed deck, the first to be drawn first
    player: list[Player]
    pending: Pending | None = None


class Reader:
    """Turns the words of one file into the engine's numbers, and counts where all cards are."""

    def __init__(self, game: Game, data: CanopyPosition) -> None:
        """A file about a position of this game."""
        self.data = data
        self.ruleset, self.shifting = ruleset_of(game), game.options["shifting"]
        self.seen: Counter[int] = Counter()  # cards by kind that lie somewhere
        self.where: dict[int, str] = {}  # the last place of a kind
        self.unknown = 0  # cards that lie somewhere and come from the main deck
        self.has_unknown = False

    def numbers(self) -> dict[str, Any]:
        """What the engine's `load` wants. Raises InputError for anything impossible."""
        data = self.data
        if data.view is not None:
            self.seat(data.view, "view")
        check_number(data.season, 1, self.ruleset.seasons, "season")
        if len(data.piles) != PILES:
            raise InputError(f"there are {PILES} piles, empty or not, not {len(data.piles)}", path="piles")
        numbers: dict[str, Any] = {
            "season": data.season - 1, "turn": self.seat(data.turn, "turn"), "first": self.seat(data.first, "first"),
            "piles": [self.cards(pile, f"piles[{i}]") for i, pile in enumerate(data.piles)],
            "player": [self.player(player, f"player[{i}]") for i, player in enumerate(data.player)],
        }  # fmt: skip
        self.shifts(numbers)
        self.pending(numbers)
        self.seeds(numbers)
        self.deck(numbers)
        if data.pending is None:
            phase, numbers["at"] = beginning(numbers)
            numbers["phase"] = core.PHASES.index(phase)
            if phase not in ("start", "over"):  # the pile is being looked at
                pile = numbers["piles"][numbers["at"]]
                pile[:] = sorted((kind, mask if kind == UNKNOWN else mask | 1 << data.turn) for kind, mask in pile)
        return numbers

    def seat(self, player: int, path: str) -> int:
        """A player's number."""
        check_number(player, 0, SEATS - 1, path)
        return player

    def see(self, kind: int, n: int, path: str) -> int:
        """Cards of a kind that lie somewhere."""
        check_number(n, 0, sum(self.ruleset.copies.values()) + sum(self.ruleset.seeds.values()), path)
        self.seen[kind] += n
        self.where[kind] = path
        return n

    def counts(self, cards: Mapping[str, int], path: str, *, seen: bool = True) -> list[int]:
        """Numbers of cards by kind."""
        found = [0] * len(KINDS)
        for name, n in cards.items():
            kind = find(name, path)
            found[kind] = self.see(kind, n, f"{path}.{name}") if seen else n
            check_number(n, 0, core.LIMITS["cards"], f"{path}.{name}")
        return found

    def cards(self, words: Sequence[str], path: str, *, main: bool = True) -> list[Card]:
        """Face-down cards and who has looked at them. main: they are not of the seed deck."""
        found = [self.card(word, f"{path}[{i}]") for i, word in enumerate(words)]
        unknown = sum(kind == UNKNOWN for kind, _ in found)
        if main:
            self.unknown += unknown
            for i, (kind, _) in enumerate(found):
                if kind != UNKNOWN:
                    self.see(kind, 1, f"{path}[{i}]")
        return sorted(found) if main else found

    def card(self, word: str, path: str) -> Card:
        """One face-down card: "fern", "fern both", "fern 1", "?", "? opponent"."""
        name, _, who = " ".join(word.lower().split()).partition(" ")
        kind = UNKNOWN if name == "?" else find(name, path)
        viewer = self.data.view
        plain = 0 if kind == UNKNOWN else None if viewer is None else 1 << viewer
        seats = {"": plain, "both": BOTH, "0": 1, "1": 2}
        if viewer is not None:
            seats["opponent"] = 2 >> viewer
        if who not in seats:
            match = near(who, seats)
            what = "both, opponent or a player's number" if viewer is not None else "both or a player's number"
            raise InputError(f"who has looked at it is {what}, not {shown(who)}", path=path, value=word, match=match)
        mask = seats[who]
        if mask is None:
            message = f"who has looked at it, {name} 0, {name} 1 or {name} both? or say whose view this file is"
            raise InputError(message, path=path, value=word)
        if kind == UNKNOWN and mask:
            if viewer is None:
                raise InputError("whose view is this? `view` is missing", path=path, value=word)
            if mask >> viewer & 1:
                raise InputError("the player whose view this is has looked at it", path=path, value=word)
            self.has_unknown = True
        if kind != UNKNOWN and who == "opponent":
            raise InputError("the player whose view this is has not looked at it: it is '?'", path=path, value=word)
        return kind, mask

    # --- one player ---

    def player(self, player: Player, path: str) -> dict[str, Any]:
        """What one player has, as the engine knows it."""
        forest = self.counts(player.forest, f"{path}.forest")
        for name in (*TRUNKS, *CANOPIES, "drought"):
            if player.forest.get(name):
                where = "drought is discarded at once" if name == "drought" else "trees are listed in `trees`"
                raise InputError(where, path=f"{path}.forest.{name}", value=player.forest[name])
        trees = [self.tree(word, f"{path}.trees[{i}]") for i, word in enumerate(player.trees)]
        for i, name in enumerate(player.used):
            if name not in ANIMALS:
                match = near(name, ANIMALS)
                raise InputError(f"unknown animal {shown(name)}", path=f"{path}.used[{i}]", value=name, match=match)
            if not player.forest.get(name):
                raise InputError(f"{name} is not in the forest", path=f"{path}.used[{i}]", value=name)
            if name == "kinkajou":
                raise InputError("it works always", path=f"{path}.used[{i}]", value=name)
        check_number(player.points, -MOST_POINTS, MOST_POINTS, f"{path}.points")
        for name, points in player.scored.items():
            if name not in SOURCES:
                match = near(name, SOURCES)
                raise InputError(
                    f"unknown source of points {shown(name)}", path=f"{path}.scored.{name}", value=name, match=match
                )
            check_number(points, -MOST_POINTS, MOST_POINTS, f"{path}.scored.{name}")
        return {
            "forest": forest, "open": sorted(tree[:3] for tree in trees if len(tree) == 3),
            "done": [tree for tree in trees if len(tree) > 3],
            "used": sorted(ANIMALS.index(name) for name in set(player.used)), "points": player.points,
            "scored": [player.scored.get(name, 0) for name in SOURCES],
        }  # fmt: skip

    def tree(self, word: str, path: str) -> tuple[int, ...]:
        """Trunks of value 0, 1, 2; of a completed tree also the canopy and the stage."""
        found = TREE.fullmatch(" ".join(word.lower().split()))
        if found is None:
            message = f"a tree is its trunks, '0+2', and a canopy where it is completed, '1+2 x2', not {shown(word)}"
            raise InputError(message, path=path, value=word)
        trunks = [found[1].count(value) for value in "012"]
        for value, n in enumerate(trunks):
            self.see(value, n, path)
        if found[2] is None:
            return tuple(trunks)
        self.see(KINDS.index(CANOPIES[int(found[2])]), 1, path)
        stage = next(stage for stage, said in STAGES.items() if said == (found[3] or ""))
        return *trunks, int(found[2]), stage

    # --- the table ---

    def shifts(self, numbers: dict[str, Any]) -> None:
        """Cards of Shifting Seasons that were turned up."""
        data, names = self.data, list(self.ruleset.shift)
        found = []
        for path, name in (
            *((f"earlier_shifts[{i}]", name) for i, name in enumerate(data.earlier_shifts)), ("shift", data.shift),
        ):  # fmt: skip
            if path == "shift" and not name:
                continue
            if self.shifting == "off":
                raise InputError("only with the option shifting", path=path, value=name)
            if name not in names:
                raise InputError(f"unknown season {shown(name)}", path=path, value=name, match=near(name, names))
            if names.index(name) in found:
                raise InputError(f"{name} has been turned up already", path=path, value=name)
            found.append(names.index(name))
        numbers["shift"] = names.index(data.shift) if data.shift else NONE
        numbers["shifts"] = sorted(found)

    def pending(self, numbers: dict[str, Any]) -> None:
        """What is asked, where it is not the beginning of a turn."""
        pending = self.data.pending
        numbers.update(at=0, hand=[], card=NONE, task=0, drawn=[], more=0, least=0)
        if pending is None:
            return
        with located(path="pending"):
            numbers["phase"] = core.PHASES.index(pending.phase)
            if pending.pile:
                check_number(pending.pile, 1, PILES, "pile")
                numbers["at"] = pending.pile - 1
            numbers["hand"] = self.cards(pending.hand, "hand")
            numbers["task"] = core.TASKS.index(pending.task)
            if pending.card:
                numbers["card"] = find(pending.card, "card")
                self.see(numbers["card"], 1, "card")
            numbers["drawn"] = self.cards(pending.drawn, "drawn", main=False)
            check_number(pending.more, 0, core.LIMITS["cards"], "more")
            numbers["more"] = pending.more
            if pending.least:
                numbers["least"] = find(pending.least, "least")

    def seeds(self, numbers: dict[str, Any]) -> None:
        """What is left of the seed deck."""
        data, ruleset = self.data, self.ruleset
        sown = self.counts(data.sown, "sown", seen=False)
        numbers["under"] = self.cards(data.under, "under", main=False)
        left = [ruleset.seeds.get(kind, 0) - sown[i] for i, kind in enumerate(KINDS)]
        for path, cards in (("under", numbers["under"]), ("pending.drawn", numbers["drawn"])):
            for kind, _ in cards:
                if kind != UNKNOWN:
                    left[kind] -= 1
                    if left[kind] < 0:
                        raise InputError(f"so many {KINDS[kind]} are not in the seed deck", path=path)
        for kind, n in enumerate(left):
            if n < 0:
                message = f"{sown[kind]} cards, but {ruleset.seeds.get(KINDS[kind], 0)} are in the seed deck"
                raise InputError(message, path=f"sown.{KINDS[kind]}", value=sown[kind])
        numbers["seeds"] = left
        hidden = sum(kind == UNKNOWN for kind, _ in (*numbers["under"], *numbers["drawn"]))
        numbers["top"] = sum(left) - hidden
        if numbers["top"] < 0:
            raise InputError(f"{hidden} cards of the seed deck are hidden, but {sum(left)} are left", path="under")
        self.sown = sown

    def deck(self, numbers: dict[str, Any]) -> None:
        """The cards seen nowhere are in the decks, unseen in a pile, or put away."""
        data, ruleset = self.data, self.ruleset
        self.counts(data.discard, "discard")
        pool = [ruleset.copies.get(kind, 0) + self.sown[i] - self.seen[i] for i, kind in enumerate(KINDS)]
        for kind, n in enumerate(pool):
            if n < 0:
                message = f"too many {KINDS[kind]}: {self.seen[kind]} lie there, {self.seen[kind] + n} are in the game"
                raise InputError(message, path=self.where[kind])
        later = ruleset.seasons - data.season + (data.pending is not None and data.pending.phase == "shift")
        left = sum(pool) - self.unknown - ruleset.removed - later * ruleset.deck
        if data.deck is None:
            check_left(left, ruleset.deck)
        elif data.deck != left:
            check_number(data.deck, 0, ruleset.deck, "deck")
            more = f"are {left - data.deck} missing in `discard`?" if left > data.deck else "are too many discarded?"
            raise InputError(
                f"{data.deck} cards, but {left} are seen nowhere else: {more}", path="deck", value=data.deck
            )
        numbers["pool"], numbers["deck"] = pool, left


def beginning(numbers: Mapping[str, Any]) -> tuple[str, int]:
    """What is asked where nothing else is said: the beginning of a turn, or nothing more; and the pile looked at."""
    turn, piles = numbers["turn"], numbers["piles"]
    there = [i for i, pile in enumerate(piles) if pile]
    if not there:
        return "over", 0
    player = numbers["player"][turn]

    def works(animal: str) -> bool:
        return player["forest"][KINDS.index(animal)] and ANIMALS.index(animal) not in player["used"]

    unseen = any(not mask >> turn & 1 for pile in piles for _, mask in pile)
    if (works("poison_frog") and numbers["deck"]) or (works("toucan") and unseen):
        return "start", 0
    return "reveal" if any(kind == UNKNOWN for kind, _ in piles[there[0]]) else "choose", there[0]


def check_left(left: int, size: int) -> None:
    """Raise InputError if what was typed leaves no possible deck."""
    if left < 0:
        raise InputError(f"{-left} cards too many lie there", path="deck")
    if left > size:
        raise InputError(f"{left} cards would be left of {size}: are cards of `discard` missing?", path="deck")


def ruleset_of(game: Game) -> CanopyRuleset:
    """The ruleset of a game of Canopy."""
    assert isinstance(game.ruleset, CanopyRuleset)
    return game.ruleset


def tree_text(trunks: Sequence[int], canopy: int | None = None, stage: int = NEW) -> str:
    """A tree as a file writes it; trunks: so many of value 0, 1, 2."""
    text = "+".join(str(value) for value, n in enumerate(trunks) for _ in range(n))
    return text if canopy is None else f"{text} x{canopy}{STAGES[stage]}"


def named(counts: Iterable[int]) -> dict[str, int]:
    """Numbers of cards by name."""
    return {KINDS[kind]: n for kind, n in enumerate(counts) if n}


class Writer:
    """Turns the engine's numbers of one position into the words of a file."""

    def __init__(self, position: Position) -> None:
        """Look at a position."""
        self.ruleset = ruleset_of(position.game)
        self.state = core.dump(position)
        state = self.state
        self.phase = core.PHASES[state["phase"]]
        hidden = [mask for kind, mask in self.face_down() if kind == UNKNOWN and mask]
        self.viewer = None if not hidden else 2 - hidden[0]  # who does not know what the other one does

    def face_down(self) -> list[Card]:
        """All cards of which it matters who has looked at them."""
        state = self.state
        cards = [card for pile in state["piles"] for card in pile]
        return [*cards, *state["hand"], *state["drawn"], *state["under"]]

    def data(self) -> dict[str, Any]:
        """All of it."""
        state, names = self.state, list(self.ruleset.shift)
        shift = state["shift"]
        data: dict[str, Any] = {
            "view": self.viewer, "season": state["season"] + 1, "turn": state["turn"], "first": state["first"],
            "deck": state["deck"], "piles": [self.cards(pile) for pile in state["piles"]],
            "shift": "" if shift == NONE else names[shift],
            "earlier_shifts": [names[i] for i in state["shifts"] if i != shift],
        }  # fmt: skip
        sown, discard = self.moved()
        data.update(discard=discard, sown=sown, under=self.cards(state["under"]))
        data["player"] = [self.player(player) for player in state["player"]]
        data["pending"] = self.pending()
        keep = ("season", "turn", "first", "deck", "piles", "player")
        return {key: value for key, value in data.items() if key in keep or value not in (None, "", [], {})}

    def cards(self, cards: Iterable[Card]) -> list[str]:
        """Face-down cards, each with who has looked at it."""
        found = []
        for kind, mask in cards:
            name = "?" if kind == UNKNOWN else KINDS[kind]
            if self.viewer is None:
                who = ["", " 0", " 1", " both"][mask]
            elif kind == UNKNOWN:
                who = " opponent" if mask else ""
            elif mask >> self.viewer & 1:
                who = " both" if mask == BOTH else ""
            else:
                who = f" {1 - self.viewer}"  # the view was played on by what chance might show the other one
            found.append(name + who)
        return found

    def moved(self) -> tuple[dict[str, int], dict[str, int]]:
        """Cards of the seed deck that were kept, and discarded cards."""
        state, ruleset = self.state, self.ruleset
        sown = [ruleset.seeds.get(kind, 0) - state["seeds"][i] for i, kind in enumerate(KINDS)]
        for kind, _ in (*state["under"], *state["drawn"]):
            if kind != UNKNOWN:
                sown[kind] -= 1
        left = [ruleset.copies.get(kind, 0) + sown[i] - state["pool"][i] for i, kind in enumerate(KINDS)]
        lying = [*(card for pile in state["piles"] for card in pile), *state["hand"], (state["card"], 0)]
        for kind, _ in lying:
            if kind < len(KINDS):
                left[kind] -= 1
        for player in state["player"]:
            for kind, n in enumerate(player["forest"]):
                left[kind] -= n
            for tree in (*player["open"], *player["done"]):
                for value in range(3):
                    left[value] -= tree[value]
                if len(tree) > 3:
                    left[KINDS.index(CANOPIES[tree[3]])] -= 1
        return named(sown), named(left)

    def player(self, player: Mapping[str, Any]) -> dict[str, Any]:
        """What one player has."""
        data: dict[str, Any] = {
            "forest": named(player["forest"]),
            "trees": [
                *(tree_text(tree) for tree in player["open"]),
                *(tree_text(tree[:3], tree[3], tree[4]) for tree in player["done"]),
            ],
            "used": [ANIMALS[animal] for animal in player["used"]],
            "points": player["points"],
            "scored": {name: n for name, n in zip(SOURCES, player["scored"], strict=True) if n},
        }  # fmt: skip
        return {key: value for key, value in data.items() if value}

    def pending(self) -> dict[str, Any]:
        """What is asked, or nothing at the beginning of a turn."""
        state = self.state
        if beginning(state) == (self.phase, state["at"]):
            return {}
        looks = self.phase in LOOKS or core.TASKS[state["task"]] in ("kept", "taken")
        pending = {
            "phase": self.phase, "pile": state["at"] + 1 if looks else 0,
            "hand": self.cards(state["hand"]), "task": core.TASKS[state["task"]],
            "card": "" if state["card"] == NONE else KINDS[state["card"]], "drawn": self.cards(state["drawn"]),
            "more": state["more"], "least": KINDS[state["least"]] if state["least"] else "",
        }  # fmt: skip
        return {key: value for key, value in pending.items() if value}
