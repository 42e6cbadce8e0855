"""The tables of all games, their steps in words, and the lines of people who play without a screen."""

import re
from collections.abc import Iterator, Sequence

import pytest

from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.display.tabletop import history, scores, sorry, tabletop
from bullring.arena.watching.people.plain import lines
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.teacher import taught
from tests.arena.games.rules.golden import MATCHES, entries
from tests.languages.catalogue import Check

SIZES = ((160, 50), (100, 30), (40, 12))
NAMES = "ΓΔΘΛΞΠΣΦΨΩ"


def frames_of(match: str, *, opened: bool = False, addressed: bool = False) -> list[Frame]:
    """The frames of a match between players with names in no alphabet of ours. The first one is a person."""
    reducer = Reducer(opened=opened, addressed=addressed)
    head, *rest = entries(*MATCHES[match], file=match)
    head = {**head, "seats": list(NAMES[: len(head["seats"])]), "people": [0]}
    return [frame for entry in (head, *rest) for frame in reducer.feed(entry)]


def shown(frames: Sequence[Frame]) -> list[Frame]:
    """A frame of each kind of step, and the last one."""
    kinds = {(type(frame.step), getattr(frame.step, "kind", "")): frame for frame in frames}
    return [*kinds.values(), frames[-1]]


@pytest.mark.parametrize("match", MATCHES)
def test_tables(match: str, whole: Check) -> None:
    for at, frame in enumerate(shown(frames_of(match, opened=True))):
        width, height = SIZES[at % len(SIZES)]
        whole(tabletop(frame, width, height, waited=3, phase=at % 2 / 2).plain)
        whole(history(frame.picture, 100, 20).plain)
        whole(scores(frame.picture, 100, 20).plain)
        whole("\n".join(lines(frame.picture)))
    for width, height in SIZES:
        whole(tabletop(frames_of(match)[-1], width, height).plain)
    whole(sorry(39, 11).plain)


@pytest.mark.parametrize("match", MATCHES)
def test_steps_and_lessons(match: str, whole: Check) -> None:
    for said in sentences(match):
        whole(said)


def sentences(match: str, *, addressed: bool = False) -> Iterator[str]:
    """All that is said of a match: step by step, by the teacher, and in the history."""
    frames = frames_of(match, addressed=addressed)
    last = frames[-1].picture
    yield from map(told, frames)
    yield from filter(None, taught(frames, GAMES[last.game](len(last.seats))))
    yield from (line.text for line in last.log)


@pytest.mark.parametrize("match", MATCHES)
def test_the_one_who_reads_is_never_named(match: str) -> None:
    for code in LANGUAGES:
        with speaking(code):
            said = [*sentences(match, addressed=True)]
        assert not [one for one in said if NAMES[0] in one]
        assert not [one for one in said if _WRONG[code].search(one)]


_WRONG = {
    "en": re.compile(r"\b[Yy]ou \w+s\b|[Yy]ou's"),
    "de": re.compile(r"\b[Dd]u \w+[^s]t\b(?<!st)|von du|\b(für|an) du\b"),
}
"""What "you" cannot be followed by."""
