"""Plays any option, by chance."""

from random import Random

from bullring_bot import Bot, Message, Option, run


class RandomBot(Bot):
    """The least that a bot must do. Plays every game."""

    name = "random"

    def welcome(self, message: Message) -> None:
        """Start anew from the seed of the match, so that the match can be played again."""
        self.random = Random(message["seed"])

    def decide(self, message: Message) -> Option:
        """Any of the options."""
        return self.random.choice(message["options"])


if __name__ == "__main__":
    run(RandomBot())
