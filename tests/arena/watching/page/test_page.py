"""Pages in a real browser: they show what the record says, are steered by keys, buttons, touch and links, and ask for nothing."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bullring.arena.games.rulebook.language import in_all, speak
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import Pool, Rows, Stacks, Waiting
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import Lines
from bullring.arena.watching.page.page import page as made
from bullring.arena.watching.picture.picture import Frame, Picture
from tests.arena.games.rules.toy import Toy
from tests.arena.watching.page.matches import QUICK, analysis_of, frames_of, played, renamed, written
from tests.support.browser import looking, until
from tests.support.record import record_of

pytestmark = pytest.mark.xdist_group("chromium")

DRAWN = """() => {
  const cards = (place) => [...place.querySelectorAll("[data-card]")].map((card) => Number(card.dataset.card));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const seats = all(".seat").sort((one, other) => one.dataset.seat - other.dataset.seat);
  return {
    step: Number(document.documentElement.dataset.step),
    scores: seats.map((seat) => Number(seat.querySelector(".total").textContent)),
    played: seats.map((seat) => cards(seat.querySelector(".played"))),
    groups: all(".row, .stack").map(cards),
    pool: all(".pool").map(cards),
    waiting: all(".waiting").map(cards),
  };
}"""
"""The contents of the page, read from its elements."""


def wanted(picture: Picture) -> dict[str, Any]:
    """The contents that it should have."""
    groups: list[list[int]] = []
    pool, waiting = [], []
    for part in picture.board:
        match part:
            case Rows(rows=cards) | Stacks(stacks=cards):
                groups += [[*row] for row in cards]
            case Pool(cards=free):
                pool.append([*free])
            case Waiting(cards=owned):
                waiting.append([card for _, card in owned])
    return {
        "scores": [seat.score for seat in picture.seats],
        "played": [[*seat.cards[-3:]] for seat in picture.seats],
        "groups": groups,
        "pool": pool,
        "waiting": waiting,
    }


def shown(page: Page) -> dict[str, Any]:
    """The contents, without the number of the step."""
    drawn: dict[str, Any] = page.evaluate(DRAWN)
    del drawn["step"]
    return drawn


def at(page: Page) -> int:
    """The number of the step that is shown."""
    return int(page.evaluate("document.documentElement.dataset.step"))


def arrive(page: Page, step: int) -> None:
    """Wait until this step is shown."""
    page.wait_for_selector(f"html[data-step='{step}']", state="attached")


def leave(page: Page, step: int) -> int:
    """Wait until another step is shown; its number."""
    page.wait_for_selector(f"html:not([data-step='{step}'])", state="attached")
    return at(page)


def first(frames: list[Frame], deal: int, turn: int) -> int:
    """The first step of a turn."""
    return next(
        number for number, frame in enumerate(frames) if (frame.picture.deal, frame.picture.turn) == (deal, turn)
    )


@pytest.fixture(name="lines", scope="module")
def _lines(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    return played(tmp_path_factory.mktemp("match"), options={"deals": 2})


@pytest.fixture(name="file", scope="module")
def _file(tmp_path_factory: pytest.TempPathFactory, lines: Lines) -> Path:
    return written(tmp_path_factory.mktemp("page"), lines)


@pytest.fixture(name="page")
def _page(browser: Browser, file: Path) -> Iterator[Page]:
    with looking(browser, file, "#d1t1") as page:
        yield page


SITE: Any = {
    "links": {"front": "../index.html", "home": "../matches/1.html", "earlier": "16.html"},
    "bots": [f"../bots/{bot}.html" for bot in (5, 6, 7, 8)],
    "number": 17,
    "listed": {"en": "Standard game, four at a table", "de": "Grundspiel zu viert"},
    "ladder": "The Ring",
    "picture": "17.png",
}
"""Where the page of an analysed match is in a site."""


@pytest.fixture(name="judged", scope="module")
def _judged(tmp_path_factory: pytest.TempPathFactory, lines: Lines) -> Path:
    """The page of an analysed match."""
    path = tmp_path_factory.mktemp("judged") / "match.html"
    path.write_text(made(lines, analysis_of(lines), **SITE), "utf-8")
    return path


@pytest.fixture(name="toy")
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", Toy)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("game", QUICK)
def test_the_last_position_is_that_of_the_record(game: str, browser: Browser, tmp_path: Path) -> None:
    lines = played(tmp_path, game)
    frames = frames_of(lines)
    with looking(browser, written(tmp_path, lines), "#end", locale="de-DE") as page:
        assert at(page) == len(frames) - 1
        assert shown(page) == wanted(frames[-1].picture)
        assert page.evaluate("document.documentElement.lang") == "de"
        assert str(page.text_content("#about")).startswith(in_all(lambda: wording(GAMES[game]).title)["de"])


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_every_step_there_and_back_shows_what_the_record_says(game: str, browser: Browser, tmp_path: Path) -> None:
    lines = played(tmp_path, game, 5)
    pictures = [wanted(frame.picture) for frame in frames_of(lines)]
    walk = """(key) => Array.from({ length: COUNT }, () => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      return (DRAWN)();
    })""".replace("COUNT", str(len(pictures) - 1)).replace("DRAWN", DRAWN)
    with looking(browser, written(tmp_path, lines), "#d0t0") as page:
        there, back = page.evaluate(walk, "ArrowRight"), page.evaluate(walk, "ArrowLeft")
    assert [drawn.pop("step") for drawn in there] == [*range(1, len(pictures))]
    assert there == pictures[1:]
    assert [drawn.pop("step") for drawn in back] == [*reversed(range(len(pictures) - 1))]
    assert back == [*reversed(pictures[:-1])]


def test_keys_step_and_jump(page: Page, lines: Lines) -> None:
    frames = frames_of(lines)
    begin = first(frames, 1, 1)
    for key, step in (("ArrowRight", begin + 1), ("ArrowRight", begin + 2), ("ArrowLeft", begin + 1)):
        page.keyboard.press(key)
        assert at(page) == step
    page.keyboard.press("End")
    arrive(page, len(frames) - 1)
    page.keyboard.press("Home")
    arrive(page, 0)
    takes = [number for number, frame in enumerate(frames) if type(frame.step).__name__ == "Took"]
    for wished in takes[:2]:
        page.keyboard.press("n")
        arrive(page, wished)
    page.keyboard.press("N")
    arrive(page, takes[0])
    for key, turn in (("]", (2, 1)), (".", (2, 2)), (".", (2, 3)), (",", (2, 2)), ("[", (2, 1)), ("[", (1, 1))):
        page.keyboard.press(key)
        arrive(page, first(frames, *turn))
    speed = page.input_value("#speed")
    page.keyboard.press("+")
    assert page.input_value("#speed") != speed
    page.keyboard.press("-")
    assert page.input_value("#speed") == speed
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")
    assert not page.is_visible("#help")


@pytest.mark.slow
def test_it_plays_by_itself_until_it_is_stopped(page: Page) -> None:
    begin = at(page)
    for _ in range(4):
        page.keyboard.press("+")
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Pause"
    for step in range(begin, begin + 3):
        leave(page, step)
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Play"


def test_buttons_slider_and_lists(page: Page, lines: Lines) -> None:
    frames = frames_of(lines)
    begin = at(page)
    page.click("#next")
    assert at(page) == begin + 1
    page.click("#back")
    assert at(page) == begin
    page.click("#last")
    arrive(page, len(frames) - 1)
    assert page.is_disabled("#next")
    page.locator("input[type=range]").fill("40")
    assert at(page) == 40
    assert "turn" in str(page.get_attribute("input[type=range]", "aria-valuetext"))
    page.get_by_label("Deal", exact=True).select_option("2")
    assert frames[leave(page, 40)].picture.deal == 2
    page.get_by_label("Turn", exact=True).select_option("7")
    arrive(page, first(frames, 2, 7))
    assert page.evaluate("location.hash") == "#d2t7"
    held = frames[at(page)].picture.seats[0].hand
    assert held
    assert not page.query_selector(".hand")
    page.click("#hands")
    assert len(page.query_selector_all(".seat:first-child .hand .card")) == len(held)


def test_links_lead_to_turns_follow_steps_and_the_way_back_works(page: Page, lines: Lines) -> None:
    frames = frames_of(lines)
    page.evaluate("location.hash = '#d2t3'")
    begin = first(frames, 2, 3)
    arrive(page, begin)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == "#d2t3.2"
    page.keyboard.press("End")
    arrive(page, len(frames) - 1)
    assert page.evaluate("location.hash") == "#end"
    page.go_back()
    arrive(page, begin + 1)
    for nonsense in ("#nonsense", "#d9t99"):
        page.evaluate(f"location.hash = '{nonsense}'")
        until(page, "location.hash === '#d2t3.2'")
        assert at(page) == begin + 1
    page.evaluate("location.hash = '#d2t3.99'")
    until(page, "location.hash !== '#d2t3.99'")
    assert frames[at(page)].picture.turn == 3
    page.click("#history a >> nth=0")
    assert frames[leave(page, begin + 1)].picture.turn == 1


def test_a_finger_swipes_and_taps(browser: Browser, file: Path) -> None:
    with looking(
        browser, file, "#d1t1", viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True
    ) as page:
        begin = at(page)
        box = page.locator("#board").bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + 0.8 * box["width"], box["y"] + 30)
        assert at(page) == begin + 1
        page.touchscreen.tap(box["x"] + 0.1 * box["width"], box["y"] + 30)
        assert at(page) == begin
        swipe = """(places) => ["pointerdown", "pointerup"].forEach((type, at) =>
          document.getElementById("board").dispatchEvent(
            new PointerEvent(type, { bubbles: true, pointerType: "touch", clientX: places[at], clientY: 200 })))"""
        page.evaluate(swipe, [250, 100])
        assert at(page) == begin + 1
        page.evaluate(swipe, [100, 250])
        assert at(page) == begin


def test_a_phone_scrolls_down_only(browser: Browser, tmp_path: Path) -> None:
    names = ["a-very-long-name-without-a-single-place-to-break-it-" * 2, *"bcdefghij"]
    file = written(tmp_path, renamed(played(tmp_path, seats=10), [name[:80] for name in names]))
    with looking(
        browser, file, "#d1t1", viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True
    ) as page:
        page.click("#hands")
        for link in ("#d1t6.4", "#end", "#d1t1.2"):
            step = at(page)
            page.evaluate(f"location.hash = '{link}'")
            leave(page, step)
            assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_languages_are_switched_in_the_page_and_each_step_is_said(page: Page, lines: Lines) -> None:
    assert page.evaluate("document.documentElement.lang") == "en"
    page.keyboard.press("n")
    page.wait_for_selector("#said:has-text('takes row')")
    assert page.get_attribute("#said", "role") == "status"
    page.click("text=Deutsch")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert "nimmt mit der" in str(page.text_content("#said"))
    assert page.get_attribute("#next", "aria-label") == "Nächster Schritt"


def test_a_page_asked_for_in_a_language_opens_in_it_until_its_reader_switches(browser: Browser, tmp_path: Path) -> None:
    speak("de", asked=True)
    try:
        file = written(tmp_path, played(tmp_path))
    finally:
        speak("en")
    assert 'lang="de"' in file.read_text("utf-8").splitlines()[1]
    with looking(browser, file) as page:
        assert page.get_attribute("html", "lang") == "de"
        assert page.text_content("#course-title") == "Hornochsen im Verlauf"
        page.click("#language [lang=en]")
        assert page.get_attribute("html", "lang") == "en"


@pytest.mark.slow
def test_each_control_has_a_name_and_each_card_a_label(page: Page) -> None:
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("#page button, #page select, #page input, #page a, #page [tabindex]")]
          .filter((item) => item.checkVisibility() && !item.textContent.trim()
            && !item.getAttribute("aria-label") && !item.labels?.length)
          .map((item) => item.outerHTML)"""
    )
    assert nameless == []
    assert page.locator("#board .card").first.get_attribute("aria-label")
    assert page.get_by_role("img", name="1 head").count()
    tree = page.locator("#table").aria_snapshot()
    assert "Row 1, 1 card" in tree


HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"'><b onmouseover=alert(3)>&lt;&amp;${alert(4)}{0}",
    "\u202eevil\u2066\u2069",
    "Z̷̢̛a̶l̴g̸o̶ ̈́💀👩‍👩‍👧‍👦",
    "א" * 80,
    "<!--<script>",
    "\ue000\ue001①②",
]


def test_hostile_names_are_text_and_nothing_else(browser: Browser, tmp_path: Path) -> None:
    file = written(tmp_path, renamed(played(tmp_path, seats=len(HOSTILE)), HOSTILE))
    with looking(browser, file, "#end", viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True) as page:
        page.once("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
        assert page.locator("script").count() == 2
        assert page.locator("img, b[onmouseover]").count() == 0
        names = [str(page.text_content(f".seat[data-seat='{seat}'] .name bdi")) for seat in range(len(HOSTILE))]
        assert names[:2] == HOSTILE[:2]
        assert names[2] == HOSTILE[2]
        assert "\u202e" not in "".join(names)
        assert page.locator(".seat").count() == len(HOSTILE)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.keyboard.press("n")
        policy = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content")
        assert policy is not None
        assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
        assert "unsafe" not in policy


@pytest.mark.slow
def test_what_somebody_puts_into_the_page_does_not_run(browser: Browser, file: Path) -> None:
    page = browser.new_page()
    page.goto(file.as_uri())
    page.evaluate(
        "const script = document.createElement('script'); script.textContent = 'ran = 1'; document.body.append(script)"
    )
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\" id=styled>x</p>')")
    assert page.evaluate("typeof ran") == "undefined"
    assert page.evaluate("getComputedStyle(styled).color") != "rgb(255, 0, 0)"
    page.close()


