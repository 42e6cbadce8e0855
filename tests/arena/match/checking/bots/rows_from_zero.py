"""Step kinds: it counts rows from 0."""

import right


def option(message):
    first = message["options"][0]
    return first - 1 if message["kind"] == "row" else first


right.play(decide=lambda message: right.decide(message, option))
