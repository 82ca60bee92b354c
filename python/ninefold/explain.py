"""Why this move and not that one: both are tried in the same games, and their points compared source by source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

from ninefold.analysis import OBJECTIVES, Analysis, Limit, MoveInfo
from ninefold.core.search import pairs
from ninefold.errors import InputError, located, near, whole
from ninefold.move import Move
from ninefold.position import Position
from ninefold.search import Question, best
from ninefold.trees import CONFIDENCE, half_width

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Difference", "Explanation", "Side", "explain"]

SAMPLES = 2000  # pairs of games
FEWEST = 30  # of them, for intervals that mean something
MOST = 1_000_000
CHUNK = 32  # pairs between two looks at the keyboard
NAMED = 4  # sources that a sentence names
SHARE = 0.01  # of a mix, from which it is spoken of

Sums = tuple[float, float, float, float]  # as `pairs.compare` gives them


class Difference(msgspec.Struct, frozen=True):
    """How much more one number is after the one move than after the other.

    player: whose; None: of all opponents together. what: the source of points (`Game.sources`), or "points" or "win".
    one, other: means after the two moves. mean: of the differences. error: half of its 95 % interval. clear: whether it
    is beyond noise: at 95 %, of the sources all together, so that one in twenty explanations names one wrongly.
    """

    player: int | None
    what: str
    one: float
    other: float
    mean: float
    error: float
    clear: bool

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.error:.2f}"


class Side(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the answer says about one of the two moves, as `MoveInfo`; about: what it names, such as a card bid for."""

    move: Move
    about: str
    share: float
    value: float
    error: float
    visits: int
    bounds: tuple[float, float] | None = None
    line: list[str] = []

    def __str__(self) -> str:
        return f"{self.move} ({self.about})" if self.about else str(self.move)


