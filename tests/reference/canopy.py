"""Canopy, the slow and obvious way: a twin of the engine, to be read beside the rules page.

Numbers in the docstrings, as in "13", are paragraphs of docs/games/canopy.md. The ruleset comes as the plain data of
its file; this module reads it by itself.

The course of a game is one generator, ``Canopy._game``, which reads from top to bottom like the rules. Whenever
something must be revealed (``_chance``) or a player must choose (``_ask``) it pauses; ``settle`` and ``apply`` let it
go on. A card gets its kind when somebody first looks at it: until then it is one of all that nobody has seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tests.reference.course import Course, Script

TRUNKS = ("trunk_0", "trunk_1", "trunk_2")
CANOPIES = ("canopy_0", "canopy_1", "canopy_2")
PLANTS = ("philodendron", "bromelia", "fern")
ANIMALS = ("emerald_boa", "kinkajou", "leafcutter_ant", "poison_frog", "sloth", "toucan")
MATES = tuple(f"{animal}_mating" for animal in ANIMALS)
KINDS = (
    *TRUNKS, *CANOPIES, *PLANTS, "seed", "rain", "sun", "fire", "drought", "disease", *ANIMALS, *MATES,
)  # fmt: skip
SEATS = (0, 1)
BOTH = frozenset(SEATS)


def value(kind: str) -> int:
    """What is printed on a trunk or a canopy."""
    return int(kind[-1])


class Card:
    """27: a card that is not in the open: its kind, "" until somebody looks at it, and who has."""

    def __init__(self) -> None:
        self.kind = ""
        self.seen: set[int] = set()

    def as_known_to(self, player: int) -> tuple[str, tuple[int, ...]]:
        """The kind where the player has seen it, and who has."""
        return self.kind if player in self.seen else "?", tuple(sorted(self.seen))


# Piles, hand, a seed draw and the bottom of the seed deck: kinds, and who has seen each card.
World = tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]


def as_world(cards: list[Card]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Cards among others, in no order."""
    return tuple(sorted((card.kind, tuple(sorted(card.seen))) for card in cards))


def take(cards: list[Card], kind: str) -> Card:
    """Take a card of this kind out of some; of equal ones, that which most have seen."""
    card = max((card for card in cards if card.kind == kind), key=lambda card: len(card.seen))
    cards.remove(card)
    return card


class Tree:
    """A tree: how many trunks of each value, and once completed its canopy, its season and whether it has won."""

    def __init__(self) -> None:
        self.trunks = [0, 0, 0]
        self.canopy = 0
        self.season = 0
        self.won = False

    def height(self) -> int:
        """10: all its trunks."""
        return sum(self.trunks)

    def points(self) -> int:
        """18: what the trunks print, and the multiplier for each of them."""
        return sum(printed * n for printed, n in enumerate(self.trunks)) + self.canopy * self.height()

    def order(self) -> tuple[int, ...]:
        """33: by this open trees are sorted."""
        return tuple(reversed(self.trunks))

    def face(self) -> tuple[tuple[int, ...], int, int, bool]:
        """Everything about it."""
        return tuple(self.trunks), self.canopy, self.season, self.won


class Forest:
    """What lies in front of one player."""

    def __init__(self) -> None:
        self.cards: Counter[str] = Counter()  # all but trees
        self.trees: list[Tree] = []  # not completed
        self.completed: list[Tree] = []  # in this order
        self.used: set[str] = set()  # animals, this season
        self.points = 0

    def choices(self) -> dict[str, Tree]:
        """33: the open trees by their numbers; equal ones are no choice."""
        self.trees.sort(key=Tree.order)
        found: dict[str, Tree] = {}
        for number, tree in enumerate(self.trees, 1):
            if all(tree.trunks != other.trunks for other in found.values()):
                found[f"tree {number}"] = tree
        return found

    def count(self, kinds: tuple[str, ...]) -> int:
        """How many cards of these kinds."""
        return sum(self.cards[kind] for kind in kinds)


