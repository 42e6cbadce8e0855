"""Groups and matches as a store takes them, made up."""

from collections.abc import Sequence

from bullring.arena.rules.registry import find
from bullring.arena.seeds import Seed
from bullring.ladder.keeping.rows import GroupRow, MatchRow, SeatRow
from bullring.ladder.keeping.store import Store
from bullring.ladder.pairing.schedule import Lineup
from bullring.ladder.pairing.seating import Plan, seated


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
    return MatchRow(group.id, number, Seed(group.seed, f"nonce {number}"), void, 2, seats)


def group_of(store: Store, lineup: Lineup = (3, 1), plan: Plan = "rotation") -> GroupRow:
    list_ = store.list_of("standard", find("standard")(len(lineup), {"deals": 1}).options, len(lineup))
    return GroupRow(store.next_group(), list_.id, "ladder", plan, lineup, "5eed", "open")


def played(store: Store, group: GroupRow, *matches: MatchRow, void: bool = False) -> None:
    with store.change():
        store.add_group(group)
        for match in matches:
            store.add_match(match)
        store.end_group(group, matches, void=void)
