"""The web page: every route for every game, nothing hidden told, and nothing that a hostile file or page can do."""

from __future__ import annotations

import html
import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.games import NAMES, module
from ninefold.table import PERSON, Table
from tests.shell import ROOT

pytest.importorskip("starlette")
pytest.importorskip("jinja2")

from starlette.testclient import TestClient

from ninefold.web import guard, jobs, store
from ninefold.web.app import Web, create
from ninefold.web.editor import Draft, palette
from ninefold.web.playing import LEVELS
from ninefold.web.reading import course
from ninefold.web.store import Item, Riddle, Sitting, Store

pytestmark = pytest.mark.unsanitized

EXAMPLES = ROOT / "examples"
SCRIPT = "<script>alert(1)</script>"
EVIL = f"\"'>{SCRIPT}<img src=x onerror=alert(1)>"


class Cleanliness(HTMLParser):
    """A page with no style, script or handler inside, and nothing from outside."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("style", "iframe", "object", "embed", "base"), tag
        told = dict(attrs)
        assert tag != "script" or (told["src"] or "").startswith("/static/")
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            assert name != "style", tag
            if name in ("src", "href", "action", "formaction", "hx-get", "hx-post"):
                assert (value or "").startswith(("/", "?", "#")), (tag, name, value)
                assert not (value or "").startswith("//"), (tag, name, value)


class Reader:
    """Somebody with a browser. Every page he sees is clean."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.text = self.url = ""
        self.status = 0

    def _seen(self, answer: Any) -> str:
        self.text, self.url, self.status = answer.text, answer.url.path, answer.status_code
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        if answer.headers["content-type"].startswith("text/html"):
            Cleanliness().feed(self.text)
            assert "Traceback" not in self.text
        return self.text

    def get(self, url: str, status: int = 200) -> str:
        said = self._seen(self.client.get(url))
        assert self.status == status, said
        return said

    def post(self, url: str, data: dict[str, str] | None = None, status: int = 200, **more: Any) -> str:
        said = self._seen(self.client.post(url, data=data, **more))
        assert self.status == status, said
        return said

    def open(self, text: str, status: int = 200) -> str:
        return self.post("/open", {"text": text}, status)

    @property
    def moves(self) -> dict[str, str]:
        """The moves that are offered: their notation and id."""
        found = re.findall(r'name="move" value="(\d+)".*?<span>([^<]*?) ?<', self.text)
        return {html.unescape(text): number for number, text in found}

    @property
    def notice(self) -> str:
        found = re.search(r'<p class="notice"[^>]*>(.*?)</p>', self.text)
        return html.unescape(found[1]) if found else ""

    def move(self, number: str) -> None:
        self.post(f"{self.url}/move", {"move": number})
        self.until_asked()

    def until_asked(self) -> None:
        home = self.url
        while 'class="running"' in self.text:
            self.post(f"{home}/run")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    shelf = [(name, nf.read(EXAMPLES / name)) for name in ("coney/open-01.toml", "donuts-record.toml")]
    app = create(("testserver",), shelf)
    with TestClient(app, headers={"origin": "http://testserver"}, raise_server_exceptions=True) as made:
        yield made


@pytest.fixture
def reader(client: TestClient) -> Reader:
    return Reader(client)


def kept(client: TestClient, item: Item) -> str:
    """Lay something into the server's store."""
    web = client.app.state.web  # type: ignore[attr-defined]
    assert isinstance(web, Web)
    return web.store.add(item).id


def test_the_first_page_names_all_games_and_files(reader: Reader) -> None:
    said = reader.get("/")
    for name in NAMES:
        assert f"/new/{name}" in said
        for players in module(name).players:
            assert f"<option selected>{players}</option>" in reader.get(f"/new/{name}?players={players}") or (
                len(module(name).players) == 1
            )
    assert "coney/open-01.toml" in said
    reader.post("/shelf/1")
    assert reader.url.startswith("/record/")
    reader.post("/shelf/2", status=404)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_played_with_undo_hints_and_the_log(reader: Reader, name: str) -> None:
    rng = random.Random(name)
    reader.post(f"/new/{name}", {"players": "2", "do": "play", "seat1": "random", "seed": "5"})
    table = reader.url
    reader.until_asked()
    for _ in range(12):
        before = dict(reader.moves)
        reader.move(rng.choice(list(before.values())))
        assert reader.url == table
    offered = reader.moves
    chosen = next(iter(offered))
    reader.move(offered[chosen])
    assert f"0: {chosen}" in html.unescape(reader.text)
    reader.post(f"{table}/undo")
    assert reader.moves == offered
    reader.post(f"{table}/hint")
    first = reader.notice.removeprefix("Hint: ").removesuffix(" …")
    assert any(move.startswith(first) for move in offered)
    reader.post(f"{table}/hint")
    assert reader.notice.removeprefix("Hint: ") in offered
    reader.post(f"{table}/move", {"move": "999999"})
    assert "can't do that" in reader.notice
    reader.post(f"{table}/move", {"move": "0", "steps": "1"})
    assert "has gone on" in reader.notice
    reader.post(f"{table}/replay")
    assert "not over" in reader.notice
    saved = reader.get(f"{table}/save")
    reader.open(saved)
    assert reader.url.endswith("/resume")
    assert "deal " not in reader.text
    reader.post(reader.url, {"seat1": "random"})
    reader.until_asked()
    assert reader.moves == offered


