"""Thousands of deals side by side, arrays in and out: the environment for learning from millions of turns.

It runs on the simulator (`bullring.arena.games.simulator.Tables`), compiled with ``bullring[fast]``: more than a million turns
of four seats a second on one core, some hundred thousand where opponents play greedy. An episode is a deal, and all deals are
at the same turn. For matches of several deals, for games with turns and for programs as opponents, use the other environments.

>>> import numpy as np
>>> from bullring.train.vector import Deals
>>> env = Deals("standard", seats=4, count=2, opponents=["greedy"])
>>> env.reset(seed=1)
>>> env.hands.shape, env.rows.shape, env.unseen.shape
((2, 3, 10), (2, 4, 4), (2, 106))
>>> rewards, over = env.step(env.hands[:, :, 0])  # everybody plays the lowest card
>>> rewards.shape, over, env.hands.shape
((2, 3), False, (2, 3, 9))
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games.rules.registry import find
from bullring.arena.games.simulator import Tables
from bullring.arena.games.simulator.games import BOTH_ENDS, policy_numbers
from bullring.errors import RulesError
from bullring.train.policy.cards import card_features


class Deals:
    """`count` deals of one game, with learners on the first seats and simulated policies on the others.

    ================= ======================== ===============================================================================
    array             shape                    holds
    ================= ======================== ===============================================================================
    `hands`           (count, learners, left)  int64: each learner's cards, ascending. An action is one of them, as a number
    `rows`            (count, 4, 4)            int64: for each row its first card, last card, places (1..5) and heads
    `heads`           (count, seats)           int64: the heads that each seat took in this deal
    `unseen`          (count, 106)             int64: by card, how many of it lie neither open nor in a pile: those in hands, and
                                               those not dealt
    `features()`      (count, learners, left,  float32: figures of each card, computed from the above
                      25)                      (`bullring.train.policy.cards.NAMES`)
    ================= ======================== ===============================================================================

    Copy what you keep: the arrays change with each step. A low card takes the cheapest row unless `step` is told otherwise.
    """

    def __init__(
        self,
        game: str = "standard",
        seats: int = 4,
        *,
        count: int = 1024,
        options: Mapping[str, object] | None = None,
        opponents: Sequence[str] = (),
    ) -> None:
        """`opponents` are policies of the simulator ("random", "cheapest", "greedy", "noisy") for the last seats.

        Raises `RulesError` if no seat is left to learners, `OptionError` for options that the game does not have,
        `bullring.arena.games.simulator.Uncovered`, a `ValueError`, for games that the simulator does not cover, and
        `ValueError` for unknown policies.
        """
        if len(opponents) >= seats:
            raise RulesError(f"{len(opponents)} opponents leave none of {seats} seats to a learner")
        self.tables = Tables(game, seats, options or {}, count)
        find(game)(seats, options)  # the simulator reads the options it knows and lets misspelled ones pass
        self.count, self.seats, self.learners = count, seats, seats - len(opponents)
        self._policies = ["cheapest"] * self.learners + list(opponents)
        policy_numbers(self._policies, seats)
        self._opponents = bool(opponents)
        self.seed = 0
        """That of the deals that are played."""

    @property
    def left(self) -> int:
        """The number of cards in each hand, 0 when the deals are over."""
        return self.tables.left

    @property
    def hands(self) -> NDArray[np.int64]:
        return self.tables.hands[:, : self.learners, : self.left]

    @property
    def rows(self) -> NDArray[np.int64]:
        return self.tables.rows

    @property
    def heads(self) -> NDArray[np.int64]:
        return self.tables.heads

    @property
    def unseen(self) -> NDArray[np.int64]:
        return self.tables.unseen

    def reset(self, seed: int | None = None) -> None:
        """Deal anew at every table. The same seed makes the same deals; without one, it is the last one plus 1."""
        self.seed = self.seed + 1 if seed is None else seed
        self.tables.deal(self.seed)

    def features(self) -> NDArray[np.float32]:
        """The features of each card of each learner. Raises `ValueError` where rows do not grow to the right."""
        if self.tables.game.rule == BOTH_ENDS:
            raise ValueError(f"features are for games whose rows grow to the right, not for {self.tables.game.game}")
        return card_features(self.rows, self.hands, self.unseen, self.seats - 1)

    def step(
        self,
        cards: NDArray[Any],
        rows: NDArray[Any] | None = None,
        *,
        others: Mapping[int, NDArray[np.int64]] = MappingProxyType({}),
    ) -> tuple[NDArray[np.float32], bool]:
        """Play a turn at every table. Returns the rewards, (count, learners), and whether the deals are over.

        * `cards`: (count, learners), the card that each learner plays.
        * `rows`: (count, learners), the row 1..4 that it takes if its card fits nowhere; 0, and the default, is the cheapest.
        * `others`: by seat of an opponent, (count,), the cards that it plays instead of those of its policy.

        A reward is the heads that the others took on average in this turn, minus one's own. Raises `ValueError` for cards that are
        not in their hands, and when the deals are over.
        """
        played, wishes = self._all(cards), None if rows is None else self._all(rows)
        if self._opponents and self.left:
            played[:, self.learners :] = self.tables.choose(self._policies)[:, self.learners :]
            for seat, chosen in others.items():
                played[:, seat] = chosen
        taken = self.tables.step(played, wishes)
        rest = (taken.sum(1, keepdims=True) - taken) / (self.seats - 1)
        return (rest - taken)[:, : self.learners].astype(np.float32), self.left == 0

    def _all(self, given: NDArray[Any]) -> NDArray[np.int64]:
        if np.shape(given) != (self.count, self.learners):
            raise ValueError(f"expected ({self.count}, {self.learners}) numbers, not {np.shape(given)}")
        array = np.zeros((self.count, self.seats), np.int64)
        array[:, : self.learners] = given
        return array
