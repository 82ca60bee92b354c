"""Memory: bounds hold, what the system allows is found out, and what is short is said, not fatal."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ninefold as nf
from ninefold import InputError, memory
from ninefold.memory import default_memory, free_memory
from tests.shell import ROOT

pytestmark = pytest.mark.unsanitized

MIB = 1 << 20
MEMINFO = "MemTotal: 9000000 kB\nMemFree: 10 kB\nMemAvailable: 4194304 kB\n"  # 4 GiB


def machine(top: Path, files: dict[str, str]) -> int:
    """What is free where these files are."""
    for name, text in ({"proc/meminfo": MEMINFO} | files).items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    return free_memory(str(top)) // MIB


def test_the_machine_says_what_is_free(tmp_path: Path) -> None:
    assert machine(tmp_path, {}) == 4096
    assert machine(tmp_path, {"proc/self/cgroup": "0::/\n"}) == 4096


def test_control_groups_count_up_to_the_root(tmp_path: Path) -> None:
    top = "sys/fs/cgroup"
    group = {"proc/self/cgroup": "0::/user/job\n", f"{top}/user/job/memory.max": "max\n"}
    group[f"{top}/user/job/memory.current"] = f"{50 * MIB}\n"
    assert machine(tmp_path, group) == 4096
    group |= {f"{top}/user/memory.max": f"{300 * MIB}\n", f"{top}/user/memory.current": f"{200 * MIB}\n"}
    assert machine(tmp_path, group) == 100
    group[f"{top}/user/memory.stat"] = f"anon {MIB}\ninactive_file {20 * MIB}\n"
    assert machine(tmp_path, group) == 120, "the cache gives way"
    group[f"{top}/memory.max"] = "10\n"
    group[f"{top}/memory.current"] = "20\n"
    assert machine(tmp_path, group) == 0


def test_control_groups_of_the_first_version(tmp_path: Path) -> None:
    top = "sys/fs/cgroup/memory/job"
    group = {"proc/self/cgroup": "5:cpu,memory:/job\n4:pids:/job\n", f"{top}/memory.limit_in_bytes": f"{64 * MIB}\n"}
    group |= {f"{top}/memory.usage_in_bytes": f"{24 * MIB}\n", f"{top}/memory.stat": f"total_inactive_file {MIB}\n"}
    assert machine(tmp_path, group) == 41


def test_the_address_space_counts() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + 256 * MIB, hard))
    try:
        assert 0 < free_memory() <= 257 * MIB
        assert default_memory() <= 65 * MIB
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def test_processes_share_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_sharers", 1)
    monkeypatch.setattr(memory, "free_memory", lambda: 800 * MIB)
    assert default_memory() == 200 * MIB
    for processes, each in ((2, 200), (8, 50), (1000, 2)):
        memory.share(processes)
        assert default_memory() == each * MIB


def test_trees_need_a_mebibyte_each() -> None:
    with pytest.raises(InputError, match="memory: must be a whole number from 8388608"):
        nf.best(nf.game("donuts", 3).deal(1), nf.Limit(visits=9), player=0, threads=8, memory=4 * MIB)


THREADS = """
import os
from concurrent.futures import ThreadPoolExecutor
import ninefold as nf
from ninefold.core.search.mcts import Search
from ninefold.memory import give_back
from tests.soak import resident

give_back()
start = nf.game("donuts", 3).deal(1)

def search(number):
    Search(start, 0, memory=64 << 20, seed=number).run(20_000 * (number % 4 + 1))

search(0)
before = resident(os.getpid())
with ThreadPoolExecutor(4) as pool:
    list(pool.map(search, range(8)))
print((resident(os.getpid()) - before) / 2**20)
"""


def test_trees_that_are_done_with_go_back_to_the_system() -> None:
    """Without `give_back` some 50 MiB stay."""
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, timeout=250, cwd=ROOT)
    assert float(done.stdout) < 8, done.stderr


CASES = """
import os, resource, sys
from pathlib import Path
import ninefold as nf
from ninefold.memory import default_memory, free_memory
from tests.test_solve import late

