"""Composing what the seats of a match are told.

The referee sends it, and `records.wire` recomputes it from a record with the same code, so both are the same bytes. The messages
are plain maps, which cost a fraction of the models of `protocol.messages`; a test keeps them equal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS, Encoder, Plain, Question

_ALIKE = (ENCODERS[Dialect.MSGPACK], ENCODERS[Dialect.FRAMED])
"""Encoders that write events identically; records hold checksums of these bytes."""


@dataclass(eq=False, slots=True)
class Addressee:
    """A seat as the recipient of messages."""

    index: int
    encoder: Encoder = _ALIKE[0]
    told: int = 0
    """The number of steps of the journal that the bot has been told."""
    last_us: int = 0
    """The time of its last answer."""
    complaint: str | None = None
    """The description of its last fault, sent with the next question."""
    seat_piece: bytes = field(init=False)
    """The encoded piece of its view with the seat number."""
    bank_us: int = -1
    """The bank for which the clock pieces were made."""
    clock_pieces: dict[int, bytes] = field(default_factory=dict)
    """The encoded pieces of its questions with limit and bank, by limit."""

    def __post_init__(self) -> None:
        self.seat_piece = self.encoder.seat(self.index)

    def clock_piece(self, limit_us: int, bank_us: int) -> bytes:
        """Make the piece of a question with this limit and what is left of the bank, and keep it until the bank changes."""
        if bank_us != self.bank_us:
            self.bank_us = bank_us
            self.clock_pieces.clear()
        piece = self.clock_pieces[limit_us] = self.encoder.clock(limit_us, bank_us)
        return piece


class Journal:
    """The events of a match as sent to the bots: each bot gets each event once, and each dialect encodes it once.

    A step is the list of events between two batches of questions.
    """

    def __init__(self) -> None:
        self._steps: list[tuple[dict[Encoder, bytes], list[Event]]] = []
        """The steps that are not forgotten: their bytes by encoder as far as needed, and the events."""
        self._forgotten = 0

    def __len__(self) -> int:
        """The number of steps, with those that are forgotten."""
        return self._forgotten + len(self._steps)

    def add(self, events: list[Event]) -> bytes:
        """Add a step. Returns its bytes, from which the checksum in the record is made."""
        packed = _ALIKE[0].items(events)
        self._steps.append((dict.fromkeys(_ALIKE, packed), events))
        return packed

    def forget(self) -> None:
        """Forget all steps so far, because all seats have been told them: a journal that grows with the match keeps the memory of
        many tables out of the caches."""
        self._forgotten += len(self._steps)
        self._steps.clear()

    def since(self, step: int) -> list[Event]:
        """All events from step number `step` on."""
        return [event for _, events in self._from(step) for event in events]

    def packed_since(self, step: int, encoder: Encoder) -> bytes:
        """All events from step number `step` on, encoded as an array."""
        count, pieces = 0, []
        for packed, events in self._from(step):
            if encoder not in packed:
                packed[encoder] = encoder.items(events)
            pieces.append(packed[encoder])
            count += len(events)
        return encoder.array(count, pieces)

    def _from(self, step: int) -> list[tuple[dict[Encoder, bytes], list[Event]]]:
        first = step - self._forgotten
        assert first >= 0
        return self._steps[first:] if first else self._steps


class Composer:
    """Composes the messages to all seats of one match."""

    def __init__(self, game: Game[Any]) -> None:
        self.journal = Journal()
        self._game = game
        self._kind = ""
        self._public: Mapping[str, Any] = {}
        self._state: Any = None
        self._steps = 0
        self._question: Question
        """The question to a seat with this encoder that has been told this much; mostly that is the next seat as well."""
        self._encoder: Encoder | None = None
        self._told = -1
        self._questions: dict[tuple[Encoder, int], Question] = {}
        """The shared parts of this batch, by encoder and number of steps told."""
        self._beginnings: dict[Encoder, bytes] = {}
        """The same up to the view, which does not depend on the steps told."""
        self._over: dict[tuple[Encoder, int], bytes] = {}

    def welcome(
        self, limits: Mapping[str, int], strikes: int, commitment: str, *, seat: int, seed: int, clock: str
    ) -> Plain:
        """The welcome of a seat. `limits` are those of `Limits.of_bots`, or of people."""
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
        self._questions.clear()
        self._beginnings.clear()

    def decide(self, to: Addressee, options: Sequence[Option], id: bytes, limit_us: int, bank_us: int) -> bytes:
        """The question to one seat, with all that it has not been told yet. `id` is encoded already."""
        encoder, told = to.encoder, to.told
        if encoder is not self._encoder or told != self._told:
            self._encoder, self._told = encoder, told
            self._question = self._questions.get((encoder, told)) or self._shared(encoder, told)
        to.told = self._steps
        clock = to.clock_pieces.get(limit_us) if bank_us == to.bank_us else None
        if clock is None:
            clock = to.clock_piece(limit_us, bank_us)
        hand = self._game.hand(self._state, to.index)
        return encoder.decide(self._question, to.seat_piece, hand, options, id, clock, to.last_us, to.complaint)

    def _shared(self, encoder: Encoder, told: int) -> Question:
        """Encode the part of the question that all seats share with this encoder that were told the same."""
        if encoder not in self._beginnings:  # mostly; after a row was chosen, seats were told different events
            self._beginnings[encoder] = encoder.beginning(self._kind, self._public)
        events = encoder.ending(self.journal.packed_since(told, encoder))
        question = self._questions[encoder, told] = Question(self._beginnings[encoder], events)
        return question

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
