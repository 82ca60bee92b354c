"""Go Nuts for Donuts, the slow and obvious way: a twin of the engine, to be read beside the rules page.

The names in quotes in the docstrings ("Play 3", "Details", "Options", "Rulings") are sections of that page.

The course of a game is one generator, ``Donuts._game``, which reads from top to bottom like the rules.  Whenever a
card of the deck must be revealed (``_reveal``) or players must choose (``_ask``) it pauses; ``settle`` and ``apply``
let it go on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace

from tests.reference.course import Course, Script

# --------------------------------------------------------------------------------------------------------------------
# "Cards (70)"
# --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Card:
    """One line of the table in "Cards": all the numbers of one kind."""

    players: int  # smallest player count that uses the card
    copies: int | list[int]  # one number, or five for 2, 3, 4, 5, 6 players
    points: int | list[int]  # per card, or by count 1, 2, 3, ...
    at_least_types: int | None = None  # scores only with so many types or more
    at_most_types: int | None = None  # scores only with so many types or fewer
    at_most_cards: int | None = None  # scores only with so many cards in all or fewer
    most: int | None = None  # bonus of the sole holder of the most
    tied: int | None = None  # bonus of each player tied for the most

    def number_of_copies(self, players: int) -> int:
        """Copies in the deck for this player count ("Cards": deck and copies)."""
        if players < self.players:
            return 0
        if isinstance(self.copies, list):
            return self.copies[players - 2]
        return self.copies

    def is_negative(self) -> bool:
        """ "Rulings": points per card below 0; kinds scored by count never are."""
        return isinstance(self.points, int) and self.points < 0

    def points_for(self, count: int) -> int:
        """Points of so many of this kind; a count above the list takes its last value ("Rulings")."""
        if count == 0:
            return 0
        if isinstance(self.points, list):
            return self.points[min(count, len(self.points)) - 1]
        return self.points * count


CARDS: dict[str, Card] = {
    "plain": Card(players=2, copies=7, points=1, most=3, tied=1),
    "glazed": Card(players=2, copies=5, points=2),
    "powdered": Card(players=2, copies=4, points=3),
    "chocolate_frosted": Card(players=2, copies=3, points=0),
    "eclair": Card(players=2, copies=3, points=0),
    "french_cruller": Card(players=2, copies=[1, 2, 3, 4, 4], points=2),
    "maple_bar": Card(players=2, copies=2, points=3, at_least_types=7),
    "donut_holes": Card(players=2, copies=6, points=[1, 3, 6, 10, 15]),
    "jelly_filled": Card(players=2, copies=6, points=[0, 5, 5, 10, 10, 15]),
    "boston_cream": Card(players=3, copies=6, points=[0, 6, 0, 15, 0, 25]),
    "sprinkled": Card(players=3, copies=2, points=2),
    "double_chocolate": Card(players=3, copies=2, points=0),
    "red_velvet": Card(players=3, copies=2, points=-2),
    "bear_claw": Card(players=4, copies=2, points=-2),
    "day_old": Card(players=4, copies=1, points=-7),
    "cinnamon_twist": Card(players=4, copies=2, points=1),
    "old_fashioned": Card(players=4, copies=2, points=5, at_most_cards=9),
    "coffee": Card(players=4, copies=2, points=1),  # per negative card
    "milk": Card(players=4, copies=1, points=5),
    "strawberry_glazed": Card(players=5, copies=2, points=-2),
    "raspberry_frosted": Card(players=5, copies=2, points=0),
    "maple_frosted": Card(players=5, copies=2, points=5),  # with the fewest cards only
    "mucho_matcha": Card(players=5, copies=2, points=3, at_most_types=6),
}


def changed_cards(overrides: dict[str, dict[str, object]]) -> dict[str, Card]:
    """The table with other numbers ("Options": points table; "Rulings": the points data also hold the thresholds)."""
    cards = dict(CARDS)
    for kind, changes in overrides.items():
        if kind not in cards:
            raise ValueError(f"no such kind: {kind}")
        for name, value in changes.items():
            check_change(kind, name, value)
            cards[kind] = replace(cards[kind], **{name: value})  # type: ignore[arg-type]
    return cards


def check_change(kind: str, name: str, value: object) -> None:
    """Refuse a change of a number that the kind does not have, or of the wrong shape."""
    known = [f.name for f in fields(Card) if getattr(CARDS[kind], f.name) is not None]
    if name not in known:
        raise ValueError(f"{kind} has no number {name}")
    if isinstance(value, int):
        return
    if not isinstance(value, list) or not value or not all(isinstance(number, int) for number in value):
        raise ValueError(f"{kind}: {name} can't be {value!r}")
    if name not in ("copies", "points") or (kind, name) == ("coffee", "points"):
        raise ValueError(f"{kind}: {name} is a single number")
    if name == "copies" and len(value) != 5:
        raise ValueError(f"{kind}: copies needs five numbers, for 2 to 6 players")


def kind_of(item: str) -> str:
    """The kind of a held item: "coffee+2" is a coffee, every other item is named like its kind."""
    return "coffee" if item.startswith("coffee") else item


# --------------------------------------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------------------------------------


@dataclass
class DeckCard:
    """A card from or in the deck, and the players who know what it is ("Details": double_chocolate)."""

    kind: str
    known_to: set[int] = field(default_factory=set)


class Donuts(Course):
    """One game, move by move.  Seats count from 0, places from 1."""

    def __init__(
        self,
        players: int,
        *,
        double_chocolate_return: str = "bottom",
        coffee: str = "frozen",
        red_velvet: str = "may",
        bear_claw: str = "may",
        overrides: dict[str, dict[str, object]] | None = None,
    ) -> None:
        if players not in (2, 3, 4, 5, 6):
            raise ValueError("2 to 6 players")
        if double_chocolate_return not in ("bottom", "top"):
            raise ValueError("double_chocolate_return is bottom or top")
        if coffee not in ("frozen", "final"):
            raise ValueError("coffee is frozen or final")
        if red_velvet not in ("may", "must") or bear_claw not in ("may", "must"):
            raise ValueError("red_velvet and bear_claw are may or must")
        self.players = players
        self.seats = range(players)
        self.places = range(1, players + 2)
        self.double_chocolate_return = double_chocolate_return
        self.coffee = coffee
        self.red_velvet = red_velvet
        self.bear_claw = bear_claw
        self.cards = changed_cards(overrides or {})

        # What lies on the table.
        self.row: list[str | None] = [None for _ in self.places]
        self.held: list[dict[str, int]] = [{} for _ in self.seats]
        self.discard: list[str] = []  # bottom to top

        # The deck, from its top: cards put back on top (the last one uppermost), cards nobody has seen (in unknown
        # order, so only their numbers matter), cards put back at the bottom (in the order they were put there).
        self.on_top: list[DeckCard] = []  # the end of the list is the top of the deck
        self.unseen: dict[str, int] = {}
        self.at_bottom: list[DeckCard] = []
        for kind, card in self.cards.items():
            copies = card.number_of_copies(players)
            if copies < 0:
                raise ValueError(f"{kind}: copies can't be negative")
            if copies > 0:
                self.unseen[kind] = copies
        if self.deck_size < len(self.places):
            raise ValueError("the deck can't fill the row")

        # Where the game stands.
        self.bids: dict[int, int] = {}  # public: seat -> place, once all are revealed
        self.drawn: list[DeckCard] = []  # cards in the hand of a player resolving a double_chocolate

        super().__init__()

    # ---- the outside -----------------------------------------------------------------------------------------------

    @property
    def deck_size(self) -> int:
        """The number of cards in the deck, which is public ("Play")."""
        return len(self.on_top) + sum(self.unseen.values()) + len(self.at_bottom)

    def scores(self) -> list[int]:
        """The points of what everybody holds now ("Cards": points at the end)."""
        return [self._score(seat) for seat in self.seats]

    def winners(self) -> list[int]:
        """ "Play 5": most points; tie: most cards held; still tied: shared win."""
        scores = self.scores()
        results = [(scores[seat], self._number_of_cards(seat)) for seat in self.seats]
        return [seat for seat in self.seats if results[seat] == max(results)]

    def view(self, player: int) -> object:
        """Everything the player knows, hashable ("Play": what is public; "Details": double_chocolate)."""

        def known(cards: list[DeckCard]) -> tuple[str | None, ...]:
            return tuple(card.kind if player in card.known_to else None for card in cards)

        return (
            player,
            self.ended,
            bool(self.possible),
            self.stage,
            tuple(self.row),
            tuple(tuple(sorted(cards.items())) for cards in self.held),
            tuple(self.discard),
            self.deck_size,
            tuple(sorted(self.bids.items())),
            self.chosen.get(player),
            known(self.on_top),
            known(self.at_bottom),
            known(self.drawn),
        )

    def _reveal(self) -> Script[str]:
        """Chance picks a card that nobody has seen, which leaves the deck."""
        kind = yield from self._chance(dict(self.unseen))
        self.unseen[kind] -= 1
        if self.unseen[kind] == 0:
            del self.unseen[kind]
        return kind

    # ---- "Play" ----------------------------------------------------------------------------------------------------

    def _game(self) -> Script[None]:
        """ "Play 1" to "Play 4"."""
        yield from self._fill(self.places)
        while True:
            yield from self._bid()
            yield from self._resolve()
            empty = [place for place in self.places if self.row[place - 1] is None]
            if self.deck_size < len(empty):
                return
            yield from self._fill(empty)

    def _fill(self, places: Iterable[int]) -> Script[None]:
        """ "Play 1" and "Play 4": fill these places in ascending order."""
        for place in places:
            self.stage = ("fill", place)
            card = yield from self._draw()
            self.row[place - 1] = card.kind

    def _bid(self) -> Script[None]:
        """ "Play 2": every player secretly chooses one place; all are revealed together."""
        self.stage = ("bid",)
        moves = {f"bid {place}": place for place in self.places}
        self.bids = yield from self._ask(dict.fromkeys(self.seats, moves))

    def _resolve(self) -> Script[None]:
        """ "Play 3": the places in ascending order."""
        for place in self.places:
            bidders = [seat for seat in self.seats if self.bids[seat] == place]
            if not bidders:
                continue
            kind = self.row[place - 1]
            assert kind is not None, "a card that somebody bid on lies there until its place is resolved"
            self.row[place - 1] = None
            if len(bidders) >= 2:
                self.discard.append(kind)
            else:
                self._receive(bidders[0], kind)
                self.stage = ("power", kind, bidders[0], place)
                yield from self._power(bidders[0], kind)
        self.bids = {}

    # ---- the powers ("Cards", last column) -------------------------------------------------------------------------

    def _power(self, seat: int, kind: str) -> Script[None]:
        """The power of a card just taken from the row, which is already in the collection ("Details")."""
        if kind == "chocolate_frosted":
            yield from self._chocolate_frosted(seat)
        elif kind == "eclair":
            self._eclair(seat)
        elif kind == "french_cruller":
            yield from self._french_cruller(seat)
        elif kind == "sprinkled":
            yield from self._sprinkled(seat)
        elif kind == "double_chocolate":
            yield from self._double_chocolate(seat)
        elif kind == "red_velvet":
            yield from self._red_velvet(seat)
        elif kind == "bear_claw":
            yield from self._bear_claw(seat)
        elif kind == "day_old":
            yield from self._day_old(seat)
        elif kind == "cinnamon_twist":
            yield from self._cinnamon_twist()
        elif kind == "milk":
            yield from self._milk(seat)
        elif kind == "strawberry_glazed":
            yield from self._strawberry_glazed(seat)
        elif kind == "raspberry_frosted":
            yield from self._raspberry_frosted(seat)

    def _chocolate_frosted(self, seat: int) -> Script[None]:
        """Take the top card of the deck; nothing if the deck is empty ("Details")."""
        if self.deck_size > 0:
            card = yield from self._draw()
            self._receive(seat, card.kind)

    def _eclair(self, seat: int) -> None:
        """Take the top card of the discard pile; nothing if the pile is empty ("Details")."""
        if self.discard:
            self._receive(seat, self.discard.pop())

    def _french_cruller(self, seat: int) -> Script[None]:
        """May discard any of the row cards on which nobody bid this round, in ascending place ("Details")."""
        last = 0
        while True:
            # "Rulings": only cards still lying there.
            moves = {
                f"discard french_cruller: {place}": place
                for place in self.places
                if place > last and self.row[place - 1] is not None and place not in self.bids.values()
            }
            if not moves:
                return
            moves["stop french_cruller"] = 0
            self.stage = (*self.stage[:4], last)
            place = yield from self._ask_one(seat, moves)
            if place == 0:
                return
            kind = self.row[place - 1]
            assert kind is not None
            self.row[place - 1] = None
            self.discard.append(kind)
            last = place

    def _sprinkled(self, seat: int) -> Script[None]:
        """Give one own card to another player; the Sprinkled itself only if it is the only card ("Rulings")."""
        items = self._other_items(seat, "sprinkled") or ["sprinkled"]
        receiver, item = yield from self._ask_one(
            seat,
            {
                f"give sprinkled to {other}: {item}": (other, item)
                for other in self.seats
                if other != seat
                for item in items
            },
        )
        self._lose(seat, item)
        self._receive(receiver, kind_of(item))

    def _double_chocolate(self, seat: int) -> Script[None]:
        """Draw two from the deck, keep one, put the other back ("Details", "Options").

        With one card left: take it; none: nothing.
        """
        if self.deck_size == 0:
            return
        if self.deck_size == 1:
            card = yield from self._draw()
            self._receive(seat, card.kind)
            return
        for _ in range(2):
            card = yield from self._draw()
            card.known_to.add(seat)
            self.drawn.append(card)
        kind = yield from self._ask_one(seat, {f"keep double_chocolate: {card.kind}": card.kind for card in self.drawn})
        first, second = self.drawn
        self.drawn = []
        kept, back = (first, second) if first.kind == kind else (second, first)
        if kept.kind == back.kind:
            # Somebody who knew one of the two cards can't tell the other one: only who knew both knows what went back.
            back.known_to = kept.known_to & back.known_to
        # Otherwise who knew the card that went back sees that the other one was kept, and nobody else learns anything.
        self._receive(seat, kept.kind)
        if self.double_chocolate_return == "top":
            self.on_top.append(back)
        else:
            self.at_bottom.append(back)

    def _red_velvet(self, seat: int) -> Script[None]:
        """May (or must, "Options") take any one card of the discard pile."""
        if not self.discard:
            return
        moves = {f"take red_velvet: {kind}": kind for kind in self.discard}
        if self.red_velvet == "may":
            moves["stop red_velvet"] = ""
        kind = yield from self._ask_one(seat, moves)
        if kind != "":
            self._take_from_discard(seat, kind)

    def _bear_claw(self, seat: int) -> Script[None]:
        """May (or must, "Options") take any one card of another player."""
        moves = {
            f"take bear_claw from {other}: {item}": (other, item)
            for other in self.seats
            if other != seat
            for item in self.held[other]
        }
        if not moves:
            return
        if self.bear_claw == "may":
            moves["stop bear_claw"] = (seat, "")
        owner, item = yield from self._ask_one(seat, moves)
        if item != "":
            self._lose(owner, item)
            self._receive(seat, kind_of(item))

    def _day_old(self, seat: int) -> Script[None]:
        """May take up to three cards of the discard pile, one after the other ("Rulings")."""
        for taken in range(3):
            if not self.discard:
                return
            moves = {f"take day_old: {kind}": kind for kind in self.discard}
            moves["stop day_old"] = ""
            self.stage = (*self.stage[:4], taken)
            kind = yield from self._ask_one(seat, moves)
            if kind == "":
                return
            self._take_from_discard(seat, kind)

    def _cinnamon_twist(self) -> Script[None]:
        """Every player with cards passes one own card to the next player, all at once ("Details")."""
        passed = yield from self._ask(
            {
                seat: {f"pass cinnamon_twist: {item}": item for item in self.held[seat]}
                for seat in self.seats
                if self.held[seat]
            }
        )
        for seat, item in passed.items():
            self._lose(seat, item)
        for seat, item in passed.items():
            self._add((seat + 1) % self.players, kind_of(item))
        # "Rulings": a Coffee that moved counts the receiver's cards after all have moved.
        for seat in self.seats:
            self._freeze_coffee(seat)

    def _milk(self, seat: int) -> Script[None]:
        """Discard three other own cards, or the Milk; with fewer than three others the Milk."""
        if self._number_of_cards(seat) - 1 < 3:
            self._lose(seat, "milk")
            self.discard.append("milk")
            return
        for discarded in range(3):
            moves = {f"discard milk: {item}": item for item in self._other_items(seat, "milk")}
            if discarded == 0:
                moves["stop milk"] = ""
            self.stage = (*self.stage[:4], discarded)
            item = yield from self._ask_one(seat, moves)
            if item == "":
                self._lose(seat, "milk")
                self.discard.append("milk")
                return
            self._lose(seat, item)
            self.discard.append(kind_of(item))

    def _strawberry_glazed(self, seat: int) -> Script[None]:
        """Discard one card of another player; nothing if nobody else has one."""
        moves = {
            f"discard strawberry_glazed from {other}: {item}": (other, item)
            for other in self.seats
            if other != seat
            for item in self.held[other]
        }
        if not moves:
            return
        owner, item = yield from self._ask_one(seat, moves)
        self._lose(owner, item)
        self.discard.append(kind_of(item))

    def _raspberry_frosted(self, seat: int) -> Script[None]:
        """Discard one other own card; itself if it is the only card held ("Rulings")."""
        others = self._other_items(seat, "raspberry_frosted")
        if not others:
            self._lose(seat, "raspberry_frosted")
            self.discard.append("raspberry_frosted")
            return
        item = yield from self._ask_one(seat, {f"discard raspberry_frosted: {item}": item for item in others})
        self._lose(seat, item)
        self.discard.append(kind_of(item))

    # ---- moving cards ----------------------------------------------------------------------------------------------

    def _draw(self) -> Script[DeckCard]:
        """Take the top card off the deck; one that was put back is known and needs no chance ("Rulings")."""
        if self.on_top:
            return self.on_top.pop()
        if self.unseen:
            kind = yield from self._reveal()
            return DeckCard(kind)
        return self.at_bottom.pop(0)

    def _take_from_discard(self, seat: int, kind: str) -> None:
        """ "Rulings": from the discard pile the topmost copy of the named kind is taken."""
        for index in reversed(range(len(self.discard))):
            if self.discard[index] == kind:
                del self.discard[index]
                break
        self._receive(seat, kind)

    def _receive(self, seat: int, kind: str) -> None:
        """A card comes to an owner, by whatever route; a Coffee is frozen ("Details")."""
        self._add(seat, kind)
        self._freeze_coffee(seat)

    def _add(self, seat: int, item: str, number: int = 1) -> None:
        """Lay cards into a collection."""
        self.held[seat][item] = self.held[seat].get(item, 0) + number

    def _lose(self, seat: int, item: str) -> None:
        """Take one card out of a collection."""
        self.held[seat][item] -= 1
        if self.held[seat][item] == 0:
            del self.held[seat][item]

    def _freeze_coffee(self, seat: int) -> None:
        """ "Details": fix the value of every Coffee that just came, from the negative cards held at this moment."""
        if self.coffee == "frozen" and "coffee" in self.held[seat]:
            value = self._coffee_value(seat)
            number = self.held[seat].pop("coffee")
            self._add(seat, f"coffee{value:+d}", number)

    # ---- looking at collections ------------------------------------------------------------------------------------

    def _other_items(self, seat: int, kind: str) -> list[str]:
        """The items held besides one copy of this kind (an older copy is another card)."""
        return [item for item, count in self.held[seat].items() if item != kind or count >= 2]

    def _number_of_cards(self, seat: int) -> int:
        """Cards held in all."""
        return sum(self.held[seat].values())

    def _count(self, seat: int, kind: str) -> int:
        """Cards of one kind held; Coffees count whatever their value."""
        return sum(count for item, count in self.held[seat].items() if kind_of(item) == kind)

    def _number_of_types(self, seat: int) -> int:
        """ "Cards": types are the distinct ids held, everything counts."""
        return len({kind_of(item) for item in self.held[seat]})

    def _number_of_negatives(self, seat: int) -> int:
        """Negative cards held ("Cards", "Rulings")."""
        return sum(count for item, count in self.held[seat].items() if self.cards[kind_of(item)].is_negative())

    def _coffee_value(self, seat: int) -> int:
        """ "Cards": a Coffee's points for each negative card held now."""
        points = self.cards["coffee"].points
        assert isinstance(points, int)
        return points * self._number_of_negatives(seat)

    # ---- "Cards": points at the end --------------------------------------------------------------------------------

    def _score(self, seat: int) -> int:
        """The points of one player for what is held now ("Rulings": but for frozen Coffees)."""
        total = 0
        for kind in self.cards:
            if kind == "coffee":
                total += self._score_of_coffees(seat)
            elif self._condition_holds(seat, kind):
                total += self.cards[kind].points_for(self._count(seat, kind))
        return total + self._plain_bonus(seat)

    def _score_of_coffees(self, seat: int) -> int:
        """Frozen Coffees carry their value, others count the negative cards now ("Options": coffee)."""
        total = 0
        for item, count in self.held[seat].items():
            if item == "coffee":
                total += count * self._coffee_value(seat)
            elif kind_of(item) == "coffee":
                total += count * int(item.removeprefix("coffee"))
        return total

    def _condition_holds(self, seat: int, kind: str) -> bool:
        """Whether the conditional kinds maple_bar, old_fashioned, maple_frosted, mucho_matcha score."""
        card = self.cards[kind]
        if card.at_least_types is not None and self._number_of_types(seat) < card.at_least_types:
            return False
        if card.at_most_types is not None and self._number_of_types(seat) > card.at_most_types:
            return False
        if card.at_most_cards is not None and self._number_of_cards(seat) > card.at_most_cards:
            return False
        if kind == "maple_frosted":
            return self._number_of_cards(seat) == min(self._number_of_cards(other) for other in self.seats)
        return True

    def _plain_bonus(self, seat: int) -> int:
        """The sole holder of most Plain +3; tied for most, with at least one: +1 each player."""
        card = self.cards["plain"]
        assert card.most is not None
        assert card.tied is not None
        counts = [self._count(other, "plain") for other in self.seats]
        if counts[seat] == 0 or counts[seat] < max(counts):
            return 0
        return card.most if counts.count(max(counts)) == 1 else card.tied
