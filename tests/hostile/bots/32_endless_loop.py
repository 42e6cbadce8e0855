"""Never comes to an end of its thinking. Bound: five seconds."""

from hostile import play, spin

play(lambda number, message: spin(5))
