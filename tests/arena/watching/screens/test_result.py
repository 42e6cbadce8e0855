"""The result of a match: what it shows, the analysis that it makes, and what can be done next."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot

import bullring
from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.study.analysis.kept import beside
from bullring.arena.watching.people.history import facts_of, lately
from bullring.arena.watching.screens.replay import Replay
from bullring.arena.watching.screens.result import WORST, Next, Result
from tests.arena.watching.screens.showing import show, text_of, until

Do = Callable[[Pilot[int], Result], Awaitable[None]]


def last(message: dict[str, Any]) -> Any:
    return message["options"][-1]


def play(folder: Path, game: str, **options: Any) -> dict[str, Any]:
    """The result of a match in which Ann at the first seat is a person."""
    record = folder / f"{game}.jsonl"
    bullring.play(last, last, game=game, options=options, seed="result", names=["Ann", "b\x1b[2J"], record=record)
    return {**facts_of(record), "people": [0]}


@pytest.fixture(name="facts", scope="module")
def _facts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return play(tmp_path_factory.mktemp("result"), "standard", deals=1)


def result(facts: dict[str, Any], *keys: str, do: Do | None = None, size: tuple[int, int] = (80, 24)) -> Any:
    """Show the result and press keys. Returns what was chosen."""

    async def steps(screen: Result, pilot: Pilot[int]) -> None:
        if do is not None:
            await do(pilot, screen)
        await pilot.press(*keys)

    return show(lambda: Result(facts), steps, size)


async def analysed(screen: Result, pilot: Pilot[int]) -> None:
    """Wait until all that can be known is shown."""
    await until(lambda: screen.analysis is not None and len(screen._moments) >= len(screen.costly))
    await pilot.pause()


@pytest.mark.parametrize(
    ("keys", "expected"), [(["a"], Next.AGAIN), (["c"], Next.CHANGE), (["q"], Next.STOP), (["escape"], Next.STOP)]
)
def test_the_keys_choose(facts: dict[str, Any], keys: list[str], expected: Next) -> None:
    assert result(facts, *keys) is expected


@pytest.mark.parametrize("size", [(60, 15), (160, 50)])
@pytest.mark.parametrize("code", LANGUAGES)
def test_places_are_shown_at_once(facts: dict[str, Any], code: str, size: tuple[int, int]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        text = text_of(screen)
        assert "\x1b" not in text
        for seat in facts["seats"]:
            assert str(seat["score"]) in text
        assert LANGUAGES[code].say("screens.result.again") in text
        assert screen.analysis is None

    with speaking(code):
        result(facts, "q", do=do, size=size)


def test_the_analysis_is_made_meanwhile_and_tells_luck_from_mistakes(facts: dict[str, Any]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        assert "What did each card cost?" in text_of(screen)
        await analysed(screen, pilot)
        text = text_of(screen)
        assert "heads are usual" in text
        assert "mistakes" in text
        assert f"Your {WORST} costliest cards" in text
        assert all(choice.seat == 0 for choice in screen.costly)

    beside(Path(facts["record"])).unlink(missing_ok=True)
    assert result(facts, "q", do=do) is Next.STOP
    assert beside(Path(facts["record"])).exists()


def test_leaving_early_ends_the_analysis(facts: dict[str, Any], tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    record.write_bytes(Path(facts["record"]).read_bytes())
    screens: list[Result] = []

    async def do(pilot: Pilot[int], screen: Result) -> None:
        assert screen.making is not None
        screens.append(screen)

    assert result({**facts, "record": str(record)}, "a", do=do) is Next.AGAIN
    assert screens[0].making is None
    assert not beside(record).exists()


def test_enter_goes_to_a_costly_card_in_the_replay_and_escape_comes_back(facts: dict[str, Any]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        await analysed(screen, pilot)
        wanted = screen.costly[1]
        await pilot.press("down", "enter")
        await until(lambda: isinstance(pilot.app.screen, Replay))
        replay = pilot.app.screen
        assert isinstance(replay, Replay)
        await until(lambda: replay.analysis is not None)
        assert replay.stepper.looked_at() == wanted
        await pilot.press("escape")
        assert pilot.app.screen is screen

    assert result(facts, "q", do=do) is Next.STOP


def test_the_replay_before_the_analysis_makes_it_and_the_result_goes_on(facts: dict[str, Any]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        await pilot.press("l")
        assert screen.making is None
        while not screen.is_active:  # the first key may only break off the analysis
            await pilot.press("escape")
        await until(lambda: screen.making is not None or screen.analysis is not None)

    beside(Path(facts["record"])).unlink(missing_ok=True)
    assert result(facts, "q", do=do) is Next.STOP


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_table_when_a_card_was_chosen_is_shown_where_there_is_room(
    facts: dict[str, Any], size: tuple[int, int]
) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        await analysed(screen, pilot)
        turn = screen.costly[0].turn
        assert (f"Deal 1, turn {turn}" in text_of(screen)) == (size[0] > 100)
        assert "Heads, turn by turn" in text_of(screen)
        assert f"Ann {facts['seats'][0]['score']}" in text_of(screen)

    result(facts, "q", do=do, size=size)


def test_sharing_writes_the_page_of_the_match_and_says_where(facts: dict[str, Any]) -> None:
    page = Path(facts["record"]).with_suffix(".html")

    async def do(pilot: Pilot[int], screen: Result) -> None:
        await pilot.press("s")
        await until(lambda: page.name in text_of(screen).replace("\n", "").replace(" ", ""))

    page.write_text("mine")
    assert result(facts, do=do, size=(160, 24)) != Next.STOP
    assert page.read_text() == "mine"
    page.unlink()
    result(facts, do=do, size=(160, 24))
    assert page.read_text().startswith("<!doctype html>")


def test_the_last_matches_of_the_person_are_compared(facts: dict[str, Any], tmp_path: Path) -> None:
    record = tmp_path / "5.jsonl"
    for number in range(9):
        place = 3 if number < 3 else 1 if number < 6 else 4
        seats = [{**facts["seats"][0], "rank": place}, *facts["seats"][1:]]
        (tmp_path / f"{number}.jsonl").touch()
        summary = {**facts, "seats": seats, "void": number == 5}
        (tmp_path / f"{number}.summary").write_text(json.dumps(summary))

    async def do(pilot: Pilot[int], screen: Result) -> None:
        await pilot.pause()
        assert "2 of the last 5 matches won, place 2.2 on average" in " ".join(text_of(screen).split())

    result({**facts, "record": str(record)}, "q", do=do, size=(160, 50))
    assert [match["place"] for match in lately(record, "Ann", 3)] == [3, 1, 1]
    assert lately(record, "b\x1b[2J", 3) == []


def test_the_sheet_of_a_tournament_is_shown(tmp_path: Path) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        assert "hand of" in text_of(screen)

    result(play(tmp_path, "tournament"), "q", do=do)


def test_several_people_are_called_by_their_names(facts: dict[str, Any]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        await analysed(screen, pilot)
        text = text_of(screen)
        assert "Ann" in text
        assert "costliest cards" in text
        assert "you" not in text.lower().replace("your", "you").split()

    result({**facts, "people": [0, 1]}, "q", do=do, size=(120, 50))


def test_the_mouse_chooses(facts: dict[str, Any]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        await pilot.pause()
        lines = text_of(screen).splitlines()
        y = next(number for number, line in enumerate(lines) if "change the table" in line)
        await pilot.click(offset=Offset(lines[y].index("change") + 1, y))

    assert result(facts, do=do) is Next.CHANGE


def test_a_record_that_is_gone_does_no_harm(facts: dict[str, Any], tmp_path: Path) -> None:
    assert result({**facts, "record": str(tmp_path / "gone.jsonl")}, "q") is Next.STOP
