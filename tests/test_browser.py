"""The web page in a real browser: every flow for every game, wide and narrow, light and dark, by mouse and by keys.

NINEFOLD_SHOTS names a folder for pictures of what was seen.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ninefold as nf
from ninefold.games import NAMES, module
from tests.shell import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SHOTS = os.environ.get("NINEFOLD_SHOTS", "")
LOOKS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True, "is_mobile": True},
}
PUZZLES = {
    "donuts": "donuts-2p-endgame.toml", "coney": "coney/open-01.toml", "territory": "territory/open-12.toml",
    "canopy": "canopy/last-picks.toml",
}  # fmt: skip
SLOW = 30_000

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")]
sync_api = pytest.importorskip("playwright.sync_api")
uvicorn = pytest.importorskip("uvicorn")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    from ninefold.web.app import create

    listening = socket.create_server(("127.0.0.1", 0))
    shelf = [(name, nf.read(ROOT / "examples" / name)) for name in PUZZLES.values()]
    running = uvicorn.Server(uvicorn.Config(create(shelf=shelf), log_level="warning"))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    running.should_exit = True
    thread.join(30)
    listening.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield made
        made.close()


class Screen:
    """A browser's window, in which nothing may go wrong."""

    def __init__(self, page: Page, server: str, look: str) -> None:
        self.page, self.server, self.look = page, server, look
        self.troubles: list[str] = []
        page.set_default_timeout(SLOW)
        page.on("console", lambda said: self.troubles.append(f"{said.type}: {said.text} {said.location}"))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda asked: self._asked(asked.url))
        page.on("dialog", lambda dialog: self.troubles.append(f"dialog {dialog.message}"))

    def _asked(self, url: str) -> None:
        if not url.startswith(self.server):
            self.troubles.append(f"asked for {url}")

    def go(self, path: str) -> None:
        self.page.goto(self.server + path)

    def shot(self, name: str) -> None:
        """Look at it: the page fits its window, every control has a name, and nothing went wrong so far."""
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=f"{SHOTS}/{name}-{self.look}.png", full_page=True, caret="initial")
        wide, room = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= room, f"{name} is {wide} wide, in {room}"
        nameless = self.page.evaluate(
            """[...document.querySelectorAll('button, a, input:not([type=hidden]), select, textarea')].filter(
              (one) => !one.textContent.trim() && !one.getAttribute('aria-label') && !(one.labels && one.labels.length)
                && !one.placeholder && !one.classList.contains('hidden')).map((one) => one.outerHTML)"""
        )
        assert nameless == []
        assert self.troubles == []

    def settled(self) -> None:
        """Until nobody but the reader has anything to do."""
        self.page.wait_for_selector("#main .moves, #main .over, #unveil", state="attached")
        self.page.wait_for_selector(".running", state="detached")

    def quiet(self) -> None:
        """Until the page hears what is done to it: what came from the server a moment ago has no ears yet."""
        self.page.wait_for_function(
            "!document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added')"
        )

    def press(self, key: str) -> None:
        """Press a key of a page that hears it."""
        self.quiet()
        self.page.keyboard.press(key)

    def think(self, name: str) -> None:
        """Analyse by a key, see the answer grow, and stop it by a key."""
        page = self.page
        page.select_option("#think-time", "300")
        page.evaluate("document.activeElement.blur()")
        self.press("a")
        page.wait_for_selector("#job tbody tr.first")
        before = page.inner_text("#job")
        if page.locator("#stop-thinking").count():
            for _ in range(200):
                if page.inner_text("#job") != before:
                    break
                page.wait_for_timeout(50)
            self.shot(f"{name}-thinking")
        if page.locator("#stop-thinking").count():
            self.press("s")
        page.wait_for_selector("#job[data-over='1']")
        assert page.locator("#job svg.share").count() > 0
        self.shot(f"{name}-thought")


@pytest.fixture
def screen(look: str, browser: Browser, server: str) -> Iterator[Screen]:
    context = browser.new_context(**LOOKS[look])
    yield Screen(context.new_page(), server, look)
    context.close()


def every_game(offset: int) -> pytest.MarkDecorator:
    """Each game in one of the looks, by turns; in both where pictures are wanted."""
    pairs = [
        (name, look)
        for number, name in enumerate(NAMES, offset)
        for turn, look in enumerate(LOOKS)
        if SHOTS or (number + turn) % 2
    ]
    return pytest.mark.parametrize(("name", "look"), pairs)