class Canopy(Course):
    """One game, move by move. Seats count from 0."""

    def __init__(
        self,
        ruleset: Mapping[str, Any],
        *,
        drought_completed_trees: str = "immune",
        shifting: str = "off",
    ) -> None:
        if drought_completed_trees not in ("immune", "exposed") or shifting not in ("off", "on"):
            raise ValueError("unknown option")
        self.exposed, self.shifting = drought_completed_trees == "exposed", shifting == "on"
        self.seasons: int = ruleset["seasons"]
        self.base: dict[str, Any] = dict(ruleset["numbers"])
        self.shifts: dict[str, dict[str, Any]] = {
            name: shift["numbers"] for name, shift in ruleset.get("shift", {}).items()
        }
        self.numbers = self.base  # those of this season
        self.unseen = Counter(
            {kind: n for kind, n in ruleset["copies"].items() if n}
        )  # in no order: nobody has seen them
        self.unseen_seeds = Counter({kind: n for kind, n in ruleset["seeds"].items() if n})
        cards = self.unseen.total() - ruleset["removed"]
        if cards % self.seasons:
            raise ValueError("the deck does not split into equal seasons")
        self.season_deck: int = cards // self.seasons
        self.orders_seeds = self._seeds_may_return()

        # What lies on the table.
        self.deck = 0  # of this season
        self.piles: list[list[Card]] = [[], [], []]
        self.forests = [Forest(), Forest()]
        self.under_seeds: list[Card] = []  # the known bottom of the seed deck, from above
        self.discard: Counter[str] = Counter()
        self.shifts_left = list(self.shifts)
        self.shift = ""

        # Where the game stands.
        self.season = 0
        self.first = 0  # who began the season
        self.turn = 0
        self.in_turn = False  # not so at a season's end
        self.hand: list[Card] = []  # cards on their way into a forest
        self.drawn: list[Card] = []  # a seed draw: what is neither kept nor back

        super().__init__()

    # ---- the outside -----------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """26: the points scored so far."""
        return [forest.points for forest in self.forests]

    def winners(self) -> list[int]:
        """25: most points; tied: most wildlife; still tied: shared."""
        results = [(forest.points, forest.count((*ANIMALS, *MATES))) for forest in self.forests]
        return [seat for seat in SEATS if results[seat] == max(results)]

    def view(self, player: int) -> object:
        """27, 28: everything the player knows, hashable."""
        piles = tuple(tuple(sorted(card.as_known_to(player) for card in pile)) for pile in self.piles)
        forests = tuple(
            (
                tuple(sorted((+forest.cards).items())),
                tuple(sorted(tree.face() for tree in forest.trees)),
                tuple(tree.face() for tree in forest.completed),
                frozenset(forest.used),
                forest.points,
            )
            for forest in self.forests
        )
        return (
            player,
            self.ended,
            self.season,
            self.first,
            self.turn if self.in_turn else None,
            self.stage,
            tuple(self.options),
            self.shift,
            tuple(self.shifts_left),
            self.deck,
            piles,
            forests,
            tuple(sorted(card.as_known_to(player) for card in self.hand)),
            tuple(sorted(card.as_known_to(player) for card in self.drawn)),
            self.unseen_seeds.total(),
            tuple(card.as_known_to(player) for card in self.under_seeds),
            tuple(sorted((+self.discard).items())),
        )

    def hidden(self, player: int) -> list[Card]:
        """Cards that the other player alone has seen."""
        places = (*self.piles, self.hand, self.drawn, self.under_seeds)
        return [card for cards in places for card in cards if card.seen == {1 - player}]

    def world(self) -> World:
        """What lies where that anybody may have seen and another not."""
        under = tuple((card.kind, tuple(sorted(card.seen))) for card in self.under_seeds)
        return (*map(as_world, (*self.piles, self.hand, self.drawn)), under)

    def worlds(self, player: int) -> Counter[World]:
        """All worlds that fit what the player knows, and in how many ways each may have come about.

        Any cards that he has not seen may be those that the other one has, if they allow the question that is asked.
        """
        hidden = self.hidden(player)
        real = [card.kind for card in hidden]
        seeds = [card in (*self.drawn, *self.under_seeds) for card in hidden]
        decks = [self.unseen.copy(), self.unseen_seeds.copy()]
        for kind, is_seed in zip(real, seeds, strict=True):
            decks[is_seed][kind] += 1
        found: Counter[World] = Counter()

        def draw(number: int, ways: int) -> None:
            if number == len(hidden):
                if self._is_question():
                    found[self.world()] += ways
                return
            deck = decks[seeds[number]]
            for kind in [kind for kind, n in deck.items() if n]:
                hidden[number].kind = kind
                deck[kind] -= 1
                draw(number + 1, ways * (deck[kind] + 1))
                deck[kind] += 1

        draw(0, 1)
        for card, kind in zip(hidden, real, strict=True):
            card.kind = kind
        return found

    def _is_question(self) -> bool:
        """Whether what is asked now would be, with these cards on hand and in the seed draw."""
        if not self.options:
            return True
        if self.stage[0] == "enter":
            return len({card.kind for card in self.hand}) > 1
        if self.stage[0] == "under":
            return len({card.kind for card in self.drawn}) > 1
        return self.stage[0] != "keep" or bool(self._may_keep())

    # ---- asking ----------------------------------------------------------------------------------------------------

    def _ask_for(self, seat: int, moves: list[str]) -> Script[str]:
        """Pause for the choice of a player among these."""
        return (yield from self._ask_one(seat, {move: move for move in moves}))

    def _decide(
        self, seat: int, moves: Callable[[], list[str]], asked: Callable[[], bool] = lambda: False
    ) -> Script[str]:
        """34: a question of the own turn, where the ant may come between; one answer is taken without asking.

        What the ant discards may change the answers, so they are looked up again after it.
        """
        while len(moves()) > 1 or asked():
            ant = {f"leafcutter ant: {what}": what for what in self._ant(seat)}
            answer = yield from self._ask_for(seat, [*moves(), *ant])
            if answer not in ant:
                return answer
            self.forests[seat].used.add("leafcutter_ant")
            self._throw_away(seat, ant[answer])
        return next(iter(moves()), "")

    # ---- cards -----------------------------------------------------------------------------------------------------

    def _look(self, seat: int, card: Card, unseen: Counter[str], word: str) -> Script[None]:
        """27: a player sees a card; if he is the first one, chance says what it is."""
        if not card.kind:
            outcome = yield from self._chance({f"{word} {kind}": unseen[kind] for kind in KINDS if unseen[kind]})
            card.kind = outcome.removeprefix(f"{word} ")
            unseen[card.kind] -= 1
        card.seen.add(seat)

    def _look_at_pile(self, seat: int, place: int) -> Script[None]:
        """32: a player sees all cards of a pile."""
        for card in self.piles[place]:
            yield from self._look(seat, card, self.unseen, "deal")

    def _feed(self, place: int, cards: int = 1) -> None:
        """6, 8: the deck's top cards go on a pile unseen, while there are any."""
        for _ in range(min(cards, self.deck)):
            self.deck -= 1
            self.piles[place].append(Card())

    def _can_use(self, seat: int, animal: str) -> bool:
        """13: whether a player has an animal that he has not used this season."""
        forest = self.forests[seat]
        return forest.cards[animal] > 0 and animal not in forest.used

    def _ant(self, seat: int) -> list[str]:
        """13: what the leafcutter ant may discard now."""
        return self._own_cards(seat) if self.in_turn and self._can_use(seat, "leafcutter_ant") else []

    def _own_cards(self, seat: int) -> list[str]:
        """11, 29, 33: what a drought or the ant may discard, in words."""
        forest = self.forests[seat]
        found = [kind for kind in KINDS if forest.cards[kind]]
        for number, tree in forest.choices().items():
            found += [f"trunk {printed} of {number}" for printed in range(3) if tree.trunks[printed]]
        if self.exposed:
            faces = [tree.face() for tree in forest.completed]
            found += [
                f"completed tree {i + 1}"
                for i, tree in enumerate(forest.completed)
                if tree.season == self.season and faces.index(faces[i]) == i
            ]
        return found

    def _throw_away(self, seat: int, what: str) -> None:
        """11, 29: an own card is discarded, or a whole completed tree."""
        forest = self.forests[seat]
        if what in KINDS:
            forest.cards[what] -= 1
            self.discard[what] += 1
        elif what.startswith("completed"):
            self._fell(forest.completed.pop(int(what.split()[-1]) - 1))
        else:
            _, printed, _, number = what.split(maxsplit=3)
            tree = forest.choices()[number]
            tree.trunks[int(printed)] -= 1
            self.discard[f"trunk_{printed}"] += 1
            if not tree.height():  # 11: it has lost its only trunk
                forest.trees.remove(tree)

    def _fell(self, tree: Tree) -> None:
        """All cards of a completed tree are discarded."""
        self.discard += Counter(dict(zip(TRUNKS, tree.trunks, strict=True)))
        self.discard[f"canopy_{tree.canopy}"] += 1

    # ---- the course of the game ------------------------------------------------------------------------------------

    def _game(self) -> Script[None]:
        """3 to 26."""
        while self.season < self.seasons:
            self.season += 1
            yield from self._begin_season()
            self.in_turn = True
            while any(self.piles):
                yield from self._turn(self.turn)
                self.turn = 1 - self.turn
            self.in_turn = False
            yield from self._end_season()
            self.numbers = self.base  # 38
        self._score_game()

    def _begin_season(self) -> Script[None]:
        """3 to 5, 22, 38."""
        if self.shifting:
            self.stage = ("shift", self.season)
            outcome = yield from self._chance({f"season {name}": 1 for name in self.shifts_left})
            self.shift = outcome.removeprefix("season ")
            self.shifts_left.remove(self.shift)
            self.numbers = {**self.base, **self.shifts[self.shift]}
        self.deck = self.season_deck
        for place, size in enumerate(self.numbers["piles"]):
            self._feed(place, size)
        for forest in self.forests:
            forest.used = set()
        self.turn = self.first

    def _turn(self, seat: int) -> Script[None]:
        """6 to 9."""
        yield from self._before_looking(seat)
        for place in range(3):
            if not self.piles[place]:
                continue  # 8
            self.stage = ("pile", place)
            yield from self._look_at_pile(seat, place)
            moves = ["keep", "pass"] if self._may_pass(place) else ["keep"]
            answer = yield from self._decide(seat, lambda moves=moves: moves, lambda: True)  # type: ignore[misc]
            if answer == "keep":
                self.hand, self.piles[place] = self.piles[place], []
                yield from self._enter_hand(seat)
                self._feed(place)
                yield from self._end_turn(seat, passed_all=False)
                return
            yield from self._boa(seat, place)
            self._feed(place)
        yield from self._draw(seat)
        yield from self._end_turn(seat, passed_all=True)

    def _may_pass(self, place: int) -> bool:
        """8: passing the last pile needs a card to feed it and one to draw."""
        return self.deck >= 2 or any(self.piles[place + 1 :])

    def _before_looking(self, seat: int) -> Script[None]:
        """13, 14, 31: poison frog and toucan."""

        def moves() -> list[str]:
            found = ["look"]
            if self._can_use(seat, "poison_frog") and self.deck:
                found.append("poison frog")
            if self._can_use(seat, "toucan"):
                found += [
                    f"toucan {place + 1}"
                    for place in range(3)
                    if any(seat not in card.seen for card in self.piles[place])
                ]
            return found

        while True:
            self.stage = ("before looking",)
            answer = yield from self._decide(seat, moves)
            if answer == "look":
                return
            if answer == "poison frog":
                self.forests[seat].used.add("poison_frog")
                for place in range(3):
                    self._feed(place, self.numbers["frog"])
            else:
                self.forests[seat].used.add("toucan")
                place = int(answer.split()[-1]) - 1
                self.stage = ("toucan", place)
                yield from self._look_at_pile(seat, place)

    def _boa(self, seat: int, place: int) -> Script[None]:
        """13, 32: the emerald boa takes a card of a pile that is passed, before it is fed."""

        def moves() -> list[str]:
            if not self._can_use(seat, "emerald_boa"):
                return ["leave it"]
            return ["leave it", *(f"emerald boa {kind}" for kind in sorted({card.kind for card in self.piles[place]}))]

        self.stage = ("boa", place)
        answer = yield from self._decide(seat, moves)
        if answer != "leave it":
            self.forests[seat].used.add("emerald_boa")
            yield from self._enter(seat, take(self.piles[place], answer.removeprefix("emerald boa ")))

    def _draw(self, seat: int) -> Script[None]:
        """7: the deck's top card enters the forest."""
        self.deck -= 1
        card = Card()
        self.stage = ("draw",)
        yield from self._look(seat, card, self.unseen, "deal")
        yield from self._enter(seat, card)

    def _end_turn(self, seat: int, *, passed_all: bool) -> Script[None]:
        """35: the sloth, and the last occasion for the ant."""

        def moves() -> list[str]:
            sloth = passed_all and self.deck > 0 and self._can_use(seat, "sloth")
            return ["end turn", "sloth"] if sloth else ["end turn"]

        while True:
            self.stage = ("end of turn", passed_all)
            answer = yield from self._decide(seat, moves, lambda: bool(self._ant(seat)))
            if answer == "end turn":
                return
            self.forests[seat].used.add("sloth")
            yield from self._draw(seat)

    # ---- entering --------------------------------------------------------------------------------------------------

    def _enter_hand(self, seat: int) -> Script[None]:
        """6, 33: cards enter one by one, in the order the player names."""
        while self.hand:
            self.stage = ("enter",)
            kinds = sorted({card.kind for card in self.hand})
            answer = yield from self._decide(seat, lambda kinds=kinds: [f"enter {kind}" for kind in kinds])  # type: ignore[misc]
            yield from self._enter(seat, take(self.hand, answer.removeprefix("enter ")))

    def _enter(self, seat: int, card: Card) -> Script[None]:
        """10 to 12: a card, now seen by both, takes its place or has its effect."""
        card.seen |= BOTH
        forest, kind = self.forests[seat], card.kind
        self.stage = ("entering", kind)
        if kind in TRUNKS:
            answer = yield from self._decide(seat, lambda: ["new tree", *forest.choices()])
            if answer == "new tree":
                forest.trees.append(Tree())
                tree = forest.trees[-1]
            else:
                tree = forest.choices()[answer]
            tree.trunks[value(kind)] += 1
        elif kind in CANOPIES:
            answer = yield from self._decide(seat, lambda: list(forest.choices()))
            if not answer:
                self.discard[kind] += 1
                return
            tree = forest.choices()[answer]
            forest.trees.remove(tree)
            tree.canopy, tree.season = value(kind), self.season
            forest.completed.append(tree)
        elif kind == "drought":
            answer = yield from self._decide(seat, lambda: [f"discard {what}" for what in self._own_cards(seat)])
            if answer:
                self._throw_away(seat, answer.removeprefix("discard "))
            self.discard[kind] += 1
        else:
            forest.cards[kind] += 1

    # ---- the end of a season ---------------------------------------------------------------------------------------

    def _end_season(self) -> Script[None]:
        """15 to 22."""
        for seat in self._from_first():
            yield from self._seeds(seat)
        yield from self._threats()
        self._score_trees()
        winners = self._tallest()
        self._score_plants_and_weather()
        for forest in self.forests:
            for kind in KINDS:
                if kind not in (*ANIMALS, *MATES):
                    self.discard[kind] += forest.cards.pop(kind, 0)
        # 22: who did not win the tallest tree; both or none did: who did not begin the last season
        self.first = 1 - (winners[0] if len(winners) == 1 else self.first)

    def _from_first(self) -> tuple[int, int]:
        """The player who began the season, then the other."""
        return self.first, 1 - self.first

    def _seeds_may_return(self) -> bool:
        """36: whether the seed deck can run short, so that the order of what is put back counts.

        Each player draws once a season, for one seed card at least, and each fire burns in one season.
        """
        sets = [self.base, *({**self.base, **shift} for shift in self.shifts.values() if self.shifting)]
        cards = self.unseen + self.unseen_seeds
        most: int = min(cards["seed"], 2 * self.seasons) * max(numbers["seed_draw"] for numbers in sets)
        most += cards["fire"] * max(numbers["seed_per_fire"] for numbers in sets)
        return most > self.unseen_seeds.total()

    def _seeds(self, seat: int) -> Script[None]:
        """15: seeds bring cards of the seed deck."""
        forest, numbers = self.forests[seat], self.numbers
        seeds = forest.cards["seed"]
        if not seeds:
            return
        self.stage = ("seeds", seat)
        for _ in range(numbers["seed_draw"] + numbers["seed_per_fire"] * forest.cards["fire"]):
            if self.unseen_seeds.total():
                card = Card()
            elif self.under_seeds:
                card = self.under_seeds.pop(0)
            else:
                break
            yield from self._look(seat, card, self.unseen_seeds, "seed")
            self.drawn.append(card)
        most = numbers["seed_keep"] * seeds
        if forest.cards["kinkajou"]:
            most += numbers["kinkajou"]
        yield from self._keep_seeds(seat, most)
        yield from self._put_back_seeds(seat)
        self.discard["seed"] += forest.cards.pop("seed")
        yield from self._enter_hand(seat)

    def _keep_seeds(self, seat: int, most: int) -> Script[None]:
        """15, 36: up to so many cards of the draw, named in the order of their kinds, are kept and shown."""
        while len(self.hand) < most and self._may_keep():
            self.stage = ("keep", seat)
            answer = yield from self._ask_for(seat, [*(f"keep {kind}" for kind in self._may_keep()), "stop"])
            if answer == "stop":
                return
            self.hand.append(take(self.drawn, answer.removeprefix("keep ")))
            self.hand[-1].seen |= BOTH

    def _may_keep(self) -> list[str]:
        """The kinds of the seed draw that do not come before one that was kept."""
        lowest = KINDS.index(self.hand[-1].kind) if self.hand else 0
        return [kind for kind in KINDS[lowest:] if any(card.kind == kind for card in self.drawn)]

    def _put_back_seeds(self, seat: int) -> Script[None]:
        """15, 36: the rest goes under the seed deck, in an order that the drawer decides where it can matter."""
        while self.drawn:
            self.stage = ("under", seat)
            kinds = [kind for kind in KINDS if any(card.kind == kind for card in self.drawn)]
            kind = kinds[0]
            if self.orders_seeds and len(kinds) > 1:
                answer = yield from self._ask_for(seat, [f"under {kind}" for kind in kinds])
                kind = answer.removeprefix("under ")
            self.under_seeds.append(take(self.drawn, kind))

    def _threats(self) -> Script[None]:
        """16: fire and disease, counted before anybody loses anything."""
        losses = {threat: self._losses(threat) for threat in ("fire", "disease")}
        for threat, victims in (("fire", PLANTS), ("disease", (*ANIMALS, *MATES))):
            for seat in self._from_first():
                yield from self._lose(seat, victims, losses[threat][seat])

    def _losses(self, threat: str) -> list[int]:
        """16, 39: how many cards a threat costs each player; losses add up."""
        numbers = self.numbers
        losses = [0, 0]
        for seat in SEATS:
            held = self.forests[seat].cards[threat]
            if held >= numbers[f"{threat}_spread"]:
                losses = [n + numbers[f"{threat}_spread_losses"] for n in losses]
            elif held >= numbers[f"{threat}_two"]:
                losses[seat] += numbers[f"{threat}_losses"]
        return losses

    def _lose(self, seat: int, victims: tuple[str, ...], losses: int) -> Script[None]:
        """16, 37: the owner names the cards he loses, in the order of their kinds; too few: what there is."""
        cards = self.forests[seat].cards
        for left in range(min(losses, self.forests[seat].count(victims)), 0, -1):
            self.stage = ("lose", seat, left)
            # One may be named if enough are left for the rest from there on.
            kinds = [
                kind for i, kind in enumerate(victims) if cards[kind] and self.forests[seat].count(victims[i:]) >= left
            ]
            kind = kinds[0]
            if len(kinds) > 1:
                answer = yield from self._ask_for(seat, [f"lose {kind}" for kind in kinds])
                kind = answer.removeprefix("lose ")
            cards[kind] -= 1
            self.discard[kind] += 1
            victims = victims[victims.index(kind) :]

    def _score_trees(self) -> None:
        """18: trees completed this season."""
        for forest in self.forests:
            forest.points += sum(tree.points() for tree in forest.completed if tree.season == self.season)

    def _tallest(self) -> list[int]:
        """19: the award, to the tallest completed tree that has not won before; returns who got it."""
        best = [
            max((tree for tree in forest.completed if not tree.won), key=Tree.height, default=None)
            for forest in self.forests
        ]  # of equally tall trees `max` finds the first one
        heights = [tree.height() if tree else 0 for tree in best]
        winners = [seat for seat in SEATS if heights[seat] == max(heights) > 0]
        for seat in winners:
            tree = best[seat]
            assert tree is not None
            tree.won = True
            self.forests[seat].points += self.numbers["tallest"][self.season - 1]
        return winners

    def _score_plants_and_weather(self) -> None:
        """20."""
        numbers = self.numbers
        for forest in self.forests:
            cards = forest.cards
            forest.points += cards["philodendron"] // numbers["philodendron_set"] * numbers["philodendron_points"]
            bromelias = min(cards["bromelia"], len(numbers["bromelia"]))
            if bromelias:
                forest.points += numbers["bromelia"][bromelias - 1]
            forest.points += cards["fern"] * numbers["fern_odd" if cards["fern"] % 2 else "fern_even"]
            forest.points += min(cards["rain"], cards["sun"]) * numbers["weather_pair"]

    def _score_game(self) -> None:
        """23, 24: wildlife, and the largest forest."""
        for forest in self.forests:
            for animal, mate in zip(ANIMALS, MATES, strict=True):
                forest.points += forest.cards[animal] * self.base["active"]
                forest.points += forest.cards[mate] * self.base["mating_pair" if forest.cards[animal] else "mating"]
        sizes = [(len(forest.completed), sum(tree.height() for tree in forest.trees)) for forest in self.forests]
        for seat in SEATS:
            if sizes[seat] == max(sizes) and self.forests[seat].completed:
                self.forests[seat].points += self.base["largest"]
