"""The statistics of people on a full screen."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from bullring.arena.watching.people.history import stats
from bullring.arena.watching.screens.person import Statistics
from bullring.arena.watching.screens.replay import Replay
from tests.arena.watching.display.test_people import GAMES
from tests.arena.watching.screens.showing import run, text_of

SEATS = ("Ann", "greedy", "careful", "a bot with a very long name")


def played(
    folder: Path, matches: int, people: tuple[int, ...] = (0,), names: Sequence[str] = SEATS
) -> list[dict[str, Any]]:
    """The statistics of people who have taken 3 heads in each deal and have been second: the first of the `names`, or others."""
    for number in range(matches):
        record = folder / f"2026-11-{1 + number:02d}-120000-{number:08x}.jsonl"
        record.touch()
        order = [1, 0, 2, 3]
        seats = [
            {"seat": at, "bot": names[at], "score": 3 * order.index(at), "rank": 1 + order.index(at)} for at in range(4)
        ]
        facts = {"record": str(record), "game": GAMES[number % 2], "void": False, "names": names, "people": people}
        facts |= {
            "seats": seats,
            "deals": [[seat["score"] for seat in seats]],
            "ended": f"2026-11-{1 + number:02d}T12:30:00Z",
        }
        record.with_suffix(".summary").write_text(json.dumps(facts))
    return stats(folder)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (200, 60)], ids=str)
def test_a_page_has_the_places_the_rivals_and_the_last_matches(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(app: Statistics, pilot: Pilot[int]) -> None:
        await pilot.pause()
        lines = text_of(app.screen).splitlines()
        text = "\n".join(lines)
        assert "12 matches, wins 0%, 3.0 heads a deal" in text
        assert "0 of the last 12 matches won" in text
        assert any("careful" in line and "100%" in line for line in lines)
        assert any("greedy" in line and " 0%" in line for line in lines)
        last = next(line for line in lines if "12 Nov" in line)
        assert last[last.index("12 Nov") :].split()[:6] == ["12", "Nov", "2.", "3", "greedy", "0"]

    run(Statistics(played(tmp_path, 12)), steps, size)


def test_people_follow_each_other_and_enter_opens_a_match(tmp_path: Path) -> None:
    async def steps(app: Statistics, pilot: Pilot[int]) -> None:
        await pilot.pause()
        assert "Ann  1 / 2" in text_of(app.screen)
        await pilot.press("right")
        await pilot.pause()
        assert "greedy  2 / 2" in text_of(app.screen)
        assert "wins 100%" in text_of(app.screen)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Replay)

    run(Statistics(played(tmp_path, 6, people=(0, 1))), steps)
