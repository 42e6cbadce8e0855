"""Verifying records: comparing a record's claims with what follows from its contents."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bullring.arena.records.reading import Lines
from bullring.arena.records.replay import Replay
from bullring.arena.rules.shuffle import shuffled
from bullring.arena.seeds import Seed
from bullring.errors import RecordError


@dataclass
class Verdict:
    """The result of verifying a record."""

    difference: str | None
    """The first contradiction found, or None."""
    finished: bool
    deals: int
    answers: int
    torn: int
    """Bytes after the last complete line."""


def verify(lines: Lines) -> Verdict:
    """Replay a record and compare deals with the seed, placements and scores with the answers, and the seed with the commitment."""
    replay = Replay()
    answers = 0
    difference: str | None = None
    for number, entry in enumerate(lines.entries, 1):
        try:
            replay.feed(entry)
        except RecordError as error:
            difference = f"line {number}: {error}"
            break
        answers += len(entry.get("answers", ()))
    if difference is None and replay.end is not None:
        difference = _compare_end(replay, replay.end, lines.digest)
    return Verdict(difference, lines.finished, len(replay.dealt), answers, lines.torn)


def _compare_end(replay: Replay, end: Mapping[str, Any], digest: str) -> str | None:
    try:
        seed = Seed(str(end["seed"]), str(end["nonce"]))
        void, scores, ranks, sealed = end["void"], end["scores"], end["ranks"], end["sha256"]
    except KeyError as error:
        return f"the last line lacks {error}"
    if seed.commitment != replay.head.get("commitment"):
        return "the commitment was not made from this seed and nonce"
    game = replay.game
    for number, (shuffle, cards) in enumerate(zip(replay.shuffles, replay.dealt, strict=True), 1):
        expected = shuffled(shuffle.deck, shuffle.cards, seed.seed, number)
        if cards != expected:
            at = next(i for i, (a, b) in enumerate(zip(cards, expected, strict=True)) if a != b)
            return f"deal {number}: card {at + 1} is {cards[at]}, but the seed gives {expected[at]}"
    if list(replay.state.scores) != scores:
        return f"the scores are {list(replay.state.scores)}, but the record says {scores}"
    if void is None:
        if replay.state.pending is not None:
            return "the match ends before it is over"
        if len(ranks) != game.seats:
            return f"there must be {game.seats} ranks, one for each seat, not {len(ranks)}"
    if sealed != digest:
        return (
            "the lines before the last are not those the record was sealed with (a name, a time or a fault was changed)"
        )
    return None
