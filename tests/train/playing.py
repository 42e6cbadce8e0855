"""Players and policies that only know the order of what they may do."""

from typing import Any

import numpy as np

from bullring.train.solo import OneSeat


def first(mask: np.ndarray) -> int:
    """The first legal action."""
    return int(np.flatnonzero(mask)[0])


def lowest(message: dict[str, Any]) -> Any:
    return message["options"][0]


def highest(message: dict[str, Any]) -> Any:
    return message["options"][-1]


def play_first(env: OneSeat, seed: int) -> list[np.ndarray]:
    """Play a match by the first legal action. Returns what was seen before each."""
    seen = []
    observation, _ = env.reset(seed=seed)
    over = False
    while not over:
        seen.append(observation["observation"])
        observation, _, over, _, _ = env.step(first(observation["action_mask"]))
    return seen
