"""Answers: what a search says about a position."""

from __future__ import annotations

import re

import msgspec

from ninefold.errors import InputError, shown
from ninefold.move import Move

__all__ = ["Analysis", "Limit", "MoveInfo", "Opponent", "Reply", "Unseen"]

OBJECTIVES = ("win", "margin", "score")


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """When to stop: at the first of these that is reached. Without any, after two seconds.

    time: seconds. visits: visits of the search tree. nodes: nodes of the tree. separated: stop when the best move's
    interval at this confidence lies above every other's (0.5 .. 0.9999). Raises InputError for anything out of range.
    """

    time: float | None = None
    visits: int | None = None
    nodes: int | None = None
    separated: float | None = None

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, low, high in (
            ("time", 0.001, 1e7),
            ("visits", 1, 10**12),
            ("nodes", 1, 10**12),
            ("separated", 0.5, 0.9999),
        ):
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise InputError(
                    f"must be from {low:g} to {high:g}, not {shown(value)}", path=f"limit.{name}", value=value
                )


class Opponent(msgspec.Struct, frozen=True):
    """How the other players are taken to choose: parts of (weight, temperature).

    temperature: of a softmax over the game's quick guess of each move's worth, in points; 0 chooses uniformly, below 0
    searches for himself. `parse` reads ``self``, ``uniform``, ``softmax:1.5`` and mixtures such as
    ``0.7*softmax:1 + 0.3*uniform``; `str()` writes it.
    """

    parts: tuple[tuple[float, float], ...]

    @classmethod
    def parse(cls, text: str) -> Opponent:
        """Read an opponent model. Raises InputError."""
        parts: list[tuple[float, float]] = []
        for word in text.replace(" ", "").lower().split("+"):
            found = re.fullmatch(r"(?:(\d*\.?\d+)\*)?(self|uniform|softmax(?::(\d*\.?\d+))?)", word)
            weight = float(found[1] or 1) if found else 0
            if not found or not 0 < weight < 1e6 or not (found[3] is None or 0.01 <= float(found[3]) <= 1000):
                raise InputError(
                    f"unknown opponent model {shown(text)}: self, uniform, softmax:T with T from 0.01 to 1000, "
                    "or a mixture such as 0.7*softmax:1+0.3*uniform", value=text
                )  # fmt: skip
            kind = found[2]
            parts.append((weight, -1.0 if kind == "self" else 0.0 if kind == "uniform" else float(found[3] or 1)))
        if len(parts) > 8:
            raise InputError("an opponent model has at most 8 parts", value=text)
        total = sum(weight for weight, _ in parts)
        return cls(tuple((weight / total, temperature) for weight, temperature in parts))

    @property
    def searches(self) -> bool:
        """Whether they search for themselves, and nothing else."""
        return all(temperature < 0 for _, temperature in self.parts)

    @property
    def rollout(self) -> float:
        """The temperature for playouts: the heaviest softmax part's, 0 (uniform) without one."""
        return max((part for part in self.parts if part[1] > 0), default=(0.0, 0.0))[1]

    def __str__(self) -> str:
        words = [
            "self" if temperature < 0 else "uniform" if temperature == 0 else f"softmax:{temperature:g}"
            for _, temperature in self.parts
        ]
        if len(words) == 1:
            return words[0]
        return " + ".join(f"{weight:.3g}*{word}" for (weight, _), word in zip(self.parts, words, strict=True))


# What ended a search, in words.
_ENDS = {
    "time": "time is up",
    "visits": "all visits made",
    "nodes": "all nodes made",
    "separated": "one move is best",
}


class MoveInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the search says about one move. Players' lists are in the order of seats.

    share: part of the answer's mixed strategy (0 .. 1). value: what the objective is worth to the mover against the
    answer's opponents. interval: 95 % confidence, `lcb` its lower end; `bounds` is given where the value is proven.
    win: each player's share of the win, ties split. score_mean, score_stdev: points at the end. line: the principal
    variation as text, from this move on. order: 0 for the best.
    """

    move: Move
    order: int
    share: float
    visits: int
    value: float
    interval: tuple[float, float]
    lcb: float
    win: list[float] | None = None
    score_mean: list[float] | None = None
    score_stdev: list[float] | None = None
    bounds: tuple[float, float] | None = None
    line: list[str] = []


class Reply(msgspec.Struct, frozen=True):
    """How likely the answer takes another player's move to be."""

    player: int
    move: Move
    share: float


