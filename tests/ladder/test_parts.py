"""The parts of the ladder that need no processes: seating, schedules, times, metrics, the store, suspicion."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.registry import GAMES, find
from ladder import conduct
from ladder.choosing import which_list
from ladder.conduct import Conduct
from ladder.duel import DuelBook
from ladder.errors import LadderError, StoreError
from ladder.metrics import MOST, metrics
from ladder.rating.sequential import Sequential
from ladder.schedule import RANDOM_SHARE, Duel, Gauntlet, Ladder, Lineup, RoundRobin, Schedule, Standing
from ladder.seating import Plan, matches_of, places, plan_of, seated
from ladder.standings import Standings
from ladder.store import GroupRow, MatchRow, SeatRow, Store, match_id, packed
from ladder.suspicion import MOST_CLOSED, WINDOW, verdict
from ladder.timing import buckets, quantile


def test_the_first_verdict_of_a_duel_stands(store: Store) -> None:
    """Also when matches that were being played then say something else."""
    list_ = store.list_of("standard", {}, 2)
    book = DuelBook(store, list_, 1, 2, Sequential(0.0, 100.0, 0.05, 0.05))
    win = MatchRow(1, 0, "", None, 1, [SeatRow(1, 0, 1, [], False, {}, {}), SeatRow(2, 9, 2, [], False, {}, {})])
    loss = MatchRow(1, 0, "", None, 1, [SeatRow(1, 9, 2, [], False, {}, {}), SeatRow(2, 0, 1, [], False, {}, {})])
    group = GroupRow(1, list_.id, "duel", "swap", (1, 2), "seed", "open")
    while book.enough([]) is None:
        book.add(group, [win, win])
    assert book.enough([]) == "the new bot is better"
    for _ in range(100):
        book.add(group, [loss, loss])
    assert book.judge().llr < book.judge().upper
    assert book.enough([]) == "the new bot is better"


# Seating


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_rotation_is_a_latin_square(seats: int) -> None:
    square = [places("rotation", seats, match) for match in range(matches_of("rotation", seats))]
    assert square[0] == list(range(seats))
    assert all(sorted(row) == list(range(seats)) for row in square)
    assert all(sorted(column) == list(range(seats)) for column in zip(*square, strict=True))


def test_two_seats_swap_in_both_plans() -> None:
    for plan in ("rotation", "swap"):
        assert [places(plan, 2, match) for match in (0, 1)] == [[0, 1], [1, 0]]


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_swap_leaves_the_others_where_they_are(seats: int) -> None:
    assert matches_of("swap", seats) == 2
    assert seated("swap", "abcdefghij"[:seats], 0) == list("abcdefghij"[:seats])
    assert seated("swap", "abcdefghij"[:seats], 1) == list(("ba" + "cdefghij")[:seats])


def test_only_a_tournament_is_a_group_by_itself() -> None:
    assert {game: plan_of(game) for game in GAMES} == {
        game: "single" if game == "tournament" else "rotation" for game in GAMES
    }
    assert matches_of("single", 4) == 1


# Schedules


def evenly(bots: int, groups: int = 100) -> dict[int, Standing]:
    return {bot: Standing(1500.0 + 20 * bot, groups) for bot in range(bots)}


def drawn(schedule: Schedule, standings: dict[int, Standing], count: int) -> list[Lineup]:
    """The next line-ups; each counts as played, as it does in a run."""
    found = []
    for _ in range(count):
        lineup = schedule.next(standings)
        assert lineup is not None
        for bot in lineup:
            standings[bot] = replace(standings[bot], groups=standings[bot].groups + 1)
        found.append(lineup)
    return found


def test_a_table_of_the_ladder_has_every_bot_once_and_every_place_by_chance() -> None:
    lineups = drawn(Ladder(4, Random(1)), evenly(10), 2000)
    assert all(len(set(lineup)) == 4 for lineup in lineups)
    first = Counter(lineup[0] for lineup in lineups)
    assert all(120 < first[bot] < 300 for bot in range(10))


def test_a_new_bot_is_placed_quickly() -> None:
    standings = evenly(20)
    standings[20] = Standing(None, 0)
    lineups = drawn(Ladder(4, Random(2)), standings, 40)
    assert sum(20 in lineup for lineup in lineups) >= 15
    # And then it is one of many.
    assert sum(20 in lineup for lineup in drawn(Ladder(4, Random(3)), evenly(21), 400)) < 150


def test_an_empty_ladder_gets_everybody_to_the_tables() -> None:
    standings = {bot: Standing(None, 0) for bot in range(12)}
    played = Counter(bot for lineup in drawn(Ladder(3, Random(4)), standings, 40) for bot in lineup)
    assert min(played[bot] for bot in range(12)) >= 5


def test_most_tables_are_close_and_a_share_of_them_is_by_chance() -> None:
    def width(lineup: Lineup) -> int:
        return max(lineup) - min(lineup)

    standings = {bot: Standing(1500.0 + 200 * bot, 10_000) for bot in range(30)}
    lineups = drawn(Ladder(3, Random(5)), standings, 1000)
    wide = sum(width(lineup) > 4 for lineup in lineups) / len(lineups)
    assert 0.6 * RANDOM_SHARE < wide < 1.2 * RANDOM_SHARE


def all_of(schedule: Schedule, bots: Sequence[int]) -> list[Lineup]:
    """All line-ups to the end of a schedule."""
    standings = {bot: Standing(None, 0) for bot in bots}
    found = []
    while (lineup := schedule.next(standings)) is not None:
        found.append(lineup)
    return found


@given(bots=st.integers(2, 6), seats=st.integers(2, 4), rounds=st.integers(1, 3), done=st.integers(0, 40))
def test_a_round_robin_that_was_interrupted_plays_what_is_left(bots: int, seats: int, rounds: int, done: int) -> None:
    ids = range(1, bots + 1)
    whole = all_of(RoundRobin(ids, seats, rounds, {}), ids)
    assert Counter(whole) == Counter(dict.fromkeys(combinations(ids, seats), rounds))
    before = Counter(whole[:done])
    assert all_of(RoundRobin(ids, seats, rounds, before), ids) == whole[done:]


@given(bots=st.integers(2, 6), seats=st.integers(2, 4), rounds=st.integers(1, 3), done=st.integers(0, 40))
def test_a_gauntlet_that_was_interrupted_plays_what_is_left(bots: int, seats: int, rounds: int, done: int) -> None:
    ids = range(1, bots + 1)
    whole = all_of(Gauntlet(2, ids, seats, rounds, {}), ids)
    others = [bot for bot in ids if bot != 2]
    assert Counter(whole) == Counter({(2, *table): rounds for table in combinations(others, seats - 1)})
    before = Counter(tuple(sorted(table)) for table in whole[:done])
    assert all_of(Gauntlet(2, ids, seats, rounds, before), ids) == whole[done:]


def test_tables_of_a_bot_that_was_benched_are_left_out() -> None:
    schedule = RoundRobin([1, 2, 3], 2, 2, {})
    assert schedule.next({bot: Standing(None, 0) for bot in (1, 2, 3)}) == (1, 2)
    assert all_of(schedule, [1, 3]) == [(1, 3), (1, 3)]


def test_a_duel_takes_its_other_seats_from_the_pool_in_turn() -> None:
    everybody = {bot: Standing(None, 0) for bot in range(1, 6)}
    schedule = Duel(4, 1, 2, [3, 4, 5])
    found = [schedule.next(everybody) for _ in range(3)]
    assert found == [(1, 2, 3, 4), (1, 2, 5, 3), (1, 2, 4, 5)]
    assert Duel(4, 1, 2, [3, 4, 5], started=1).next(everybody) == found[1]
    assert Duel(2, 1, 2, []).next(everybody) == (1, 2)
    assert schedule.next({bot: Standing(None, 0) for bot in (1, 3, 4, 5)}) is None
    assert schedule.next({bot: Standing(None, 0) for bot in (1, 2, 3)}) is None


# Times and metrics


@given(st.lists(st.integers(0, 60_000_000), min_size=1, max_size=200), st.sampled_from([0.01, 0.5, 0.9, 0.99, 1.0]))
def test_a_quantile_from_buckets_is_as_good_as_a_bucket_is_wide(times: list[int], share: float) -> None:
    rank = max(0, -(-round(share * len(times) * 1000) // 1000) - 1)
    exact = sorted(times)[rank]
    found = quantile(buckets(times), share)
    assert found is not None
    assert abs(found - exact) <= 0.095 * (exact + 1)


def test_buckets_add_up() -> None:
    one, two = [3, 5, 900], [5, 70_000]
    assert Counter(buckets(one)) + Counter(buckets(two)) == Counter(buckets(one + two))
    assert quantile({}, 0.5) is None
    assert buckets([]) == {}
    assert quantile(buckets([0]), 0.5) == 0


@pytest.mark.parametrize(
    ("log", "found"),
    [
        ("depth = 3\n", {"depth": 3.0}),
        ("depth=3\ndepth=4.5", {"depth": 4.5}),
        ("  nodes.per-s_1 = +1.5e6  \n", {"nodes.per-s_1": 1.5e6}),
        ("x = -0.25\r\ny = 1e-3", {"x": -0.25, "y": 0.001}),
        ("depth: 3\ndepth = three\n= 3\n3 = 3\ndepth = 3 4\ndepth == 3\n", {}),
        ("x = nan\nx = inf\nx = 1e999\nx = 0x10\nx = .5\nx = 1_000\n", {}),
        ("x = " + "9" * 15, {"x": 999_999_999_999_999.0}),
        ("x = " + "9" * 16, {}),
        ("k" * 32 + " = 1", {"k" * 32: 1.0}),
        ("k" * 33 + " = 1", {}),
        ("ключ = 1\nx = ١\n\x1b[31m = 1", {}),
        ("", {}),
    ],
)
def test_metrics_are_lines_with_a_key_and_a_number_and_the_last_one_counts(log: str, found: dict[str, float]) -> None:
    assert metrics(log) == found


def test_so_many_metrics_are_kept_and_no_more() -> None:
    log = "".join(f"key{number} = {number}\n" for number in range(MOST + 5)) + "key0 = 7\n"
    found = metrics(log)
    assert list(found) == [f"key{number}" for number in range(MOST)]
    assert found["key0"] == 7


# The store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with four bots."""
    with closing(Store.create(tmp_path / "ladder.db", "0123456789abcdef")) as store:
        for name in "abcd":
            store.add_bot(name, f"program {name}")
        yield store


