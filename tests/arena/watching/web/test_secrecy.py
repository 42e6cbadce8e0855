"""No byte that is sent to viewers while a match is played tells what is hidden: hands, seeds, deals to come, answers that wait.

What is sent must be the same if cards that nobody has seen change places. That is tried at many moments of matches of all games.
"""

import gzip
import json
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import parse_line
from bullring.arena.match.records.replay import Dealt, Replay
from bullring.arena.watching.web.following import Following
from bullring.arena.watching.web.server import take
from bullring.arena.watching.web.topics import Topic
from bullring.errors import RecordError
from tests.support.record import NONCE, record_of

SEED = "geheim-4711"
MOMENTS = 3
"""Moments of a match at which cards change places."""


class Viewer:
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.got = b""

    def push(self, piece: bytes) -> None:
        self.got += piece

    def finish(self) -> None:
        pass


def told(lines: Sequence[bytes], record: Path) -> bytes:
    """All that is sent to those who watch from the first line on, and to those who come after the last one."""
    record.write_bytes(b"")
    topics: dict[str, Topic] = {}
    following = Following("1", record, lambda kind, *values: take(topics, kind, *values))
    early, late = Viewer(), Viewer()
    with record.open("ab", buffering=0) as file:
        for number, line in enumerate(lines):
            file.write(line)
            following.look()
            if not number:
                topics["1"].join(early, "")
    topics["1"].join(late, "")
    following.feed.close()
    assert following.feed.error is None, following.feed.error
    return early.got + late.got


def seen(lines: Sequence[bytes]) -> list[object] | None:
    """What everybody sees after each line: the board, and who is asked for what. None if these cannot be the lines of a record."""
    replay = Replay()
    found: list[object] = []
    try:
        for number, line in enumerate(lines, 1):
            replay.feed(parse_line(line, number))
            pending = replay.state.pending
            asked = (pending.kind, pending.seats) if isinstance(pending, Batch) else ()
            found.append((replay.game.board(replay.state) if replay.state.deal else (), asked))
    except RecordError:
        return None
    return found


def others(lines: Sequence[bytes], random: Random) -> Iterator[Sequence[bytes]]:
    """Another record of what everybody has seen so far: some cards of the deal that is played were dealt to other places."""
    replay, dealt, deal = Replay(), 0, 0
    for number, line in enumerate(lines):
        if isinstance(replay.feed(parse_line(line, number + 1)), Dealt):
            dealt, deal = number, replay.state.deal
    if not deal or replay.state.pending is None or replay.state.deal != deal:
        return
    public, cards = seen(lines), json.loads(lines[dealt])["deal"]
    for _ in range(20 if len(cards) > 1 else 0):
        one, two = random.sample(range(len(cards)), 2)
        swapped = [*cards]
        swapped[one], swapped[two] = cards[two], cards[one]
        world = [*lines]
        world[dealt] = json.dumps({"deal": swapped}, separators=(",", ":")).encode() + b"\n"
        if swapped != cards and seen(world) == public:
            yield world
            return


def check_match(game: str, number: int, folder: Path) -> int:
    """Check a match. Returns how often cards have changed places."""
    random = Random(f"{game} {number}")
    least, most = GAMES[game].seat_range
    record = record_of(folder / "match.jsonl", game, random.randint(least, min(most, 6)), seed=f"{SEED}-{number}")
    lines = record.read_bytes().splitlines(keepends=True)
    check_nothing_is_told(told(lines, folder / "growing.jsonl"))
    tried = 0
    for moment in random.sample(range(2, len(lines)), min(MOMENTS, len(lines) - 2)):
        so_far = lines[:moment]
        for world in others(so_far, random):
            tried += 1
            assert told(world, folder / "other.jsonl") == told(so_far, folder / "growing.jsonl"), (game, number, moment)
    return tried


def check_nothing_is_told(sent: bytes) -> None:
    """No seed and no hand is in what was sent."""
    whole = re.sub(rb"event: match\ndata: (.*)\n", lambda found: gzip.decompress(b64decode(found[1])), sent)
    for secret in (SEED, NONCE, "seed", "nonce", "commitment", "answer"):
        assert secret.encode() not in whole, secret
    for hands in re.findall(rb'"hand":(\[.*?\])', whole):
        assert set(json.loads(hands)) == {None}


@pytest.fixture(autouse=True)
def _no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 0.0)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_hidden_is_told_while_a_match_is_played(game: str, tmp_path: Path) -> None:
    tried = sum(check_match(game, number, tmp_path) for number in range(3))
    assert tried or game in ("tournament", "logic"), "no card could change places, so nothing was tried"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_nothing_hidden_is_told_in_five_hundred_matches(game: str, tmp_path: Path) -> None:
    for number in range(2, 3 + 500 // len(GAMES)):
        check_match(game, number, tmp_path)
