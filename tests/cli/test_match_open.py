"""`match --open` and `replay --open`: one match in the browser of this machine."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.ladder.homes import until
from tests.support.command import BULLRING, POLITE, here
from tests.support.record import record_of


@contextmanager
def opening(tmp_path: Path, *words: str) -> Iterator[str]:
    """The command, with a browser that writes down what it is to open. Yields the address."""
    browser, asked = tmp_path / "browser", tmp_path / "asked"
    browser.write_text(f'#!/bin/sh\necho "$1" > {asked}.new && mv {asked}.new {asked}\n')
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": str(browser)}
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen([str(BULLRING), *words], stdout=log, stderr=log, env=environment, text=True)
    try:
        until(asked.exists, process)
        yield asked.read_text().strip()
    finally:
        until(lambda: "Ctrl-C ends the server" in (tmp_path / "log").read_text(), process)
        process.send_signal(signal.SIGINT)
        process.wait()
    assert process.returncode == 0, (tmp_path / "log").read_text()


def test_a_match_is_opened_and_its_link_becomes_its_replay(tmp_path: Path) -> None:
    match = ("match", POLITE, POLITE, "--deals", "1", "--time", "30s", "--sandbox", "none", "--allow-unsandboxed")
    with opening(tmp_path, *match, "--open") as address:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/tables/1", address)
        until(lambda: b'data-bullring="replay"' in urlopen(address).read())
        events = urlopen(f"{address}/events").read()
        assert b"event: match\n" in events
        assert b"event: end\n" in events
    assert "seed" in (tmp_path / "log").read_text()


def test_a_record_is_opened(tmp_path: Path) -> None:
    record = record_of(tmp_path / "match.jsonl")
    with opening(tmp_path, "replay", str(record), "--open") as address:
        assert b'data-bullring="replay"' in urlopen(address).read()


def test_only_one_match_is_opened() -> None:
    assert here("match", POLITE, POLITE, "--open", "--matches", "2").exit_code == 2
    assert here("match", POLITE, POLITE, "--open", "--watch").exit_code == 2
