"""The featured table: which match is shown, and that it is shown to its end, with closed hands."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import MatchRow
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display import featured as module
from bullring.ladder.watching.display.featured import Featured, most_to_see
from tests.ladder.stored import match_of, played, recorded
from tests.support.record import record_of


class Ladder:
    """A ladder whose matches have all the same record, and its featured table."""

    def __init__(self, home: Home, store: Store, record: bytes) -> None:
        self.home = home
        self.store = store
        self.record = record
        self.playing: list[int] = []
        self.now = 0.0
        self.table = Featured(home, store, match_of(store, (1, 2, 3)).list, lambda _: None)

    def play(self, *matches: int) -> None:
        """These matches are over."""
        played(self.store, *(match_of(self.store, (1, 2, 3), id=id) for id in matches))
        recorded(self.home, *((id, self.record) for id in matches))

    def write(self, match: int, lines: int) -> None:
        """So much of a match that is being played is seen."""
        self.home.live.mkdir(exist_ok=True)
        self.home.partial(match).write_bytes(b"".join(self.record.splitlines(keepends=True)[:lines]))

    def watch(self, seconds: float) -> str:
        """What is shown last when so much time has passed."""
        for _ in range(round(10 * seconds)):
            self.now += 0.1
            self.table.advance(self.now, self.playing)
        how = "live" if self.table.live else "replay"
        return f"{how} of match {self.table.match}\n{self.table.drawn(80, 24).plain}" if self.table.match else ""


@pytest.fixture(name="ladder")
def _ladder(tmp_path: Path) -> Iterator[Ladder]:
    record = record_of(tmp_path / "match.jsonl").read_bytes()
    home = Home.create(tmp_path / "home", ["10s"])
    with closing(home.store()) as store:
        for name in "abc":
            store.add_bot(name, "a program")
        yield Ladder(home, store, record)


def test_matches_are_shown_to_their_ends_one_after_the_other(ladder: Ladder) -> None:
    assert not ladder.watch(1)
    ladder.play(1, 2)
    ladder.watch(0.5)
    shown = [ladder.watch(0.4) for _ in range(120)]
    ends = [at for at, text in enumerate(shown) if "first place" in text or "wins" in text]
    assert "replay of match 1" in shown[ends[0]]
    assert ends[0] > 40  # ten turns of three cards, each long enough to be seen
    assert any("turn 1\n" in text for text in shown[:10])
    assert "turn 10" in shown[ends[0]]
    numbers = [text.split("replay of match ")[1].split()[0] for text in shown]
    assert numbers == sorted(numbers)
    assert set(numbers) == {"1", "2"}
    again = [ladder.watch(0.4) for _ in range(160)]
    assert any(
        "replay of match 1\n" in text and "turn 5" in text for text in again
    )  # nothing new: it is shown once more


def test_a_match_is_followed_although_nothing_of_it_was_written_when_it_was_first_looked_at(ladder: Ladder) -> None:
    ladder.playing = [7]
    ladder.write(7, 0)
    assert not ladder.watch(1)
    ladder.write(7, 4)
    assert "live of match 7" in ladder.watch(1)


def test_no_step_is_made_before_its_time_and_no_moment_reads_a_whole_match(ladder: Ladder) -> None:
    ladder.play(1)
    ladder.watch(0.1)
    frames = ladder.table._pacing.frames
    assert len(frames) < 2 * module.AHEAD
    assert all(seat.hand is None for frame in frames for seat in frame.picture.seats)


def test_a_match_that_is_played_slowly_is_followed_until_it_is_stored(ladder: Ladder) -> None:
    lines = len(ladder.record.splitlines())
    ladder.playing = [7, 8]
    ladder.write(8, 8)
    text = ladder.watch(30)
    assert "live of match 8" in text
    assert "turn 4" in text
    ladder.write(8, lines // 2)
    ladder.home.partial(8).unlink()
    assert "turn 4" in ladder.watch(1)  # it is over, and not stored yet
    ladder.play(8)
    ladder.playing = [7]
    ends = [text for text in (ladder.watch(0.5) for _ in range(120)) if "first place" in text or "wins" in text]
    assert "live of match 8" in ends[0]


def test_a_match_that_is_given_up_makes_room_for_the_next(ladder: Ladder) -> None:
    ladder.playing = [7]
    ladder.write(7, 5)
    assert "live of match 7" in ladder.watch(1)
    ladder.home.partial(7).unlink()
    ladder.playing = []
    ladder.play(8)
    assert "replay of match 8" in ladder.watch(30)


def test_a_record_that_is_damaged_ends_no_run(ladder: Ladder) -> None:
    lines = ladder.record.splitlines(keepends=True)
    ladder.record = b"".join([*lines[:4], b"{}\n", *lines[5:]])
    ladder.play(1)
    assert "replay of match 1" in ladder.watch(30)
    played(ladder.store, match_of(ladder.store, (1, 2, 3), id=2))  # without a record
    ladder.watch(30)
    ladder.record = b"".join(lines)
    ladder.play(3)
    assert "replay of match 3" in ladder.watch(1)


def test_a_void_match_is_not_shown(ladder: Ladder) -> None:
    played(ladder.store, match_of(ladder.store, (1, 2, 3), id=1, void="the machine stood still"))
    assert not ladder.watch(10)


def test_the_match_with_most_to_see_is_chosen(store: Store) -> None:
    def match(id: int, bots: tuple[int, int], heads: tuple[int, int]) -> MatchRow:
        row = match_of(store, bots, id=id, ranks=(1, 2))
        return replace(row, seats=[replace(seat, heads=count) for seat, count in zip(row.seats, heads, strict=True)])

    def best(*rows: MatchRow, seen: tuple[int, ...] = ()) -> int:
        return most_to_see(rows, {1: 1700.0, 2: 1600.0, 3: 1200.0}.get, seen).id

    assert best(match(1, (1, 2), (10, 20)), match(2, (1, 2), (14, 16))) == 2  # a close end
    assert best(match(1, (1, 2), (10, 12)), match(2, (1, 2), (20, 22))) == 2  # many heads
    assert best(match(1, (1, 3), (10, 12)), match(2, (1, 2), (10, 12))) == 2  # the best bots
    assert best(match(1, (1, 4), (10, 12)), match(2, (1, 3), (10, 12))) == 2  # one without a rating is not among them
    assert best(match(1, (1, 2), (10, 12)), match(2, (1, 3), (10, 12)), seen=(1, 2)) in (1, 2)
    assert best(match(1, (3, 1), (10, 12)), match(2, (1, 3), (10, 12)), seen=(3,)) == 1
