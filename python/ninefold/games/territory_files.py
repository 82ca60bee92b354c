"""Territory: position files, to the engine's numbers and back (docs/games/territory.md, "Position files")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ninefold.core.games import territory as core
from ninefold.errors import InputError, located, near, shown
from ninefold.games import PositionFile
from ninefold.games.territory_cards import CELLS
from ninefold.games.territory_ruleset import TerritoryRuleset, check_number

if TYPE_CHECKING:
    from ninefold._game import Game
    from ninefold.position import Position

__all__ = ["Held", "Pending", "Player", "Reader", "TerritoryPosition", "Writer", "ruleset_of"]

NONE, SECRET, HIDDEN = 255, 254, 128  # the engine: no card, cell or choice; a hidden choice; + pool: a hidden card
DOWN = STAR = 16  # the engine: added to a cell, placed face down; the marker's star side
EMPTY, UNKNOWN = "-", "?"  # how a file writes no card, and one that the owner of the file does not know
CELL_NAMES = tuple(column + row for row in "123" for column in "abc")
LINES = [[3 * row + column for column in range(3)] for row in range(3)]
LINES += [[3 * row + column for row in range(3)] for column in range(3)]
BOSSES = ("land", "water")
DECLARATIONS = ("no boss", "land boss", "land boss star", "water boss", "water boss star")
SPOTS = (*CELL_NAMES, *[""] * (DOWN - CELLS), *(f"{cell} face down" for cell in CELL_NAMES))
MOST_DRAWN = 3  # cards that a player draws from the deck in a round


class Held(msgspec.Struct, forbid_unknown_fields=True):
    """A hidden card, an animal or "?", that its owner drew from an earlier or later deck than the first."""

    card: str
    pool: int


class Player(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What one player has."""

    cells: list[str] = []  # rows 3, 2, 1, as they lie: "- elk (otter)", "-" empty, "(otter)" face down
    land_boss: str = ""  # a cell, or "c3 star"
    water_boss: str = ""
    bonus: list[str] = []  # goals and skills taken
    hand: list[str | Held] = []  # cards that only the owner knows, "?" hidden
    shown: list[str] = []  # cards in the hand that everybody knows: they were taken from the row
    drafted: list[
        str | Held
    ] = []  # last round: cards drafted in it, "-" the one placed; those known are also in the hand
    returned: list[str] = []  # given back at the start, and not seen since
    hidden_plays: list[int] = []  # rounds in which a card was played that only the owner had known
    draws: list[int] = []  # rounds in which a card of the first deck was drawn, each as often as it was
    met: list[list[int]] = []  # by player: rounds in which that player played a card that this one had given back


PendingPhase = Literal[
    "deal", "return", "fill", "play", "draft", "redraw", "draw", "part", "choose", "place", "boss", "bonus",
    "over",
]  # fmt: skip