class Unseen(msgspec.Struct, frozen=True):
    """What the player whom an answer is for has not seen at one place, and how likely each card is there: exact.

    where: such as "pile 3". cards: how many lie there that he has not seen. each: by card, the chance that one of them,
    any one, is it. some: by kind of card, as the game's page puts them together, the chance that at least one is there.
    """

    where: str
    cards: int
    each: dict[str, float]
    some: dict[str, float]


class Analysis(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer for one player at one position.

    player: for whom. objective: win, margin or score. opponent: the model of the others, as text. moves: best first.
    value: what the answer's mix is worth; interval: 95 %. proven: whether the value and the mix are exact. replies: the
    others' moves that the answer expects now. exploitability: how much the mix and the replies give away together
    against best responses in the matrix of the root, where the root is one. full: whether the memory bound was reached:
    the tree grew no further, or proven values displaced others and were found again. stopped: what ended the search:
    time, visits, nodes, separated, proven or interrupted. unseen: what may lie where the player has not looked, in
    games that tell it; by what has been seen, not by others' moves.
    """

    player: int
    objective: str
    opponent: str
    moves: list[MoveInfo]
    value: float
    interval: tuple[float, float]
    proven: bool
    stopped: str
    visits: int
    nodes: int
    memory: int
    time: float
    seed: int
    threads: int
    replies: list[Reply] = []
    exploitability: float | None = None
    full: bool = False
    unseen: list[Unseen] = []

    @property
    def best(self) -> Move:
        """The move with the largest share."""
        return self.moves[0].move

    @property
    def outlook(self) -> list[float]:
        """What the answer's mix leads to: everybody's share of the win, by seat, or its value where that is points."""
        said = [(info.share, info.win) for info in self.moves if info.share and info.win]
        if not said:
            return [self.value]
        whole = sum(share for share, _ in said)
        return [sum(share * win[seat] for share, win in said) / whole for seat in range(len(said[0][1]))]

    def draw(self, x: float) -> Move:
        """The move that a number from [0, 1) picks from the mixed strategy."""
        for info in self.moves:
            x -= info.share
            if x < 0:
                return info.move
        return self.moves[0].move

    def worth(self, value: float) -> str:
        """A value in the unit of the objective, in words: per cent of a win, or points."""
        return f"{min(max(value, 0), 1):.1%}" if self.objective == "win" else f"{value:+.2f}"

    def error(self, info: MoveInfo) -> str:
        """How sure the value of a move is, in words: half its 95 % interval, "proven", or "not tried"."""
        if info.bounds:
            return "proven"
        return f"± {self.worth(info.value - info.lcb).lstrip('+')}" if info.visits else "not tried"

    def headline(self) -> str:
        """For whom, what it is worth, how sure that is, and what the others are taken to do."""
        what = {"win": "share of the win", "margin": "points ahead", "score": "points"}[self.objective]
        low, high = self.interval
        sure = "proven" if self.proven else f"{self.worth(low)} … {self.worth(high)}"
        return f"player {self.player}: {self.worth(self.value)} ({what}; {sure}), others: {self.opponent}"

    def remarks(self) -> list[str]:
        """What the others are expected to do, the line of play, what the mixes give away, and the work done."""
        lines = []
        for seat in sorted({reply.player for reply in self.replies}):
            mix = ", ".join(f"{r.move} {r.share:.0%}" for r in self.replies if r.player == seat and r.share >= 0.005)
            lines.append(f"player {seat} is expected to play {mix}")
        if self.moves[0].line:
            lines.append("line: " + " · ".join(self.moves[0].line))
        if self.exploitability is not None and not self.proven:
            lines.append(f"the mixes give away {self.exploitability:.4f} in the sampled matrix of this round")
        full = "values displaced others" if self.proven else "the tree grew no further"
        lines.append(
            f"{'solved' if self.proven else 'searched'} in {self.time:.2f} s"
            + (f", {self.visits:,} visits" if self.visits else "")
            + f", {self.nodes:,} nodes, {self.memory / 2**20:.1f} MiB"
            + (f"; {_ENDS.get(self.stopped, self.stopped)}" if self.stopped and not self.proven else "")
            + (f"; memory is full: {full}" if self.full else "")
        )
        return lines

    def to_svg(self) -> str:
        """A picture of the answer as the text of an SVG file; it is light or dark as the reader's screen is."""
        from ninefold.charts import analysis_svg

        return analysis_svg(self)

    _repr_svg_ = to_svg  # notebooks show it

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON; moves by their notation."""
        data: dict[str, object] = msgspec.to_builtins(self, enc_hook=str)
        return data
