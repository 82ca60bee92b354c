"""Coney, the slow and obvious way: a twin of the engine, to be read beside the rules page.

The names in quotes in the docstrings ("A turn", "Options", "Rulings") are sections of that page.

The course of a game is one generator, ``Coney._game``, which reads from top to bottom like the rules.  Whenever a card
of the deck must be revealed (``_reveal``) or players must choose (``_ask``) it pauses; ``settle`` and ``apply`` let it
go on.  At the end of the file stands what a player knows: the log of what he saw, and all worlds that fit it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, TypeVar

from tests.reference.course import Course, Script

T = TypeVar("T")

COLOURS = ("white", "black", "grey", "brown", "orange")
SEXES = ("male", "female")
RESOURCES = ("carrot", "pellet", "hay")
UNLIMITED = 10**9
OPTIONS = {  # "Options", the default first
    "adjacency": ("self", "mutual"),
    "touch": ("off", "on"),
    "frame": ("fixed", "sliding"),
    "wild_scores": ("one", "none"),
    "second_draw": ("must", "may"),
    "place_nothing": ("on", "off"),
}


# --------------------------------------------------------------------------------------------------------------------
# "Cards"
# --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Atom:
    """How many neighbours with an attribute there must be, and how many there may be."""

    least: int
    most: int
    attribute: str

    def holds(self, neighbours: list[frozenset[str]]) -> bool:
        """Each neighbour is the set of its attributes."""
        return self.least <= sum(self.attribute in neighbour for neighbour in neighbours) <= self.most


@dataclass(frozen=True)
class Both:
    """Conditions joined by *and*."""

    parts: tuple[Condition, ...]

    def holds(self, neighbours: list[frozenset[str]]) -> bool:
        """All of them hold; none at all is no condition."""
        return all(part.holds(neighbours) for part in self.parts)


@dataclass(frozen=True)
class Either:
    """Conditions joined by *or*."""

    parts: tuple[Condition, ...]

    def holds(self, neighbours: list[frozenset[str]]) -> bool:
        """One of them holds."""
        return any(part.holds(neighbours) for part in self.parts)


Condition = Atom | Both | Either


@dataclass(frozen=True)
class Effect:
    """What a sale or a coupon yields."""

    fixed: tuple[tuple[str, int], ...] = ()  # resource, number
    groups: tuple[tuple[str, int], ...] = ()  # any, same or different; number
    draws: int = 0
    sells_reserved: bool = False


@dataclass(frozen=True)
class EndCoupon:
    """Points at the end of the game."""

    points: int
    counts: str  # neighbour, line, here
    what: str  # an attribute, or the resource that lies here


@dataclass(frozen=True)
class Card:
    """A rabbit."""

    name: str
    points: int
    colours: frozenset[str]
    sex: str  # male, female, wild
    cost: Counter[str]  # resource or any: number
    condition: Condition
    sale: Effect
    now: Effect | None
    breed: Effect | None
    end: EndCoupon | None
    logo: str

    @property
    def is_wild(self) -> bool:
        """ "Cards": no sex and no fixed colour."""
        return self.sex == "wild"

    def attributes(self) -> list[frozenset[str]]:
        """What it may count as: a wild as no colour or exactly one, and never as a sex ("Conditions and wilds")."""
        if self.is_wild:
            return [frozenset(), *(frozenset({colour}) for colour in COLOURS)]
        return [self.colours | {self.sex}]


def holds(condition: Condition, neighbours: list[Card]) -> bool:
    """Does it hold for some choice, one colour or none for each wild ("Conditions and wilds")?"""
    choices = [neighbour.attributes() for neighbour in neighbours]
    return any(condition.holds(list(chosen)) for chosen in product(*choices))


def read_numbers(text: str, words: Iterable[str]) -> list[tuple[str, int]]:
    """ "2 carrot, hay" is [("carrot", 2), ("hay", 1)]."""
    found = []
    number = 1
    for word in text.replace(",", " ").split():
        if word.isdigit():
            number = int(word)
        elif word in words:
            found.append((word, number))
            number = 1
        else:
            raise ValueError(f"{text!r}: no such word: {word}")
    return found


def read_condition(text: str) -> Condition:
    """ "no male and (at most 1 black or at least 2 orange)"; *and* binds tighter than *or*."""
    words: list[str] = re.findall(r"[()]|[^\s()]+", text)

    def alternatives() -> Condition:
        parts = [conjunction()]
        while words and words[0] == "or":
            words.pop(0)
            parts.append(conjunction())
        return Either(tuple(parts))

    def conjunction() -> Condition:
        parts = [single()]
        while words and words[0] == "and":
            words.pop(0)
            parts.append(single())
        return Both(tuple(parts))

    def single() -> Condition:
        word = words.pop(0)
        if word == "(":
            inner = alternatives()
            if words.pop(0) != ")":
                raise ValueError(f"{text!r}: a parenthesis is open")
            return inner
        if word == "no":
            return Atom(0, 0, attribute())
        if word == "at":
            which = words.pop(0)
            number = int(words.pop(0))
            if which == "least":
                return Atom(number, UNLIMITED, attribute())
            if which == "most":
                return Atom(0, number, attribute())
        raise ValueError(f"{text!r}: no, at most or at least is missing")

    def attribute() -> str:
        word = words.pop(0)
        if word not in SEXES and word not in COLOURS:
            raise ValueError(f"{text!r}: no such attribute: {word}")
        return word

    if not words:
        return Both(())
    found = alternatives()
    if words:
        raise ValueError(f"{text!r}: can't read {' '.join(words)}")
    return found


def read_effect(text: str) -> Effect:
    """ "1 carrot, 2 same, draw 1, sell reserved"."""
    sells = "sell reserved" in text
    text = text.replace("sell reserved", "")
    draws = sum(int(number or 1) for number in re.findall(r"draw(?: (\d+))?", text))
    text = re.sub(r"draw( \d+)?", "", text)
    groups: dict[int, tuple[str, int]] = {}  # by place
    fixed = []
    for place, (word, number) in enumerate(read_numbers(text, [*RESOURCES, "any", "same", "different"])):
        if word in RESOURCES:
            fixed.append((word, number))
        elif word == "any":  # nothing stands between circles that are free, so they are one group
            first = next((other for other, (mode, _) in groups.items() if mode == "any"), place)
            groups[first] = ("any", groups.get(first, ("any", 0))[1] + number)
        else:
            groups[place] = (word, number)
    return Effect(tuple(fixed), tuple(groups.values()), draws, sells)


def read_end(text: str) -> EndCoupon:
    """ "2 per neighbour male", "-1 per line white", "1 per carrot here"."""
    number, _, *rest = text.split()
    if rest[1] == "here":
        return EndCoupon(int(number), "here", rest[0])
    return EndCoupon(int(number), rest[0], rest[1])


def read_card(name: str, data: Mapping[str, Any]) -> Card:
    """One card of a ruleset. Missing fields: 0 points, free, no condition and so on ("Rulings")."""
    colours = data.get("colours", ())
    timing, _, coupon = data.get("coupon", "").partition(":")
    return Card(
        name,
        data.get("points", 0),
        frozenset(colours.replace(",", " ").split() if isinstance(colours, str) else colours),
        data["sex"],
        sum((Counter({word: n}) for word, n in read_numbers(data.get("cost", ""), [*RESOURCES, "any"])), Counter()),
        read_condition(data.get("condition", "")),
        read_effect(data.get("sale", "")),
        read_effect(coupon) if timing == "now" else None,
        read_effect(coupon) if timing == "breed" else None,
        read_end(coupon) if timing == "end" else None,
        data.get("logo", ""),
    )


# --------------------------------------------------------------------------------------------------------------------
# Resources and cells
# --------------------------------------------------------------------------------------------------------------------

Amount = tuple[int, int, int]  # carrots, pellets, hay
Cell = tuple[int, int]  # row and column from 0; with a sliding frame -2 .. 2


def amounts(total: int, limits: Mapping[str, int]) -> list[Amount]:
    """All ways to choose exactly so many resources."""
    ranges = [range(min(total, limits[kind]) + 1) for kind in RESOURCES]
    return [(c, p, h) for c, p, h in product(*ranges) if c + p + h == total]


def gain_ways(mode: str, number: int, supply: Mapping[str, int]) -> list[Amount]:
    """What a group of circles may give: what is named must be left, and one takes what is there ("Rulings")."""
    left = [kind for kind in RESOURCES if supply[kind] > 0]
    if number == 0 or not left:
        return []
    if mode == "any":
        return amounts(min(number, sum(supply.values())), supply)
    if mode == "same":
        chosen = [{kind: min(number, supply[kind])} for kind in left]
    else:
        chosen = [dict.fromkeys(kinds, 1) for kinds in combinations(left, min(number, len(left)))]
    return [(one.get("carrot", 0), one.get("pellet", 0), one.get("hay", 0)) for one in chosen]


def amount_text(amount: Amount) -> str:
    """ "2 carrot 1 hay"."""
    return " ".join(f"{number} {kind}" for kind, number in zip(RESOURCES, amount, strict=True) if number)


def cell_text(cell: Cell) -> str:
    """ "b2" is the centre; "z0" one to the left of and above a farm in a sliding frame."""
    row, column = cell
    return f"{'yzabc'[column + 2]}{row + 1}"


def is_beside(one: Cell, other: Cell) -> bool:
    """Orthogonal neighbours."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


