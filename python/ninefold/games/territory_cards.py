"""The small grammar of Territory's cards: what goals need and what skills do (docs/games/territory.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from ninefold.grammar import Words

__all__ = [
    "CELLS",
    "EFFECTS",
    "HIGHEST",
    "MOST_STARS",
    "Animal",
    "Cells",
    "Need",
    "Program",
    "Test",
    "effect",
    "held_at_once",
    "needs",
]

CELLS = 9
HIGHEST = 99  # number of an animal
MOST_STARS = 9
_DEEPEST = 20  # parentheses in one another

Effect = Literal["move", "swap", "draft twice", "redraw row", "draft first"]
EFFECTS: tuple[Effect, ...] = ("move", "swap", "draft twice", "redraw row", "draft first")

_ROWS = tuple(0b111 << 3 * row for row in range(3))
_COLUMNS = tuple(0b001001001 << column for column in range(3))
PLACES = {"corners": 0b101000101, "edges": 0b010101010, "centre": 0b000010000}
# What a cell may be, or be beside, that depends on the bosses, and how the engine finds such cells.
_BESIDE = {
    "land boss": [("boss", 0)],
    "water boss": [("boss", 1)],
    "boss": [("boss", 0), ("boss", 1), ("or", 0)],
    "beside land boss": [("boss", 0), ("beside", 0)],
    "beside water boss": [("boss", 1), ("beside", 0)],
    "beside boss": [("boss", 0), ("boss", 1), ("or", 0), ("beside", 0)],
    "in land territory": [("territory", 0)],
    "in water territory": [("territory", 1)],
}
_PUSHES = ("cells", "cards", "up", "down", "empty", "boss", "territory")  # operations that put a value on the stack
_LIE_FACE_UP = {"land boss", "water boss", "boss", "in land territory", "in water territory"}
_WORDS = (
    "at", "least", "most", "exactly", "no", "and", "or", "(", ")", "line", "lines", "diagonal", "diagonals", "group",
    "run", "sum", "of", "to", "any", "land", "water", "both", "only", "face", "up", "down", "empty", "even", "odd",
    "number", "stars", "in", "on", "beside", "boss", "territory", "row", "column", "a", "b", "c", *PLACES,
)  # fmt: skip
_FACES = ("any", "land", "water", "both", "only", "face", "empty", "even", "odd", "number", "stars", "boss")
_PLACES = ("in", "on", "beside", *PLACES, "row", "column")


Program = list[tuple[str, int]]  # of the engine, in postfix notation: python/ninefold/core/games/territory.pyi


class Animal(NamedTuple):
    """What a goal can ask of an animal."""

    number: int
    terrain: str
    stars: int


class Cells(NamedTuple):
    """Which cells a test looks at: all of it must be so."""

    text: str
    face: Literal["up", "down", "empty"] = "up"  # what lies there
    terrains: tuple[str, ...] = ("land", "water", "both")
    parity: int = -1  # of the number; -1: any
    numbers: tuple[int, int] = (0, HIGHEST)
    stars: tuple[int, int] = (0, MOST_STARS)
    places: int = (1 << CELLS) - 1  # cells, a mask
    beside: tuple[str, ...] = ()  # of _BESIDE

    def fits(self, animal: Animal) -> bool:
        """Whether an animal that lies face up is meant, wherever it is."""
        return (
            self.face == "up"
            and animal.terrain in self.terrains
            and self.parity in (-1, animal.number % 2)
            and self.numbers[0] <= animal.number <= self.numbers[1]
            and self.stars[0] <= animal.stars <= self.stars[1]
        )

    def program(self, animals: Sequence[Animal]) -> Program:
        """The cells as the engine finds them. animals: by id."""
        parts: list[Program] = []
        fitting = sum(1 << i for i, animal in enumerate(animals) if self.fits(animal))
        if self.face != "up":
            parts.append([(self.face, 0)])
        elif fitting != (1 << len(animals)) - 1:
            parts.append([("cards", fitting)])
        elif not _LIE_FACE_UP.intersection(self.beside):
            parts.append([("up", 0)])
        if self.places != (1 << CELLS) - 1:
            parts.append([("cells", self.places)])
        parts += [_BESIDE[word] for word in self.beside]
        return [*parts[0], *(step for part in parts[1:] for step in (*part, ("and", 0)))]


Measure = Literal["count", "lines", "diagonals", "group", "run", "sum", "stars"]


class Test(NamedTuple):
    """A measure of the cells that fit, and between which numbers it must lie; highest: what it can be at most."""

    text: str
    measure: Measure
    cells: Cells
    low: int
    high: int
    highest: int

    def tests(self) -> Iterator[Test]:
        """This one test."""
        yield self

    def program(self, animals: Sequence[Animal]) -> Program:
        """The test as the engine computes it."""
        found = [*self.cells.program(animals), (self.measure, 0)]
        if self.low == self.high:
            return [*found, ("exactly", self.low)]
        if self.high == self.highest:
            return [*found, ("at least", self.low)]
        assert self.low == 0
        return [*found, ("at most", self.high)]


class Need(NamedTuple):
    """What a goal needs: parts that must all hold, or one of them."""

    text: str
    joint: Literal["and", "or"]
    parts: tuple[Test | Need, ...]

    def tests(self) -> Iterator[Test]:
        """All tests in it."""
        for part in self.parts:
            yield from part.tests()

    def program(self, animals: Sequence[Animal]) -> Program:
        """The whole as the engine computes it."""
        found = self.parts[0].program(animals)
        for part in self.parts[1:]:
            found += [*part.program(animals), (self.joint, 0)]
        return found


def held_at_once(program: Program) -> int:
    """How many values the engine holds at once while it computes a program."""
    found = height = 0
    for operation, _ in program:
        height += (operation in _PUSHES) - (operation in ("and", "or"))
        found = max(found, height)
    return found


@lru_cache(4096)
def needs(text: str) -> Test | Need:
    """What a goal needs: "at least 4 water in corners and no face down". Raises InputError."""
    words = Words(text, _WORDS)
    found = _any_of(words, 0)
    words.end("and", "or")
    return found


def _any_of(words: Words, depth: int) -> Test | Need:
    """Parts joined by "or"."""
    parts = [_all_of(words, depth)]
    while words.accept("or"):
        parts.append(_all_of(words, depth))
    return Need(" or ".join(part.text for part in parts), "or", tuple(parts)) if len(parts) > 1 else parts[0]


def _all_of(words: Words, depth: int) -> Test | Need:
    """Parts joined by "and", which binds tighter."""
    parts = [_part(words, depth)]
    while words.accept("and"):
        parts.append(_part(words, depth))
    if len(parts) == 1:
        return parts[0]
    texts = [f"({part.text})" if isinstance(part, Need) and part.joint == "or" else part.text for part in parts]
    return Need(" and ".join(texts), "and", tuple(parts))


def _part(words: Words, depth: int) -> Test | Need:
    """A test, or something in parentheses."""
    if words.accept("("):
        if depth == _DEEPEST:
            words.fail(message=f"more than {_DEEPEST} parentheses in one another", back=1)
        found = _any_of(words, depth + 1)
        words.expect(")")
        return found
    return _test(words)


def _amount(words: Words, most: int) -> tuple[str, int, int]:
    """At least, at most, exactly so many: how it is written, and the range; ("", 1, most) where nothing is said."""
    if words.accept("no"):
        return "no ", 0, 0
    if words.accept("exactly"):
        n = words.number(0, most)
        return f"exactly {n} ", n, n
    if words.accept("at"):
        if words.expect("least", "most") == "least":
            n = words.number(1, most)
            return f"at least {n} ", n, most
        n = words.number(0, most)
        return f"at most {n} ", 0, n
    return "", 1, most


def _test(words: Words) -> Test:
    """One test."""
    if words.accept("sum"):
        return _total(words, "sum", _cells(words, "stars") if words.accept("of") else Cells("any"))
    if words.phrase("stars", "of"):
        return _total(words, "stars", _cells(words))
    if words.next.isdecimal():  # "2 lines of water"
        low = words.number(1, CELLS)
        amount, high = f"{low} ", CELLS
        if words.next not in ("line", "lines", "diagonal", "diagonals"):
            words.fail("lines", "diagonals")
    else:
        amount, low, high = _amount(words, CELLS)
    for word, most in (("line", 6), ("diagonal", 2)):
        if words.accept(word, f"{word}s"):
            if low > most:
                words.fail(message=f"at most {most} {word}s, not {low}", back=1)
            words.expect("of")
            cells = _cells(words)
            said = f"{amount}{word}{'s' if amount not in ('', 'no ') else ''} of {cells.text}"
            return Test(said, "lines" if word == "line" else "diagonals", cells, low, min(high, most), most)
    if amount in ("", "no "):
        largest: tuple[Measure, Measure] = ("group", "run")
        for measure in largest:
            if words.accept(measure):
                return _largest(words, measure, amount)
    cells = _cells(words)
    room = cells.places.bit_count()
    if low > room:
        words.fail(message=f"there are only {room} such cells", back=1)
    return Test(f"{amount}{cells.text}", "count", cells, low, min(high, room), room)


def _total(words: Words, measure: Measure, cells: Cells) -> Test:
    """The sum of the numbers, or of the stars; only the amount is still to be read."""
    _face_up(words, cells)
    if words.next not in ("at", "exactly"):
        words.fail("at", "exactly")
    most = CELLS * (HIGHEST if measure == "sum" else MOST_STARS)
    amount, low, high = _amount(words, most)
    return Test(f"{measure} of {cells.text} {amount}".rstrip(), measure, cells, low, high, most)


def _largest(words: Words, measure: Measure, no: str) -> Test:
    """A group or a run of so many, or no such one."""
    words.expect("of")
    n = words.number(2, CELLS)
    if measure == "run" and words.next not in (*_FACES, *_PLACES):
        cells, said = Cells("any"), ""
    else:
        cells = _cells(words)
        said = f" {cells.text}"
    if measure == "run":
        _face_up(words, cells)
    low, high = (0, n - 1) if no else (n, CELLS)
    return Test(f"{no}{measure} of {n}{said}", measure, cells, low, high, CELLS)


def _face_up(words: Words, cells: Cells) -> None:
    if cells.face != "up":
        words.fail(message="only cards that lie face up have numbers and stars", back=1)


def _range(words: Words, low: int, high: int) -> tuple[int, int]:
    """ "3", or "3 to 5"."""
    first = words.number(low, high)
    return first, words.number(first, high) if words.accept("to") else first


def _cells(words: Words, *others: str) -> Cells:
    """What lies on a cell, and where it is: words that must all be true, at least one of them.

    others: what else could have stood there, for a complaint.
    """
    said: list[str] = []
    cells = Cells("")
    while not said or words.next in (*_FACES, *_PLACES):
        cells, word = _cell_word(words, cells, others)
        if word in said:
            words.fail(message=f"{word!r} is said twice", back=1)
        said.append(word)
        if not cells.terrains:
            words.fail(message="no animal is all of this", back=1)
        of_animal = "any" in said or cells._replace(face="up", places=(1 << CELLS) - 1, beside=()) != Cells("")
        if len({"face up", "face down", "empty"}.intersection(said)) + (of_animal and cells.face != "up") > 1:
            words.fail(message="a face-down card or an empty cell is nothing else", back=1)
    if said[0].startswith(("in ", "on ")):
        said.insert(0, "any")
    return cells._replace(text=" ".join(said))


def _cell_word(words: Words, cells: Cells, others: tuple[str, ...]) -> tuple[Cells, str]:
    """One thing more that the cells must be, and how it is written."""
    word = words.expect(*_FACES, *_PLACES, *others)
    if word in ("land", "water") and words.accept("boss"):
        return _beside(cells, f"{word} boss")
    if word == "boss":
        return _beside(cells, word)
    if word == "beside":
        terrain = words.accept("land", "water")
        words.expect("boss")
        return _beside(cells, f"beside {terrain} boss" if terrain else "beside boss")
    if word in _PLACES:
        return _place(words, cells, word)
    if word == "empty":
        return cells._replace(face="empty"), word
    if word == "face":
        word = words.expect("up", "down")
        return cells._replace(face="up" if word == "up" else "down"), f"face {word}"
    return _animal(words, cells, word)


def _animal(words: Words, cells: Cells, word: str) -> tuple[Cells, str]:
    """What an animal that lies face up must be."""
    if word == "even" or word == "odd":
        if cells.parity not in (-1, word == "odd"):
            words.fail(message="no number is even and odd", back=1)
        return cells._replace(parity=int(word == "odd")), word
    if word in ("number", "stars"):
        low, high = _range(words, 1, HIGHEST if word == "number" else MOST_STARS)
        text = f"{word} {low} to {high}" if low != high else f"{word} {low}"
        return cells._replace(numbers=(low, high)) if word == "number" else cells._replace(stars=(low, high)), text
    if word == "any":
        return cells, word
    if word == "only":
        terrain = words.expect("land", "water")
        allowed, word = {terrain}, f"only {terrain}"
    else:
        allowed = {"both"} if word == "both" else {word, "both"}
    return cells._replace(terrains=tuple(t for t in cells.terrains if t in allowed)), word


def _place(words: Words, cells: Cells, word: str) -> tuple[Cells, str]:
    """Where the cells must be."""
    if word in ("in", "on"):
        if word == "in" and words.next in ("land", "water"):
            terrain = words.expect("land", "water")
            words.expect("territory")
            return _beside(cells, f"in {terrain} territory")
        word = words.expect(*PLACES, "row", "column")
    if word == "row":
        row = words.number(1, 3)
        mask, text = _ROWS[row - 1], f"in row {row}"
    elif word == "column":
        column = words.expect("a", "b", "c")
        mask, text = _COLUMNS["abc".index(column)], f"in column {column}"
    else:
        mask, text = PLACES[word], f"on {word}" if word == "edges" else f"in {word}"
    if not cells.places & mask:
        words.fail(message="there is no such cell", back=1)
    return cells._replace(places=cells.places & mask), text


def _beside(cells: Cells, word: str) -> tuple[Cells, str]:
    return cells._replace(beside=tuple(sorted({*cells.beside, word}, key=list(_BESIDE).index))), word


@lru_cache(64)
def effect(text: str) -> Effect:
    """What a skill does: one of EFFECTS. Raises InputError."""
    words = Words(text, {word for name in EFFECTS for word in name.split()})
    first = words.expect(*dict.fromkeys(name.split()[0] for name in EFFECTS))
    likely = [name for name in EFFECTS if name.split()[0] == first]
    found = next((name for name in likely if words.phrase(*name.split()[1:])), None)
    if found is None:
        words.fail(*(name.split()[1] for name in likely))
    words.end()
    return found
