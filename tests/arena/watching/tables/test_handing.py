"""The process that serves viewers has no connection of a seat: the table has it."""

from pathlib import Path

from tests.support.seats import House, house


def inode(here: House, port: int) -> str:
    """The socket at the server's end of a connection from this port."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        if words[1].endswith(f":{here.port:04X}") and words[2].endswith(f":{port:04X}"):
            return f"socket:[{words[9]}]"
    raise AssertionError("there is no such connection")


def held(pid: int) -> set[str]:
    """What the descriptors of a process are."""
    return {str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir()}


def test_the_server_has_no_connection_of_a_seat(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        key, (token,) = here.makes(names=["Ann"], bots=["@random"])
        ann = here.sits(key, token)
        assert ann.connect() == 101
        ann.until("question")
        seats = inode(here, ann.port)
        assert seats not in held(here.server.pid)
        assert seats not in held(here.steward.pid)
