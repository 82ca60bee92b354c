"""Go Nuts for Donuts: its cards, words, position files and picture (rules and formats: docs/games/donuts.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ninefold.core import rules
from ninefold.core.games import donuts as core
from ninefold.errors import InputError, located, near, shown
from ninefold.games import Extent, GameModule, PositionFile, Tuning
from ninefold.position import Position, View
from ninefold.ruleset import Ruleset

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold._game import Game
    from ninefold.move import Move

__all__ = ["MODULE", "DonutsPosition", "DonutsRuleset", "Kind", "Known", "Pending", "Player"]

NONE, SECRET = 255, 254  # the engine's numbers for no card or choice, and for one that a view does not know
KINDS, WORTHS = core.LIMITS["kinds"], core.LIMITS["worths"] + 1
REFILL, BID, DRAW, DRAW_TWO, CHOOSE, PASS, OVER = range(7)  # the engine's phases
EMPTY, UNKNOWN = "-", "?"  # how a file writes them

# --- ruleset ----------------------------------------------------------------------------------------------------------

Power = Literal[
    "", "chocolate_frosted", "eclair", "french_cruller", "sprinkled", "double_chocolate", "red_velvet", "bear_claw",
    "day_old", "cinnamon_twist", "milk", "strawberry_glazed", "raspberry_frosted",
]  # fmt: skip


class Kind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of the rules' table of cards: all numbers of one kind."""

    players: int  # smallest number of players that uses it, 2 .. 6
    copies: int | list[int]  # one number, or five for 2 .. 6 players; 0 .. 31
    points: int | list[int]  # for each card, or for 1, 2, 3, … cards in all, the last value going on; -1000 .. 1000
    power: Power = ""  # what fires when it is taken from the row
    at_least_types: int = 0  # it scores only with so many types held or more; 0: always
    at_most_types: int = 0  # … or fewer
    at_most_cards: int = 0  # … only with so many cards held in all, or fewer
    fewest_cards: bool = False  # … only for the players with the fewest cards in all
    most: int = 0  # bonus of the one player with most of the kind
    tied: int = 0  # bonus of each who ties for most
    per_negative: int | None = None  # a Coffee: points for each negative card held

    def copies_for(self, players: int) -> int:
        """Copies in the deck of this number of players."""
        if players < self.players:
            return 0
        return self.copies[players - 2] if isinstance(self.copies, list) else self.copies

    @property
    def is_negative(self) -> bool:
        """Rulings: printed points per card below 0; kinds scored by count never are."""
        return isinstance(self.points, int) and self.points < 0

    def check(self) -> None:
        """Raise InputError for numbers that the engine cannot hold."""
        copies = self.copies if isinstance(self.copies, list) else [self.copies]
        if isinstance(self.copies, list) and len(copies) != 5:
            raise InputError(f"five numbers, for 2 to 6 players, not {len(copies)}", path="copies", value=copies)
        points = self.points if isinstance(self.points, list) else [self.points]
        if not 1 <= len(points) <= core.LIMITS["copies"]:
            raise InputError(f"a list has 1 to {core.LIMITS['copies']} numbers, not {len(points)}", path="points")
        top = core.LIMITS["points"]
        numbers = [
            ("players", [self.players], 2, 6), ("copies", copies, 0, core.LIMITS["copies"]),
            ("points", points, -top, top), ("most", [self.most], -top, top), ("tied", [self.tied], -top, top),
            ("at_least_types", [self.at_least_types], 0, 255), ("at_most_types", [self.at_most_types], 0, 255),
            ("at_most_cards", [self.at_most_cards], 0, 255), ("per_negative", [self.per_negative or 0], 0, top),
        ]  # fmt: skip
        for path, values, low, high in numbers:
            for value in values:
                if not low <= value <= high:
                    raise InputError(f"must be {low} to {high}, not {shown(value)}", path=path, value=value)
        if self.per_negative is not None and self.points != 0:
            raise InputError("must be 0 beside per_negative", path="points", value=self.points)


