"""The arguments that all environments of one match share, and their spaces and observations."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bullring.arena.cells.sandbox.tiers import AUTO
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import find
from bullring.arena.games.rules.sayings import counted
from bullring.arena.settings.limits import Limits
from bullring.errors import BotError, RulesError
from bullring.train.match import FALLBACK, Table
from bullring.train.opponents import Opponent, Opponents
from bullring.train.policy.encoding import Encoder

Observation = dict[str, NDArray[Any]]
"""An observation: "observation", float32 of shape (size,), and "action_mask", int8 of shape (actions,)."""


def table_of(
    game: str | Game[Any] = "standard",
    seats: int = 4,
    *,
    options: Mapping[str, object] | None = None,
    start: int = 0,
    opponents: Sequence[Opponent] = (),
    reward: str = "heads",
    illegal: str = FALLBACK,
    limits: Limits | None = None,
    sandbox: str = AUTO,
    allow_unsandboxed: bool = False,
) -> Table:
    """The table of an environment.

    * `game`: a name or an alias, or a game made by `bullring.new_game`; then `seats`, `options` and `start` are its own.
    * `opponents`: bots for the last seats, as for `bullring.play`: "@greedy", a folder, a command line, a function. The learners
      have the seats before them; there must be one at least.
    * `reward`: "heads" (minus the heads taken), "relative" (to the average of the others), "rank" (at the end of the match).
    * `illegal`: "fallback" lets the referee's fallback play for an illegal action, "raise" raises `RulesError`.
    * `limits`, `sandbox`, `allow_unsandboxed`: for opponents that are programs, as for `bullring.play`.

    Raises `UnknownGame`, `SeatsError`, `OptionError`, `RulesError`, `BotError`.
    """
    made = game if isinstance(game, Game) else find(game)(seats, options, start)
    if made is game and (options or start):
        raise RulesError("options and start are for a game given by name; give them to new_game, which made this one")
    if len(opponents) >= made.seats:
        raise BotError(
            f"this game has {counted(made.seats, 'seat')}, one of them for a learner at least; give fewer than"
            f" {counted(made.seats, 'opponent')}, not {len(opponents)}"
        )
    learners = range(made.seats - len(opponents))
    bots = None
    if opponents:
        wish = Wish(sandbox, allow_unsandboxed)
        bots = Opponents(dict(enumerate(opponents, len(learners))), limits or Limits(), wish)
    return Table(made, bots, learners, reward, illegal)


def observation_space(encoder: Encoder) -> spaces.Dict:
    """The space of observations: `Observation`."""
    highs = [np.full(field.size, field.high, np.float32) for field in encoder.layout.fields]
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros(encoder.size, np.float32), np.concatenate(highs), dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (encoder.actions,), np.int8),
        }
    )


def action_space(encoder: Encoder) -> spaces.Discrete:
    """The space of actions: their numbers, as in the layout."""
    return spaces.Discrete(encoder.actions)


def observation_of(table: Table, seat: int, *, waits: bool) -> Observation:
    """The observation of a learner now."""
    return {"observation": table.observe(seat), "action_mask": table.mask(seat, waits=waits)}


def info_of(table: Table, seat: int) -> dict[str, Any]:
    """The info of a learner: the kind of decision, illegal actions so far, scores, and places when the match is over."""
    kind = table.batch.kind if table.batch is not None and seat in table.asked() else ""
    info = {"kind": kind, "illegal": table.illegal[seat], "score": table.state.scores[seat]}
    return {**info, "place": table.places()[seat]} if table.over else info


def drawn(table: Table) -> str:
    """The table as text."""
    state = table.state
    lines = [f"{table.game.id}: deal {state.deal}, turn {state.turn}, total heads {list(state.scores)}"]
    lines += [str(part) for part in table.game.board(state)]
    asked = table.batch
    if asked is not None:
        lines.append(f"asked: {asked.kind} of seats {list(asked.seats)}")
    return "\n".join(lines)


class Seats:
    """A match for PettingZoo: what its two APIs have in common. Agents are "seat_0", "seat_1", ...; opponents are none.

    An episode is a match.
    """

    def __init__(self, table: Table, max_cycles: int | None, render_mode: str | None) -> None:
        self.table = table
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.agents: list[str] = []
        self.possible_agents = [f"seat_{seat}" for seat in table.learners]
        self.observation_spaces = {agent: observation_space(table.encoder) for agent in self.possible_agents}
        self.action_spaces: Any = {agent: action_space(table.encoder) for agent in self.possible_agents}
        one = observation_space(table.encoder)["observation"]
        assert isinstance(one, spaces.Box)
        shape = (table.game.seats, 1)
        self.state_space = spaces.Box(np.tile(one.low, shape), np.tile(one.high, shape), dtype=np.float32)
        self._seats = dict(zip(self.possible_agents, table.learners, strict=True))
        self._names = {seat: agent for agent, seat in self._seats.items()}
        self._steps = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        """See `Observation`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The actions of the layout; the last one is to wait, and never legal where one agent acts after the other."""
        space: spaces.Discrete = self.action_spaces[agent]
        return space

    def state(self) -> NDArray[np.float32]:
        """The state that all seats together see, opponents included, as float32 of shape (seats, size)."""
        return np.stack([self.table.observe(seat) for seat in range(self.table.game.seats)])

    def render(self) -> str | None:
        """The table as text, with the render mode "ansi"."""
        return drawn(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the opponents."""
        self.table.close()

    def _begin(self, seed: int | None) -> None:
        self.table.reset(seed)
        self._steps = 0
        self.agents = self.possible_agents[:]

    def _cut_off(self) -> bool:
        """Count a step. Returns whether it was the last one that is allowed, though the match is not over."""
        self._steps += 1
        cut_off = not self.table.over and self.max_cycles is not None and self._steps >= self.max_cycles
        if cut_off:
            self.table.break_off()
        return cut_off

    def _take_rewards(self) -> dict[str, float]:
        rewards = self.table.take_rewards()
        return {agent: rewards[self._seats[agent]] for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: info_of(self.table, self._seats[agent]) for agent in self.agents}
