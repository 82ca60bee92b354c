"""The small grammar of a Coney deck: costs, gains, conditions and coupons, from text and back (docs/games/coney.md)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from ninefold.core.games import coney as core
from ninefold.errors import InputError
from ninefold.grammar import Words

__all__ = [
    "AROUND", "ATTRIBUTES", "COLOURS", "MODES", "RESOURCES", "Clause", "Condition", "Cost", "Coupon", "Effect",
    "Group", "condition", "cost", "coupon", "sale",
]  # fmt: skip

Mode = Literal["any", "same", "different"]

ATTRIBUTES = core.ATTRIBUTES[:-1]  # all but "wild", which nothing counts
COLOURS = ATTRIBUTES[2:]
RESOURCES = core.RESOURCES
MODES: tuple[Mode, ...] = ("any", "same", "different")
TIMINGS = ("now", "breed", "end")
COUNTS = ("neighbour", "line", "here")

AROUND = 4  # neighbours of a cell
MOST = core.LIMITS["resources"]  # of one kind or group in one text
GROUPS, DRAWS = core.LIMITS["groups"], core.LIMITS["draws"]  # in one text
WORTH = 9  # points for each thing that a coupon counts
CLAUSES = core.LIMITS["clauses"]  # alternatives of a condition
_DEEPEST = 20  # parentheses in one another


class Cost(NamedTuple):
    """What placing a card costs: so many of each resource, and so many that the player chooses."""

    fixed: tuple[int, int, int] = (0, 0, 0)
    any: int = 0

    def __str__(self) -> str:
        return " ".join(_amounts(zip((*self.fixed, self.any), (*RESOURCES, "any"), strict=True)))


class Group(NamedTuple):
    """Resources of which the player chooses the kinds."""

    mode: Mode
    size: int


class Effect(NamedTuple):
    """What a sale, or a coupon used now or in a breed action, yields."""

    fixed: tuple[int, int, int] = (0, 0, 0)
    groups: tuple[Group, ...] = ()
    draws: int = 0
    sells: bool = False  # one reserved card may be sold

    def __str__(self) -> str:
        words = _amounts(zip(self.fixed, RESOURCES, strict=True))
        words += [f"{group.size} {group.mode}" for group in self.groups]
        words += [f"draw {self.draws}"] * bool(self.draws) + ["sell reserved"] * self.sells
        return ", ".join(words) if self.draws or self.sells else " ".join(words)


class Clause(NamedTuple):
    """One alternative of a condition: all of it must hold among the neighbours. By attribute."""

    at_least: tuple[int, ...] = (0,) * len(ATTRIBUTES)
    at_most: tuple[int, ...] = (AROUND,) * len(ATTRIBUTES)

    def both(self, other: Clause) -> Clause:
        """What holds where both do."""
        return Clause(
            tuple(map(max, self.at_least, other.at_least)), tuple(map(min, self.at_most, other.at_most))
        )  # fmt: skip

    @property
    def is_possible(self) -> bool:
        """Whether any four neighbours satisfy it."""
        male, female = self.at_least[:2]
        return male + female <= AROUND and all(map(int.__le__, self.at_least, self.at_most))

    def implies(self, other: Clause) -> bool:
        """Whether the other holds wherever this one does."""
        return self.both(other) == self


class Condition(NamedTuple):
    """A condition: how it is written, and its alternatives, one of which must hold; none of either: it always holds."""

    text: str = ""
    clauses: tuple[Clause, ...] = ()

    def __str__(self) -> str:
        return self.text


class Coupon(NamedTuple):
    """What a coupon does, and when."""

    timing: Literal["", "now", "breed", "end"] = ""
    effect: Effect = Effect()  # of one used now or in a breed action
    worth: int = 0  # of one of the end: points for each …
    counts: Literal["", "neighbour", "line", "here"] = ""
    counted: str = ""  # … attribute or resource

    def __str__(self) -> str:
        if self.timing == "end":
            what = f"{self.counted} here" if self.counts == "here" else f"{self.counts} {self.counted}"
            return f"end: {self.worth} per {what}"
        return f"{self.timing}: {self.effect}" if self.timing else ""


def _amounts(pairs: Iterable[tuple[int, str]]) -> list[str]:
    return [f"{n} {word}" for n, word in pairs if n]


_PLURALS = {"carrots": "carrot", "pellets": "pellet"}


def _resource(words: Words, *others: str) -> str:
    """Take a resource or one of the other words; people write plurals."""
    word = words.expect(*RESOURCES, *others, *(_PLURALS if words.next in _PLURALS else ()))
    return _PLURALS.get(word, word)


@lru_cache(4096)
def cost(text: str) -> Cost:
    """The cost that a text says: "2 carrot 1 any". Raises InputError."""
    kinds = (*RESOURCES, "any")
    words = Words(text, (*kinds, *_PLURALS, ","))
    amounts = dict.fromkeys(kinds, 0)
    for _ in words:
        n = words.number(1, MOST, 1)
        kind = _resource(words, "any")
        amounts[kind] += n
        if amounts[kind] > MOST:
            words.fail(message=f"at most {MOST} {kind}, not {amounts[kind]}", back=1)
        if words.accept(",") and not words.next:
            words.fail(*kinds)
    carrot, pellet, hay, free = amounts.values()
    return Cost((carrot, pellet, hay), free)


def _effect(words: Words, *, may_sell: bool) -> Effect:
    """Gains, draws and, where it is allowed, the sale of a reserved card."""
    fixed, sizes, draws, sells = dict.fromkeys(RESOURCES, 0), list[Group](), 0, False
    starts = ("draw", *(["sell"] if may_sell else []))
    while True:
        if words.accept("draw"):
            draws += words.number(1, DRAWS, 1)
            if draws > DRAWS:
                words.fail(message=f"at most {DRAWS} draws, not {draws}", back=1)
        elif may_sell and words.accept("sell"):
            words.expect("reserved")
            if sells:
                words.fail(message="only one reserved card can be sold", back=2)
            sells = True
        else:
            number = words.next.isdecimal()
            n = words.number(1, MOST, 1)
            kind = _resource(words, *MODES, *(() if number else starts))
            if kind in fixed:
                fixed[kind] += n
                if fixed[kind] > MOST:
                    words.fail(message=f"at most {MOST} {kind}, not {fixed[kind]}", back=1)
            else:
                _add(words, sizes, kind, n)
        if not words.accept(",") and not words.next:
            break
    carrot, pellet, hay = fixed.values()
    return Effect((carrot, pellet, hay), tuple(sizes), draws, sells)


def _add(words: Words, groups: list[Group], kind: str, n: int) -> None:
    """One more group; circles of a free choice are one group, wherever they are written."""
    free = next((i for i, group in enumerate(groups) if group.mode == kind == "any"), None)
    if free is not None:
        n += groups.pop(free).size
    most = len(RESOURCES) if kind == "different" else MOST
    if n > most:
        words.fail(message=f"at most {most} {kind}, not {n}", back=1)
    if len(groups) == GROUPS:
        words.fail(message=f"at most {GROUPS} groups of any, same or different", back=1)
    groups.insert(len(groups) if free is None else free, Group(MODES[MODES.index(kind)], n))


@lru_cache(4096)
def sale(text: str) -> Effect:
    """What a sale yields: "2 same", "1 carrot, draw 1". Raises InputError."""
    words = Words(text, (*RESOURCES, *_PLURALS, *MODES, "draw", ","))
    return _effect(words, may_sell=False) if words.next else Effect()


@lru_cache(4096)
def coupon(text: str) -> Coupon:
    """A coupon: "breed: 1 carrot", "now: draw 1", "end: 2 per neighbour female". Raises InputError."""
    known = (*RESOURCES, *_PLURALS, *MODES, *TIMINGS, *COUNTS, *ATTRIBUTES)
    words = Words(text, (*known, "draw", "sell", "reserved", "per", ",", ":", "-"))
    if not words.next:
        return Coupon()
    timing = words.expect(*TIMINGS)
    words.expect(":")
    if timing != "end":
        effect = _effect(words, may_sell=timing == "now")
        return Coupon("now", effect) if timing == "now" else Coupon("breed", effect)
    sign = -1 if words.accept("-") else 1
    worth = sign * words.number(1, WORTH, 1)
    words.expect("per")
    if words.next in (*RESOURCES, *_PLURALS):
        counted = _resource(words)
        words.expect("here")
        found = Coupon("end", worth=worth, counts="here", counted=counted)
    elif words.expect(*RESOURCES, "neighbour", "line") == "line":
        found = Coupon("end", worth=worth, counts="line", counted=words.expect(*ATTRIBUTES))
    else:
        found = Coupon("end", worth=worth, counts="neighbour", counted=words.expect(*ATTRIBUTES))
    if words.next:
        words.fail()
    return found


# --- conditions -------------------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A part of a condition: "" for an atom, else how its parts are joined."""

    joint: Literal["", "and", "or"]
    text: str
    clauses: tuple[Clause, ...]


