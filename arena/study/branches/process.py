"""The process behind a forecast: it plays a moment on from each option.

The program tells facts again and again, better ones each time: `heads`, the mean heads of the deal by option, `errors`, those of
the differences to the best one, and `count`, the playouts of each option; or once `error`. Where the bots of the match play on, it
also tells `doing`, what it is building, `going`, the playouts that were begun, and `played`, the last playout of each option.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import trio

from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.inside import end_with_parent, ends
from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.study.branches.branch import Moment, heads_of, house, moments, played_on
from bullring.arena.study.branches.party import Party, seated
from bullring.arena.study.house.moves import TEMPERATURE
from bullring.errors import BullringError, first_error

ROUNDS = (20, 80, 100, 200, 400, 400)
"""Playouts of each option between two words, by the simulator."""

ENGINE_ROUNDS = (2, 3, 5, 10, 20)
"""The same by the rules engine, which takes a hundred times as long."""

BOTS = 12
"""Playouts of each option by the bots of the match."""

SECONDS = 180.0
"""Seconds after which they begin no further playout."""


def forecast(moment: Moment, seat: int, told: Callable[..., None]) -> None:
    """Let the house play on from each option of a seat, and tell what is known after each round."""
    (question,) = [one for one in moment.questions if one.seat == seat]
    courses = [_course(moment, seat, option) for option in question.options]
    heads: list[list[int]] = [[] for _ in courses]
    rounds = ROUNDS if all(quick for quick, _ in courses) else ENGINE_ROUNDS
    for count in rounds:
        for so_far, (_, play) in zip(heads, courses, strict=True):
            so_far += play(range(len(so_far), len(so_far) + count))
        told(**_means(heads))


def _means(heads: Sequence[Sequence[int]]) -> dict[str, Any]:
    """The facts that follow from the heads of all playouts, by option."""
    import numpy as np  # takes time to import

    found = np.array(heads, np.float64)
    best = found.mean(axis=1).argmin()
    count = found.shape[1]
    errors = (found - found[best]).std(axis=1, ddof=1) / count**0.5 if count > 1 else np.zeros(0)
    return {"heads": found.mean(axis=1).tolist(), "errors": errors.tolist(), "count": count}


async def by_the_party(
    party: Party, lines: Lines, moment: Moment, seat: int, options: Sequence[int], told: Callable[..., None]
) -> None:
    """Let the bots of the match play on from each option, again and again, and tell what is known after each playout."""
    (question,) = [one for one in moment.questions if one.seat == seat]
    heads: list[list[int]] = [[] for _ in options]
    ends_at = trio.current_time() + SECONDS
    async with AsyncExitStack() as stack:
        table = await seated(party, lines, moment, stack, lambda name: told(doing=name))
        for number in range(BOTS * len(options)):
            if trio.current_time() > ends_at:
                break
            at = number % len(options)
            told(going=number + 1, total=BOTS * len(options), doing="")
            entries, taken = await table.play_on(seat, question.options[options[at]])
            heads[at].append(taken)
            whole = len(heads[-1])
            known = _means([one[:whole] for one in heads]) if whole else {}
            told(played={str(options[at]): [entries, taken]}, **known)
    told(going=0)


Numbers = Sequence[int]
"""Of playouts: those with the same one have the same random numbers."""


def _course(moment: Moment, seat: int, option: Option) -> tuple[bool, Callable[[Numbers], list[int]]]:
    """Whether the simulator plays on after an option, and the way to do so: the heads of the seat in each playout.

    It takes over where all are to play a card at once, if the house comes there without a choice of its own.
    """
    from bullring.arena.games.playouts import simulated

    game, state = moment.game, moment.questions[0].state.copy()
    answers: list[Option] | None = moment.answers(seat, option)
    while answers is not None:
        events = game.advance(state, answers)
        if not isinstance(state.pending, Batch):
            return True, partial(_ended, heads_of(events, seat))
        if simulated.together(game, state):
            return True, partial(_simulated, game, state, moment.line, seat)
        answers = _surely(game, state)
    return False, partial(_played_out, moment, seat, option)


def _surely(game: Game[Any], state: Any) -> list[Option] | None:
    """The answers of the house to the pending batch; None if it has a choice."""
    found = [
        options[weights.index(1.0)]
        for options, weights in zip(state.pending.options, house(game, state), strict=True)
        if 1.0 in weights
    ]
    return found if len(found) == len(state.pending.seats) else None


def _ended(heads: int, numbers: Numbers) -> list[int]:
    return [heads] * len(numbers)


def _simulated(game: Game[Any], state: Any, seed: int, seat: int, numbers: Numbers) -> list[int]:
    from bullring.arena.games.playouts import onward

    found: list[int] = onward(game, state, numbers, noise=TEMPERATURE, seed=seed)[:, seat].tolist()
    return found


def _played_out(moment: Moment, seat: int, option: Option, numbers: Numbers) -> list[int]:
    found = []
    for number in numbers:
        state, random = moment.questions[0].state.copy(), Random(f"{moment.line} {number}")
        *_, (_, events) = played_on(moment.game, state, moment.answers(seat, option), random)
        found.append(heads_of(events, seat))
    return found


def main() -> None:
    """Run `python -m bullring.arena.study.branches.process RECORD LINE SEAT [OPTIONS PARTY]`."""
    os.nice(5)  # a screen beside it comes first
    source, sink = ends()
    end_with_parent(source)

    def told(**facts: Any) -> None:
        tell(sink, "facts", facts)

    record, line, seat, *of_party = sys.argv[1:]
    try:
        lines = read_lines(Path(record))
        (moment,) = [one for one in moments(lines) if one.line == int(line)]
        if of_party:
            options, party = of_party
            trio.run(by_the_party, Party.of(party), lines, moment, int(seat), json.loads(options), told)
        else:
            forecast(moment, int(seat), told)
    except* BullringError as errors:
        told(error=str(first_error(errors)))


if __name__ == "__main__":
    main()
