"""Step quiet: it prints to stdout what it thinks."""

import right


def decide(message):
    print("I take", message["options"][0], flush=True)
    right.decide(message)


right.play(decide=decide)
