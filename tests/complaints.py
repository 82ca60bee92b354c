"""Rulesets and files with a change, and what is said about wrong ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import ninefold as nf
from ninefold.games import module
from ninefold.ruleset import resolve

__all__ = ["altered", "mutated", "said"]


def altered(name: str, **changes: Any) -> Any:
    """The standard ruleset of a game with these changes, as a file that extends it would say them."""
    return resolve({"ninefold": 1, "game": name, "extends": "standard", **changes}, module(name).ruleset_type)


def said(error: pytest.ExceptionInfo[nf.InputError]) -> str:
    """The message, which must be one line and not too long."""
    text = str(error.value)
    assert len(text.splitlines()) == 1
    assert len(text) < 300
    return text


def mutated(data: Any, rng: random.Random, words: Sequence[str]) -> Any:
    """The data with one value somewhere in it changed, a text to one of these, or taken out, or there several times."""
    if isinstance(data, dict) and data:
        key = rng.choice(list(data))
        if rng.random() < 0.1:
            return {name: value for name, value in data.items() if name != key}
        return {**data, key: mutated(data[key], rng, words)}
    if isinstance(data, list) and data:
        i = rng.randrange(len(data))
        if rng.random() < 0.2:
            return data[:i] + data[i : i + 1] * rng.choice((0, 2, 9)) + data[i + 1 :]
        return [*data[:i], mutated(data[i], rng, words), *data[i + 1 :]]
    if isinstance(data, int):
        return rng.choice((data + 1, data - 1, 0, 3))
    return rng.choice(words) if isinstance(data, str) else data
