"""The session with the referee, so that a bot need only care about the game.

Derive from `Bot` and pass an instance to `run`. Needs only the package msgpack; copy this file into your bot's folder.
"""

import os
import sys
from typing import Any

import msgpack

Message = dict[str, Any]
Option = int | str | list[int]


class Bot:
    """A bot: override the methods to handle the messages of the referee."""

    name = "unnamed"

    def welcome(self, message: Message) -> None:
        """A match begins. One process may play many, one after another."""

    def decide(self, message: Message) -> Option:
        """Answer a question with one of message["options"]."""
        return message["options"][0]

    def match_over(self, message: Message) -> None:
        """The match has ended."""


def run(bot: Bot) -> None:
    """Play until the referee says bye or closes stdin."""
    sys.stdout = sys.stderr  # stdout belongs to the protocol: a stray print would be a fault
    _send({"type": "hello", "protocol": 1, "name": bot.name})
    unpacker = msgpack.Unpacker()
    # os.read returns whatever has arrived, be it half a message or three; a buffered reader would wait for more.
    while data := os.read(0, 65536):
        unpacker.feed(data)
        for message in unpacker:
            match message.get("type"):
                case "welcome":
                    bot.welcome(message)
                case "decide":
                    _send({"type": "choice", "id": message["id"], "option": bot.decide(message)})
                case "match_over":
                    bot.match_over(message)
                case "bye":
                    return


def _send(message: Message) -> None:
    data = msgpack.packb(message)
    while data:
        data = data[os.write(1, data) :]