def match_of(
    group: GroupRow, number: int, void: str | None = None, faults: Sequence[str] = (), closed: bool = False
) -> MatchRow:
    """A match in which the first seat has such faults."""
    seats = [
        SeatRow(
            bot,
            heads=300_000 * seat,
            rank=0 if void else len(group.lineup) - seat,
            faults=list(faults) if seat == 0 else [],
            closed=closed and seat == 0,
            times={3: 1, 40: 7},
            metrics={"depth": 0.1 * seat} if seat else {},
        )
        for seat, bot in enumerate(seated(group.plan, group.lineup, number))
    ]
    return MatchRow(group.id, number, f"nonce {number}", void, 2, seats)


def group_of(store: Store, lineup: Lineup = (3, 1), plan: Plan = "rotation") -> GroupRow:
    list_ = store.list_of("standard", find("standard")(len(lineup), {"deals": 1}).options, len(lineup))
    return GroupRow(store.next_group(), list_.id, "ladder", plan, lineup, "5eed", "open")


def played(store: Store, group: GroupRow, *matches: MatchRow, void: bool = False) -> None:
    with store.change():
        store.add_group(group)
        for match in matches:
            store.add_match(match)
        store.end_group(group, matches, void=void)


def test_what_goes_into_the_store_comes_out_of_it(store: Store, tmp_path: Path) -> None:
    group = group_of(store, (4, 2, 3))
    matches = [match_of(group, 0), match_of(group, 1, faults=["timeout", "timeout", "crash"], closed=True)]
    assert group.size == 3
    assert [match.id for match in matches] == ["1.1", "1.2"] == [match_id(1, 0), match_id(1, 1)]
    with store.change():
        store.add_group(group)
        for match in matches:
            store.add_match(match)
    with closing(Store.open(tmp_path / "ladder.db", read_only=True)) as reader:
        assert reader.open_groups() == [group]
        assert reader.matches() == matches
        assert reader.matches("m.grp = ?", (1,), limit=1) == matches[1:]
        assert reader.next_group() == 2
        assert reader.home == "0123456789abcdef"
        assert [row.name for row in reader.bots()] == list("abcd")
        with pytest.raises(StoreError, match="readonly"):
            reader.add_bot("e", "program e")
    with store.change():
        store.end_group(group, [], void=True)
    assert store.open_groups() == []
    assert store.unsealed() == [(replace(group, state="void"), matches)]
    with store.change():
        store.set_sealed([(1, 0)])
    assert store.unsealed() == [(replace(group, state="void"), matches[1:])]