@pytest.mark.parametrize("name", NAMES)
def test_a_game_comes_to_its_end_and_leaves_a_record(reader: Reader, client: TestClient, name: str) -> None:
    table = Table(nf.game(name, 2), [PERSON, "random"], seed=2)
    rng = random.Random(2)
    while not table.position.is_over:
        if table.waiting:
            table.choose(0, rng.choice(table.position.legal(0)))
        table.run()
    reader.get(f"/table/{kept(client, Sitting(table=table))}")
    assert "The game is over." in reader.text
    reader.post(f"{reader.url}/replay")
    record = reader.url
    for step in (0, 1, len(table.steps), 10**6):
        assert f"{min(step, len(table.steps))} of {len(table.steps)}" in reader.get(f"{record}?step={step}&eyes=0")
    assert nf.Record.from_dict(nf.files.data_in(reader.get(f"{record}/save"), "x.toml")).steps == tuple(table.steps)
    reader.post(f"{record}/study?step=3")
    assert reader.url.startswith("/study/")


@pytest.mark.parametrize("name", NAMES)
def test_who_knows_the_same_sees_the_same(reader: Reader, client: TestClient, name: str) -> None:
    """Two worlds that look alike to a seat have the same page for it, in play and where its moves are asked."""
    rng, compared = nf.Generator(4), 0
    position = nf.game(name, 2).start()
    while not position.is_over and compared < 8:
        if position.secrets == "hidden" and not position.is_chance:
            seat = position.actors[0]
            world = position.copy()
            world.resample(seat, rng)
            seats = [PERSON, PERSON]
            pages = []
            for start in (position, world) if world.actors == position.actors else ():
                item = Sitting(table=Table(start.game, seats, seed=1, start=start), seat=seat)
                page = reader.get(f"/table/{kept(client, item)}")
                pages.append(page.replace(item.id, "ID"))
            if len(pages) == 2:
                assert pages[0] == pages[1]
                compared += world != position
        if position.actors:
            player = position.actors[0]
            position.play(player, rng.choice(position.legal(player)))
        else:
            position.chance(rng=rng)
    assert compared >= 3 or name == "donuts"


def test_the_screen_is_passed_on_before_another_hand_is_shown(reader: Reader) -> None:
    reader.post("/new/coney", {"players": "2", "do": "play", "seat0": "", "seat1": "", "seed": "2"})
    table = reader.url
    reader.until_asked()
    assert "Pass the screen to" in reader.text
    assert "<svg" not in reader.text
    assert reader.moves == {}
    reader.post(f"{table}/move", {"move": "0"})
    assert "nobody here has to choose" in reader.notice
    reader.post(f"{table}/undo")
    assert "first say who is there" in reader.notice
    reader.post(f"{table}/show", {"seat": "7"})
    assert "not this player" in reader.notice
    reader.post(f"{table}/show", {"seat": "0"})
    mine = reader.moves
    assert all(move.startswith("keep ") for move in mine)
    for move in mine:
        assert move.removeprefix("keep ") in reader.text
    reader.move(next(iter(mine.values())))
    assert "Pass the screen to" in reader.text
    assert "<svg" not in reader.text
    reader.post(f"{table}/show", {"seat": "1"})
    assert not set(reader.moves) & set(mine)
    assert not any(re.search(rf"\b{move.removeprefix('keep ')}\b", reader.text) for move in mine)
    assert "0: …" in reader.text