# --------------------------------------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------------------------------------


@dataclass
class Rabbit:
    """A card on a farm and the resources lying on it."""

    card: Card
    tokens: int = 0


Seen = tuple[Any, ...]  # one line of a log


class Coney(Course):
    """One game, move by move.  Seats count from 0."""

    def __init__(
        self,
        players: int,
        ruleset: Mapping[str, Any],
        order: Iterable[str] = (),
        options: Mapping[str, str] | None = None,
    ) -> None:
        """A game about to begin; `order`: solo, the cards on top of the deck, the next one first."""
        if players not in (1, 2, 3, 4):
            raise ValueError("1 to 4 players")
        chosen = {name: values[0] for name, values in OPTIONS.items()} | dict(options or {})
        for name, value in chosen.items():
            if value not in OPTIONS[name]:
                raise ValueError(f"{name} can't be {value}")
        self.is_mutual = chosen["adjacency"] == "mutual"
        self.must_touch = chosen["touch"] == "on"
        self.is_sliding = chosen["frame"] == "sliding"
        self.wilds_score = chosen["wild_scores"] == "one"
        self.may_stop_drawing = chosen["second_draw"] == "may"
        self.may_place_nothing = chosen["place_nothing"] == "on"

        self.players = players
        self.seats = range(players)
        self.cards = {name: read_card(name, data) for name, data in ruleset["cards"].items()}
        self.hand_size: int = ruleset.get("hand", 4)
        self.reserve_size: int = ruleset.get("reserve", 2)
        self.market_size: int = ruleset.get("market", 3)
        self.turns: int = ruleset.get("turns", 9)
        self.max_rounds: int = ruleset.get("max_rounds", 40)
        self.shops: list[str] = ruleset.get("logos", ["bakery", "florist", "library"])
        self.logo_points: list[int] = ruleset.get("logo_points", [0, 0, 0, 2, 4, 6])
        self.resources_per_point: int = ruleset.get("resources_per_point", 3)
        self.reserved_penalty: int = ruleset.get("reserved_penalty", 2)
        supply = ruleset.get("supply", 24)

        # What lies on the table.
        self.order = list(order)
        self.unseen = set(self.cards) - set(self.order)  # the rest of the deck, in unknown order
        self.discard: list[str] = []
        self.market: list[str] = []
        self.packs: list[list[str]] = [[] for _ in self.seats]  # draft: by the player before whom it lies
        self.hands: list[list[str]] = [[] for _ in self.seats]
        self.farms: list[dict[Cell, Rabbit]] = [{} for _ in self.seats]
        self.reserves: list[list[str]] = [[] for _ in self.seats]
        self.moving: list[str] = []  # a card being placed or sold
        self.supply = dict.fromkeys(RESOURCES, UNLIMITED if supply == "unlimited" else supply)
        self.stocks = [dict.fromkeys(RESOURCES, 0) for _ in self.seats]

        # Where the game stands.
        self.rounds = 0  # completed
        self.last_action = ""  # solo
        self.logs: list[list[Seen]] = [[] for _ in self.seats]  # by viewer

        super().__init__()

    # ---- the outside -----------------------------------------------------------------------------------------------

    @property
    def deck_size(self) -> int:
        """The number of cards in the deck, which is public."""
        return len(self.order) + len(self.unseen)

    def scores(self) -> list[int]:
        """What everybody's farm, stock and reserve are worth now ("End and score")."""
        return [self._score(seat) for seat in self.seats]

    def winners(self) -> list[int]:
        """ "End and score": highest wins; ties share."""
        scores = self.scores()
        return [seat for seat in self.seats if scores[seat] == max(scores)]

    # ---- pausing and going on --------------------------------------------------------------------------------------

    def _reveal(self) -> Script[str]:
        """The next card of the deck: the known one on top, or one that chance picks from those nobody has seen."""
        if self.order:
            card = self.order.pop(0)
        else:
            card = yield from self._chance(dict.fromkeys(sorted(self.unseen), 1))
            self.unseen.remove(card)
        return card

    def _ask_if_open(self, seat: int, moves: dict[str, T]) -> Script[T]:
        """Payments, gains and draws with one answer are not asked for."""
        if len(moves) == 1:
            return next(iter(moves.values()))
        return (yield from self._ask_one(seat, moves))

    def _log(self, *line: Any, hidden: Any = None, only: int | None = None) -> None:
        """Write down what happens; where `only` one player sees it, the others find None for what is `hidden`."""
        for viewer in self.seats:
            self.logs[viewer].append((*line, hidden if only in (None, viewer) else None))

    # ---- set-up ----------------------------------------------------------------------------------------------------

    def _game(self) -> Script[None]:
        """ "Set-up", turns, the end."""
        for seat in self.seats:
            for kind in RESOURCES:
                self._gain(seat, kind, 1)
        if self.players == 1:
            yield from self._set_up_solo()
        else:
            yield from self._set_up_draft()
        yield from self._fill_market()
        yield from self._rounds()

    def _set_up_solo(self) -> Script[None]:
        """ "Solo": draw 6, keep 4, discard 2."""
        for _ in range(self.hand_size + 2):
            yield from self._draw_from_deck(0)
        yield from self._discard_down_to_hand_size(0)

    def _set_up_draft(self) -> Script[None]:
        """ "Set-up": deal 5; keep one and pass the rest to the left, four times; the last card is discarded."""
        opened_by = list(self.seats)  # whose first pack lies before each player now
        for seat in self.seats:
            for _ in range(self.hand_size + 1):
                card = yield from self._reveal()
                self.packs[seat].append(card)
                self._log("deal", seat, hidden=card, only=seat)
        for pick in range(self.hand_size):
            for seat in self.seats:
                self._log("look", seat, opened_by[seat], pick, hidden=frozenset(self.packs[seat]), only=seat)
            kept = yield from self._ask(
                {seat: {f"keep {card}": card for card in self.packs[seat]} for seat in self.seats}
            )
            for seat, card in kept.items():
                self.packs[seat].remove(card)
                self.hands[seat].append(card)
                self._log("keep", seat, opened_by[seat], pick, hidden=card, only=seat)
            if pick < self.hand_size - 1:
                self.packs = [self.packs[(seat - 1) % self.players] for seat in self.seats]
                opened_by = [opened_by[(seat - 1) % self.players] for seat in self.seats]
        for seat in self.seats:
            (card,) = self.packs[seat]
            self.discard.append(card)
            self._log("last", opened_by[seat], hidden=card)
        self.packs = [[] for _ in self.seats]
        self._renew_deck()

    # ---- turns -----------------------------------------------------------------------------------------------------

    def _rounds(self, first: int = 0) -> Script[None]:
        """ "End": looked for before the start player's turn."""
        while first or not self._is_finished():
            for seat in range(first, self.players):
                yield from self._turn(seat)
            first = 0
            self.rounds += 1

    def _is_finished(self) -> bool:
        """ "End", and `max_rounds` of the "Rulings"."""
        if self.players == 1:
            return self.rounds == self.turns
        return self.rounds == self.max_rounds or any(len(farm) == 9 for farm in self.farms)

    def _turn(self, seat: int) -> Script[None]:
        """ "A turn": exactly one action, the hand limit, the market."""
        actions = ["place", "breed", "refill"]
        if not self.may_place_nothing and not self._placements(seat) and not self.farms[seat]:
            actions.remove("place")
        if self.players == 1 and self.last_action in actions:
            actions.remove(self.last_action)
        action = yield from self._ask_one(seat, {action: action for action in actions})
        self.last_action = action
        if action == "place":
            yield from self._place(seat)
        elif action == "breed":
            yield from self._breed(seat)
        else:
            yield from self._refill(seat)
        yield from self._discard_down_to_hand_size(seat)
        yield from self._fill_market()

    def _place(self, seat: int) -> Script[None]:
        """ "Place": sell any number, then place up to two."""
        has_sold = False
        while True:
            placements = self._placements(seat)
            moves: dict[str, tuple[str, str, Cell]] = {
                f"sell {rabbit.card.name}": ("sell", rabbit.card.name, cell)
                for cell, rabbit in self.farms[seat].items()
            }
            moves |= placements
            if self.may_place_nothing or (has_sold and not placements):
                moves["done"] = ("done", "", (0, 0))
            what, card, cell = yield from self._ask_one(seat, moves)
            if what != "sell":
                break
            yield from self._sell_from_farm(seat, cell)
            has_sold = True
        if what == "done":
            return
        yield from self._put(seat, card, cell)
        moves = self._placements(seat) | {"done": ("done", "", (0, 0))}
        what, card, cell = yield from self._ask_one(seat, moves)
        if what == "place":
            yield from self._put(seat, card, cell)

    def _breed(self, seat: int) -> Script[None]:
        """ "Breed": all breeding coupons, in an order than which none is better; then feed."""
        farm = self.farms[seat]
        coupons = [farm[cell].card.breed or Effect() for cell in sorted(farm)]
        for coupon in coupons:
            self._gain_fixed(seat, coupon)
        for _ in range(sum(coupon.draws for coupon in coupons)):
            yield from self._draw(seat)
        for coupon in coupons:
            yield from self._gain_groups(seat, coupon)
        last: Cell = (-1, 0)
        while True:
            moves = {
                f"feed {farm[cell].card.name}": cell
                for cell in farm
                if cell > last and self.food(farm[cell].card) and self.stocks[seat][self.food(farm[cell].card)] > 0
            }
            if not moves:
                return
            last = yield from self._ask_one(seat, moves | {"done": (9, 0)})
            if last not in farm:
                return
            self.stocks[seat][self.food(farm[last].card)] -= 1
            farm[last].tokens += 1

    def food(self, card: Card) -> str:
        """The resource for which it has points when it lies on the card, or ""."""
        return card.end.what if card.end and card.end.counts == "here" else ""

    def _refill(self, seat: int) -> Script[None]:
        """ "Refill": discard, draw, reserve, draw, take two."""
        yield from self._choose_from_hand(seat, "discard", len(self.hands[seat]))
        while len(self.hands[seat]) < self.hand_size and (yield from self._draw(seat)):
            pass
        yield from self._choose_from_hand(seat, "reserve", self.reserve_size - len(self.reserves[seat]))
        while len(self.hands[seat]) < self.hand_size and (yield from self._draw(seat, self.may_stop_drawing)):
            pass
        yield from self._gain_group(seat, "any", 2)

    def _choose_from_hand(self, seat: int, word: str, number: int) -> Script[None]:
        """Discard or reserve up to so many cards of the hand, in the order of the ruleset."""
        hand, last = self.hands[seat], -1
        while number and hand:
            moves = {f"{word} {card}": card for card in hand if self._id(card) > last}
            card = yield from self._ask_one(seat, moves | {"done": ""})
            if not card:
                return
            self._show(seat, card)
            if word == "discard":
                self._discard(card)
            else:
                self.reserves[seat].append(card)
            last = self._id(card)
            number -= 1

    def _discard_down_to_hand_size(self, seat: int) -> Script[None]:
        """ "End of turn", and two of six in the solo set-up: in the order of the ruleset."""
        last = -1
        while len(self.hands[seat]) > self.hand_size:
            later = sorted((card for card in self.hands[seat] if self._id(card) > last), key=self._id)
            due = len(self.hands[seat]) - self.hand_size
            card = yield from self._ask_one(seat, {f"discard {card}": card for card in later[: len(later) - due + 1]})
            last = self._id(card)
            self._show(seat, card)
            self._discard(card)

    # ---- placing ---------------------------------------------------------------------------------------------------

    def _placements(self, seat: int) -> dict[str, tuple[str, str, Cell]]:
        """All legal placements from hand and reserve."""
        cells = self._empty_cells(seat)
        return {
            f"place {name} {cell_text(cell)}": ("place", name, cell)
            for name in self.hands[seat] + self.reserves[seat]
            if self._can_pay(seat, self.cards[name])
            for cell in cells
            if self._may_lie(seat, self.cards[name], cell)
        }

    def _can_pay(self, seat: int, card: Card) -> bool:
        """The kinds that it names, and so many of the rest as it wants of any."""
        left = [self.stocks[seat][kind] - card.cost[kind] for kind in RESOURCES]
        return min(left) >= 0 and sum(left) >= card.cost["any"]

    def _empty_cells(self, seat: int) -> list[Cell]:
        """The nine cells; in a sliding frame those that keep the bounding box within 3×3 ("Options")."""
        farm = self.farms[seat]
        if not self.is_sliding:
            return [cell for cell in product(range(3), range(3)) if cell not in farm]
        if not farm:
            return [(0, 0)]  # the farm is pushed to the top left, so all cells are this one
        found = []
        for cell in product(range(-2, 3), range(-2, 3)):
            rows = [row for row, _ in [cell, *farm]]
            columns = [column for _, column in [cell, *farm]]
            if cell not in farm and max(rows) - min(rows) < 3 and max(columns) - min(columns) < 3:
                found.append(cell)
        return found

    def _may_lie(self, seat: int, card: Card, cell: Cell) -> bool:
        """The condition of the card, of its neighbours if adjacency is mutual, and touch ("Options")."""
        farm = self.farms[seat]
        neighbours = [other for other in farm if is_beside(cell, other)]
        if self.must_touch and farm and not neighbours:
            return False
        if not holds(card.condition, [farm[other].card for other in neighbours]):
            return False
        if self.is_mutual:
            for other in neighbours:
                condition = farm[other].card.condition
                before = [farm[third].card for third in farm if is_beside(other, third)]
                if holds(condition, before) and not holds(condition, [*before, card]):
                    return False
        return True

    def _put(self, seat: int, name: str, cell: Cell) -> Script[None]:
        """Pay, put it there; its immediate coupon fires ("Place")."""
        card, stock = self.cards[name], self.stocks[seat]
        if name in self.hands[seat]:
            self._show(seat, name)
        else:
            self.reserves[seat].remove(name)
        self.moving.append(name)
        for kind in RESOURCES:
            self._pay(seat, kind, card.cost[kind])
        ways = amounts(card.cost["any"], stock)
        paid = yield from self._ask_if_open(seat, {f"pay {amount_text(amount)}": amount for amount in ways})
        for kind, number in zip(RESOURCES, paid, strict=True):
            self._pay(seat, kind, number)
        self.moving.remove(name)
        self.farms[seat][cell] = Rabbit(card)
        self._slide(seat)
        if card.now:
            yield from self._receive(seat, card.now)
            if card.now.sells_reserved and self.reserves[seat]:
                yield from self._sell_from_reserve(seat)

    def _slide(self, seat: int) -> None:
        """Push the farm of a sliding frame to the top left."""
        farm = self.farms[seat]
        if self.is_sliding and farm:
            top, left = min(row for row, _ in farm), min(column for _, column in farm)
            self.farms[seat] = {(row - top, column - left): rabbit for (row, column), rabbit in farm.items()}

    # ---- selling ---------------------------------------------------------------------------------------------------

    def _sell_from_farm(self, seat: int, cell: Cell) -> Script[None]:
        """ "Place": resources lying on it go back to the supply."""
        rabbit = self.farms[seat].pop(cell)
        if rabbit.tokens:
            self.supply[self.food(rabbit.card)] += rabbit.tokens
        self._slide(seat)
        yield from self._sell(seat, rabbit.card)

    def _sell_from_reserve(self, seat: int) -> Script[None]:
        """ "Coupon": you may sell one reserved card."""
        moves = {f"sell {name}": name for name in self.reserves[seat]}
        name = yield from self._ask_one(seat, moves | {"done": ""})
        if name:
            self.reserves[seat].remove(name)
            yield from self._sell(seat, self.cards[name])

    def _sell(self, seat: int, card: Card) -> Script[None]:
        """ "Rulings": resources first, then draws, then the card reaches the discard pile."""
        self.moving.append(card.name)
        yield from self._receive(seat, card.sale)
        self.moving.remove(card.name)
        self._discard(card.name)

    # ---- resources -------------------------------------------------------------------------------------------------

    def _receive(self, seat: int, effect: Effect) -> Script[None]:
        """Gains, then draws."""
        self._gain_fixed(seat, effect)
        yield from self._gain_groups(seat, effect)
        for _ in range(effect.draws):
            yield from self._draw(seat)

    def _gain_fixed(self, seat: int, effect: Effect) -> None:
        for kind, number in effect.fixed:
            self._gain(seat, kind, number)

    def _gain_groups(self, seat: int, effect: Effect) -> Script[None]:
        for mode, number in effect.groups:
            yield from self._gain_group(seat, mode, number)

    def _gain_group(self, seat: int, mode: str, number: int) -> Script[None]:
        """ "Resources": several circles, of which the player chooses."""
        ways = gain_ways(mode, number, self.supply)
        if not ways:
            return
        amount = yield from self._ask_if_open(seat, {f"take {amount_text(amount)}": amount for amount in ways})
        for kind, taken in zip(RESOURCES, amount, strict=True):
            self._gain(seat, kind, taken)

    def _gain(self, seat: int, kind: str, number: int) -> None:
        """ "Areas": a gain takes what is left."""
        taken = min(number, self.supply[kind])
        self.supply[kind] -= taken
        self.stocks[seat][kind] += taken

    def _pay(self, seat: int, kind: str, number: int) -> None:
        """ "Rulings": payments go back to the supply."""
        self.stocks[seat][kind] -= number
        self.supply[kind] += number

    # ---- moving cards ----------------------------------------------------------------------------------------------

    def _id(self, name: str) -> int:
        """The place of a card in the ruleset."""
        return list(self.cards).index(name)

    def _draw(self, seat: int, may_stop: bool = False) -> Script[bool]:
        """ "Areas": one card, of the player's choice from the market or the top of the deck. Was there one?"""
        moves = {f"draw {card}": card for card in self.market}
        if self.deck_size:
            moves["draw deck"] = "deck"
        if not moves:
            return False
        if may_stop:
            moves["done"] = ""
        card = yield from self._ask_if_open(seat, moves)
        if not card:
            return False
        if card == "deck":
            yield from self._draw_from_deck(seat)
        else:
            self.market.remove(card)
            self.hands[seat].append(card)
            self._log("take", seat, hidden=card)
        return True

    def _draw_from_deck(self, seat: int) -> Script[None]:
        card = yield from self._reveal()
        self.hands[seat].append(card)
        self._log("draw", seat, hidden=card, only=seat)
        self._renew_deck()

    def _fill_market(self) -> Script[None]:
        """ "Areas": only at the end of a turn, and in the set-up."""
        while len(self.market) < self.market_size and self.deck_size:
            card = yield from self._reveal()
            self.market.append(card)
            self._log("open", hidden=card)
            self._renew_deck()

    def _show(self, seat: int, card: str) -> None:
        """A card leaves the hand for a place where everybody sees it."""
        self.hands[seat].remove(card)
        self._log("show", seat, hidden=card)

    def _discard(self, card: str) -> None:
        self.discard.append(card)
        self._renew_deck()

    def _renew_deck(self) -> None:
        """ "Areas": when the deck runs out the discard pile is shuffled into a new deck at once."""
        if self.deck_size == 0 and self.discard:
            self.unseen = set(self.discard)
            self.discard = []
            self._log("shuffle", hidden=frozenset(self.unseen))

    # ---- "End and score" -------------------------------------------------------------------------------------------

    def _score(self, seat: int) -> int:
        farm, stock = self.farms[seat], self.stocks[seat]
        printed = sum(rabbit.card.points for rabbit in farm.values())
        coupons = sum(self._end_points(seat, cell) for cell in farm)
        logos = Counter(rabbit.card.logo for rabbit in farm.values())
        shops = sum(self.logo_points[min(logos[shop], len(self.logo_points) - 1)] for shop in self.shops)
        resources = sum(stock.values()) // self.resources_per_point
        return printed + coupons + shops + resources - self.reserved_penalty * len(self.reserves[seat])

    def _end_points(self, seat: int, cell: Cell) -> int:
        """Points of the end-of-game coupon of the card there."""
        farm = self.farms[seat]
        coupon = farm[cell].card.end
        if coupon is None:
            return 0
        if coupon.counts == "here":
            return coupon.points * farm[cell].tokens
        if coupon.counts == "neighbour":
            others = [other for other in farm if is_beside(cell, other)]
        else:  # "Rulings": the other rabbits of the row and of the column, each counted once
            others = [other for other in farm if other != cell and (other[0] == cell[0] or other[1] == cell[1])]
        return coupon.points * sum(self._counts(farm[other].card, coupon) for other in others)

    def _counts(self, card: Card, coupon: EndCoupon) -> bool:
        """ "Options": a wild counts as the best single colour, or not at all; never against its owner ("Rulings")."""
        if card.is_wild:
            return self.wilds_score and coupon.what in COLOURS and coupon.points > 0
        return coupon.what in card.colours or coupon.what == card.sex

    # ---- knowledge ("Rulings") -------------------------------------------------------------------------------------

    def world(self) -> World:
        """What nobody knows as a whole."""
        return (
            tuple(frozenset(hand) for hand in self.hands),
            tuple(frozenset(pack) for pack in self.packs),
            frozenset(self.unseen),
        )

    def worlds(self, viewer: int) -> Counter[World]:
        """All worlds that fit what the viewer has seen, and in how many ways each may have come about."""
        return consistent(self.logs[viewer], viewer, self.players, frozenset(self.cards))


