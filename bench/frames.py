"""The bytes of a typical decide for each seat, in the sixth turn of a deal of the standard game."""

import random
from typing import Any, cast

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.rows import RowState
from bullring.arena.games.rules.variants.standard import Standard
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from bullring.protocol.messages import Decide, Time

ENCODER = ENCODERS[Dialect.MSGPACK]
CLOCK = (1_000_000, 0, 57)
"""Limit, bank and last answer, in microseconds."""
REQUEST = 0x5EED_1D00
"""An id of five bytes, like nearly all ids."""


def middle_of_a_deal(seats: int) -> tuple[Standard, RowState, list[Event]]:
    """A game, its state before the sixth cards are chosen, and the events of the previous turn."""
    game, rng = Standard(seats), random.Random(6)
    state = game.new()
    shuffle = cast("Shuffle", state.pending)
    turn = game.advance_deal(state, rng.sample(shuffle.deck, shuffle.cards))
    while state.turn < 6:
        batch = cast("Batch", state.pending)
        events = game.advance(state, [rng.choice(options) for options in batch.options])
        turn = events if events[0]["type"] == "play" else turn + events
    return game, state, turn


def typical(seats: int) -> list[bytes]:
    """The frame for each seat."""
    return [ENCODER.message(question) for question in questions(*middle_of_a_deal(seats))]


def long() -> bytes:
    """A frame of about 700 bytes, the size in games with many events."""
    game, state, turn = middle_of_a_deal(4)
    return ENCODER.message(questions(game, state, turn * 7)[0])


def questions(game: Standard, state: RowState, turn: list[Event]) -> list[Decide]:
    """The question for each seat."""
    batch: Any = state.pending
    time = Time(limit_us=CLOCK[0], bank_us=CLOCK[1], last_us=CLOCK[2])
    return [
        Decide(
            kind=batch.kind,
            events=turn,
            view=game.view(state, seat),
            options=batch.options[seat],
            id=REQUEST,
            time=time,
        )
        for seat in range(game.seats)
    ]
