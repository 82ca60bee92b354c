"""Territory, the slow and obvious way: a twin of the engine, to be read beside the rules page.

Numbers in the docstrings, as in "13", are paragraphs of docs/games/territory.md. The ruleset comes as the plain data of
its file; this module reads it by itself.

The course of a game is one generator, ``Territory._game``, which reads from top to bottom like the rules. Whenever
something must be revealed (``_chance``) or players must choose (``_ask``) it pauses; ``settle`` and ``apply`` let it go
on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations, pairwise, permutations
from typing import Any

from tests.reference.course import Course, Script

COLUMNS, ROWS = "abc", "123"
CELLS = [column + row for row in ROWS for column in COLUMNS]  # a1, b1, c1, a2, …
# The lines from small to large: 13.
LINES = [[column + row for column in COLUMNS] for row in ROWS] + [[column + row for row in ROWS] for column in COLUMNS]
DIAGONALS = [["a1", "b2", "c3"], ["a3", "b2", "c1"]]
PLACES = {"corners": ["a1", "c1", "a3", "c3"], "edges": ["b1", "a2", "c2", "b3"], "centre": ["b2"]}


def beside(one: str, other: str) -> bool:
    """Whether two cells share a side."""
    across = abs(ord(one[0]) - ord(other[0]))
    along = abs(int(one[1]) - int(other[1]))
    return across + along == 1


def joined(start: str, among: set[str]) -> set[str]:
    """The cells among these that are joined to one of them, itself included."""
    found = {start}
    while True:
        more = {cell for cell in among if any(beside(cell, other) for other in found)} - found
        if not more:
            return found
        found |= more


class Land:
    """One player's nine cells, and the markers on them."""

    def __init__(self, animals: Mapping[str, Mapping[str, Any]]) -> None:
        self.animals = animals
        self.card: dict[str, str] = {}  # by cell
        self.face_down: set[str] = set()  # cells whose card lies so
        self.boss: dict[str, str] = {}  # by marker, land or water: its cell
        self.starred: set[str] = set()  # markers with the ★ side up

    def copy(self) -> Land:
        """Another land with the same cards."""
        other = Land(self.animals)
        other.card, other.face_down = dict(self.card), set(self.face_down)
        other.boss, other.starred = dict(self.boss), set(self.starred)
        return other

    def empty(self) -> list[str]:
        """The empty cells."""
        return [cell for cell in CELLS if cell not in self.card]

    def up(self, cell: str) -> Mapping[str, Any] | None:
        """The animal that lies face up there."""
        if cell not in self.card or cell in self.face_down:
            return None
        return self.animals[self.card[cell]]

    def ascends(self) -> bool:
        """13: the numbers of all face-up cards ascend in every line."""
        for line in LINES:
            numbers = [animal["number"] for cell in line if (animal := self.up(cell))]
            if any(first >= second for first, second in pairwise(numbers)):
                return False
        return True

    def with_card(self, card: str, cell: str, *, face_down: bool) -> Land:
        """This land and one card more."""
        other = self.copy()
        other.card[cell] = card
        if face_down:
            other.face_down.add(cell)
        return other

    def moved(self, start: str, end: str) -> Land:
        """10: a card moved, or two exchanged; a face-down card stays so, a marker goes with its card."""
        other = self.copy()
        to = {start: end, end: start}
        other.card = {to.get(cell, cell): card for cell, card in self.card.items()}
        other.face_down = {to.get(cell, cell) for cell in self.face_down}
        other.boss = {marker: to.get(cell, cell) for marker, cell in self.boss.items()}
        return other

    def of_terrain(self, terrain: str) -> set[str]:
        """The cells with animals of this terrain or of both."""
        return {cell for cell in CELLS if (animal := self.up(cell)) and animal["terrain"] in (terrain, "both")}

    def territory(self, marker: str) -> set[str]:
        """18: the cells joined to the boss through its terrain; never the other boss's."""
        if marker not in self.boss:
            return set()
        others = {cell for other, cell in self.boss.items() if other != marker}
        return joined(self.boss[marker], self.of_terrain(marker) - others)

    def boss_points(self, marker: str, *, territory_points: bool) -> int:
        """19, 27: what a boss scores."""
        if marker not in self.boss:
            return 0
        animal = self.up(self.boss[marker])
        assert animal is not None, "a face-down card is no boss"
        demand: int = animal["stars"] + (marker in self.starred)
        size = len(self.territory(marker))
        if size < demand:
            return 0
        return demand + size if territory_points else demand