def test_a_bot_that_is_added_while_a_ladder_runs_is_rated_like_the_others(store: Store) -> None:
    first = group_of(store)
    (list_,) = store.lists()
    standings = Standings(store, list_, until_error=1.0)
    store.add_bot("new", "program new")
    new = store.bot("new").id
    assert standings.enough([*first.lineup, new]) is None
    group = replace(first, lineup=(new, first.lineup[1]))
    with store.change():
        store.add_group(group)
        standings.add(group, [match_of(group, 0), match_of(group, 1)])
        standings.write()
    standings.rate()
    assert [row.matches for row in standings.rows() if row.bot == "new"] == [2]
    assert standings.rating(new) is not None


def test_a_match_is_in_the_store_once(store: Store) -> None:
    group = group_of(store)
    played(store, group, match_of(group, 0), match_of(group, 1))

    def again() -> None:
        with store.change():
            store.add_match(match_of(group, 1))

    with pytest.raises(StoreError, match="UNIQUE"):
        again()
    assert len(store.matches()) == 2


def test_finished_groups_are_kept_as_arrays_by_place_of_the_line_up(store: Store) -> None:
    group = group_of(store, (3, 1))
    matches = [match_of(group, 0), match_of(group, 1)]
    played(store, group, *matches)
    ranks, heads, deals = packed(group, matches)
    assert list(ranks) == [2, 1, 1, 2]
    assert heads == b"".join(number.to_bytes(4, "little") for number in (0, 300_000, 300_000, 0))
    assert deals == (2).to_bytes(4, "little") * 2
    assert store.done(group.list) == [(1, "rotation", "[3, 1]", ranks, heads, deals)]
    (list_,) = store.lists()
    results = Standings(store, list_).results()
    assert results.lineups.tolist() == [[2, 0]]
    assert results.ranks.tolist() == [[2, 1], [1, 2]]
    assert results.heads.tolist() == [[0, 300_000], [300_000, 0]]
    assert results.deals.tolist() == [2, 2]


