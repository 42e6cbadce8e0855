"""A record that stays in memory, and what can be seen of it while its match is played for long."""

from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.games.rules.registry import find
from bullring.arena.match.play import Report, play_match
from bullring.arena.match.records import writer
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.match.records.verification import verify
from bullring.arena.match.referee import turns
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.inprocess import Message, WithInProcess
from bullring.arena.match.seats.pool import Room, open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits

SEATS = 3


def kept(live: Path, look: Callable[[], None], record: Path | None = None, after: int = 0) -> Report:
    """A match whose record is kept, after so many others; each player looks around when asked."""

    def player(question: Message) -> int:
        look()
        option: int = question["options"][0]
        return option

    async def main() -> Report:
        house = WithInProcess(None)
        bots: list[Bot] = [house.seat(f"bot {seat}", player) for seat in range(SEATS)]
        spec = MatchSpec(find("standard")(SEATS, {"deals": 1}), [bot.name for bot in bots], Seed.given("7"))
        async with open_pool(Limits(), house, Room(bots=SEATS)) as pool:
            for _ in range(after):
                await play_match(pool, bots, spec, None, kept=True, live=live)
            return await play_match(pool, bots, spec, record, kept=True, live=live)

    return trio.run(main)


@pytest.mark.parametrize(("longest", "followed"), [(3600.0, [True, False]), (0.0, [True, True])])
def test_a_match_is_followed_from_its_first_question_on_unless_its_bots_were_quick(
    longest: float, followed: list[bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LIVE_AFTER", 3600.0)
    monkeypatch.setattr(turns, "LIVE_AFTER", longest)
    seen: list[bool] = []
    report = kept(tmp_path / "live", lambda: seen.append((tmp_path / "live").exists()), after=1)
    first, second = seen[: len(seen) // 2], seen[len(seen) // 2 :]  # they have the same cards, so as many questions
    assert [all(first), all(second)] == followed
    assert any(second) == all(second)
    assert not [*tmp_path.iterdir()]
    assert verify(Lines(report.text)).finished
    assert verify(Lines(report.text)).difference is None


def test_a_long_match_can_be_followed_and_its_file_is_gone_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LIVE_AFTER", 0.0)
    live = tmp_path / "live"
    seen: list[bytes] = []

    def look() -> None:
        assert live.stat().st_mode & 0o777 == 0o600
        assert verify(read_lines(live)).difference is None
        if not seen or live.read_bytes() != seen[-1]:
            seen.append(live.read_bytes())

    report = kept(live, look)
    assert not live.exists()
    assert len(seen) >= 10, "it grows with each turn"
    assert all(later.startswith(earlier) for earlier, later in zip(seen, [*seen[1:], report.text], strict=True))
    assert verify(Lines(report.text)).finished


def test_the_file_is_gone_too_when_the_match_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LIVE_AFTER", 0.0)
    live = tmp_path / "live"

    def fail() -> None:
        assert live.exists()
        raise RuntimeError("of the player")

    with pytest.raises(ExceptionGroup):
        kept(live, fail)
    assert not live.exists()


def test_a_file_that_cannot_be_written_does_not_end_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LIVE_AFTER", 0.0)
    report = kept(tmp_path / "no such folder" / "live", lambda: None)
    assert verify(Lines(report.text)).finished


def test_a_record_in_a_file_is_the_same_as_the_one_in_memory(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    report = kept(tmp_path / "live", lambda: None, record)
    assert record.read_bytes() == report.text


def test_each_turn_of_bots_that_think_for_long_can_be_followed_before_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that came soon after the turn before, and is followed by a long silence."""
    monkeypatch.setattr(writer, "LIVE_AFTER", 3600.0)
    live, seen = tmp_path / "live", list[int]()
    kept(live, lambda: seen.append(live.stat().st_size))
    assert len({*seen}) >= 10
