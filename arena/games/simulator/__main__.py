"""Compile all kernels and keep them where BULLRING_KERNELS says: ``python -m bullring.arena.games.simulator``."""

from . import Tables, play, playouts, position


def main() -> None:
    """Call each kernel once."""
    play("standard", 2, {}, "random", 1, 0)
    view = {"deal": 1, "turn": 10, "rows": [[1], [2], [3], [4]], "row_heads": [1, 1, 1, 1]}
    view |= {"played": [], "piles": [[], []], "seat": 0, "hand": [5]}
    playouts(position("standard", {}, 2, view, "card"), [5], "random", 1, 0)
    tables = Tables("standard", 2, {}, 1)
    tables.deal(0)
    tables.step(tables.choose("random"))


if __name__ == "__main__":
    main()
