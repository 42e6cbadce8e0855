"""The steps that put made-up questions to a bot. Each raises `Wrong` if the bot does not do what SPEC.md asks of it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import trio

from bullring.arena.match.checking.session import Question, Session, Wrong
from bullring.errors import RemoteProtocolError
from bullring.protocol.encoding import Plain, farewell
from bullring.protocol.remedies import STAY

SILENCE = 0.1
"""Seconds for which a bot is listened to that has nothing to say."""

TRICKLE = 2.0
"""Seconds that a message takes at most that is sent byte by byte."""

_DIED = re.compile("exited with status [1-9]|killed").match
"""Finds an exit that no bot has by design. Not every tier knows it so soon."""

SETTLED = 0.25
"""Seconds until the exit of a process is known whose output has ended."""

GOODBYE = 3.0
"""Seconds in which a bot must have ended by itself."""

COLLECT = "collect bytes until a message is complete, and keep what is left over: SPEC.md#traps"


async def question(session: Session, asked: Question) -> str:
    """One question, and its answer."""
    answers = await session.match(asked)
    return f"{asked.kind}: {answers[0]}"


async def several_matches(session: Session, asked: Sequence[Question]) -> str:
    """Matches one after the other on one process."""
    for number, each in enumerate(asked):
        try:
            await session.match(each)
            await session.quiet(SILENCE / 2)
        except Wrong as error:
            if error.got == "the end of its output" and not error.hint:
                await session.ended(SETTLED)
                if not _DIED(session.player.cell.exit_text()):
                    error.hint = STAY
            error.expected += f", in match {number + 1} of its process"
            raise
    return f"{len(asked)} matches"


async def quiet(session: Session, asked: Question) -> str:
    """Nothing is said that was not asked for: after the welcome, after the answer and after the match."""
    await session.say(session.packed(session.welcome(asked)))
    await session.quiet(SILENCE / 2)
    await session.ask(asked)
    await session.quiet(SILENCE / 2)
    await session.say(session.packed(session.over(asked)))
    try:
        await session.quiet(SILENCE)
    except Wrong as error:
        if not (session.alone and error.got == "the end of its output"):
            raise
    return "nothing but answers"


def noisy(noise: RemoteProtocolError) -> Wrong:
    """The failure of a bot that prints to stdout."""
    return Wrong("nothing on stdout but messages", noise.got, noise.hint)


async def pieces(session: Session, asked: Question) -> str:
    """Messages byte by byte, two in one write, and one and a half in one write."""
    packed = session.packed
    with _about("a question that came byte by byte", COLLECT):
        await _trickle(session, packed(session.welcome(asked)))
        session.settle()
        await _trickle(session, packed(session.decide(asked)))
        await session.answer(asked)
    await session.say(packed(session.over(asked)))
    if session.alone:
        return "byte by byte (one match for each process, so nothing can be glued)"
    with _about("a question in one piece with the message before it", COLLECT):
        session.settle()
        await session.say(packed(session.welcome(asked)) + packed(session.decide(asked)), gently=False)
        await session.answer(asked)
    with _about("a question of which the first half came with the messages before it", COLLECT):
        session.settle()
        before = packed(session.over(asked)) + packed(session.welcome(asked))
        data = packed(session.decide(asked))
        half = len(data) // 2
        await session.say(before + data[:half])
        await session.say(data[half:])
        await session.answer(asked)
    await session.say(packed(session.over(asked)))
    return "byte by byte, glued, and by halves"


async def empty_list(session: Session, asked: Question) -> str:
    """A question as the game hand asks it of a full hand: the only option is the empty list."""
    await session.match(replace(asked, options=[[]]))
    return f"{asked.kind}: []"


async def stop(session: Session, more: Question, *, may_be_unknown: bool) -> str:
    """A question that may be answered with "stop", and one that must: in the games there is always something else as well, so
    it is one of an unknown kind."""
    await session.say(session.packed(session.welcome(more)))
    answer = await session.ask(more)
    stopped = "-"
    if may_be_unknown:
        with _about("a question with the only option 'stop'"):
            stopped = await session.ask(replace(more, kind="barter", options=["stop"]))
    await session.say(session.packed(session.over(more)))
    return f"{more.kind}: {answer}, then {stopped}"


async def unknown_kind(session: Session, asked: Question) -> str:
    """A kind of decision that no game has yet."""
    remedy = "answer an unknown kind with the first option: SPEC.md#decisions-and-options"
    await session.say(session.packed(session.welcome(asked)))
    for options in ([[3, 104], -1], [[7, 3], 0], [0]):
        with _about(f"the unknown kind 'barter' with the options {options}", remedy):
            await session.ask(replace(asked, kind="barter", options=options))
    await session.say(session.packed(session.over(asked)))
    return "3 questions of the kind 'barter'"


async def unknown_things(session: Session, asked: Question) -> str:
    """Keys, types of events and types of messages that are not in SPEC.md yet."""
    remedy = "ignore what you do not know: SPEC.md#versions"
    new: Plain = {"weather": {"wind": [3, None]}, "mood": "fine"}
    with _about("a question after a welcome with unknown keys", remedy):
        await session.say(session.packed({**session.welcome(asked), **new}))
        await session.ask(asked)
    with _about("a question with unknown keys", remedy):
        await session.ask(replace(asked, view={**asked.view, **new}, more=new))
    events = [{"type": "thunder", "loud": True}, *asked.events, {"type": "lightning"}]
    with _about("a question with events of unknown types", remedy):
        await session.ask(replace(asked, events=events))
    with _about("a question after a message of an unknown type", remedy):
        await session.say(session.packed({"type": "weather", "text": "no answer is needed"}))
        await session.ask(asked)
    await session.say(session.packed({**session.over(asked), **new}))
    return "keys, events and a message"


async def complaint(session: Session, asked: Question) -> str:
    """The question after a fault says what was wrong."""
    shown = ", ".join(map(str, asked.options))
    fault = f"illegal: expected one of the options {shown}; got 11"
    with _about('a question with the key "fault"', "go on after a fault: the next question is like any other"):
        await session.match(asked, replace(asked, more={"fault": fault}))
    return "answers the next question"


async def kinds(session: Session, asked: Question) -> None:
    """A question of one kind in one game."""
    with _about(f"a question of the kind {asked.kind} in {asked.game.id} with {asked.game.seats} seats"):
        await session.match(asked)


async def leaves(session: Session, *, bye: bool) -> str:
    """The process ends when it is told to, or when its stdin ends."""
    cell = session.player.cell
    before = trio.current_time()
    cell.thaw()  # a match may have left it frozen
    if bye:
        await session.say(session.player.connection.encoder.message(farewell("the check is over")), gently=False)
    cell.hang_up()
    if not await session.ended(GOODBYE):
        why = "bye and the end of its stdin" if bye else "the end of its stdin"
        raise Wrong(f"a process that ends after {why}", f"one that still runs after {GOODBYE:g} s", END)
    took = (trio.current_time() - before) * 1000
    return f"after {took:.0f} ms, {cell.exit_text()}"


END = "leave the loop when there is nothing more to read, and end other threads"


@contextmanager
def _about(what: str, remedy: str = "") -> Iterator[None]:
    """Say in a failure which question it is about."""
    try:
        yield
    except Wrong as error:
        error.expected += f", to {what}"
        error.hint = remedy or error.hint
        raise


async def _trickle(session: Session, data: bytes) -> None:
    """Write byte by byte, each when the one before it was read, as long as that does not take too long."""
    sent, end = 0, trio.current_time() + TRICKLE
    while sent < len(data) and trio.current_time() < end:  # nothing is cancelled, so no byte is sent twice
        await session.say(data[sent : sent + 1])
        sent += 1
    await session.say(data[sent:])
