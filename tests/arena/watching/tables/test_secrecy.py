"""Of a table with people, no byte that viewers are sent, and none that reaches the process that serves them, tells what is hidden.

A match of each game is played at a real table. Whenever somebody is asked, and while some have answered and others not, viewers
must have been sent just what follows from the record so far, and from a record in which cards that nobody has seen change places.
"""

import gzip
import json
import re
from base64 import b64decode
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgpack
import pytest

from bullring.arena.cells.processes.frames import Frames
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.picture.frames_json import written
from bullring.arena.watching.web.following import Following
from tests.arena.watching.tables.test_seats import verified
from tests.arena.watching.web.test_secrecy import others
from tests.support.seats import Browser, House, Overheard, Viewer, house

pytestmark = pytest.mark.slow

PEOPLE = ("Ann", "Ben")
MOMENTS = 6
"""Moments of a match at which cards change places."""


def facts_of(news: Sequence[Sequence[Any]]) -> tuple[dict[str, Any], list[str]]:
    """What a server is told of a match: what is known beside its frames, and its frames."""
    head: dict[str, Any] = {}
    frames: list[str] = []
    for kind, *values in news:
        match kind, values:
            case "begin", (_, begun, more, _):
                head = json.loads(begun)
                frames += more
            case "frames", (_, more, _):
                frames += more
            case _:
                assert kind in ("open", "wait", "end", "known")
    return head, frames


class Growing:
    """A record that grows by lines, and what may be told of its match so far."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._path.write_bytes(b"")
        self._lines = 0
        self._news: list[tuple[Any, ...]] = []
        self._following = Following("1", path, lambda *told: self._news.append(told))

    def told(self, lines: Sequence[bytes]) -> tuple[dict[str, Any], list[str]]:
        """What may be told when the record has these lines, of which those of the last time are the first."""
        with self._path.open("ab") as file:
            file.writelines(lines[self._lines :])
        self._lines = len(lines)
        self._following.look()
        assert self._following.feed.error is None
        return facts_of(self._news)

    def close(self) -> None:
        self._following.feed.close()


def of_record(lines: Sequence[bytes], scratch: Path) -> tuple[dict[str, Any], list[str]]:
    """What may be told of a match whose record has these lines so far."""
    growing = Growing(scratch)
    try:
        return growing.told(lines)
    finally:
        growing.close()


class Watched:
    """A viewer who notes what is told of the match."""

    def __init__(self, viewer: Viewer) -> None:
        self.head: dict[str, Any] = {}
        self.frames: list[str] = []
        self.unpacked = ""
        """All that was sent compressed."""
        self._viewer = viewer

    def asked(self) -> Iterator[Sequence[int]]:
        """The seats that are asked, each time that some are."""
        for kind, data in self._viewer:
            if kind == "match":
                text = gzip.decompress(b64decode(data)).decode()
                self.unpacked += text
                self.head = json.loads(text)
                found = self.head.pop("frames")
                self.frames = [*map(written, found)]
                steps = [found[-1]["step"]]
            elif kind == "frame":
                self.frames.append(data)
                steps = [json.loads(data)["step"]]
            else:
                assert kind in ("waiting", "clock", "end")
                continue
            yield from (step["seats"] for step in steps if step["is"] == "Asked")


class Moments:
    """Looks at what viewers know."""

    def __init__(self, here: House, watched: Watched, folder: Path, random: Random) -> None:
        self.tried = 0
        """How often cards have changed places."""
        self._here, self._watched, self._folder, self._random = here, watched, folder, random
        self._growing = Growing(folder / "growing.jsonl")

    def close(self) -> None:
        self._growing.close()

    def look(self) -> None:
        (record,) = self._here.records
        lines = record.read_bytes().splitlines(keepends=True)
        sent = self._watched.head, self._watched.frames
        assert sent == self._growing.told(lines)
        if self.tried < MOMENTS and self._random.random() < 0.3:
            for world in others(lines, self._random):
                self.tried += 1
                assert of_record(world, self._folder / "other.jsonl") == sent


def play(people: Sequence[Browser], watched: Watched, moments: Moments, random: Random) -> None:
    """Play to the end, one answer after the other, and look before each."""
    for seats in watched.asked():
        asked = [person for number, person in enumerate(people) if number in seats]
        for person in random.sample(asked, len(asked)):
            question = person.until("question")
            assert question["after"] == len(watched.frames)
            moments.look()
            person.chooses(question, random.choice(question["options"]))
            assert person.until("taken", "remark")["is"] == "taken"
    assert [person.until("over")["is"] for person in people] == ["over"] * len(people)


@pytest.mark.parametrize("game", GAMES)
def test_no_byte_tells_what_is_hidden(game: str, tmp_path: Path) -> None:
    random, kind = Random(game), GAMES[game]
    bots = ["@random"] * (max(3, kind.seat_range[0]) - len(PEOPLE))
    short = {"deals": 1} if any(spec.name == "deals" for spec in kind.option_specs) else {}
    with house(tmp_path, overhear=True) as here:
        key, tokens = here.makes(game=game, names=PEOPLE, open=len(PEOPLE), bots=bots, options=short)
        with here.watches(f"/tables/{key}/events") as early, here.watches("/events") as front:
            next(front)
            watched = Watched(early)
            people = [here.sits(key, token) for token in tokens]
            assert [one.connect() for one in people] == [101] * len(PEOPLE)
            moments = Moments(here, watched, tmp_path, random)
            play(people, watched, moments, random)
            moments.close()
            with here.watches(f"/tables/{key}/events") as late:
                watched_late = Watched(late)
                deque(watched_late.asked(), 0)
        assert moments.tried or game in ("tournament", "logic"), "no card could change places, so nothing was tried"
        record = verified(here)
        hall = here.hall
        assert isinstance(hall, Overheard)
        expected = of_record(record.read_bytes().splitlines(keepends=True), tmp_path / "whole.jsonl")
        assert (watched.head, watched.frames) == expected
        assert (watched_late.head, watched_late.frames) == expected
        assert facts_of([*Frames().feed(hall.news)]) == expected
        sent = early.read + late.read + front.read + (watched.unpacked + watched_late.unpacked).encode()
        check_no_secret(sent + hall.news, record, [*tokens, *(one.cookie.partition("=")[2] for one in people)])
        check_messages(hall.messages, len(PEOPLE))


def check_no_secret(sent: bytes, record: Path, keys: Sequence[str]) -> None:
    """What viewers and their server were told has no seed, no hand, and no key to a seat."""
    first, *_, last = read_lines(record).entries
    end = last["end"]
    for secret in (
        *keys,
        end["seed"],
        end["nonce"],
        first["commitment"],
        '"seed"',
        '"nonce"',
        '"commitment"',
        '"answer',
    ):
        assert secret.encode() not in sent, secret
    hands = re.findall(rb'"hand":(\[.*?\])', sent)
    assert hands
    assert {card for hand in hands for card in json.loads(hand)} == {None}


def check_messages(messages: Sequence[bytes], people: int) -> None:
    """What a server and the steward have said to each other: a table, its people, and nothing from when they sat."""
    said = [msgpack.unpackb(message) for message in messages]
    kinds = [(kind, words[1]) if kind == "ask" else kind for kind, *words in said]
    assert kinds == [("ask", "make"), "done", *[("ask", "sit"), "done"] * people, *["seat"] * people]
    assert [{*facts} for kind, _, _, facts, _ in (one for one in said if one[0] == "done")] == [
        {"key", "table", "events", "links"},
        *[{"seat", "name"}] * people,
    ]
