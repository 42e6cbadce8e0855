"""Plays by the policy in policy.npz."""

import os
from pathlib import Path

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # for small networks, more threads only take time; set before numpy is loaded

from bullring_bot import Bot, Message, Option, run
from policy.network import Policy
from policy.playing import PolicyPlayer


class Trained(Bot):
    """A policy at the table."""

    def __init__(self) -> None:
        policy = Policy.load(Path(__file__).with_name("policy.npz"))
        self.name = str(policy.about.get("name", "policy"))[:64]
        self._player = PolicyPlayer(policy)

    def welcome(self, message: Message) -> None:
        self._player.welcome(message)

    def decide(self, message: Message) -> Option:
        return self._player.decide(message)


if __name__ == "__main__":
    run(Trained())
