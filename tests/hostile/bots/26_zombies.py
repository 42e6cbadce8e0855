"""Never fetches its dead children. Bound: 200 children, which end at once."""

from hostile import children, held, play

held(f"{len(children(200, lambda: None))} zombies")
play()
