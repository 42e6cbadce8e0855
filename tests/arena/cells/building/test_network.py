"""Builds and the network: none, unless the operator allows it. Only listeners of our own are called."""

import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from bullring.errors import BuildFailure
from tests.arena.cells.building.yard import LIMITS, Yard
from tests.support.tiers import CONFINING, LOCAL, in_each

LOCAL_CONFINING = [tier for tier in CONFINING if tier in LOCAL]
"""A container has a loopback of its own."""

CALL = """
import socket, sys
with socket.create_connection(("127.0.0.1", {port}), 10) as line:
    open("made", "wb").write(line.recv(100))
import os
os.chmod("made", 0o755)
"""


def answer(server: socket.socket) -> None:
    with server.accept()[0] as line:
        line.sendall(b"#!/bin/sh")


@in_each(*LOCAL_CONFINING)
def test_a_build_reaches_the_network_only_if_that_is_allowed(tier: str, tmp_path: Path) -> None:
    yard = Yard(tmp_path, tier)
    with socket.create_server(("127.0.0.1", 0)) as server:
        program = CALL.format(port=server.getsockname()[1])
        with pytest.raises(BuildFailure):
            yard.build(program)
        answering = threading.Thread(target=answer, args=(server,))
        answering.start()
        bot = yard.build(program, replace(LIMITS, network=True))
        answering.join()
    assert (bot.program.folder / "made").read_text() == "#!/bin/sh"


@in_each(*LOCAL_CONFINING)
def test_with_the_network_no_sockets_but_those_of_the_internet(tier: str, tmp_path: Path) -> None:
    yard = Yard(tmp_path, tier)
    program = "import socket, sys\nfor family in (1, 16, 17, 40):\n"
    program += "    try: socket.socket(family, 1)\n    except OSError: continue\n    sys.exit(family)\n"
    program += "open('made', 'w').write('#!/bin/sh'); import os; os.chmod('made', 0o755)"
    yard.build(program, replace(LIMITS, network=True))