class Pending(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What has been decided since the round began. By player: "-" not yet or nothing, "?" hidden."""

    phase: PendingPhase
    played: list[str] = []  # by player: animals; when cards are placed, those
    turns: list[int] = []  # draft and bonus: whose turn it is, and whose after that
    takes: int = 0  # draft: cards that the first of them still takes
    taken: bool = False  # draft: one was taken in this turn
    used: list[str] = []  # draft: skills used in this turn
    skill: str = ""  # part: the skill that asks
    chosen: list[str] = []  # choose, by player: animals
    spots: list[str] = []  # place and later, by player: "a1", "b2 face down"
    declared: list[str] = []  # boss, by player: "no boss", "land boss star", …
    fill: int = 0  # fill and redraw: cards still to be turned up
    given: int = 0  # return: cards that each has given back
    done: list[int] = []  # return: who has given back one more


class TerritoryPosition(PositionFile, kw_only=True):
    """A position of Territory: what is visible. The animals not seen anywhere are the deck."""

    round: int | None = None  # from 1; as many cards as lie there, and one
    sides: list[str]  # the sides that are up, in the order of the goals, the taken ones too
    row: list[str] = []
    discard: list[str] = []
    deck: int | None = None  # number of cards, to be checked
    order: list[str] = []  # alone: known cards on top of the deck, the next first
    spent: dict[str, int] = {}  # skills: how often each has been used in the game
    first: list[int] = []  # who drafts first in the next round
    pool: int | None = None  # number of the deck, 1 and more after a reshuffle
    older: list[Held] = []  # a view: cards that somebody holds since before a reshuffle
    player: list[Player]
    pending: Pending | None = None


class Reader:
    """Turns the words of one file into the engine's numbers, and notes where each animal is."""

    def __init__(self, game: Game, data: TerritoryPosition) -> None:
        """A file about a position of this game."""
        self.data, self.players = data, game.players
        self.ruleset = ruleset_of(game)
        self.names = self.ruleset.order()
        self.animals = [self.ruleset.animals[name] for name in self.names]
        self.goals, self.skills = list(self.ruleset.goals), list(self.ruleset.skills)
        self.where: dict[int, str] = {}  # by animal
        self.default_pool = int(self.players > 1)
        self.has_unknown = False
        self.bonus_at: dict[str, str] = {}  # where each bonus card is taken

    def numbers(self) -> dict[str, Any]:
        """What the engine's `load` wants. Raises InputError for anything impossible."""
        data = self.data
        self.pool = self.default_pool if data.pool is None else data.pool
        check_number(self.pool, self.default_pool, core.LIMITS["animals"] if self.players > 1 else 0, "pool")
        players = [self.player(player, f"player[{i}]") for i, player in enumerate(data.player)]
        numbers: dict[str, Any] = {
            "row": sorted(self.see(name, f"row[{i}]") for i, name in enumerate(data.row)),
            "discard": sorted(self.see(name, f"discard[{i}]") for i, name in enumerate(data.discard)),
            "order": [self.see(name, f"order[{i}]") for i, name in enumerate(data.order)],
            "player": players, "pool": self.pool, "given": 0, "fill": 0, "waiting": 0, "queue": [], "takes": 0,
            "used": 0, "part": NONE, "first": self.mask(data.first, "first"),
        }  # fmt: skip
        if len(data.row) > self.ruleset.row:
            raise InputError(f"a row has {self.ruleset.row} cards, not {len(data.row)}", path="row")
        if data.order and self.players > 1:
            raise InputError("the order of the deck can be known only alone", path="order")
        numbers["older"] = sorted(
            (self.see(held.card, f"older[{i}].card"), held.pool) for i, held in enumerate(data.older)
        )
        self.has_unknown |= bool(data.older)
        self.sides(numbers)
        self.spent(numbers)
        self.phase(numbers)
        self.deck(numbers)
        return numbers

    def see(self, name: str, path: str, table: str = "") -> int:
        """Number of an animal that lies somewhere, which it does only once. table: what the path is in, "pending."."""
        animal = self.animal(name, path)
        if animal in self.where:
            raise InputError(f"{name} is also in {self.where[animal]}", path=path, value=name)
        self.where[animal] = table + path
        return animal

    def animal(self, name: str, path: str) -> int:
        """Number of an animal."""
        if name not in self.ruleset.animals:
            match = near(name, self.names)
            raise InputError(f"unknown animal {shown(name)}", path=path, value=name, match=match)
        return self.names.index(name)

    def cell(self, name: str, path: str, names: Sequence[str] = CELL_NAMES) -> int:
        """Number of a cell."""
        word = " ".join(name.lower().split())
        if word not in names or not word:
            match = near(word, names)
            raise InputError(f"a cell is a1 to c3, not {shown(name)}", path=path, value=name, match=match)
        return names.index(word)

    def seat(self, player: int, path: str) -> int:
        """A player's number."""
        if not 0 <= player < self.players:
            raise InputError(f"players are 0 to {self.players - 1}, not {shown(player)}", path=path, value=player)
        return player

    def mask(self, players: Sequence[int], path: str) -> int:
        """Players as a mask."""
        return sum(1 << self.seat(player, f"{path}[{i}]") for i, player in enumerate(dict.fromkeys(players)))

    def rounds(self, rounds: Sequence[int], path: str) -> None:
        """Numbers of rounds."""
        for i, number in enumerate(rounds):
            check_number(number, 1, self.ruleset.rounds, f"{path}[{i}]")

    # --- one player ---

    def player(self, player: Player, path: str) -> dict[str, Any]:
        """What one player has, as the engine knows it."""
        cell, up = self.land(player.cells, f"{path}.cells")
        boss = [
            self.boss(word, BOSSES[i], cell, up, f"{path}.{BOSSES[i]}_boss")
            for i, word in enumerate((player.land_boss, player.water_boss))
        ]
        if NONE not in boss and boss[0] & ~STAR == boss[1] & ~STAR:
            raise InputError("one marker a card", path=f"{path}.water_boss", value=player.water_boss)
        hand, hidden = self.hand(player.hand, f"{path}.hand")
        hand += [(self.see(name, f"{path}.shown[{i}]"), 0) for i, name in enumerate(player.shown)]
        for field in ("hidden_plays", "draws"):
            self.rounds(getattr(player, field), f"{path}.{field}")
        for i, met in enumerate(player.met):
            self.rounds(met, f"{path}.met[{i}]")
        if player.met and len(player.met) != self.players:
            raise InputError(f"one for each of the {self.players} players, not {len(player.met)}", path=f"{path}.met")
        bonus = self.bonus(player.bonus, f"{path}.bonus")
        met = [sum(1 << number - 1 for number in set(rounds)) for rounds in player.met or [[]] * self.players]
        events = [(int(i in player.hidden_plays), player.draws.count(i)) for i in range(1, 10)]
        for i, (_, drawn) in enumerate(events):
            if drawn > MOST_DRAWN:
                raise InputError(f"at most {MOST_DRAWN} cards in round {i + 1}, not {drawn}", path=f"{path}.draws")
        returned = sorted(self.animal(name, f"{path}.returned[{i}]") for i, name in enumerate(player.returned))
        if len(set(returned)) > self.ruleset.hand - self.ruleset.keep or len(set(returned)) < len(returned):
            raise InputError(
                f"at most {self.ruleset.hand - self.ruleset.keep} different cards are given back",
                path=f"{path}.returned",
            )
        return {
            "cells": cell, "up": up, "boss": boss, "goals": bonus & (1 << len(self.goals)) - 1,
            "skills": bonus >> len(self.goals), "hand": sorted(hand), "hidden": sorted(hidden), "returned": returned,
            "events": events, "met": met, "played": NONE, "drafted": [NONE, NONE], "chosen": NONE, "spot": NONE,
            "declared": NONE,
        }  # fmt: skip

    def land(self, rows: Sequence[str], path: str) -> tuple[list[int], int]:
        """Animals by cell, and which of them lie face up, a mask."""
        if len(rows) not in (0, 3):
            raise InputError(f"three rows, the upper one first, not {len(rows)}", path=path)
        cell, up = [NONE] * CELLS, 0
        for i, text in enumerate(rows):
            words = text.split()
            if len(words) != 3:
                raise InputError(f"three cells in a row, not {len(words)}", path=f"{path}[{i}]", value=text)
            for column, word in enumerate(words):
                if word == EMPTY:
                    continue
                face_down = word[0] == "(" and word[-1] == ")"
                place = 3 * (2 - i) + column
                cell[place] = self.see(word[1:-1] if face_down else word, f"{path}[{i}]")
                up |= (not face_down) << place
        for line in LINES:
            here = [place for place in line if up >> place & 1]
            for first, second in pairwise(here):
                if self.animals[cell[first]].number >= self.animals[cell[second]].number:
                    one, other = (f"{self.names[cell[p]]} {self.animals[cell[p]].number}" for p in (first, second))
                    raise InputError(
                        f"{one} on {CELL_NAMES[first]} and {other} on {CELL_NAMES[second]} do not ascend", path=path
                    )
        return cell, up

    def boss(self, word: str, terrain: str, cell: Sequence[int], up: int, path: str) -> int:
        """Where a marker lies."""
        if not word:
            return NONE
        name, _, star = " ".join(word.lower().split()).partition(" ")
        if star not in ("", "star"):
            raise InputError(f"a cell, or a cell and star, not {shown(word)}", path=path, value=word)
        place = self.cell(name, path)
        if not up >> place & 1:
            raise InputError(f"no card lies face up on {CELL_NAMES[place]}", path=path, value=word)
        animal = self.animals[cell[place]]
        if animal.terrain not in (terrain, "both"):
            raise InputError(f"{self.names[cell[place]]} is no animal of {terrain}", path=path, value=word)
        return place + STAR * bool(star)

    def held(self, card: str | Held, path: str) -> tuple[int, int]:
        """A hidden card, or SECRET, and the deck it came from."""
        name, pool = (card, self.default_pool) if isinstance(card, str) else (card.card, card.pool)
        check_number(pool, self.default_pool, self.pool, f"{path}.pool")
        if name == UNKNOWN:
            if self.players == 1:
                raise InputError("alone no card of the hand is unknown", path=path, value=name)
            self.has_unknown = True
            return SECRET, pool
        return self.see(name, path), pool

    def hand(self, hand: Sequence[str | Held], path: str) -> tuple[list[tuple[int, int]], list[int]]:
        """Known cards, each with its pool, and the pools of those that are not known."""
        held = [self.held(card, f"{path}[{i}]") for i, card in enumerate(hand)]
        return [pair for pair in held if pair[0] != SECRET], [pool for animal, pool in held if animal == SECRET]

    def bonus(self, names: Sequence[str], path: str) -> int:
        """Bonus cards, a mask of goals and then skills, each of which is there only once."""
        mask = 0
        for i, name in enumerate(names):
            known = [*self.goals, *self.skills]
            if name not in known:
                match = near(name, known)
                raise InputError(f"unknown goal or skill {shown(name)}", path=f"{path}[{i}]", value=name, match=match)
            if name in self.bonus_at:
                raise InputError(f"{name} is also in {self.bonus_at[name]}", path=f"{path}[{i}]", value=name)
            self.bonus_at[name] = f"{path}[{i}]"
            mask |= 1 << known.index(name)
        return mask

    # --- the table ---

    def sides(self, numbers: dict[str, Any]) -> None:
        """Which sides of the goals are up."""
        goals = list(self.ruleset.goals.values())
        sides = self.data.sides
        if len(sides) > len(goals):
            raise InputError(f"there are {len(goals)} goals, not {len(sides)}", path="sides")
        numbers["decided"], numbers["sides"] = len(sides), 0
        for i, name in enumerate(sides):
            names = [goals[i].front.name, goals[i].back.name]
            if name not in names:
                message = f"the sides of {self.goals[i]} are {' and '.join(names)}, not {shown(name)}"
                raise InputError(message, path=f"sides[{i}]", value=name, match=near(name, names))
            numbers["sides"] |= names.index(name) << i

    def spent(self, numbers: dict[str, Any]) -> None:
        """How often skills have been used."""
        numbers["spent"] = [0] * len(self.skills)
        for name, times in self.data.spent.items():
            if name not in self.skills:
                raise InputError(
                    f"unknown skill {shown(name)}", path="spent", value=name, match=near(name, self.skills)
                )
            check_number(times, 0, self.ruleset.skills[name].uses, f"spent.{name}")
            numbers["spent"][self.skills.index(name)] = times

    def phase(self, numbers: dict[str, Any]) -> None:
        """How far the round is, and who must choose."""
        data, players, pending = self.data, numbers["player"], self.data.pending
        for i, (player, known) in enumerate(zip(data.player, players, strict=True)):
            self.drafted(player.drafted, known, f"player[{i}].drafted")
        lying = max(CELLS - player["cells"].count(NONE) for player in players)
        phase: str = pending.phase if pending is not None else "play"
        if numbers["decided"] < len(self.goals):
            if pending is not None:
                raise InputError("first all sides are turned up", path="sides")
            phase = "sides"
        setting_up = phase in ("sides", "deal", "return") or (phase == "fill" and pending and not pending.played)
        last = self.ruleset.rounds
        number = 0 if setting_up else min(lying + (phase not in ("boss", "bonus", "over")), last)
        numbers["round"] = number = number if data.round is None else data.round
        check_number(number, 0 if setting_up else 1, 0 if setting_up else last, "round")
        if pending is None and phase == "play" and (lying >= number or not any(map(_cards, players))):
            phase = "over"
        numbers["phase"] = core.PHASES.index(phase)
        if pending is not None:
            with located(path="pending"):
                self.pending(pending, numbers)
        elif phase == "play":
            numbers["waiting"] = sum(bool(_cards(player)) << i for i, player in enumerate(players))

    def drafted(self, drafted: Sequence[str | Held], player: dict[str, Any], path: str) -> None:
        """Cards drafted in the last round: those known are in the hand."""
        if len(drafted) > 2:
            raise InputError(f"at most two cards, not {len(drafted)}", path=path)
        hand = [animal for animal, _ in player["hand"]]
        for i, card in enumerate(drafted):
            name, pool = (card, self.pool) if isinstance(card, str) else (card.card, card.pool)
            if name == UNKNOWN:
                self.has_unknown = True
                player["drafted"][i] = HIDDEN + pool
            elif name != EMPTY:
                animal = player["drafted"][i] = self.animal(name, f"{path}[{i}]")
                if animal not in hand:
                    raise InputError(f"{name} is not in the hand", path=f"{path}[{i}]", value=name)

    def pending(self, pending: Pending, numbers: dict[str, Any]) -> None:
        """What has been decided since the round began."""
        players, phase = numbers["player"], pending.phase
        self.played(pending, players)
        queue = numbers["queue"] = [self.seat(player, f"turns[{i}]") for i, player in enumerate(pending.turns)]
        if len(set(queue)) < len(queue):
            raise InputError("each player has one turn", path="turns")
        if phase in ("draft", "redraw", "draw", "part", "bonus"):
            if not queue:
                raise InputError("whose turn is it?", path="turns")
            numbers["waiting"] = (phase in ("draft", "part", "bonus")) << queue[0]
        if phase in ("draft", "redraw", "draw", "part"):
            self.draft(pending, numbers)
        check_number(pending.fill, 0, self.ruleset.row, "fill")
        numbers["fill"] = pending.fill
        numbers["given"] = pending.given
        if phase == "return":
            check_number(pending.given, 0, self.ruleset.hand - self.ruleset.keep - 1, "given")
            numbers["waiting"] = (1 << self.players) - 1 & ~self.mask(pending.done, "done")
        who: dict[str, Callable[[Mapping[str, Any]], bool]] = {
            "play": lambda player: _cards(player) > 0 and player["played"] == NONE,
            "choose": lambda player: player["drafted"][0] != NONE and player["chosen"] == NONE,
            "place": lambda player: player["played"] != NONE and player["spot"] == NONE,
            "boss": lambda player: self.may_declare(player) and player["declared"] == NONE,
        }
        if phase in who:
            numbers["waiting"] = sum(who[phase](player) << i for i, player in enumerate(players))
            if not numbers["waiting"]:
                raise InputError(f"nobody is left to {phase}", path="phase")

    def played(self, pending: Pending, players: list[dict[str, Any]]) -> None:
        """Choices by player."""
        phase = pending.phase
        for i, word in self.by_player(pending.played, "played"):
            players[i]["played"] = self.secret(word, phase == "play", f"played[{i}]") or self.animal(
                word, f"played[{i}]"
            )
        for i, word in self.by_player(pending.chosen, "chosen"):
            players[i]["chosen"] = self.secret(word, phase == "choose", f"chosen[{i}]") or self.animal(
                word, f"chosen[{i}]"
            )
        for i, word in self.by_player(pending.spots, "spots"):
            spot = self.secret(word, phase == "place", f"spots[{i}]")
            players[i]["spot"] = spot or self.cell(word, f"spots[{i}]", SPOTS)
        for i, word in self.by_player(pending.declared, "declared"):
            players[i]["declared"] = self.secret(word, phase == "boss", f"declared[{i}]") or self.declared(word, i)
        for i, player in enumerate(players):
            card, spot = player["played"], player["spot"]
            if phase == "play" and card < SECRET and card not in [animal for animal, _ in player["hand"]]:
                raise InputError(f"{self.names[card]} is not in the hand", path=f"played[{i}]")
            if phase in ("boss", "bonus"):
                if (card == NONE) != (spot == NONE) or (
                    card != NONE and (spot % STAR >= CELLS or player["cells"][spot % STAR] != card)
                ):
                    raise InputError("this is where the card played lies", path=f"spots[{i}]")
            elif phase != "play" and card < SECRET:
                self.see(self.names[card], f"played[{i}]", "pending.")

    def by_player(self, words: Sequence[str], path: str) -> Iterator[tuple[int, str]]:
        """One word for each player, or none at all; only those that say something."""
        if words and len(words) != self.players:
            raise InputError(f"one for each of the {self.players} players, not {len(words)}", path=path)
        return ((i, word) for i, word in enumerate(words) if word != EMPTY)

    def secret(self, word: str, allowed: bool, path: str) -> int:
        """The number of a hidden choice, 0 for one that is known."""
        if word != UNKNOWN:
            return 0
        if not allowed:
            raise InputError("this has been shown", path=path, value=word)
        self.has_unknown = True
        return SECRET

    def declared(self, word: str, player: int) -> int:
        """Number of what a player declared."""
        name = " ".join(word.lower().split())
        if name not in DECLARATIONS:
            match = near(name, DECLARATIONS)
            raise InputError(f"unknown declaration {shown(word)}", path=f"declared[{player}]", value=word, match=match)
        return DECLARATIONS.index(name)

    def may_declare(self, player: Mapping[str, Any]) -> bool:
        """16: whether a marker can lie on the card just placed."""
        if player["spot"] >= DOWN:
            return False
        terrain = self.animals[player["cells"][player["spot"]]].terrain
        return any(player["boss"][i] == NONE and terrain in (name, "both") for i, name in enumerate(BOSSES))

    def draft(self, pending: Pending, numbers: dict[str, Any]) -> None:
        """How far the turn in the draft is."""
        numbers["takes"] = pending.takes or 1
        check_number(numbers["takes"], 1, 2, "takes")
        used = 0
        for i, name in enumerate([*pending.used, *[pending.skill] * (pending.phase == "part")]):
            path = f"used[{i}]" if i < len(pending.used) else "skill"
            if name not in self.skills:
                raise InputError(f"unknown skill {shown(name)}", path=path, value=name, match=near(name, self.skills))
            used |= 1 << self.skills.index(name)
        if pending.phase == "part":
            numbers["part"] = self.skills.index(pending.skill)
            if self.ruleset.skills[pending.skill].effect not in ("move", "swap"):
                raise InputError(f"{pending.skill} asks nothing", path="skill", value=pending.skill)
        numbers["used"] = 255 if pending.taken else used

    def deck(self, numbers: dict[str, Any]) -> None:
        """The animals not seen anywhere, less the hidden ones, are the deck."""
        players, pending = numbers["player"], self.data.pending
        if pending is not None and pending.phase == "return":
            for i, player in enumerate(self.data.player):
                for j, name in enumerate(player.returned):
                    self.see(name, f"player[{i}].returned[{j}]")
        unseen = [animal for animal in range(len(self.names)) if animal not in self.where]
        hidden = [pool for player in players for pool in player["hidden"]]
        hidden += [card - HIDDEN for player in players for card in player["drafted"] if HIDDEN <= card < SECRET]
        for pool in {*hidden, *(pool for _, pool in numbers["older"])} - {self.pool}:
            there, known = hidden.count(pool), sum(other == pool for _, other in numbers["older"])
            if there != known:
                raise InputError(f"{there} hidden cards of deck {pool}, but {known} animals of it", path="older")
        left = len(unseen) + len(numbers["order"]) - hidden.count(self.pool)
        if left < 0:
            raise InputError(
                f"{hidden.count(self.pool)} cards are hidden, but only {len(unseen)} animals are left", path="player"
            )
        if self.data.deck is not None and self.data.deck != left:
            message = f"{shown(self.data.deck)} cards, but {left} are seen nowhere else"
            raise InputError(message, path="deck", value=self.data.deck)
        numbers["left"], numbers["deck"] = left, unseen
        if pending is None or pending.phase != "return":
            for i, player in enumerate(players):
                others = {animal for other in players if other is not player for animal, pool in other["hand"] if pool}
                others.update(animal for animal, _ in numbers["older"])
                for animal in player["returned"]:
                    if animal in self.where and animal not in others:
                        message = f"{self.names[animal]} is in {self.where[animal]}: it has been seen since"
                        raise InputError(message, path=f"player[{i}].returned")


def _cards(player: Mapping[str, Any]) -> int:
    """Cards in a hand."""
    return len(player["hand"]) + len(player["hidden"])


def ruleset_of(game: Game) -> TerritoryRuleset:
    """The ruleset of a game of Territory."""
    assert isinstance(game.ruleset, TerritoryRuleset)
    return game.ruleset


class Writer:
    """Turns the engine's numbers of one position into the words of a file."""

    def __init__(self, position: Position) -> None:
        """Look at a position."""
        self.ruleset = ruleset_of(position.game)
        self.names = self.ruleset.order()
        self.goals, self.skills = list(self.ruleset.goals), list(self.ruleset.skills)
        self.state = core.dump(position)
        self.players: list[dict[str, Any]] = self.state["player"]
        self.alone = len(self.players) == 1
        self.phase = core.PHASES[self.state["phase"]]

    def data(self) -> dict[str, Any]:
        """All of it."""
        state = self.state
        sides = [side.name for _, side in self.ruleset.sides()]
        data: dict[str, Any] = {
            "round": state["round"],
            "sides": [sides[2 * i + (state["sides"] >> i & 1)] for i in range(state["decided"])],
            "row": self.named(state["row"]), "discard": self.named(state["discard"]), "deck": state["left"],
            "order": self.named(state["order"]),
            "spent": {name: n for name, n in zip(self.skills, state["spent"], strict=True) if n},
            "first": self.seats(state["first"]),
        }  # fmt: skip
        if state["pool"] > 1:
            data["pool"] = state["pool"]
        data["older"] = [{"card": self.names[animal], "pool": pool} for animal, pool in state["older"]]
        data["player"] = [self.player(player) for player in self.players]
        lying = max(CELLS - player["cells"].count(NONE) for player in self.players)
        over = lying >= state["round"] or not any(map(_cards, self.players))
        begun = any(player[field] != NONE for player in self.players for field in ("played", "chosen"))
        if self.phase not in ("sides", "over" if over else "", "" if begun or over else "play"):
            data["pending"] = self.pending()
        return {key: value for key, value in data.items() if value not in ([], {}) or key in ("sides", "row")}

    def named(self, animals: Sequence[int]) -> list[str]:
        """Names of animals."""
        return [self.names[animal] for animal in animals]

    def seats(self, mask: int) -> list[int]:
        """Players of a mask."""
        return [player for player in range(len(self.players)) if mask >> player & 1]

    def held(self, name: str, pool: int, plain: int) -> str | dict[str, Any]:
        """A hidden card, with its deck where that is not the usual one."""
        return name if pool == plain else {"card": name, "pool": pool}

    def player(self, player: Mapping[str, Any]) -> dict[str, Any]:
        """What one player has."""
        plain = 0 if self.alone else 1
        drafted = player["drafted"][: 2 if player["drafted"][1] != NONE else player["drafted"][0] != NONE]
        data: dict[str, Any] = {
            "cells": self.land(player),
            "bonus": [
                name
                for names, mask in ((self.goals, player["goals"]), (self.skills, player["skills"]))
                for i, name in enumerate(names)
                if mask >> i & 1
            ],
            "hand": [
                *(self.held(self.names[animal], pool, plain) for animal, pool in player["hand"] if pool or self.alone),
                *(self.held(UNKNOWN, pool, plain) for pool in player["hidden"]),
            ],
            "shown": [self.names[animal] for animal, pool in player["hand"] if not pool and not self.alone],
            "drafted": [
                EMPTY if card == NONE
                else self.names[card] if card < HIDDEN
                else self.held(UNKNOWN, card - HIDDEN, self.state["pool"])
                for card in drafted
            ],
            "returned": self.named(player["returned"]),
            "hidden_plays": [i for i, (played, _) in enumerate(player["events"], 1) if played],
            "draws": [i for i, (_, drawn) in enumerate(player["events"], 1) for _ in range(drawn)],
        }  # fmt: skip
        if any(player["met"]):
            data["met"] = [[i + 1 for i in range(CELLS) if mask >> i & 1] for mask in player["met"]]
        for name, boss in zip(BOSSES, player["boss"], strict=True):
            if boss != NONE:
                data[f"{name}_boss"] = CELL_NAMES[boss % STAR] + " star" * (boss >= STAR)
        return {key: value for key, value in data.items() if value}

    def land(self, player: Mapping[str, Any]) -> list[str]:
        """The three rows as they lie, columns under one another."""
        words = [
            EMPTY if animal == NONE else self.names[animal] if player["up"] >> i & 1 else f"({self.names[animal]})"
            for i, animal in enumerate(player["cells"][:CELLS])
        ]
        if set(words) == {EMPTY}:
            return []
        width = [max(map(len, words[column::3])) for column in range(3)]
        return [
            " ".join(word.ljust(width[i]) for i, word in enumerate(words[row : row + 3])).rstrip() for row in (6, 3, 0)
        ]

    def pending(self) -> dict[str, Any]:
        """What has been decided since the round began."""
        state, special = self.state, {NONE: EMPTY, SECRET: UNKNOWN}

        def choices(field: str, words: Sequence[str]) -> list[str]:
            found = [special.get(player[field]) or words[player[field]] for player in self.players]
            return found if set(found) != {EMPTY} else []

        used = state["used"]
        pending: dict[str, Any] = {
            "phase": self.phase, "played": choices("played", self.names), "turns": state["queue"],
            "takes": state["takes"] if state["takes"] > 1 else 0, "taken": used == 255,
            "used": [
                name for i, name in enumerate(self.skills) if used != 255 and used >> i & 1 and i != state["part"]
            ],
            "skill": self.skills[state["part"]] if state["part"] != NONE else "",
            "chosen": choices("chosen", self.names), "spots": choices("spot", SPOTS),
            "declared": choices("declared", DECLARATIONS), "fill": state["fill"], "given": state["given"],
        }  # fmt: skip
        if self.phase == "return":
            pending["done"] = self.seats(~state["waiting"])
        return {key: value for key, value in pending.items() if value}
