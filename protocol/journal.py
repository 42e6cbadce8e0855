"""The events of a match as sent to the bots: each bot gets each event once, and each dialect encodes it once.

Events are public, and secrets are in views only. So events are encoded once for all seats, and the test for leaks looks in one
place.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bullring.protocol.encoding import Encoder, Question

Event = Mapping[str, Any]


class Journal:
    """All steps of a match. A step is the list of events between two batches of questions."""

    def __init__(self, record: Encoder, alike: Sequence[Encoder] = ()) -> None:
        """`record` encodes the steps returned by `add`; its bytes are shared by the encoders in `alike`, which encode events
        identically."""
        self._record = record
        self._alike = (record, *alike)
        self._steps: list[tuple[int, dict[Encoder, bytes], list[Event]]] = []
        """For each step that is not forgotten: the number of events, their bytes by encoder as far as needed, and the events."""
        self._forgotten = 0
        self._known: dict[tuple[Encoder, int], Question] = {}
        self._beginnings: dict[Encoder, bytes] = {}

    def __len__(self) -> int:
        """The number of steps, with those that are forgotten."""
        return self._forgotten + len(self._steps)

    def add(self, events: list[Event]) -> bytes:
        """Add a step. Returns its bytes, from which the checksum in the record is made."""
        packed = self._record.items(events)
        self._steps.append((len(events), dict.fromkeys(self._alike, packed), events))
        return packed

    def forget(self) -> None:
        """Forget all steps so far, because everybody has been told them: a journal that grows with the match keeps the memory of
        many tables out of the caches."""
        self._forgotten += len(self._steps)
        self._steps.clear()

    def since(self, step: int) -> list[Event]:
        """All events from step number `step` on."""
        return [event for _, _, events in self._from(step) for event in events]

    def packed_since(self, step: int, encoder: Encoder) -> bytes:
        """All events from step number `step` on, encoded as an array."""
        count, pieces = 0, []
        for size, packed, events in self._from(step):
            if encoder not in packed:
                packed[encoder] = encoder.items(events)
            pieces.append(packed[encoder])
            count += size
        return encoder.array(count, pieces)

    def _from(self, step: int) -> list[tuple[int, dict[Encoder, bytes], list[Event]]]:
        first = step - self._forgotten
        assert first >= 0
        return self._steps[first:] if first else self._steps

    def new_batch(self) -> None:
        """Begin another batch of questions, which shares nothing with earlier ones."""
        self._known.clear()
        self._beginnings.clear()

    def question(self, kind: str, public: Mapping[str, Any], told: int, encoder: Encoder) -> Question:
        """The part of the question shared by all seats of a batch with this encoder and the same `told` steps; encoded once."""
        question = self._known.get((encoder, told))
        if question is None:
            beginning = self._beginnings.get(encoder)
            if beginning is None:  # also where seats were told different events: after a row was chosen
                beginning = self._beginnings[encoder] = encoder.beginning(kind, public)
            question = Question(beginning, encoder.ending(self.packed_since(told, encoder)))
            self._known[encoder, told] = question
        return question
