"""The result of a rating: how it goes from one process to another, and how the store keeps it.

To rate a million matches takes many seconds. So the ratings are stored at the end of a run, and those of a long list every
`conduct.EVERY` matches. While they lack hardly any matches, standings are shown as they are stored, and a run of a long list begins
with them. They are a copy: without them, or if another version wrote them, everything is rated from the matches.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgpack
import numpy as np

from bullring.arena.match.records.confinement import Confinement
from bullring.errors import StoreError
from bullring.installation import VERSION
from bullring.ladder.pairing.known import Known
from bullring.ladder.standings import columns
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.conduct import EVERY, Stored
from bullring.ladder.standings.confinements import Confinements
from bullring.ladder.standings.cycles import Cycles
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.meetings import Meetings
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.standings.places import Deciding, Places, Span
from bullring.ladder.standings.standings import Standings
from bullring.ladder.standings.zero import Zero
from bullring.ladder.store.home import Home
from bullring.ladder.store.progress import Tell, nobody
from bullring.ladder.store.rows import BotRow, ListRow
from bullring.ladder.store.store import Store

TELL_EVERY = 1.0
"""Seconds between two times that a run shows its ratings to those who watch."""

TELLING = 0.01
"""Share of its time that it spends on that, at most."""

LAG = 0.01
"""Share of the matches that stored standings may lack when they are shown: their intervals would be narrower by half of it."""

ASTRAY = 0.1
"""By how many of its intervals a stored rating may differ from that of all its matches: a run rates as it goes (`rating.live`)."""


@dataclass(frozen=True)
class Ratings:
    """The result of a rating."""

    upto: int
    """The number of the last match of the home when it was made."""
    bots: Mapping[int, str]
    """The states of all bots, by id."""
    anchor: int | None
    """The id of the bot that was the anchor."""
    rows: Sequence[Row]
    rated: int
    """Matches in it."""
    ratings: Mapping[int, float | None]
    """By the ids of all bots."""
    matches: Mapping[int, int]
    known: Known
    more: More | None
    """At one match a second."""
    outlook: Outlook
    enough: str | None
    """The reason why the run may stop, with the bots that are active now."""
    conduct: Stored | None
    """The conduct of the bots to be stored; None if little has changed."""

    @classmethod
    def of(cls, standings: Standings, *, final: bool) -> "Ratings":
        """The result of standings that were just rated. At the end of a run (`final`) all conduct is stored."""
        bots, anchor = standings.bots, standings.anchor
        return cls(
            upto=standings.number,
            bots=_states(bots),
            anchor=None if anchor is None else bots[anchor].id,
            rows=standings.rows(),
            rated=standings.rated,
            ratings={bot.id: standings.rating(bot.id) for bot in bots},
            matches={bot.id: standings.matches(bot.id) for bot in bots},
            known=standings.known(),
            more=standings.more(1.0),
            outlook=standings.outlook(),
            enough=standings.enough([bot.id for bot in bots if bot.state == "active"]),
            conduct=standings.unwritten(0 if final else EVERY),
        )

    @property
    def verdicts(self) -> Sequence[str]:
        """The sentences about its places and cycles."""
        return [line for fact in self.outlook.verdicts if (line := fact.said())]

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        known = self.known
        arrays = {name: getattr(known, name).tobytes() for name in ("met", "ratings", "widths", "weights")}
        return {
            **vars(self),
            "rows": list(map(vars, self.rows)),
            "known": {**vars(known), **arrays},
            "more": None if self.more is None else vars(self.more),
            "outlook": _outlook_facts(self.outlook),
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Ratings":
        """From plain values."""
        known, more, conduct = facts["known"], facts["more"], facts["conduct"]
        bots = len(known["bots"])
        arrays = {
            "bots": tuple(known["bots"]),
            "met": np.frombuffer(known["met"], np.int32).reshape(bots, bots),
            "ratings": np.frombuffer(known["ratings"]),
            "widths": np.frombuffer(known["widths"]),
            "weights": np.frombuffer(known["weights"]),
        }
        return cls(
            **{
                **facts,
                "rows": [Row(**row) for row in facts["rows"]],
                "known": Known(**{**known, **arrays}),
                "more": None if more is None else More(**more),
                "outlook": _outlook(facts["outlook"]),
                "conduct": None if conduct is None else Stored(*conduct),
            }
        )

    def write(self, store: Store, list_: int) -> None:
        """Store them. Call within a change of the store."""
        facts = self.facts() | {"conduct": None, "enough": None}
        store.set_ratings(list_, _version(), zlib.compress(msgpack.packb(facts), 1))

    @classmethod
    def stored(cls, store: Store, list_: int) -> "Ratings | None":
        """Those that the store keeps of a list; None if there are none of this version. Raises `StoreError`."""
        found = store.ratings(list_, _version())
        if found is None:
            return None
        try:
            return cls.from_facts(msgpack.unpackb(zlib.decompress(found), strict_map_key=False))
        except (zlib.error, msgpack.UnpackException, ValueError, TypeError, KeyError, AttributeError) as error:
            raise StoreError(
                f"the store holds ratings that no ladder wrote ({error!s:.80}); make them anew with: bullring ladder rebuild"
            ) from None

    @classmethod
    def shown(cls, store: Store, list_: ListRow) -> "Ratings | None":
        """Those that the store keeps of a list, if they lack hardly any matches, and its bots and anchor are the same."""
        with store.snapshot():
            found = cls.stored(store, list_.id)
            if (
                found is None
                or found.known.target is not None  # its forecast is for the target of a run
                or not found.fits(store, list_)
                or (newer := store.counted_since(list_.id, found.upto)) > LAG * found.rated
            ):
                return None
        return replace(found, outlook=replace(found.outlook, newer=newer))

    def fits(self, store: Store, list_: ListRow) -> bool:
        """Whether the bots and the anchor of the list are still the same."""
        return self.bots == _states(store.bots()) and self.anchor == store.anchor(list_.id)

    def is_of(self, standings: Standings) -> bool:
        """Whether it may have been made by these matches: each rating is near theirs."""
        mine, theirs = ({row.name: row for row in rows} for rows in (self.rows, standings.rows()))
        return mine.keys() == theirs.keys() and all(_near(row, theirs[name]) for name, row in mine.items())


def rated(store: Store, list_: ListRow, until_error: float | None = None) -> Ratings:
    """Rate a list by all its matches, and store that. The forecast is for a run that may end at ± `until_error` Elo."""
    found = Ratings.of(Standings(store, list_, until_error=until_error), final=True)
    with store.change():
        found.write(store, list_.id)
    return found


@dataclass(frozen=True)
class Told:
    """The ratings of a run, as it shows them to those who watch: nobody rates anything a second time beside it."""

    rows: Sequence[Row]
    outlook: Outlook

    def write(self, home: Home, list_: int) -> None:
        """Write them, for `of`. Raises `OSError`."""
        new = home.rated.with_suffix(".new")
        new.write_bytes(msgpack.packb([list_, VERSION, [vars(row) for row in self.rows], _outlook_facts(self.outlook)]))
        new.replace(home.rated)

    @classmethod
    def of(cls, home: Home, list_: int) -> "Told | None":
        """Those of the run that is playing a list; None if it has shown none."""
        try:
            shown, version, rows, outlook = msgpack.unpackb(home.rated.read_bytes(), strict_map_key=False)
            return (
                cls([Row(**row) for row in rows], _outlook(outlook)) if (shown, version) == (list_, VERSION) else None
            )
        except (OSError, ValueError, TypeError):
            return None  # it is told anew in a moment


def damaged(store: Store, tell: Tell = nobody) -> list[str]:
    """The lists whose stored ratings are not those of their matches, by title. Raises `StoreError`."""
    found = []
    lists = store.lists()
    for at, list_ in enumerate(lists):
        tell("lists rated", at, len(lists))
        kept = Ratings.stored(store, list_.id)
        if kept is None or not kept.fits(store, list_):  # they are not shown
            continue
        if not kept.is_of(Standings(store, list_, upto=kept.upto)):
            found.append(list_.title)
    return found


def _near(one: Row, other: Row) -> bool:
    if one.matches != other.matches or (one.rating is None) != (other.rating is None):
        return False
    return (
        one.rating is None or other.rating is None or abs(one.rating - other.rating) <= 1 + ASTRAY * (other.error or 0)
    )


def _states(bots: Sequence[BotRow]) -> dict[int, str]:
    return {bot.id: bot.state for bot in bots}


def _outlook_facts(outlook: Outlook) -> dict[str, Any]:
    zero, more, places, cycles, confinements = (
        getattr(outlook, name) for name in ("zero", "more", "places", "cycles", "confinements")
    )
    return {
        "zero": zero and vars(zero),
        "more": more and vars(more),
        "places": places
        and {
            "decided": [(run.first, run.last) for run in places.decided],
            "open": [(run.first, run.last) for run in places.open],
            "deciding": places.deciding and vars(places.deciding),
        },
        "cycles": cycles and vars(cycles),
        "confinements": confinements and {str(how or ""): count for how, count in confinements.counts.items()},
        "meetings": outlook.meetings and vars(outlook.meetings),
    }


def _outlook(facts: Mapping[str, Any]) -> Outlook:
    zero, more, places, cycles, confinements = (
        facts[name] for name in ("zero", "more", "places", "cycles", "confinements")
    )
    return Outlook(
        zero=zero and Zero(**zero),
        more=more and More(**more),
        places=places
        and Places(
            [Span(*run) for run in places["decided"]],
            [Span(*run) for run in places["open"]],
            places["deciding"] and Deciding(**places["deciding"]),
        ),
        cycles=cycles and Cycles([(one, two, three) for one, two, three in cycles["named"]], cycles["count"]),
        confinements=None
        if confinements is None
        else Confinements({Confinement.parse(how or None): count for how, count in confinements.items()}),
        meetings=(found := facts.get("meetings")) and Meetings(**found),
    )


def _version() -> str:
    return f"{VERSION} {columns.version()}"