# --------------------------------------------------------------------------------------------------------------------
# What goals need
# --------------------------------------------------------------------------------------------------------------------

Fits = Callable[[Land, str], bool]  # whether a cell is meant
Holds = Callable[[Land], bool]
Amount = Callable[[int], bool]


def animal_that(is_so: Callable[[Mapping[str, Any]], bool]) -> Fits:
    """Cells where an animal lies face up of which this is true."""

    def fits(land: Land, cell: str) -> bool:
        animal = land.up(cell)
        return animal is not None and is_so(animal)

    return fits


def boss_at(*markers: str) -> Fits:
    """Cells with one of these markers."""
    return lambda land, cell: cell in [land.boss.get(marker) for marker in markers]


def beside_boss(*markers: str) -> Fits:
    """Cells that share a side with one that has one of these markers."""
    return lambda land, cell: any(marker in land.boss and beside(cell, land.boss[marker]) for marker in markers)


# Words that say something of a cell by themselves; the longest that comes next is meant.
WORDS: dict[str, Fits] = {
    "any": animal_that(lambda animal: True),
    "face up": animal_that(lambda animal: True),
    "land": animal_that(lambda animal: animal["terrain"] in ("land", "both")),
    "water": animal_that(lambda animal: animal["terrain"] in ("water", "both")),
    "both": animal_that(lambda animal: animal["terrain"] == "both"),
    "only land": animal_that(lambda animal: animal["terrain"] == "land"),
    "only water": animal_that(lambda animal: animal["terrain"] == "water"),
    "even": animal_that(lambda animal: animal["number"] % 2 == 0),
    "odd": animal_that(lambda animal: animal["number"] % 2 == 1),
    "face down": lambda land, cell: cell in land.face_down,
    "empty": lambda land, cell: cell not in land.card,
    "land boss": boss_at("land"),
    "water boss": boss_at("water"),
    "boss": boss_at("land", "water"),
    "beside land boss": beside_boss("land"),
    "beside water boss": beside_boss("water"),
    "beside boss": beside_boss("land", "water"),
    "in land territory": lambda land, cell: cell in land.territory("land"),
    "in water territory": lambda land, cell: cell in land.territory("water"),
}


