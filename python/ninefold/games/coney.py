"""Coney: its cards, words, position files and pictures (rules and formats: docs/games/coney.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from ninefold.analysis import OBJECTIVES
from ninefold.core import rules
from ninefold.core.games import coney as core
from ninefold.errors import InputError, located, near, shown
from ninefold.games import Extent, GameModule, PositionFile, Tuning, coney_cards
from ninefold.games.coney_cards import (
    AROUND,
    ATTRIBUTES,
    COLOURS,
    GROUPS,
    MOST,
    RESOURCES,
    Condition,
    Cost,
    Coupon,
    Effect,
)
from ninefold.position import Position, View
from ninefold.ruleset import Remark, Ruleset

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold._game import Game
    from ninefold.draw import Canvas
    from ninefold.move import Move
    from ninefold.puzzle import Puzzle
    from ninefold.solvers import Solving

__all__ = ["MODULE", "Card", "ConeyPosition", "ConeyRuleset", "Player"]

NONE, SECRET = 255, 254  # the engine's numbers for no card or choice, and for a choice that a view does not know
DECK, EMPTY, UNKNOWN = "deck", "-", "?"
SIDE = 3  # cells of the farm's side
CELLS = tuple(f"{column}{row}" for row in "123" for column in "abc")  # in the engine's order
PLACES = tuple(f"{column}{row}" for row in range(-1, SIDE + 1) for column in "yzabc")  # around a sliding farm
_SPAN = 5  # places of such a side
ACTIONS = ("place", "breed", "refill")
ORIGINS = core.ORIGINS
_AGES = ORIGINS["picked"]  # origins below are ages

# --- ruleset ----------------------------------------------------------------------------------------------------------

RULES = {  # the numbers of the rules, and the range that the engine plays
    "hand": (4, 1, core.LIMITS["hand"]), "reserve": (2, 0, core.LIMITS["reserve"]),
    "market": (3, 1, core.LIMITS["market"]), "turns": (9, 1, core.LIMITS["turns"]),
    "max_rounds": (40, 1, core.LIMITS["turns"]), "resources_per_point": (3, 1, 99), "reserved_penalty": (2, 0, 99),
}  # fmt: skip
SUPPLY, LOGO_POINTS, BANDS = 24, (0, 0, 0, 2, 4, 6), (10, 19, 28)
LOGOS = ("bakery", "florist", "library")  # our names of the three shops
SEXES = {"male": 18, "female": 48, "wild": 6}  # cards of the box
COLOURS_OF_ONE = 3
POINTS = core.LIMITS["points"]
SOURCES = (
    "printed points", "coupons for neighbours", "coupons for row and column", "coupons for resources", "logos",
    "unspent resources", "reserved cards",
)  # fmt: skip


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rabbit, in the words of the grammar: what may be left out is nothing."""

    points: int = 0  # printed
    colours: str | list[str] = ""  # one to three of white, black, grey, brown, orange; none for a wild
    sex: Literal["male", "female", "wild"]
    cost: str = ""  # "2 carrot 1 any"
    condition: str = ""  # "no male and at most 1 black"
    sale: str = ""  # "2 same"
    coupon: str = ""  # "breed: 1 carrot"
    logo: str = ""  # one of the ruleset's logos

    @property
    def hues(self) -> tuple[str, ...]:
        """Its colours, as they are written."""
        words = self.colours.lower().replace(",", " ").split() if isinstance(self.colours, str) else self.colours
        return tuple(words)

    @property
    def price(self) -> Cost:
        """What placing it costs."""
        return coney_cards.cost(self.cost)

    @property
    def demand(self) -> Condition:
        """What its neighbours must be."""
        return coney_cards.condition(self.condition)

    @property
    def value(self) -> Effect:
        """What its sale yields."""
        return coney_cards.sale(self.sale)

    @property
    def power(self) -> Coupon:
        """What its coupon does."""
        return coney_cards.coupon(self.coupon)

    @property
    def summary(self) -> str:
        """All of it in a line, but for what it takes to place and what its sale yields."""
        words = (f"{self.points} points", SIGNS[self.sex], *self.hues, str(self.power), self.logo)
        return " ".join(filter(None, words))

    @property
    def meaning(self) -> tuple[object, ...]:
        """All of it, however it is written."""
        demand = frozenset(self.demand.clauses)
        return (self.points, self.sex, frozenset(self.hues), self.price, demand, self.value, self.power, self.logo)

    def check(self, logos: Sequence[str]) -> None:
        """Raise InputError for what is no card."""
        words = self.hues
        for word in words:
            if word not in COLOURS:
                raise InputError(f"unknown colour {shown(word)}", path="colours", value=word, match=near(word, COLOURS))
        if len(set(words)) < len(words):
            raise InputError("the same colour twice", path="colours", value=self.colours)
        if self.sex == "wild" and words:
            raise InputError("a wild has no colours of its own", path="colours", value=self.colours)
        if self.sex != "wild" and not 1 <= len(words) <= COLOURS_OF_ONE:
            raise InputError(
                f"a rabbit has 1 to {COLOURS_OF_ONE} colours, not {len(words)}", path="colours", value=self.colours
            )
        if not -POINTS <= self.points <= POINTS:
            what = f"must be {-POINTS} to {POINTS}, not {shown(self.points)}"
            raise InputError(what, path="points", value=self.points)
        for path, read in (("cost", "price"), ("condition", "demand"), ("sale", "value"), ("coupon", "power")):
            with located(path=path):
                getattr(self, read)
        if self.logo and self.logo not in logos:
            match = near(self.logo, logos)
            raise InputError(f"unknown logo {shown(self.logo)}", path="logo", value=self.logo, match=match)

    def warnings(self) -> Iterator[tuple[str, str]]:
        """Field and message of what no card of the box is like."""
        if self.sex != "wild" and not 1 <= self.points <= 3:
            yield "points", f"the rabbits of the box have 1 to 3 points, not {self.points}"
        if self.logo and self.power.timing != "breed":
            yield "logo", "in the box only cards with a coupon of the time breed have a logo"
        for field in ("cost", "sale"):
            if self.sex != "wild" and not getattr(self, field):
                yield field, f"no {field}: has it been forgotten?"


