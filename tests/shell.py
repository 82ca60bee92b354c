"""The command line, as the tests call it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["ROOT", "run"]

ROOT = Path(__file__).parent.parent


def run(*arguments: str, text: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    """`ninefold …`, which must exit with this code."""
    done = subprocess.run(
        [sys.executable, "-m", "ninefold", *arguments], input=text, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done