class DonutsRuleset(Ruleset, frozen=True, kw_only=True):
    """The cards of Go Nuts for Donuts, in the order of the rules' table."""

    kinds: dict[str, Kind]

    def used(self, players: int) -> dict[str, Kind]:
        """The kinds in the deck of this number of players; their order is the engine's numbering."""
        return {name: kind for name, kind in self.kinds.items() if kind.copies_for(players)}

    def check(self) -> None:
        """Raise InputError for anything that the engine cannot play."""
        super().check()
        wanted = MODULE.standard_options()
        if {name: sorted(option.values) for name, option in self.options.items()} != wanted:
            raise InputError(f"the options are {', '.join(wanted)}, with the standard values", path="options")
        if not 1 <= len(self.kinds) <= KINDS:
            raise InputError(f"1 to {KINDS} kinds of cards, not {len(self.kinds)}", path="kinds")
        for name, kind in self.kinds.items():
            if not re.fullmatch("[a-z][a-z0-9_]*", name):
                raise InputError(f"a card's name is lower-case letters, digits and _, not {shown(name)}", path="kinds")
            with located(path=f"kinds.{name}"):
                kind.check()
        coffees = [name for name, kind in self.kinds.items() if kind.per_negative is not None]
        if len(coffees) > 1:
            raise InputError("only one kind can count negative cards", path=f"kinds.{coffees[1]}.per_negative")
        for players in MODULE.players:
            self._check_deck(self.used(players), players)

    def _check_deck(self, used: Mapping[str, Kind], players: int) -> None:
        """The deck of one number of players: what it may hold at most."""

        def limit(what: str, names: list[str], most: int) -> None:
            n = sum(used[name].copies_for(players) for name in names)
            if n > most:
                path = f"kinds.{names[-1]}.copies" if len(names) == 1 else "kinds"
                raise InputError(f"{n} {what} with {players} players, at most {most} can be played", path=path, value=n)

        limit("cards", list(used), core.LIMITS["cards"])
        doubles = [name for name, kind in used.items() if kind.power == "double_chocolate"]
        limit("cards with the power double_chocolate", doubles, core.LIMITS["returned"])
        if coffees := [name for name, kind in used.items() if kind.per_negative]:
            limit("copies of what counts negative cards", coffees, WORTHS - 1)
            limit("negative cards", [name for name, kind in used.items() if kind.is_negative], WORTHS - 1)


# --- position files ---------------------------------------------------------------------------------------------------


class Player(msgspec.Struct, forbid_unknown_fields=True):
    """What one player holds: items and how many; a frozen Coffee is written with its points, as "coffee+2"."""

    cards: dict[str, int] = {}


class Known(msgspec.Struct, forbid_unknown_fields=True):
    """A card that not everybody has seen: its kind or "?", and the players who know it."""

    card: str
    seen: list[int]


