"""What the bot thinks of each option, for those who ask for advice: `python thoughts.py` reads questions and writes thoughts.

It says {"ready": true} when its kernels are loaded. Then each line that it reads is a JSON object: "match", the welcome message of
a match; "question", a decide message; "seconds", how long to think. The answer is a line with "thoughts", a list of [option, heads,
error]; "best", the place of the best option in it; and "playouts", how many each option had. The heads are those expected from
here to the end of the deal, the error is the standard error of the difference to the best option. There are no thoughts about what
is not decided by playouts; "best" is then the choice of the bot, or null. A new line ends the thinking about the one before.
"""

import json
import os
import select
from collections.abc import Iterator
from time import monotonic
from typing import Any

import kernels  # noqa: F401  # before whatever is compiled
from games import GAMES, warm_up
from search import weigh
from simulator.chance import streams

Message = dict[str, Any]


def thoughts(match: Message, question: Message, seconds: float) -> Message:
    """The thoughts about one question."""
    options, kind, view = question["options"], question["kind"], question["view"]
    kinds, asked = GAMES.get(match["game"], ((), None))
    if asked is None or kind not in kinds:
        best = options.index(max(options)) if kind == "draft" else None
        return {"thoughts": [], "best": best, "playouts": 0}
    begin = monotonic()

    def spent(_: int) -> float:
        return 1.0 if select.select([0], [], [], 0)[0] else (monotonic() - begin) / seconds

    heads, errors, best, playouts = weigh(asked(match, kind, view, options), len(options), streams(0, 0, 1), spent)
    found = [[option, *values] for option, *values in zip(options, heads, errors, strict=True)]
    return {"thoughts": found, "best": best, "playouts": playouts}


def lines() -> Iterator[Message]:
    """The lines of stdin, none read before it is wanted, so that `select` tells whether another one waits."""
    with open(0, "rb", buffering=0, closefd=False) as stdin:
        for line in stdin:
            yield json.loads(line)


def say(message: Message) -> None:
    """Write a line to stdout."""
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    warm_up()
    say({"ready": True})
    for asked in lines():
        say(thoughts(asked["match"], asked["question"], asked["seconds"]))
