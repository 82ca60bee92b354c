"""Exact two-player endgames of Go Nuts for Donuts beside a C++ prototype, on the same positions.

    python -m bench.endgames --yardstick DIR [--left 8 9 10] [--positions 20]

The prototype plays its own random games, writes down every step, and solves where they come to; the steps are played
again here, and solved. Values must agree: the prototype stores them as single floats, so within 0.0001.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import ninefold as nf
from bench.yardstick import build, run
from ninefold.core.search.expectimax import Solver

OBJECTIVES = {"win": 0, "margin": 1}
TOLERANCE = 1e-4
SLICE = 20_000  # nodes of one call

# The prototype's `randpos`, with every step written down. It checks itself: the same random numbers, the same position.
WRAPPER = r"""
#include <string>
static std::string steps;
static void note(const char *what, int a, int b) {
    char text[64];
    snprintf(text, sizeof text, "%s[\"%s\",%d,%d]", steps.empty() ? "" : ",", what, a, b);
    steps += text;
}
static int draw(S &s) { int kind = drawr(s); note("deal", kind, 0); return kind; }

static bool play(int left, S &s) {
    memset(&s, 0, sizeof s);
    for (int t = 0; t < NT; t++) { s.deck[t] = MULT[t]; s.nk += MULT[t]; }
    for (int i = 0; i < 3; i++) s.tray[i] = draw(s);
    while (s.nk > left) {
        int i = rnd(3), j = rnd(3);
        note("bid", i, j);
        if (i == j) {
            s.disc[s.nd++] = s.tray[i];
            s.tray[i] = 15;
        } else {
            Acq taken[2] = {{min(i, j), i > j}, {max(i, j), i < j}};
            for (auto &x : taken) {
                int kind = s.tray[x.pos];
                s.tray[x.pos] = 15;
                give(s, x.pl, kind);
                if (kind == CHOC && s.nk) give(s, x.pl, draw(s));
                else if (kind == ECLAIR && s.nd) give(s, x.pl, s.disc[--s.nd]);
                else if (kind == CRULLER) {
                    bool discards = rnd(2);
                    note(discards ? "discard" : "stop", 3 - i - j, 0);
                    if (discards) { s.disc[s.nd++] = s.tray[3 - i - j]; s.tray[3 - i - j] = 15; }
                }
            }
        }
        for (int q = 0; q < 3; q++)
            if (s.tray[q] == 15) { if (!s.nk) return false; s.tray[q] = draw(s); }
    }
    return s.nk == left;
}

int main(int argc, char **argv) {
    int left = atoi(argv[1]), positions = atoi(argv[2]);
    OBJ = atoi(argv[3]);
    tmax = 400000000;
    rs = 88172645463325252ULL + left;
    for (int n = 0; n < positions; n++) {
        S s, check;
        uint64_t before, after;
        do { steps.clear(); before = rs; } while (!play(left, s));
        after = rs;
        rs = before;
        if (!randpos(left, check) || memcmp(&s, &check, sizeof s) || rs != after) return 1;
        tinit(1 << 16);
        auto start = chrono::steady_clock::now();
        double value = solve(s), seconds = chrono::duration<double>(chrono::steady_clock::now() - start).count();
        printf("{\"value\":%.9g,\"seconds\":%.9g,\"steps\":[%s]}\n", value, seconds, steps.c_str());
        fflush(stdout);
    }
}
"""

KINDS = ("plain", "glazed", "powdered", "chocolate_frosted", "eclair", "french_cruller", "maple_bar", "donut_holes",
         "jelly_filled")  # fmt: skip


def played(steps: Iterable[tuple[str, int, int]]) -> nf.Position:
    """The position after the prototype's steps."""
    position = nf.game("donuts", 2).start()
    for what, a, b in steps:
        if what == "deal":
            position.chance(f"deal {KINDS[a]}")
        elif what == "bid":
            position.play_all({0: f"bid {a + 1}", 1: f"bid {b + 1}"})
        elif what == "discard":
            position.play(position.actors[0], f"discard french_cruller: {a + 1}")
        else:
            position.play(position.actors[0], "stop french_cruller")
    return position


def solved(position: nf.Position, objective: str, memory: int) -> tuple[Solver, float]:
    """The solver when it is done, and the seconds it took."""
    start = time.perf_counter()
    solver = Solver(position, OBJECTIVES[objective], memory=memory)
    while not solver.advance(SLICE):
        pass
    return solver, time.perf_counter() - start


def spread(seconds: list[float]) -> str:
    """Median, 90th percentile and largest."""
    ranked, n = sorted(seconds), len(seconds)
    return " ".join(f"{ranked[i]:9.4f}" for i in (n // 2, min(n - 1, n * 9 // 10), n - 1))


def compare(program: Path, left: int, positions: int, objective: str, memory: int) -> bool:
    """Both on the same positions; prints a line. Returns whether all values agree."""
    lines = run(program, str(left), str(positions), "01"[objective == "win"]).splitlines()
    yardstick: list[dict[str, Any]] = [json.loads(line) for line in lines]
    ours, worst, nodes, most = [], 0.0, 0, 0
    for line in yardstick:
        solver, seconds = solved(played(line["steps"]), objective, memory)
        value = 2 * solver.value - 1 if objective == "win" else solver.value  # the prototype's wins less losses
        worst = max(worst, abs(value - line["value"]))
        nodes += solver.nodes
        most = max(most, solver.memory)
        ours.append(seconds)
    theirs = [line["seconds"] for line in yardstick]
    middle = sorted(theirs)[len(theirs) // 2] / sorted(ours)[len(ours) // 2]
    print(
        f"{left:4} {objective:9} {spread(theirs)}  {spread(ours)}  {middle:6.2f} {sum(theirs) / sum(ours):6.2f}"
        f" {1e9 * sum(ours) / nodes:7.0f} {most / 2**20:9.1f} {worst:9.1e}",
        flush=True,
    )
    return worst < TOLERANCE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", type=Path, required=True, help="folder with donuts_endgame.cpp")
    parser.add_argument("--left", type=int, nargs="+", default=[8, 9, 10], help="cards left in the deck")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--objective", choices=list(OBJECTIVES), nargs="+", default=["margin", "win"])
    parser.add_argument("--memory", type=float, default=4.0, help="GiB for the table")
    arguments = parser.parse_args()
    program = build(arguments.yardstick, "donuts_endgame.cpp", wrapper=WRAPPER)
    print(f"{'':15}prototype, seconds{'':13}ninefold, seconds{'':14}prototype / ninefold")
    print(f"left objective {2 * '   median       p90   largest  '} median  total ns/node       MiB     error")
    agreed = [
        compare(program, left, arguments.positions, objective, int(arguments.memory * 2**30))
        for left in arguments.left
        for objective in arguments.objective
    ]
    if not all(agreed):
        raise SystemExit("values differ")


if __name__ == "__main__":
    main()
