"""PettingZoo's AEC API: one agent acts after the other. For every game, and natural for those with turns."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from bullring.train.match import Table
from bullring.train.shared import (
    Observation,
    action_space,
    drawn,
    info_of,
    observation_of,
    observation_space,
    state_of,
    state_space,
    table_of,
)


def aec_env(
    *args: Any, max_cycles: int | None = None, render_mode: str | None = None, **settings: Any
) -> "SeatsInTurn":
    """An environment in which one agent acts after the other: ``aec_env("open", seats=3, opponents=["@greedy"])``.

    The arguments are those of `bullring.train.shared.table_of`. After `max_cycles` actions an episode is truncated.
    """
    return SeatsInTurn(table_of(*args, **settings), max_cycles, render_mode)


class SeatsInTurn(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # pettingzoo has no types
    """A match. Agents are "seat_0", "seat_1", ...; opponents are none. An episode is a match.

    In a hidden simultaneous play the seats act in order, and what they see does not change before all have acted. An answer of
    several numbers takes several actions of the same seat.
    """

    metadata = {"name": "bullring_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012  # as in AECEnv

    def __init__(self, table: Table, max_cycles: int | None, render_mode: str | None) -> None:
        self.table = table
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.agents: list[str] = []
        self.possible_agents = [f"seat_{seat}" for seat in table.learners]
        self.observation_spaces = {agent: observation_space(table.encoder) for agent in self.possible_agents}
        self.action_spaces: Any = {agent: action_space(table.encoder) for agent in self.possible_agents}
        self.state_space = state_space(table)
        self._seats = dict(zip(self.possible_agents, table.learners, strict=True))
        self._names = {seat: agent for agent, seat in self._seats.items()}
        self._steps = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        """See `bullring.train.shared.Observation`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The actions of the layout; waiting, the last one, is never legal here."""
        space: spaces.Discrete = self.action_spaces[agent]
        return space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. See `bullring.train.match.Table.reset`; `options` are not used."""
        self.table.reset(seed)
        self._steps = 0
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self._note()

    def observe(self, agent: str) -> Observation:
        """The observation of an agent now; its mask is all 0 while it is not to act."""
        return observation_of(self.table, self._seats[agent], waits=False)

    def step(self, action: int | None) -> None:
        """Let the selected agent act. Raises `RulesError` for what is no action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.table.act(self._seats[agent], action)
        self._steps += 1
        if not self.table.over and self.max_cycles is not None and self._steps >= self.max_cycles:
            self.table.break_off()
            self.truncations = dict.fromkeys(self.agents, True)
        self._note()
        self._accumulate_rewards()

    def _note(self) -> None:
        """Note the rewards, ends and infos of the agents now."""
        rewards = self.table.take_rewards()
        self.rewards = {agent: rewards[self._seats[agent]] for agent in self.agents}
        over = self.table.over and not any(self.truncations.values())
        self.terminations = dict.fromkeys(self.agents, over)
        self.infos = {agent: info_of(self.table, self._seats[agent]) for agent in self.agents}
        asked = self.table.asked()
        self.agent_selection = self._names[asked[0]] if asked else self.agents[0]

    def state(self) -> NDArray[np.float32]:
        """The state that all seats together see, as float32 of shape (seats, size)."""
        return state_of(self.table)

    def render(self) -> str | None:
        """The table as text, with the render mode "ansi"."""
        return drawn(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the opponents."""
        self.table.close()
