"""Sphinx: `sphinx-build -W -b html docs docs/_build`."""

from __future__ import annotations

import re
from typing import Any

import ninefold

project = "ninefold"
author = "The ninefold developers"
project_copyright = f"2026, {author}"
release = version = ninefold.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
default_role = "code"  # docstrings write names as pages do, between single backticks
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # "…" stands for more in talks of JSON lines
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
html_theme = "furo"
html_title = f"ninefold {release}"


def _escape(app: Any, what: str, name: str, thing: object, options: Any, lines: list[str]) -> None:
    """Stars in docstrings are arithmetic, not emphasis."""
    lines[:] = [re.sub(r"(`[^`]*`)|\*", lambda found: found[1] or r"\*", line) for line in lines]


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.connect("autodoc-process-docstring", _escape)
