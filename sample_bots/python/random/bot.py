"""Plays a random option."""

from random import Random

from bullring_bot import Bot, Message, Option, run


class RandomBot(Bot):
    """The least a bot must do. Plays every game."""

    name = "random"

    def welcome(self, message: Message) -> None:
        """Seed the generator from the match, so that the same match can be played again."""
        self.random = Random(message["seed"])

    def decide(self, message: Message) -> Option:
        """Return any of the options."""
        return self.random.choice(message["options"])


if __name__ == "__main__":
    run(RandomBot())