@lru_cache(4096)
def condition(text: str) -> Condition:
    """A condition: "no male and at most 1 black", "at least 1 white or at least 1 black". Raises InputError."""
    words = Words(text, (*ATTRIBUTES, "no", "at", "most", "least", "and", "or", "(", ")"))
    if not words.next:
        return Condition()
    found = _either_of(words, 0)
    if words.next:
        words.fail("and", "or")
    if not found.clauses:
        raise InputError("no neighbours can ever satisfy this", value=text)
    if len(found.clauses) > CLAUSES:
        raise InputError(f"{len(found.clauses)} alternatives, at most {CLAUSES}", value=text)
    return Condition(found.text, found.clauses)


def _either_of(words: Words, depth: int) -> _Part:
    """Parts joined by "or"."""
    parts = [_all_of(words, depth)]
    while words.accept("or"):
        parts.append(_all_of(words, depth))
    if len(parts) == 1:
        return parts[0]
    return _Part("or", " or ".join(part.text for part in parts), _fewest(words, [c for p in parts for c in p.clauses]))


def _all_of(words: Words, depth: int) -> _Part:
    """Parts joined by "and", which binds tighter."""
    parts = [_part(words, depth)]
    while words.accept("and"):
        parts.append(_part(words, depth))
    if len(parts) == 1:
        return parts[0]
    clauses = parts[0].clauses
    for part in parts[1:]:
        clauses = _fewest(words, [one.both(other) for one in clauses for other in part.clauses])
    return _Part("and", " and ".join(f"({p.text})" if p.joint == "or" else p.text for p in parts), clauses)


