"""C and C++ prototypes to be measured against in one run: they are compiled from a folder that the caller names."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

FLAGS = ["-O3", "-march=native", "-w"]


def build(folder: Path, name: str, *, wrapper: str = "", shared: bool = False) -> Path:
    """Compile `name` of the folder, optionally around a wrapper that includes it with its main renamed to `yard_main`.

    Returns the program, or with `shared` the library. Exits with a clear message where that is impossible.
    """
    source = folder / name
    compiler = "g++" if source.suffix == ".cpp" else "gcc"
    if not source.is_file():
        raise SystemExit(f"{source}: no such file: name the folder of the prototypes with --yardstick")
    if shutil.which(compiler) is None:
        raise SystemExit(f"{compiler} is needed to build {name}")
    work = Path(tempfile.mkdtemp(prefix="ninefold-yardstick-"))
    if wrapper:
        text = f'#define main yard_main\n#include "{source.resolve()}"\n#undef main\n{wrapper}'
        source = work / f"wrapped{source.suffix}"
        source.write_text(text)
    target = work / (source.stem + (".so" if shared else ""))
    standard = ["-std=c++17"] if compiler == "g++" else []
    subprocess.run(
        [compiler, *FLAGS, *standard, *(["-shared", "-fPIC"] if shared else []), str(source), "-o", str(target), "-lm"],
        check=True,
    )  # fmt: skip
    return target


def run(program: Path, *arguments: str) -> str:
    """The standard output of a prototype."""
    return subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True).stdout
