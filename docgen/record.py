"""The examples of docs/record.md: the lines of a short match, and the faults that close a seat."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from zlib import crc32

from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.ranks import ranks
from bullring.arena.games.rules.registry import find
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.faults import FATAL, STRIKES, FaultKind
from bullring.arena.match.records.ends import end, head, sealed
from bullring.arena.match.records.writer import encode
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from docgen.session import NONCE, SEED
from docgen.tables import table

_FIRST, _LAST = 6, 3
"""Lines that are shown of the beginning and of the end."""


def example() -> str:
    """The record of a match in which seat 1 is late for its first card."""
    lines = list(_lines())
    shown = [*lines[:_FIRST], f"... {len(lines) - _FIRST - _LAST} more lines ...", *lines[-_LAST:]]
    return "```text\n" + "\n".join(shown) + "\n```"


def faults() -> str:
    """The faults that close a seat."""
    also = {FaultKind.PROTOCOL: "if the next message cannot be found; otherwise from strike `strikes` on"}
    rows = [
        (f"`{kind}`", "always" if kind in FATAL else also.get(kind, "from strike `strikes` on")) for kind in FaultKind
    ]
    return table(("`kind`", "closes the seat"), rows)


def _lines() -> Iterator[str]:
    game, seed = find("standard")(2, {"deals": 1}), Seed.given(SEED, NONCE)
    programs = [{"name": name, "version": "1.0"} for name in ("first option", "sleepy")]
    notes = {"began": "2026-01-02T03:04:05Z", "version": "0.1.0"}
    entries: list[dict[str, Any]] = []
    entries.append(head(game, ["first option", "sleepy"], programs, Limits(), STRIKES, seed, notes))
    state, late = game.new(), True
    while (pending := state.pending) is not None:
        if isinstance(pending, Shuffle):
            cards = shuffled(pending.deck, pending.cards, seed.seed, state.deal + 1)
            game.advance_deal(state, cards)
            entries.append({"deal": cards})
            continue
        assert isinstance(pending, Batch)
        if late:
            fault = {
                "seat": 1,
                "kind": "timeout",
                "decision": "deal 1, turn 1, card",
                "expected": "an answer within 1000 ms",
            }
            entries.append({"fault": {**fault, "got": "nothing", "elapsed_ms": 1000.0, "strike": 1, "closed": False}})
        answers: list[Any] = [options[0] for options in pending.options]
        us = [90 + 7 * (len(entries) + seat) for seat in pending.seats]
        by = {"by": ["bot", "fallback"]} if late else {}
        if late:
            answers[1], us[1], late = game.fallback(state, 1), 1_000_000, False
        check = crc32(ENCODERS[Dialect.MSGPACK].items(game.advance(state, answers)))
        entries.append({"answers": answers, "us": us, "check": check, **by})
    lines = [encode(entry) for entry in entries]
    yield from lines
    scores = list(state.scores)
    before = sha256("".join(line + "\n" for line in lines).encode("ascii"))
    yield sealed(end(seed, scores, ranks(scores, [False, False]), None, "2026-01-02T03:04:07Z"), before)[0]