def test_the_engine_s_secrets_are_not_in_the_page(reader: Reader, client: TestClient) -> None:
    table = Table(nf.game("territory", 2), [PERSON, "random"], seed=3)
    table.run()
    hidden = [move.text.split()[1] for move in table.position.legal(1)] if 1 in table.position.actors else []
    hand = nf.files.to_dict(table.position)["player"][1]["hand"]
    reader.get(f"/table/{kept(client, Sitting(table=table))}")
    for card in {*hidden, *hand}:
        assert not re.search(rf"\b{card}\b", reader.text)


def test_a_position_is_played_on_by_hand(reader: Reader) -> None:
    for name in NAMES:
        reader.post(f"/new/{name}", {"players": str(module(name).players[0]), "do": "study", "seed": "1"})
        study = reader.url
        for eyes in (-1, 0):
            assert "<svg" in reader.get(f"{study}?eyes={eyes}")
        for _ in range(6):
            if reader.moves:
                reader.post(f"{study}/move", {"move": next(iter(reader.moves.values()))})
            else:
                reader.post(f"{study}/move", {})
        reader.post(f"{study}/undo")
        assert isinstance(nf.files.from_dict(nf.files.data_in(reader.get(f"{study}/save"), "a.toml")), nf.Position)
        reader.get(f"/new/{name}?start={study.rpartition('/')[2]}")
        reader.post(f"/new/{name}", {"start": study.rpartition("/")[2], "do": "play"})
        assert reader.url.startswith("/table/")
        reader.post(f"{study}/edit")
        assert reader.url.startswith("/edit/")


# --- analyses ---------------------------------------------------------------------------------------------------------


def ended(reader: Reader, text: str) -> str:
    """The id of the job on this page, once it is over."""
    job = re.search(r"/job/([\w-]+)", text)
    assert job
    for _ in range(600):
        if 'data-over="1"' in reader.get(f"/job/{job[1]}"):
            return job[1]
        time.sleep(0.02)
    raise AssertionError("it thinks for ever")


@pytest.mark.parametrize("name", NAMES)
def test_an_analysis_grows_and_can_be_stopped(reader: Reader, name: str) -> None:
    reader.post(f"/new/{name}", {"players": "2", "do": "study", "seed": "1"})
    while not reader.moves:
        reader.post(f"{reader.url}/move", {})
    reader.post(f"{reader.url}/think", {"time": "300"})
    job = re.search(r"/job/([\w-]+)", reader.text)
    assert job
    seen = set()
    for _ in range(200):
        found = re.search(r"searched in [\d.]+ s, ([\d,]+) visits", reader.get(f"/job/{job[1]}"))
        if found:
            seen.add(found[1])
        if len(seen) == 2:
            break
        time.sleep(0.05)
    assert len(seen) == 2
    said = reader.post(f"/job/{job[1]}/stop")
    assert "hx-trigger" not in said.partition(">")[0]
    assert 'class="part"' in said
    assert 'class="range"' in said
    assert "line: " in said
    assert 'data-over="1"' in said


@pytest.mark.parametrize("name", NAMES)
def test_a_move_is_explained(reader: Reader, name: str) -> None:
    reader.post(f"/new/{name}", {"players": "2", "do": "play", "seat1": "random", "seed": "1"})
    reader.until_asked()
    table = reader.url
    for against in ("x", "999999"):
        reader.post(f"{table}/why", {"against": against})
        assert "choose a move to compare" in reader.notice
    reader.post(f"{table}/why", {"against": list(reader.moves.values())[-1]})
    ended(reader, reader.text)
    assert "in 1,000 pairs of games with the same luck" in reader.text


def test_a_proven_answer_says_so(reader: Reader) -> None:
    reader.open((EXAMPLES / "donuts-2p-endgame.toml").read_text("utf-8"))
    reader.post(f"{reader.url}/think", {"time": "60"})
    ended(reader, reader.text)
    assert 'class="proven">proven' in reader.text


def test_what_nobody_looks_at_any_more_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PATIENCE", 0.1)
    told = []

    def work(tell: Any) -> None:
        while True:
            time.sleep(0.01)
            told.append(1)
            tell(len(told))

    found = jobs.Job("analysis", None, work)
    found._thread.join(20)
    assert found.over
    assert found.latest == len(told)


def test_only_so_many_analyses_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "RUNNING", 2)

    def work(tell: Any) -> None:
        while True:
            time.sleep(0.01)
            tell(None)

    running = jobs.Jobs()
    first = running.start("analysis", None, work)
    running.start("analysis", None, work)
    with pytest.raises(nf.InputError, match="2 analyses are running"):
        running.start("analysis", None, work)
    first.stop()
    assert first.over
    running.start("analysis", None, work).stop()
    running.close()