def position(name):
    found = nf.game(name).deal(3)
    while not found.actors:
        found.chance(rng=nf.Generator(1))
    return found

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

def status(name):
    return int(next(line for line in open("/proc/self/status") if line.startswith(name)).split()[1]) << 10

positions = {name: position(name) for name in nf.game_names()}
puzzles = {
    name: nf.read(f"examples/{name}.toml")
    for name in ("coney/open-09", "coney/open-12", "coney/solo", "coney/farm-03", "territory/open-02",
                 "territory/land-04", "territory-solo", "donuts-2p-endgame")
} | {"late": late(14)}
for one in positions.values():  # all is read and made once: what comes now is the search's
    nf.best(one, nf.Limit(visits=2), memory=2 << 20, exact=False)
for one in puzzles.values():
    nf.solve(one, nf.Limit(nodes=1), memory=2 << 20)
bound, visits, seconds = int(sys.argv[2]) << 20, int(sys.argv[3]), float(sys.argv[4])
memory = bound
if sys.argv[1] == "rlimit":
    resource.setrlimit(resource.RLIMIT_AS, (status("VmSize") + bound,) * 2)
    memory = None
if sys.argv[1] == "cgroup":  # what was taken before counts elsewhere
    Path(sys.argv[5], "cgroup.procs").write_text(str(os.getpid()))
    assert free_memory() <= bound, free_memory()
    memory = None
before = peak()
said = set()
for name, one in positions.items():
    found = nf.best(one, nf.Limit(visits=visits), memory=memory, exact=False)
    assert found.visits == visits and found.memory <= bound, (name, found.memory)
    said |= {"best full"} if found.full else set()
for name, one in puzzles.items():
    found = nf.solve(one, nf.Limit(time=seconds), memory=memory)
    assert found.stopped in ("time", "proven"), (name, found.stopped)
    assert found.memory <= bound or "too small" in found.remarks[0], (name, found.memory, found.remarks)
    said |= {remark.split(":")[0] for remark in found.remarks}
print(round(peak() - before, 1), sorted(said), default_memory() >> 20)
"""


@contextmanager
def control_group(size: int) -> Iterator[Path]:
    """A control group of so many bytes inside that of this process; skips the test where none can be made."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, name = line.split(":", 2)
        first = "memory" in controllers.split(",")
        parent = Path("/sys/fs/cgroup", "memory" if first else "", name.lstrip("/"))
        if not (first or controllers == "") or not (parent / "cgroup.procs").exists():
            continue
        group = parent / f"ninefold-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            try:
                (group / ("memory.limit_in_bytes" if first else "memory.max")).write_text(str(size))
            except OSError:  # groups of the second version have no limits unless their parent says so
                continue
            yield group
            return
        finally:
            group.rmdir()
    pytest.skip("no control group can be made here")


def cases(tmp_path: Path, *arguments: object) -> str:
    """What `CASES` says with these arguments."""
    script = tmp_path / "cases.py"
    script.write_text(CASES)
    done = subprocess.run(
        [sys.executable, str(script), *map(str, arguments)], capture_output=True, text=True,
        timeout=250, cwd=ROOT, env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("how", "mebibytes", "visits", "seconds"),
    [
        ("rlimit", 24, 2000, 0.1),
        pytest.param("rlimit", 64, 20_000, 0.7, marks=pytest.mark.long),
        pytest.param("bound", 8, 20_000, 0.7, marks=pytest.mark.long),
    ],
)
def test_every_search_keeps_its_bound(how: str, mebibytes: int, visits: int, seconds: float, tmp_path: Path) -> None:
    """`best` of each game and `solve` of each kind, under a bound that is given, or by what the system allows."""
    said = cases(tmp_path, how, mebibytes, visits, seconds)
    assert float(said.split()[0]) <= mebibytes * 1.25 + 4, said
    if how == "bound":
        assert "memory is full" in said


def test_every_search_lives_in_a_small_control_group(tmp_path: Path) -> None:
    """The system kills what takes more than the group has."""
    with control_group(24 * MIB) as group:
        said = cases(tmp_path, "cgroup", 24, 2000, 0.1, group)
    assert int(said.split()[-1]) <= 6, said
