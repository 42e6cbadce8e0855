"""gymnasium's API: one learner, with opponents on all other seats."""

from typing import Any

import gymnasium

from bullring.errors import BotError
from bullring.train.match import Table
from bullring.train.shared import (
    Observation,
    action_space,
    drawn,
    info_of,
    observation_of,
    observation_space,
    table_of,
)


def seat_env(*args: Any, render_mode: str | None = None, **settings: Any) -> "OneSeat":
    """An environment for one learner: ``seat_env("standard", 3, opponents=["@greedy", "@random"])``.

    The arguments are those of `bullring.train.shared.table_of`; all seats but one have opponents. Raises `BotError` if not.
    """
    return OneSeat(table_of(*args, **settings), render_mode)


class OneSeat(gymnasium.Env[Observation, int]):
    """A match seen from seat 0, which acts whenever it is asked. An episode is a match."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # as in Env

    def __init__(self, table: Table, render_mode: str | None) -> None:
        if len(table.learners) != 1:
            raise BotError(
                f"seat_env has one learner; give {table.game.seats - 1} opponents, not {table.game.seats - len(table.learners)}"
            )
        self.table = table
        self.render_mode = render_mode
        self.observation_space = observation_space(table.encoder)  # type: ignore[assignment]  # it is one of such arrays
        self.action_space = action_space(table.encoder)  # type: ignore[assignment]  # its numbers are integers of numpy

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match. See `bullring.train.match.Table.reset`; `options` are not used."""
        super().reset(seed=seed)
        self.table.reset(seed)
        return observation_of(self.table, 0, waits=False), info_of(self.table, 0)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act, and see what follows until the next question. Raises `RulesError` for what is no action."""
        self.table.act(0, action)
        reward = self.table.take_rewards()[0]
        return observation_of(self.table, 0, waits=False), reward, self.table.over, False, info_of(self.table, 0)

    def render(self) -> str | None:
        """The table as text, with the render mode "ansi"."""
        return drawn(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the opponents."""
        self.table.close()