class Needs:
    """Reads what a goal needs, a word after the other, into a function of a land ("Ruleset files")."""

    def __init__(self, text: str) -> None:
        self.words = text.lower().replace("(", " ( ").replace(")", " ) ").split()
        self.holds = self.any_of()
        assert not self.words, self.words

    def take(self, words: str) -> bool:
        """Whether these words come next; then they are read."""
        wanted = words.split()
        if self.words[: len(wanted)] == wanted:
            del self.words[: len(wanted)]
            return True
        return False

    def number(self) -> int:
        """The next word, a number."""
        return int(self.words.pop(0))

    def any_of(self) -> Holds:
        """Parts joined by "or"."""
        parts = [self.all_of()]
        while self.take("or"):
            parts.append(self.all_of())
        return lambda land: any(part(land) for part in parts)

    def all_of(self) -> Holds:
        """Parts joined by "and", which binds tighter."""
        parts = [self.part()]
        while self.take("and"):
            parts.append(self.part())
        return lambda land: all(part(land) for part in parts)

    def part(self) -> Holds:
        """A test, or something in parentheses."""
        if self.take("("):
            inside = self.any_of()
            assert self.take(")")
            return inside
        if self.take("sum"):
            return self.total("number", self.cells() if self.take("of") else WORDS["any"])
        if self.take("stars of"):
            return self.total("stars", self.cells())
        if self.take("group of"):
            return self.group()
        if self.take("run of"):
            return self.run()
        if self.words[1:2] in (["group"], ["run"]):
            assert self.take("no")
            inside = self.part()
            return lambda land: not inside(land)
        amount = self.amount()
        if self.take("line of") or self.take("lines of"):
            return self.lines(amount, LINES)
        if self.take("diagonal of") or self.take("diagonals of"):
            return self.lines(amount, DIAGONALS)
        fits = self.cells()
        return lambda land: amount(len(meant(land, fits)))

    def amount(self) -> Amount:
        """How many; where nothing is said, at least one."""
        if self.take("at least"):
            least = self.number()
            return lambda n: n >= least
        if self.take("at most"):
            most = self.number()
            return lambda n: n <= most
        if self.take("exactly"):
            exact = self.number()
            return lambda n: n == exact
        if self.take("no"):
            return lambda n: n == 0
        if self.words[0].isdigit():
            several = self.number()
            return lambda n: n >= several
        return lambda n: n >= 1

    def lines(self, amount: Amount, lines: list[list[str]]) -> Holds:
        """So many lines whose three cells are all meant."""
        fits = self.cells()
        return lambda land: amount(sum(all(fits(land, cell) for cell in line) for line in lines))

    def group(self) -> Holds:
        """So many cells that are joined."""
        n, fits = self.number(), self.cells()
        return lambda land: any(len(joined(cell, meant(land, fits))) >= n for cell in meant(land, fits))

    def run(self) -> Holds:
        """So many numbers that follow each other."""
        n = self.number()
        fits = WORDS["any"] if not self.words or self.words[0] in ("and", "or", ")") else self.cells()

        def holds(land: Land) -> bool:
            numbers = {said_at(land, cell, "number") for cell in meant(land, fits)}
            return any(numbers.issuperset(range(first, first + n)) for first in numbers)

        return holds

    def total(self, what: str, fits: Fits) -> Holds:
        """The sum of the numbers or stars."""
        amount = self.amount()
        return lambda land: amount(sum(said_at(land, cell, what) for cell in meant(land, fits)))

    def cells(self) -> Fits:
        """Words that must all be true of a cell."""
        words: list[str] = []
        parts: list[Fits] = []
        while self.words and self.words[0] not in ("and", "or", ")", "at", "exactly", "no"):
            word, fits = self.cell_word()
            words.append(word)
            parts.append(fits)
        assert parts
        if "face down" not in words and "empty" not in words:
            parts.append(WORDS["any"])  # 14: for a goal a face-down card counts only as "face down"
        return lambda land, cell: all(fits(land, cell) for fits in parts)

    def cell_word(self) -> tuple[str, Fits]:
        """One word, or a few that belong together."""
        for words in sorted(WORDS, key=len, reverse=True):
            if self.take(words):
                return words, WORDS[words]
        if self.words[0] in ("number", "stars"):
            what = self.words.pop(0)
            low = self.number()
            high = self.number() if self.take("to") else low
            return what, animal_that(lambda animal: low <= animal[what] <= high)
        if self.words[0] in ("in", "on"):
            del self.words[0]
        place = self.words.pop(0)
        if place in ("row", "column"):
            name = self.words.pop(0)
            return place, lambda land, cell: name in cell
        return place, lambda land, cell: cell in PLACES[place]


def meant(land: Land, fits: Fits) -> set[str]:
    """The cells that are meant."""
    return {cell for cell in CELLS if fits(land, cell)}


def said_at(land: Land, cell: str, what: str) -> int:
    """The number or the stars of the animal that lies face up there."""
    animal = land.up(cell)
    assert animal is not None
    said: int = animal[what]
    return said


# --------------------------------------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------------------------------------


