"""The score of a duel, group by group."""

from collections.abc import Sequence
from dataclasses import replace

from bullring.arena.seeds import Seed
from bullring.ladder.keeping.rows import GroupRow, MatchRow, SeatRow
from bullring.ladder.keeping.store import Store
from bullring.ladder.knowing.duel import DuelScore
from bullring.ladder.knowing.standings import Standings
from bullring.ladder.pairing.schedule import Lineup
from bullring.ladder.rating.sequential import Sequential
from tests.ladder.stored import group_of, match_of, played


def test_the_first_verdict_of_a_duel_stands(store: Store) -> None:
    """Also when matches that were being played then say something else."""
    list_ = store.list_of("standard", {}, 2)
    score = DuelScore(store, list_, 1, 2, Sequential(0.0, 100.0, 0.05, 0.05))
    win = MatchRow(
        1, 0, Seed("5eed", ""), None, 1, [SeatRow(1, 0, 1, [], False, {}, {}), SeatRow(2, 9, 2, [], False, {}, {})]
    )
    loss = MatchRow(
        1, 0, Seed("5eed", ""), None, 1, [SeatRow(1, 9, 2, [], False, {}, {}), SeatRow(2, 0, 1, [], False, {}, {})]
    )
    group = GroupRow(1, list_.id, "duel", "swap", (1, 2), "seed", "open")
    while score.enough([]) is None:
        score.add(group, [win, win])
    assert score.enough([]) == "the new bot is better"
    for _ in range(100):
        score.add(group, [loss, loss])
    assert score.judge().llr < score.judge().upper
    assert score.enough([]) == "the new bot is better"


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
    score = DuelScore(store, list_, 1, 2, Sequential(0.0, 10.0, 0.05, 0.05))
    assert score.cells.tolist() == [0, 0, 0, 0, 1]
    # A group of another duel that was interrupted is played to its end, too.
    score.add(*other)
    assert score.cells.tolist() == [0, 0, 0, 0, 1]
    score.add(*duel((1, 2), (1, 2)))
    assert score.cells.tolist() == [0, 0, 1, 0, 1]
    assert Standings(store, list_).rows()[0].matches == 0
