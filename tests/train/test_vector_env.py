"""gymnasium's vector API over deals side by side: what is seen, who plays, how an episode ends."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import bullring
from bullring.arena.games.rules.registry import find
from bullring.arena.games.simulator.games import HIGHEST
from bullring.errors import RulesError
from bullring.train import vector_env
from bullring.train.policy import cards, compact
from bullring.train.policy.network import Policy
from bullring.train.policy.playing import RIGHT_ENDS, PolicyPlayer

CARDS = compact.PLACES * len(compact.OF_CARD)


def a_lowest_one() -> Policy:
    """It plays the first place."""
    bias = np.zeros(compact.PLACES, np.float32)
    bias[0] = 1
    return Policy("compact", [np.zeros((compact.SIZE, compact.PLACES), np.float32)], [bias])


def a_careful_one() -> Policy:
    """It plays the card with the fewest expected heads."""
    weights = np.zeros((compact.SIZE, compact.PLACES), np.float32)
    for place in range(compact.PLACES):
        weights[place * len(compact.OF_CARD) + compact.OF_CARD.index(1), place] = -1
    return Policy("compact", [weights], [np.zeros(compact.PLACES, np.float32)])


def drawn(mask: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A legal action of each environment."""
    actions: np.ndarray = random.integers(mask.sum(1))
    return actions


def test_it_is_an_environment_of_gymnasium() -> None:
    env = vector_env("standard", 3, tables=4, opponents=["random"])
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.num_envs == 8
    random = np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    for turn in range(1, 25):
        assert env.observation_space.contains(seen)
        assert (seen["action_mask"].sum(1) == 10 - (turn - 1) % 10).all()
        actions = drawn(seen["action_mask"], random)
        assert env.action_space.contains(actions)
        seen, rewards, ended, cut, infos = env.step(actions)
        assert rewards.shape == ended.shape == cut.shape == (8,)
        assert not cut.any()
        assert ended.all() == ended.any() == (turn % 10 == 0) == ("final_obs" in infos)
    assert env.observation_space.contains({**seen, **infos.get("final_obs", {})})


def test_wrappers_of_gymnasium_take_it() -> None:
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector_env("standard", 4, tables=8))
    env.reset(seed=2)
    totals = np.zeros(env.num_envs)
    for _ in range(10):
        _, rewards, _, _, infos = env.step(np.zeros(env.num_envs, np.int64))
        totals += rewards
    assert infos["episode"]["l"].tolist() == [10] * env.num_envs
    assert infos["episode"]["r"] == pytest.approx(totals)
    assert totals.reshape(8, 4).sum(1) == pytest.approx(0, abs=1e-4)


def test_a_seed_makes_the_same_deals_and_opponents() -> None:
    league = [a_lowest_one(), a_careful_one()]

    def course(seed: int) -> list[np.ndarray]:
        env = vector_env("standard", 4, tables=16, opponents=["noisy", league])
        seen, _ = env.reset(seed=seed)
        found = [seen["observation"]]
        for _ in range(12):  # into the next deal
            seen, rewards, *_ = env.step(np.zeros(env.num_envs, np.int64))
            found += [seen["observation"], rewards]
        return found

    again = zip(course(1), course(1), strict=True)
    assert all(np.array_equal(one, other) for one, other in again)
    assert not np.array_equal(course(1)[0], course(2)[0])


def test_the_numbers_of_cards_are_those_of_their_features() -> None:
    random = np.random.default_rng(3)
    for game, seats in (("standard", 4), ("tactics", 10), ("double", 3), ("online", 4)):
        env = vector_env(game, seats, tables=10)
        seen, _ = env.reset(seed=4)
        while True:
            left = env.deals.left
            features = env.deals.features()[..., compact.OF_CARD].reshape(-1, left, len(compact.OF_CARD))
            numbers = seen["observation"][:, :CARDS].reshape(-1, compact.PLACES, len(compact.OF_CARD))
            assert numbers[:, :left] == pytest.approx(features, abs=2e-6), game
            assert not numbers[:, left:].any()
            if left == 1:
                break
            seen, *_ = env.step(drawn(seen["action_mask"], random))


