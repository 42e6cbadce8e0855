"""No byte that reaches the process of a person holds a secret of others."""

import json
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from bullring.arena.games.rules.game import Game, Shuffle
from bullring.arena.match.seats.person import PersonCell
from bullring.arena.match.seats.player import LeftToReferee
from bullring.arena.watching.people import feed
from tests.arena.watching.people.at_table import some_games
from tests.support.scripted import Script, Scripted, first_option, referee

PERSON = 0


def told(
    game: str,
    seats: int,
    cards: Sequence[int],
    moves: Script,
    turns: int,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[bytes, bytes]:
    """With these cards dealt: all bytes to the person until question number `turns` + 1, and all frames until then."""
    for module in ("referee.turns", "records.verification"):
        monkeypatch.setattr(f"bullring.arena.match.{module}.shuffled", lambda deck, count, seed, deal: [*cards])
    came = b""

    async def person(bot: Scripted) -> None:
        nonlocal came
        asked = 0
        while True:
            question = await bot.question()
            asked += 1
            came = bot.raw if asked == turns + 1 else came
            bot.choose(question, question["options"][0])

    record = folder / "match.jsonl"
    referee(person, *[moves] * (seats - 1), game=game, options={}, people=[PERSON], record=record)
    lines = record.read_bytes().splitlines(keepends=True)
    dealt = next(at for at, line in enumerate(lines) if line.startswith(b'{"deal"'))
    record.write_bytes(b"".join(lines[: dealt + 1 + turns]))
    with Path(os.devnull).open() as nothing, (folder / "frames").open("wb") as out:
        feed.feed(record, 0, nothing.fileno(), out.fileno())
    monkeypatch.undo()
    return came, (folder / "frames").read_bytes()


@some_games
def test_all_bytes_stay_the_same_when_cards_that_the_person_cannot_see_change_places(
    kind: type[Game[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = max(3, kind.seat_range[0])
    game = kind(seats)
    shuffle = game.new().pending
    assert isinstance(shuffle, Shuffle)
    if not shuffle.cards:
        pytest.skip("nothing is dealt here")
    random = Random(kind.id)
    cards = random.sample([*shuffle.deck], shuffle.cards)
    other = [*cards]
    for _ in range(300):
        a, b = random.sample(range(len(cards)), 2)
        swapped = [*other]
        swapped[a], swapped[b] = other[b], other[a]
        if seen(game, swapped) == seen(game, cards):
            other = swapped
    assert sum(one != two for one, two in zip(cards, other, strict=True)) > 10
    worlds = [told(kind.id, seats, dealt, first_option, 0, tmp_path, monkeypatch) for dealt in (cards, other)]
    assert worlds[0] == worlds[1]
    assert b"decide" in worlds[0][0]
    assert b"Asked" in worlds[0][1]


def seen(game: Game[Any], cards: Sequence[int]) -> object:
    """All that the person can see when cards are dealt."""
    state, events = game.deal(game.new(), cards)
    return game.view(state, PERSON), game.board(state), [{**event} for event in events]


def test_all_bytes_stay_the_same_while_others_play_the_same_cards_from_other_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, rows = [*range(50, 60)], [90, 91, 92, 93]
    low, high = [1, 2, *range(10, 18)], [3, 4, *range(20, 28)]
    mixed = [1, 2, *range(20, 28)], [3, 4, *range(10, 18)]
    one = told("standard", 3, [*own, *low, *high, *rows], first_option, 1, tmp_path, monkeypatch)
    two = told("standard", 3, [*own, *mixed[0], *mixed[1], *rows], first_option, 1, tmp_path, monkeypatch)
    assert one == two
    assert b'"step":{"is":"Revealed"' in one[1]


def test_the_referee_hears_only_what_a_person_may_say() -> None:
    here, there = socket.socketpair()
    gone: list[bool] = []

    def say(**message: object) -> None:
        there.send(json.dumps(message).encode() + b"\n")

    async def main() -> None:
        cell = PersonCell(here, lambda: gone.append(True))
        say(type="hello", protocol=1, name="Anna")
        assert b"hello" in cell.recv()
        cell.send(b'{"type":"decide","id":7,"options":[1,[2,3],"stop"]}\n')
        there.recv(4096)
        for wrong in (4, True, "1", [2], [3, 2], None):
            say(type="choice", id=7, option=wrong)
            with pytest.raises(BlockingIOError):
                cell.recv()
            assert json.loads(there.recv(4096))["type"] == "refused"
        for noise in ({"type": "choice", "id": 6, "option": 1}, {"type": "fall_back", "id": 6}, {"type": "choice"}):
            say(**noise)
            with pytest.raises(BlockingIOError):
                cell.recv()
        say(type="choice", id=7, option=[2, 3])
        assert json.loads(cell.recv())["option"] == [2, 3]
        say(type="choice", id=7, option=1)  # once is enough
        with pytest.raises(BlockingIOError):
            cell.recv()
        cell.send(b'{"type":"decide","id":8,"options":[1]}\n')
        say(type="fall_back", id=8)
        with pytest.raises(LeftToReferee):
            cell.recv()
        assert not gone
        there.close()
        with pytest.raises(BlockingIOError):
            cell.recv()
        assert gone
        await cell.end()

    trio.run(main)
