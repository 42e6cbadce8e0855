"""gymnasium's vector API over thousands of deals side by side: observations, masks and opponents inside."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bullring.arena.games.simulator.games import BOTH_ENDS, HIGHEST, POLICIES
from bullring.arena.games.simulator.hands import SIZE, Seen, read
from bullring.errors import RulesError
from bullring.train.policy.compact import PLACES
from bullring.train.vector import Deals

Arrays = dict[str, NDArray[Any]]


class Network(Protocol):
    """An opponent that reads a whole hand, such as a `bullring.train.policy.network.Policy` that reads "compact"."""

    def run(self, inputs: NDArray[Any], /) -> NDArray[np.float32]:
        """The scores of the places of a hand, (n, 10), for observations of shape (n, 149)."""


Opponent = str | Network | Sequence[Network]
"""A policy of the simulator by its name; a network; or a league, of which each table meets one at random in each deal."""


def vector_env(
    game: str = "standard",
    seats: int = 4,
    *,
    tables: int = 1024,
    opponents: Sequence[Opponent] = (),
    options: Mapping[str, object] | None = None,
) -> "VectorDeals":
    """Deals of one game at many tables, with learners on the first seats and `opponents` on the others.

    >>> env = vector_env("standard", 4, tables=2, opponents=["greedy"])  # three learners at each table
    >>> observation, info = env.reset(seed=1)
    >>> observation["observation"].shape, observation["action_mask"].shape
    ((6, 149), (6, 10))

    Raises what `bullring.train.vector.Deals` raises, and `ValueError` for games whose rows grow at both ends.
    """
    return VectorDeals(game, seats, tables, opponents, options)


def _league(opponent: Network | Sequence[Network]) -> Sequence[Network]:
    return opponent if isinstance(opponent, Sequence) else [opponent]


class VectorDeals(gymnasium.vector.VectorEnv[Arrays, NDArray[Any], NDArray[Any]]):
    """Each learner of each table is an environment of its own: those of table t are numbers t * learners and following.

    * An episode is a deal, so all episodes end together. What follows is seen in the same step (`AutoresetMode.SAME_STEP`): the
      last observation of the old deal is `infos["final_obs"]`. It is all zeros, for nothing can be decided any more.
    * An action is a place of the hand, lowest card first; `action_mask` says which hold a card. A card that fits nowhere takes the
      cheapest row.
    * An observation is `bullring.train.policy.compact`, the same that a bot of a policy sees at the table.
    * A reward is the heads that the others took on average in this turn, minus one's own.

    Arrays are new in each step. The same seed makes the same deals and opponents.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012  # as in VectorEnv

    def __init__(
        self,
        game: str,
        seats: int,
        tables: int,
        opponents: Sequence[Opponent],
        options: Mapping[str, object] | None,
    ) -> None:
        named = [each if isinstance(each, str) else "cheapest" for each in opponents]
        self.deals = Deals(game, seats, count=tables, options=options, opponents=named)
        if self.deals.tables.game.rule == BOTH_ENDS:
            raise ValueError(f"observations are for games whose rows grow to the right, not for {game}")
        self._leagues: dict[int, Sequence[Network]] = {}
        """The networks of each seat that has some, by seat."""
        for seat, each in enumerate(opponents, self.deals.learners):
            if not isinstance(each, str):
                league = _league(each)
                if not league:
                    raise RulesError(
                        f"the league of seat {seat} is empty: give it a network, or one of {', '.join(POLICIES)}"
                    )
                self._leagues[seat] = league
        self._drawn: dict[int, NDArray[np.int64]] = {}
        """By seat, which network of its league each table meets in this deal."""
        self._read_seats = seats if self._leagues else self.deals.learners
        self._numbers = np.zeros((tables, self._read_seats, SIZE), np.float32)
        self._space = np.zeros(HIGHEST + 3, np.int64), np.zeros(4, np.int64)
        self.num_envs = tables * self.deals.learners
        self.single_observation_space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(-np.inf, np.inf, (SIZE,), np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (PLACES,), np.int8),
            }
        )
        self.single_action_space = gymnasium.spaces.Discrete(PLACES)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Deal anew at every table; without a seed, the deals that follow. `options` are not used."""
        self.deals.reset(seed)
        random = np.random.default_rng([0 if self.deals.seed < 0 else self.deals.seed, 6])
        self._drawn = {
            seat: random.integers(len(league), size=self.deals.count) for seat, league in self._leagues.items()
        }
        return self._observed(), {}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Arrays, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play a turn at every table. Raises `ValueError` if a place holds no card."""
        deals = self.deals
        places = np.asarray(actions).reshape(deals.count, deals.learners)
        if places.size and not (places.min() >= 0 and places.max() < deals.left):
            wrong = places[(places < 0) | (places >= deals.left)].flat[0]
            raise ValueError(
                f"each hand has {deals.left} cards: an action is one of 0 to {deals.left - 1}, not {wrong}"
            )
        cards = np.take_along_axis(deals.hands, places[..., None], 2)[..., 0]
        rewards, over = deals.step(cards, others=self._chosen())
        infos: dict[str, Any] = {}
        if over:
            infos["final_obs"] = self._observed()
            observed, _ = self.reset()
        else:
            observed = self._observed()
        ended = np.full(self.num_envs, over)
        return observed, rewards.reshape(-1), ended, np.zeros(self.num_envs, np.bool_), infos

    def _observed(self) -> Arrays:
        """The observations and masks of all learners."""
        deals, numbers = self.deals, self._numbers
        learners = deals.learners
        mask = np.zeros((self.num_envs, PLACES), np.int8)
        mask[:, : deals.left] = 1
        if deals.left:
            tables = deals.tables
            seen = Seen(tables.hands, tables.rows.reshape(-1, 16), tables.heads, tables.unseen)
            read(seen, deals.left, *self._space, numbers)
        else:
            numbers[:] = 0
        return {"observation": numbers[:, :learners].reshape(-1, SIZE).copy(), "action_mask": mask}

    def _chosen(self) -> dict[int, NDArray[np.int64]]:
        """The cards of the seats that networks play, by seat; the observations are of this turn."""
        found = {}
        left, hands = self.deals.left, self.deals.tables.hands
        for seat, league in self._leagues.items():
            places = np.zeros(self.deals.count, np.int64)
            for number, network in enumerate(league):
                at = np.flatnonzero(self._drawn[seat] == number)
                if len(at):
                    places[at] = network.run(self._numbers[at, seat])[:, :left].argmax(1)
            found[seat] = np.take_along_axis(hands[:, seat], places[:, None], 1)[:, 0]
        return found
