"""PettingZoo's parallel API: all agents act at once, and those that are not asked wait. For every game."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from bullring.errors import RulesError
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


def parallel_env(
    *args: Any, max_cycles: int | None = None, render_mode: str | None = None, **settings: Any
) -> "SeatsAtOnce":
    """An environment in which all agents act at once: ``parallel_env("standard", seats=3, opponents=["@greedy"])``.

    The arguments are those of `bullring.train.shared.table_of`. After `max_cycles` steps an episode is truncated.
    """
    return SeatsAtOnce(table_of(*args, **settings), max_cycles, render_mode)


class SeatsAtOnce(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # pettingzoo has no types
    """A match. Agents are "seat_0", "seat_1", ...; opponents are none. An episode is a match.

    A step is one action of every seat that is asked: a hidden card of all, or the row of one. For the others only the last action,
    to wait, is legal, and whatever they do is not looked at. The kind of decision is in the observation and in the info.
    """

    metadata = {"name": "bullring_v0", "render_modes": ["ansi"]}  # noqa: RUF012  # as in ParallelEnv

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
        """The actions of the layout; the last one is to wait."""
        space: spaces.Discrete = self.action_spaces[agent]
        return space

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match. See `bullring.train.match.Table.reset`; `options` are not used."""
        self.table.reset(seed)
        self._steps = 0
        self.agents = self.possible_agents[:]
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Let all agents act. Raises `RulesError` if an agent that is asked has no action."""
        for seat in self.table.asked():
            agent = self._names[seat]
            if agent not in actions:
                raise RulesError(
                    f"{agent} is asked and has no action; there are actions for {', '.join(actions) or 'nobody'}"
                )
            self.table.act(seat, actions[agent])
        self._steps += 1
        truncated = not self.table.over and self.max_cycles is not None and self._steps >= self.max_cycles
        if truncated:
            self.table.break_off()
        rewards = self.table.take_rewards()
        over = self.table.over and not truncated
        told = (
            self._observations(),
            {agent: rewards[self._seats[agent]] for agent in self.agents},
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, truncated),
            self._infos(),
        )
        if over or truncated:
            self.agents = []
        return told

    def _observations(self) -> dict[str, Observation]:
        return {agent: observation_of(self.table, self._seats[agent], waits=True) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: info_of(self.table, self._seats[agent]) for agent in self.agents}

    def state(self) -> NDArray[np.float32]:
        """The state that all seats together see, as float32 of shape (seats, size)."""
        return state_of(self.table)

    def render(self) -> str | None:
        """The table as text, with the render mode "ansi"."""
        return drawn(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the opponents."""
        self.table.close()
