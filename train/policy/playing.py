"""A policy at the table: `decide` messages in, options out. Also a player for `bullring.play` and an opponent in environments."""

import sys
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from . import cards, compact
from .encoding import Encoder, Given
from .layout import Layout
from .network import CARDS, COMPACT, OBSERVATION

Message = dict[str, Any]

RIGHT_ENDS = {"standard", "tactics", "logic", "tournament", "online", "open", "double"}
"""Games whose rows grow at their right end, for policies that read "cards" or "compact"."""

SHORT = {"tactics", "logic", "tournament"}
"""Games with only as many cards as the seats need."""


class Network(Protocol):
    """A `Policy`, or a `Model` of `onnx`."""

    @property
    def reads(self) -> str:
        """One of "observation", "cards" and "compact"."""

    @property
    def layout(self) -> Layout | None:
        """For "observation"."""

    def run(self, inputs: NDArray[Any], /) -> NDArray[np.float32]:
        """The outputs for inputs of shape (..., inputs), as (..., outputs)."""


class PolicyPlayer:
    """Plays by a policy what that was made for, and something legal otherwise: the cheapest row, the first option.

    So it answers kinds of decisions, too, that no game had when it was trained.
    """

    def __init__(self, policy: Network) -> None:
        self.policy = policy
        self._encoder = None if policy.layout is None else Encoder(policy.layout)
        self._knows = False
        """Whether the policy is for the game of this match."""

    def welcome(self, message: Message) -> None:
        """A match begins."""
        game, seats, options = message["game"], message["seats"], message["options"]
        self._seats = seats
        short = game in SHORT or options.get("tactics")
        self._deck = [*range(2 if game == "open" else 1, 10 * seats + 5 if short else 105)]
        if game == "double":
            self._deck += range(11, 100, 11) if options["doublets"] else range(1, 105)
        layout = self.policy.layout
        if self.policy.reads != OBSERVATION:
            self._knows = game in RIGHT_ENDS
        else:
            self._knows = layout is not None and (layout.game, layout.seats) == (game, seats)
            if game == "online":  # the only game whose cards depend on an option
                self._knows = self._knows and layout is not None and layout.cards == max(self._deck)
        if not self._knows:
            print(
                f"the policy is not for {game} with {seats} seats, so the simplest options are played", file=sys.stderr
            )

    def decide(self, message: Message) -> Any:
        """One of the options."""
        kind, view, options = message["kind"], message["view"], message["options"]
        if self._knows and len(options) > 1:
            if self.policy.reads == CARDS and kind == "card":
                scores = self.policy.run(cards.of_view(view, options, self._deck, self._seats))[:, 0]
                return options[int(scores.argmax())]
            if self.policy.reads == COMPACT and kind == "card":
                numbers, hand = compact.of_view(view, self._deck, self._seats)
                return hand[int(self.policy.run(numbers)[: len(hand)].argmax())]
            if self._encoder is not None and kind in self._encoder.layout.kinds:
                return self._observed(self._encoder, kind, view, options)
        if kind in ("row", "side") and "row_heads" in view:
            return min(options, key=lambda row: view["row_heads"][row - 1])
        return options[0]

    def _observed(self, encoder: Encoder, kind: str, view: Message, options: list[Any]) -> Any:
        given: Given = ()
        while True:
            mask = encoder.mask(kind, options, given)
            outputs = self.policy.run(encoder.observe(view, kind, given))
            given, option = encoder.take(kind, options, given, int(np.where(mask, outputs, -np.inf).argmax()))
            if option is not None:
                return option
