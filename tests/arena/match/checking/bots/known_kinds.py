"""Step unknown kind: a table of all kinds that there are."""

import right

KINDS = dict.fromkeys(["card", "row", "keep", "more", "draft", "side", "cards", "order", "play", "bull"], right.option)

right.play(decide=lambda message: right.decide(message, KINDS[message["kind"]]))