class ConeyRuleset(Ruleset, frozen=True, kw_only=True):
    """A deck for Coney and the numbers of the rules. The order of the cards is that of their ids."""

    hand: int = 4
    reserve: int = 2
    market: int = 3
    supply: int | Literal["unlimited"] = SUPPLY
    turns: int = 9
    max_rounds: int = 40
    logos: list[str] = msgspec.field(default_factory=lambda: list(LOGOS))
    logo_points: list[int] = msgspec.field(default_factory=lambda: list(LOGO_POINTS))
    resources_per_point: int = 3
    reserved_penalty: int = 2
    bands: list[int] = msgspec.field(default_factory=lambda: list(BANDS))  # points at which a better one begins
    cards: dict[str, Card]

    def check(self) -> None:
        """Raise InputError for anything that the engine cannot play."""
        super().check()
        wanted = MODULE.standard_options()
        if {name: sorted(option.values) for name, option in self.options.items()} != wanted:
            raise InputError(f"the options are {', '.join(wanted)}, with the standard values", path="options")
        for name, (_, low, high) in RULES.items():
            if not low <= getattr(self, name) <= high:
                raise InputError(f"must be {low} to {high}, not {shown(getattr(self, name))}", path=name)
        most = core.LIMITS["supply"]
        if isinstance(self.supply, int) and not 4 <= self.supply <= most:
            raise InputError(f"must be 4 to {most} or 'unlimited', not {shown(self.supply)}", path="supply")
        if len(self.logos) > 3 or len(set(self.logos)) < len(self.logos):
            raise InputError("at most 3 different logos", path="logos", value=self.logos)
        if not 1 <= len(self.logo_points) <= 10 or not all(-POINTS <= n <= POINTS for n in self.logo_points):
            what = f"points for 0, 1, 2, … up to 9 cards of a shop, each {-POINTS} to {POINTS}"
            raise InputError(what, path="logo_points", value=self.logo_points)
        if self.logo_points[0]:
            raise InputError("a shop without cards gives no points", path="logo_points[0]", value=self.logo_points[0])
        if self.bands != sorted(set(self.bands)):
            raise InputError("bands begin at rising points", path="bands", value=self.bands)
        if not 1 <= len(self.cards) <= core.LIMITS["cards"]:
            raise InputError(f"1 to {core.LIMITS['cards']} cards, not {len(self.cards)}", path="cards")
        for name, card in self.cards.items():
            if not re.fullmatch("[a-z][a-z0-9_]*", name) or name == DECK:
                what = f"a card's name is lower-case letters, digits and _, but not '{DECK}': not {shown(name)}"
                raise InputError(what, path="cards", value=name)
            with located(path=f"cards.{name}"):
                card.check(self.logos)

    def warnings(self) -> list[Remark]:
        """Where this departs from what is known of the box."""
        found = [
            Remark(name, f"the rules say {number}, not {getattr(self, name)}")
            for name, (number, _, _) in RULES.items()
            if getattr(self, name) != number
        ]
        if self.supply != SUPPLY:
            found.append(Remark("supply", f"the box has {SUPPLY} of each resource, not {self.supply}"))
        if self.logo_points != list(LOGO_POINTS):
            found.append(Remark("logo_points", "the rules say 2, 4, 6 points for 3, 4, 5 or more cards of a shop"))
        if len(self.cards) != sum(SEXES.values()):
            found.append(Remark("cards", f"{len(self.cards)} cards: the box has {sum(SEXES.values())}"))
        sexes: Counter[str] = Counter(card.sex for card in self.cards.values())
        found += [
            Remark("cards", f"{sexes[sex]} {sex}: the box has {number}")
            for sex, number in SEXES.items()
            if sexes[sex] != number
        ]
        seen: dict[tuple[object, ...], str] = {}
        for name, card in self.cards.items():
            found += [Remark(f"cards.{name}.{field}", message) for field, message in card.warnings()]
            if (twin := seen.setdefault(card.meaning, name)) != name:
                found.append(Remark(f"cards.{name}", f"the same as {twin}: all cards of the box are different"))
        return found


# --- position files ---------------------------------------------------------------------------------------------------

Ask = Literal[
    "deal", "draft", "market", "action", "place_first", "place_second", "pay", "take", "draw", "drawn", "sell_reserved",
    "feed", "discard", "reserve", "limit",
]  # fmt: skip
Task = Literal["", "set_up", "sale", "sale_reserved", "coupon", "breeding", "fill_up", "fill_again", "gather"]
SALES = ("sale", "sale_reserved")
_PLACING = ("place_first", "place_second", "pay", "sell_reserved", *SALES, "coupon")
_TASKS: dict[str, tuple[Task, ...]] = {  # what each question may be part of
    "deal": ("set_up",), "draft": ("set_up",), "market": ("", "set_up"), "limit": ("", "set_up"),
    "take": (*SALES, "coupon", "breeding", "gather"),  # type: ignore[dict-item]
    "draw": (*SALES, "coupon", "breeding", "fill_up", "fill_again"),  # type: ignore[dict-item]
}  # fmt: skip
_TASKS["drawn"] = _TASKS["draw"]


