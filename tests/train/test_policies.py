"""Policies: their file, what they read, and the bot that one becomes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bullring
from bullring.arena.games.rules.registry import GAMES
from bullring.train.layout import layout_of
from bullring.train.policy import cards, compact
from bullring.train.policy.encoding import Encoder
from bullring.train.policy.network import Policy
from bullring.train.policy.playing import PolicyPlayer
from bullring.train.solo import seat_env
from tests.support.command import here
from tests.train.playing import lowest, play_first

LIMITS = bullring.Limits.seconds(start=60, card=60, row=60)


def a_greedy_one() -> Policy:
    """It plays the card with the fewest expected heads, on a tie the highest: one layer."""
    weights = np.zeros((cards.SIZE, 1), np.float32)
    weights[1], weights[12] = -10, 0.5
    return Policy("cards", [weights], [np.zeros(1, np.float32)], about={"name": "tiny"})


def a_random_one(game: str, seats: int) -> Policy:
    layout = layout_of(bullring.new_game(game, seats))
    random = np.random.default_rng(1)
    weights = [random.normal(size=shape).astype(np.float32) for shape in ((layout.size, 8), (8, len(layout.actions)))]
    biases = [np.zeros(size, np.float32) for size in (8, len(layout.actions))]
    return Policy("observation", weights, biases, "tanh", layout)


def a_compact_one() -> Policy:
    random = np.random.default_rng(3)
    weights = random.normal(size=(compact.SIZE, compact.PLACES)).astype(np.float32)
    return Policy("compact", [weights], [np.zeros(compact.PLACES, np.float32)])


@pytest.mark.parametrize(
    "policy", [a_greedy_one(), a_random_one("nifty", 3), a_compact_one()], ids=["cards", "observation", "compact"]
)
def test_a_file_holds_all_of_a_policy(policy: Policy, tmp_path: Path) -> None:
    policy.save(tmp_path / "policy.npz")
    again = Policy.load(tmp_path / "policy.npz")
    assert (again.reads, again.activation, again.layout, again.about) == (
        policy.reads,
        policy.activation,
        policy.layout,
        policy.about,
    )
    inputs = np.random.default_rng(2).normal(size=(5, len(policy.weights[0])))
    assert np.array_equal(policy.run(inputs), again.run(inputs))


def test_a_policy_beats_the_lowest_at_the_table() -> None:
    report = bullring.play(PolicyPlayer(a_greedy_one()), lowest, options={"deals": 20}, seed="x")
    assert not report.faults
    assert report.ranks == [1, 2]


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_of_observations_plays_its_game_legally(game: str) -> None:
    seats = max(3, GAMES[game].seat_range[0])
    player = PolicyPlayer(a_random_one(game, seats))
    report = bullring.play(*[player] * seats, game=game, seed="x")
    assert not report.faults


@pytest.mark.parametrize("game", GAMES)
def test_any_policy_plays_any_game_legally(game: str) -> None:
    seats = max(2, GAMES[game].seat_range[0])
    players = [PolicyPlayer(each) for each in (a_greedy_one(), a_random_one("standard", 5), a_compact_one())]
    report = bullring.play(*(players * seats)[:seats], game=game, seed="x")
    assert not report.faults


def test_a_seat_reads_its_questions_as_the_environment_does() -> None:
    """A policy sees at the table what it saw in training."""
    seen = []
    encoder = Encoder(layout_of(bullring.new_game("double", 3)))

    def reads(message: dict[str, Any]) -> Any:
        seen.append(encoder.observe(json.loads(json.dumps(message["view"])), message["kind"]))
        return lowest(message)

    env = seat_env("double", 3, options={"deals": 1}, opponents=[lowest] * 2)
    told = play_first(env, 3)
    env.close()
    bullring.play(reads, *[lowest] * 2, game="double", options={"deals": 1}, seed="3")
    assert len(seen) == len(told)
    assert all(np.array_equal(one, other) for one, other in zip(seen, told, strict=True))


def test_the_numbers_of_cards_are_what_they_say() -> None:
    view = {
        "rows": [[5], [20, 22, 24, 25, 26], [50], [90]],
        "row_heads": [2, 8, 3, 3],
        "played": [],
        "piles": [[], []],
        "hand": [3, 27, 51],
    }
    numbers = cards.of_view(view, [27, 3, 51], range(1, 105), 2)
    named = [dict(zip(cards.NAMES, line, strict=True)) for line in numbers]
    full, low, close = named
    assert [line["it fits in no row"] for line in named] == [0, 1, 0]
    assert full["its row is full"] == 1
    assert full["probability that it is the sixth card of its row"] == 1
    assert full["heads of its row (of the cheapest if it fits nowhere), divided by 10"] == pytest.approx(0.8)
    assert close["expected heads in this turn, if the others play random unseen cards; divided by 10"] == 0
    hidden = 104 - 8 - 3
    assert low["share of the hidden cards that fit in no row"] == pytest.approx(3 / hidden)  # the 1, 2 and 4
    assert low["probability that it is the sixth card of its row"] == pytest.approx((hidden - 2) / hidden)


def test_a_policy_becomes_a_bot_that_plays_in_a_cell(tmp_path: Path) -> None:
    a_greedy_one().save(tmp_path / "policy.npz")
    made = here("new", "python", str(tmp_path / "mine"), "--from-policy", str(tmp_path / "policy.npz"))
    assert made.exit_code == 0, made.output
    settings: Any = {"options": {"deals": 10}, "seed": "x", "limits": LIMITS}
    report = bullring.play(str(tmp_path / "mine"), lowest, **settings)
    assert not report.faults
    assert report.scores == bullring.play(PolicyPlayer(a_greedy_one()), lowest, **settings).scores


@pytest.mark.parametrize(
    ("content", "text"),
    [(b"print('hello')", "it is not an .npz file"), (None, "No such file")],
)
def test_what_is_no_policy_is_told(content: bytes | None, text: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "policy.npz").write_bytes(content)
    made = here("new", "python", str(tmp_path / "mine"), "--from-policy", str(tmp_path / "policy.npz"))
    assert made.exit_code == 2
    assert text in made.stderr
    assert not (tmp_path / "mine").exists()


def test_a_policy_is_for_bots_in_python(tmp_path: Path) -> None:
    made = here("new", "rust", str(tmp_path / "mine"), "--from-policy", "policy.npz")
    assert made.exit_code == 2
    assert "--from-policy makes a bot in Python" in made.stderr


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"reads": "tea"}, '"reads" must be'),
        ({"activation": "step"}, '"activation" must be'),
        ({"reads": "observation"}, 'needs the "layout"'),
        ({"weights": []}, "0 layers of weights and 1 of biases"),
        ({"weights": [np.zeros((3, 1), np.float32)]}, r"layer 0 must have weights \(25, n\)"),
        ({"weights": [np.zeros((25, 2), np.float32)], "biases": [np.zeros(2)]}, "must have 1 outputs, not 2"),
        ({"scale": np.zeros(3, np.float32)}, r"scale must have the shape \(25,\)"),
    ],
)
def test_a_policy_whose_parts_do_not_fit_is_told(change: dict[str, Any], text: str) -> None:
    parts: dict[str, Any] = {"reads": "cards", "weights": a_greedy_one().weights, "biases": a_greedy_one().biases}
    with pytest.raises(ValueError, match=text):
        Policy(**{**parts, **change})


def test_a_file_with_pickled_objects_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "policy.npz", about=np.array([object()]))
    with pytest.raises(ValueError, match="allow_pickle"):
        Policy.load(tmp_path / "policy.npz")
