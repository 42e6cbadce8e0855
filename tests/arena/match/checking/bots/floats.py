"""Step question: numbers as floats."""

import right

right.play(decide=lambda message: right.decide(message, lambda message: float(message["options"][0])))