def test_a_job_that_fails_says_why() -> None:
    def work(tell: Any) -> None:
        raise nf.InputError("there is nothing to choose")

    found = jobs.Job("analysis", None, work)
    found._thread.join(20)
    assert (found.over, found.error) == (True, "there is nothing to choose")


def test_the_store_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST", 3)
    kept = Store()
    items = [kept.add(Item()) for _ in range(3)]
    kept.find(items[0].id, Item)
    kept.add(Item())
    assert kept.find(items[1].id, Item) is None
    assert kept.find(items[0].id, Item) is items[0]
    assert kept.find(items[0].id, Riddle) is None
    monkeypatch.setattr(store, "AGE", -1.0)
    kept.add(Item())
    assert kept.find(items[0].id, Item) is None


# --- records and puzzles ----------------------------------------------------------------------------------------------


def test_the_value_curve_grows_and_can_be_stopped(reader: Reader) -> None:
    reader.open((EXAMPLES / "donuts-record.toml").read_text("utf-8"))
    record = reader.url
    reader.post(f"{record}/value?step=4")
    for _ in range(200):
        done = re.search(r"(\d+) of (\d+) decisions", reader.get(f"{record}/curve?step=4"))
        if done and int(done[1]) >= 3:
            break
        time.sleep(0.05)
    assert "<polyline" in reader.text
    reader.post(f"{record}/stop?step=4")
    assert "go on" in reader.text
    assert "<polyline" in reader.get(f"{record}?step=9")


def test_the_course_of_a_game_goes_from_coarse_to_fine() -> None:
    record = nf.Record.random(nf.game("donuts", 2), 3)
    positions = list(record.positions())[-12:]
    numbers = [number for number, _ in course(positions, {})]
    asked = [number for number, position in enumerate(positions) if position.actors]
    assert numbers[0] == len(positions) - 1
    assert sorted(numbers[1:]) == asked
    assert numbers[1] == asked[0]
    assert abs(sum(next(course(positions, {}))[1]) - 1) < 1e-9


def test_a_puzzle_is_played_to_its_proven_end(reader: Reader) -> None:
    puzzle = nf.read(EXAMPLES / "coney/open-01.toml")
    assert isinstance(puzzle, nf.Puzzle)
    assert puzzle.answer
    reader.open((EXAMPLES / "coney/open-01.toml").read_text("utf-8"))
    home = reader.url
    reader.post(f"{home}/hint")
    assert reader.notice == "Hint: refill …"
    other = next(move for move in reader.moves if move != "refill")
    reader.move(reader.moves[other])
    reader.post(f"{home}/hint")
    assert "have left the line" in reader.notice
    reader.post(f"{home}/undo")
    for step in puzzle.answer.line:
        reader.move(reader.moves[step.removeprefix("0: ")])
    assert "You have 25 points. That is the best there is, proven." in reader.text
    reader.post(f"{home}/reveal")
    assert "25 points, proven" in reader.text


def test_a_puzzle_gives_its_own_hints_first(reader: Reader) -> None:
    puzzle = nf.read(min((EXAMPLES / "book").glob("coney-*.toml")))
    assert isinstance(puzzle, nf.Puzzle)
    assert puzzle.answer
    assert puzzle.hints
    assert puzzle.grade
    reader.open(nf.files.to_text(puzzle, "toml"))
    home = reader.url
    assert f"level {puzzle.grade.level} of 5" in reader.text
    for said in (*puzzle.hints, puzzle.answer.line[0].removeprefix("0: ")):
        reader.post(f"{home}/hint")
        assert reader.notice == f"Hint: {said}"


def test_a_line_of_cards_is_checked(reader: Reader) -> None:
    for name in ("coney/farm-01.toml", "territory/land-01.toml"):
        puzzle = nf.read(EXAMPLES / name)
        assert isinstance(puzzle, nf.Puzzle)
        assert puzzle.answer
        reader.open((EXAMPLES / name).read_text("utf-8"))
        home = reader.url
        reader.post(f"{home}/check", {"line": EVIL})
        assert "&lt;script&gt;" in reader.text
        reader.post(f"{home}/check", {"line": "\n".join(puzzle.answer.line)})
        assert f"You have {puzzle.answer.value} points. That is the best there is, proven." in reader.text
        reader.post(f"{home}/hint")


