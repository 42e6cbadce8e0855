"""One short match, always the same: the session shown in SPEC.md, and the source of most golden vectors.

It is played with the rules and the encoders only, because a referee would measure different times and draw different ids each
time.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Shuffle
from bullring.arena.games.rules.registry import find
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.composer import Composer
from bullring.arena.match.faults import STRIKES
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from bullring.protocol.messages import Bye, Choice, Hello, MatchOver, Message, Welcome

SEED = "example-192"
"""A seed with which the bot is asked for a row in the first turn, and plays the card 10 in the second."""

NONCE = "8438601cf5712254852c701a0944621a"

SEAT = 0
"""The seat whose session is shown; its bot always takes the first option."""

Plain = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """One message of the session."""

    sender: str
    """Either "bot" or "referee"."""
    plain: Plain
    """The message, with its keys in the order in which they are written."""
    packed: dict[Dialect, bytes]
    """The bytes of the message in each dialect."""

    @property
    def title(self) -> str:
        """The heading for the message in SPEC.md: "decide (card)"."""
        kind = f" ({self.plain['kind']})" if "kind" in self.plain else ""
        return f"{self.plain['type']}{kind}"


def pack(plain: Plain) -> dict[Dialect, bytes]:
    """Encode a message in each dialect, keeping the order of its keys."""
    payload = ENCODERS[Dialect.MSGPACK].value(plain)
    return {
        Dialect.MSGPACK: payload,
        Dialect.FRAMED: len(payload).to_bytes(4, "big") + payload,
        Dialect.JSON: ENCODERS[Dialect.JSON].value(plain) + b"\n",
    }


def line(sender: str, message: Message) -> Line:
    """Encode a message from its model."""
    packed = {dialect: encoder.message(message) for dialect, encoder in ENCODERS.items()}
    return Line(sender, json.loads(packed[Dialect.JSON]), packed)


def decide(
    kind: str,
    public: Mapping[str, Any],
    seat: int,
    hand: Sequence[int],
    options: Sequence[Any],
    events: Sequence[Event],
    request: int,
    clock: tuple[int, int, int],
    fault: str | None = None,
) -> Line:
    """Compose a question from its parts, as the referee does."""
    packed = {}
    for dialect, encoder in ENCODERS.items():
        question = encoder.question(kind, public, encoder.array(len(events), [encoder.items(events)]))
        limit, bank, last = clock
        packed[dialect] = encoder.decide(
            question,
            encoder.seat(seat),
            hand,
            options,
            encoder.value(request),
            encoder.clock(limit, bank),
            last,
            fault,
        )
    return Line("referee", json.loads(packed[Dialect.JSON]), packed)


def example(nonce: str = NONCE) -> list[Line]:
    """The whole session, from hello to bye."""
    game = find("standard")(2, {"deals": 1})
    seed = Seed.given(SEED, nonce)
    limits = Limits()
    lines = [line("bot", Hello(type="hello", protocol=1, name="first option", version="1.0"))]
    own = seed.for_bot(SEAT)
    welcome = Composer(game).welcome(limits.of_bots(), STRIKES, seed.commitment, seat=SEAT, seed=own, clock="wall")
    lines.append(line("referee", Welcome.model_validate(welcome)))
    state = game.new()
    events: list[Event] = []
    last_us = asked = 0
    while (pending := state.pending) is not None:
        if isinstance(pending, Shuffle):
            cards = shuffled(pending.deck, pending.cards, seed.seed, state.deal + 1)
            events += game.advance_deal(state, cards)
            continue
        answers: list[Any] = []
        for at, (seat, options) in enumerate(zip(pending.seats, pending.options, strict=True)):
            if seat != SEAT:
                answers.append(game.fallback(state, at))
                continue
            asked += 1
            request = _number(f"id {asked}") >> 1
            clock = (limits.of(pending.kind), 0, last_us)
            hand = game.hand(state, seat)
            lines.append(decide(pending.kind, game.public(state), seat, hand, options, events, request, clock))
            lines.append(line("bot", Choice(type="choice", id=request, option=options[0])))
            answers.append(options[0])
            events = []
            last_us = 90 + _number(f"time {asked}") % 90
        events += game.advance(state, answers)
    scores = list(state.scores)
    ranks = [1 + sum(other < score for other in scores) for score in scores]
    lines.append(line("referee", MatchOver(events=events, scores=scores, ranks=ranks, void=False)))
    lines.append(line("referee", Bye(reason="no more matches")))
    return lines


def _number(text: str) -> int:
    """A 32-bit number that looks random but depends only on `text`."""
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")
