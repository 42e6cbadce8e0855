"""Matches to be taught: what a teacher might say of them, with the events from which that can be checked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn
from bullring.arena.games.rules.stages import DealOver
from bullring.arena.match.records.replay import Answered, Dealt, Replay
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.teacher import Teacher
from tests.arena.games.rules.golden import MATCHES, entries

_CHOSEN: dict[str, list[tuple[int, Mapping[str, object]]]] = {
    "standard": [(4, {"target": 12}), (3, {"target": 9, "target_rule": "reach"})],
    "tactics": [(4, {"deals": 2}), (2, {"deals": 1})],
    "logic": [(3, {"deals": 2})],
    "tournament": [(3, {})],
    "professional": [(4, {"deals": 1}), (2, {"deals": 2})],
    "open": [(3, {"deals": 1})],
    "nifty": [(3, {"deals": 1})],
    "hand": [(3, {"deals": 1}), (2, {"deals": 2})],
    "double": [(9, {"deals": 1}), (10, {"deals": 1}), (6, {"deals": 1, "doublets": True})],
    "eleven": [(3, {"deals": 2}), (2, {"deals": 1})],
    "online": [(4, {}), (4, {"tactics": True})],
}

TABLES = {**_CHOSEN, **{game: [(seats, options)] for game, seats, options in MATCHES.values() if game not in _CHOSEN}}
"""By game: seats and options."""


@dataclass
class Told:
    """The end of a turn: all that a teacher might say, and what it says, with what has happened since the last one."""

    frame: Frame
    lessons: list[Lesson]
    chosen: Lesson | None
    sentence: str | None
    events: list[Event]
    """Those of the turn, and perhaps the end of the deal."""
    seen: set[int] = field(default_factory=set)
    """The cards that were seen in the deal before this turn."""


class _Listening(Lessons):
    """Keeps what the lessons of a game are."""

    def __init__(self, lessons: Lessons) -> None:
        self.lessons = lessons
        self.heard: list[list[Lesson]] = []

    def of(self, turn: Turn) -> Iterator[Lesson]:
        self.heard.append([*self.lessons.of(turn)])
        return iter(self.heard[-1])


def taught(match: str, seats: int, options: Mapping[str, object], file: str) -> Iterator[Told]:
    """All ends of turns of a match. The answers follow a fixed pattern, the cards are drawn from the name `file`."""
    reducer, replay = Reducer(), Replay()
    teacher: Any = None
    events: list[Event] = []
    seen: set[int] = set()
    for entry in entries(match, seats, options, file=file):
        happening = replay.feed(entry)
        if isinstance(happening, Answered | Dealt):
            events += happening.events
        for frame in reducer.feed(entry):
            if teacher is None:
                listening = _Listening(reducer.replay.game.lessons)
                reducer.replay.game.lessons = listening  # type: ignore[misc]  # for this match only
                teacher = Teacher(reducer.replay.game)
            listening.heard.clear()
            sentence = teacher.feed(frame)
            for lessons in listening.heard:
                yield Told(frame, lessons, teacher.lesson, sentence, events.copy(), seen.copy())
                for event in events:
                    if event["type"] in ("deal", "rows"):
                        seen = {card for row in event.get("rows", ()) for card in row}
                    seen |= set(_shown(event))
                comes = isinstance(frame.step, DealOver)  # the end of the deal is told after the turn
                events = [event for event in events if event["type"] == "deal_over" and comes]


def _shown(event: Event) -> list[int]:
    if event["type"] == "play":
        return [card for cards in event["cards"] for card in (cards if isinstance(cards, list) else [cards])]
    return [event["card"]] if event["type"] == "lay" else []
