"""The steward of tables with people: makes tables, passes connections on to them, and keeps what viewers may be told of them.

It holds public frames, and descriptors for as long as it takes to hand them on; never a byte that a seat may see. It is not a
child of the server, so tables outlive it: a new server connects, and is told everything again.

A server asks on a line of its own (`arena.watching.web.handing`), and is told what `arena.watching.web.server` lists on a pipe:

=================================== =====================================================================
``ask`` N ``list``                  the opponents, and how many tables there are
``ask`` N ``make`` ADDRESS BODY ... a table is to be made (`wish`)
``ask`` N ``analyse`` KEY ADDRESS   a match is to be analysed (`arena.watching.web.analyses`)
``ask`` N ``seek`` KEY ADDRESS      an analysis is to be shown if there is one
``ask`` N ``sit`` KEY ...           for a table (`arena.watching.tables.table`)
``seat`` KEY ..., with a descriptor the same
``done`` N STATUS FACTS COOKIE      tells: the answer to a question
=================================== =====================================================================
"""

import json
import os
import secrets
import socket
import sys
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import trio

from bullring.arena.cells.processes.frames import framed
from bullring.arena.cells.processes.kinds import MATCH_NEWS, TABLE
from bullring.arena.cells.processes.with_trio import TrioChild
from bullring.arena.cells.processes.with_trio import heard as messages
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import in_all
from bullring.arena.watching.tables.wish import Known, Wish, shown
from bullring.arena.watching.web import handing
from bullring.arena.watching.web.addresses import is_near
from bullring.arena.watching.web.analyses import Analyses
from bullring.arena.watching.web.handing import hand, pair, take
from bullring.arena.watching.web.replays import Replays
from bullring.errors import BullringError

MOST = 8
"""Tables at once."""

MOST_OF_ONE = 2
"""Tables at once that were made from one address elsewhere."""

LISTED = handing.MOST // 2
"""Bytes of the opponents that are listed. All can be chosen."""

OVER = 32
"""Tables that are over, and are kept for those who were watching."""

PAGES = 500
"""Replays of tables that are kept."""

PATIENCE = 20.0
"""Seconds for the page of a table that is over."""

Answer = Callable[..., None]
"""Gives an answer: a status, facts, and a cookie."""


