"""Each step in a sentence: in every language, in every game."""

import json

import pytest

from bullring.arena.games.rulebook.language import LANGUAGES, in_all, speaking
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
        sentences = {*in_all(told, frame).values()}
        assert len(sentences) == len(LANGUAGES)
        assert all(one.endswith(".") and not {"{", "}"} & {*one} for one in sentences)
    assert isinstance(frames[-1].step, Ended)
    assert told(read(json.loads(written(frames[-1])))) == told(frames[-1])


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
    assert told(frame) == "Fault of bot B: too late. The referee plays on for bot B."
    with speaking("de"):
        assert told(frame) == "Fehler von bot B: zu spät. Der Schiedsrichter spielt für bot B weiter."
        *_, frame = reducer.feed({"fault": fault | {"kind": "illegal", "got": "105", "strike": 2}})
    last = frame.picture.log[-1].text
    assert last == "Fehler von bot B: verbotene Antwort (105); der Schiedsrichter spielt weiter"


def test_those_who_still_think_are_named() -> None:
    reducer = Reducer()
    head, deal, *_ = entries(*MATCHES["standard"], file="standard")
    for entry in (head, deal):
        reducer.feed(entry)
    (frame,) = reducer.thinking([0, 2])
    assert told(frame) == "bot A and bot C are still thinking."
    (frame,) = reducer.thinking([2])
    with speaking("de"):
        assert told(frame) == "bot C überlegt noch."
