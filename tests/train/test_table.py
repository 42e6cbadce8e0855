"""Promises of environments beyond PettingZoo: the same matches, hidden plays, opponents, illegal actions, rewards."""

import sys
from collections.abc import Callable

import numpy as np
import pytest

import bullring
from bullring import train
from bullring.arena.games.rules.registry import GAMES
from bullring.errors import BotError, RulesError, UsageError
from bullring.train.aec import SeatsInTurn, aec_env
from bullring.train.layout import layout_of, left_out
from bullring.train.parallel import parallel_env
from bullring.train.solo import seat_env
from tests.train.playing import first, lowest


def play_first(env: SeatsInTurn) -> dict[str, float]:
    """Play a match by the first legal action. Returns the sums of rewards."""
    sums = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        sums[agent] += reward
        env.step(None if terminated or truncated else first(observation["action_mask"]))
    return sums


@pytest.mark.parametrize("game", GAMES)
def test_an_observation_has_the_whole_view(game: str) -> None:
    assert left_out(GAMES[game](GAMES[game].seat_range[1])) == []


def test_the_deals_are_those_of_a_match_with_this_seed() -> None:
    env = aec_env("standard", 3, options={"deals": 2})
    env.reset(seed=7)
    play_first(env)
    report = bullring.play(lowest, lowest, lowest, options={"deals": 2}, seed="7")
    assert env.table.state.scores == report.scores


def test_rewards_of_heads_add_up_to_the_score() -> None:
    env = aec_env("hand", 3)
    env.reset(seed=1)
    sums = play_first(env)
    assert list(sums.values()) == [-score for score in env.table.state.scores]


@pytest.mark.parametrize("reward", ["relative", "rank"])
def test_other_rewards_add_up_to_nothing(reward: str) -> None:
    env = aec_env("standard", 4, options={"deals": 1}, reward=reward)
    env.reset(seed=1)
    sums = play_first(env)
    assert sum(sums.values()) == pytest.approx(0)
    best = min(range(4), key=lambda seat: env.table.state.scores[seat])
    assert max(sums, key=lambda agent: sums[agent]) == f"seat_{best}"


def test_matches_after_a_seed_are_a_fixed_sequence() -> None:
    def three(env: SeatsInTurn) -> list[list[int]]:
        scores = []
        for number in range(3):
            env.reset(seed=5 if number == 0 else None)
            play_first(env)
            scores.append(env.table.state.scores.copy())
        return scores

    env, other = aec_env("tactics", 3, options={"deals": 1}), aec_env("tactics", 3, options={"deals": 1})
    found = three(env)
    assert three(other) == three(env) == found
    assert found[0] != found[1]


def test_a_hidden_play_stays_hidden() -> None:
    env = aec_env("standard", 3)
    env.reset(seed=2)
    before = env.observe("seat_1")
    env.step(first(env.observe("seat_0")["action_mask"]))
    assert env.agent_selection == "seat_1"
    assert np.array_equal(before["observation"], env.observe("seat_1")["observation"])


def test_seats_that_are_not_asked_can_only_wait() -> None:
    env = parallel_env("open", 3)
    observations, infos = env.reset(seed=3)
    waiting = [agent for agent in env.agents if observations[agent]["action_mask"][-1]]
    assert waiting == ["seat_1", "seat_2"]
    assert [infos[agent]["kind"] for agent in env.agents] == ["card", "", ""]


def test_an_answer_of_several_numbers_takes_several_actions() -> None:
    env = parallel_env("nifty", 2)
    observations, _ = env.reset(seed=3)
    given = layout_of(env.table.game).slices()["given"]
    actions = {agent: first(observations[agent]["action_mask"]) for agent in env.agents}
    observations, _, *_ = env.step(actions)
    for agent in env.agents:
        chosen = np.flatnonzero(observations[agent]["observation"][given])
        assert [card + 1 for card in chosen] == [env.table.encoder.layout.actions[actions[agent]].value]
    env.step({agent: first(observations[agent]["action_mask"]) for agent in env.agents})
    assert env.table.state.turn == 1
    assert all(len(hand) == 12 for hand in env.table.state.hands)


def test_what_a_seat_sees_does_not_depend_on_its_number() -> None:
    env = parallel_env("standard", 3)
    env.reset(seed=4)
    layout, table = env.table.encoder.layout, env.table
    table.state.piles = [[1, 2], [3], []]
    piles = layout.slices()["piles"]
    seen = [table.observe(seat)[piles].reshape(3, -1) for seat in range(3)]
    assert np.array_equal(seen[0][1], seen[1][0])
    assert seen[1][2, 0] == 1


def test_an_illegal_action_is_answered_by_the_fallback_and_told() -> None:
    env = seat_env("standard", 2, opponents=[lowest], options={"deals": 1})
    observation, _ = env.reset(seed=1)
    expected = env.table.game.fallback(env.table.state, 0)
    _, _, _, _, info = env.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert info["illegal"] == 1
    assert expected not in env.table.state.hands[0]


def test_an_illegal_action_is_an_error_where_that_is_wished() -> None:
    env = aec_env("standard", 2, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(RulesError, match=r"action 108 of seat 0 is not legal: it is asked for a card; legal are"):
        env.step(108)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: aec_env("standard", 2, opponents=["@greedy", "@greedy"]), BotError, "fewer than 2 opponents"),
        (lambda: aec_env("standard", 2, reward="money"), RulesError, "reward must be 'heads' or"),
        (lambda: aec_env("standard", 2, illegal="ignore"), RulesError, "illegal must be"),
        (lambda: seat_env("standard", 4, opponents=["@greedy"]), BotError, "give 3 opponents, not 1"),
        (lambda: aec_env("standard", 2, opponents=[7]), BotError, "an opponent must be"),
        (lambda: aec_env("poker", 2), RulesError, "there is no game"),
    ],
)
def test_wrong_settings_are_told(make: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()


def test_actions_that_are_none_are_told() -> None:
    env = aec_env("standard", 2)
    env.reset()
    with pytest.raises(RulesError, match="an action is a whole number from 0 to 108, not 'seven'"):
        env.step("seven")  # type: ignore[arg-type]  # on purpose
    parallel = parallel_env("standard", 2)
    parallel.reset()
    with pytest.raises(RulesError, match="seat_0 is asked and has no action"):
        parallel.step({"seat_1": 3})


def test_an_episode_may_be_cut_off() -> None:
    env = parallel_env("standard", 2, max_cycles=3)
    env.reset(seed=1)
    for _ in range(3):
        _, _, terminated, truncated, _ = env.step(dict.fromkeys(env.agents, 0))
    assert not any(terminated.values())
    assert all(truncated.values())
    assert env.agents == []


def test_the_table_can_be_drawn() -> None:
    env = aec_env("standard", 2, render_mode="ansi")
    env.reset(seed=1)
    assert "asked: card of seats [0, 1]" in str(env.render())


def test_the_state_is_what_all_seats_see() -> None:
    for env in (aec_env("hand", 3), parallel_env("hand", 3)):
        env.reset(seed=1)
        state = env.state()
        assert env.state_space.contains(state)
        assert np.array_equal(state[1], env.table.observe(1))


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "bullring.train.aec" or name.startswith("pettingzoo")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(UsageError, match=r"aec_env needs pettingzoo: pip install 'bullring\[train\]'"):
        _ = train.aec_env