def test_a_change_is_made_whole_or_not_at_all(store: Store) -> None:
    group = group_of(store)

    def change() -> None:
        with store.change():
            store.add_group(group)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    assert store.groups() == []


def test_lists_differ_by_game_options_and_seats(store: Store) -> None:
    options = dict(find("standard")(4, {"deals": 1}).options)
    one = store.list_of("standard", options, 4)
    assert store.list_of("standard", dict(reversed(options.items())), 4) == one
    assert store.list_of("standard", {**options, "deals": 2}, 4).id != one.id
    assert store.list_of("standard", options, 5).id != one.id
    assert len(store.lists()) == 3
    assert which_list(store, "standard", 5, ()).seats == 5
    assert which_list(store, None, None, ["deals=2"]).options["deals"] == 2
    with pytest.raises(LadderError, match="several lists fit"):
        which_list(store, "standard", None, ["deals=1"])
    with pytest.raises(LadderError, match="no list fits"):
        which_list(store, None, None, ["deals=3"])


def test_a_name_is_taken_for_good(store: Store) -> None:
    store.set_state(2, "removed")
    with pytest.raises(LadderError, match="there is a bot 'b' already"):
        store.add_bot("b", "another program")
    with pytest.raises(LadderError, match=r"there are: a, c, d$"):
        store.bot("e")
    assert store.bot("b").state == "removed"


# Sums of conduct


def test_sums_do_not_depend_on_the_order_in_which_groups_are_finished(store: Store) -> None:
    group = group_of(store)
    numbers = [0.1, 1e15, 0.7, -1e15, 1e-9, 3.3]
    rows = [replace(seat, metrics={"x": x, "y": -x}) for x in numbers for seat in match_of(group, 0).seats[:1]]
    one, two = Conduct(), Conduct()
    for row in rows:
        one.take(row, 1)
    for row in reversed(rows):
        two.take(row, 1)
    assert one == two
    assert one.metrics == two.metrics
    assert Conduct.parse(one.text()) == one


