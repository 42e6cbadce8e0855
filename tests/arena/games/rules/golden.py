"""Golden deals and matches, to be read card by card. Written anew by `make goldens`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.faults import STRIKES
from bullring.arena.match.records.replay import Replay
from bullring.arena.match.records.writer import FORMAT
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.arena.watching.display.transcript import Story
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from tests.support.record import NONCE

FOLDER = Path(__file__).parent / "golden"

DEALS = [
    ("bullring", 1, 104, 44),
    ("bullring", 2, 104, 44),
    ("bullring", 1, 104, 104),
    ("1", 1, 24, 24),
    ("~!#", 1000, 14, 7),
]
"""Seed, number of the deal, highest card of the deck, cards wanted."""

_CHOSEN: dict[str, tuple[str, int, Mapping[str, object]]] = {
    "standard": ("standard", 3, {"target": 20}),
    "tactics": ("tactics", 5, {"deals": 1}),
    "logic": ("logic", 2, {"deals": 1}),
    "tournament": ("tournament", 2, {}),
    "professional": ("professional", 3, {"deals": 1}),
    "open": ("open", 3, {"deals": 1}),
    "nifty": ("nifty", 3, {"deals": 1}),
    "hand": ("hand", 3, {}),
    "double-208": ("double", 4, {"deals": 1}),
    "double-113": ("double", 4, {"deals": 1, "doublets": True}),
    "eleven": ("eleven", 3, {"deals": 1}),
    "online": ("online", 4, {"tactics": True}),
}


def _others() -> Iterator[tuple[str, tuple[str, int, Mapping[str, object]]]]:
    """A match of one deal of each game for which none is chosen."""
    chosen = {game for game, _, _ in _CHOSEN.values()}
    for id, game in GAMES.items():
        if id not in chosen:
            deals = {"deals": 1} if any(spec.name == "deals" for spec in game.option_specs) else {}
            yield id, (id, min(max(3, game.seat_range[0]), game.seat_range[1]), deals)


MATCHES = {**_CHOSEN, **dict(_others())}
"""By file: game, seats and options. The seeds are made from the names of the files."""


def deals() -> str:
    """The golden deals, as a table."""
    lines = ["Deals of arena.games.rules.shuffle. Made by: make goldens"]
    for seed, number, highest, count in DEALS:
        lines += ["", f"seed {seed}, deal {number}: {count} cards of 1..{highest}"]
        cards = shuffled(range(1, highest + 1), count, seed, number)
        lines += ["".join(f"{card:5}" for card in cards[at : at + 10]) for at in range(0, count, 10)]
    return "\n".join(lines) + "\n"


def match(name: str) -> str:
    """A golden match, told by the story that people read."""
    replay = Replay(telling=True)
    story = Story(replay)
    lines = ["A match with fixed answers. Made by: make goldens", ""]
    for entry in entries(*MATCHES[name], file=name):
        lines += story.lines(replay.feed(entry))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def entries(name: str, seats: int, options: Mapping[str, object], file: str = "") -> Iterator[dict[str, Any]]:
    """The record of a match in which the seats answer one after the other with the first, the next, ... option.

    Every tenth batch is answered by the referee.
    """
    game, seed = find(name)(seats, options), Seed.given(f"golden-{file or name}", NONCE)
    names = [f"bot {letter}" for letter in "ABCDEFGHIJ"[:seats]]
    yield {
        "bullring": FORMAT,
        "game": game.id,
        "options": game.options,
        "seats": names,
        "start": game.start,
        "limits": Limits().of_bots(),
        "strikes": STRIKES,
        "commitment": seed.commitment,
    }
    state, batches = game.new(), 0
    while (pending := state.pending) is not None:
        if isinstance(pending, Shuffle):
            cards = shuffled(pending.deck, pending.cards, seed.seed, state.deal + 1)
            state, _ = game.deal(state, cards)
            yield {"deal": cards}
        else:
            assert isinstance(pending, Batch)
            batches += 1
            late = batches % 10 == 0
            answers = [
                game.fallback(state, index) if late else choices[(3 * batches + index) % len(choices)]
                for index, choices in enumerate(pending.options)
            ]
            state, events = game.apply(state, answers)
            check = crc32(ENCODERS[Dialect.MSGPACK].items(events))
            by = ["fallback" if late else "bot"] * len(answers)
            yield {"answers": answers, "us": [1500 * (seat + 1) for seat in pending.seats], "by": by, "check": check}
    ranks = [1 + sum(other < score for other in state.scores) for score in state.scores]
    yield {"end": {"seed": seed.seed, "nonce": seed.nonce, "scores": state.scores, "ranks": ranks, "void": None}}


def files() -> dict[str, str]:
    """All golden files and what must stand in them."""
    return {"deals.txt": deals()} | {f"{name}.txt": match(name) for name in MATCHES}
