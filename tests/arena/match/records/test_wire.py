"""The wire of a seat, recomputed from a record. After every match of `scripted.referee` it is compared with what came."""

import json
from pathlib import Path
from random import Random
from typing import Any

import msgpack
import pytest
import trio

from bullring.arena.games.rules.game import Game
from bullring.arena.match.faults import FaultKind
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.match.records.wire import Exchange, Failed, Passed, Wire
from bullring.arena.settings.limits import Limits
from bullring.errors import RecordError, SeatsError
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS, Encoder
from tests.arena.games.rules.playing import every_game
from tests.support.record import record_of, sent_in
from tests.support.scripted import Script, Scripted, first_option, referee, script_of, silent

LIMITS = Limits.seconds(card=0.1, row=0.05, other=0.2, bank=0.3)
HELLO = {"type": "hello", "protocol": 1, "name": "erratic", "version": "ü"}


def erratic(random: Random, encoder: Encoder, framed: bool) -> Script:
    """A bot that thinks for as long as it likes, and does all kinds of things beside giving legal answers."""

    async def script(bot: Scripted) -> None:
        data = b""
        while True:
            await trio.lowlevel.wait_readable(bot.bot_in)
            data += bot.hear()
            messages, data = _messages(data, encoder, framed)
            for message in messages:
                if message["type"] == "decide":
                    await _answer(bot, message)

    async def _answer(bot: Scripted, question: dict[str, Any]) -> None:
        choice = {"type": "choice", "id": question["id"], "option": random.choice(question["options"])}
        deed = random.random()
        if deed < 0.3:
            await trio.sleep(random.uniform(0, 0.26))
        if deed > 0.97:
            choice["option"] = "nonsense"
        elif deed > 0.95:
            choice["id"] += 1
        elif deed > 0.93:
            return
        said = encoder.message(choice)
        bot.say(said * 2 if deed > 0.91 and deed < 0.92 else said)

    return script


def _messages(data: bytes, encoder: Encoder, framed: bool) -> tuple[list[dict[str, Any]], bytes]:
    """The complete messages at the beginning of these bytes, and the rest."""
    if encoder is ENCODERS[Dialect.JSON]:
        *lines, rest = data.split(b"\n")
        return [json.loads(line) for line in lines], rest
    found = []
    if framed:
        while len(data) >= 4 and len(data) >= 4 + (size := int.from_bytes(data[:4], "big")):
            found.append(msgpack.unpackb(data[4 : 4 + size]))
            data = data[4 + size :]
        return found, data
    unpacker = msgpack.Unpacker()
    unpacker.feed(data)
    at = 0
    for message in unpacker:
        found.append(message)
        at = unpacker.tell()
    return found, data[at:]


@every_game
@pytest.mark.parametrize("dialect", Dialect)
def test_what_a_record_tells_of_the_wire_is_what_bots_got_byte_for_byte(
    kind: type[Game[Any]], dialect: Dialect, tmp_path: Path
) -> None:
    """`referee` compares it, for every seat, whatever these bots do."""
    encoder, faults, banks = ENCODERS[dialect], 0, set()
    seats = max(3, kind.seat_range[0])
    for number in range(2):
        random = Random(f"{kind.id} {dialect} {number}")
        bots = [erratic(random, encoder, dialect is Dialect.FRAMED) for _ in range(seats)]
        record = tmp_path / f"{number}.jsonl"
        options = {"deals": 2} if any(spec.name == "deals" for spec in kind.option_specs) else {}
        referee(
            *bots, game=kind.id, options=options, limits=LIMITS, record=record, hellos=[encoder.message(HELLO)] * seats
        )
        for seat in range(seats):
            exchanges = [wired for wired in Wire(read_lines(record), seat) if isinstance(wired, Exchange)]
            faults += sum(exchange.fault is not None for exchange in exchanges)
            banks |= {exchange.question["time"]["bank_us"] for exchange in exchanges}
    assert faults > 1
    assert len(banks) > 3