def test_a_shared_win_counts_in_part(store: Store) -> None:
    conducts: dict[int, Conduct] = {}
    group = group_of(store, (1, 2, 3, 4))
    match = match_of(group, 0)
    ranks = [1, 1, 1, 4]
    seats = [replace(seat, rank=rank) for seat, rank in zip(match.seats, ranks, strict=True)]
    conduct.add(conducts, replace(match, seats=seats))
    assert [conducts[bot].share for bot in (1, 2, 3, 4)] == [pytest.approx(1 / 3)] * 3 + [0]
    assert Conduct().share is None
    assert json.loads(Conduct().text())[0] == 0


# Suspicion


def faulty(store: Store, count: int, faults: Sequence[str], *, closed: bool, void: str | None = None) -> None:
    """So many matches of the bot c, each in a group of its own."""
    for _ in range(count):
        group = group_of(store, (3, 1), "single")
        played(store, group, match_of(group, 0, faults=faults, closed=closed, void=void), void=void is not None)


def test_two_matches_without_a_start_in_a_row_are_enough(store: Store) -> None:
    faulty(store, 1, ["start"], closed=True)
    assert verdict(store, 3, 0) is None
    faulty(store, 1, [], closed=False)
    faulty(store, 1, ["start"], closed=True)
    assert verdict(store, 3, 0) is None
    faulty(store, 1, ["start"], closed=True)
    assert verdict(store, 3, 0) == "it did not start in its last 2 matches"
    assert verdict(store, 1, 0) is None
    assert verdict(store, 3, store.next_group()) is None


def test_closed_seats_are_counted_in_the_last_matches_only(store: Store) -> None:
    faulty(store, MOST_CLOSED - 1, ["timeout", "timeout", "crash"], closed=True)
    faulty(store, 3, ["illegal"], closed=False)  # a strike is no closed seat
    assert verdict(store, 3, 0) is None
    faulty(store, WINDOW - 3, [], closed=False)
    faulty(store, MOST_CLOSED - 1, ["crash"], closed=True)
    assert verdict(store, 3, 0) is None
    faulty(store, 1, ["crash"], closed=True)
    assert verdict(store, 3, 0) == "its seat was closed in 5 of its last 20 matches (crash 5 times)"


def test_void_matches_raise_no_suspicion(store: Store) -> None:
    faulty(store, 10, ["start"], closed=True, void="the host stood still")
    assert verdict(store, 3, 0) is None


def test_a_reinstated_bot_begins_anew(store: Store) -> None:
    faulty(store, 5, ["crash"], closed=True)
    store.set_state(3, "benched", str(verdict(store, 3, 0)))
    store.set_state(3, "active")
    row = store.bot("c")
    assert (row.state, row.reason) == ("active", "")
    assert verdict(store, 3, row.judged_from) is None
    faulty(store, 5, ["crash"], closed=True)
    assert verdict(store, 3, row.judged_from) == "its seat was closed in 5 of its last 5 matches (crash 5 times)"


# Duels


def test_a_duel_counts_its_own_groups_only(store: Store) -> None:
    def duel(lineup: Lineup, ranks: Sequence[int]) -> tuple[GroupRow, list[MatchRow]]:
        group = replace(group_of(store, lineup, "swap"), format="duel")
        matches = []
        for number, rank in enumerate(ranks):
            match = match_of(group, number)
            seats = [replace(seat, rank=rank if seat.bot == lineup[0] else 3 - rank) for seat in match.seats]
            matches.append(replace(match, seats=seats))
        return group, matches

    mine, other = duel((1, 2), (1, 1)), duel((3, 4), (1, 1))
    played(store, mine[0], *mine[1])
    (list_,) = store.lists()
    book = DuelBook(store, list_, 1, 2, Sequential(0.0, 10.0, 0.05, 0.05))
    assert book.cells.tolist() == [0, 0, 0, 0, 1]
    # A group of another duel that was interrupted is played to its end, too.
    book.add(*other)
    assert book.cells.tolist() == [0, 0, 0, 0, 1]
    book.add(*duel((1, 2), (1, 2)))
    assert book.cells.tolist() == [0, 0, 1, 0, 1]
    assert Standings(store, list_).rows()[0].matches == 0
