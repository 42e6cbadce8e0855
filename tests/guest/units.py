"""Runs in the guest, as root, called by `inside`: what docs/serving.md has operators do, as it is printed there, under systemd."""

import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.support.recipes import commands, section, units

LADDER, WEB = "bullring-ladder", "bullring-web"
LIMIT = 1800.0
"""Seconds for anything that has to happen: the guest is emulated, maybe on a busy machine."""

TIMES = "--time 30s --time start=180s"
"""Limits of bots on an emulated machine."""

BREAKING = ("ProtectKernelTunables=yes", "ProcSubset=pid", "ProtectHostname=yes")
"""Lines that the document leaves out because cells cannot be made with them."""


def run(command: str) -> str:
    """What a command prints, without stderr."""
    done = subprocess.run(
        ["bash", "-c", command], check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def until(what: str, question: Callable[[], object]) -> None:
    """Wait until the answer is yes."""
    began = time.monotonic()
    while not question():
        if time.monotonic() - began > LIMIT:
            sys.exit(f"expected: {what}\n{run(f'journalctl --no-pager --lines 50 -u {LADDER} -u {WEB}')}")
        time.sleep(1)
    print(f"{what}, after {time.monotonic() - began:.0f} s", flush=True)


def served() -> bool:
    """Whether the front is there."""
    try:
        with urllib.request.urlopen("http://127.0.0.1:8080/", timeout=LIMIT) as answer:
            return b"Bullring" in answer.read()
    except OSError:
        return False


def newest() -> str:
    """The newest match of the ladder."""
    return run("su - bullring -c 'bullring ladder matches --home arena --last 1 --json'")


def plays() -> Callable[[], bool]:
    """A question: is there a match now that was not there before?"""
    before = newest()
    return lambda: newest() != before


def shown(unit: str, what: str) -> str:
    """A property of a unit."""
    return run(f"systemctl show --value --property={what} {unit}").strip()


def said(since: float) -> str:
    """What the journal has of both units."""
    return run(f"journalctl --no-pager --output=cat --since=@{since:.0f} -u {LADDER} -u {WEB}")


def refused(since: float) -> bool:
    """Whether a ladder has found that it cannot confine bots."""
    return "no usable sandbox" in said(since)


def step(title: str) -> None:
    """Say what comes."""
    print(f"== {title}", flush=True)


def main() -> None:
    """Try it all."""
    text = section("As a service")
    files = units(text)
    assert sorted(files) == [f"/etc/systemd/system/{name}.service" for name in (LADDER, WEB)]
    for path, unit in files.items():
        Path(path).write_text(unit)
    began = time.time()

    step("the units of docs/serving.md: they start, play and serve")
    for command in commands(text):
        run(re.sub(r"ladder init arena\b", rf"\g<0> {TIMES}", command))
    until("the front is served", served)
    until("a match was played", lambda: newest().strip() not in ("", "[]"))
    assert "sandbox bwrap: every promise" in said(began)
    assert "promise but" not in said(began)  # with all of cgroups
    assert "no Landlock" not in said(began)
    for unit in (LADDER, WEB):
        assert run(f"systemctl is-enabled {unit}").strip() == "enabled"

    step("they are as confined as the document says")
    found = re.search(r"rates the ladder (\S+) and the server (\S+),", text)
    assert found is not None
    for unit, score in zip((LADDER, WEB), found.groups(), strict=True):
        told = run(f"systemd-analyze security --no-pager {unit}").splitlines()[-1]
        assert f": {score} " in told, told

    step("the ladder does not notice that its server is started again, or killed")
    player = shown(LADDER, "MainPID")
    run(f"systemctl restart {WEB}")
    until("the front is served", served)
    run(f"kill -KILL {shown(WEB, 'MainPID')}")
    until("the server was started again", lambda: shown(WEB, "NRestarts") == "1")
    until("the front is served", served)
    assert shown(LADDER, "MainPID") == player

    step("a ladder that is killed goes on, and the server does not notice")
    server = shown(WEB, "MainPID")
    goes_on = plays()
    run(f"kill -KILL {player}")
    until("the ladder was started again", lambda: shown(LADDER, "NRestarts") == "1")
    until("a match was played", goes_on)
    assert (shown(WEB, "MainPID"), served()) == (server, True)

    step("they stop, and leave nothing")
    for unit in (LADDER, WEB):
        stopping = time.monotonic()
        run(f"systemctl stop {unit}")
        print(f"{unit} has stopped after {time.monotonic() - stopping:.0f} s", flush=True)
        assert (shown(unit, "ActiveState"), shown(unit, "Result")) == ("inactive", "success")
    assert "Traceback" not in said(began)
    assert not run("find /sys/fs/cgroup -name 'bullring-*'")

    step("in one unit, which is started again while it plays")
    served_by = re.search(r"^ExecStart=(.*)", files[f"/etc/systemd/system/{WEB}.service"], re.MULTILINE)
    assert served_by is not None
    override(f"ExecStart=\nExecStart={served_by[1]} --run\nPrivateNetwork=no")
    run(f"systemctl start {LADDER}")
    for _ in range(2):
        goes_on = plays()
        until("the front is served", served)
        until("a match was played", goes_on)
        run(f"systemctl restart {LADDER}")
    run(f"systemctl stop {LADDER}")
    assert shown(LADDER, "Result") == "success"

    step("lines that are left out make cells impossible")
    for line in BREAKING:
        assert f"`{line}`" in text
        since = time.time()
        override(line)
        run(f"systemctl start {LADDER}")
        until(f"no cell with {line}", partial(refused, since))
        run(f"systemctl stop {LADDER}")


def override(lines: str) -> None:
    """Change the ladder's unit by these lines."""
    folder = Path(f"/etc/systemd/system/{LADDER}.service.d")
    folder.mkdir(exist_ok=True)
    (folder / "override.conf").write_text(f"[Service]\n{lines}\n")
    run("systemctl daemon-reload")


if __name__ == "__main__":
    main()