def test_a_position_without_an_answer_is_solved(reader: Reader) -> None:
    reader.open((EXAMPLES / "donuts-2p-endgame.toml").read_text("utf-8"))
    reader.post(f"{reader.url}/puzzle")
    home = reader.url
    reader.post(f"{home}/hint")
    assert "no line is known" in reader.notice
    reader.post(f"{home}/solve", {"time": "60"})
    ended(reader, reader.text)
    assert "Solved" in reader.text
    assert "the answer is proven" in reader.get(home)


# --- the editor -------------------------------------------------------------------------------------------------------


def drafts(name: str) -> Iterator[Draft]:
    for players in (module(name).players[0], 2):
        position = nf.game(name, players).deal(3)
        for _ in range(25):
            if position.is_over:
                break
            if position.actors:
                position.play(position.actors[0], position.legal(position.actors[0])[0])
            else:
                position.chance(rng=nf.Generator(1))
            yield Draft.of(position)
    yield Draft(game=name, kind="ruleset", data=nf.files.to_dict(module(name).standard()))


@pytest.mark.parametrize("name", NAMES)
def test_forms_hold_what_files_hold(name: str) -> None:
    for draft in drafts(name):
        assert draft.verdict().error is None
        before = json.dumps(draft.data)
        nodes, todo = [], [draft.tree()]
        while todo:
            node = todo.pop()
            nodes.append(node)
            todo += node.children
        typed = {
            node.name: str(node.value).lower() if isinstance(node.value, bool) else str(node.value)
            for node in nodes
            if node.kind not in ("struct", "table", "list")
        }
        draft.change(typed, "", "", {})
        assert json.dumps(draft.data) == before
        assert draft.past == []


@pytest.mark.parametrize("name", NAMES)
def test_every_button_of_a_form_leaves_a_form(reader: Reader, client: TestClient, name: str) -> None:
    rng = random.Random(name)
    for draft in (next(drafts(name)), list(drafts(name))[-1]):
        reader.get(f"/edit/{kept(client, draft)}")
        buttons = [html.unescape(one) for one in re.findall(r"name=\"do\" value='(.*?)'", reader.text)]
        assert len(buttons) > 20 or name == "donuts"
        words = [word for group in palette(draft) for word in group.words] or [""]
        for button in rng.sample(buttons, 25 if draft.kind == "position" else 6):
            other = Draft(game=name, kind=draft.kind, data=json.loads(json.dumps(draft.data)))
            try:
                other.change({}, button, rng.choice(words), {})
            except nf.InputError:
                continue
            reader.get(f"/edit/{kept(client, other)}")
            assert "This is possible" in reader.text or "This can be" in reader.text or 'class="wrong"' in reader.text


def test_a_position_is_set_up_by_clicking(reader: Reader) -> None:
    reader.post("/new/donuts", {"players": "2", "do": "edit", "seed": "3"})
    edit = reader.url
    reader.post(f"{edit}/change", {"card": "eclair", "do": '["card",["row",0],""]'})
    assert "This is possible" in reader.text
    assert re.search(r'name="v:\[&#34;row&#34;,0\]" value="eclair"', reader.text)
    reader.post(f"{edit}/change", {"card": "glazed", "do": '["add",["player",0,"cards"],""]'})
    reader.post(f"{edit}/change", {"card": "glazed", "do": '["more",["player",0,"cards","glazed"],""]'})
    assert "glazed = 2" in html.unescape(reader.text)
    reader.post(f"{edit}/change", {'v:["row",0]': "eclare"})
    assert "did you mean &#39;eclair&#39;" in reader.text
    assert 'data-wrong="row[0]"' in reader.text
    reader.post(f"{edit}/study")
    assert "did you mean" in reader.notice
    reader.post(f"{edit}/undo")
    assert 'data-wrong=""' in reader.text
    reader.post(f"{edit}/study")
    assert reader.url.startswith("/study/")


def test_what_cannot_stand_there_is_kept_and_told(reader: Reader) -> None:
    reader.post("/new/donuts", {"players": "2", "do": "edit", "seed": "3"})
    edit = reader.url
    reader.post(f"{edit}/change", {"do": '["field",[],"deck"]'})
    for typed, said in (("many", "deck: must be a whole number, not 'many'"), ("1.5", "not '1.5'"), ("9" * 99, "deck")):
        reader.post(f"{edit}/change", {'v:["deck"]': typed})
        assert said in html.unescape(reader.text)
        assert 'data-wrong="deck"' in reader.text
        assert f'value="{typed}"' in reader.text
    reader.post(f"{edit}/change", {'v:["deck"]': "34"})
    assert 'data-wrong=""' in reader.text