class Territory(Course):
    """One game, move by move. Seats count from 0."""

    def __init__(
        self,
        players: int,
        ruleset: Mapping[str, Any],
        *,
        territory_points: str = "off",
        face_down: str = "forced",
        bonus: str = "must",
    ) -> None:
        if players not in (1, 2, 3, 4):
            raise ValueError("1 to 4 players")
        if territory_points not in ("off", "on") or face_down not in ("forced", "free") or bonus not in ("must", "may"):
            raise ValueError("unknown option")
        self.players, self.seats = players, range(players)
        self.territory_points, self.face_down, self.bonus = territory_points == "on", face_down, bonus
        self.rounds: int = ruleset["rounds"]
        self.dealt, self.kept, self.row_size = ruleset["hand"], ruleset["keep"], ruleset["row"]
        self.largest: list[int] = ruleset["largest"]
        self.animals: dict[str, dict[str, Any]] = ruleset["animals"]
        self.order = sorted(self.animals, key=self._number)  # equal numbers: as in the file
        self.goals: dict[str, list[dict[str, Any]]] = {
            name: [goal["front"], goal["back"]] for name, goal in ruleset["goals"].items()
        }
        self.skills: dict[str, dict[str, Any]] = ruleset["skills"]
        self.needs = {side["name"]: Needs(side["needs"]) for goal in self.goals.values() for side in goal}

        # What lies on the table.
        self.deck: set[str] = set(self.animals)  # in an order that nobody knows
        self.discard: set[str] = set()
        self.row: list[str] = []
        self.up: dict[str, dict[str, Any]] = {}  # by goal: the side that is up
        self.bonus_cards: list[str] = [*self.goals, *self.skills]  # those that lie open
        self.hand: list[list[str]] = [[] for _ in self.seats]
        self.land = [Land(self.animals) for _ in self.seats]
        self.taken: list[list[str]] = [[] for _ in self.seats]  # bonus cards
        self.used: list[dict[str, int]] = [{} for _ in self.seats]  # skills: how often, in the whole game
        self.early: set[int] = set()  # seats that draft first in the next round
        # Who knows each card in a hand or given back, seats.
        self.known: dict[str, set[int]] = {}
        self.given_back: list[list[str]] = [[] for _ in self.seats]

        # Where the game stands.
        self.round = 0
        self.played: dict[int, str] = {}
        self.fresh: dict[int, list[str]] = {}  # cards taken in this round's draft
        self.placed: dict[int, tuple[str, str, bool]] = {}  # card, cell, whether face down

        super().__init__()

    # ---- the outside -----------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """23: the points of what lies there now."""
        return [self._score(seat) for seat in self.seats]

    def winners(self) -> list[int]:
        """22: most points; tied: the larger smaller boss number; still tied: shared."""
        scores = self.scores()
        results = [(scores[seat], self._smaller_boss(seat)) for seat in self.seats]
        return [seat for seat in self.seats if results[seat] == max(results)]

    def view(self, player: int) -> object:
        """Everything the player knows, hashable: 25, 26."""
        hands = tuple(
            tuple(sorted(card if player in self.known[card] else "?" for card in self.hand[seat]))
            for seat in self.seats
        )
        lands = tuple(
            (tuple(sorted(land.card.items())), frozenset(land.face_down), tuple(sorted(land.boss.items())),
             frozenset(land.starred))
            for land in self.land
        )  # fmt: skip
        return (
            player,
            self.ended,
            self.stage,
            tuple(sorted(self.options)),
            tuple(sorted(self.actors())),
            self.chosen.get(player),
            len(self.deck),
            frozenset(self.discard),
            tuple(sorted(self.row)),
            tuple((goal, side["name"]) for goal, side in self.up.items()),
            tuple(self.bonus_cards),
            hands,
            lands,
            tuple(map(tuple, self.taken)),
            tuple(tuple(sorted(used.items())) for used in self.used),
            frozenset(self.early),
            tuple(self.given_back[player]),
            tuple(sorted(self.played.items())),
        )

    # ---- the course of the game ------------------------------------------------------------------------------------

    def _game(self) -> Script[None]:
        """5 to 17."""
        yield from self._set_up()
        while self.round < self.rounds and any(self.hand):
            self.round += 1
            yield from self._play()
            yield from self._draft()
            yield from self._place()
            yield from self._bosses()

    def _set_up(self) -> Script[None]:
        """5 to 7, 30."""
        for name, goal in self.goals.items():
            self.stage = ("goals", name)
            outcome = yield from self._chance({f"side {side['name']}": 1 for side in goal})
            self.up[name] = next(side for side in goal if outcome == f"side {side['name']}")
        for seat in self.seats:
            for _ in range(self.dealt):
                self.stage = ("deal", seat)
                card = yield from self._draw()
                self._into_hand(seat, card, {seat})
        back = self.dealt - self.kept
        for turn in range(back):
            self.stage = ("return", turn)
            returned = yield from self._ask({seat: self._returns(seat, back - turn - 1) for seat in self.seats})
            for seat, card in returned.items():
                self.hand[seat].remove(card)
                self.given_back[seat].append(card)
        for cards in self.given_back:
            self.deck.update(cards)
        yield from self._fill_row(self.row_size)

    def _returns(self, seat: int, more: int) -> dict[str, str]:
        """30: what may be given back next, the lowest first, where so many more are still to come."""
        given = self.given_back[seat]
        later = [
            card
            for card in self.order
            if card in self.hand[seat] and (not given or self.order.index(card) > self.order.index(given[-1]))
        ]
        return {f"return {card}": card for card in later[: len(later) - more]}

    def _play(self) -> Script[None]:
        """8, 31."""
        self.stage = ("play", self.round)
        self.played = yield from self._ask(
            {seat: {f"play {card}": card for card in self.hand[seat]} for seat in self.seats if self.hand[seat]}
        )
        for seat, card in self.played.items():
            self.hand[seat].remove(card)
            self.known[card].update(self.seats)

    def _draft(self) -> Script[None]:
        """9 to 12, 32, 33."""
        early, self.early = self.early, set()
        order = sorted(self.played, key=lambda seat: (seat not in early, self._number(self.played[seat]), seat))
        self.fresh = {seat: [] for seat in self.seats}
        for seat in order:
            yield from self._draft_turn(seat)
        if self.round < self.rounds:
            self.discard.update(self.row)
            self.row = []
            yield from self._fill_row(self.row_size)

    def _draft_turn(self, seat: int) -> Script[None]:
        """9, 10: one player's turn in the draft."""
        used_now: set[str] = set()
        cards = 1
        while len(self.fresh[seat]) < cards:
            self.stage = ("draft", self.round, seat, cards, *sorted(used_now))
            moves: dict[str, tuple[str, str]] = {f"take {card}": ("take", card) for card in self.row}
            if self.deck or self.discard:
                moves["take deck"] = ("deck", "")
            if not moves:
                return
            if not self.fresh[seat]:
                for name in self.taken[seat]:
                    if name in self.skills and name not in used_now and self._can_use(seat, name, cards):
                        moves[f"use {name}"] = ("use", name)
            what, name = yield from self._ask_one(seat, moves)
            if what == "take":
                self.row.remove(name)
                self._into_hand(seat, name, set(self.seats))
                self.fresh[seat].append(name)
            elif what == "deck":
                card = yield from self._draw()
                self._into_hand(seat, card, {seat})
                self.fresh[seat].append(card)
            else:
                used_now.add(name)
                self.used[seat][name] = self.used[seat].get(name, 0) + 1
                if self.skills[name]["effect"] == "draft twice":
                    cards += 1
                else:
                    yield from self._effect(seat, self.skills[name]["effect"])

    def _can_use(self, seat: int, skill: str, cards: int) -> bool:
        """10: whether a skill may be used once more, and does anything."""
        uses, effect = self.skills[skill]["uses"], self.skills[skill]["effect"]
        if uses and self.used[seat].get(skill, 0) >= uses:
            return False
        if effect == "draft twice":
            return cards == 1 and len(self.row) + len(self.deck) + len(self.discard) >= 2
        if effect == "redraw row":
            return bool(self.row)
        if effect == "draft first":
            return self.players > 1 and self.round < self.rounds and seat not in self.early
        return bool(self._moves(seat, effect))

    def _moves(self, seat: int, effect: str) -> dict[str, Land]:
        """10: every move or swap of own cards after which the numbers ascend."""
        land = self.land[seat]
        if effect == "move":
            pairs = [(start, end) for start in CELLS if start in land.card for end in land.empty()]
        else:
            occupied = [cell for cell in CELLS if cell in land.card]
            pairs = [
                (one, other)
                for one, other in combinations(occupied, 2)
                if not (one in land.face_down and other in land.face_down)
            ]
        found = {f"{effect} {one} {other}": land.moved(one, other) for one, other in pairs}
        return {move: after for move, after in found.items() if after.ascends()}

    def _effect(self, seat: int, effect: str) -> Script[None]:
        """10: what a skill does, but for drafting twice."""
        if effect == "draft first":
            self.early.add(seat)
        elif effect == "redraw row":
            size = len(self.row)
            self.discard.update(self.row)
            self.row = []
            yield from self._fill_row(size)
        else:
            self.stage = ("skill", self.round, seat, effect)
            self.land[seat] = yield from self._ask_one(seat, self._moves(seat, effect))

    def _place(self) -> Script[None]:
        """13 to 15, 34."""
        if self.round == self.rounds:
            self.stage = ("choose", self.round)
            chosen = yield from self._ask(
                {
                    seat: {f"choose {card}": card for card in (card, *self.fresh[seat])}
                    for seat, card in self.played.items()
                    if self.fresh[seat]
                }
            )
            for seat, card in chosen.items():
                self.hand[seat].append(self.played[seat])
                self.hand[seat].remove(card)
                self.known[card].update(self.seats)
                self.played[seat] = card
        self.stage = ("place", self.round)
        placed = yield from self._ask({seat: self._cells(seat, card) for seat, card in self.played.items()})
        self.placed = {seat: (self.played[seat], cell, face_down) for seat, (cell, face_down) in placed.items()}
        for seat, (card, cell, face_down) in self.placed.items():
            self.land[seat] = self.land[seat].with_card(card, cell, face_down=face_down)
            del self.known[card]

    def _cells(self, seat: int, card: str) -> dict[str, tuple[str, bool]]:
        """13, 28: where a card may be placed, and whether face down."""
        land = self.land[seat]
        up = [cell for cell in land.empty() if land.with_card(card, cell, face_down=False).ascends()]
        moves = {f"place {cell}": (cell, False) for cell in up}
        if not up or self.face_down == "free":
            moves.update({f"place {cell} face down": (cell, True) for cell in land.empty()})
        return moves

    def _bosses(self) -> Script[None]:
        """16, 17, 35, 36."""
        self.stage = ("bosses", self.round)
        options: dict[int, dict[str, tuple[str, bool]]] = {}
        for seat, (card, _, face_down) in self.placed.items():
            terrain = self.animals[card]["terrain"]
            free = [
                marker
                for marker in ("land", "water")
                if terrain in (marker, "both") and marker not in self.land[seat].boss and not face_down
            ]
            if free:
                options[seat] = {"no boss": ("", False)}
                for marker in free:
                    options[seat][f"{marker} boss"] = (marker, False)
                    options[seat][f"{marker} boss star"] = (marker, True)
        made = yield from self._ask(options)
        new = [seat for seat, (marker, _) in made.items() if marker]
        for seat in new:
            marker, starred = made[seat]
            self.land[seat].boss[marker] = self.placed[seat][1]
            if starred:
                self.land[seat].starred.add(marker)
        for seat in sorted(new, key=lambda seat: (self._number(self.placed[seat][0]), seat)):
            self.stage = ("bonus", self.round, seat)
            yield from self._take_bonus(seat)

    def _take_bonus(self, seat: int) -> Script[None]:
        """17, 29: one of the open bonus cards."""
        moves = {f"bonus {name}": name for name in self.bonus_cards}
        if not moves:
            return
        if self.bonus == "may":
            moves["no bonus"] = ""
        name = yield from self._ask_one(seat, moves)
        if name:
            self.bonus_cards.remove(name)
            self.taken[seat].append(name)

    # ---- cards -----------------------------------------------------------------------------------------------------

    def _number(self, card: str) -> int:
        number: int = self.animals[card]["number"]
        return number

    def _draw(self) -> Script[str]:
        """The top card of the deck; 12: the discard pile becomes the deck when there is none."""
        if not self.deck:
            self.deck, self.discard = self.discard, set()
        outcome = yield from self._chance({f"deal {card}": 1 for card in self.animals if card in self.deck})
        card = outcome.removeprefix("deal ")
        self.deck.remove(card)
        for cards in self.given_back:
            if card in cards:
                cards.remove(card)
        return card

    def _fill_row(self, size: int) -> Script[None]:
        """7, 11, 12: turn up cards until the row has this size."""
        while len(self.row) < size and (self.deck or self.discard):
            self.stage = ("fill", self.round, len(self.row))
            card = yield from self._draw()
            self.row.append(card)

    def _into_hand(self, seat: int, card: str, knowing: set[int]) -> None:
        """25: a card comes into a hand, and some players know it there."""
        self.hand[seat].append(card)
        self.known[card] = set(knowing)

    # ---- the score -------------------------------------------------------------------------------------------------

    def _score(self, seat: int) -> int:
        """19 to 21."""
        land = self.land[seat]
        total = sum(land.boss_points(marker, territory_points=self.territory_points) for marker in ("land", "water"))
        for name in self.taken[seat]:
            if name in self.skills:
                total += self.skills[name]["points"]
            elif self.needs[self.up[name]["name"]].holds(land):
                total += self.up[name]["points"]
        return total + self._largest(seat)

    def _largest(self, seat: int) -> int:
        """21, 24: for the largest territory."""
        sizes = [max(len(land.territory(marker)) for marker in ("land", "water")) for land in self.land]
        if self.players == 1 or sizes[seat] == 0 or sizes[seat] < max(sizes):
            return 0
        return self.largest[sizes.count(max(sizes)) - 1]

    def _smaller_boss(self, seat: int) -> int:
        """22: the lower of the numbers of the two bosses, 0 if one is missing."""
        land = self.land[seat]
        if len(land.boss) < 2:
            return 0
        return min(self._number(land.card[cell]) for cell in land.boss.values())


def full_grids(numbers: list[int]) -> int:
    """How many ways nine numbers fill a land face up: by brute force, for the counts of the tests."""
    found = 0
    for order in permutations(numbers):
        land = Land({str(n): {"number": n, "terrain": "land", "stars": 1} for n in numbers})
        land.card = dict(zip(CELLS, map(str, order), strict=True))
        found += land.ascends()
    return found
