"""The session with the referee, so that a bot can be about the game alone.

Derive from `Bot` and hand an instance to `run`. Needs only the package msgpack; copy this file into your bot's folder.
"""

import os
import sys
from typing import Any

import msgpack

Message = dict[str, Any]
Option = int | str | list[int]


class Bot:
    """What a program does with the messages of the referee."""

    name = "unnamed"

    def welcome(self, message: Message) -> None:
        """A match begins. One process may be asked to play many, one after the other."""

    def decide(self, message: Message) -> Option:
        """Answer a question with one of message["options"]."""
        return message["options"][0]

    def match_over(self, message: Message) -> None:
        """The match has ended."""


def run(bot: Bot) -> None:
    """Play until the referee says bye or is gone."""
    sys.stdout = sys.stderr  # stdout belongs to the protocol, and a stray print would be a fault
    _send({"type": "hello", "protocol": 1, "name": bot.name})
    unpacker = msgpack.Unpacker()
    # os.read gives what has come, be it half a message or three; a buffered reader would wait for more.
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