def test_cells_of_a_row_are_places_to_click(reader: Reader) -> None:
    reader.post("/new/coney", {"players": "1", "do": "edit", "seed": "3"})
    reader.post(f"{reader.url}/change", {"card": "fern", "do": '["word",["player",0,"farm",1],"2"]'})
    assert 'value="- - fern"' in reader.text


def test_a_deck_is_written_card_by_card_and_played(reader: Reader) -> None:
    reader.post("/deck/donuts")
    edit = reader.url
    reader.post(f"{edit}/change", {"do": '["add",["kinds"],""]', 'new:["kinds"]': "cronut"})
    assert 'data-wrong=""' not in reader.text or "cronut" in reader.text
    reader.post(f"{edit}/change", {'v:["kinds","cronut","players"]': "9"})
    assert "kinds.cronut.players: must be 2 to 6, not 9" in reader.text
    name = edit.rpartition("/")[2]
    reader.get(f"/new/donuts?deck={name}", status=400)
    reader.post(
        f"{edit}/change",
        {
            'v:["kinds","cronut","players"]': "2", 'v:["kinds","cronut","copies"]': "4",
            'v:["kinds","cronut","points"]': "3",
        },
    )  # fmt: skip
    assert "This can be played" in reader.text
    assert "[kinds.cronut]" in reader.text
    assert "with your cards" in reader.get(f"/new/donuts?deck={name}")
    reader.post("/new/donuts", {"players": "2", "do": "edit", "deck": name})
    assert 'id="card-cronut"' in reader.text
    reader.get(f"{edit}/save")
    found = nf.files.from_dict(nf.files.data_in(reader.text, "x.toml"))
    assert isinstance(found, nf.Ruleset)
    reader.open(reader.text)
    assert reader.url.startswith("/edit/")


def test_remarks_about_a_deck_are_shown(reader: Reader) -> None:
    reader.post("/deck/coney")
    reader.post(f"{reader.url}/change", {"do": '["remove",["cards","acorn"],""]'})
    assert 'class="warn"' in reader.text or 'class="wrong"' in reader.text


def test_a_draft_is_written_as_text(reader: Reader) -> None:
    reader.post("/deck/canopy")
    edit = reader.url
    reader.post(f"{edit}/text", {"text": "ninefold = "})
    assert "is no TOML" in reader.notice
    reader.post(f"{edit}/text", {"text": 'ninefold = 1\ngame = "donuts"'})
    assert "not of 'donuts'" in reader.notice
    reader.post(f"{edit}/text", {"text": 'ninefold = 1\ngame = "canopy"\nextends = "standard"'})
    assert "This can be played" in reader.text


@pytest.mark.parametrize(
    "action",
    [
        "x", "[]", '["burn",[],""]', '["remove",[],""]', '["remove",["row",99],""]', '["card",["nowhere"],""]',
        '["become",["row"],"7"]', '["become",["row"],"x"]', '["field",[],"nothing"]', '["word",["row",0],"9"]',
        '["more",["row"],""]', '["card",["row",0],""]', "[" * 5000,
    ],
)  # fmt: skip
def test_wrong_buttons_change_nothing(action: str) -> None:
    draft = Draft(game="donuts", kind="position", data=nf.game("donuts", 2).deal(1).to_dict())
    before = json.dumps(draft.data)
    with pytest.raises(nf.InputError):
        draft.change({}, action, "", {})
    assert json.dumps(draft.data) == before


def test_whatever_is_typed_is_told_not_crashed(reader: Reader) -> None:
    reader.post("/new/territory", {"players": "2", "do": "edit", "seed": "3"})
    edit = reader.url
    for path in ('["round"]', '["row"]', '["sides",0]', '["nothing"]', "x", '["player",99]'):
        for typed in (EVIL, "9" * 500):
            reader.post(f"{edit}/change", {f"v:{path}": typed, "card": EVIL})
            assert SCRIPT not in reader.text


# --- hostile input ----------------------------------------------------------------------------------------------------