class Explanation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why one move rather than another, for one player.

    move, against: the two moves, as the answer sees them; against is None where the player has no choice. proven:
    whether both are worth exactly what is said. samples: pairs of games that were played on after the two moves, each
    pair in the same world and with the same luck, everybody by the game's guess at `temperature` points; same: those in
    which nobody's points came out differently. Differences are `move` less `against`: worth (by the objective), win and
    points by player, sources of his points (own and each opponent's, what decides most first), and denial, the sources
    of all opponents together with the sign turned: what `move` takes from them.
    """

    player: int
    objective: str
    move: Side
    against: Side | None
    proven: bool
    samples: int = 0
    same: int = 0
    temperature: float = 0
    seed: int = 0
    worth: Difference | None = None
    win: list[Difference] = []
    points: list[Difference] = []
    sources: list[Difference] = []
    denial: list[Difference] = []

    @property
    def own(self) -> list[Difference]:
        """The sources of the player's own points, what decides most first."""
        return [one for one in self.sources if one.player == self.player]

    @property
    def deciding(self) -> list[Difference]:
        """The sources of his own points and those of `denial` together, what decides most first."""
        return _ordered([*self.own, *self.denial], self.player, len(self.points))

    def lines(self) -> list[str]:
        """The explanation in plain sentences."""
        if self.against is None:
            return [f"{self.move} is the only move that player {self.player} has"]
        lines = [self._judged(self.move, self.against)]
        if min(self.move.share, self.against.share) >= SHARE:
            lines.append(
                f"the answer mixes them: {self.move.move} {self.move.share:.0%}, "
                f"{self.against.move} {self.against.share:.0%}; between moves of a mix there is little to choose"
            )
        games = f"in {self.samples:,} pairs of games with the same luck"
        if self.same == self.samples:
            lines.append(f"{games} nobody's points differ between {self.move.move} and {self.against.move}")
        else:
            lines += [self._compared(games, self.move.move, self.against.move), *self._by_source()]
        lines += self._doubts(self.move, self.against)
        lines += [f"{side.move}: {' · '.join(side.line)}" for side in (self.move, self.against) if side.line]
        return lines

    def _judged(self, one: Side, other: Side) -> str:
        """What the answer says about both moves."""
        unit = {"win": "share of the win", "margin": "points ahead", "score": "points"}[self.objective]
        if self.proven and math.isclose(one.value, other.value, abs_tol=1e-9):
            return f"proven: {one} and {other} are both worth {self._worth(one.value)} ({unit})"
        if self.proven:
            values = self._worth(one.value), self._worth(other.value)
            return f"proven: {one} is worth {values[0]}, {other} {values[1]} ({unit})"
        return f"by the search {one} is worth {self._sure(one)}, {other} {self._sure(other)} ({unit})"

    def _worth(self, value: float) -> str:
        return f"{value:.1%}" if self.objective == "win" else f"{value:+.2f}"

    def _sure(self, side: Side) -> str:
        if side.bounds is None and not side.visits:
            return "unknown (not tried)"
        error = "(proven)" if side.bounds else f"± {self._worth(side.error).lstrip('+')}"
        return f"{self._worth(side.value)} {error}"

    def _compared(self, games: str, one: Move, other: Move) -> str:
        """What the pairs of games say in all."""
        own = [difference for difference in (*self.win, *self.points) if difference.player == self.player]
        if any(difference.clear for difference in own):
            return f"{games} {one}, compared with {other}, {' and '.join(map(_in_words, own))}"
        sizes = ", ".join(map(_size, own))
        return f"{games} {one} and {other} cannot be told apart: {sizes}"

    def _by_source(self) -> list[str]:
        """The sources that are beyond noise."""
        who = "the opponent's points" if len(self.points) == 2 else "the opponents' points together"
        theirs = [msgspec.structs.replace(one, mean=-one.mean) for one in self.denial]
        said = [
            f"{whose}: {_listed(clear)}"
            for whose, differences in (("its own points", self.own), (who, theirs))
            if (clear := [one for one in differences if one.clear])
        ]
        return said or [f"no source of points differs by more than noise; most of all {_listed(self.deciding[:1])}"]

    def _doubts(self, one: Side, other: Side) -> list[str]:
        """Where the games played on do not show what the answer says."""
        assert self.worth is not None
        ahead = one.value - other.value
        if abs(ahead) <= (1e-9 if self.proven else one.error + other.error):
            return []
        better = one.move if ahead > 0 else other.move
        if not self.worth.clear:
            return [f"that {better} is better shows only in play that looks further ahead than these games do"]
        if ahead * self.worth.mean < 0:
            return [f"these games prefer the other one: {better} is better only in play that looks further ahead"]
        return []

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON; moves by their notation."""
        data: dict[str, object] = msgspec.to_builtins(self, enc_hook=str)
        return data

    def __rich__(self) -> RenderableType:
        from rich import box
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        words = [Text(line) for line in self.lines()]
        if self.against is None or not self.sources:
            return Group(*words)
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column(f"{self.move.move} less {self.against.move}")
        table.add_column(f"player {self.player}", justify="right")
        if self.denial:
            table.add_column("taken from the others", justify="right")

        def cell(difference: Difference | None) -> Text:
            if difference is None:
                return Text("–", style="dim")
            text = f"{difference.mean:+.1%} ± {difference.error:.1%}" if difference.what == "win" else str(difference)
            return Text(text, style="bold" if difference.clear else "dim")

        own = {difference.what: difference for difference in self.own}
        denial = {difference.what: difference for difference in self.denial}
        for name in dict.fromkeys(difference.what for difference in self.deciding):
            table.add_row(name, cell(own.get(name)), *[cell(denial.get(name))] * bool(denial))
        table.add_section()
        for difference in (*self.points, *self.win):
            if difference.player == self.player:
                table.add_row(f"all {difference.what}" if difference.what == "points" else "win", cell(difference))
        return Group(*words, table, Text("± half of a 95 % interval; bold: beyond noise", style="dim"))


def explain(
    position: Position,
    move: Move | int | str | None = None,
    *,
    player: int | None = None,
    against: Move | int | str | None = None,
    answer: Analysis | None = None,
    limit: Limit | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Explanation:
    """Why a move: the differences that decide between two moves, in points by their source.

    Without moves, the answer's best move against the next best. With `move`, the best one against it; the best move
    itself against the next best. With `against`, `move` (or the best one) against that. player: for whom; the first who
    must choose if not given. answer: what `ninefold.best` says about the position; found within `limit` (default: two
    seconds) if not given. samples: pairs of games (30 .. 1,000,000). The same answer, seed and samples give the same
    explanation; what the player has not seen is drawn anew in each pair and does not come into it.

    Raises InputError for a move that is not legal, two equal moves, an answer about something else, numbers out of
    range, and a position in which this player has nothing to choose.
    """
    samples = whole("samples", samples, FEWEST, MOST)
    if answer is not None and player is not None and answer.player != player:
        raise InputError(f"the answer is for player {answer.player}", path="player", value=player)
    if answer is None:
        Question(position, Limit(), player=player, seed=seed)  # complains before anybody thinks for seconds
        answer = best(position, limit, player=player, seed=seed)
    asked = Question(
        position, Limit(), player=answer.player, objective=answer.objective, opponent=answer.opponent, seed=seed
    )
    if sorted(asked.moves) != sorted(info.move for info in answer.moves):
        raise InputError("the answer is about another position", path="answer")
    one, other = _chosen(asked, answer, move, against)
    if other is None:
        return Explanation(
            player=answer.player, objective=answer.objective, move=_side(asked, one), against=None, proven=answer.proven
        )
    return _sampled(asked, answer, one, other, samples, seed)


def _chosen(
    asked: Question, answer: Analysis, move: Move | int | str | None, against: Move | int | str | None
) -> tuple[MoveInfo, MoveInfo | None]:
    """The two moves to be compared, the second one None if there is no other."""
    ranked = answer.moves
    if len(ranked) == 1 and move is None and against is None:
        return ranked[0], None
    one = None if move is None else _found(asked, ranked, move, "move")
    other = None if against is None else _found(asked, ranked, against, "against")
    if one is None:
        one = ranked[0] if other is not ranked[0] else ranked[min(1, len(ranked) - 1)]
    elif other is None and one is not ranked[0]:
        one, other = ranked[0], one
    if other is None:
        other = ranked[1] if len(ranked) > 1 else None
    if one is other:
        raise InputError("a move cannot be compared with itself", path="against", value=str(one.move))
    return one, other


def _found(asked: Question, ranked: Sequence[MoveInfo], move: Move | int | str, path: str) -> MoveInfo:
    with located(path=path):
        found = asked.position.game.move(move)
    for info in ranked:
        if info.move == found:
            return info
    legal = [str(info.move) for info in ranked]
    raise InputError(
        f"player {asked.player} can't do that here", path=path, value=str(found), match=near(str(found), legal)
    )


def _side(asked: Question, info: MoveInfo) -> Side:
    about = asked.position.game.module.gloss(asked.position.view(asked.player), info.move)
    return Side(info.move, about, info.share, info.value, info.value - info.lcb, info.visits, info.bounds, info.line)


def _sampled(asked: Question, answer: Analysis, one: MoveInfo, other: MoveInfo, samples: int, seed: int) -> Explanation:
    """Play the pairs, and see what differs."""
    position, me = asked.position, asked.player
    replies = [(reply.player, int(reply.move), reply.share) for reply in answer.replies]
    total: list[Sums] = []
    same = 0
    for first in range(0, samples, CHUNK):
        alike, worth, win, points, parts, others = pairs.compare(
            position, me, one.move, other.move, min(CHUNK, samples - first), temperature=asked.rollout,
            objective=OBJECTIVES.index(asked.objective), replies=replies, seed=seed, first=first,
        )  # fmt: skip
        same += alike
        row = [worth, *win, *points, *(sums for own in parts for sums in own), *map(_minus, others)]
        total = [_sum(a, b) for a, b in zip(total, row, strict=True)] if total else row
    names, seats = position.game.sources, range(position.players)
    rows = iter(total)
    overall = [
        _difference(seat, what, next(rows), samples)
        for what, whose in ((asked.objective, [me]), ("win", seats), ("points", seats))
        for seat in whose
    ]
    by_source = [(seat, name, next(rows)) for seat in (*seats, None) for name in names]
    differing = [source for source in by_source if source[2][3]]
    tests = sum(seat is not None for seat, _, _ in differing)
    differences = _ordered([_difference(*source, samples, tests) for source in differing], me, len(seats))
    return Explanation(
        player=me, objective=asked.objective, move=_side(asked, one), against=_side(asked, other),
        proven=one.bounds is not None and other.bounds is not None, samples=samples, same=same,
        temperature=asked.rollout, seed=seed, worth=overall[0],
        win=[found for found in overall[1:] if found.what == "win"] if len(seats) > 1 else [],
        points=[found for found in overall if found.what == "points"],
        sources=[found for found in differences if found.player is not None],
        denial=[found for found in differences if found.player is None],
    )  # fmt: skip


def _ordered(differences: list[Difference], player: int, seats: int) -> list[Difference]:
    """What decides most first: beyond noise, then large. Points of others count by their mean over the opponents."""

    def weight(one: Difference) -> tuple[bool, float]:
        return one.clear, abs(one.mean) if one.player == player else abs(one.mean) / max(1, seats - 1)

    return sorted(differences, key=weight, reverse=True)


def _difference(player: int | None, what: str, sums: Sums, n: int, tests: int = 1) -> Difference:
    """From the sums over n pairs; beyond noise, where so many tests are made at once (Bonferroni)."""
    one, other, total, squared = sums
    error = half_width([(n, total, squared, [], [], [])], [1.0])
    strict = NormalDist().inv_cdf(1 - 0.025 / max(1, tests)) / CONFIDENCE
    return Difference(player, what, one / n, other / n, total / n, error, abs(total / n) > error * strict)


def _sum(a: Sums, b: Sums) -> Sums:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]


def _minus(sums: Sums) -> Sums:
    return -sums[0], -sums[1], -sums[2], sums[3]


def _listed(differences: Sequence[Difference]) -> str:
    """The first few in words, and how many more there are."""
    more = len(differences) - NAMED
    words = [f"{difference} by {difference.what}" for difference in differences[:NAMED]]
    return ", ".join(words) + (f" and {more} more" if more > 0 else "")


def _size(one: Difference) -> str:
    """Of wins or points in all."""
    if one.what == "win":
        return f"{100 * one.mean:+.1f} ± {100 * one.error:.1f} % of the win"
    return f"{one} points"


def _in_words(one: Difference) -> str:
    if not one.clear:
        return f"{'wins' if one.what == 'win' else 'scores'} neither more nor less that can be told ({_size(one)})"
    more = "more" if one.mean > 0 else "less"
    if one.what == "win":
        return f"wins {100 * abs(one.mean):.1f} ± {100 * one.error:.1f} % {more}"
    return f"has {abs(one.mean):.2f} ± {one.error:.2f} points {more}"