CONTRAST = """() => {
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const channel = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (item) => {
    for (; item; item = item.parentElement) {
      const found = numbers(getComputedStyle(item).backgroundColor);
      if (found.length < 4 || found[3] === 1) return found;
    }
  };
  const found = [];
  const check = (item, ink, ground, least, text) => {
    const value = ratio(numbers(ink), behind(ground));
    if (value < least) found.push([text, item.className.baseVal ?? item.className, ink, behind(ground).join(), value]);
  };
  const walker = document.createTreeWalker(document.getElementById("page"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const item = node.parentElement, style = getComputedStyle(item), size = parseFloat(style.fontSize);
    if (!node.textContent.trim() || !item.checkVisibility()) continue;
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const drawn = item.closest("svg");
    const ground = item.closest(".owner") ? item.closest("li").parentElement : drawn ? drawn.parentElement : item;
    check(item, drawn ? style.fill : style.color, ground, large ? 3 : 4.5, node.textContent);
  }
  const things = { ".line": "stroke", ".seat": "borderLeftColor", ".row.full": "borderLeftColor", ".bar i": "backgroundColor",
    ".bulls svg": "color", ".sum svg": "color", "button svg": "color" };
  for (const [selector, property] of Object.entries(things)) {
    for (const item of document.querySelectorAll(selector)) {
      const ground = item.closest("svg")?.parentElement ?? item.parentElement;
      check(item, getComputedStyle(item)[property], ground, 3, selector);
    }
  }
  return found;
}"""
"""All texts and signs whose contrast is less than WCAG's AA asks for."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_for_everybody(scheme: Any, browser: Browser, judged: Path) -> None:
    with looking(browser, judged, "#d1t4.2", color_scheme=scheme) as page:
        for key in ("n", "End"):
            step = at(page)
            page.keyboard.press(key)
            leave(page, step)
            assert page.evaluate(CONTRAST) == []


def test_what_each_card_cost_is_shown_and_mistakes_are_found(browser: Browser, judged: Path, lines: Lines) -> None:
    marked = sorted({choice.line for choice in analysis_of(lines).choices if choice.mark})
    frames = frames_of(lines)
    steps = [next(at for at, frame in enumerate(frames) if frame.line == line) for line in marked]
    with looking(browser, judged, "#d1t1") as page:
        assert page.locator("#choices details").count() == 0
        for step in steps[:2]:
            page.keyboard.press("m")
            arrive(page, step)
        assert page.locator("#choices details[open] .judged").first.text_content() in ("?!", "?", "??")
        assert "better:" in str(page.locator("#choices details[open]").first.text_content())
        bars = page.locator("#choices details[open] >> nth=0").locator(".bar i")
        widths = bars.evaluate_all("bars => bars.map((bar) => bar.getBoundingClientRect().width)")
        assert widths == sorted(widths)
        assert page.locator("#parts thead").text_content() == (
            "Nameheads= par+ luck of the deal+ luck of the others’ play+ edge+ mistakescost a move"
        )
        page.keyboard.press("End")
        arrive(page, len(frames) - 1)
        page.click("#worst a >> nth=0")
        assert leave(page, len(frames) - 1) in steps
        assert page.get_attribute("#links a >> nth=0", "href") == "../index.html"


@pytest.mark.slow
def test_the_chart_has_a_line_for_each_seat_and_tells_values(page: Page, lines: Lines) -> None:
    scores = [seat.score for seat in frames_of(lines)[-1].picture.seats]
    assert page.locator("#chart g[aria-hidden] text").all_text_contents()[-2:] == ["1", "2"]
    focused = page.locator("#chart g[tabindex]")
    assert focused.count() == len(scores)
    assert str(focused.first.get_attribute("aria-label")).endswith(f"Deal 2: {scores[0]}")
    page.evaluate("document.querySelector('#chart').scrollIntoView()")
    box = page.locator("#chart svg").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + 40)
    assert "Deal 2 of 2, turn 10" in str(page.text_content("#values"))
    assert sorted(map(int, page.locator("#values b").all_text_contents())) == sorted(scores)
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 40)
    arrive(page, first(frames_of(lines), 2, 10))


def test_more_seats_than_colours_tell_apart_have_a_chart_each(browser: Browser, tmp_path: Path) -> None:
    lines = played(tmp_path, seats=10)
    scores = [seat.score for seat in frames_of(lines)[-1].picture.seats]
    with looking(browser, written(tmp_path, lines), "#end") as page:
        charts = page.locator("#chart figure")
        assert charts.locator("figcaption b").all_text_contents() == [*map(str, scores)]
        assert charts.locator(".line").count() == 10
        assert charts.first.locator(".other").count() == 10


def test_the_history_marks_only_what_happened_in_this_turn(page: Page, lines: Lines) -> None:
    frames = frames_of(lines)
    for step in range(first(frames, 1, 1), first(frames, 1, 6)):
        arrive(page, step)
        marked = page.locator("#history [aria-current] .when").all_text_contents()
        assert marked in ([], [f"{frames[step].picture.turn}. "])
        page.keyboard.press("ArrowRight")


def test_a_page_opens_at_the_end_and_without_spoilers_at_the_beginning(
    browser: Browser, file: Path, lines: Lines
) -> None:
    frames = frames_of(lines)
    with looking(browser, file) as page:
        assert at(page) == len(frames) - 1
    with looking(browser, file, "?spoilers=no") as page:
        begin = at(page)
        assert frames[begin].picture.board
        assert not frames[begin - 1].picture.board


def test_the_page_of_an_unfinished_match_says_so_and_has_no_hands_to_open(
    browser: Browser, tmp_path: Path, lines: Lines
) -> None:
    torn = Lines(b"".join(lines.data.splitlines(keepends=True)[:6]), 0)
    with looking(browser, written(tmp_path, torn), "#end") as page:
        assert "ends before its match is over" in str(page.text_content("#note"))
        assert page.locator("#hands").count() == 0


@pytest.mark.slow
def test_faults_closed_seats_and_a_void_match_are_shown(browser: Browser, tmp_path: Path) -> None:
    *lines, end = record_of(tmp_path / "match.jsonl").read_bytes().splitlines(keepends=True)
    facts = json.loads(end)
    facts["end"].update(void="the <b>machine</b> stood ③ still", ranks=[])
    void = Lines(b"".join([*lines, json.dumps(facts, separators=(",", ":")).encode() + b"\n"]), 0)
    with looking(browser, written(tmp_path, void), "#end") as page:
        assert "This match is void" in str(page.text_content("#note"))
        assert page.text_content("#said") == "The match is void: the <b>machine</b> stood ? still."
        assert page.locator(".seat.closed").count() == 3
        assert "1 fault" in str(page.text_content(".seat >> nth=0"))


@pytest.mark.slow
def test_a_link_is_copied_or_shown_to_be_copied(browser: Browser, file: Path) -> None:
    with looking(browser, file, "#d2t3", permissions=["clipboard-read", "clipboard-write"]) as page:
        page.keyboard.press("ArrowRight")
        page.click("#copy")
        page.wait_for_selector("#more [role=status] >> text=Copied")
        assert page.evaluate("navigator.clipboard.readText()") == f"{file.as_uri()}#d2t3.2"
    with looking(browser, file, "#d2t3") as page:
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
        page.click("#copy")
        assert page.input_value("#more input[type=text]") == f"{file.as_uri()}#d2t3"


@pytest.mark.slow
def test_cards_move_unless_people_do_not_want_it(browser: Browser, file: Path) -> None:
    moved = "document.getAnimations().length"
    for wish, moves in (("no-preference", True), ("reduce", False)):
        with looking(browser, file, "#d1t1.2", reduced_motion=wish) as page:
            page.keyboard.press("ArrowRight")  # cards are turned up
            assert (page.evaluate(moved) > 0) is moves


@pytest.mark.slow
def test_all_that_is_needed_can_be_reached_with_the_tab_key(page: Page) -> None:
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.id || document.activeElement.type || document.activeElement.tagName")
        )
    assert {"first", "back", "play", "next", "last", "range", "take", "hands", "copy", "keyed", "g"} <= reached


def test_the_headline_says_who_won_what_and_when(browser: Browser, judged: Path, lines: Lines) -> None:
    scores = [seat.score for seat in frames_of(lines)[-1].picture.seats]
    with looking(browser, judged, "#d1t1", locale="de-DE") as page:
        best = page.locator(".seat .name bdi").all_text_contents()[scores.index(min(scores))]
        headline = str(page.text_content("h1"))
        assert headline.startswith(f"{best} gewinnt")
        assert str(min(scores)) in headline
        first, second, *_ = sorted(scores)
        assert headline.endswith(f", {second - first} weniger als der Nächste")
        about = str(page.text_content("#about"))
        assert about.startswith("Partie 17 · Grundspiel zu viert · ")
        assert str(lines.entries[0]["began"])[:4] in about
        assert page.locator("#links a").all_text_contents() == [" The Ring", "Alle Partien", "← Frühere Partie"]
        assert page.get_attribute(".seat .name a >> nth=3", "href") == "../bots/8.html"


def test_without_spoilers_nothing_is_told_that_comes_later(browser: Browser, judged: Path, lines: Lines) -> None:
    frames = frames_of(lines)
    with looking(browser, judged, "#d1t4") as page:
        assert "wins" in str(page.text_content("h1"))
        told = page.locator("#history li").count()
        page.keyboard.press("s")
        assert page.get_attribute("#spoilers", "aria-pressed") == "true"
        assert "wins" not in str(page.text_content("h1"))
        assert not page.is_visible("#summary")
        assert page.locator("#history li").count() < told
        assert page.locator("#history li.later").count() == 0
        points = "document.querySelector('#chart .line').getAttribute('points').split(' ').length"
        assert page.evaluate(points) == 4  # of the turns that are over, and the one that has begun
        page.keyboard.press(".")
        arrive(page, first(frames, 1, 5))
        assert page.evaluate(points) == 5
        page.keyboard.press("Home")
        arrive(page, 0)
        assert page.evaluate(points) == 5  # what was seen may be seen again
        page.keyboard.press("End")
        arrive(page, len(frames) - 1)
        assert "wins" in str(page.text_content("h1"))
        assert page.is_visible("#summary")


def test_without_spoilers_nothing_tells_how_many_deals_lead_to_the_target(browser: Browser, tmp_path: Path) -> None:
    lines = played(tmp_path, options={"target": 66})
    frames = frames_of(lines)
    deals = frames[-1].picture.deal
    assert deals > 2
    with looking(browser, written(tmp_path, lines), "?spoilers=no#d2t3") as page:
        for deal in (2, deals):
            arrive(page, first(frames, deal, 3 if deal == 2 else 1))
            turns = {(frame.picture.deal, frame.picture.turn) for frame in frames if frame.picture.deal <= deal}
            marks = len(turns) - (deal < deals)
            assert page.get_attribute("#steering input[type=range]", "max") == str(marks)  # turns, not steps
            assert page.locator("label >> nth=0").locator("option:not([value='0'])").count() == deal
            assert page.locator("#chart text:not([text-anchor])").all_text_contents() == [
                str(at + 1) for at in range(deal)
            ]
            page.evaluate(f"location.hash = 'd{deals}t1'")
        page.locator("input[type=range]").fill(str(marks))
        arrive(page, len(frames) - 1)


def test_without_spoilers_nothing_tells_how_long_a_deal_will_be_that_may_end_early(
    browser: Browser, tmp_path: Path
) -> None:
    frames = frames_of(played(tmp_path, "eleven"))
    with looking(browser, written(tmp_path, played(tmp_path, "eleven")), "?spoilers=no#d1t3") as page:
        for turn in (3, 4):
            arrive(page, first(frames, 1, turn))
            offered = (
                page.locator("label >> nth=1").locator("option").evaluate_all("(all) => all.map((one) => one.value)")
            )
            assert max(map(int, offered)) == turn
            slider = page.locator("input[type=range]")
            assert slider.get_attribute("max") == slider.input_value()
            page.keyboard.press(".")


def test_a_link_may_ask_for_a_page_without_spoilers(browser: Browser, judged: Path) -> None:
    with looking(browser, judged, "?spoilers=no#d1t1") as page:
        assert not page.is_visible("#summary")


def test_what_spoke_for_a_card_is_said_in_both_languages(browser: Browser, judged: Path) -> None:
    with looking(browser, judged, "#d1t1.3") as page:
        said = "\n".join(page.locator("#choices .why").all_text_contents())
        assert "row" in said
        page.click("text=Deutsch")
        assert "Reihe" in "\n".join(page.locator("#choices .why").all_text_contents())


def test_the_chance_to_win_is_drawn_beside_the_heads_with_its_turning_points(
    browser: Browser, judged: Path, lines: Lines
) -> None:
    analysis = analysis_of(lines)
    with looking(browser, judged, "#d1t4") as page:
        page.click("[data-curve=win]")
        values = page.locator("#values b").all_text_contents()
        told = sorted((100 * one for one in analysis.chances[3].win), reverse=True)  # before the fourth turn
        assert [float(value.split(" ")[0]) for value in values] == pytest.approx(told, abs=0.51)
        assert all(value.endswith(" %") for value in values)
        assert page.locator("#chart .band").count() == 4
        assert page.text_content("#course-title") == "Chance to win"
        page.keyboard.press("End")
        leave(page, first(frames_of(lines), 1, 4))
        shares = sorted(float(value.split(" ")[0]) for value in page.locator("#values b").all_text_contents())
        assert shares == pytest.approx(sorted(100 * share for share in analysis.outcome), abs=0.51)
        points = analysis.turning_points(5)
        assert page.locator("#turning li").count() == len(points)
        if points:
            assert "chance to win" in str(page.text_content("#turning li"))
        page.click("[data-curve=heads]")
        assert page.locator("#chart .band").count() == 0


INSIDE = """() => [...document.querySelectorAll("#summary *")].filter((item) => item.checkVisibility() && item.textContent.trim()
  && getComputedStyle(item).clipPath === "none" && item.closest("thead") === null
  && (item.getBoundingClientRect().right > innerWidth + 1 || item.scrollWidth > item.clientWidth + 1 && item.matches(".wide")))
  .map((item) => item.outerHTML.slice(0, 80))"""


def test_luck_and_own_play_are_told_in_a_sentence_that_adds_up(browser: Browser, judged: Path, lines: Lines) -> None:
    accounts = {account.name: account.parts for account in analysis_of(lines).accounts}
    with looking(browser, judged, "#end") as page:
        for line in page.locator("#balance li").all():
            parts = accounts[str(line.locator("bdi").text_content())]
            told = str(line.locator(".told").text_content())
            beside, par, luck, play = map(float, re.findall(r"\d+\.\d", told))
            assert par == pytest.approx(parts.par, abs=0.051)
            signs = ["fewer" not in told, "luck cost" in told, "own play cost" in told]
            beside, luck, play = (
                value if sign else -value for value, sign in zip((beside, luck, play), signs, strict=True)
            )
            assert beside == pytest.approx(luck + play, abs=0.16)
            assert beside == pytest.approx(parts.heads - parts.par, abs=0.051)


def test_luck_is_read_on_a_phone_without_scrolling_sideways(browser: Browser, judged: Path) -> None:
    with looking(browser, judged, "#end", viewport={"width": 390, "height": 844}, locale="de-DE") as page:
        page.click("#summary details details summary")
        assert page.evaluate(INSIDE) == []
        assert "glück" in str(page.locator("#parts td >> nth=2").get_attribute("data-title"))


def test_names_are_whole(browser: Browser, tmp_path: Path) -> None:
    names = ["grandmaster-of-the-four-rows", "montecarlo", "a b", "careful"]
    file = written(tmp_path, renamed(played(tmp_path), names))
    cut = """() => [...document.querySelectorAll("bdi, .owner")].filter((item) => item.checkVisibility()
      && (item.scrollWidth > item.clientWidth + 1 && getComputedStyle(item).overflow !== "visible"))
      .map((item) => item.textContent)"""
    for width in (1400, 390):
        with looking(browser, file, "#d1t2.3", viewport={"width": width, "height": 900}) as page:
            assert page.evaluate(cut) == []
            assert (
                names[0]
                in page.locator("#waiting .by").all_text_contents()
                + page.locator("#board .owner").all_text_contents()
                + page.locator(".seat .name").all_text_contents()
            )


def test_heads_by_deal_are_those_on_the_table(page: Page, lines: Lines) -> None:
    frames = frames_of(lines)
    for link, step in (("d2t5", first(frames, 2, 5)), ("end", len(frames) - 1)):
        page.evaluate(f"location.hash = '{link}'")
        arrive(page, step)
        scores = [str(seat.score) for seat in frames[step].picture.seats]
        assert page.locator("#deals td:last-child").all_text_contents() == scores
        rows = [
            list(map(int, row.split()))
            for row in page.locator("#deals tbody tr").evaluate_all(
                "(rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' '))"
            )
        ]
        assert all(len(row) == 3 and row[0] + row[1] == row[2] for row in rows)


@pytest.mark.slow
def test_at_the_end_the_best_comes_first_and_the_match_can_be_played_again(page: Page, lines: Lines) -> None:
    seats = frames_of(lines)[-1].picture.seats
    page.evaluate("location.hash = 'end'")
    arrive(page, len(frames_of(lines)) - 1)
    shown = page.locator(".seat").evaluate_all("(all) => all.map((one) => Number(one.dataset.seat))")
    assert [seats[seat].rank for seat in shown] == sorted(seat.rank or 0 for seat in seats)
    assert page.locator(".seat.first").count() == sum(seat.rank == 1 for seat in seats)
    assert page.locator(".row.full").count() == 0  # no row is in danger any more
    page.click("#play[aria-label='Play again']")
    page.wait_for_selector("#play[aria-label='Pause']")
    assert at(page) < len(frames_of(lines)) - 1


def test_the_longest_name_leaves_room_for_the_board(browser: Browser, tmp_path: Path) -> None:
    file = written(tmp_path, renamed(played(tmp_path), ["W" * 64, "one", "two", "three"]))
    with looking(browser, file, "#d1t2.3", viewport={"width": 390, "height": 844}) as page:
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
        box = page.locator(".seat >> nth=0").bounding_box()
        assert box is not None
        assert box["height"] < 844 / 5
        assert page.get_attribute(".seat .name bdi >> nth=0", "title") == "W" * 64


PAPER = """() => [...document.querySelectorAll("#paper .cards")].map((deal) => [...deal.querySelectorAll("tbody tr")].map((row) =>
  [...row.querySelectorAll("td")].map((cell) => cell.textContent)))"""
"""By deal and seat, the cards that are printed, with the heads that they took."""


def test_on_paper_is_the_result_with_every_card_that_was_played(browser: Browser, judged: Path, lines: Lines) -> None:
    frames = frames_of(lines)
    last = {(frame.picture.deal, frame.picture.turn): frame.picture for frame in frames if frame.picture.turn}
    played_in = [
        [
            [
                f"{seat.cards[0]}" + (f" +{seat.took}" if seat.took else "")
                for (deal, _), picture in last.items()
                if deal == which
                for seat in [picture.seats[at]]
            ]
            for at in range(4)
        ]
        for which in (1, 2)
    ]
    with looking(browser, judged, "#d2t5") as page:
        page.emulate_media(media="print")
        page.wait_for_selector("#paper table", state="attached")  # is drawn when the page hears of it
        assert page.evaluate(PAPER) == played_in
        scores = sorted(seat.score for seat in frames[-1].picture.seats)
        assert page.locator("#paper table >> nth=0").locator("td:last-child").all_text_contents() == [*map(str, scores)]
        assert not page.is_visible("#table")
        page.keyboard.press("s")  # tells no more than was seen
        assert [[len(seat) for seat in deal] for deal in page.evaluate(PAPER)] == [[10] * 4, [4] * 4]
        page.emulate_media(media="screen")
        assert not page.is_visible("#paper")


@pytest.mark.slow
def test_an_analysed_match_of_ten_is_short_on_a_phone_until_its_panels_are_opened(
    browser: Browser, tmp_path: Path
) -> None:
    lines = played(tmp_path, seats=10)
    file = tmp_path / "ten.html"
    file.write_text(made(lines, analysis_of(lines), **SITE), "utf-8")
    with looking(browser, file, "#d1t5", viewport={"width": 390, "height": 844}) as page:
        assert page.evaluate("document.scrollingElement.scrollHeight") < 2200
        assert page.is_visible("#choices")
        assert not page.is_visible("#chart")
        page.click("#course-title")
        page.wait_for_selector(
            "#chart svg[viewBox^='0 0 17']"
        )  # half as wide as the panel, now that its width is known
        page.emulate_media(media="print")
        page.wait_for_selector("#summary details[open] #balance")
    with looking(browser, file, "#end", viewport={"width": 390, "height": 844}) as page:
        for seat in page.locator(".seat").all():  # no name is broken, or lies under its heads
            name, heads = (seat.locator(part).bounding_box() for part in (".name bdi", ".score b"))
            assert name is not None
            assert heads is not None
            assert name["height"] < 24
            assert name["x"] + name["width"] <= heads["x"]


def test_without_spoilers_curves_end_at_the_step_that_is_shown(browser: Browser, file: Path, lines: Lines) -> None:
    step = first(frames_of(lines), 1, 5) + 3
    with looking(browser, file, "?spoilers=no#d1t5.4") as page:
        arrive(page, step)
        ends = page.locator("#chart .line").evaluate_all(
            "(lines) => lines.map((line) => line.points[line.points.numberOfItems - 1].x)"
        )
        assert ends == pytest.approx([float(str(page.get_attribute("#chart .now", "x1")))] * 4, abs=0.1)


COVERED = """() => {
  const controls = document.getElementById("steering").getBoundingClientRect();
  return [...document.querySelectorAll("#board *, #waiting *, #seats *")]
    .filter((item) => item.checkVisibility() && item.textContent.trim())
    .filter((item) => item.getBoundingClientRect().bottom > controls.top + 1).map((item) => item.outerHTML.slice(0, 80));
}"""


@pytest.mark.parametrize("seats", [4, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (6, 10))])
def test_controls_cover_no_card(seats: int, browser: Browser, tmp_path: Path) -> None:
    lines = played(tmp_path, seats=seats)
    file = written(tmp_path, renamed(lines, [f"grandmaster-{seat}" for seat in range(seats)]))
    for width, height in ((1400, 900), (390, 844)):
        with looking(browser, file, "#d1t5", viewport={"width": width, "height": height}) as page:
            for step in range(first(frames_of(lines), 1, 5), first(frames_of(lines), 1, 6)):
                arrive(page, step)
                assert page.evaluate(COVERED) == [], (width, step)
                box = page.locator("#steering").bounding_box()
                assert box is not None
                assert box["y"] + box["height"] <= height  # and they are in sight
                page.keyboard.press("ArrowRight")
            page.keyboard.press("h")
            page.keyboard.press("ArrowLeft")
            assert page.evaluate(COVERED) == [], width


@pytest.mark.slow
def test_open_hands_of_ten_leave_all_on_one_screen(browser: Browser, tmp_path: Path) -> None:
    lines = played(tmp_path, seats=10)
    file = written(tmp_path, lines)
    frames = frames_of(lines)
    with looking(browser, file, "#d1t1", viewport={"width": 1400, "height": 900}) as page:
        page.keyboard.press("h")
        for step in range(first(frames, 1, 1), first(frames, 1, 2)):
            arrive(page, step)
            assert page.evaluate(COVERED) == [], step
            box = page.locator("#steering").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 900
            page.keyboard.press("ArrowRight")


def test_the_board_is_as_wide_as_its_panel(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    panel, rows = (page.locator(place).bounding_box() for place in ("#board", ".rows"))
    assert panel is not None
    assert rows is not None
    assert rows["width"] > 0.93 * panel["width"]
    page.set_viewport_size({"width": 1400, "height": 1000})
    panel, rows = (page.locator(place).bounding_box() for place in ("#board", ".rows"))
    assert panel is not None
    assert rows is not None
    assert rows["width"] > 0.9 * panel["width"]


def test_a_preview_tells_who_won_what(judged: Path, lines: Lines) -> None:
    tags = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', judged.read_text("utf-8")))
    best = min(frames_of(lines)[-1].picture.seats, key=lambda seat: seat.score)
    assert tags["image"] == "17.png"
    assert tags["site_name"] == "The Ring"
    assert tags["title"] == f"{best.name} wins with {best.score} heads in all"
    assert "The Ring · Standard game, four at a table · " in tags["description"]
    assert f"{best.name} {best.score}, " in tags["description"] + ", "


@pytest.mark.slow
def test_on_a_phone_the_end_is_followed_by_the_result_and_its_turning_points(browser: Browser, judged: Path) -> None:
    top = "(id) => document.getElementById(id).offsetTop"
    for step, wanted in (("#end", ["summary", "turning", "story"]), ("#d1t2", ["story", "summary", "turning"])):
        with looking(browser, judged, step, viewport={"width": 390, "height": 844}) as page:
            tops = [page.evaluate(top, id) for id in wanted]
            assert tops == sorted(tops)
            assert page.is_visible("#balance li") is (step == "#end")
