"""PettingZoo's AEC API: one agent acts after the other. For every game, and natural for those with turns."""

from typing import Any

from pettingzoo import AECEnv

from bullring.train.shared import Observation, Seats, observation_of, table_of


def aec_env(
    *args: Any, max_cycles: int | None = None, render_mode: str | None = None, **settings: Any
) -> "SeatsInTurn":
    """An environment in which one agent acts after the other: ``aec_env("open", seats=3, opponents=["@greedy"])``.

    The arguments are those of `bullring.train.shared.table_of`. After `max_cycles` actions an episode is truncated.
    """
    return SeatsInTurn(table_of(*args, **settings), max_cycles, render_mode)


class SeatsInTurn(Seats, AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # pettingzoo has no types
    """A match in which one agent acts after the other.

    In a hidden simultaneous play the seats act in order, and what they see does not change before all have acted. An answer of
    several numbers takes several actions of the same seat.
    """

    metadata = {"name": "bullring_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012  # as in AECEnv

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. See `bullring.train.match.Table.reset`; `options` are not used."""
        self._begin(seed)
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
        if self._cut_off():
            self.truncations = dict.fromkeys(self.agents, True)
        self._note()
        self._accumulate_rewards()

    def _note(self) -> None:
        """Note the rewards, ends and infos of the agents now."""
        self.rewards = self._take_rewards()
        over = self.table.over and not any(self.truncations.values())
        self.terminations = dict.fromkeys(self.agents, over)
        self.infos = self._infos()
        asked = self.table.asked()
        self.agent_selection = self._names[asked[0]] if asked else self.agents[0]