def test_files_cannot_put_anything_into_the_page(reader: Reader) -> None:
    text = (EXAMPLES / "coney/farm-01.toml").read_text("utf-8")
    reader.open(text.replace('title = "Nine', f"title = {json.dumps(EVIL)[:-1]} Nine"))
    assert "&lt;script&gt;" in reader.text
    assert SCRIPT not in reader.text
    for broken in (
        f"ninefold = 1\ngame = {json.dumps(EVIL)}",
        f'ninefold = 1\ngame = "donuts"\nrow = [{json.dumps(EVIL)}, "-", "-"]\nplayer = [{{}}, {{}}]',
        f'ninefold = 1\ngame = "donuts"\n{json.dumps(EVIL)} = 1',
        f'ninefold = 1\ngame = "donuts"\nextends = "standard"\nkinds.{json.dumps(EVIL)} = {{ players = 2 }}',
        EVIL,
    ):
        reader.open(broken, status=400)
        assert SCRIPT not in reader.text
        assert 'class="wrong"' in reader.text
    title = f'ninefold = 1\ngame = "coney"\nextends = "standard"\ntitle = {json.dumps(EVIL)}'
    reader.open(title)
    assert SCRIPT not in reader.text
    deck = reader.url.rpartition("/")[2]
    assert SCRIPT not in reader.get(f"/new/coney?deck={deck}")
    reader.post("/new/coney", {"players": "2", "do": "study", "deck": deck})
    assert SCRIPT not in reader.text
    assert "&lt;script&gt;" in reader.text
    files = {"file": (f"{EVIL}.toml", b"ninefold = ", "text/plain")}
    assert SCRIPT not in reader.post("/open", files=files, status=400)


