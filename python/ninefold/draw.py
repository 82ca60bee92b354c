"""Pictures as SVG: boxes and lines of text on a canvas, light or dark as the reader's screen is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["COLOURS", "HEIGHT", "STYLE", "Canvas", "bare"]

HEIGHT = 18  # of a line of text
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
)  # of players; those who see few colours can tell them apart
STYLE = """
  svg { --ink: #24292f; --faint: #6e7781; --paper: #ffffff; --card: #f6f8fa; --edge: #d0d7de; --mark: #0969da }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #e6edf3; --faint: #8b949e; --paper: #0d1117; --card: #161b22; --edge: #30363d; --mark: #58a6ff }
  }
  text { font: 13px system-ui, sans-serif; fill: var(--ink); white-space: pre }
  .strong { font-weight: 600 }
  .faint { fill: var(--faint); font-size: 11px }
  .mark { fill: var(--mark) }
  .paper { fill: var(--paper) }
  .card { fill: var(--card); stroke: var(--edge) }
  .grid { fill: none; stroke: var(--edge) }
  .empty { fill: none; stroke: var(--edge); stroke-dasharray: 4 4 }
"""


class Canvas:
    """What has been drawn so far. Positions are pixels from the top left; the size grows with what is drawn."""

    def __init__(self, title: str) -> None:
        """An empty canvas; the title is what is read out."""
        self.title = title
        self.parts: list[str] = []
        self.width = self.height = 0

    def _reach(self, x: int, y: int) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(self, x: int, y: int, text: str, kind: str = "", *, room: int | None = None) -> None:
        """A line of text whose top left corner is here: plain, "strong", "faint" or "mark"; cut where `room` ends."""
        size = 6 if kind == "faint" else 7  # generous: fonts differ
        if room is not None and len(text) * size > room:
            text = text[: room // size - 1] + "…"
        style = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{x}" y="{y + 13}"{style}>{escape(text)}</text>')
        self._reach(x + len(text) * size, y + HEIGHT)

    def box(self, x: int, y: int, width: int, height: int, kind: str = "card") -> None:
        """A box: "card" or "empty"."""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" class="{kind}"/>')
        self._reach(x + width, y + height)

    def dot(self, x: int, y: int, colour: str) -> None:
        """A spot of colour as high as a small letter; its outline keeps it visible on any ground."""
        self.parts.append(f'<circle cx="{x + 5}" cy="{y + 5}" r="5" fill="{colour}" stroke="#8b949e"/>')
        self._reach(x + 10, y + 10)

    def bar(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """A filled bar."""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" fill="{colour}"/>')
        self._reach(x + width, y + height)

    def line(self, corners: Sequence[tuple[int, int]], colour: str | None = None) -> None:
        """A line through these points; without a colour a faint one, such as those of a grid."""
        style = 'class="grid"' if colour is None else f'fill="none" stroke="{colour}" stroke-width="2"'
        self.parts.append(f'<polyline points="{" ".join(f"{x},{y}" for x, y in corners)}" {style}/>')
        self._reach(max(x for x, _ in corners), max(y for _, y in corners))

    def svg(self) -> str:
        """The picture as the text of an SVG file."""
        width, height = self.width + 16, self.height + 16
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' role="img"><title>{escape(self.title)}</title><style>{STYLE}</style>'
            f'<rect width="{width}" height="{height}" class="paper"/>'
        )
        return "\n".join([head, *self.parts, "</svg>"]) + "\n"


def bare(svg: str) -> str:
    """A picture without its style, for a page whose own style holds `STYLE`."""
    return svg.replace(f"<style>{STYLE}</style>", "")