class Pending(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What has been decided since the row was full."""

    bids: list[int | str]  # by player: a place, "-" not yet, "?" hidden
    place: int = 0  # whose card's power is being resolved; 0: bids are still being made
    power: str = ""
    card: str = ""  # the kind that was taken, where several kinds have that power
    chosen: int = 0  # cards named so far (Day-Old, Milk), the last place named (French Cruller)
    drawn: list[str | Known] = []  # Double Chocolate; a bare name has been seen by its taker alone
    passes: list[str] = []  # Cinnamon Twist, by player: an item, "-" not yet, "?" hidden


class DonutsPosition(PositionFile, kw_only=True):
    """A position of Go Nuts for Donuts: what is visible. The cards not seen anywhere are the deck."""

    row: list[str]  # by place, "-" where empty
    discard: list[str] = []  # bottom to top
    deck: int | None = None  # number of cards, to be checked
    top: list[str | Known] = []  # known cards on top of the deck, the uppermost last; a bare name is known to all
    bottom: list[str | Known] = []  # known cards at the bottom, the first to be drawn first
    player: list[Player]
    pending: Pending | None = None


class _Reader:
    """Turns the words of one file into the engine's numbers and counts the cards on the way."""

    def __init__(self, game: Game, data: DonutsPosition) -> None:
        assert isinstance(game.ruleset, DonutsRuleset)
        self.data, self.players = data, game.players
        self.ruleset, self.coffee_final = game.ruleset, game.options["coffee"] == "final"
        self.kinds = list(game.ruleset.used(game.players).items())
        self.names = [name for name, _ in self.kinds]
        self.copies = [kind.copies_for(game.players) for _, kind in self.kinds]
        self.left = list(self.copies)
        self.items = _items(self.ruleset, game.players, self.coffee_final)
        self.has_unknown = False

    def numbers(self) -> dict[str, Any]:
        """What the engine's `load` wants. Raises InputError for anything impossible."""
        data, n = self.data, self.players
        if len(data.row) != n + 1:
            raise InputError(f"{n} players have a row of {n + 1} places, not {len(data.row)}", path="row")
        row = [NONE if name == EMPTY else self.card(name, f"row[{i}]") for i, name in enumerate(data.row)]
        held, coffee = zip(
            *(self.hand(player.cards, f"player[{i}].cards") for i, player in enumerate(data.player)), strict=True
        )
        numbers: dict[str, Any] = {
            "phase": BID, "power": 0, "actor": 0, "place": 0, "chosen": 0, "taken_kind": NONE,
            "row": row, "bid": [NONE] * n, "passed": [NONE] * n, "held": held, "coffee": coffee, "drawn": [],
            "discard": [self.card(name, f"discard[{i}]") for i, name in enumerate(data.discard)],
            "top": [self.known(card, f"top[{i}]", _knowers(card, n)) for i, card in enumerate(data.top)],
            "bottom": [self.known(card, f"bottom[{i}]", _knowers(card, n)) for i, card in enumerate(data.bottom)],
        }  # fmt: skip
        self.check_ends(numbers)
        if data.pending is not None:
            with located(path="pending"):
                self.pending(data.pending, numbers)
        empty = row.count(NONE)
        self.deck(numbers)
        if numbers["phase"] == BID and empty:
            if data.pending is not None:
                raise InputError("nobody bids while places are empty", path="pending.bids")
            numbers["phase"] = OVER if empty > numbers["deck"] else REFILL
            numbers["place"] = 0 if empty > numbers["deck"] else row.index(NONE)
        self.next_card(numbers)
        return numbers

    def check_ends(self, numbers: Mapping[str, Any]) -> None:
        """The engine has room for so many known cards, those that Double Chocolate may still put back included."""
        doubles = [i for i, (_, kind) in enumerate(self.kinds) if kind.power == "double_chocolate"]
        gone = sum(numbers["discard"].count(i) + sum(held[i] for held in numbers["held"]) for i in doubles)
        now = self.data.pending is not None and self.data.pending.power == "double_chocolate"
        coming = sum(self.copies[i] for i in doubles) - gone + now
        for end, most in (("top", core.LIMITS["returned"]), ("bottom", core.LIMITS["returned"] - coming)):
            if len(numbers[end]) > most:
                raise InputError(f"at most {most} known cards, not {len(numbers[end])}", path=end)

    def kind(self, name: str, path: str) -> int:
        """Number of a kind."""
        if name in self.names:
            return self.names.index(name)
        if name in self.ruleset.kinds:
            raise InputError(f"{name} is not in the deck of {self.players} players", path=path, value=name)
        raise InputError(f"unknown card {shown(name)}", path=path, value=name, match=near(name, self.names))

    def see(self, kind: int, n: int, path: str) -> None:
        """Count cards that lie somewhere."""
        self.left[kind] -= n
        if self.left[kind] < 0:
            name, copies = self.names[kind], self.copies[kind]
            raise InputError(f"too many {name}: {copies - self.left[kind]} here, {copies} in the game", path=path)

    def card(self, name: str, path: str) -> int:
        """A card that everybody sees."""
        kind = self.kind(name, path)
        self.see(kind, 1, path)
        return kind

    def item(self, word: str, path: str) -> int:
        """Number of an item held: of its kind, or KINDS + the negative cards a frozen Coffee has counted."""
        if word in self.items:
            return self.items.index(word)
        name = word.split("+")[0]
        kind = self.ruleset.kinds.get(name)
        if kind is not None and kind.per_negative and name in self.names:
            if self.coffee_final:
                raise InputError(f"with coffee = final a held {name} has no value: {name!r}", path=path, value=word)
            values = [item for item in self.items[KINDS:] if item]
            raise InputError(f"a held {name} is {values[0]} … {values[-1]}, not {shown(word)}", path=path, value=word)
        return self.kind(word if kind is None else name, path)

    def hand(self, cards: Mapping[str, int], path: str) -> tuple[list[int], list[int]]:
        """Cards of each kind, and Coffees of each worth, that a player holds."""
        held, coffee = [0] * len(self.kinds), [0] * WORTHS
        for word, n in cards.items():
            item = self.item(word, f"{path}.{word}")
            if n < 0:
                raise InputError(f"a number of cards, not {shown(n)}", path=f"{path}.{word}", value=n)
            kind = item if item < KINDS else self.names.index(word.split("+")[0])
            self.see(kind, n, f"{path}.{word}")
            held[kind] += n
            if item >= KINDS:
                coffee[item - KINDS] += n
        return held, coffee

    def known(self, card: str | Known, path: str, seen: Sequence[int]) -> tuple[int, int]:
        """A card and who has seen it, a mask; `seen` if the file does not tell."""
        name = card if isinstance(card, str) else card.card
        seen = card.seen if isinstance(card, Known) else seen
        for player in seen:
            if not 0 <= player < self.players:
                raise InputError(f"players are 0 to {self.players - 1}, not {shown(player)}", path=f"{path}.seen")
        mask = sum(1 << player for player in set(seen))
        if name == UNKNOWN:
            self.has_unknown = True
            return SECRET, mask
        return self.card(name, path), mask

    def choices(self, words: Sequence[int | str], path: str, read: Any) -> list[int]:
        """One choice for each player."""
        if len(words) != self.players:
            raise InputError(f"one for each of the {self.players} players, not {len(words)}", path=path)
        self.has_unknown |= UNKNOWN in words
        special: dict[int | str, int] = {EMPTY: NONE, UNKNOWN: SECRET}
        return [special[word] if word in special else read(word, f"{path}[{i}]") for i, word in enumerate(words)]

    def bid(self, place: int | str, path: str) -> int:
        """A place, from 0."""
        if not isinstance(place, int) or not 1 <= place <= self.players + 1:
            raise InputError(
                f"a place from 1 to {self.players + 1}, '-' or '?', not {shown(place)}", path=path, value=place
            )
        return place - 1

    def pending(self, pending: Pending, numbers: dict[str, Any]) -> None:
        """What has been decided since the row was full."""
        bids = numbers["bid"] = self.choices(pending.bids, "bids", self.bid)
        if pending.place == 0:
            for field in ("power", "card", "chosen", "drawn", "passes"):
                if getattr(pending, field):
                    raise InputError("needs the place whose power is resolved", path=field)
            if NONE not in bids:
                raise InputError("all bids are made: which place is resolved?", path="place")
            if bids.count(NONE) == self.players:
                raise InputError("no bid is made: leave [pending] out", path="bids")
            return
        if NONE in bids or SECRET in bids:
            raise InputError("bids are known while places are resolved", path="bids")
        place = self.bid(pending.place, "place")
        if bids.count(place) != 1:
            raise InputError(f"{bids.count(place)} bids on place {place + 1}: nobody takes its card", path="place")
        numbers["place"], numbers["actor"] = place + 1, bids.index(place)
        cruller = any(kind.power == "french_cruller" for _, kind in self.kinds)
        for i, kind in enumerate(numbers["row"]):
            if i in bids and (kind == NONE) != (i <= place):
                what = "has been resolved: it is empty" if i <= place else "is still to be resolved: it has a card"
                raise InputError(f"place {i + 1} {what}", path="place")
            if i not in bids and kind == NONE and not cruller:
                raise InputError(f"place {i + 1} is empty, and nobody bid there", path="place")
        self.power(pending, numbers)

    def power(self, pending: Pending, numbers: dict[str, Any]) -> None:
        """The power that is being resolved, and how far."""
        held, actor = numbers["held"][numbers["actor"]], numbers["actor"]
        powers = sorted({kind.power for _, kind in self.kinds if kind.power})
        if pending.power not in powers:
            raise InputError(f"unknown power {shown(pending.power)}", path="power", match=near(pending.power, powers))
        kinds = [i for i, (_, kind) in enumerate(self.kinds) if kind.power == pending.power]
        if pending.card:
            kinds = [i for i in kinds if i == self.kind(pending.card, "card")]
        if not any(held[i] for i in kinds):
            raise InputError(f"player {actor} has no card with the power {pending.power}", path="power")
        numbers["power"] = core.POWER_NAMES.index(pending.power)
        numbers["drawn"] = [self.known(card, f"drawn[{i}]", [actor]) for i, card in enumerate(pending.drawn)]
        numbers["phase"] = CHOOSE
        if pending.power == "chocolate_frosted":
            numbers["phase"] = DRAW
        elif pending.power == "cinnamon_twist":
            numbers.update(phase=PASS, power=0, actor=0, passed=self.choices(pending.passes, "passes", self.item))
            self.check_passes(numbers)
        elif pending.power == "double_chocolate":
            if len(pending.drawn) > 2:
                raise InputError(f"at most two cards, not {len(pending.drawn)}", path="drawn")
            numbers["drawn"] = [(kind, seen | 1 << actor) for kind, seen in numbers["drawn"]]
            numbers["phase"] = CHOOSE if len(pending.drawn) == 2 else DRAW_TWO
        else:
            if len([i for i in kinds if held[i]]) > 1:
                raise InputError("several kinds have this power: which one was taken?", path="card")
            numbers["taken_kind"] = next(i for i in kinds if held[i])
        if pending.drawn and pending.power != "double_chocolate":
            raise InputError("only double_chocolate draws cards to choose from", path="drawn")
        if pending.passes and pending.power != "cinnamon_twist":
            raise InputError("only with cinnamon_twist cards are passed", path="passes")
        most = {"day_old": 2, "milk": 2, "french_cruller": self.players}.get(pending.power, 0)
        if not 0 <= pending.chosen <= most:
            raise InputError(f"must be 0 to {most} here, not {shown(pending.chosen)}", path="chosen")
        numbers["chosen"] = pending.chosen
        if pending.power == "french_cruller" and pending.chosen and numbers["row"][pending.chosen - 1] != NONE:
            raise InputError(f"place {pending.chosen} still has a card", path="chosen")

    def check_passes(self, numbers: dict[str, Any]) -> None:
        """Everybody passes a card he holds; somebody with cards still has to choose."""
        waiting = False
        for player, item in enumerate(numbers["passed"]):
            held, coffee = numbers["held"][player], numbers["coffee"][player]
            if item == NONE:
                waiting |= any(held)
            elif (item == SECRET and not any(held)) or (
                item < SECRET and not (coffee[item - KINDS] if item >= KINDS else held[item])
            ):
                raise InputError(f"player {player} does not hold that card", path=f"passes[{player}]")
        if not waiting:
            raise InputError("everybody has chosen", path="passes")

    def deck(self, numbers: dict[str, Any]) -> None:
        """The cards not seen anywhere, and those known to be in the deck."""
        hidden = sum(kind == SECRET for kind, _ in numbers["drawn"])
        known = sum(kind != SECRET for kind, _ in numbers["top"] + numbers["bottom"])
        deck = numbers["deck"] = sum(self.left) + known - hidden
        if self.data.deck is not None and self.data.deck != deck:
            raise InputError(
                f"{shown(self.data.deck)} cards, but {deck} are seen nowhere else", path="deck", value=self.data.deck
            )
        if deck < len(numbers["top"]) + len(numbers["bottom"]):
            raise InputError(f"the deck has only {max(deck, 0)} cards", path="bottom" if numbers["bottom"] else "top")

    def next_card(self, numbers: dict[str, Any]) -> None:
        """Chance needs a card that nobody knows: a known one would have been drawn at once."""
        phase, deck, top, bottom = (numbers[key] for key in ("phase", "deck", "top", "bottom"))
        if phase == DRAW_TWO and not numbers["drawn"] and deck == 1:
            phase = numbers["phase"] = DRAW  # Details: with one card left: take it
        if phase not in (REFILL, DRAW, DRAW_TWO):
            return
        if deck == 0:
            raise InputError("the deck is empty: there is nothing to draw", path="pending.power")
        kind = top[-1][0] if top else bottom[0][0] if deck == len(bottom) else SECRET
        if kind != SECRET:
            raise InputError(
                f"the next card is known, {self.names[kind]}, so it is drawn already", path="top" if top else "bottom"
            )


def _knowers(card: str | Known, players: int) -> range:
    """Who has seen a card in the deck that is written as a bare name: everybody, or for "?" nobody who is named."""
    return range(0 if card == UNKNOWN else players)


def _items(ruleset: DonutsRuleset, players: int, coffee_final: bool) -> list[str]:
    """The word of each item a player can hold, "" for none: a kind's name, or a frozen Coffee's with its points."""
    used = ruleset.used(players)
    names = list(used) + [""] * (KINDS - len(used))
    worths = [""] * WORTHS
    coffee = next((name for name, kind in used.items() if kind.per_negative), None)
    if coffee is not None and not coffee_final:
        names[names.index(coffee)] = ""
        negatives = sum(kind.copies_for(players) for kind in used.values() if kind.is_negative)
        for n in range(negatives + 1):
            worths[n] = f"{coffee}+{n * (used[coffee].per_negative or 0)}"
    return names + worths


# --- the module -------------------------------------------------------------------------------------------------------


class Donuts(GameModule[DonutsRuleset, DonutsPosition]):
    """Go Nuts for Donuts, as the face needs it."""

    name = "donuts"
    players = range(2, 7)
    cards = "kinds"
    ruleset_type = DonutsRuleset
    position_type = DonutsPosition
    tuning = Tuning(
        halving=40,
        leaves=4,
        calibration=((100, 1.0, 0.0), (1_000, 1.5, 0.0), (10_000, 1.8, 0.0)),
        exact_rest=12,
    )

    def standard_options(self) -> dict[str, list[str]]:
        """The options that the engine knows and their values, sorted."""
        return {
            "double_chocolate_return": ["bottom", "top"], "coffee": ["final", "frozen"], "red_velvet": ["may", "must"],
            "bear_claw": ["may", "must"],
        }  # fmt: skip

    def compile(self, ruleset: DonutsRuleset, players: int, options: Mapping[str, str]) -> rules.Game:
        """The core game. Raises InputError where the deck cannot fill the row."""
        used = ruleset.used(players)
        cards = sum(kind.copies_for(players) for kind in used.values())
        if cards < players + 1:
            raise InputError(f"a deck of {cards} cards cannot fill the row of {players} players", path="ruleset.kinds")
        data = [
            {
                "copies": kind.copies_for(players),
                "points": [0, *kind.points] if isinstance(kind.points, list) else [kind.points * n for n in range(32)],
                "power": kind.power, "negative": kind.is_negative, "coffee": kind.per_negative or None,
                "at_least_types": kind.at_least_types, "at_most_types": kind.at_most_types,
                "at_most_cards": kind.at_most_cards, "fewest_cards": kind.fewest_cards,
                "most": kind.most, "tied": kind.tied,
            }
            for kind in used.values()
        ]  # fmt: skip
        return core.compile(
            players, data, options["double_chocolate_return"] == "top", options["coffee"] == "final",
            options["red_velvet"] == "must", options["bear_claw"] == "must",
        )  # fmt: skip

    def extent(self, ruleset: DonutsRuleset, players: int) -> Extent:
        """Every round takes a card out of the deck for good, and asks each player to bid, and eight times at most."""
        used = [(kind, kind.copies_for(players)) for kind in ruleset.used(players).values()]
        negative = sum(copies for kind, copies in used if kind.is_negative)
        low = high = 0
        for kind, copies in used:
            worth = [0, *kind.points] if isinstance(kind.points, list) else [0, copies * kind.points]
            bonus = [0, kind.most, kind.tied]
            low += min(worth) + min(bonus)
            high += max(worth) + max(bonus) + (kind.per_negative or 0) * negative * copies
        cards = sum(copies for _, copies in used)
        return Extent(low, high, cards * players * 9, cards)

    def sources(self, ruleset: DonutsRuleset, players: int, options: Mapping[str, str]) -> tuple[str, ...]:
        """Each kind of card, and the bonus for most of one."""
        used = ruleset.used(players)
        most = [name for name, kind in used.items() if kind.most or kind.tied]
        return *used, f"most {most[0] if len(most) == 1 else 'of a kind'}"

    def words(self, ruleset: DonutsRuleset, players: int, options: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The notation of each move and outcome, in the order of the engine's move ids."""
        used = list(ruleset.used(players))
        kinds = used + [""] * (KINDS - len(used))
        items = _items(ruleset, players, options["coffee"] == "final")
        places = [str(place) if place <= players + 1 else "" for place in range(1, core.LIMITS["players"] + 2)]
        stops = [power if power in STOPS else "" for power in core.POWER_NAMES]

        def block(start: str, words: Sequence[str]) -> list[str]:
            return [start + word if word else "" for word in words]

        def seats(start: str) -> Iterator[str]:
            for seat in range(core.LIMITS["players"]):
                yield from block(f"{start} {seat}: ", items if seat < players else [""] * len(items))

        moves = [
            *block("bid ", places), *block("discard french_cruller: ", places), *block("stop ", stops),
            *block("keep double_chocolate: ", kinds), *block("take red_velvet: ", kinds),
            *block("take day_old: ", kinds), *block("pass cinnamon_twist: ", items),
            *block("discard milk: ", items), *block("discard raspberry_frosted: ", items),
            *seats("give sprinkled to"), *seats("take bear_claw from"), *seats("discard strawberry_glazed from"),
        ]  # fmt: skip
        return moves, block("deal ", kinds)

    def count_players(self, data: DonutsPosition) -> int:
        """The number of [[player]] tables."""
        return len(data.player)

    def load(self, game: Game, data: DonutsPosition) -> Position:
        """The position that a file describes. Raises InputError for an impossible one."""
        reader = _Reader(game, data)
        numbers = reader.numbers()
        position = View(game) if reader.has_unknown else Position(game)
        core.load(position, numbers)
        if numbers["phase"] == CHOOSE and all(kind != SECRET for kind, _ in numbers["drawn"]):
            useful = [move for move in position.legal() if not move.text.startswith("stop ")]
            milk = data.pending is not None and data.pending.power == "milk"
            if not useful or (milk and sum(numbers["held"][numbers["actor"]]) <= 3 - numbers["chosen"]):
                raise InputError("there is nothing to choose", path="pending.power")
        return position

    def dump(self, position: Position) -> dict[str, Any]:
        """Row, discard pile, deck and players, and what has been decided since the row was full."""
        state = core.dump(position)
        names, items = self._words(position)
        players, phase = range(position.players), state["phase"]

        def known(cards: Sequence[tuple[int, int]], plain: int, unknown: int) -> list[object]:
            found: list[object] = []
            for kind, seen in cards:
                name = UNKNOWN if kind == SECRET else names[kind]
                told = {"card": name, "seen": [p for p in players if seen >> p & 1]}
                found.append(name if seen == (unknown if kind == SECRET else plain) else told)
            return found

        data: dict[str, Any] = {"row": [EMPTY if kind == NONE else names[kind] for kind in state["row"]]}
        if state["discard"]:
            data["discard"] = [names[kind] for kind in state["discard"]]
        data["deck"] = state["deck"]
        for end in ("top", "bottom"):
            if state[end]:
                data[end] = known(state[end], (1 << len(players)) - 1, 0)
        special = {NONE: EMPTY, SECRET: UNKNOWN}
        data["player"] = [{"cards": self._cards(position, state, player)} for player in players]
        if phase in (REFILL, OVER) or (phase == BID and set(state["bid"]) == {NONE}):
            return data
        pending = data["pending"] = {"bids": [special.get(bid, bid + 1) for bid in state["bid"]]}
        if phase == BID:
            return data
        pending["place"] = state["place"]
        pending["power"] = "cinnamon_twist" if phase == PASS else core.POWER_NAMES[state["power"]]
        ruleset = position.game.ruleset
        assert isinstance(ruleset, DonutsRuleset)
        alike = [name for name, kind in ruleset.used(len(players)).items() if kind.power == pending["power"]]
        if state["taken_kind"] != NONE and len(alike) > 1:
            pending["card"] = names[state["taken_kind"]]
        if state["chosen"]:
            pending["chosen"] = state["chosen"]
        if state["drawn"]:
            pending["drawn"] = known(state["drawn"], 1 << state["actor"], 1 << state["actor"])
        if phase == PASS:
            pending["passes"] = [special.get(item) or items[item] for item in state["passed"]]
        return data

    def missing(self, position: Position, player: int) -> str:
        """Hidden choices without which the last choice of a round has no result; cards that only another has seen."""
        state = core.dump(position)
        for choices, what in ((state["bid"], "bid"), (state["passed"], "passed card")):
            hidden = [other for other, choice in enumerate(choices) if choice == SECRET]
            if hidden and position.actors == (player,):
                return f"the {what} of player {' and '.join(map(str, hidden))}"
        if any(kind == SECRET for kind, _ in state["drawn"]):
            return f"the cards that player {state['actor']} drew"
        return ""

    def takes(self, position: Position, player: int, move: Move) -> list[str]:
        """The card that is bid for; the one that a power takes or keeps."""
        word, _, name = move.text.rpartition(" ")
        if word == "bid":
            return [self.gloss(position, move)]
        return [name.split("+")[0]] if word.startswith(("keep ", "take ")) else []

    def owned(self, position: Position, player: int) -> dict[str, int]:
        """All cards held."""
        held = core.dump(position)["held"][player]
        return {name: n for name, n in zip(self._words(position)[0], held, strict=False) if n}

    def _words(self, position: Position) -> tuple[list[str], list[str]]:
        ruleset = position.game.ruleset
        assert isinstance(ruleset, DonutsRuleset)
        names = list(ruleset.used(position.players))
        return names, _items(ruleset, position.players, position.game.options["coffee"] == "final")

    def _cards(self, position: Position, state: Mapping[str, Any], player: int) -> dict[str, int]:
        """What a player holds, item: number."""
        items = self._words(position)[1]
        found = {}
        for kind, n in enumerate(state["held"][player]):
            if n and items[kind]:
                found[items[kind]] = n
            elif n:
                found.update({items[KINDS + worth]: m for worth, m in enumerate(state["coffee"][player]) if m})
        return found

    # --- pictures ---

    def gloss(self, position: Position, move: Move) -> str:
        """The card on the place that a bid or a French Cruller names."""
        word, _, place = move.text.rpartition(" ")
        if word not in ("bid", "discard french_cruller:"):
            return ""
        card = self.dump(position)["row"][int(place) - 1]
        assert isinstance(card, str)
        return card

    def situation(self, position: Position) -> str:
        """In words, who must do what."""
        state = core.dump(position)
        phase, actor, power = state["phase"], state["actor"], core.POWER_NAMES[state["power"]]
        who = " ".join(map(str, position.actors))
        if phase == BID:
            return f"to bid: {who}"
        if phase == REFILL:
            return f"chance fills place {state['place'] + 1}"
        if phase == PASS:
            return f"cinnamon_twist, to pass a card: {who}"
        if phase == OVER:
            return f"over, won by {' and '.join(map(str, position.winners()))}"
        return f"{power} of player {actor}" + (", chance draws" if phase in (DRAW, DRAW_TWO) else "")

    def _lines(self, position: Position) -> tuple[str, list[tuple[str, str]], list[tuple[str, int, int, str]]]:
        """Heading; row: (place, card); players: (seat, points, cards, what they hold)."""
        state, data = core.dump(position), self.dump(position)
        pile = data.get("discard", [])
        heading = f"donuts · {position.players} players · {self.situation(position)} · deck {state['deck']}"
        for end in ("top", "bottom"):
            if end in data:
                heading += f" ({end}: {' '.join(c if isinstance(c, str) else c['card'] for c in data[end])})"
        heading += f" · discard {len(pile)}"
        if pile:
            heading += f" ({', '.join(reversed(pile[-5:]))}{', …' * (len(pile) > 5)})"
        row = [(str(place), card) for place, card in zip(count(1), data["row"], strict=False)]
        players = []
        for player, points in enumerate(position.scores()):
            cards = data["player"][player]["cards"]
            held = "  ".join(f"{n} {item}" if n > 1 else item for item, n in cards.items())
            players.append((str(player), points, sum(cards.values()), held))
        return heading, row, players

    def text(self, position: Position) -> str:
        """Heading, row and players, a line each."""
        heading, row, players = self._lines(position)
        lines = [heading, "row  " + "  ".join(f"{place}:{card}" for place, card in row)]
        lines += [
            f"{seat}  {points:3} points  {cards:2} cards  {held}".rstrip() for seat, points, cards, held in players
        ]
        return "\n".join(lines)

    def picture(self, position: Position) -> RenderableType:
        """The row and the players as tables under the heading."""
        from rich import box
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        heading, row, players = self._lines(position)
        ruleset = position.game.ruleset
        assert isinstance(ruleset, DonutsRuleset)
        bids = core.dump(position)["bid"]
        table = Table("place", "card", "points", "power", "bids", box=box.ROUNDED)
        for place, card in row:
            kind = ruleset.kinds.get(card)
            who = " ".join(str(player) for player, bid in enumerate(bids) if bid == int(place) - 1)
            told = ("", "") if kind is None else (_worth(kind), kind.power)
            style = "dim" if kind is None else "red" if kind.is_negative else "cyan" if kind.power else "yellow"
            table.add_row(place, Text(card, style=style), told[0], told[1], who)
        hands = Table(box=box.ROUNDED)
        for name in ("player", "points", "cards"):
            hands.add_column(name, justify="right")
        hands.add_column("holds")
        actors = position.actors
        for seat, points, cards, held in players:
            style = "bold" if int(seat) in actors else ""
            hands.add_row(seat, str(points), str(cards), Text(held), style=style)
        return Group(Text(heading, style="bold"), table, hands)

    def svg(self, position: Position) -> str:
        """The row as cards, and a line for each player."""
        from ninefold.draw import HEIGHT, Canvas

        heading, row, players = self._lines(position)
        ruleset = position.game.ruleset
        assert isinstance(ruleset, DonutsRuleset)
        bids = core.dump(position)["bid"]
        canvas = Canvas(heading)
        canvas.text(16, 12, heading, "strong")
        wide, high, y = 172, 78, 12 + 2 * HEIGHT
        for place, card in row:
            x = 16 + (int(place) - 1) * (wide + 8)
            kind = ruleset.kinds.get(card)
            canvas.box(x, y, wide, high, "card" if kind else "empty")
            canvas.text(x + 10, y + 6, f"{place}  {'' if card == EMPTY else card}", "strong" if kind else "faint")
            who = " ".join(str(player) for player, bid in enumerate(bids) if bid == int(place) - 1)
            canvas.text(x + 10, y + 50, f"bids: {who}" if who else "", "mark")
            if kind:
                canvas.text(x + 10, y + 24, _worth(kind), "faint", room=wide - 20)
                canvas.text(x + 10, y + 38, "power" if kind.power else "", "faint")
        y += high + HEIGHT
        for seat, points, cards, held in players:
            canvas.text(16, y, f"player {seat}", "strong" if int(seat) in position.actors else "")
            canvas.text(92, y, f"{points} points, {cards} cards   {held}")
            y += HEIGHT
        return canvas.svg()


def _worth(kind: Kind) -> str:
    """The points of a kind in a few words."""
    if kind.per_negative:
        return f"{kind.per_negative} for each negative card"
    if isinstance(kind.points, list):
        return ", ".join(map(str, kind.points))
    words = f"{kind.points} each"
    for limit, text in (
        (kind.at_least_types, "with {} or more types"), (kind.at_most_types, "with {} or fewer types"),
        (kind.at_most_cards, "with {} or fewer cards"), (kind.fewest_cards, "with the fewest cards"),
        (kind.most, "most +{}"),
    ):  # fmt: skip
        words += f" {text.format(limit)}" if limit else ""
    return words


STOPS = ("french_cruller", "red_velvet", "bear_claw", "day_old", "milk")
MODULE = Donuts()
