"""The command line, as the tests call it, and the files that its help speaks of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["EXAMPLES", "ROOT", "run"]

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(file for file in (ROOT / "examples").rglob("*.toml") if file.name != "pyproject.toml")


def run(*arguments: str, text: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    """`ninefold …`, which must exit with this code."""
    done = subprocess.run(
        [sys.executable, "-m", "ninefold", *arguments], input=text, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done
