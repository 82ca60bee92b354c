"""The notebooks of `examples/notebooks` run from top to bottom."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell import ROOT

pytestmark = pytest.mark.unsanitized

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
# A process of its own, for what Jupyter's packages warn about is not ninefold's.
RUN = """
import sys
import nbformat
from nbclient import NotebookClient
NotebookClient(nbformat.read(sys.argv[1], 4), timeout=120, kernel_name="python3",
               resources={"metadata": {"path": sys.argv[2]}}).execute()
"""


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook_runs(file: Path, tmp_path: Path) -> None:
    for package in ("nbclient", "ipykernel", "numpy"):
        pytest.importorskip(package)
    own = {**os.environ, "IPYTHONDIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(file), str(file.parent)], capture_output=True, text=True, timeout=200, env=own
    )
    assert done.returncode == 0, done.stderr


def test_there_are_notebooks_and_they_hold_no_output() -> None:
    assert len(NOTEBOOKS) >= 2
    for file in NOTEBOOKS:
        assert '"outputs": []' in file.read_text(encoding="utf-8")
        assert '"output_type"' not in file.read_text(encoding="utf-8")
