"""The server, a program of its own: it serves the files of a folder, and events that it is told. It can read nothing else.

`python -m bullring.arena.watching.web.server FOLDER NEWS HOSTS TABLES LISTENING ...`: `NEWS` is the descriptor of the pipe on which
a feed tells it of matches, and after a comma, if the feed can be asked (`wants`), that of the pipe for it. `HOSTS` are the names of
this server with commas between, `LISTENING` the descriptors of its sockets. `TABLES` has the descriptors of its line to the steward
of tables with people and of the pipe on which that one tells, and 1 if everybody may make tables, with commas; or nothing. The
server says when it is ready, and ends with its stdin.

What a feed tells (`arena.cells.processes.frames`):

====== ==========================================================================================
open   the key of a match that has not begun
wait   the key of such a match, and who is missing
begin  a match: its key, what is known beside its frames, and what `frames` says
frames its key, frames, and who thinks from now on (None: nobody)
end    its key, and how it ended
gone   its key: nobody can follow it any more
known  all that can be followed now was told: until then, viewers who ask for events wait
made   its key: a match that was asked for can be seen now, or cannot
front  pairs of kind and JSON for the front, and how many of which kinds are kept for newcomers
====== ==========================================================================================
"""

import json
import os
import resource
import socket
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.processes.with_trio import heard
from bullring.arena.watching.web.app import Shown, application
from bullring.arena.watching.web.confined import confine
from bullring.arena.watching.web.connections import Doorkeeper
from bullring.arena.watching.web.tables import Tables
from bullring.arena.watching.web.topics import Front, Table, Topic
from bullring.arena.watching.web.wants import Wants

FOLDERS = ("more", "site")
"""The folders in that of a server: what its processes write, and a static site."""

MANIFEST = "bullring-report.json"
"""The file of a site that lists all others with what they were made from (`ladder.watching.site.folder`)."""

LOOK = 1.0
"""Seconds between two looks whether the site was written anew."""

MOST_NAMED = 200
"""Most files that are named to viewers."""

SPARE = 64
"""Descriptors that are not for connections."""

MOST_CONNECTIONS = 16_384


async def serve(shown: Shown, news: Sequence[int], listening: list[socket.socket], source: int) -> None:
    """Serve until `source` is closed, or nothing more can be told."""
    async with trio.open_nursery() as nursery:

        async def end_with(fd: int) -> None:
            async with trio.lowlevel.FdStream(fd) as stream:
                while await stream.receive_some():
                    pass
            nursery.cancel_scope.cancel()

        unknown = {*news}

        async def hear(fd: int) -> None:
            async with trio.lowlevel.FdStream(fd) as stream:
                async for message in heard(stream):
                    if message == ["known"]:
                        unknown.discard(fd)
                        if not unknown:
                            shown.known.set()
                    elif message[0] == "made":
                        assert shown.wants is not None
                        shown.wants.answered(message[1])
                    else:
                        take(shown.topics, *message)
            nursery.cancel_scope.cancel()

        nursery.start_soon(end_with, source)
        for fd in news:
            nursery.start_soon(hear, fd)
        if shown.tables is not None:
            nursery.start_soon(shown.tables.hear)
        if shown.wants is not None:
            nursery.start_soon(shown.wants.tell_who_watches, shown.topics)
        nursery.start_soon(tell_of_site, shown)
        await Doorkeeper(application(shown), most_connections()).serve(listening)  # type: ignore[arg-type]  # both are ASGI


async def tell_of_site(shown: Shown) -> None:
    """Tell the front which files of the site were written anew."""
    before: dict[str, str] | None = None
    while True:
        with suppress(OSError, ValueError, KeyError):
            now: dict[str, str] = json.loads((shown.folders[-1] / MANIFEST).read_bytes())["files"]
            changed = [name for name, source in now.items() if before is not None and before.get(name) != source]
            before = now
            front = shown.topics[""]
            if changed and isinstance(front, Front):
                facts = {"changed": changed if len(changed) <= MOST_NAMED else None}
                front.add([("site", json.dumps(facts))], {"site": 0})
        await trio.sleep(LOOK)


def take(topics: MutableMapping[str, Topic], kind: str, *values: Any) -> None:
    """Take what a feed tells."""
    match kind, values:
        case "open", (key,):
            topics[key] = Table()
        case "wait", (key, data):
            _table(topics, key).wait(data)
        case "begin", (key, head, frames, clock):
            topics.setdefault(key, Table())
            _table(topics, key).begin(head, frames, clock)
        case "frames", (key, frames, clock):
            _table(topics, key).add(frames, clock)
        case "end", (key, data):
            _table(topics, key).close(data)
        case "gone", (key,):
            topics.pop(key).end()
        case "front", (told, kept):
            front = topics[""]
            assert isinstance(front, Front)
            front.add(told, kept)


def _table(topics: Mapping[str, Topic], key: str) -> Table:
    found = topics[key]
    assert isinstance(found, Table)
    return found


def most_connections() -> int:
    """As many connections as there are descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard > MOST_CONNECTIONS + SPARE:
        hard = MOST_CONNECTIONS + SPARE
    wanted = max(soft, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    return min(MOST_CONNECTIONS, wanted - SPARE)


def main() -> int:
    """Run the program. Returns the exit code."""
    source, sink = ends()
    folder, news, hosts, tables, *listening = sys.argv[1:]
    sockets = [socket.socket(fileno=int(fd)) for fd in listening]
    folders = [Path(folder) / name for name in FOLDERS]
    shown = Shown(folders, {"": Front()}, frozenset(filter(None, hosts.split(","))))
    heard_on, *asks = map(int, news.split(","))
    told = [heard_on]
    if asks:
        shown.wants = Wants(*asks)
    if tables:
        line, of_tables, may_make = map(int, tables.split(","))
        shown.tables = Tables(socket.socket(fileno=line), may_make=bool(may_make))
        told.append(of_tables)
    if not confine(Path(folder)):
        sys.stderr.write(
            "this kernel has no Landlock (Linux 5.13), so the server is kept from other files by its code alone\n"
        )
    tell(sink, "ready")
    os.close(sink)
    trio.run(serve, shown, told, sockets, source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