# --------------------------------------------------------------------------------------------------------------------
# What a player knows
# --------------------------------------------------------------------------------------------------------------------

# The hands, the packs by the player before whom they lie (draft), and the deck.
World = tuple[tuple[frozenset[str], ...], tuple[frozenset[str], ...], frozenset[str]]


def next_sight(log: list[Seen], after: int, card: str) -> Seen | None:
    """The next line of a log that names this card."""
    for line in log[after + 1 :]:
        if line[-1] == card or (isinstance(line[-1], frozenset) and card in line[-1]):
            return line
    return None


@dataclass(frozen=True)
class Possible:
    """What the table may look like to a viewer in the middle of a log."""

    rest: frozenset[str]  # cards in the deck, or in packs at which he has not looked
    hands: tuple[frozenset[str], ...]
    looked: tuple[frozenset[str] | None, ...]  # packs by who opened them: what is left of one at which he looked

    def draws(self, player: int, card: str) -> Possible:
        """The player has this card of the rest."""
        return replace(self, rest=self.rest - {card}).receives(player, card)

    def receives(self, player: int, card: str) -> Possible:
        """The player has one more card."""
        hands = tuple(hand | {card} if seat == player else hand for seat, hand in enumerate(self.hands))
        return replace(self, hands=hands)

    def pack(self, opener: int) -> frozenset[str]:
        """What may lie in a pack."""
        looked = self.looked[opener]
        return self.rest if looked is None else looked

    def looks(self, opener: int, cards: frozenset[str] | None) -> Possible:
        """These are the cards of a pack, and nowhere else."""
        looked = tuple(cards if other == opener else old for other, old in enumerate(self.looked))
        return replace(self, looked=looked, rest=self.rest - (cards or frozenset()))


