"""Each step in a sentence: in every language, in every game."""

import json

import pytest

from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.watching.picture.frames_json import read, written
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.steps import Ended, Faulted
from tests.arena.games.rules.golden import MATCHES, entries


@pytest.mark.parametrize("match", MATCHES)
def test_every_step_says_something_of_its_own_in_every_language(match: str) -> None:
    reducer = Reducer()
    frames = [frame for entry in entries(*MATCHES[match], file=match) for frame in reducer.feed(entry)]
    for frame in frames:
        sentences = {told(frame, code) for code in LANGUAGES}
        assert len(sentences) == len(LANGUAGES)
        assert all(one.endswith(".") and not {"{", "}"} & {*one} for one in sentences)
    assert isinstance(frames[-1].step, Ended)
    assert told(read(json.loads(written(frames[-1]))), "de") == told(frames[-1], "de")


def test_a_bot_at_fault_is_named() -> None:
    head, deal, *_ = entries(*MATCHES["standard"], file="standard")
    fault = {
        "seat": 1,
        "kind": "timeout",
        "decision": "card",
        "expected": "an answer",
        "got": "nothing",
        "elapsed_ms": 9.5,
        "strike": 1,
        "closed": True,
    }
    reducer = Reducer()
    *_, frame = [frame for entry in (head, deal, {"fault": fault}) for frame in reducer.feed(entry)]
    assert isinstance(frame.step, Faulted)
    assert told(frame) == "Fault of bot B: timeout in card: nothing. The referee plays on for bot B."
    assert told(frame, "de").endswith("Der Schiedsrichter spielt für bot B weiter.")


def test_those_who_still_think_are_named() -> None:
    reducer = Reducer()
    head, deal, *_ = entries(*MATCHES["standard"], file="standard")
    for entry in (head, deal):
        reducer.feed(entry)
    (frame,) = reducer.thinking([0, 2])
    assert told(frame) == "bot A and bot C are still thinking."
    (frame,) = reducer.thinking([2])
    assert told(frame, "de") == "bot C überlegt noch."
