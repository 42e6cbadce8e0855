"""The filter in the kernel of this machine: what is denied is denied, and honest programs do not notice."""

import errno
import json
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from shutil import which

import pytest

from bullring.arena.cells.sandbox.seccomp.bpf import program
from bullring.arena.cells.sandbox.seccomp.policy import NETWORK_OF_ITS_OWN, NO_SOCKETS, OneOf, Rule, rules
from bullring.arena.cells.sandbox.seccomp.syscalls import machine
from bullring.errors import UnknownMachine
from tests.arena.cells.sandbox.reading import ERROR, holds, verdicts
from tests.support.patience import PATIENCE

try:
    HERE = machine()
except UnknownMachine as reason:
    pytest.skip(str(reason), allow_module_level=True)

FOLDER = Path(__file__).parent
each_policy = pytest.mark.parametrize("families", [NETWORK_OF_ITS_OWN, NO_SOCKETS], ids=["networked", "no sockets"])
on_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="a matter of x86_64")


def under(folder: Path, families: tuple[int, ...], *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The command under the filter, in a session of its own: some of the calls would end its terminal if they were let through."""
    file = folder / "filter"
    file.write_bytes(program(rules(families), HERE))
    return subprocess.run(
        [sys.executable, str(FOLDER / "under.py"), str(file), *command],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        start_new_session=True,
    )


def probe(folder: Path, families: tuple[int, ...], calls: list[tuple[int, ...]]) -> list[int]:
    done = under(folder, families, sys.executable, str(FOLDER / "probe.py"), stdin=json.dumps(calls))
    assert done.returncode == 0, done
    answers: list[int] = json.loads(done.stdout)
    return answers


def denied(policy: tuple[Rule, ...]) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Name, error and call for each rule and each of its calls. All other arguments are -1: without a filter that does no harm."""
    verdict = verdicts(policy, HERE)
    for rule in policy:
        for name in rule.calls:
            if name not in HERE.numbers:
                continue
            number = HERE.numbers[name]
            named = rule.when.values if isinstance(rule.when, OneOf) else ()
            values = [*range(64), *(1 << bit for bit in range(6, 32)), *named] if rule.when else [-1]
            tried = 0
            for value, other in product(values, (-1, 1)):
                arguments = tuple(value if rule.when and at == rule.when.arg else other for at in range(6))
                first = next((each for each in policy if name in each.calls and holds(each.when, arguments)), None)
                if first is rule and (rule.when or other == -1):
                    assert verdict(number, arguments) == ERROR | rule.error
                    tried += 1
                    yield name, rule.error, (number, *arguments)
            assert tried, rule


@each_policy
def test_what_is_denied_fails_with_its_error(tmp_path: Path, families: tuple[int, ...]) -> None:
    attempts = list(denied(rules(families)))
    attempts += [("newer", errno.ENOSYS, (HERE.highest + 1,)), ("-1", errno.ENOSYS, (0xFFFFFFFF,))]
    answers = probe(tmp_path, families, [call for _, _, call in attempts])
    wrong = [
        (name, call, errno.errorcode.get(said, said))
        for (name, error, call), said in zip(attempts, answers, strict=True)
        if said != error
    ]
    assert not wrong


@each_policy
def test_the_upper_half_of_an_argument_hides_nothing(tmp_path: Path, families: tuple[int, ...]) -> None:
    ioctl, tiocsti = HERE.numbers["ioctl"], 0x5412
    socket, vsock = HERE.numbers["socket"], 40
    hidden = 1 << 32
    answers = probe(tmp_path, families, [(ioctl, -1, tiocsti + hidden, 0), (socket, vsock + hidden, 1, 0)])
    assert answers == [errno.EPERM, errno.EAFNOSUPPORT]


def test_a_datagram_pair_reaches_nobody_where_sockets_are_forbidden(tmp_path: Path) -> None:
    pair = HERE.numbers["socketpair"]
    cloexec = 0x80000
    answers = probe(tmp_path, NO_SOCKETS, [(pair, 1, kind, 0, 0) for kind in (1, 5, 1 | cloexec, 2, 3, 2 | cloexec)])
    # Without a place for its answer, what is let through fails later.
    assert answers == [errno.EFAULT] * 3 + [errno.EOPNOTSUPP] * 3


@each_policy
def test_honest_things_work(tmp_path: Path, families: tuple[int, ...]) -> None:
    flags = ["--sockets"] if families else []
    done = under(tmp_path, families, sys.executable, str(FOLDER / "honest.py"), *flags)
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")


@each_policy
def test_node_works(tmp_path: Path, families: tuple[int, ...]) -> None:
    node = which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = """
        const { Worker } = require("worker_threads");
        const { execFile } = require("child_process");
        require("fs").promises.readFile("/proc/self/status", "utf8").then((text) => {
            execFile("/bin/echo", ["child"], (error, out) => {
                new Worker("require('worker_threads').parentPort.postMessage(7)", { eval: true }).on("message", (number) =>
                    console.log(error, out.trim(), number, /Seccomp:\\t2/.test(text)));
            });
        });
    """
    done = under(tmp_path, families, node, "-e", script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "null child 7 true\n", "")


@on_x86_64
def test_a_call_of_the_second_table_kills(tmp_path: Path) -> None:
    done = under(
        tmp_path, NETWORK_OF_ITS_OWN, sys.executable, str(FOLDER / "probe.py"), stdin=json.dumps([[0x40000000 + 39]])
    )
    assert done.returncode == -signal.SIGSYS


@on_x86_64
def test_a_call_in_the_way_of_32_bit_programs_kills(tmp_path: Path) -> None:
    if not which("gcc"):
        pytest.skip("gcc is not installed")
    source, binary = tmp_path / "foreign.c", tmp_path / "foreign"
    source.write_text('int main(void) { int r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20)); return r <= 0; }\n')
    subprocess.run(["gcc", "-o", str(binary), str(source)], check=True, timeout=PATIENCE)
    if subprocess.run([str(binary)], timeout=PATIENCE).returncode != 0:
        pytest.skip("this kernel runs no 32-bit programs")
    assert under(tmp_path, NETWORK_OF_ITS_OWN, str(binary)).returncode == -signal.SIGSYS


def test_the_filter_stays_on_for_children(tmp_path: Path) -> None:
    calls = json.dumps([[HERE.numbers["flock"], 0, 2]])
    script = f"import subprocess, sys; subprocess.run([sys.executable, {str(FOLDER / 'probe.py')!r}], check=True)"
    done = under(tmp_path, NETWORK_OF_ITS_OWN, sys.executable, "-c", script, stdin=calls)
    assert json.loads(done.stdout) == [errno.ENOSYS]
