"""The pages for people: their Python runs, and their links lead somewhere."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import ninefold as nf
from tests.packages import example

pytestmark = pytest.mark.unsanitized

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@every_page
def test_python_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.name == "adapters.md":
        for package in ("pyspiel", "pettingzoo", "gymnasium"):
            pytest.importorskip(package)
    if page.name == "plugins.md":
        for path in reversed(example(tmp_path / "site")):
            monkeypatch.syspath_prepend(path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"nf": nf}
    for code in re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        exec(code, names)


@every_page
def test_links_of_a_page_lead_to_files(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), link


def test_every_public_name_is_in_the_api() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r":: ninefold\.(\w+)$", page, re.MULTILINE)
    assert sorted(listed) == sorted(nf.__all__)


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").splitlines()
    pages = [str(page.relative_to(ROOT / "docs").with_suffix("")) for page in PAGES if (ROOT / "docs") in page.parents]
    assert {page for page in pages if page not in index} == {"index"}


def test_the_commands_of_the_readme_are_what_ci_runs() -> None:
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = re.findall(
        r"^```sh\n(.*?)\n```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert len(commands) == 2
    for command in commands:
        assert command.replace("python3 -m", '"$python" -m') in run.splitlines()
