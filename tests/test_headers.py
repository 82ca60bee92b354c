"""The C headers, checked by a C program against the obvious: as built here, and in their portable form."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
FLAGS = {
    "plain": ["-O1"],
    "baseline": ["-O3", "-march=x86-64-v2"],
    "portable": ["-O2", "-U__SSE2__"],
    "checked": ["-O1", "-g", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"],
}


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_headers(flags: list[str], tmp_path: Path) -> None:
    assert COMPILER is not None
    program = tmp_path / "headers"
    command = [COMPILER, "-std=gnu11", *flags, "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    command += ["-I", str(HERE.parent / "src"), str(HERE / "test_headers.c"), "-o", str(program), "-lm"]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode and any(flag.startswith(("-m", "-fsanitize")) for flag in flags):
        pytest.skip(f"not for this compiler: {built.stderr.splitlines()[0]}")
    assert built.returncode == 0, built.stderr
    done = subprocess.run([program], capture_output=True, text=True)
    assert done.returncode == 0, f"test_headers.c, about line {done.returncode} (modulo 256): {done.stderr}"
