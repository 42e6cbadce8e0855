"""The ladder at work with referee processes that are played by the test: void matches, deaths, and what is kept of them."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import numpy as np
import pytest
import trio

from bullring.arena.cells.processes.kinds import CLERK, Kind
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.games.rules.registry import find
from bullring.arena.match.cost import Spent
from bullring.errors import BullringError, LadderError, StoreError, first_error
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.pairing.schedule import Duel, RoundRobin
from bullring.ladder.pairing.seats import Plan
from bullring.ladder.rating.sequential import Sequential
from bullring.ladder.run import live_ratings
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.run.run import LadderRun, Plays, Stops
from bullring.ladder.run.workers import failures
from bullring.ladder.run.workers.crew import Worker
from bullring.ladder.run.workers.failures import Failures
from bullring.ladder.run.workers.messages import (
    Answer,
    Changed,
    Dropped,
    Failed,
    Held,
    Match,
    Order,
    Outcome,
    Play,
    Played,
    Setup,
    Spoiled,
)
from bullring.ladder.standings.duel import LEAST_AHEAD, DuelScore
from bullring.ladder.standings.ratings import Ratings
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import packed
from bullring.ladder.store.rows import Format, SeatRow
from bullring.ladder.store.store import Store
from tests.ladder.homes import adopt, bots, count, folder, four, tiny, told
from tests.ladder.run.workers.told import block_of, outcome_of
from tests.ladder.stored import match_of, pair_of, played
from tests.support.processes import UNCONFINED

Script = Callable[[Play], Answer | Played | Sequence[Answer | Played] | None]
"""The answers of a worker to an order, one or several; None: it dies."""


COSTS: dict[str, Spent] = {}
"""The costs of bots in a match, where they are special."""


def names_of(play: Play) -> list[str]:
    return [bot.name for bot in play.matches[0].bots]


def fair(play: Play) -> Played:
    """Matches in which the seats come in by the names of their bots."""
    order = sorted(names_of(play))
    return Played(
        play.id, [outcome(match, [order.index(bot.name) + 1 for bot in match.bots]) for match in play.matches]
    )


def answer(play: Play, ranks: list[int], void: str | None = None, faults: Mapping[str, str] | None = None) -> Played:
    """The answer of a worker about a single match."""
    (match,) = play.matches
    return Played(play.id, [outcome(match, ranks, void, faults)])


def outcome(
    match: Match, ranks: list[int], void: str | None = None, faults: Mapping[str, str] | None = None
) -> Outcome:
    """The outcome of a match as a worker reports it; `faults` by bot, which close its seat."""
    seats, facts = [], {}
    for number, (bot, id, rank) in enumerate(zip(match.bots, match.ids, ranks, strict=True)):
        kind = (faults or {}).get(bot.name)
        if kind:
            facts[number] = {"kind": kind, "decision": "deal 1, turn 1, card", "got": "nothing"}
        seats.append(
            SeatRow(
                bot=id,
                heads=5 * rank,
                rank=0 if void else rank,
                faults=[kind] if kind else [],
                closed=kind is not None,
                times={20: 10},
                metrics={"depth": 3.0},
                spent=COSTS.get(bot.name, Spent(wall_us=300, cpu_us=200, starts=0)),
            )
        )
    return outcome_of(match, seats, void, facts)


class _Worker(Worker):
    name = "referee process 0"

    def __init__(self) -> None:
        super().__init__()
        self.todo: list[Play] = []

    def say(self, order: Order) -> None:
        match order:
            case Play():
                self.todo.append(order)


class _Crew:
    """One worker, whose matches take no time and come in one by one."""

    def __init__(self, script: Script, nursery: trio.Nursery, jobs: int, owner: Owner) -> None:
        self._script = script
        self._told: deque[tuple[_Worker, Answer | None]] = deque()
        self._orders: dict[int, Play] = {}
        self.workers = [_Worker()]
        self.failures = Failures(jobs)

    def begin(self, setup: Setup) -> None:
        self._setup = setup

    async def flush(self) -> None:
        for worker in self.workers:
            if worker.todo:
                told = self._script(order := worker.todo.pop(0))
                for one in told if isinstance(told, Sequence) else [told]:
                    if isinstance(one, Played):
                        carried_out = self._orders.pop(one.id, order)
                        self._told.append((worker, block_of(carried_out, one, self._setup)))
                    else:
                        self._orders[order.id] = order  # its results may come later
                        self._told.append((worker, one))
                if told is None:
                    worker.todo.clear()

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[_Worker, Answer | None]]:
        await trio.lowlevel.checkpoint()
        return [self._told.popleft()] if self._told else []

    def say(self, order: Order) -> None:
        for worker in self.workers:
            worker.say(order)

    def wake(self) -> None:
        pass

    def lost(self, worker: Worker) -> str:
        self.workers = [_Worker()]
        return "killed by SIGKILL"

    async def close(self) -> None:
        pass


class Ear:
    def __init__(self) -> None:
        self.heard: list[Happening] = []

    wants_matches = True

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


Told = tuple[Standings, Ear]


@pytest.fixture
def play(home: Home, store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Told]:
    """Play rounds of a round robin for two, with a script for the matches."""

    def play(
        script: Script,
        rounds: int = 1,
        seats: int = 2,
        stops: Stops | None = None,
        plan: Plan | None = None,
        format_: Format = "round-robin",
        crew: type[_Crew] = _Crew,
    ) -> Told:
        monkeypatch.setattr("bullring.ladder.run.run.LocalCrew", partial(crew, script))
        game = find("standard")(seats, {"deals": 1})
        list_ = store.list_of(game.id, game.options, seats)
        ids = [row.id for row in store.bots() if row.state == "active"]
        rated, ear = Rated(home, store, list_), Ear()
        tables = store.tables_in(list_.id, "round-robin")
        robin, informed = RoundRobin(ids, seats, rounds, tables), Informed(seats, np.random.default_rng(1))
        plays = Plays(list_, format_, plan, robin if format_ == "round-robin" else informed)
        run = LadderRun(home, store, plays, rated, stops or Stops(), 1, ear)
        trio.run(run.run, home.settings(), UNCONFINED)
        return Standings(store, list_), ear

    return play


def failed(play: Callable[..., Told], script: Script, rounds: int = 1) -> str:
    """A run that ends with an error. Returns what is told of it."""
    with pytest.raises(ExceptionGroup) as caught:
        play(script, rounds)
    error = first_error(caught.value)
    assert isinstance(error, BullringError)
    assert error.exit_code == 1
    return str(error)


def test_after_a_run_the_table_knows_its_last_match(play: Callable[..., Told]) -> None:
    standings, _ = play(fair, rounds=3)
    assert [(row.bot, row.matches) for row in standings.rows()] == [("a", 9), ("b", 9), ("c", 9), ("d", 9)]


def test_that_a_bot_is_built_is_told(home: Home, play: Callable[..., Told], tmp_path: Path) -> None:
    new = token_hex()  # a build that the cache of the user does not have
    adopt(home, str(folder(tmp_path / "mine", more=f'build = ["sh", "-c", "true {new}"]')), "mine")
    _, ear = play(fair)
    assert ear.texts("build") == ["building mine ..."]


@pytest.mark.parametrize("deaths", [0, 1, 4])
def test_a_clerk_rates_beside_a_long_run_and_is_replaced_when_it_dies(
    home: Home, store: Store, play: Callable[..., Told], monkeypatch: pytest.MonkeyPatch, deaths: int
) -> None:
    command, started = Kind.command, list[Kind]()

    def dies_at_first(kind: Kind, *words: str) -> list[str]:
        started.append(kind)
        return ["true"] if len(started) <= deaths else command(kind, *words)

    monkeypatch.setattr(live_ratings, "MANY", 1)
    monkeypatch.setattr(Kind, "command", dies_at_first)
    if deaths > live_ratings.DEATHS:
        with pytest.raises(ExceptionGroup) as caught:
            play(fair, rounds=3)
        assert str(first_error(caught.value)).startswith("the process that rates has died 4 times; see above")
        return
    standings, _ = play(fair, rounds=3)
    assert started == [CLERK] * (deaths + 1)
    kept = Ratings.stored(store, standings.list.id)
    assert kept is not None
    # Not to the last digit: each rating goes on from the one before, and when the clerk was asked meanwhile is chance.
    assert kept.is_of(standings)
    rows = told("table", "--format", "json", home=home)["rows"]
    assert rows == [row.facts() for row in kept.rows]
    assert [(row["bot"], row["matches"]) for row in rows] == [("a", 9), ("b", 9), ("c", 9), ("d", 9)]


class _Two(_Crew):
    """Two workers, the first of which finds out that it cannot play a."""

    def __init__(self, script: Script, nursery: trio.Nursery, jobs: int, owner: Owner) -> None:
        super().__init__(script, nursery, jobs, owner)
        self.workers = [_Worker(), _Worker()]

    async def flush(self) -> None:
        first = self.workers[0]
        for order in [order for order in first.todo if "a" in names_of(order)]:
            assert "a" not in first.unable, "it was told before"
            self._told.append((first, Dropped(order.id)))
            first.todo.remove(order)
        if self._told:
            first.unable.add("a")
        await super().flush()


@pytest.mark.parametrize("format_", ["ladder", "round-robin"])
def test_a_worker_is_given_no_matches_of_a_bot_that_it_cannot_play(play: Callable[..., Told], format_: Format) -> None:
    standings, ear = play(fair, rounds=5, stops=Stops(30), format_=format_, crew=_Two)
    assert ear.texts("node") == []
    assert {row.bot for row in standings.rows() if row.matches} == set("abcd")  # the other one plays a


class _Unable(_Crew):
    """A worker that cannot play a and b at first."""

    def __init__(self, script: Script, nursery: trio.Nursery, jobs: int, owner: Owner) -> None:
        super().__init__(script, nursery, jobs, owner)
        self.workers[0].unable |= {"a", "b"}

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[_Worker, Answer | None]]:
        if not self._told:
            self.workers[0].unable.clear()  # somebody has installed what was missing
        return await super().answers(wait, gather)


@pytest.mark.parametrize("format_", ["ladder", "round-robin"])
def test_people_are_told_once_that_nothing_is_played_for_want_of_a_node_that_can(
    home: Home, play: Callable[..., Told], format_: Format
) -> None:
    _, ear = play(fair, seats=3, stops=Stops(4), format_=format_, crew=_Unable)
    assert ear.texts("node") == ["nothing is played: there is no node that can play a, b; waiting for one"]
    assert count(home, "matches WHERE counted") == 4


def test_every_deal_is_played_once_and_drawn_when_it_is_settled_who_sits_where(play: Callable[..., Told]) -> None:
    heard: list[Play] = []

    def script(order: Play) -> Answer | Played | None:
        heard.append(order)
        return fair(order)

    play(script, rounds=20)
    assert all(len(order.matches) == 1 for order in heard)
    matches = [order.matches[0] for order in heard]
    assert len({match.seed.seed for match in matches}) == len({match.seed.nonce for match in matches}) == 120
    sat = Counter((bot.name, seat) for match in matches for seat, bot in enumerate(match.bots))
    assert set(sat.values()) == {30}


def test_a_void_match_does_not_count_and_takes_no_other_with_it(home: Home, play: Callable[..., Told]) -> None:
    def script(match: Play) -> Answer | Played | None:
        if match.id == 2:
            return answer(match, [2, 1], void="the host stood still", faults={"a": "timeout"})
        return fair(match)

    standings, ear = play(script)
    assert ear.texts("void") == ["match 2 is void: the host stood still"]
    assert count(home, "matches WHERE NOT counted AND void IS NOT NULL") == 1
    assert count(home, "matches WHERE counted") == 5
    by_name = {row.bot: row for row in standings.rows()}
    assert sum(row.matches for row in by_name.values()) == 2 * 5
    assert by_name["a"].faults == 0
    assert told("table", "--format", "json", home=home)["rows"] == [row.facts() for row in standings.rows()]
    play(fair)  # what was void is played again, and only that
    assert count(home, "matches WHERE counted") == 6
    assert count(home, "matches") == 7


def test_matches_of_a_worker_that_dies_are_played_by_the_same_bots_with_new_deals(
    home: Home, play: Callable[..., Told]
) -> None:
    heard: list[Play] = []

    def script(order: Play) -> Answer | Played | None:
        heard.append(order)
        for match in order.matches:
            home.live.mkdir(exist_ok=True)
            (home.live / f"{match.id}.jsonl").write_text("half a reco")
        return None if len(heard) == 4 else fair(order)

    _, ear = play(script)
    assert len(ear.texts("worker")) == 1
    assert count(home, "matches WHERE counted") == 6
    assert count(home, "playing") == 0
    assert len({order.matches[0].seed.seed for order in heard}) == len({order.id for order in heard}) == 7
    lost, others = heard[3], [*heard[:3], *heard[4:]]
    assert [names_of(order) for order in others].count(names_of(lost)) == 1
    assert not home.record(lost.id).exists()
    assert all(home.record(order.id).exists() for order in others)


def test_what_a_killed_run_has_begun_is_given_up(home: Home, store: Store, play: Callable[..., Told]) -> None:
    with store.change():
        store.begin([1, 2])
    left = home.live / "2.jsonl"
    left.parent.mkdir()
    left.write_text("half a reco")
    play(fair)
    assert store.playing() == []
    assert not left.exists()
    assert [match.id for match in store.matches()] == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(("plan", "size"), [("rotation", 3), ("swap", 2)])
def test_a_group_has_the_same_deals_under_nonces_of_its_own_and_counts_as_a_whole(
    home: Home, store: Store, play: Callable[..., Told], plan: Plan, size: int
) -> None:
    heard: list[Play] = []

    def script(order: Play) -> Answer | Played | None:
        heard.append(order)
        told = fair(order)
        if len(heard) == 2:  # the group ends with its first void match
            last = outcome(order.matches[1], [1, 2, 3], void="the host stood still")
            return replace(told, matches=[told.matches[0], last])
        return told

    standings, _ = play(script, seats=3, plan=plan)
    assert [len(order.matches) for order in heard] == [size] * 4
    for order in heard:
        assert len({match.seed.seed for match in order.matches}) == 1
        assert len({match.seed.nonce for match in order.matches}) == size
        assert order.ids == list(range(order.id, order.id + size))
    assert len({order.matches[0].seed.seed for order in heard}) == 4
    assert count(home, "matches WHERE counted") == 3 * size
    assert count(home, "matches WHERE NOT counted") == 2
    assert count(home, "playing") == 0
    assert {match.group for match in store.matches()} == {order.id for order in heard}
    assert sum(row.matches for row in standings.rows()) == 3 * 3 * size


Duelled = tuple[DuelScore, Ear]


@pytest.fixture
def duel(home: Home, store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Duelled]:
    """Play groups of a duel of bots 1 and 2, with a script for them."""

    def duel(script: Script, matches: int = 20, pool: Sequence[int] = (), crew: type[_Crew] = _Crew) -> Duelled:
        monkeypatch.setattr("bullring.ladder.run.run.LocalCrew", partial(crew, script))
        seats = 3 if pool else 2
        game = find("standard")(seats, {"deals": 1})
        list_ = store.list_of(game.id, game.options, seats)
        score, ear = DuelScore(store, list_, 1, 2, Sequential(0.0, 400.0, 1e-9, 1e-9)), Ear()
        plays = Plays(list_, "duel", "swap", Duel(seats, 1, 2, pool))
        run = LadderRun(home, store, plays, score, Stops(matches), 1, ear)
        trio.run(run.run, home.settings(), UNCONFINED)
        return score, ear

    return duel


def test_a_group_of_a_duel_that_is_lost_is_played_again_under_its_number_with_its_deal(
    home: Home, store: Store, duel: Callable[..., Duelled]
) -> None:
    heard: list[Play] = []

    def script(order: Play) -> Answer | Played | None:
        heard.append(order)
        if len(heard) == 2:
            return None
        return Failed(order.id, "no cgroup can be created") if order.id == 9 and not order.spoiled else fair(order)

    score, _ = duel(script, matches=12)
    assert score.ended == 6
    assert Counter(order.id for order in heard) == {1: 1, 3: 2, 5: 1, 7: 1, 9: 2, 11: 1}
    for first in (3, 9):
        one, other = (order for order in heard if order.id == first)
        assert one.matches[0].seed.seed == other.matches[0].seed.seed
        assert len({match.seed.nonce for match in (*one.matches, *other.matches)}) == 4
        assert other.ids == one.ids
        assert len(other.spoiled) == 1
    assert store.begun_groups(1) == []


def test_a_group_of_a_duel_that_is_lost_again_and_again_ends_it_without_a_verdict(
    store: Store, duel: Callable[..., Duelled]
) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        duel(lambda order: Failed(order.id, "no cgroup can be created") if order.id == 5 else fair(order))
    assert "the group of match 5 was lost 5 times, the last time because no cgroup" in str(first_error(caught.value))
    score = DuelScore(store, store.lists()[0], 1, 2, Sequential(0.0, 400.0, 1e-9, 1e-9))
    assert score.judge().groups == 2
    assert next(id for id, _ in score.unfinished) == 5


def test_a_duel_goes_on_after_a_moment_in_which_the_machine_plays_nothing(duel: Callable[..., Duelled]) -> None:
    heard: list[Play] = []

    def script(order: Play) -> Answer | Played | None:
        heard.append(order)
        return fair(order) if len(heard) > 30 else Failed(order.id, "the container engine is starting")

    score, _ = duel(script)
    assert score.judge().groups == score.ended == 10


def test_a_duel_that_was_stopped_plays_the_groups_that_it_had_begun_first(
    store: Store, duel: Callable[..., Duelled]
) -> None:
    def full(order: Play) -> Answer | Played | None:
        if order.id == 5:
            raise StoreError("disk full")
        return fair(order)

    with pytest.raises(ExceptionGroup):
        duel(full)
    begun = [id for id, _ in store.begun_groups(1)]
    assert 5 in begun
    heard: list[int] = []

    def script(order: Play) -> Answer | Played | None:
        heard.append(order.id)
        return fair(order)

    score, _ = duel(script, matches=2 * len(begun) + 2)
    assert heard[: len(begun)] == begun
    assert len(heard) == len(begun) + 1
    assert score.judge().groups == score.ended


def test_a_duel_judges_nothing_behind_groups_that_are_more_than_its_matches(
    store: Store, duel: Callable[..., Duelled]
) -> None:
    for first in (1, 11):
        played(store, *pair_of(store, (1, 2), "duel", (2, 2), id=first))
    with store.change():
        store.begin_groups(1, [(3, (1, 2)), (5, (1, 2)), (7, (1, 2))])
    score, _ = duel(fair, matches=2)
    assert store.begun_groups(1) == [(5, (1, 2)), (7, (1, 2))]
    assert score.ended == 3
    assert score.judge().groups == 2
    assert duel(fair, matches=4)[0].judge().groups == 5


def test_a_duel_begins_nothing_after_a_stop_though_a_group_is_lost_then(
    store: Store, duel: Callable[..., Duelled], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[int] = []
    runs: list[LadderRun] = []

    class Crew(_Crew):
        def say(self, order: Order) -> None:
            for worker in self.workers:
                self._told += [(worker, Dropped(one.id)) for one in worker.todo]
                worker.todo.clear()

    opened = LadderRun.run

    async def run(self: LadderRun, *arguments: Any) -> None:
        runs.append(self)
        await opened(self, *arguments)

    monkeypatch.setattr(LadderRun, "run", run)

    def script(order: Play) -> Answer | Played | None:
        heard.append(order.id)
        assert len(heard) < 20
        if len(heard) == 3:
            runs[0].stop("enough")
            return None
        return fair(order)

    score, _ = duel(script, 100, crew=Crew)
    assert set(heard[3:]) <= set(range(5, heard[2] + 2 * 2 * LEAST_AHEAD))
    assert score.judge().groups == score.ended == len(set(heard))


def test_a_group_of_a_duel_that_was_begun_is_played_with_others_of_the_pool(
    store: Store, duel: Callable[..., Duelled]
) -> None:
    """One of the pool is benched, and another one plays in its place, or nothing would ever be judged."""
    store.list_of("standard", find("standard")(3, {"deals": 1}).options, 3)
    with store.change():
        store.begin_groups(1, [(3, (1, 2, 3)), (5, (1, 2, 3)), (7, (1, 2, 4))])
    heard: list[tuple[int, Sequence[int]]] = []

    def script(order: Play) -> Answer | Played | None:
        heard.append((order.id, order.matches[0].ids))
        return Changed(order.id, {"c": "its files have changed"}) if len(heard) == 1 else fair(order)

    score, _ = duel(script, pool=(3, 4))
    assert heard[0] == (3, (1, 2, 3))
    assert (3, (1, 2, 4)) in heard
    assert score.judge().groups == score.ended == 10
    assert store.begun_groups(1) == []


def test_a_duel_whose_bot_has_changed_before_it_goes_on_ends_without_a_verdict(
    home: Home, store: Store, duel: Callable[..., Duelled]
) -> None:
    duel(fair, matches=2)
    with store.change():
        store.begin_groups(1, [(3, (1, 2))])
    store.bench(2, "its files have changed")
    score, _ = duel(fair)
    assert score.ended == 1
    assert store.begun_groups(1) == [(3, (1, 2))]


def test_a_group_of_a_duel_that_the_machine_spoiled_before_is_told(store: Store, duel: Callable[..., Duelled]) -> None:
    def script(order: Play) -> Answer | Played | None:
        told = fair(order)
        return replace(told, spoiled=(Spoiled(True, "the host stood still"),)) if order.id == 1 else told

    _, ear = duel(script, matches=4)
    (text,) = ear.texts("void")
    assert text == "match 1 was void and was played again with the same deals: the host stood still"


def test_a_run_plays_as_many_matches_as_it_was_told_or_fewer(home: Home, play: Callable[..., Told]) -> None:
    play(fair, rounds=100, stops=Stops(matches=7))
    assert count(home, "matches") == 7
    play(fair, rounds=100, seats=4, plan="rotation", stops=Stops(matches=11))
    assert count(home, "matches") == 7 + 8
    with pytest.raises(LadderError, match="played in 4 matches here"):
        play(fair, seats=4, plan="rotation", stops=Stops(matches=3))


@pytest.mark.parametrize("format_", ["round-robin", "ladder"])
def test_what_a_referee_process_hands_back_because_of_a_slow_bot_holds_up_nobody(
    home: Home, play: Callable[..., Told], format_: str
) -> None:
    """A ladder draws other line-ups in its place, and a round robin plays it later."""
    held: list[Play] = []
    beside = late = 0

    def script(match: Play) -> Sequence[Answer | Played]:
        nonlocal beside, late
        if "a" not in names_of(match) or match.slow:
            beside += bool(held)
            end = [fair(held.pop())] if held and beside >= 70 else []
            return [fair(match), *end]
        if held:
            late += beside > 0
            return [Dropped(match.id)]
        if beside:
            return [fair(match)]
        held.append(match)
        return [Held(match.id, ["a"])]

    play(script, rounds=60, stops=Stops(matches=200), format_=format_)
    assert beside == 70
    assert late <= 64, "those that had been given before"
    assert count(home, "matches WHERE counted") == count(home, "matches") == 200
    assert count(home, "playing") == 0


class _Slow(_Crew):
    """Notes the most orders with a slow bot that its worker has at a time."""

    most = 0

    async def flush(self) -> None:
        _Slow.most = max(_Slow.most, *(sum(order.slow for order in worker.todo) for worker in self.workers))
        await super().flush()


@pytest.mark.parametrize("computes", [True, False])
def test_of_a_slow_bot_a_worker_is_given_what_a_core_can_play(
    play: Callable[..., Told], monkeypatch: pytest.MonkeyPatch, *, computes: bool
) -> None:
    monkeypatch.setitem(COSTS, "a", Spent(wall_us=3_000_000, cpu_us=3_000_000 if computes else 3_000))
    monkeypatch.setattr(_Slow, "most", 0)
    play(fair, stops=Stops(matches=400), format_="ladder", crew=_Slow)
    assert _Slow.most == 2 if computes else _Slow.most > 50


def test_a_bot_that_is_benched_in_the_middle_costs_a_ladder_no_match(home: Home, play: Callable[..., Told]) -> None:
    def script(match: Play) -> Answer | Played | None:
        if "b" in names_of(match) and match.id > 10:
            return Changed(match.id, {"b": "its files have changed"})
        return fair(match)

    play(script, stops=Stops(matches=100), format_="ladder")
    assert count(home, "matches") == 100


def test_a_match_that_the_machine_fails_is_given_up_and_the_same_bots_play_another_one(
    home: Home, play: Callable[..., Told]
) -> None:
    def script(match: Play) -> Answer | Played | None:
        return Failed(match.id, "no cgroup can be created") if match.id in (2, 3, 5) else fair(match)

    _, ear = play(script)
    assert ear.texts("host")[0] == "match 2 could not be played, another one is in its place: no cgroup can be created"
    assert len(ear.texts("host")) == 3
    assert count(home, "matches WHERE counted") == count(home, "matches") == 6
    assert count(home, "playing") == 0


def test_a_machine_that_fails_every_match_ends_the_run_and_the_next_one_carries_on(
    home: Home, play: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "FAILING", 0.0)

    def script(match: Play) -> Answer | Played | None:
        return Failed(match.id, "a record cannot be written: 3.jsonl: disk full") if match.id > 2 else fair(match)

    assert "a record cannot be written" in failed(play, script)
    play(fair)
    assert count(home, "matches WHERE counted") == count(home, "matches") == 6


@pytest.mark.slow
def test_a_store_that_is_full_ends_the_run_with_its_message_wherever_that_happens(
    store: Store, play: Callable[..., Told], home: Home
) -> None:
    (pages,) = store._one("PRAGMA page_count")
    for more in range(8):
        store._one(f"PRAGMA max_page_count = {pages + more}")
        assert "database or disk is full" in failed(play, fair, rounds=400)
    store._one(f"PRAGMA max_page_count = {pages + 10000}")
    play(fair, rounds=40)
    assert count(home, "playing") == 0
    assert store._one("PRAGMA integrity_check") == ("ok",)


def test_a_bot_that_never_starts_is_benched_and_what_it_is_playing_counts(
    home: Home, store: Store, play: Callable[..., Told]
) -> None:
    """Else a bot could sit out bad hands by being benched."""
    late: list[int] = []

    def script(match: Play) -> Answer | Played | None:
        names = names_of(match)
        if "b" not in names:
            return fair(match)
        if store.bot("b").state == "benched":
            late.append(match.id)
        return answer(match, [2 if name == "b" else 1 for name in names], faults={"b": "start"})

    standings, ear = play(script, rounds=3)
    assert ear.texts("bench") == [
        "b is benched: it did not start in its last 2 matches (undo: bullring bots reinstate b)"
    ]
    assert store.bot("b").state == "benched"
    assert len(late) >= 2
    assert count(home, "playing") == count(home, "matches WHERE NOT counted") == 0
    assert [(row.bot, row.matches) for row in standings.rows() if row.state == "benched"] == [("b", 2 + len(late))]
    tables = store.tables_in(standings.list.id, "round-robin")
    assert tables[1, 3] == tables[1, 4] == tables[3, 4] == 3


def test_seats_that_are_closed_too_often_bench_a_bot_and_count_anew_after_its_reinstatement(
    home: Home, store: Store, play: Callable[..., Told]
) -> None:
    def script(match: Play) -> Answer | Played | None:
        names = names_of(match)
        return answer(match, [4 if name == "d" else 1 for name in names], faults={"d": "crash"})

    play(script, rounds=8, seats=4)
    row = store.bot("d")
    assert (row.state, row.reason) == ("benched", "its seat was closed in 5 of its last 5 matches (crash 5 times)")
    assert bots("reinstate", "d", home=home).exit_code == 0
    row = store.bot("d")
    assert (row.state, row.reason) == ("active", "")
    play(script, rounds=12, seats=4)
    assert store.bot("d").reason == "its seat was closed in 4 of its last 4 matches (crash 4 times)" or (
        store.bot("d").state == "active"
    )


def test_a_new_version_replaces_the_older_one_which_comes_back_when_it_is_benched(
    home: Home, store: Store, play: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table needs all four bots, so that the run would end if one were missing for a moment."""
    monkeypatch.setattr("bullring.ladder.run.roster.LOOK_EVERY", 0.0)
    tables: list[str] = []
    stops = Stops()

    def script(match: Play) -> Answer | Played | None:
        names = names_of(match)
        (version,) = (name for name in names if name.startswith("a"))
        tables.append(version)
        if tables == ["a"] * 3:
            add(home, store, tiny("last", "new"), "a")
        if version == "a" and "a v2" in tables and store.bot("a v2").state == "benched":
            stops.matches = len(tables) + 3
        faults = {"a v2": "start"} if tables.count("a v2") > 4 else {}
        return answer(match, [1 + name.startswith("a") for name in names], faults=faults)

    standings, ear = play(script, seats=4, stops=stops, format_="ladder")
    first, last = tables.index("a v2"), len(tables) - tables[::-1].index("a v2")
    assert set(tables[:first]) == {"a"} == set(tables[last:])
    assert not any("left to play" in text for text in ear.texts("stop"))
    rows = {row.bot: (row.state, row.matches) for row in standings.rows()}
    assert rows["a"] == ("active", tables.count("a"))
    assert rows["a v2"] == ("benched", tables.count("a v2"))


