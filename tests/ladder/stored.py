"""Matches as a store takes them, made up."""

from collections.abc import Sequence

from bullring.arena.games.rules.registry import find
from bullring.arena.match.seeds import Seed
from bullring.ladder.pairing.schedule import Lineup
from bullring.ladder.store.dictionary import NO_DICTIONARY
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow, packed
from bullring.ladder.store.packet import pack
from bullring.ladder.store.rows import Format, MatchRow, SeatRow
from bullring.ladder.store.store import Store

TIMES = "2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"


def match_of(
    store: Store,
    bots: Lineup = (3, 1),
    *,
    id: int = 0,
    group: int | None = None,
    format: Format = "ladder",
    ranks: Sequence[int] = (),
    void: str | None = None,
    faults: Sequence[str] = (),
    closed: bool = False,
) -> MatchRow:
    """A match in which the first seat has such faults and comes in last, unless there are `ranks`."""
    list_ = store.list_of("standard", find("standard")(len(bots), {"deals": 1}).options, len(bots))
    id = id or store.next_match()
    seats = [
        SeatRow(
            bot,
            heads=300_000 * seat,
            rank=0 if void else ranks[seat] if ranks else len(bots) - seat,
            faults=list(faults) if seat == 0 else [],
            closed=closed and seat == 0,
            times={3: 1, 40: 7},
            metrics={"depth": 0.1 * seat} if seat else {},
        )
        for seat, bot in enumerate(bots)
    ]
    seed = Seed(f"5eed {group or id}", f"nonce {id}")
    return MatchRow(id, list_.id, format, group, seed, *TIMES, void, void is None, 2, seats, f"{id:064x}")


def pair_of(
    store: Store, bots: Lineup = (3, 1), format: Format = "ladder", points: Sequence[int] = (2, 0), *, id: int = 0
) -> list[MatchRow]:
    """A group of two matches between two bots; `points` are the half points of the first one in each."""
    first = id or store.next_match()
    pair = []
    for number, half_points in enumerate(points):
        ranks = [(2, 1), (1, 1), (1, 2)][half_points]
        seats, placed = (bots, ranks) if number == 0 else (bots[::-1], ranks[::-1])
        pair.append(match_of(store, seats, id=first + number, group=first, format=format, ranks=placed))
    return pair


def rows(matches: Sequence[MatchRow]) -> list[PackedRow]:
    """The matches as a run hands them to what it plays for."""
    return [packed(match) for match in matches]


def played(store: Store, *matches: MatchRow) -> None:
    with store.change():
        store.add(rows(matches))


def recorded(home: Home, *records: tuple[int, bytes]) -> None:
    """Put records of matches into a home."""
    home.kept.append(pack(match, text, NO_DICTIONARY) for match, text in records)
