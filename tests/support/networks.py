"""Simulated machines: network namespaces on this one, each joined to a hub by a cable that can be cut."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Machine:
    """A namespace."""

    pid: int
    """The process that keeps it."""
    address: str

    @property
    def inside(self) -> Sequence[str]:
        """Words before a command that is to run in it. It is another process, with the same id, once it has started."""
        return ("nsenter", f"--net=/proc/{self.pid}/ns/net")

    def run(self, *command: str) -> None:
        """Run a command in it to its end."""
        subprocess.run([*self.inside, *command], check=True, capture_output=True)


@dataclass(frozen=True)
class Network:
    """A hub and machines around it."""

    hub: Machine
    machines: Sequence[Machine]

    def cut(self, number: int) -> None:
        """Cut the cable of a machine without an error at either end."""
        self.hub.run("ip", "link", "set", f"cable{number}", "down")

    def mend(self, number: int) -> None:
        """Join it again."""
        self.hub.run("ip", "link", "set", f"cable{number}", "up")


@contextmanager
def network(machines: int) -> Iterator[Network]:
    """Make a network. Skips the test, with the reason, where that is not allowed."""
    with ExitStack() as stack:
        hub = _machine(stack, "10.77.0.1")
        others = [_machine(stack, f"10.77.0.{number + 2}") for number in range(machines)]
        hub.run("ip", "link", "add", "hub", "type", "bridge")
        for number, other in enumerate(others):
            cable = f"cable{number}"
            hub.run(*f"ip link add {cable} type veth peer name outside netns /proc/{other.pid}/ns/net".split())
            hub.run("ip", "link", "set", cable, "master", "hub", "up")
            other.run("ip", "address", "add", f"{other.address}/24", "dev", "outside")
            other.run("ip", "link", "set", "outside", "up")
        hub.run("ip", "address", "add", f"{hub.address}/24", "dev", "hub")
        hub.run("ip", "link", "set", "hub", "up")
        yield Network(hub, others)


def _machine(stack: ExitStack, address: str) -> Machine:
    try:
        done = subprocess.run(["unshare", "--net", "ip", "link", "set", "lo", "up"], capture_output=True, text=True)
    except FileNotFoundError as error:
        pytest.skip(f"no network can be made here: {error.filename} is missing")
    if done.returncode:
        pytest.skip(f"no network can be made here: {done.stderr.strip()}")
    keeper = stack.enter_context(
        subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec sleep infinity"],
            stdout=subprocess.PIPE,
        )
    )
    stack.callback(keeper.kill)
    assert keeper.stdout is not None
    assert keeper.stdout.readline() == b"up\n"
    return Machine(keeper.pid, address)
