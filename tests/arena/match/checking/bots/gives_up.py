"""Step fault: it ends when the referee complains."""

import right


def decide(message):
    if "fault" in message:
        raise SystemExit(message["fault"])
    right.decide(message)


right.play(decide=decide)