def _part(words: Words, depth: int) -> _Part:
    """An atom, or something in parentheses."""
    if words.accept("("):
        if depth == _DEEPEST:
            words.fail(message="too many parentheses in one another", back=1)
        found = _either_of(words, depth + 1)
        words.expect(")")
        return found
    least, most, n = [0] * len(ATTRIBUTES), [AROUND] * len(ATTRIBUTES), 0
    word = words.expect("no", "at", "(")
    if word == "at":
        word = words.expect("most", "least")
        n = words.number(0, AROUND - 1) if word == "most" else words.number(1, AROUND)
    name = words.expect(*ATTRIBUTES)
    (least if word == "least" else most)[ATTRIBUTES.index(name)] = n
    text = f"at {word} {n} {name}" if n else f"no {name}"
    return _Part("", text, (Clause(tuple(least), tuple(most)),))


def _fewest(words: Words, clauses: list[Clause]) -> tuple[Clause, ...]:
    """The alternatives without those that never hold, or hold only where another one does."""
    possible = list(dict.fromkeys(clause for clause in clauses if clause.is_possible))
    found = tuple(
        clause for clause in possible if not any(clause.implies(other) for other in possible if other is not clause)
    )
    if len(found) > 2 * CLAUSES:  # it may still shrink a little, but not grow without end
        words.fail(message="too many alternatives", back=1)
    return found
