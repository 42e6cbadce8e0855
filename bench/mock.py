"""A mock of a referee: the least that deserves the name. Prints one line of JSON.

It plays real deals by rules of its own (a card that fits nowhere takes the cheapest row, without a question), packs the part
of all seats once a turn and joins each hand to it, checks each answer, and logs each deal as a line of JSON. It has the bare
pattern of `floor_trio`. It has no pool, no sessions, no clocks of seats, no faults, no commitment, and no record.
"""

import json
import os
import random
import select
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from typing import Any

import msgpack
import trio

from bench.cost import PARTS, measured, parsed, parser
from bench.pipes import READ_SIZE, Pipes, bots
from bench.programs import instant_bot
from bullring.arena.games.rules.cards import HEADS

LIMIT = 10.0
TURNS = 10
DECK = range(1, 105)


class Deal:
    """One deal of the standard game."""

    def __init__(self, seats: int, chance: random.Random) -> None:
        cards = chance.sample(DECK, TURNS * seats + 4)
        self.hands = [sorted(cards[at * TURNS : (at + 1) * TURNS]) for at in range(seats)]
        self.rows = [[card] for card in cards[-4:]]
        self.heads = [0] * seats
        self.history: list[list[int]] = []

    def place(self, played: Sequence[int]) -> None:
        """Place a card of each seat, the lowest first."""
        rows = self.rows
        for card, seat in sorted(zip(played, range(len(played)), strict=True)):
            self.hands[seat].remove(card)
            fitting = [row for row in rows if row[-1] < card]
            if fitting:
                row = max(fitting, key=_end)
                if len(row) < 5:
                    row.append(card)
                    continue
            else:
                row = min(rows, key=_heads)
            self.heads[seat] += _heads(row)
            row[:] = [card]
        self.history.append([*played])


def _end(row: Sequence[int]) -> int:
    return row[-1]


def _heads(row: Sequence[int]) -> int:
    return sum([HEADS[card] for card in row])


_pack = msgpack.Packer().pack


def questions(deal: Deal, match: int, turn: int, request: int) -> list[bytes]:
    """A question for each seat."""
    last = deal.history[-1:]
    shared = {
        "match": match,
        "turn": turn,
        "rows": deal.rows,
        "scores": deal.heads,
        "last": last,
        "limit_us": 10_000_000,
    }
    head = b"\x84\xa4type\xa6decide\xa2id" + _pack(request) + b"\xa4view" + _pack(shared) + b"\xa7options"
    return [head + _pack(hand) for hand in deal.hands]


def checked(data: bytes, request: int, hand: Sequence[int]) -> int:
    """The card of an answer. Raises `RuntimeError` if it is not one."""
    answer: Any = msgpack.unpackb(data)
    if type(answer) is not dict or answer.get("type") != "choice" or answer.get("id") != request:
        raise RuntimeError(f"not an answer: {answer!r}")
    card = answer.get("option")
    if type(card) is not int or card not in hand:
        raise RuntimeError(f"not a card of the hand {hand}: {card!r}")
    return card


async def table(pipes: Sequence[Pipes], deals: int, log: BytesIO, chance: random.Random) -> None:
    """Play this many deals at one table."""
    read, write, now = os.read, os.write, trio.lowlevel.current_clock().current_time
    with select.epoll() as epoll, trio.CancelScope() as scope:
        seat_of = {fd: seat for seat, (fd, _) in enumerate(pipes)}
        for fd in seat_of:
            epoll.register(fd, select.EPOLLIN)
        for match in range(deals):
            deal = Deal(len(pipes), chance)
            for turn in range(1, TURNS + 1):
                request = chance.getrandbits(31)
                for (_, fd), frame in zip(pipes, questions(deal, match, turn, request), strict=True):
                    write(fd, frame)
                asked = now()
                await trio.lowlevel.cancel_shielded_checkpoint()
                played, waiting = [0] * len(pipes), set()
                for fd, seat in seat_of.items():
                    try:
                        played[seat] = checked(read(fd, READ_SIZE), request, deal.hands[seat])
                    except BlockingIOError:
                        waiting.add(fd)
                while waiting:
                    scope.deadline = asked + LIMIT
                    await trio.lowlevel.wait_readable(epoll.fileno())
                    for fd, _ in epoll.poll(0):
                        played[seat_of[fd]] = checked(read(fd, READ_SIZE), request, deal.hands[seat_of[fd]])
                        waiting.remove(fd)
                deal.place(played)
            log.write(json.dumps({"match": match, "heads": deal.heads, "turns": deal.history}).encode() + b"\n")
    if scope.cancelled_caught:
        raise RuntimeError("no bot answers")


async def play(pipes: Sequence[Pipes], seats: int, deals: int) -> int:
    """Play this many deals at every table. Returns the number of decisions."""
    log = BytesIO()
    async with trio.open_nursery() as nursery:
        for at in range(0, len(pipes), seats):
            nursery.start_soon(table, pipes[at : at + seats], deals, log, random.Random(at))
    return deals * TURNS * len(pipes)


async def measure(matches: int, seats: int, decisions: int) -> None:
    """Warm up, then measure."""
    deals = max(1, decisions // (matches * seats * TURNS * PARTS))
    with bots([instant_bot()] * (matches * seats)) as pipes:
        await measured(partial(play, pipes, seats, deals))


def main() -> None:
    """Measure and print the figures."""
    given = parsed(parser(__doc__))
    trio.run(measure, given.matches, given.seats, given.decisions)


if __name__ == "__main__":
    main()