def each_look(function: Callable[..., None]) -> Callable[..., None]:
    """In one look; in both where pictures are wanted."""
    looked: Callable[..., None] = pytest.mark.parametrize("look", list(LOOKS)[: None if SHOTS else 1])(function)
    return looked


@every_game(0)
def test_play(screen: Screen, name: str) -> None:
    page = screen.page
    screen.go("/")
    screen.shot("start")
    page.click(f"a:has-text('set up {name}')")
    page.wait_for_selector("button[value=play]")
    screen.shot(f"{name}-new")
    page.click("button[value=play]")
    screen.settled()
    screen.shot(f"{name}-table")
    screen.think(name)
    screen.press("h")
    page.wait_for_selector(".notice:has-text('Hint')")
    offered = page.locator("#move-list").inner_text()
    screen.press("1")
    assert page.evaluate("document.activeElement.id") == "move-1"
    steps = page.locator("#move-list input[name=steps]").get_attribute("value")
    screen.press("Enter")
    page.wait_for_selector(f"#move-list input[name=steps][value='{steps}']", state="detached")
    screen.settled()
    screen.press("u")
    page.wait_for_selector(f"#move-list input[name=steps][value='{steps}']", state="attached")
    screen.settled()
    assert page.locator("#move-list").inner_text() == offered
    screen.shot(f"{name}-undone")
    with page.expect_download() as kept:
        page.click("summary:has-text('saving the game')")
        page.click("text=save the game")
    text = Path(kept.value.path()).read_text("utf-8")
    screen.go("/")
    page.set_input_files("input[type=file]", {"name": "game.toml", "mimeType": "text/plain", "buffer": text.encode()})
    page.click("button:text-is('open')")
    page.click("button:text-is('play on')")
    screen.settled()
    assert page.locator("#move-list").inner_text() == offered


@every_game(1)
def test_set_up_a_position_and_change_a_deck(screen: Screen, name: str) -> None:
    page = screen.page
    screen.go(f"/new/{name}")
    page.click("button[value=edit]")
    page.wait_for_selector("#verdict h2:text-is('This is possible')")
    screen.shot(f"{name}-edit")
    card = page.locator("#palette input").nth(4)
    word = card.get_attribute("value") or ""
    page.fill(".palette input[type=search]", word)
    screen.quiet()
    page.click(f"#palette label:has-text('{word}') >> nth=0")
    place = page.locator(".put").first
    path = place.get_attribute("aria-label") or ""
    screen.quiet()
    place.click()
    field = page.locator(f"[id='v-{path.partition(':')[0]}']")
    field.and_(page.locator(f"[value='{word}']")).wait_for()
    if page.locator("#verdict .wrong").count():  # the card is somewhere else already
        screen.press("u")
        page.wait_for_selector("#verdict .wrong", state="detached")
    screen.shot(f"{name}-edited")
    screen.quiet()
    field.fill("nonsense")
    field.press("Tab")
    page.wait_for_selector("#verdict .wrong")
    page.wait_for_selector(".node.bad")
    screen.shot(f"{name}-edit-wrong")
    page.evaluate("document.activeElement.blur()")
    page.reload()
    screen.press("u")
    page.wait_for_selector("#verdict .wrong", state="detached")
    page.click("text=look at it with the engine")
    page.wait_for_selector("#main .moves")
    for _ in range(20):
        if page.locator("#move-1").count():
            break
        screen.press("Enter")
        page.wait_for_load_state("networkidle")
    screen.think(f"{name}-study")

    screen.go("/")
    page.click(f"section:has(h2:text-is('{name.capitalize()}')) >> text=change its cards")
    page.wait_for_selector("#verdict")
    screen.shot(f"{name}-deck")
    counts = page.locator(".tree .count input")
    if page.locator(".tree .fold").count():
        page.click(".tree .fold >> nth=0")
        page.wait_for_selector(".fold[aria-expanded=true]")
    screen.quiet()
    counts.first.fill("99999")
    counts.first.press("Tab")
    page.wait_for_selector("#verdict .wrong")
    screen.shot(f"{name}-deck-wrong")


