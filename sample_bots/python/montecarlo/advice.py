"""Lines of JSON for those who ask a bot for advice: `python thoughts.py` reads questions and writes thoughts.

It says {"ready": true} when it can be asked. Then each line that it reads is a JSON object: "match", the welcome message of a
match; "question", a decide message; "seconds", how long to think. The answer is a line with "thoughts", a list of [option, heads,
error]; "best", the place of the best option in it; and "playouts", how many each option had. The heads are those expected from here
to the end of the deal, the error is the standard error of the difference to the best option. A decision not made by playouts has no
thoughts; "best" is then the choice of the bot, or null. A new line ends the thinking about the one before.
"""

import json
import os
import select
from collections.abc import Callable, Iterator
from typing import Any

Message = dict[str, Any]


def serve(thoughts: Callable[[Message, Message, float], Message]) -> None:
    """Answer questions until stdin ends."""
    _say({"ready": True})
    for asked in _lines():
        _say(thoughts(asked["match"], asked["question"], asked["seconds"]))


def interrupted() -> bool:
    """Whether another question waits."""
    return bool(select.select([0], [], [], 0)[0])


def _lines() -> Iterator[Message]:
    """The lines of stdin, none read before it is wanted, so that `select` tells whether another one waits."""
    with open(0, "rb", buffering=0, closefd=False) as stdin:
        for line in stdin:
            yield json.loads(line)


def _say(message: Message) -> None:
    """Write a line to stdout."""
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]
