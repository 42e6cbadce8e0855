"""A match that was left goes on: from any place of its record, in every game, whatever its bots have done before and do after."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from bullring.arena.games.rules.game import Game
from bullring.arena.match.records.prefix import read_prefix
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.replay import Answered, Replay, Resumed
from bullring.arena.match.records.verification import verify
from bullring.arena.settings.limits import Limits
from bullring.errors import RecordError, StartFailure
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from tests.arena.match.records.test_wire import erratic
from tests.arena.watching.people.at_table import some_games
from tests.support.record import record_of
from tests.support.scripted import Script, Scripted, first_option, referee, silent

LIMITS = Limits.seconds(card=0.1, row=0.05, other=0.2, bank=0.3)
PACKED = ENCODERS[Dialect.MSGPACK]


def unhurried(random: Random) -> Script:
    """A person: takes longer than any bot may, and answers legally."""

    async def script(bot: Scripted) -> None:
        while True:
            question = await bot.question()
            await trio.sleep(random.uniform(0, 3.0))
            bot.choose(question, random.choice(question["options"]))

    return script


def scripts(random: Random, seats: int) -> list[Script]:
    return [unhurried(random), *(erratic(random, PACKED, framed=False) for _ in range(seats - 1))]


@some_games
def test_it_goes_on_from_any_place_and_is_verified_with_its_wire(kind: type[Game[Any]], tmp_path: Path) -> None:
    """`referee` verifies it, and compares what everybody was told since then with what the record tells."""
    seats = max(3, kind.seat_range[0])
    random = Random(kind.id)
    whole = tmp_path / "whole.jsonl"
    options = {"deals": 2} if any(spec.name == "deals" for spec in kind.option_specs) else {}
    referee(*scripts(random, seats), game=kind.id, options=options, limits=LIMITS, record=whole, people=[0])
    data = whole.read_bytes()
    left = tmp_path / "left.jsonl"
    left.write_bytes(data[: random.randrange(data.index(b"\n") + 1, data.rindex(b"\n{"))])
    stays = b""
    for again in range(2):  # the second time it is left after it went on
        if again:
            left.write_bytes(left.read_bytes()[: random.randrange(len(stays), left.stat().st_size - 300)])
        prefix = read_prefix(left)
        assert prefix is not None
        stays = prefix.data
        referee(*scripts(random, seats), game=kind.id, options=options, limits=LIMITS, going_on=left, people=[0])
        assert left.read_bytes().startswith(stays)
        happened = [happening for _, happening in Replay().play(read_lines(left))]
        assert any(isinstance(happening, Resumed) for happening in happened)
        answered = [happening for happening in happened if isinstance(happening, Answered)]
        origins = {by for one in answered for seat, by in zip(one.seats, one.by, strict=True) if seat == 0}
        assert origins == {"human"}


def test_the_deals_and_the_scores_are_those_of_the_same_match(tmp_path: Path) -> None:
    whole, left = tmp_path / "whole.jsonl", tmp_path / "left.jsonl"
    result, _ = referee(first_option, first_option, options={"deals": 3}, record=whole, people=[1])
    for size in range(0, whole.stat().st_size, 400):
        left.write_bytes(whole.read_bytes()[:size])
        try:
            if read_prefix(left) is None:
                break
        except RecordError:  # not even the head is there
            assert b"\n" not in left.read_bytes()
            continue
        again, _ = referee(first_option, first_option, options={"deals": 3}, going_on=left, people=[1])
        assert [seat.score for seat in again.seats] == [seat.score for seat in result.seats]
        assert [len(seat.times_us) for seat in again.seats] == [len(seat.times_us) for seat in result.seats]


def test_strikes_banks_and_closed_seats_stay(tmp_path: Path) -> None:
    whole, left = tmp_path / "whole.jsonl", tmp_path / "left.jsonl"
    referee(first_option, silent, first_option, limits=LIMITS, record=whole, people=[0])
    lines = whole.read_bytes().splitlines(keepends=True)
    second = [at for at, line in enumerate(lines) if line.startswith(b'{"fault"')][1]
    left.write_bytes(b"".join(lines[: second + 1]))  # this fault is gone: its batch was never completed
    prefix = read_prefix(left)
    assert prefix is not None
    assert [len(seat.faults) for seat in prefix.seats] == [0, 1, 0]
    assert (prefix.seats[1].bank_us, prefix.seats[2].bank_us) == (0, 300_000)
    result, _ = referee(first_option, silent, first_option, limits=LIMITS, going_on=left, people=[0])
    assert [fault.strike for fault in result.seats[1].faults] == [1, 2, 3]
    left.write_bytes(b"".join(line for line in lines[:-3]))
    _, bots = referee(first_option, silent, first_option, limits=LIMITS, going_on=left, people=[0])
    assert not bots[1].heard  # nobody asks a closed seat


def test_a_bot_that_does_not_start_again_is_played_by_the_referee(tmp_path: Path) -> None:
    left = tmp_path / "left.jsonl"
    referee(first_option, first_option, first_option, record=left, people=[0])
    left.write_bytes(left.read_bytes()[:1200])
    failure = StartFailure("a hello", "nothing")
    result, _ = referee(first_option, failure, first_option, going_on=left, people=[0])
    assert [fault.kind for fault in result.seats[1].faults] == ["start"]


def test_a_finished_match_does_not_go_on(tmp_path: Path) -> None:
    assert read_prefix(record_of(tmp_path / "match.jsonl")) is None


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b'"by":["human"', b'"by":["bot"', '"by" must be human'),
        (b'"people":[0]', b'"people":[1]', '"by" must be bot, human'),
        (b'"people":[0]', b'"people":[7]', '"people" must be seats from 0 to 1'),
        (b'{"resumed":{"programs":[{', b'{"resumed":{"programs":[null,{', "expected the programs of 2 seats"),
    ],
)
def test_a_record_that_lies_about_people_does_not_verify(old: bytes, new: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    referee(first_option, first_option, record=path, people=[0])
    path.write_bytes(path.read_bytes()[:1200])
    referee(first_option, first_option, going_on=path, people=[0])
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    assert expected in (verify(read_lines(path)).difference or "")
