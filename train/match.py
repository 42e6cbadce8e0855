"""The table that all environments of one match share: who is asked, what they see, and what follows when all have acted.

An environment is not a referee. It drives the rules itself, which is quicker, and composes what opponents are told with the
referee's code. Only opponents have clocks.
"""

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.games.rules.ranks import ranks
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.seeds import Seed
from bullring.errors import RulesError
from bullring.train.layout import layout_of
from bullring.train.opponents import Opponents
from bullring.train.policy.encoding import Encoder, Given
from bullring.train.rewards import REWARDS

FALLBACK, RAISE = "fallback", "raise"
"""Treatments of an illegal action: the referee's fallback is played, as at any table, or `RulesError` is raised."""


class Table:
    """One match after another, with learners on some seats and opponents on the others.

    A learner's answer may take several actions (`bullring.train.policy.encoding`); nobody learns of an answer before the batch is
    complete, and opponents are asked when all learners have answered.
    """

    def __init__(
        self, game: Game[Any], opponents: Opponents | None, learners: Sequence[int], reward: str, illegal: str
    ) -> None:
        """Take the seats. Raises `RulesError` if `reward` or `illegal` is not one of the words that exist."""
        if reward not in REWARDS:
            raise RulesError(f"reward must be {' or '.join(map(repr, REWARDS))}, not {reward!r:.80}")
        if illegal not in (FALLBACK, RAISE):
            raise RulesError(f"illegal must be {FALLBACK!r} or {RAISE!r}, not {illegal!r:.80}")
        self.game = game
        self.learners = tuple(learners)
        self.encoder = Encoder(layout_of(game))
        self.state: Any = game.new()
        self.over = True
        """Whether no match is going on."""
        self.illegal = dict.fromkeys(self.learners, 0)
        """By learner, its illegal actions in this match."""
        self._opponents = opponents
        self._reward = REWARDS[reward]
        self._raises = illegal == RAISE
        self._rewards = [0.0] * game.seats
        self._answers: dict[int, Option | None] = {}
        self._given: dict[int, Given] = {}
        self._base = secrets.token_hex(8)
        self._resets = 0

    def reset(self, seed: int | str | None = None) -> None:
        """Begin a match. With the same seed (and the same actions) everything is the same again.

        The deals are those of `bullring match --seed SEED`. Without a seed, the matches that follow a seed are a fixed sequence;
        before any seed, they are drawn at random.
        """
        if seed is not None:
            self._base, self._resets = str(seed), 0
        text = f"{self._base}.{self._resets}" if self._resets else self._base
        self._resets += 1
        self._seed = Seed.given(text, f"train-{text}")
        if self._opponents is not None:
            if not self.over:
                self._opponents.end(self.state.scores, finished=False)
            self._opponents.begin(self.game, self._seed)
        self.state = self.game.new()
        self.over = False
        self.illegal = dict.fromkeys(self.learners, 0)
        self._rewards = [0.0] * self.game.seats
        self._answers, self._given = {}, {}
        self._go_on()

    @property
    def batch(self) -> Batch | None:
        """The decisions asked for; None between matches."""
        pending = self.state.pending
        return pending if isinstance(pending, Batch) else None

    def asked(self) -> list[int]:
        """The learners that have not answered yet, in the order of their seats in the batch."""
        batch = self.batch
        if batch is None or self.over:
            return []
        return [seat for seat in batch.seats if seat in self.learners and seat not in self._answers]

    def observe(self, seat: int) -> NDArray[np.float32]:
        """The observation of a seat, as float32 of shape (size,)."""
        batch = self.batch
        kind = batch.kind if batch is not None and seat in batch.seats and seat not in self._answers else ""
        return self.encoder.observe(self.game.view(self.state, seat), kind, self._given.get(seat, ()))

    def mask(self, seat: int, *, waits: bool) -> NDArray[np.int8]:
        """The mask of legal actions of a learner: 1 is legal. For a seat that is not asked, only waiting is, if it `waits`."""
        if seat in self.asked():
            return self.encoder.mask(self._kind(), self._options(seat), self._given.get(seat, ()))
        mask = np.zeros(self.encoder.actions, np.int8)
        mask[self.encoder.wait] = waits
        return mask

    def act(self, seat: int, action: Any) -> None:
        """Let a learner that is asked act. When all have answered, play on until a learner is asked again.

        Raises `RulesError` if the action is not a whole number, or not legal where that is to be raised.
        """
        try:
            number = int(action)
        except (TypeError, ValueError):
            raise RulesError(
                f"an action is a whole number from 0 to {self.encoder.actions - 1}, not {action!r:.80}"
            ) from None
        batch = self.batch
        assert batch is not None
        options, given = self._options(seat), self._given.get(seat, ())
        answer: Option | None
        try:
            given, answer = self.encoder.take(batch.kind, options, given, number)
        except ValueError:
            if self._raises:
                legal = np.flatnonzero(self.mask(seat, waits=False)).tolist()
                raise RulesError(
                    f"action {number} of seat {seat} is not legal: it is asked for a {batch.kind}; legal are {legal}"
                ) from None
            self.illegal[seat] += 1
            given, answer = (), self.game.fallback(self.state, batch.seats.index(seat))
        self._given[seat] = given
        if answer is not None:
            self._answers[seat] = answer
            if not self.asked():
                self._complete(batch)
                self._go_on()

    @property
    def faults(self) -> dict[int, str]:
        """By seat, what went wrong last with an opponent in this match; the fallback played for it."""
        return self._opponents.faults if self._opponents is not None else {}

    def take_rewards(self) -> list[float]:
        """The rewards by seat since this was called last."""
        rewards, self._rewards = self._rewards, [0.0] * self.game.seats
        return rewards

    def places(self) -> list[int]:
        """Places from 1, by seat, as things stand."""
        return ranks(self.state.scores, [False] * self.game.seats)

    def break_off(self) -> None:
        """End the match where it is."""
        if not self.over and self._opponents is not None:
            self._opponents.end(self.state.scores, finished=False)
        self.over = True

    def close(self) -> None:
        """End the opponents."""
        self.over = True
        if self._opponents is not None:
            self._opponents.close()

    def _kind(self) -> str:
        batch = self.batch
        return batch.kind if batch is not None else ""

    def _options(self, seat: int) -> Sequence[Option]:
        batch = self.batch
        assert batch is not None
        return batch.options[batch.seats.index(seat)]

    def _go_on(self) -> None:
        """Deal, and let the opponents play among themselves, until a learner is asked or the match is over."""
        while not self.over:
            pending = self.state.pending
            if isinstance(pending, Shuffle):
                cards = shuffled(pending.deck, pending.cards, self._seed.seed, self.state.deal + 1)
                self._tell(self.game.advance_deal(self.state, cards))
            elif pending is None:
                self.over = True
                if self._opponents is not None:
                    self._opponents.end(self.state.scores, finished=True)
            elif self.asked():
                return
            else:
                self._complete(pending)

    def _complete(self, batch: Batch) -> None:
        """Ask the opponents, and let all answers of the batch count."""
        if self._opponents is not None:
            self._answers |= self._opponents.ask(self.state, batch)
        answers = [
            self._answers[seat] if seat in self._answers else self.game.fallback(self.state, request)
            for request, seat in enumerate(batch.seats)
        ]
        self._answers, self._given = {}, {}
        before = list(self.state.scores)
        self._tell(self.game.advance(self.state, answers))  # type: ignore[arg-type]  # all are there
        rewards = self._reward(before, self.state.scores, self.state.pending is None)
        self._rewards = [old + new for old, new in zip(self._rewards, rewards, strict=True)]

    def _tell(self, events: Sequence[Any]) -> None:
        if self._opponents is not None:
            self._opponents.tell(events)
