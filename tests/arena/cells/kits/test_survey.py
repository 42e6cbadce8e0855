"""Which toolchains are here, and where they start."""

from pathlib import Path

import pytest
import trio

from bullring.arena.cells.kits.kit import Declared, Kit, Need
from bullring.arena.cells.kits.survey import short_version, survey
from bullring.arena.cells.kits.toolchains import installing, missing
from tests.support.tiers import need

SHELL = Need(program="sh", version=("sh", "-c", "echo noise; echo sh 1.2.3-4 >&2"), debian=("dash",))
BROKEN = Need(program="bash", version=("bash", "-c", "echo no settings in /etc 1>&2; exit 3"), debian=("bash",))
ABSENT = Need(program="no-such-compiler", version=("no-such-compiler",), debian=("compiler", "library"))
ELSEWHERE = Need(program="other", version=("other",), elsewhere="https://other.example")
HEADLESS = Need(program="sh", version=("sh",), files=("/usr/include/no such header",), debian=("headers",))
FETCHER = Need(program="cat", version=("cat", "--version"), debian=("coreutils",))


def declared(*needs: Need) -> Declared:
    kit = Kit(title="X", dialect="json", strategy="x", fetch=("cat",), run=("sh",), needs=needs)
    return Declared(Path(__file__).parent, kit)


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("go version go1.19.8 linux/amd64", "1.19.8"),
        ("GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)", "5.2.15"),
        ("v20.20.2", "20.20.2"),
        ("Erlang 25", "25"),
        ("nothing", ""),
    ],
)
def test_a_version_is_found_in_a_line(line: str, version: str) -> None:
    assert short_version(line) == version


@pytest.mark.slow
def test_each_program_is_asked_in_each_proven_tier() -> None:
    need("bwrap")
    found = trio.run(survey, [declared(SHELL, BROKEN, ABSENT, FETCHER)])
    assert "bwrap" in found.proven
    assert set(found.proven).isdisjoint(found.unproven)
    shell, broken, absent, fetcher = found.found
    assert set(shell.said) == set(found.proven)
    assert all((said.works, said.text) == (True, "sh 1.2.3-4") for said in shell.said.values())
    assert shell.version == "1.2.3-4"
    said = broken.said["bwrap"]
    assert not said.works
    assert said.text.startswith("exited with status 3")
    assert broken.version == ""
    assert (absent.path, absent.said) == (None, {})
    assert set(fetcher.said) <= {"none"}, "what only fetches is not confined"


def test_how_to_get_what_is_missing() -> None:
    lacking = missing(declared(SHELL, ABSENT, ELSEWHERE, HEADLESS).kit)
    assert lacking == [ABSENT, ELSEWHERE, HEADLESS]
    assert installing(lacking).endswith("apt install compiler library headers; other: https://other.example")
    assert installing([]) == ""
