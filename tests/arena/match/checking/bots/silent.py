"""Step question: it reads everything and says nothing."""

import right

right.play(decide=lambda message: None)