def add_and_lose(home: Home, store: Store, program: Path, name: str) -> None:
    """Add a bot whose program is gone before it plays."""
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    add(home, store, str(program), name)
    program.unlink()


def test_where_the_newest_version_cannot_be_loaded_the_one_before_plays(
    home: Home, store: Store, play: Callable[..., Told], tmp_path: Path
) -> None:
    add_and_lose(home, store, tmp_path / "program", "a")
    standings, _ = play(fair, seats=4, stops=Stops(matches=3), format_="ladder")
    assert [(row.bot, row.state, row.matches) for row in standings.rows() if row.bot == "a"] == [("a", "active", 3)]


def test_a_bot_whose_program_is_gone_is_benched_and_the_others_go_on(
    home: Home, store: Store, play: Callable[..., Told], tmp_path: Path
) -> None:
    add_and_lose(home, store, tmp_path / "program", "e")
    _, ear = play(fair)
    assert store.bot("e").state == "benched"
    assert "there is no program" in store.bot("e").reason
    assert len(ear.texts("bench")) == 1
    assert count(home, "matches WHERE counted") == 6


def test_everything_of_an_answer_is_in_the_store_or_nothing(store: Store, home: Home) -> None:
    match = match_of(store, (1, 99))

    def change() -> None:
        with store.change():
            store.add([packed(match)])

    with pytest.raises(StoreError, match="FOREIGN KEY"):
        change()
    assert count(home, "matches") == count(home, "played") == 0


def test_a_bot_that_costs_more_than_its_limits_grant_is_benched_although_it_has_no_fault(
    store: Store, play: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(COSTS, "c", Spent(wall_us=120_000_000, cpu_us=1, starts=1))
    standings, ear = play(fair, rounds=4)
    row = store.bot("c")
    assert row.state == "benched"
    assert row.reason == "it took 120 s a match in its last 5 matches, where 103 s are granted"
    assert len(ear.texts("bench")) == 1
    (costly,) = [row for row in standings.rows() if row.bot == "c"]
    assert (costly.wall_s, costly.starts, costly.faults) == (120.0, 1.0, 0)
