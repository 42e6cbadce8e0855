"""The ladder at work with referee processes that are played by the test: void matches, deaths, and what is kept of them."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import trio

from bullring.arena.rules.registry import find
from bullring.arena.seeds import Seed
from bullring.errors import BullringError, StoreError, first_error
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import GroupRow, MatchRow, SeatRow
from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.standings import Standings
from bullring.ladder.pairing.schedule import RoundRobin
from bullring.ladder.running.happenings import Happening, Progress
from bullring.ladder.running.messages import Answer, Failed, Forget, Order, Played, PlayMatch, SeatOutcome, Setup
from bullring.ladder.running.run import LadderRun, Plays, Stops
from tests.ladder.homes import count, four, ladder, told
from tests.support.processes import UNCONFINED

Script = Callable[[PlayMatch], Answer | None]
"""What a worker answers; None: it dies."""


def names_of(play: PlayMatch) -> list[str]:
    return [bot.name for bot in play.bots]


def fair(play: PlayMatch) -> Played:
    """A match in which the seats come in by the names of their bots."""
    order = sorted(names_of(play))
    return answer(play, [order.index(name) + 1 for name in names_of(play)])


def answer(
    play: PlayMatch, ranks: list[int], void: str | None = None, faults: Mapping[str, str] | None = None
) -> Played:
    """What a worker tells of a match; `faults` by bot, which close its seat."""
    seats = []
    for name, rank in zip(names_of(play), ranks, strict=True):
        kind = (faults or {}).get(name)
        seats.append(
            SeatOutcome(
                heads=5 * rank,
                rank=0 if void else rank,
                faults=[kind] if kind else [],
                closed=kind is not None,
                times={20: 10},
                metrics={"depth": 3.0},
                fault={"kind": kind, "decision": "deal 1, turn 1, card", "got": "nothing"} if kind else None,
            )
        )
    return Played(play.id, void, 1, seats)


class _Process:
    pid = 0


class _Worker:
    def __init__(self) -> None:
        self.process = _Process()
        self.playing: dict[str, int] = {}
        self.todo: list[PlayMatch] = []
        self.forgotten: list[int] = []

    @property
    def load(self) -> int:
        return sum(self.playing.values())

    def say(self, order: Order) -> None:
        match order:
            case PlayMatch():
                self.todo.append(order)
            case Forget(group):
                self.forgotten.append(group)


class _Crew:
    """One worker, whose matches take no time and come in one by one."""

    def __init__(self, script: Script, nursery: trio.Nursery, jobs: int, setup: Setup) -> None:
        self._script = script
        self._told: deque[tuple[_Worker, Answer | None]] = deque()
        self.workers = [_Worker()]

    async def flush(self) -> None:
        for worker in self.workers:
            if worker.todo:
                told = self._script(worker.todo.pop(0))
                self._told.append((worker, told))
                if told is None:
                    worker.todo.clear()

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[_Worker, Answer | None]]:
        await trio.lowlevel.checkpoint()
        return [self._told.popleft()] if self._told else []

    def say(self, order: Order) -> None:
        for worker in self.workers:
            worker.say(order)

    def replace(self, worker: _Worker) -> None:
        self.workers = [_Worker()]

    async def close(self) -> None:
        pass


class _Ear:
    def __init__(self) -> None:
        self.heard: list[Happening] = []

    def happened(self, happening: Happening) -> None:
        self.heard.append(happening)

    def tick(self, progress: Progress) -> None:
        pass

    def texts(self, kind: str) -> list[str]:
        return [happening.text for happening in self.heard if happening.kind == kind]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return four(tmp_path / "home")


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with closing(home.store()) as store:
        yield store


Told = tuple[Standings, _Ear]


@pytest.fixture
def play(home: Home, store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Told]:
    """Play rounds of a round robin for two, with a script for the matches."""

    def play(script: Script, rounds: int = 1, seats: int = 2, stops: Stops | None = None) -> Told:
        monkeypatch.setattr("bullring.ladder.running.run.Crew", partial(_Crew, script))
        game = find("standard")(seats, {"deals": 1})
        list_ = store.list_of(game.id, game.options, seats)
        ids = [row.id for row in store.bots() if row.state == "active"]
        standings, ear = Standings(store, list_), _Ear()
        plays = Plays(list_, "round-robin", "rotation", RoundRobin(ids, seats, rounds, _played(store, list_.id)))
        run = LadderRun(home, store, plays, standings, stops or Stops(), 1, ear)
        trio.run(run.run, home.settings(), UNCONFINED)
        return standings, ear

    return play


def _played(store: Store, list_: int) -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {}
    for group in store.groups_in(list_, "round-robin"):
        key = tuple(sorted(group.lineup))
        found[key] = found.get(key, 0) + 1
    return found


def failed(play: Callable[..., Told], script: Script, rounds: int = 1) -> str:
    """A run that ends with an error. Returns what is told of it."""
    with pytest.raises(ExceptionGroup) as caught:
        play(script, rounds)
    error = first_error(caught.value)
    assert isinstance(error, BullringError)
    assert error.exit_code == 1
    return str(error)


def test_after_a_run_the_table_knows_its_last_group(play: Callable[..., Told]) -> None:
    standings, _ = play(fair, rounds=3)
    assert [(row.bot, row.groups, row.matches) for row in standings.rows()] == [
        ("a", 9, 18),
        ("b", 9, 18),
        ("c", 9, 18),
        ("d", 9, 18),
    ]


def test_a_void_match_makes_its_group_void_and_nothing_of_it_counts(home: Home, play: Callable[..., Told]) -> None:
    def script(match: PlayMatch) -> Answer | None:
        if match.id == "2.1":
            return answer(match, [2, 1], void="the host stood still", faults={"a": "timeout"})
        return fair(match)

    standings, ear = play(script)
    assert ear.texts("void") == ["match 2.1 is void: the host stood still"]
    assert count(home, "groups WHERE state = 'void'") == 1
    assert count(home, "groups WHERE state = 'done'") == 5
    by_name = {row.bot: row for row in standings.rows()}
    assert sum(row.matches for row in by_name.values()) == 2 * 2 * 5
    assert by_name["a"].faults == 0
    assert told("table", "--format", "json", home=home)["rows"] == [row.facts() for row in standings.rows()]
    play(fair)  # what was void is played again, and only that
    assert count(home, "groups WHERE state = 'done'") == 6
    assert count(home, "groups") == 7


def test_a_void_match_of_a_group_that_was_interrupted_does_not_count_either(
    home: Home, store: Store, play: Callable[..., Told]
) -> None:
    game = find("standard")(2, {"deals": 1})
    list_ = store.list_of(game.id, game.options, 2)
    group = GroupRow(1, list_.id, "round-robin", "rotation", (1, 2), "5eed", "open")
    seats = [SeatRow(bot, 9, 0, (), closed=False, times={}, metrics={}) for bot in (1, 2)]
    with store.change():
        store.add_group(group)
        store.add_match(MatchRow(1, 0, Seed("5eed", "nonce"), "the host stood still", 1, seats))
    play(fair)
    assert [row.state for row in store.groups() if row.id == 1] == ["void"]
    assert count(home, "matches WHERE void IS NOT NULL AND grp IN (SELECT id FROM groups WHERE state = 'done')") == 0


def test_a_void_group_whose_last_match_dies_with_its_worker_is_ended(home: Home, play: Callable[..., Told]) -> None:
    died = []

    def script(match: PlayMatch) -> Answer | None:
        if match.id == "18.1":
            return answer(match, [1, 2], void="the host stood still")
        if match.id == "18.2":
            died.append(match)
            return None
        return fair(match)

    play(script, rounds=3)
    assert len(died) == 1
    assert count(home, "groups WHERE state = 'open'") == 0


def test_matches_of_a_worker_that_dies_are_played_again_under_another_nonce(
    home: Home, play: Callable[..., Told]
) -> None:
    heard: list[tuple[str, str, str]] = []

    def script(match: PlayMatch) -> Answer | None:
        heard.append((match.id, match.seed.seed, match.seed.nonce))
        return None if len(heard) == 4 else fair(match)

    _, ear = play(script)
    assert len(ear.texts("worker")) == 1
    assert count(home, "matches") == 12
    lost = heard[3]
    (again,) = [match for match in heard[4:] if match[0] == lost[0]]
    assert again[1] == lost[1]
    assert again[2] != lost[2]


def test_a_record_that_cannot_be_written_ends_the_run_and_the_next_one_carries_on(
    home: Home, play: Callable[..., Told]
) -> None:
    def script(match: PlayMatch) -> Answer | None:
        return (
            Failed(match.id, "a record cannot be written: 3.2.jsonl: disk full") if match.id == "3.2" else fair(match)
        )

    assert "a record cannot be written" in failed(play, script)
    play(fair)
    assert count(home, "groups WHERE state = 'done'") == 6
    assert count(home, "matches") == 12


def test_a_store_that_is_full_ends_the_run_with_its_message_wherever_that_happens(
    store: Store, play: Callable[..., Told], home: Home
) -> None:
    (pages,) = store._one("PRAGMA page_count")
    for more in range(8):
        store._one(f"PRAGMA max_page_count = {pages + more}")
        assert "database or disk is full" in failed(play, fair, rounds=200)
    store._one(f"PRAGMA max_page_count = {pages + 10000}")
    play(fair, rounds=20)
    assert count(home, "groups WHERE state = 'open'") == 0
    assert store._one("PRAGMA integrity_check") == ("ok",)


def test_a_bot_that_never_starts_is_benched_and_its_open_groups_are_given_up(
    home: Home, store: Store, play: Callable[..., Told]
) -> None:
    def script(match: PlayMatch) -> Answer | None:
        names = names_of(match)
        if "b" not in names:
            return fair(match)
        return answer(match, [2 if name == "b" else 1 for name in names], faults={"b": "start"})

    standings, ear = play(script, rounds=3)
    assert ear.texts("bench") == [
        "b is benched: it did not start in its last 2 matches (undo: bullring ladder reinstate b)"
    ]
    assert store.bot("b").state == "benched"
    assert count(home, "groups WHERE state = 'open'") == 0
    assert [row.bot for row in standings.rows() if row.state == "benched"] == ["b"]
    met = {tuple(sorted(group.lineup)) for group in store.groups() if group.state == "done"}
    assert {(1, 3), (1, 4), (3, 4)} <= met
    b = store.bot("b").id
    done = {group.id for group in store.groups() if group.state == "done"}
    for match in store.matches():
        assert match.group not in done or all(seat.rank == len(match.seats) for seat in match.seats if seat.bot == b)


def test_a_group_that_was_given_up_counts_if_it_is_played_to_its_end_nevertheless(
    home: Home, store: Store, play: Callable[..., Told]
) -> None:
    late: list[str] = []

    def script(match: PlayMatch) -> Answer | None:
        names = names_of(match)
        if "b" not in names or match.group < 10:
            return fair(match)
        if store.bot("b").state == "benched":
            late.append(match.id)
            return fair(match)
        return answer(match, [2 if name == "b" else 1 for name in names], faults={"b": "start"})

    standings, _ = play(script, rounds=3)
    assert len(late) >= 2
    for group in store.groups():
        complete = len(store.matches_of(group.id)) == group.size
        assert group.state == ("done" if complete else "void")
    # That is what the records say, too, in which nobody is benched.
    rows = {row.bot: row.matches for row in standings.rows()}
    assert sum(rows.values()) == 2 * 2 * count(home, "groups WHERE state = 'done'")


def test_seats_that_are_closed_too_often_bench_a_bot_and_count_anew_after_its_reinstatement(
    home: Home, store: Store, play: Callable[..., Told]
) -> None:
    def script(match: PlayMatch) -> Answer | None:
        names = names_of(match)
        return answer(match, [4 if name == "d" else 1 for name in names], faults={"d": "crash"})

    play(script, rounds=2, seats=4)
    row = store.bot("d")
    assert (row.state, row.reason) == ("benched", "its seat was closed in 5 of its last 5 matches (crash 5 times)")
    assert ladder("reinstate", "d", home=home).exit_code == 0
    row = store.bot("d")
    assert (row.state, row.reason) == ("active", "")
    play(script, rounds=3, seats=4)
    assert store.bot("d").reason == "its seat was closed in 4 of its last 4 matches (crash 4 times)" or (
        store.bot("d").state == "active"
    )


def test_a_bot_whose_program_is_gone_is_benched_and_the_others_go_on(
    home: Home, store: Store, play: Callable[..., Told], tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    store.add_bot(home.adopt(str(program), "e", ()).name, str(program))
    program.unlink()
    _, ear = play(fair)
    assert store.bot("e").state == "benched"
    assert "there is no program" in store.bot("e").reason
    assert len(ear.texts("bench")) == 1
    assert count(home, "groups WHERE state = 'done'") == 6


def test_everything_of_an_answer_is_in_the_store_or_nothing(store: Store, home: Home) -> None:
    game = find("standard")(2, {"deals": 1})
    list_ = store.list_of(game.id, game.options, 2)
    group = GroupRow(1, list_.id, "ladder", "rotation", (1, 2), "5eed", "open")
    seats = [
        SeatRow(1, 9, 1, (), closed=False, times={}, metrics={}),
        SeatRow(99, 9, 1, (), closed=False, times={}, metrics={}),
    ]

    def change() -> None:
        with store.change():
            store.add_group(group)
            store.add_match(MatchRow(1, 0, Seed("5eed", "nonce"), None, 1, seats))

    with pytest.raises(StoreError, match="FOREIGN KEY"):
        change()
    assert count(home, "groups") == count(home, "matches") == count(home, "results") == 0
