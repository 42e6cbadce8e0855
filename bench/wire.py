"""The wire alone: microseconds to encode a decide and to decode an answer, by hand and with pydantic."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgpack
from rich.console import Console

from bench.figures import alone, interleaved, ratios, spread, table
from bench.frames import CLOCK, ENCODER, REQUEST, middle_of_a_deal, questions
from bullring.protocol.connection import Connection
from bullring.protocol.encoding import Question
from bullring.protocol.messages import FROM_BOT, Choice

CALLS = 5_000
SEATS = 4
BASES = ("decide, a whole turn: pydantic models, dump, pack", "answer: unpack + pydantic union")
"""The rows with which the rows above them are compared."""


def cases() -> dict[str, Callable[[], object]]:
    """The calls to measure, by name; all encode the same table and decode the same answer."""
    game, state, turn = middle_of_a_deal(SEATS)
    batch: Any = state.pending
    pieces = [ENCODER.seat(seat) for seat in range(SEATS)]
    clock, request = ENCODER.clock(CLOCK[0], CLOCK[1]), ENCODER.value(REQUEST)
    pack, unpack = msgpack.Packer().pack, msgpack.unpackb
    answer = ENCODER.message(Choice(type="choice", id=REQUEST, option=batch.options[0][0]))
    connection = Connection(lambda: REQUEST)
    connection.receive_hello(pack({"type": "hello", "protocol": 1, "name": "a bot"}))

    def shared() -> Question:
        return ENCODER.question(batch.kind, game.public(state), ENCODER.array(len(turn), [ENCODER.items(turn)]))

    question = shared()

    def seat(at: int, question: Question = question) -> bytes:
        hand = game.hand(state, at)
        return ENCODER.decide(question, pieces[at], hand, batch.options[at], request, clock, CLOCK[2])

    def spliced() -> list[bytes]:
        question = shared()
        return [seat(at, question) for at in range(SEATS)]

    def modelled() -> list[bytes]:
        return [pack(question.model_dump(exclude_none=True)) for question in questions(game, state, turn)]

    def received() -> object:
        connection.ask()
        return connection.receive(answer)

    assert received() == batch.options[0][0]
    assert [unpack(frame) for frame in spliced()] == [unpack(frame) for frame in modelled()]
    return {
        "decide, the part shared by all seats": shared,
        "decide, the part of one seat": partial(seat, 0),
        f"decide, a whole turn: shared part and {SEATS} seats": spliced,
        BASES[0]: modelled,
        "answer: Connection.ask + receive (checked by hand)": received,
        BASES[1]: lambda: FROM_BOT.validate_python(unpack(answer)),
        "answer: only unpack": lambda: unpack(answer),
    }


def microseconds(call: Callable[[], object]) -> float:
    """CPU microseconds per call."""
    began = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - began) / CALLS * 1e6


def section(console: Console, rounds: int) -> None:
    """Measure and print the table. There is no target: the referee's figures include these parts."""
    found = interleaved({name: partial(microseconds, call) for name, call in cases().items()}, rounds)
    shown = table(
        f"Wire, msgpack, {SEATS} seats: microseconds, median (min-max) of {rounds} rounds",
        *("what", "us", "v pydantic's way"),
    )
    for name, times in found.items():
        base = found[BASES[0] if "a whole turn" in name else BASES[1]]
        against = spread(ratios(times, base)) if "a whole turn" in name or name.startswith("answer") else ""
        shown.add_row(name, spread(times), against)
    console.print(shown)


if __name__ == "__main__":
    alone(section, __doc__, rounds=9)
