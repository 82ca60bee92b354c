"""Solutions: exact answers, with what is proven of them so far."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["Solution"]


class Solution(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An exact answer, or how far its proof has come.

    question: maximum, value, farm or land. objective: score, margin or win; of two players, to player 0. lower, upper:
    proven bounds on the value; equal where it is solved. line: the steps, as in a record, that reach `lower`; where
    chance plays a part the likeliest course; of a farm or a land the order of placing. stopped: what ended the search:
    proven, time, nodes, interrupted, in words why it cannot go on, or "" while it does. optimal: all first moves that
    keep the value, if they were asked for. mixes: an equilibrium, by seat, where two choose at once. farm: a card by
    cell, "-" where empty; points: what its worth is made of. certificate: a puzzle file with its answer: `ninefold
    check` replays it.
    """

    question: str
    objective: str
    lower: float | None
    upper: float | None
    line: list[str]
    stopped: str
    nodes: int
    memory: int
    time: float
    optimal: list[str] | None = None
    mixes: list[dict[str, float]] | None = None
    farm: list[str] | None = None
    points: dict[str, int] | None = None
    certificate: dict[str, Any] | None = None
    remarks: list[str] = []

    @property
    def proven(self) -> bool:
        """Whether the bounds have met, or it is proven that there is no answer."""
        return self.stopped == "proven"

    @property
    def value(self) -> float | None:
        """The proven value, None before it is."""
        return self.lower if self.proven else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {**data, "value": self.value}
