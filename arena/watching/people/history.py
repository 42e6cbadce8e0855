"""The history of people: a summary of each match beside its record, and a person's history made of them."""

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from typing import Any

from bullring.arena.games.rules.board import Sheet
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.people.sitting import played
from bullring.arena.watching.people.unfinished import RECORD, SITTING
from bullring.arena.watching.picture.reducer import Reducer
from bullring.errors import RecordError

SUMMARY = ".summary"
"""The end of the name of a file with the summary of a match. It can be made again from the record."""

MAX_SUMMARY = 1 << 20
"""Bytes of the longest summary that is read."""

Facts = dict[str, Any]
"""JSON values by name."""


def facts_of(record: Path) -> Facts:
    """The result of a finished match as JSON values. Raises `RecordError`."""
    lines = read_lines(record)
    if not lines.finished:
        raise RecordError(f"{record} has no end: the match is not over")
    reducer = Reducer()
    curve: dict[tuple[int, int], Facts] = {}
    faults: dict[int, list[Facts]] = defaultdict(list)
    for entry in lines.each():
        reducer.feed(entry)
        if "fault" in entry:
            faults[entry["fault"]["seat"]].append(entry["fault"])
        if reducer.picture.turn:
            at, seats = (reducer.picture.deal, reducer.picture.turn), reducer.picture.seats
            curve[at] = {"deal": at[0], "turn": at[1], "heads": [seat.score for seat in seats]}
    replay, picture = reducer.replay, reducer.picture
    end = replay.end or {}
    sheet = next((part for part in picture.board if isinstance(part, Sheet)), None)
    return {
        "record": str(record),
        "game": picture.game,
        "title": picture.words.title,
        "options": replay.head["options"],
        "seed": end["seed"],
        "began": str(replay.head.get("began", "")),
        "ended": str(end.get("ended", "")),
        "names": replay.names,
        "people": sorted(replay.people),
        "void": end["void"] is not None,
        "seats": [
            {
                "seat": at,
                "bot": replay.names[at],
                "person": at in replay.people,
                "score": seat.score,
                "rank": seat.rank,
                "closed": seat.closed,
                "faults": faults[at],
                "decisions": len(seat.times),
                "median_ms": sorted(seat.times)[len(seat.times) // 2] / 1000 if seat.times else None,
            }
            for at, seat in enumerate(picture.seats)
        ],
        "deals": [list(heads) for heads in picture.deals],
        "curve": list(curve.values()),
        **({"sheet": vars(sheet)} if sheet else {}),
    }


def summarise(record: Path) -> Facts:
    """The result of a finished match, which is also kept beside its record. Raises `RecordError`."""
    facts = facts_of(record)
    path = record.with_suffix(SUMMARY)
    with suppress(OSError):  # it is made again when it is needed
        partial = path.with_name(f".{path.name}.{os.getpid()}")
        partial.write_text(json.dumps(facts))
        partial.replace(path)
    return facts


def summaries(folder: Path | None = None) -> list[Facts]:
    """The results of all finished matches with people in a folder (`played` by default), the earliest first."""
    return list(_results(_records(folder or played())))


def lately(record: Path, name: str, count: int) -> list[Facts]:
    """The last matches of a person up to that of a record, in its folder, the earliest first: "place" and "seats" of each."""
    found: list[Facts] = []
    for match in _results(one for one in reversed(_records(record.parent)) if one.name <= record.name):
        seat = next((seat for seat in match["people"] if match["names"][seat] == name), None)
        if seat is not None and not match["void"]:
            found.insert(0, {"place": match["seats"][seat]["rank"], "seats": len(match["names"])})
            if len(found) == count:
                break
    return found


def _records(folder: Path) -> list[Path]:
    """The records of a folder, the earliest first: that is in their names."""
    return sorted(folder.glob(f"*{RECORD}"))


def _results(records: Iterable[Path]) -> Iterator[Facts]:
    """The results of those of the matches that are finished."""
    for record in records:
        if record.with_suffix(SITTING).exists():  # it shows hands that somebody may not see yet, so it is not even read
            continue
        with suppress(OSError, RecordError):
            yield _kept(record) or summarise(record)


def _kept(record: Path) -> Facts | None:
    try:
        with record.with_suffix(SUMMARY).open("rb") as file:
            facts = json.loads(file.read(MAX_SUMMARY))
    except (OSError, ValueError):
        return None
    return facts if isinstance(facts, dict) and "deals" in facts else None


def stats(folder: Path | None = None) -> list[Facts]:
    """The history of everybody who has played in a folder (`played` by default), most matches first.

    Of each: "name", "matches", "wins" (first places, shared ones too), "places" (matches by place), "place" (the mean), "deals",
    "heads_per_deal", the same by game in "games" and by the other players in "opponents" (with "ahead", "level" and "behind": the
    matches in which the person had a better, the same or a worse place), and "trend": of each match in order "ended", "game",
    "place", "seats", "heads_per_deal", "record", "players" (name and heads of each, the best first) and "ranks" (theirs). Void
    matches do not count.
    """
    by_name: dict[str, list[tuple[Facts, int]]] = defaultdict(list)
    for match in summaries(folder):
        if not match["void"]:
            for seat in match["people"]:
                by_name[match["names"][seat]].append((match, seat))
    everybody = [_history(name, matches) for name, matches in by_name.items()]
    return sorted(everybody, key=lambda one: (-one["matches"], one["name"]))


def _history(name: str, matches: list[tuple[Facts, int]]) -> Facts:
    by_game: dict[str, list[tuple[Facts, int]]] = defaultdict(list)
    by_opponent: dict[str, list[tuple[Facts, int]]] = defaultdict(list)
    for match, seat in matches:
        by_game[match["game"]].append((match, seat))
        for other in {name for at, name in enumerate(match["names"]) if at != seat}:
            by_opponent[other].append((match, seat))
    return {
        "name": name,
        **_tally(matches),
        "games": {game: _tally(some) for game, some in sorted(by_game.items())},
        "opponents": {other: {**_tally(some), **_compared(some, other)} for other, some in sorted(by_opponent.items())},
        "trend": [
            {
                "ended": match["ended"],
                "game": match["game"],
                "place": match["seats"][seat]["rank"],
                "seats": len(match["names"]),
                "heads_per_deal": _per_deal([(match, seat)]),
                "record": match["record"],
                "players": [(one["bot"], one["score"]) for one in _by_place(match)],
                "ranks": [one["rank"] for one in _by_place(match)],
            }
            for match, seat in matches
        ],
    }


def _by_place(match: Facts) -> list[Facts]:
    """The seats of a match, the best first."""
    return sorted(match["seats"], key=lambda seat: (seat["rank"], seat["seat"]))


def _tally(matches: list[tuple[Facts, int]]) -> Facts:
    places = [match["seats"][seat]["rank"] for match, seat in matches]
    return {
        "matches": len(matches),
        "wins": places.count(1),
        "places": {str(place): count for place, count in sorted(Counter(places).items())},
        "place": fmean(places),
        "deals": sum(len(match["deals"]) for match, _ in matches),
        "heads_per_deal": _per_deal(matches),
    }


def _per_deal(matches: Iterable[tuple[Facts, int]]) -> float | None:
    """The mean of the heads of a deal; None without any."""
    heads = [deal[seat] for match, seat in matches for deal in match["deals"]]
    return fmean(heads) if heads else None


def _compared(matches: Iterable[tuple[Facts, int]], other: str) -> Mapping[str, int]:
    found: Counter[str] = Counter(ahead=0, level=0, behind=0)
    for match, seat in matches:
        own = match["seats"][seat]["rank"]
        for at, name in enumerate(match["names"]):
            if name == other and at != seat:
                rank = match["seats"][at]["rank"]
                found["ahead" if own < rank else "behind" if own > rank else "level"] += 1
    return dict(found)