@pytest.mark.parametrize(
    "game", sorted(RIGHT_ENDS - {"logic", "tournament", "open"})
)  # those that a table plays from the deal on
def test_a_bot_sees_at_the_table_what_it_saw_in_training(game: str) -> None:
    """A match by the rules, beside an environment that is brought to the same position before each of its cards."""
    seats = 4 if game == "online" else 3
    env = vector_env(game, seats, tables=1)
    env.reset(seed=1)
    deck = np.bincount(find(game)(seats).deck(), minlength=HIGHEST + 2)
    compared = []

    class Sees(PolicyPlayer):
        def decide(self, message: dict[str, Any]) -> Any:
            view = message["view"]
            if message["kind"] == "card":
                tables, me = env.deals.tables, view["seat"]
                hand = sorted(view["hand"])
                rows, unseen, _ = cards.asked(view, np.repeat(np.arange(len(deck)), deck), seats)
                tables.left = len(hand)
                tables.hands[0] = 0
                tables.hands[0, 0, : len(hand)] = hand
                tables.rows[0], tables.unseen[0] = rows, unseen
                tables.heads[0] = np.roll(view["heads"], -me)
                numbers, _ = compact.of_view(view, np.repeat(np.arange(len(deck)), deck), seats)
                assert env._observed()["observation"][0] == pytest.approx(numbers, abs=2e-6)
                compared.append(view["turn"])
            return super().decide(message)

    players = [Sees(a_careful_one()) for _ in range(seats)]
    report = bullring.play(*players, game=game, seed="x")
    assert not report.faults
    assert len(compared) >= seats * 9  # the last card of a hand is no choice


@pytest.mark.slow
def test_opponents_are_policies_networks_and_leagues() -> None:
    def heads(*opponents: Any) -> np.ndarray:
        """The mean heads of each seat; the learner plays by the careful policy."""
        env = vector_env("standard", 2, tables=150, opponents=opponents)
        seen, _ = env.reset(seed=5)
        policy = a_careful_one()
        for _ in range(9):
            places = np.where(seen["action_mask"], policy.run(seen["observation"]), -np.inf)
            seen, *_ = env.step(places.argmax(1))
        mean: np.ndarray = env.deals.heads.mean(0)
        return mean

    lowest, careful = heads(a_lowest_one()), heads(a_careful_one())
    assert lowest[1] > lowest[0] + 3
    assert abs(careful[1] - careful[0]) < 1.5
    mixed = heads([a_lowest_one(), a_careful_one()])
    assert careful[1] < mixed[1] < lowest[1]
    assert heads("greedy")[1] == pytest.approx(careful[1], abs=1)


def test_a_policy_that_reads_compact_becomes_a_bot(tmp_path: Any) -> None:
    policy = a_careful_one()
    policy.save(tmp_path / "policy.npz")
    assert np.array_equal(Policy.load(tmp_path / "policy.npz").weights[0], policy.weights[0])
    report = bullring.play(PolicyPlayer(policy), PolicyPlayer(a_lowest_one()), options={"deals": 20}, seed="x")
    assert (report.faults, report.ranks) == ([], [1, 2])


def test_mistakes_are_told() -> None:
    with pytest.raises(RulesError, match="leave none of 2 seats"):
        vector_env("standard", 2, opponents=["greedy", "greedy"])
    with pytest.raises(RulesError, match="the league of seat 1 is empty"):
        vector_env("standard", 2, opponents=[[]])
    with pytest.raises(ValueError, match="grow to the right, not for professional"):
        vector_env("professional", 2)
    env = vector_env("standard", 2, tables=2)
    env.reset(seed=1)
    env.step(np.zeros(4, np.int64))
    with pytest.raises(ValueError, match="has 9 cards: an action is one of 0 to 8, not 9"):
        env.step(np.array([0, 0, 9, 0]))
    with pytest.raises(ValueError, match="compact"):
        Policy("handy", [], [])