def test_what_the_bot_said_and_what_it_did_wrong_stand_where_they_happened(tmp_path: Path) -> None:
    async def twice(bot: Scripted, question: dict[str, Any]) -> None:
        bot.choose(question, question["options"][1])
        bot.choose(question, question["options"][0])

    async def wrong(bot: Scripted, question: dict[str, Any]) -> None:
        await trio.sleep(0.01)
        bot.choose(question, "no option")

    record = tmp_path / "m.jsonl"
    referee(script_of(twice, wrong), first_option, limits=LIMITS, record=record, options={"deals": 1})
    hello, welcome, first, failed, second, third, *_, over = Wire(read_lines(record), 0)
    match hello, welcome, over:
        case Passed(True, 1, {"name": name}), Passed(False, 1, {"type": "welcome"}), Passed(False, _, {"type": last}):
            assert (name, last) == ("scripted", "match_over")
        case _:
            pytest.fail(f"{hello} {welcome} {over}")
    assert isinstance(first, Exchange)
    assert first.answer == {"type": "choice", "id": 1, "option": first.question["options"][1]}
    assert isinstance(failed, Failed)
    assert failed.fault["kind"] == "protocol"
    assert isinstance(second, Exchange)
    assert second.fault is not None
    assert second.answer is None
    assert (second.fault["kind"], second.by, second.us) == ("illegal", "fallback", 10_000)
    assert second.question["fault"].startswith("protocol: ")
    assert isinstance(third, Exchange)
    assert third.question["fault"].startswith("illegal: expected one of the options")
    assert third.question["time"]["last_us"] == 10_000


def test_a_seat_without_a_bot_has_no_wire_and_a_closed_one_hears_nothing_more(tmp_path: Path) -> None:
    (failed,) = Wire(read_lines(record_of(tmp_path / "a.jsonl")), 1)
    assert isinstance(failed, Failed)
    assert failed.fault["kind"] == FaultKind.START
    record = tmp_path / "b.jsonl"
    referee(silent, first_option, limits=LIMITS, record=record)
    *_, last = Wire(read_lines(record), 0)
    assert isinstance(last, Exchange)
    assert last.fault is not None
    assert last.fault["kind"] == FaultKind.TIMEOUT
    assert last.fault["closed"]


def test_of_an_unfinished_record_all_is_known_but_the_seed_and_the_last_answer(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    referee(first_option, first_option, record=record)
    whole = record.read_bytes().splitlines(keepends=True)
    begun = Lines(b"".join(whole[:5]))
    wire = Wire(begun, 0)
    _, welcome, *_, last = wire
    assert wire.seed is None
    assert isinstance(welcome, Passed)
    assert welcome.body["seed"] == 0
    assert isinstance(last, Exchange)
    assert (last.by, last.answered_in, last.answer) == ("", 0, None)
    _, *told = sent_in(begun, 0, ENCODERS[Dialect.JSON])
    _, *all_told = sent_in(read_lines(record), 0, ENCODERS[Dialect.JSON])
    assert told == all_told[: len(told)]


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_there_is_no_wire_of_a_seat_that_there_is_not(seat: int, tmp_path: Path) -> None:
    record = record_of(tmp_path / "m.jsonl", seats=2)
    with pytest.raises(SeatsError, match="0 to 1"):
        Wire(read_lines(record), seat)


@pytest.mark.parametrize(
    "change",
    [
        {"limits": {"start_us": -1}},
        {"limits": None},
        {"limits": {"card_us": "x"}},
        {"programs": None},
        {"programs": []},
        {"programs": [{}, {}]},
        {"programs": [7, 7]},
        {"strikes": "many"},
        {"strikes": None},
    ],
)
def test_a_forged_head_is_told_as_an_error(change: dict[str, Any], tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    referee(first_option, first_option, record=record)
    head, *others = record.read_bytes().splitlines()
    forged = json.dumps({**json.loads(head), **change}, separators=(",", ":")).encode()
    with pytest.raises(RecordError):
        list(Wire(Lines(b"\n".join([forged, *others, b""])), 0))
