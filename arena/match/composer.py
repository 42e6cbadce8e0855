"""Composing what the seats of a match are told.

The referee sends it, and `records.wire` recomputes it from a record with the same code, so both are the same bytes. The messages
are plain maps, which cost a fraction of the models of `protocol.messages`; a test keeps them equal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS, Encoder, Plain, Question
from bullring.protocol.journal import Journal


@dataclass(eq=False, slots=True)
class Addressee:
    """A seat as somebody to write to."""

    index: int
    encoder: Encoder = ENCODERS[Dialect.MSGPACK]
    told: int = 0
    """The number of steps of the journal that the bot has been told."""
    last_us: int = 0
    """The time of its last answer."""
    complaint: str | None = None
    """The description of its last fault, sent with the next question."""
    seat_piece: bytes = b""
    """The encoded piece of its view with the seat number."""
    bank_us: int = -1
    """The bank for which the clock pieces were made."""
    clock_pieces: dict[int, bytes] = field(default_factory=dict)
    """The encoded pieces of its questions with limit and bank, by limit."""

    def write_in(self, encoder: Encoder) -> None:
        """Write to it in this dialect."""
        self.encoder, self.seat_piece = encoder, encoder.seat(self.index)

    def clock_piece(self, limit_us: int, bank_us: int) -> bytes:
        """Make the piece of a question with this limit and what is left of the bank, and keep it until the bank changes."""
        if bank_us != self.bank_us:
            self.bank_us = bank_us
            self.clock_pieces.clear()
        piece = self.clock_pieces[limit_us] = self.encoder.clock(limit_us, bank_us)
        return piece


class Composer:
    """Composes the messages to all seats of one match."""

    def __init__(self, game: Game[Any]) -> None:
        self.journal = Journal(ENCODERS[Dialect.MSGPACK], alike=(ENCODERS[Dialect.FRAMED],))
        self._game = game
        self._kind = ""
        self._public: Mapping[str, Any] = {}
        self._state: Any = None
        self._steps = 0
        self._question: Question
        """The question to a seat with this encoder that has been told this much; mostly that is the next seat as well."""
        self._encoder: Encoder | None = None
        self._told = -1
        self._over: dict[tuple[Encoder, int], bytes] = {}

    def welcome(
        self, limits: Mapping[str, int], strikes: int, commitment: str, *, seat: int, seed: int, clock: str
    ) -> Plain:
        """The welcome of a seat. `limits` are those of `clock.limits.Limits.of_bots`, or of people."""
        game = self._game
        return {
            "type": "welcome",
            "protocol": 1,
            "game": game.id,
            "options": game.options,
            "seats": game.seats,
            "seat": seat,
            "start": game.start,
            "limits": limits,
            "clock": clock,
            "strikes": strikes,
            "seed": seed,
            "commitment": commitment,
        }

    def begin(self, state: Any, batch: Batch) -> None:
        """Begin a batch of questions. Until the next one, the `state` must not change."""
        self._kind, self._state, self._public = batch.kind, state, self._game.public(state)
        self._steps, self._encoder = len(self.journal), None
        self.journal.new_batch()

    def decide(self, to: Addressee, options: Sequence[Option], id: bytes, limit_us: int, bank_us: int) -> bytes:
        """The question to one seat, with all that it has not been told yet. `id` is encoded already."""
        encoder, told = to.encoder, to.told
        if encoder is not self._encoder or told != self._told:
            self._encoder, self._told = encoder, told
            self._question = self.journal.question(self._kind, self._public, told, encoder)
        to.told = self._steps
        clock = to.clock_pieces.get(limit_us) if bank_us == to.bank_us else None
        if clock is None:
            clock = to.clock_piece(limit_us, bank_us)
        hand = self._game.hand(self._state, to.index)
        return encoder.decide(self._question, to.seat_piece, hand, options, id, clock, to.last_us, to.complaint)

    def over(self, to: Addressee, scores: Sequence[int], ranks: Sequence[int], *, void: bool) -> bytes:
        """The end of the match, which is the same in all calls. `ranks` are empty if it is void."""
        key = to.encoder, to.told
        if key not in self._over:
            message = {
                "type": "match_over",
                "events": self.journal.since(to.told),
                "scores": scores,
                "ranks": ranks,
                "void": void,
            }
            self._over[key] = to.encoder.message(message)
        return self._over[key]