class Steward:
    """Keeps tables. `folder` has their records, `replays` is where a server finds them afterwards. `analyses` are for readers."""

    def __init__(self, folder: Path, replays: Replays, known: Known, analyses: Analyses | None = None) -> None:
        self._folder = folder
        self._replays = replays
        self._known = known
        self._analyses = analyses
        self._tables: dict[str, _Table] = {}
        """The tables, also those that are over and not forgotten; the oldest first."""
        self._tellers: set[trio.MemorySendChannel[bytes]] = set()
        """The ways to the servers: there may be an old one that has not ended yet."""
        self._speaking = trio.CapacityLimiter(1)
        """The language that is spoken is one for the whole process."""

    async def run(self, control: socket.socket) -> None:
        """Take the servers that come on `control`, each as a line and a pipe, until it is closed."""
        async with trio.open_nursery() as nursery:
            if self._analyses is not None:
                nursery.start_soon(self._analyses.run)
            while (came := await heard(control)) is not None:
                _, (line, news) = came
                nursery.start_soon(self._tell, news)
                nursery.start_soon(self._hear, socket.socket(fileno=line), nursery)
            nursery.cancel_scope.cancel()

    async def _tell(self, news: int) -> None:
        """Tell a server what viewers may know: all so far, and then whatever happens."""
        sends, receives = trio.open_memory_channel[bytes](float("inf"))
        for table in self._tables.values():
            for piece in table.told:
                sends.send_nowait(piece)
        sends.send_nowait(framed("known"))
        self._tellers.add(sends)
        try:
            async with trio.lowlevel.FdStream(news) as stream:
                async for piece in receives:
                    await stream.send_all(piece)
        except trio.BrokenResourceError:
            pass
        finally:
            self._tellers.discard(sends)

    def _spread(self, table: "_Table", *message: Any) -> None:
        piece = framed(*message)
        table.told.append(piece)
        for teller in self._tellers:
            teller.send_nowait(piece)

    async def _hear(self, line: socket.socket, nursery: trio.Nursery) -> None:
        """Hear a server."""
        with line:
            while (came := await heard(line)) is not None:
                match came:
                    case ["ask", number, "list"], []:
                        nursery.start_soon(self._list, partial(_answer, line, number))
                    case ["ask", number, "make", address, body, is_form], []:
                        answer = partial(_answer, line, number)
                        nursery.start_soon(self._make, address, partial(Wish.of, body, is_form), answer, nursery)
                    case ["ask", number, "analyse", key, address], []:
                        found = (403, {}) if self._analyses is None else self._analyses.ask(key, address)
                        _answer(line, number, *found, "")
                    case ["ask", number, "seek", key, address], []:
                        found = (403, {}) if self._analyses is None else self._analyses.seek(key, address)
                        _answer(line, number, *found, "")
                    case ["ask", number, "sit", key, *words], []:
                        self._table(key).ask(partial(_answer, line, number), "sit", *words)
                    case ["seat", key, *words], [fd]:
                        self._table(key).hand(fd, "seat", *words)

    def _table(self, key: str) -> "_Table":
        return self._tables.get(key) or _Table(key, "", None)

    # Making tables

    async def _list(self, answer: Answer) -> None:
        found = await trio.to_thread.run_sync(self._opponents, limiter=self._speaking)
        answer(200, {"now": len(self._playing()), "most": MOST, "opponents": found}, "")

    def _opponents(self) -> list[dict[str, Any]]:
        """As many opponents as a message has room for, the first ones."""
        found, room = [], LISTED
        for one in map(shown, self._known()):
            room -= len(framed("opponent", one))
            if room < 0:
                break
            found.append(one)
        return found

    def _playing(self) -> list["_Table"]:
        return [table for table in self._tables.values() if not table.over]

    async def _make(self, address: str, read: Callable[[], Wish], answer: Answer, nursery: trio.Nursery) -> None:
        order = await trio.to_thread.run_sync(self._order, read, limiter=self._speaking)
        playing = self._playing()
        if "error" in order:
            answer(422, order, "")
        elif len(playing) >= MOST:
            answer(503, {}, "")
        elif not is_near(address) and sum(table.address == address for table in playing) >= MOST_OF_ONE:
            answer(429, {}, "")
        else:
            key = f"p{secrets.token_hex(5)}"
            ours, theirs = pair()
            with theirs:
                child = TrioChild(TABLE, str(theirs.fileno()), passed=[theirs.fileno()])
            table = self._tables[key] = _Table(key, address, ours)
            self._spread(table, "open", key)
            table.ask(partial(self._made, key, answer), number=0)
            nursery.start_soon(self._keep, table, child, {**order, "key": key})

    def _order(self, read: Callable[[], Wish]) -> dict[str, Any]:
        """What a table is told. In a thread: it may read the bots of a ladder."""
        try:
            wish = read()
            sitting = replace(wish.sitting(self._known), folder=str(self._folder), cwd=str(Path.cwd()))
        except BullringError:
            return {"error": in_all(self._refusal, read)}
        return {"sitting": sitting.facts(), "rules": wish.rules.facts()}

    def _refusal(self, read: Callable[[], Wish]) -> str:
        try:
            read().sitting(self._known)
        except BullringError as error:
            return str(error)
        return ""

    def _made(self, key: str, answer: Answer, status: int, facts: dict[str, Any], cookie: str) -> None:
        for one in facts.get("links", ()):
            one["link"] = urljoin(self._replays.address, one["link"])
        answer(status, {"key": key, "table": f"/tables/{key}", "events": f"/tables/{key}/events", **facts}, cookie)

    # Keeping tables

    async def _keep(self, table: "_Table", child: TrioChild, order: dict[str, Any]) -> None:
        """Run a table until its process has ended, and the page of its replay is written."""
        finished, record = False, ""
        ended = trio.Event()
        try:
            await child.send(framed("table", order))
            async with trio.open_nursery() as nursery:
                while (came := await table.hear()) is not None:
                    match came:
                        case ["done", int(number), *answer], []:
                            table.answer(number, *answer)
                        case ["waits", dict(facts)], []:
                            table.told[1:] = []  # only the newest counts, and nothing else was told before the match
                            self._spread(table, "wait", table.key, json.dumps(facts))
                        case ["began", str(began)], []:
                            record = began
                            nursery.start_soon(self._follow, table, record, ended)
                        case ["over", bool(whole)], []:
                            finished, table.over = whole, True
                if record and not table.over:
                    sys.stderr.write(
                        f"bullring: a table with people has died; what was played is in {harmless(record)}\n"
                    )
                if finished:
                    with trio.move_on_after(PATIENCE):
                        await ended.wait()
                nursery.cancel_scope.cancel()
        finally:
            table.close()
            with trio.CancelScope(shield=True):
                await child.close()
        if not ended.is_set():
            self._spread(table, "gone", table.key)
            del self._tables[table.key]
            self._replays.forget(table.key)
        self._forget()

    async def _follow(self, table: "_Table", record: str, ended: trio.Event) -> None:
        """Tell servers the public frames of a match, which a process makes that speaks with nobody else."""
        link = self._replays.record(table.key)
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(record)
        feed = TrioChild(MATCH_NEWS, record, table.key, *self._replays.words())
        try:
            async with aclosing(messages(feed.tells)) as told:
                async for kind, *values in told:
                    if kind != "known":
                        self._spread(table, kind, *values)
                    if kind == "end":
                        ended.set()
                        return
        finally:
            with trio.CancelScope(shield=True):
                await feed.close()

    def _forget(self) -> None:
        """Forget the oldest tables that are over, and the oldest pages."""
        over = [table for table in self._tables.values() if table.over]
        for table in over[: max(0, len(over) - OVER)]:
            self._spread(table, "gone", table.key)
            del self._tables[table.key]
        pages = sorted((self._replays.folder / "tables").glob("p*.html"), key=lambda page: page.stat().st_mtime)
        for page in pages[: max(0, len(pages) - PAGES)]:
            self._replays.forget(page.stem)


