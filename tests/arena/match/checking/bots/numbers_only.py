"""Step stop: it takes every option for a number."""

import right


def number(message):
    option = message["options"][-1] if message["options"][0] == "stop" else message["options"][0]
    return option if isinstance(option, list) else int(option)


right.play(decide=lambda message: right.decide(message, number))
