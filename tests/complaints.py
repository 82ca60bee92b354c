"""Rulesets with a change, and what is said about wrong ones."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.games import module
from ninefold.ruleset import resolve

__all__ = ["altered", "said"]


def altered(name: str, **changes: Any) -> Any:
    """The standard ruleset of a game with these changes, as a file that extends it would say them."""
    return resolve({"ninefold": 1, "game": name, "extends": "standard", **changes}, module(name).ruleset_type)


def said(error: pytest.ExceptionInfo[nf.InputError]) -> str:
    """The message, which must be one line and not too long."""
    text = str(error.value)
    assert len(text.splitlines()) == 1
    assert len(text) < 300
    return text