class _Table:
    """A table as the steward sees it."""

    def __init__(self, key: str, address: str, line: socket.socket | None) -> None:
        self.key = key
        self.address = address
        """Whoever has made it."""
        self.told: list[bytes] = []
        """All that servers were told of it."""
        self.over = False
        self._line = line
        self._asked: dict[int, Answer] = {}
        self._number = 0

    def ask(self, answer: Answer, *message: Any, number: int | None = None) -> None:
        """Ask its process something; `answer` is called some time."""
        if number is None:
            self._number = number = self._number + 1
            try:
                if self._line is None or self.over:
                    raise BrokenPipeError
                hand(self._line, "ask", number, *message)
            except OSError:
                answer(404, {}, "")
                return
        self._asked[number] = answer

    def answer(self, number: int, *answer: Any) -> None:
        """Its process has answered."""
        self._asked.pop(number)(*answer)

    def hand(self, fd: int, *message: Any) -> None:
        """Hand a connection over to its process."""
        with suppress(OSError):
            if self._line is not None:
                hand(self._line, *message, passed=[fd])
        os.close(fd)

    async def hear(self) -> tuple[list[Any], list[int]] | None:
        """What its process tells; None if it has ended."""
        assert self._line is not None
        return await heard(self._line)

    def close(self) -> None:
        """Its process has ended."""
        line, self._line = self._line, None
        self.over = True
        if line is not None:
            line.close()
        for answer in self._asked.values():
            answer(404, {}, "")
        self._asked.clear()


async def heard(line: socket.socket) -> tuple[list[Any], list[int]] | None:
    """The next message of a line, with its descriptors; None if the other end is closed."""
    line.setblocking(False)
    while True:
        try:
            return take(line)
        except BlockingIOError:
            await trio.lowlevel.wait_readable(line)
        except OSError:
            return None


def _answer(line: socket.socket, number: int, *answer: Any) -> None:
    with suppress(OSError):  # that server has ended
        hand(line, "done", number, *answer)
