"""What a node says of a match is held against what was ordered, and against what follows from the record that it sends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from bullring.arena.clock.limits import Limits
from bullring.arena.records.ends import sealed
from bullring.arena.records.reading import Lines, parse_line
from bullring.arena.records.signing import Signer
from bullring.arena.records.verification import verify
from bullring.arena.rules.registry import find
from bullring.errors import BullringError, RecordError
from bullring.ladder.crews.messages import Answer, Match, Outcome, Play, Played, answer_line, answer_of, order_of
from bullring.ladder.keeping.results import result_in


@dataclass(frozen=True)
class Terms:
    """What all records of a node must say."""

    limits: Limits
    tier: str
    node: Mapping[str, Any]
    """The note on the node."""
    key: str = ""
    """The private key that signs what fits, in PEM; empty: nobody signs."""


def checked(order: bytes, answer: bytes, texts: Sequence[bytes], terms: Terms) -> tuple[bytes, list[bytes]]:
    """The answer to an order and its records as they are to be stored. Raises `RecordError` if something does not fit."""
    play, played = order_of(order), answer_of(answer)
    assert isinstance(play, Play)
    assert isinstance(played, Played)
    try:
        return _checked(play, played, texts, terms)
    except RecordError:
        raise
    except BullringError as error:
        raise RecordError(str(error)) from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise RecordError(f"not the record of such a match: {error!r:.80}") from None


def _checked(play: Play, played: Played, texts: Sequence[bytes], terms: Terms) -> tuple[bytes, list[bytes]]:
    if [match.id for match in played.matches] != play.ids[: len(played.matches)] or len(texts) != len(played.matches):
        raise RecordError(f"expected the matches {play.ids}, got {[match.id for match in played.matches]}")
    short = len(played.matches) < len(play.matches)
    if not played.matches or (short and played.matches[-1].void is None):
        raise RecordError(
            f"only {len(played.matches)} of {len(play.matches)} matches came, and the last one is not void"
        )
    done, outcomes = [], []
    for match, outcome, text in zip(play.matches, played.matches, texts, strict=False):
        lines = Lines(text)
        _fits(play, match, lines, terms)
        own = _outcome(match, lines, outcome)
        signed, seal = _signed(text, terms.key)
        done.append(signed)
        outcomes.append(replace(own, seal=seal))
    return answer_line(Played(played.id, outcomes)), done


def _fits(play: Play, match: Match, lines: Lines, terms: Terms) -> None:
    """Raise `RecordError` unless the record verifies and is that of this match."""
    verdict = verify(lines)
    if verdict.difference is not None or not verdict.finished:
        raise RecordError(verdict.difference or "the record is not finished")
    head, end = lines.entries[0], lines.entries[-1]["end"]
    game = find(play.game)(len(match.bots), play.options)
    limits = terms.limits
    expected = {
        "game": game.id,
        "options": game.options,
        "seats": [bot.name for bot in match.bots],
        "start": game.start,
        "limits": limits.of_bots(),
        "tick_us": limits.tick_us or None,
        "commitment": match.seed.commitment,
        "ladder": match.notes["ladder"],
        "sandbox": terms.tier,
        "node": terms.node,
    }
    for key, value in expected.items():
        if head.get(key) != value:
            raise RecordError(f"{key} in its first line is {head.get(key)!r:.200}, not {value!r:.200}")
    for bot, contents in zip(match.bots, head["contents"], strict=True):
        if {**bot.contents.facts(), "built": None} != {**contents, "built": None}:
            raise RecordError(f"{bot.name} played with the files {contents!r:.200}, not {bot.contents.facts()!r:.200}")
    if (end["seed"], end["nonce"]) != (match.seed.seed, match.seed.nonce):
        raise RecordError("its last line does not have the seed that was sent")


def _outcome(match: Match, lines: Lines, told: Outcome) -> Outcome:
    """What the record says of the match; the rest as told."""
    names = {bot.name: at for at, bot in enumerate(match.bots)}
    assert lines.seal is not None
    row, _ = result_in(lines, lines.seal, names, lambda *_: 0)
    seats = [
        replace(
            seat,
            **{key: getattr(known, key) for key in ("heads", "rank", "faults", "closed", "times", "metrics", "spent")},
        )
        for seat, known in zip(told.seats, row.seats, strict=True)
    ]
    return Outcome(match.id, row.began, row.ended, row.seal, row.void, row.deals, seats)


def _signed(text: bytes, key: str) -> tuple[bytes, str]:
    """The record, signed if there is a key, and its seal."""
    lines = Lines(text)
    if not key:
        assert lines.seal is not None
        return text, lines.seal
    last = lines.last
    before = text[: len(text) - 1 - len(last)]
    end = {
        name: value for name, value in parse_line(last, 0)["end"].items() if name not in ("seal", "signature", "key")
    }
    line, seal = sealed(end, sha256(before), Signer.of(key.encode("ascii")))
    return before + line.encode("ascii") + b"\n", seal


def is_played(answer: Answer) -> bool:
    """Whether there is something to be checked."""
    return isinstance(answer, Played)
