"""Random games as OpenSpiel writes them down, with all that a state tells: `tests/data/openspiel`.

python -m tests.playthroughs            writes them anew, after a change of rules, moves, observations or texts
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ninefold.games import NAMES

ROOT = Path(__file__).parent.parent  # from where the files name a ruleset
FOLDER = ROOT / "tests" / "data" / "openspiel"
PARAMETERS = {"canopy": "ruleset=tests/data/openspiel/canopy-short.json"}  # a whole game writes 640 kB


def tool() -> Any:
    """OpenSpiel's module for playthroughs, with our games registered."""
    from absl import flags  # type: ignore[import-untyped,unused-ignore]
    from open_spiel.python.algorithms import generate_playthrough  # type: ignore[import-untyped,unused-ignore]

    import ninefold.adapters.openspiel  # noqa: F401

    flags.FLAGS.mark_as_parsed()
    return generate_playthrough


def main() -> None:
    for name in NAMES:
        text = tool().playthrough(f"ninefold_{name}({PARAMETERS.get(name, '')})", [], seed=1)
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
