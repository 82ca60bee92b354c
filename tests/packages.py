"""Packages as they look when they are installed, without an installer: for tests of plug-ins."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.shell import ROOT

__all__ = ["EXAMPLE", "example", "install"]

EXAMPLE = ROOT / "examples" / "plugin"


def install(folder: Path, name: str, modules: Mapping[str, str], points: Mapping[str, Mapping[str, str]]) -> None:
    """Put a package into the folder: its modules (name: text), and its entry points (group: name: value)."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [line for group, named in points.items() for line in (f"[{group}]", *map(" = ".join, named.items()))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)


def example(folder: Path) -> list[str]:
    """The package of `examples/plugin`: what belongs in front of `sys.path` when this folder has its entry points."""
    said = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install(folder, said["name"], {}, said["entry-points"])
    return [str(folder), str(EXAMPLE / "src")]
