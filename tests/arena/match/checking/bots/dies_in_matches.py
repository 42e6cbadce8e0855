"""Step match: it dies at its first question with a long limit, which is in a match."""

import right


def decide(message):
    if message["time"]["limit_us"] > 1_000_000:
        raise SystemExit("so much time")
    right.decide(message)


right.play(decide=decide)