def consistent(log: list[Seen], viewer: int, players: int, cards: frozenset[str]) -> Counter[World]:
    """All worlds that fit a log, and in how many ways each may have come about: each of these is equally likely.

    It reads the log line by line, and where a card is hidden it tries all that may be this one.  What matters of a
    card is when the viewer sees it next: one that somebody takes unseen comes to light from his hand, or not at all.
    """
    sizes = [0] * players  # of packs, by who opened them
    possible = Counter([Possible(cards, (frozenset(),) * players, (None,) * players)])
    for now, (what, *words, seen) in enumerate(log):
        followed: Counter[Possible] = Counter()

        # The card of this line: the one he saw, or any that next comes to light from the hand of this player.
        sights = {card: next_sight(log, now, card) for card in cards} if seen is None else {}
        may_be = {card for card, sight in sights.items() if sight is None or sight[:2] == ("show", words[0])} or {seen}
        if what == "deal":
            sizes[words[0]] += 1
        if what == "keep":
            sizes[words[1]] -= 1
        if what == "last":
            sizes[words[0]] -= 1
        for one, ways in possible.items():
            after: list[Possible] = []
            if what == "deal" and words[0] == viewer:
                after = [one.looks(viewer, (one.looked[viewer] or frozenset()) | {seen})]
            elif what == "look" and words[0] == viewer:
                if one.looked[words[1]] in (None, seen):
                    after = [one.looks(words[1], seen)]
            elif what == "deal" or what == "look":
                after = [one]
            elif what == "keep":
                player, opener, _ = words
                for card in one.pack(opener) & may_be:
                    if one.looked[opener] is None:
                        after.append(one.draws(player, card))
                    else:
                        after.append(one.looks(opener, one.pack(opener) - {card}).receives(player, card))
            elif what == "last":
                if seen in one.pack(words[0]):
                    after = [replace(one.looks(words[0], None), rest=one.rest - {seen})]
            elif what == "draw":
                after = [one.draws(words[0], card) for card in one.rest & may_be]
            elif what == "open":
                if seen in one.rest:
                    after = [replace(one, rest=one.rest - {seen})]
            elif what == "take":
                after = [one.receives(words[0], seen)]
            elif what == "show":
                if seen in one.hands[words[0]]:
                    hands = tuple(hand - {seen} if seat == words[0] else hand for seat, hand in enumerate(one.hands))
                    after = [replace(one, hands=hands)]
            elif what == "shuffle" and not one.rest:
                after = [replace(one, rest=seen)]
            for follower in after:
                followed[follower] += ways
        possible = followed

    worlds: Counter[World] = Counter()
    for one, ways in possible.items():
        # Which pack lies before whom: each has been passed on once a pick, but not after the last one.
        picks = len(one.hands[0])
        for packs, deck in fill_packs(one, sizes):
            lying = tuple(packs[(seat - picks) % players] for seat in range(players))
            worlds[one.hands, lying, deck] += ways
    return worlds


def fill_packs(one: Possible, sizes: list[int]) -> Iterator[tuple[tuple[frozenset[str], ...], frozenset[str]]]:
    """All packs, by who opened them, and decks: the cards of a pack at which the viewer has not looked may be any."""
    for opener, size in enumerate(sizes):
        if size and one.looked[opener] is None:
            for cards in combinations(sorted(one.rest), size):
                yield from fill_packs(one.looks(opener, frozenset(cards)), sizes)
            return
    yield tuple(pack or frozenset() for pack in one.looked), one.rest
