"""The result of a match: what it shows, and what can be done next."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

import bullring
from bullring.arena.watching.people.history import facts_of
from bullring.arena.watching.screens.replay import Replay
from bullring.arena.watching.screens.result import Choices, Next, Result
from tests.arena.watching.screens.showing import show, text_of

Do = Callable[[Pilot[int], Result], Awaitable[None]]


def last(message: dict[str, Any]) -> Any:
    return message["options"][-1]


@pytest.fixture(name="facts", scope="module")
def _facts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    record = tmp_path_factory.mktemp("result") / "match.jsonl"
    bullring.play(last, last, last, game="tournament", seed="result", names=["Ann", "b\x1b[2J", "c"], record=record)
    return {**facts_of(record), "people": [0]}


def result(facts: dict[str, Any], *keys: str, do: Do | None = None, size: tuple[int, int] = (80, 24)) -> Any:
    """Show the result and press keys. Returns what was chosen."""

    async def steps(screen: Result, pilot: Pilot[int]) -> None:
        if do is not None:
            await do(pilot, screen)
        await pilot.press(*keys)

    return show(lambda: Result(facts), steps, size)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [(["enter"], Next.AGAIN), (["c"], Next.CHANGE), (["q"], Next.STOP), (["left", "enter"], Next.STOP)],
)
def test_the_keys_choose(facts: dict[str, Any], keys: list[str], expected: Next) -> None:
    assert result(facts, *keys) is expected


@pytest.mark.parametrize("size", [(60, 15), (160, 50)])
def test_it_shows_places_and_where_the_record_is(facts: dict[str, Any], size: tuple[int, int]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        text = text_of(screen)
        assert "\x1b" not in text
        for seat in facts["seats"]:
            assert str(seat["score"]) in text
        assert Path(facts["record"]).name in text.replace("\n", "").replace(" ", "")
        assert "again" in text

    result(facts, "q", do=do, size=size)


def test_the_sheet_of_a_tournament_is_shown(facts: dict[str, Any]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        assert "hand of" in text_of(screen)

    result(facts, "q", do=do)


def test_the_mouse_chooses(facts: dict[str, Any]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        line = screen.query_one(Choices).render().plain
        await pilot.click(Choices, offset=(line.index("change") + 1, 0))

    assert result(facts, do=do) is Next.CHANGE


def test_looking_once_more_opens_the_replay_and_comes_back(facts: dict[str, Any]) -> None:
    async def do(pilot: Pilot[int], screen: Result) -> None:
        await pilot.press("l")
        replay = pilot.app.screen
        assert isinstance(replay, Replay)
        while replay.making is None and replay.analysis is None:
            await pilot.pause(0.01)
        await pilot.press("a", "escape")
        assert pilot.app.screen is screen

    assert result(facts, "q", do=do) is Next.STOP


def test_a_record_that_is_gone_does_no_harm(facts: dict[str, Any], tmp_path: Path) -> None:
    assert result({**facts, "record": str(tmp_path / "gone.jsonl")}, "q") is Next.STOP
