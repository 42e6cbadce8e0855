"""PettingZoo's parallel API: all agents act at once, and those that are not asked wait. For every game."""

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from bullring.errors import RulesError
from bullring.train.shared import Observation, Seats, observation_of, table_of


def parallel_env(
    *args: Any, max_cycles: int | None = None, render_mode: str | None = None, **settings: Any
) -> "SeatsAtOnce":
    """An environment in which all agents act at once: ``parallel_env("standard", seats=3, opponents=["@greedy"])``.

    The arguments are those of `bullring.train.shared.table_of`. After `max_cycles` steps an episode is truncated.
    """
    return SeatsAtOnce(table_of(*args, **settings), max_cycles, render_mode)


class SeatsAtOnce(Seats, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # pettingzoo has no types
    """A match in which all agents act at once.

    A step is one action of every seat that is asked: a hidden card of all, or the row of one. For the others only the last action,
    to wait, is legal, and whatever they do is not looked at. The kind of decision is in the observation and in the info.
    """

    metadata = {"name": "bullring_v0", "render_modes": ["ansi"]}  # noqa: RUF012  # as in ParallelEnv

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match. See `bullring.train.match.Table.reset`; `options` are not used."""
        self._begin(seed)
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
        truncated = self._cut_off()
        over = self.table.over and not truncated
        told = (
            self._observations(),
            self._take_rewards(),
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, truncated),
            self._infos(),
        )
        if over or truncated:
            self.agents = []
        return told

    def _observations(self) -> dict[str, Observation]:
        return {agent: observation_of(self.table, self._seats[agent], waits=True) for agent in self.agents}