class Held(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A hand card, or "?", and who has seen it, where that is not its owner alone who drew it from the deck of now."""

    card: str
    open: bool = False  # everybody: it was taken from the market
    age: int = 0  # its owner, who drew it so many reshuffles ago
    pick: int | None = None  # its owner, who kept it at this pick of the draft, 0 .. ; of "?" the last pick at which …
    pack: int | None = None  # … the owner of this file had the pack of this player before him


class Hidden(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Cards of which the owner of the file knows that they are the "?" with the same age, or pack and pick."""

    cards: list[str]
    age: int = 0
    pick: int | None = None
    pack: int | None = None


class Stock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Resources of one player."""

    carrot: int = 0
    pellet: int = 0
    hay: int = 0


class Player(msgspec.Struct, forbid_unknown_fields=True):
    """What lies before one player."""

    farm: list[str] = []  # three rows of three words: a card, "fern+2" with two resources on it, or "-"
    hand: int | list[str | Held] = []  # or the number of cards that are unknown
    reserve: list[str] = []
    stock: Stock = Stock()
    pack: list[str] = []  # in the draft, the cards to choose from
    keeps: str = EMPTY  # in the draft: the card chosen, "-" not yet, "?" hidden
    fresh: bool = False  # no hand card has been shown since the draft


class Pending(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What is asked, where it is not the action of a turn."""

    ask: Ask
    task: Task = ""  # what it is part of
    card: str = ""  # the card being sold or placed, or whose coupon works
    cell: str = ""  # `pay`: where the card is to lie; `take` in a breed action: whose gain; `feed`: from where on
    group: int = 0  # of `take`: groups taken already
    draws: int = 0  # of draws by a sale or a coupon: how many are due
    placed: int = 0  # cards placed in this turn
    sold: bool = False  # whether a rabbit of the farm was sold in this turn
    after: str = ""  # of `discard`, `reserve`, `limit`: the last card named
    pick: int = 0  # of `draft`: cards kept so far


class ConeyPosition(PositionFile, kw_only=True):
    """A position of Coney: what is visible. The cards not seen anywhere are the deck."""

    turn: int = 1  # the turn or round being played
    to_move: int = 0
    last: Literal["", "place", "breed", "refill"] = ""  # alone: action of the turn before; in its middle, of this one
    market: list[str] = []
    discard: list[str] = []  # in any order
    deck: int | None = None  # number of cards, to be checked
    order: list[str] = []  # alone: known cards on top of the deck, the next one first
    reshuffles: int = 0
    hidden: list[Hidden] = []
    player: list[Player]
    pending: Pending | None = None


class _Reader:
    """Turns the words of one file into the engine's numbers; no card may lie in two places."""

    def __init__(self, game: Game, data: ConeyPosition) -> None:
        self.game, self.data, self.players = game, data, game.players
        self.ruleset = _ruleset(game)
        self.names = list(self.ruleset.cards)
        self.cards = list(self.ruleset.cards.values())
        self.seen: dict[str, str] = {}
        self.part = ""  # of the file that is being read
        self.hidden: list[tuple[int, int]] = []
        self.has_unknown = False

    def card(self, name: str, path: str, *, sees: bool = True) -> int:
        """Number of a card that lies there."""
        if name not in self.ruleset.cards:
            raise InputError(f"unknown card {shown(name)}", path=path, value=name, match=near(name, self.names))
        if sees and (place := self.seen.setdefault(name, self.part + path)) != self.part + path:
            raise InputError(f"{name} lies also at {place}", path=path, value=name)
        return self.names.index(name)

    def pile(self, names: Sequence[str], path: str) -> list[int]:
        """Cards that everybody sees."""
        return [self.card(name, f"{path}[{i}]") for i, name in enumerate(names)]

    def limit(self, value: int, low: int, high: int, path: str) -> int:
        """A number within bounds."""
        if not low <= value <= high:
            raise InputError(f"must be {low} to {high}, not {shown(value)}", path=path, value=value)
        return value

    def numbers(self) -> dict[str, Any]:
        """What the engine's `load` wants. Raises InputError for anything impossible."""
        data, ruleset, pending = self.data, self.ruleset, self.data.pending
        ask = pending.ask if pending else "action"
        for path in ("order", "last"):
            if self.players > 1 and getattr(data, path):
                raise InputError("only with one player", path=path, value=getattr(data, path))
        for path in ("reshuffles", "hidden"):
            if self.players == 1 and getattr(data, path):
                raise InputError("only with several players", path=path)
        most = ruleset.turns if self.players == 1 else ruleset.max_rounds
        numbers: dict[str, Any] = {
            "turn": self.limit(data.turn, 1, most + 1, "turn") - 1,
            "player": self.limit(data.to_move, 0, self.players - 1, "to_move"),
            "last": ACTIONS.index(data.last) if data.last else len(ACTIONS),
            "first": self.limit(data.reshuffles, 0, _AGES - 1, "reshuffles"),
            "phase": core.PHASES.index(ask), "market": self.pile(data.market, "market"),
            "discard": self.pile(data.discard, "discard"), "order": self.pile(data.order, "order"),
            "task": 0, "source": NONE, "cell": 0, "group": 0, "draws": 0, "placed": 0, "sold": False, "low": 0,
            "pick": 0, "fresh": 0,
            "hands": [], "origins": [], "farms": [], "tokens": [], "reserves": [], "stocks": [], "chosen": [],
        }  # fmt: skip
        self.limit(len(data.market), 0, ruleset.market, "market")
        if pending:
            numbers["pick"] = self.limit(pending.pick, 0, ruleset.hand - 1, "pending.pick")
        for i, player in enumerate(data.player):
            self.part = f"player[{i}]."
            with located(path=f"player[{i}]"):
                self.player(i, player, ask, numbers)
        self.part = ""
        self.supply(numbers)
        self.classes(numbers)
        self.deck(numbers)
        self.part = "pending."
        if pending:
            with located(path="pending"):
                self.pending(pending, numbers)
        elif numbers["turn"] == most or (
            self.players > 1 and data.to_move == 0 and any(NONE not in farm for farm in numbers["farms"])
        ):
            numbers["phase"] = core.PHASES.index("over")
        elif self.players == 1 and data.turn > 1 and not data.last:
            raise InputError("which action was that of the turn before: place, breed or refill?", path="last")
        if numbers["turn"] == most and numbers["phase"] != core.PHASES.index("over"):
            raise InputError(f"the last turn is {most}", path="turn", value=data.turn)
        return numbers

    def player(self, seat: int, player: Player, ask: str, numbers: dict[str, Any]) -> None:
        """What lies before one player."""
        farm, tokens = self.farm(player.farm)
        numbers["farms"].append(farm)
        numbers["tokens"].append(tokens)
        hand, origins = self.hand(seat, player.hand, drafting=ask == "draft")
        if player.pack and ask not in ("deal", "draft"):
            raise InputError("only in the draft", path="pack")
        opener = (seat - numbers["pick"]) % self.players
        hand += self.pile(player.pack, "pack")
        origins += [ORIGINS["in_pack"] + opener] * len(player.pack)
        most = core.LIMITS["in_hand"] if seat == self.data.to_move else self.ruleset.hand + (ask in ("deal", "draft"))
        self.limit(len(hand) + sum(owner == seat for owner, _ in self.hidden), 0, most, "hand")
        both = sorted(zip(hand, origins, strict=True))
        numbers["hands"].append([card for card, _ in both])
        numbers["origins"].append([origin if self.players > 1 else 0 for _, origin in both])
        self.limit(len(player.reserve), 0, self.ruleset.reserve, "reserve")
        numbers["reserves"].append(self.pile(player.reserve, "reserve"))
        top = core.LIMITS["supply"]
        numbers["stocks"].append(
            [self.limit(getattr(player.stock, kind), 0, top, f"stock.{kind}") for kind in RESOURCES]
        )
        keeps = {EMPTY: NONE, UNKNOWN: SECRET}.get(player.keeps)
        if keeps is None:
            keeps = self.card(player.keeps, "keeps", sees=False)
            if player.keeps not in player.pack:
                raise InputError(f"{player.keeps} is not in the pack", path="keeps", value=player.keeps)
        if keeps != NONE and ask != "draft":
            raise InputError("only in the draft", path="keeps")
        self.has_unknown |= keeps == SECRET
        numbers["chosen"].append(keeps)
        if player.fresh and self.players == 1:
            raise InputError("only with several players", path="fresh")
        numbers["fresh"] |= player.fresh << seat

    def farm(self, rows: Sequence[str]) -> tuple[list[int], list[int]]:
        """Cards and resources on them, by cell."""
        words = [row.split() for row in rows]
        if rows and (len(rows) != SIDE or any(len(row) != SIDE for row in words)):
            raise InputError(f"{SIDE} rows of {SIDE} words, '-' for an empty cell", path="farm", value=list(rows))
        grid = words or [[EMPTY] * SIDE] * SIDE
        if self.game.options["frame"] == "sliding":
            grid = _pushed(grid)
        farm, tokens = [NONE] * len(CELLS), [0] * len(CELLS)
        for i, word in enumerate(word for row in grid for word in row):
            name, plus, number = word.partition("+")
            if word == EMPTY:
                continue
            path = f"farm.{CELLS[i]}"
            farm[i] = self.card(name, path)
            if plus:
                card = self.cards[farm[i]]
                if card.power.counts != "here":
                    raise InputError(f"no resources lie on {name}", path=path, value=word)
                if not (number.isascii() and number.isdecimal() and 1 <= int(number[:4]) <= 255):
                    raise InputError(f"'{name}+2' is {name} with two resources on it, not {shown(word)}", path=path)
                tokens[i] = int(number)
        return farm, tokens

    def hand(self, seat: int, hand: int | list[str | Held], *, drafting: bool) -> tuple[list[int], list[int]]:
        """The known cards of a hand with their origins; unknown ones are noted."""
        if isinstance(hand, int):
            hand = [UNKNOWN] * self.limit(hand, 0, core.LIMITS["in_hand"], "hand")
        self.limit(len(hand), 0, core.LIMITS["in_hand"], "hand")
        is_secret = any((entry if isinstance(entry, str) else entry.card) == UNKNOWN for entry in hand)
        cards, origins = [], []
        for i, entry in enumerate(hand):
            path = f"hand[{i}]"
            held = Held(entry, open=is_secret and not drafting) if isinstance(entry, str) else entry
            if held.card == UNKNOWN:
                if self.players == 1:
                    raise InputError("alone one knows one's hand", path=path, value=UNKNOWN)
                self.has_unknown = True
                self.hidden.append((seat, self.kind(held, path)))
                continue
            cards.append(self.card(held.card, path))
            if held.open:
                origins.append(ORIGINS["public"])
            elif held.pick is not None or drafting:
                pick = self.limit(i if held.pick is None else held.pick, 0, self.ruleset.hand - 1, path)
                origins.append(ORIGINS["picked"] + ORIGINS["picks"] * ((seat - pick) % self.players) + pick)
            else:
                origins.append(self.limit(held.age, 0, self.data.reshuffles, f"{path}.age"))
        return cards, origins

    def kind(self, entry: Held | Hidden, path: str) -> int:
        """The engine's class of a card of unknown place."""
        if entry.pick is None and entry.pack is None:
            return self.limit(entry.age, 0, self.data.reshuffles, f"{path}.age")
        pack = self.limit(-1 if entry.pack is None else entry.pack, 0, self.players - 1, f"{path}.pack")
        pick = self.limit(-1 if entry.pick is None else entry.pick, 0, self.ruleset.hand - 1, f"{path}.pick")
        return int(ORIGINS["picked"] + ORIGINS["picks"] * pack + pick)

    def supply(self, numbers: Mapping[str, Any]) -> None:
        """Nobody has what the supply never had."""
        if self.ruleset.supply == "unlimited":
            return
        out = [sum(stock[i] for stock in numbers["stocks"]) for i in range(len(RESOURCES))]
        for farm, tokens in zip(numbers["farms"], numbers["tokens"], strict=True):
            for card, n in zip(farm, tokens, strict=True):
                if n:
                    out[RESOURCES.index(self.cards[card].power.counted)] += n
        for kind, n in zip(RESOURCES, out, strict=True):
            if n > self.ruleset.supply:
                raise InputError(f"{n} {kind} in stocks and on cards, there are {self.ruleset.supply}", path="player")

    def classes(self, numbers: dict[str, Any]) -> None:
        """The cards of which a view knows more than that they are unseen."""
        if len({seat for seat, _ in self.hidden}) == self.players:
            raise InputError("every hand has unknown cards: whose view is this?", path="player")
        numbers["hidden"] = sorted(self.hidden)
        found: list[tuple[int, int]] = []
        for i, entry in enumerate(self.data.hidden):
            kind = self.kind(entry, f"hidden[{i}]")
            if kind == 0:
                raise InputError("needs an age, or a pack and a pick", path=f"hidden[{i}]")
            found += [(card, kind) for card in self.pile(entry.cards, f"hidden[{i}].cards")]
        numbers["classes"] = sorted(found)
        slots, cards = Counter(kind for _, kind in self.hidden), Counter(kind for _, kind in found)
        for kind in sorted((slots | cards).keys() - {0}):
            if slots[kind] != cards[kind]:
                raise InputError(
                    f"{cards[kind]} cards for {slots[kind]} '?' of the same age, or pack and pick", path="hidden"
                )

    def deck(self, numbers: Mapping[str, Any]) -> None:
        """The cards not seen anywhere."""
        pending = self.data.pending
        limbo = bool(pending and pending.card and (pending.ask == "pay" or pending.task in SALES))
        left = len(self.names) - len(self.seen) - sum(kind == 0 for _, kind in self.hidden) - limbo
        deck = left + len(numbers["order"])
        if deck < 0:
            raise InputError(f"{-deck} more '?' in hands than unseen cards", path="player")
        if self.data.deck is not None and self.data.deck != deck:
            raise InputError(
                f"{shown(self.data.deck)} cards, but {deck} are seen nowhere else", path="deck", value=self.data.deck
            )
        if deck == 0 and numbers["discard"]:
            raise InputError("the deck is empty: these have become the new one", path="discard")
        if pending and pending.ask in ("market", "drawn") and (left == 0 or numbers["order"]):
            raise InputError("chance reveals a card of the deck, which has no unknown one on top", path="pending.ask")

    def pending(self, pending: Pending, numbers: dict[str, Any]) -> None:
        """What is asked, and how far the turn has gone."""
        ask, seat = pending.ask, self.data.to_move
        tasks = _TASKS.get(ask, ("",))
        task = tasks[0] if len(tasks) == 1 else pending.task
        if task not in tasks or pending.task not in ("", task):
            raise InputError(
                f"{ask} is part of {' or '.join(filter(None, tasks)) or 'nothing else'}", path="task",
                value=pending.task,
            )  # fmt: skip
        numbers["task"] = core.TASKS.index(task)
        placing = ask in _PLACING or task in _PLACING
        steps = {"place_second": (1, 1), "pay": (0, 1), "sell_reserved": (1, 2)}.get(
            ask, (1, 2) if task in ("sale_reserved", "coupon") else (0, 0)
        )
        numbers["placed"] = self.limit(pending.placed, *steps, "placed")
        if pending.sold and not placing:
            raise InputError("rabbits are sold only in the action place", path="sold")
        numbers["sold"] = pending.sold or task == "sale"
        self.action(ask, task, placing=placing)
        if task == "set_up" and (self.data.turn > 1 or self.data.last):
            raise InputError("the set-up is before the first turn", path="task")
        if pending.card or ask == "pay" or task in (*SALES, "coupon"):
            if ask != "pay" and task not in (*SALES, "coupon"):
                raise InputError("only for pay, a sale or a coupon", path="card", value=pending.card)
            numbers["source"] = self.card(pending.card, "card", sees=task != "coupon")
        self.progress(pending, task, numbers)
        if pending.after:
            if ask not in ("discard", "reserve", "limit"):
                raise InputError("only for discard, reserve or limit", path="after")
            numbers["low"] = self.card(pending.after, "after", sees=False) + 1
        hand = len(numbers["hands"][seat]) + sum(owner == seat for owner, _ in self.hidden)
        if ask in ("discard", "reserve") and hand == 0:
            raise InputError("the hand is empty", path="ask")
        if ask == "limit" and hand <= self.ruleset.hand:
            raise InputError(f"the hand has no more than {self.ruleset.hand} cards", path="ask")
        if ask == "reserve" and len(numbers["reserves"][seat]) >= self.ruleset.reserve:
            raise InputError("the reserve is full", path="ask")
        if ask == "market" and len(numbers["market"]) == self.ruleset.market:
            raise InputError("the market is full", path="ask")
        if ask in ("deal", "draft"):
            self.set_up(pending, numbers)

    def action(self, ask: str, task: str, *, placing: bool) -> None:
        """Alone, the action of this turn is that of the question."""
        if self.players > 1 or task == "set_up" or ask == "action":
            return
        action = "place" if placing else "breed" if ask == "feed" or task == "breeding" else "refill"
        ends = ask in ("limit", "market")  # as all turns do
        if not self.data.last or (self.data.last != action and not ends):
            wanted = "" if ends else f", {action}"
            raise InputError(f"last must be the action of this turn{wanted}", path="ask", value=self.data.last)

    def progress(self, pending: Pending, task: str, numbers: dict[str, Any]) -> None:
        """How much of a payment, a gain or draws has been made."""
        ask, farm = pending.ask, numbers["farms"][self.data.to_move]
        drawing = ask in ("draw", "drawn")
        effect: Effect | None = None
        if task in SALES or task == "coupon":
            card = self.cards[numbers["source"]]
            effect = card.value if task in SALES else card.power.effect
            if task == "coupon" and (card.power.timing != "now" or numbers["source"] not in farm):
                raise InputError("no rabbit of the farm with a coupon that works now", path="card", value=pending.card)
            numbers["draws"], numbers["group"] = effect.draws, len(effect.groups)
        if ask == "pay":
            numbers["cell"] = self.place(pending.cell, farm)
        elif ask == "feed" or (ask == "take" and task == "breeding"):
            if pending.cell not in CELLS:
                raise InputError(f"a cell a1 to c3, not {shown(pending.cell)}", path="cell", value=pending.cell)
            numbers["cell"] = CELLS.index(pending.cell)
            if ask == "take":
                rabbit = farm[numbers["cell"]]
                if rabbit == NONE or self.cards[rabbit].power.timing != "breed":
                    raise InputError("no rabbit with a breeding coupon lies there", path="cell", value=pending.cell)
                effect = self.cards[rabbit].power.effect
        elif pending.cell:
            raise InputError("only for pay, feed, or take in a breed action", path="cell", value=pending.cell)
        if ask == "take" and effect is not None:
            numbers["group"] = self.limit(pending.group, 0, len(effect.groups) - 1, "group")
        elif pending.group:
            raise InputError("only for take", path="group", value=pending.group)
        if drawing and task in ("fill_up", "fill_again"):
            numbers["draws"] = self.ruleset.hand - len(numbers["hands"][self.data.to_move])
            numbers["draws"] -= sum(owner == self.data.to_move for owner, _ in self.hidden)
            if numbers["draws"] < 1:
                raise InputError("the hand is full", path="ask")
        elif drawing:
            most = effect.draws if effect else sum(
                self.cards[card].power.effect.draws
                for card in farm
                if card != NONE and self.cards[card].power.timing == "breed"
            )  # fmt: skip
            numbers["draws"] = self.limit(pending.draws, 1, most, "draws")
        if pending.draws and (not drawing or task in ("fill_up", "fill_again")):
            raise InputError("only for draws by a sale or a coupon", path="draws", value=pending.draws)

    def place(self, word: str, farm: Sequence[int]) -> int:
        """The engine's number of the place where a card is to lie that is being paid for."""
        if word not in PLACES:
            raise InputError(f"a cell such as b2, not {shown(word)}", path="cell", value=word)
        place = PLACES.index(word)
        row, column = place // _SPAN - 2, place % _SPAN - 2
        taken = [(i // SIDE, i % SIDE) for i, card in enumerate(farm) if card != NONE]
        rows, columns = [r for r, _ in taken] + [row], [c for _, c in taken] + [column]
        fits = word in CELLS
        if self.game.options["frame"] == "sliding":
            fits = max(rows) - min(rows) < SIDE and max(columns) - min(columns) < SIDE
            fits = fits and (bool(taken) or word == CELLS[0])
        if not fits or (row, column) in taken:
            raise InputError(f"nothing can be placed on {word}", path="cell", value=word)
        return place

    def set_up(self, pending: Pending, numbers: Mapping[str, Any]) -> None:
        """So many cards are before everybody while cards are dealt, and in the draft."""
        size = self.ruleset.hand + (2 if self.players == 1 else 1)
        for seat in range(self.players):
            n = len(numbers["hands"][seat]) + sum(owner == seat for owner, _ in self.hidden)
            wanted = size if pending.ask == "draft" or seat < self.data.to_move else 0
            if pending.ask == "draft" and self.players == 1:
                raise InputError("only with several players", path="ask")
            if n != wanted and (pending.ask == "draft" or seat != self.data.to_move or n >= size):
                raise InputError(f"player {seat} has {n} cards, hand and pack together, not {wanted}", path="ask")
        if pending.ask == "draft":
            self.draft(pending.pick, numbers)
            if NONE not in numbers["chosen"]:
                raise InputError("everybody has chosen", path="ask")

    def draft(self, picks: int, numbers: Mapping[str, Any]) -> None:
        """Everybody has kept one card at each pick so far: what is known of them, and what follows for the "?"."""
        viewer = min(set(range(self.players)) - {seat for seat, _ in self.hidden})
        for seat in range(self.players):
            kept = [
                (origin - ORIGINS["picked"]) % ORIGINS["picks"]
                for origin in numbers["origins"][seat]
                if ORIGINS["picked"] <= origin < ORIGINS["in_pack"]
            ]
            kinds = [kind for owner, kind in self.hidden if owner == seat]
            for kind in kinds:
                if kind >= ORIGINS["picked"]:
                    pack, pick = divmod(kind - ORIGINS["picked"], ORIGINS["picks"])
                    later = pick + 1 + (seat - pack - pick - 1) % self.players  # when the pack was here after that
                    if later != picks:
                        kept.append(later)
            # Packs that the viewer had not looked at before: he knows nothing about what was kept of them.
            unseen = [pick for pick in range(picks) if (viewer - seat + pick) % self.players > pick]
            kept += unseen[: sum(kind < ORIGINS["picked"] for kind in kinds)]
            if sorted(kept) != list(range(picks)):
                raise InputError(f"player {seat} has not kept one card at each of {picks} picks", path="pick")


def _pushed(grid: list[list[str]]) -> list[list[str]]:
    """The farm of a sliding frame, pushed to the top left."""
    for _ in range(2):
        if any(word != EMPTY for row in grid for word in row):
            while all(word == EMPTY for word in grid[0]):
                grid = [*grid[1:], grid[0]]
        grid = [list(column) for column in zip(*grid, strict=True)]
    return grid


# --- the module -------------------------------------------------------------------------------------------------------


class Coney(GameModule[ConeyRuleset, ConeyPosition]):
    """Coney, as the face needs it."""

    name = "coney"
    secret = ("keep",)
    players = range(1, 5)
    cards = "cards"
    ruleset_type = ConeyRuleset
    position_type = ConeyPosition
    tuning = Tuning(
        duct=0.7,
        duct_alone=1.4,
        rollout=0.4,
        guesses=1,
        guesses_alone=1,
        learning_alone=2,
        halving=100,
        calibration=((100, 0.68, -0.37), (101, 0.66, -0.19)),
        kept=(1,),
        exact_rest=1,
        exact_nodes=200_000,
    )

    def standard_options(self) -> dict[str, list[str]]:
        """The options that the engine knows and their values, sorted."""
        return {
            "adjacency": ["mutual", "self"], "touch": ["off", "on"], "frame": ["fixed", "sliding"],
            "wild_scores": ["none", "one"], "second_draw": ["may", "must"], "place_nothing": ["off", "on"],
        }  # fmt: skip

    def compile(self, ruleset: ConeyRuleset, players: int, options: Mapping[str, str]) -> rules.Game:
        """The core game. Raises InputError where there are too few cards to deal."""
        dealt = ruleset.hand + 2 if players == 1 else (ruleset.hand + 1) * players
        if len(ruleset.cards) < dealt + ruleset.market:
            raise InputError(
                f"{len(ruleset.cards)} cards are too few: {dealt + ruleset.market} are dealt to {players} players and "
                "the market", path="ruleset.cards",
            )  # fmt: skip
        return core.compile(self.plain(ruleset), players, options)

    def plain(self, ruleset: ConeyRuleset) -> dict[str, Any]:
        """The ruleset as the engine takes it."""
        data: dict[str, Any] = {name: getattr(ruleset, name) for name in (*RULES, "logo_points")}
        data["supply"] = None if ruleset.supply == "unlimited" else ruleset.supply
        data["cards"] = [_compiled(card, ruleset.logos) for card in ruleset.cards.values()]
        return data

    def extent(self, ruleset: ConeyRuleset, players: int) -> Extent:
        """At most nine cards score; a turn has fewer than 256 moves and 128 draws, even one that sells the farm."""
        turns = ruleset.turns if players == 1 else ruleset.max_rounds
        ends = [(card.points, card.power.worth, card.power.counts) for card in ruleset.cards.values()]
        counted = {"": 0, "neighbour": AROUND, "line": AROUND, "here": turns}
        most = sorted(points + max(0, worth) * counted[counts] for points, worth, counts in ends)
        least = sorted(points + min(0, worth) * counted[counts] for points, worth, counts in ends)
        cells, shops = len(CELLS), len(ruleset.logos)
        gain = (cells + 2) * MOST * (len(RESOURCES) + GROUPS)  # of a turn in which all that there is yields the most
        stock = (turns + 1) * gain if ruleset.supply == "unlimited" else ruleset.supply * len(RESOURCES)
        return Extent(
            sum(min(0, points) for points in least[:cells]) + shops * min(ruleset.logo_points)
            - ruleset.reserve * ruleset.reserved_penalty,
            sum(max(0, points) for points in most[-cells:]) + shops * max(ruleset.logo_points)
            + stock // ruleset.resources_per_point,
            (turns + 1) * players * 256,
            (turns + 1) * players * 128,
        )  # fmt: skip

    def sources(self, ruleset: ConeyRuleset, players: int, options: Mapping[str, str]) -> tuple[str, ...]:
        """All that "End and score" names."""
        return SOURCES

    def words(self, ruleset: ConeyRuleset, players: int, options: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The notation of each move and outcome, in the order of the engine's move ids."""
        cards = [*ruleset.cards, *[""] * (core.LIMITS["cards"] - len(ruleset.cards))]
        ways = [str(Cost(way)) for way in core.WAYS_TO_TAKE]
        cells = [cell if cell in CELLS or options["frame"] == "sliding" else "" for cell in PLACES]

        def block(start: str, words: Sequence[str]) -> list[str]:
            return [f"{start} {word}" if word else "" for word in words]

        moves = [
            *ACTIONS, "done", f"draw {DECK}", *block("pay", ways), *block("take", ways), *block("keep", cards),
            *block("discard", cards), *block("draw", cards), *block("reserve", cards), *block("sell", cards),
            *block("feed", cards),
            *(f"place {card} {cell}" if card and cell else "" for card in cards for cell in cells),
        ]  # fmt: skip
        return moves, block("deal", cards)

    def count_players(self, data: ConeyPosition) -> int:
        """The number of [[player]] tables."""
        return len(data.player)

    def load(self, game: Game, data: ConeyPosition) -> Position:
        """The position that a file describes. Raises InputError for an impossible one."""
        reader = _Reader(game, data)
        numbers = reader.numbers()
        position = View(game) if reader.has_unknown else Position(game)
        try:
            core.load(position, numbers)
        except ValueError as error:  # a hand that no play leads to
            raise InputError(str(error)) from None
        ask = core.PHASES[numbers["phase"]]
        if position.actors and not self.missing(position, position.actors[0]):
            least = 2 if ask in ("pay", "take", "draw", "feed", "sell_reserved") else 1
            if len(position.legal()) < least:
                raise InputError("there is nothing to choose", path="pending.ask", value=ask)
        return position

    def dump(self, position: Position) -> dict[str, Any]:
        """Market, discards, deck and players, and what is asked where it is not the action of a turn."""
        state = core.dump(position)
        names = list(_ruleset(position.game).cards)
        ask, task = core.PHASES[state["phase"]], core.TASKS[state["task"]]
        data: dict[str, Any] = {"turn": state["turn"] + 1}
        if position.players > 1:
            data["to_move"] = state["player"]
        if state["last"] < len(ACTIONS):
            data["last"] = ACTIONS[state["last"]]
        data["market"] = [names[card] for card in state["market"]]
        data["discard"] = [names[card] for card in state["discard"]]
        data["deck"] = state["deck"] + len(state["order"])
        if state["order"]:
            data["order"] = [names[card] for card in state["order"]]
        if state["first"]:
            data["reshuffles"] = state["first"]
        if state["classes"]:
            kinds = sorted({kind for _, kind in state["classes"]})
            data["hidden"] = [
                {"cards": [names[card] for card, kind in state["classes"] if kind == one], **_told(one)}
                for one in kinds
            ]
        data["player"] = [self._player(position, state, names, seat) for seat in range(position.players)]
        if ask in ("action", "over"):
            return data
        pending: dict[str, Any] = {"ask": ask}
        if len(_TASKS.get(ask, ("",))) > 1 and task:
            pending["task"] = task
        if state["source"] != NONE:
            pending["card"] = names[state["source"]]
        if ask == "pay":
            pending["cell"] = PLACES[state["cell"]]
        elif ask == "feed" or (ask == "take" and task == "breeding"):
            pending["cell"] = CELLS[state["cell"]]
        if ask == "take" and state["group"]:
            pending["group"] = state["group"]
        if ask in ("draw", "drawn") and task not in ("fill_up", "fill_again"):
            pending["draws"] = state["draws"]
        for field in ("placed", "pick"):
            if state[field]:
                pending[field] = state[field]
        if state["sold"]:
            pending["sold"] = True
        if state["low"]:
            pending["after"] = names[state["low"] - 1]
        data["pending"] = pending
        return data

    def _player(self, position: Position, state: Mapping[str, Any], names: Sequence[str], seat: int) -> dict[str, Any]:
        """What lies before one player, as in a file."""
        words = [
            EMPTY if card == NONE else names[card] + (f"+{n}" if n else "")
            for card, n in zip(state["farms"][seat], state["tokens"][seat], strict=True)
        ]
        data: dict[str, Any] = {"farm": [" ".join(words[i : i + SIDE]) for i in range(0, len(words), SIDE)]}
        drafting = core.PHASES[state["phase"]] == "draft"
        unknown = [kind for owner, kind in state["hidden"] if owner == seat]
        hand: list[str | dict[str, Any]] = []
        pack = []
        held = zip(state["hands"][seat], state["origins"][seat], strict=True)
        for card, origin in sorted(held, key=lambda one: (one[1] % ORIGINS["picks"] if drafting else 0, one)):
            if ORIGINS["in_pack"] <= origin < ORIGINS["public"]:
                pack.append(names[card])
            elif origin == (ORIGINS["public"] if unknown else 0) or drafting:
                hand.append(names[card])
            else:
                hand.append({"card": names[card], **_told(origin, own=True)})
        hand += [UNKNOWN if kind == 0 else {"card": UNKNOWN, **_told(kind)} for kind in unknown]
        data["hand"] = len(unknown) if hand and hand == [UNKNOWN] * len(unknown) else hand
        if state["reserves"][seat]:
            data["reserve"] = [names[card] for card in state["reserves"][seat]]
        data["stock"] = {kind: n for kind, n in zip(RESOURCES, state["stocks"][seat], strict=True) if n}
        if pack:
            data["pack"] = pack
        if (keeps := state["chosen"][seat]) != NONE:
            data["keeps"] = UNKNOWN if keeps == SECRET else names[keeps]
        if state["fresh"] >> seat & 1:
            data["fresh"] = True
        return data

    def solver(self, puzzle: Puzzle, objective: str, memory: int, **options: Any) -> Solving:
        """See `coney_solve`."""
        from ninefold.games import coney_solve

        return coney_solve.search_of(puzzle, OBJECTIVES.index(objective), memory, **options)

    def replay_cards(self, puzzle: Puzzle, line: Sequence[str]) -> int:
        """See `coney_solve`."""
        from ninefold.games import coney_solve

        return coney_solve.replay_farm(puzzle, line)

    def guess_cards(self, puzzle: Puzzle) -> list[str]:
        """See `coney_solve`."""
        from ninefold.games import coney_solve

        return coney_solve.guess_farm(puzzle)

    def turns(self, steps: Sequence[str]) -> list[list[str]]:
        """A line for each action."""
        found: list[list[str]] = [[]]
        for step in steps:
            if step.removeprefix("0: ") in ACTIONS and found[-1]:
                found.append([])
            found[-1].append(step)
        return found

    def missing(self, position: Position, player: int) -> str:
        """The hand of a player whose hand is unknown, and in the draft the cards that the others keep."""
        state = core.dump(position)
        if any(owner == player for owner, _ in state["hidden"]):
            return f"the hand of player {player}"
        if position.actors == (player,) and SECRET in state["chosen"]:
            return f"what is kept by {_and([p for p, card in enumerate(state['chosen']) if card == SECRET])}"
        return ""

    def takes(self, position: Position, player: int, move: Move) -> list[str]:
        """The card kept in the draft, or drawn from the market."""
        word, _, name = move.text.partition(" ")
        return [name] if word in ("keep", "draw") and name != DECK else []

    def owned(self, position: Position, player: int) -> dict[str, int]:
        """The rabbits of the farm."""
        names = list(_ruleset(position.game).cards)
        return dict(Counter(names[card] for card in core.dump(position)["farms"][player] if card != NONE))

    # --- pictures ---

    def gloss(self, position: Position, move: Move) -> str:
        """The card that a move names, in a few words."""
        cards = _ruleset(position.game).cards
        return next((cards[word].summary for word in move.text.split()[1:] if word in cards), "")

    def _situation(self, position: Position, data: Mapping[str, Any]) -> str:
        """In words, where the game stands and who must do what."""
        ruleset = _ruleset(position.game)
        if position.is_over:
            if position.players > 1:
                return f"over, won by {' and '.join(map(str, position.winners()))}"
            band = sum(position.scores()[0] >= points for points in ruleset.bands)
            return f"over, in band {band + 1} of {len(ruleset.bands) + 1}"
        turn = f"turn {data['turn']} of {ruleset.turns}" if position.players == 1 else f"round {data['turn']}"
        ask = data.get("pending", {}).get("ask", "action").replace("_", " ")
        if position.is_chance:
            return f"{turn} · chance: {ask}"
        return f"{turn} · to choose: {ask}" + (f", {_and(position.actors)}" if position.players > 1 else "")

    def _heading(self, position: Position, data: Mapping[str, Any]) -> str:
        """The first line of every picture."""
        players = "solo" if position.players == 1 else f"{position.players} players"
        title = " ".join(position.game.ruleset.title.split())
        words = ["coney", *([title] if title else []), players, self._situation(position, data)]
        if "last" in data:
            words.append(f"after {data['last']}")
        order = f" ({', '.join(data['order'][:5])}{', …' * (len(data['order']) > 5)})" if "order" in data else ""
        words.append(f"deck {data['deck']}{order} · discard {len(data.get('discard', []))}")
        return " · ".join(words)

    def _seats(self, position: Position, data: Mapping[str, Any]) -> Iterator[_Seat]:
        """What a picture shows of each player."""
        for number, (points, player) in enumerate(zip(position.scores(), data["player"], strict=True)):
            stock = " ".join(f"{n} {kind}" for kind, n in player["stock"].items()) or "no resources"
            hand = player["hand"]
            entries = [UNKNOWN] * hand if isinstance(hand, int) else hand
            piles = {
                "hand": [entry if isinstance(entry, str) else entry["card"] for entry in entries],
                "pack": player.get("pack", []), "reserve": player.get("reserve", []),
            }  # fmt: skip
            yield _Seat(
                f"{'farm' if position.players == 1 else f'player {number}'} · {points} points · {stock}",
                [row.split() for row in player["farm"]],
                {what: pile for what, pile in piles.items() if pile},
                number in position.actors,
            )

    def text(self, position: Position) -> str:
        """Heading, market, and each player's farm, hand and reserve."""
        data = self.dump(position)
        lines = [self._heading(position, data), "market   " + "  ".join(data["market"])]
        for seat in self._seats(position, data):
            width = max(len(word) for row in seat.farm for word in row)
            lines += [seat.title, *("  " + "  ".join(word.ljust(width) for word in row).rstrip() for row in seat.farm)]
            lines += [f"  {what:7}  {'  '.join(cards)}" for what, cards in seat.piles.items()]
        return "\n".join(lines)

    def picture(self, position: Position) -> RenderableType:
        """The farms, and the cards that can be read, as tables under the heading."""
        from rich import box
        from rich.columns import Columns
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        data, cards = self.dump(position), _ruleset(position.game).cards
        farms = []
        for seat in self._seats(position, data):
            table = Table(
                *([""] * SIDE), title=seat.title, show_header=False, show_lines=True, box=box.ROUNDED,
                title_style="bold" if seat.acts else "", title_justify="left",
            )  # fmt: skip
            for row in seat.farm:
                table.add_row(*(_rich_cell(word, cards) for word in row))
            farms.append(table)
        table = Table("where", "card", "", "colours", "cost", "condition", "sale", "coupon", box=box.ROUNDED)
        piles = [("market", data["market"])]
        for number, seat in enumerate(self._seats(position, data)):
            owner = "" if position.players == 1 else f" {number}"
            piles += [(f"{what}{owner}", pile) for what, pile in seat.piles.items()]
        for what, pile in piles:
            for name in pile:
                card = cards.get(name)
                if card is None:
                    table.add_row(what, name)
                    continue
                colours = Text(" ").join(Text(hue, style=_HUES[hue][0]) for hue in card.hues)
                table.add_row(
                    what, Text(name, style="bold"), f"{card.points} {SIGNS[card.sex]}", colours, str(card.price),
                    str(card.demand), str(card.value), " ".join(filter(None, (str(card.power), card.logo))),
                )  # fmt: skip
        return Group(Text(self._heading(position, data), style="bold"), Columns(farms), table)

    def svg(self, position: Position) -> str:
        """The farms with the market, hands and reserves as rows of cards."""
        from ninefold.draw import HEIGHT, Canvas

        data, cards = self.dump(position), _ruleset(position.game).cards
        heading = self._heading(position, data)
        canvas = Canvas(heading)
        canvas.text(16, 12, heading, "strong")
        y = 12 + 2 * HEIGHT

        def row(title: str, names: Sequence[str], *, kind: str = "") -> None:
            nonlocal y
            canvas.text(16, y, title, kind)
            y += HEIGHT + 2
            for place, name in enumerate(names):
                _draw_card(canvas, 16 + place * (_WIDE + 8), y, name, cards)
            y += _HIGH + 8

        row("market", data["market"])
        for seat in self._seats(position, data):
            canvas.text(16, y, seat.title, "strong")
            y += HEIGHT + 2
            for line in seat.farm:
                for place, name in enumerate(line):
                    _draw_card(canvas, 16 + place * (_WIDE + 8), y, name, cards)
                y += _HIGH + 8
            for what, names in seat.piles.items():
                row(what, names)
        return canvas.svg()


class _Seat(NamedTuple):
    """What a picture shows of one player."""

    title: str
    farm: list[list[str]]
    piles: dict[str, list[str]]  # hand, pack and reserve, what there is of them
    acts: bool


SIGNS = {"male": "♂", "female": "♀", "wild": "✶"}
_HUES = {  # in a terminal and in a drawing
    "white": ("bold", "#ffffff"), "black": ("reverse", "#1f2328"), "grey": ("grey62", "#9aa0a6"),
    "brown": ("rgb(150,90,45)", "#7b4a24"), "orange": ("dark_orange", "#f28c28"),
}  # fmt: skip
_WIDE, _HIGH = 212, 98  # a card in a drawing


def _and(players: Sequence[int]) -> str:
    return " and ".join(f"player {player}" for player in players)


def _rich_cell(word: str, cards: Mapping[str, Card]) -> RenderableType:
    """A cell of the farm in a terminal: name and tokens, points, sex, colours, and coupon."""
    from rich.text import Text

    name, _, tokens = word.partition("+")
    card = cards.get(name)
    if card is None:
        return Text(EMPTY, style="dim")
    text = Text(name, style="bold").append(f" +{tokens}" if tokens else "", style="bold cyan")
    text.append(f"\n{card.points} {SIGNS[card.sex]}", style="not bold")
    for hue in card.hues:
        text.append(" ").append(hue, style=f"not bold {_HUES[hue][0]}")
    details = " ".join(filter(None, (str(card.power), card.logo)))
    return text.append(f"\n{details}", style="not bold dim") if details else text


def _draw_card(canvas: Canvas, x: int, y: int, word: str, cards: Mapping[str, Card]) -> None:
    """One card, or an empty cell, of a drawing."""
    name, _, tokens = word.partition("+")
    card = cards.get(name)
    canvas.box(x, y, _WIDE, _HIGH, "card" if card or name == UNKNOWN else "empty")
    if card is None:
        canvas.text(x + 10, y + 6, "" if name == EMPTY else name, "faint")
        return
    room = _WIDE - 20
    canvas.text(x + 10, y + 6, name, "strong")
    canvas.text(x + _WIDE - 52, y + 6, f"{card.points} {SIGNS[card.sex]}" + (f" +{tokens}" if tokens else ""), "mark")
    for place, hue in enumerate(card.hues):
        canvas.dot(x + 10 + 14 * place, y + 28, _HUES[hue][1])
    dots = 14 * len(card.hues)
    canvas.text(x + 14 + dots, y + 24, " ".join((*card.hues, card.logo)), "faint", room=room - dots)
    for line, words in enumerate((f"{card.price} → {card.value}", str(card.demand), str(card.power))):
        canvas.text(x + 10, y + 41 + 18 * line, words, "faint", room=room)


def _compiled(card: Card, logos: Sequence[str]) -> dict[str, Any]:
    """A card as the engine wants it."""
    power = card.power
    coupon: tuple[object, ...] | None = None
    if power.timing == "end":
        coupon = ("end", power.counts, power.counted, power.worth)
    elif power.timing:
        coupon = (power.timing, power.effect._asdict())
    return {
        "points": card.points, "attributes": ["wild"] if card.sex == "wild" else [card.sex, *card.hues],
        "cost": (*card.price.fixed, card.price.any),
        "condition": [
            {
                name: (least, most)
                for name, least, most in zip(ATTRIBUTES, clause.at_least, clause.at_most, strict=True)
                if (least, most) != (0, coney_cards.AROUND)
            }
            for clause in card.demand.clauses
        ],
        "sale": card.value._asdict(), "coupon": coupon, "logo": logos.index(card.logo) if card.logo else None,
    }  # fmt: skip


def _told(origin: int, *, own: bool = False) -> dict[str, Any]:
    """How a file says who has seen a hand card: one that lies there, or of a class of cards of unknown place."""
    if origin == ORIGINS["public"]:
        return {"open": True}
    if origin < ORIGINS["picked"]:
        return {"age": origin}
    pack, pick = divmod(origin - ORIGINS["picked"], ORIGINS["picks"])
    return {"pick": pick} if own else {"pick": pick, "pack": pack}


def _ruleset(game: Game) -> ConeyRuleset:
    assert isinstance(game.ruleset, ConeyRuleset)
    return game.ruleset


MODULE = Coney()
