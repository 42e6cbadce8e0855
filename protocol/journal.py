"""The events of a match as the bots are told of them: each one once, encoded once for each dialect."""

from collections.abc import Mapping, Sequence
from typing import Any

from bullring.protocol.encoding import Encoder, Question

Event = Mapping[str, Any]


class Journal:
    """All steps of a match. A step is what happened between two batches of questions."""

    def __init__(self, record: Encoder, alike: Sequence[Encoder] = ()) -> None:
        """`record` is the dialect in which `add` returns a step; it serves for those that encode elements `alike`, too."""
        self._record = record
        self._alike = (record, *alike)
        self._steps: list[tuple[int, dict[Encoder, bytes], list[Event]]] = []
        """Of each step: how many events, their bytes in each dialect that was wanted, and the events themselves."""
        self._known: dict[tuple[Encoder, int], Question] = {}

    def __len__(self) -> int:
        """How many steps there are."""
        return len(self._steps)

    def add(self, events: list[Event]) -> bytes:
        """Take a step. Returns its bytes, which the record is checked by."""
        packed = self._record.items(events)
        self._steps.append((len(events), dict.fromkeys(self._alike, packed), events))
        return packed

    def since(self, step: int) -> list[Event]:
        """All events from this step on."""
        return [event for _, _, events in self._steps[step:] for event in events]

    def packed_since(self, step: int, encoder: Encoder) -> bytes:
        """The same as the bytes of an array."""
        count, pieces = 0, []
        for size, packed, events in self._steps[step:]:
            if encoder not in packed:
                packed[encoder] = encoder.items(events)
            pieces.append(packed[encoder])
            count += size
        return encoder.array(count, pieces)

    def new_batch(self) -> None:
        """Another batch of questions begins: nothing that was asked before is shared with it."""
        self._known.clear()

    def question(self, kind: str, public: Mapping[str, Any], told: int, encoder: Encoder) -> Question:
        """What the seats of a batch share that speak one dialect and have been told of the same steps; encoded once."""
        question = self._known.get((encoder, told))
        if question is None:
            question = encoder.question(kind, public, self.packed_since(told, encoder))
            self._known[encoder, told] = question
        return question