def test_files_name_no_files(reader: Reader, tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text("hush = 1")
    for name in (str(secret), "/etc/passwd", "../pyproject.toml"):
        reader.open(f'ninefold = 1\ngame = "donuts"\nruleset = {json.dumps(name)}\nrow = []\nplayer = []', status=400)
        assert "names a file: give the ruleset itself" in reader.text
        assert "hush" not in reader.text
        reader.post("/new/donuts", {"players": "2", "do": "edit", "seed": "3"})
        text = html.unescape(re.search(r'<textarea name="text"[^>]*>(.*?)</textarea>', reader.text, re.S)[1])  # type: ignore[index]
        reader.post(f"{reader.url}/text", {"text": f"ruleset = {json.dumps(name)}\n{text}"})
        assert "names a file" in reader.text


def test_nobody_brings_a_player_along(reader: Reader) -> None:
    for name in ("plugin:os:system", "mcts:visits=1000000000", "nobody"):
        reader.post("/new/donuts", {"players": "2", "do": "play", "seat1": name}, status=400)
        assert "nobody here is called" in reader.text
    table = Table(nf.game("donuts", 2), [PERSON, "random"], seed=1)
    table.run()
    text = nf.files.to_text(table.record(), "toml").replace('"random"', '"plugin:os:system"')
    reader.open(text)
    assert "plugin:os" not in reader.text
    reader.post(reader.url, {"seat1": "plugin:os:system"})
    assert "nobody here is called" in reader.notice
    assert all("plugin" not in level for level in LEVELS)


def test_bad_uploads(reader: Reader) -> None:
    for data, why in ((b"\xff\xfe\x00", "is not UTF-8"), (b"a\0b", "NUL"), (b"  ", "is empty"), (b"[", "is no TOML")):
        assert why in reader.post("/open", files={"file": ("a.toml", data, "text/plain")}, status=400)
    assert "choose a file" in reader.post("/open", {}, status=400)
    assert "NUL" in reader.post("/open", {"text": "a\0b"}, status=400)
    reader.post("/open", content=b"--x", headers={"content-type": "multipart/form-data; boundary=x"}, status=400)
    reader.post("/open", content=b"x", headers={"content-type": "multipart/form-data"}, status=400)


def test_large_requests_are_turned_away(client: TestClient) -> None:
    big = b"text=" + b"a" * guard.LARGEST
    head = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/open", content=big, headers=head).status_code == 413
    assert client.post("/open", content=iter([big[:1000], big]), headers=head).status_code == 413  # no length told
    many = "&".join(f"a{i}=1" for i in range(5000))
    assert client.post("/open", content=many, headers=head).status_code in (400, 413)
    assert client.post("/open", content=b"x", headers={**head, "content-length": "x"}).status_code == 413


@pytest.mark.parametrize(
    "head",
    [
        {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://testserver:81"},
        {"origin": "http://testserver", "sec-fetch-site": "cross-site"}, {"origin": "http://testserver.evil.example"},
    ],
)  # fmt: skip
def test_other_sites_cannot_send_anything(client: TestClient, head: dict[str, str]) -> None:
    assert client.post("/deck/donuts", headers=head).status_code == 403
    assert client.put("/", headers=head).status_code == 403


def test_requests_that_do_not_say_where_they_come_from_change_nothing() -> None:
    with TestClient(create(("testserver",))) as bare:
        assert bare.get("/").status_code == 200
        assert bare.post("/deck/donuts").status_code == 403
        assert bare.post("/deck/donuts", headers={"sec-fetch-site": "same-origin"}).status_code == 200


def test_other_names_for_this_server_are_refused(client: TestClient) -> None:
    for host in ("evil.example", "evil.example:8009", "127.0.0.1.evil.example", "", "a" * 5000):
        assert client.get("/", headers={"host": host}).status_code == 400
    with TestClient(create(), base_url="http://127.0.0.1:8009") as local:
        for host in ("127.0.0.1:8009", "localhost:1", "[::1]:8009", "LOCALHOST"):
            assert local.get("/", headers={"host": host}).status_code == 200


def test_what_is_not_there(reader: Reader, client: TestClient) -> None:
    for kind in ("table", "study", "edit", "record", "puzzle", "job"):
        for name in ("x", "..%2f..", EVIL, "a" * 2000):
            assert client.get(f"/{kind}/{name}").status_code == 404
        assert "is gone" in reader.get(f"/{kind}/nothing", status=404)
    reader.get("/new/chess", status=404)
    assert "unknown game" in reader.text
    reader.get(f"/new/{EVIL}", status=404)
    assert SCRIPT not in reader.text
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/", "/templates/base.html", "/etc/passwd"):
        assert client.get(path).status_code == 404
    assert client.get("/deck/donuts").status_code == 405
    assert client.post("/").status_code == 405
    reader.post("/new/donuts", {"players": "77", "do": "play"}, status=400)
    reader.post("/new/donuts", {"players": "2", "seed": "x", "do": "play"}, status=400)
    reader.post("/new/donuts", {"players": "2", "preset": EVIL, "do": "play"}, status=400)
    assert SCRIPT not in reader.text
    reader.get("/new/donuts?players=٣&start=x", status=404)


def test_the_parts_of_the_page_come_with_the_package(client: TestClient) -> None:
    for name in (
        "/static/htmx.min.js",
        "/static/page.js",
        "/static/page.css",
        "/static/icon.svg",
        "/draw.css",
        "/favicon.ico",
    ):
        answer = client.get(name)
        assert answer.status_code == 200
        assert len(answer.text) > 100
    assert "Zero-Clause BSD" in client.get("/static/htmx.LICENSE.txt").text


def luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_colours_can_be_read(client: TestClient, mode: int) -> None:
    """WCAG's contrast of at least 4.5 for text, 3 for what is drawn."""
    block = re.findall(r":root \{(.*?)\}", client.get("/static/page.css").text, re.S)[mode]
    colours = dict(re.findall(r"--([\w-]+): (#\w{6})", block))
    for ink, paper, least in (
        *((ink, paper, 4.5) for ink in ("ink", "faint", "mark", "good", "bad", "warn") for paper in ("paper", "soft")),
        ("on", "mark", 4.5), ("ink", "bad-soft", 4.5), ("bad", "bad-soft", 4.5), ("bar", "whole", 3),
        ("ink", "whole", 3),
    ):  # fmt: skip
        bright, dark = sorted((luminance(colours[ink]), luminance(colours[paper])), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= least, (ink, paper)


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_server_starts_says_where_and_ends_with_ctrl_c() -> None:
    command = [
        sys.executable,
        "-m",
        "ninefold",
        "serve",
        "--port",
        "0",
        str(EXAMPLES),
    ]  # with a file of another program
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stderr
        try:
            url = server.stdout.readline().split()[0]
            from urllib.request import urlopen

            with urlopen(url, timeout=60) as answer:
                assert "donuts-3p.toml" in answer.read().decode()
            server.send_signal(signal.SIGINT)
            assert server.wait(60) == 0
            assert server.stderr.read() == ""
        finally:
            server.kill()


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from ninefold.cli.serve import command

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(nf.InputError, match=r"pip install 'ninefold\[web\]'"):
        command.main([], standalone_mode=False)


def test_bad_arguments_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    from ninefold.cli.serve import command

    with pytest.raises(nf.InputError, match="no such file"):
        command.main(["nothing.toml"], standalone_mode=False)
    with pytest.raises(nf.InputError, match="cannot listen there"):
        command.main(["--host", "203.0.113.7", "--port", "0"], standalone_mode=False)