@every_game(0)
def test_step_through_a_record(screen: Screen, name: str) -> None:
    page = screen.page
    record = nf.Record.random(nf.game(name, module(name).players[-1]), 3)
    screen.go("/")
    page.fill("textarea", nf.files.to_text(record, "toml"))
    page.click("button:text-is('open')")
    page.wait_for_selector("#step")
    for step in (1, 2, 3):
        screen.press("ArrowRight")
        page.wait_for_selector(f".stepper:has-text('{step} of {len(record.steps)}')")
    screen.press("ArrowLeft")
    page.wait_for_selector(f".stepper:has-text('2 of {len(record.steps)}')")
    page.locator("#step").focus()
    screen.press("End")
    page.wait_for_selector(f".stepper:has-text('{len(record.steps)} of {len(record.steps)}')")
    page.select_option("#eyes", "0")
    page.wait_for_load_state("networkidle")
    page.click("text=work it out")
    page.wait_for_selector("#curve svg polyline[stroke]")
    for _ in range(100):
        if int(re.findall(r"(\d+) of", page.inner_text("#curve"))[-1]) >= 4:
            break
        page.wait_for_timeout(100)
    screen.shot(f"{name}-record")
    page.click("#curve button:has-text('stop')")
    page.wait_for_selector("#curve button:has-text('go on')")


@every_game(1)
def test_solve_a_puzzle(screen: Screen, name: str) -> None:
    page = screen.page
    screen.go("/")
    page.click(f"button:text-is('{PUZZLES[name]}')")
    page.wait_for_selector("h1:not(:has-text('What would'))")
    if page.locator("button:text-is('solve it')").count():
        page.click("button:text-is('solve it')")
        page.click("button:text-is('prove it')")
        page.wait_for_selector("#use-solution, #main p > .proven")
        if page.locator("#use-solution").count():
            page.click("#use-solution")
    page.wait_for_selector("text=the answer is proven")
    screen.settled()
    screen.press("h")
    page.wait_for_selector(".notice:has-text('Hint')")
    screen.press("h")
    page.wait_for_selector(".notice:has-text('Hint'):not(:has-text('…'))")
    hint = page.inner_text(".notice").removeprefix("Hint: ")
    screen.shot(f"{name}-puzzle")
    page.fill("#move-filter", hint) if page.locator("#move-filter").count() else None
    screen.quiet()
    page.click(f"#move-list button:has-text('{hint}') >> nth=0")
    page.wait_for_selector("[data-key=u]")
    screen.settled()
    screen.quiet()
    page.click("button:text-is('show the answer')")
    page.wait_for_selector("#answer-title")
    screen.shot(f"{name}-puzzle-answer")


@each_look
def test_friends_at_one_screen(screen: Screen) -> None:
    page = screen.page
    screen.go("/new/coney?players=2")
    for seat in range(2):
        page.select_option(f"#seat{seat}", "")
    page.click("button[value=play]")
    page.wait_for_selector("#unveil")
    screen.shot("pass")
    assert page.locator("#main svg").count() == 0
    screen.press("Enter")
    page.wait_for_selector("#move-1")
    mine = page.inner_text("#move-list")
    page.click("#move-1")
    page.wait_for_selector("#unveil")
    assert page.locator("#main svg").count() == 0
    page.click("#unveil")
    page.wait_for_selector("#move-1")
    assert page.inner_text("#move-list") != mine
    screen.shot("passed")


@each_look
def test_hostile_files_run_nothing(screen: Screen) -> None:
    page = screen.page
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    text = (ROOT / "examples/coney/farm-01.toml").read_text("utf-8").replace('title = "', f'title = "{evil}')
    for said in (text, f'ninefold = 1\ngame = "{evil}"'):
        screen.go("/")
        page.fill("textarea", said)
        page.click("button:text-is('open')")
        page.wait_for_selector("#main h1:not(:has-text('What would'))")
        assert page.locator("#main img, #main script").count() == 0
        assert evil in page.inner_text("#main")
    screen.troubles[:] = [trouble for trouble in screen.troubles if "400" not in trouble]
    screen.shot("error")


@each_look
def test_a_page_that_is_gone_says_so(screen: Screen) -> None:
    screen.go("/table/nothing")
    assert "is gone" in screen.page.inner_text("#main")
    screen.troubles[:] = [trouble for trouble in screen.troubles if "404" not in trouble]
    screen.shot("gone")
