"""Step unknown: it refuses events that it does not know."""

import right

KNOWN = {"deal", "play", "place", "deal_over", "lay", "keep"}


def decide(message):
    for event in message["events"]:
        assert event["type"] in KNOWN, event
    right.decide(message)


right.play(decide=decide)
