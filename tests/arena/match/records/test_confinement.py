"""What a record tells of the confinement of its bots."""

import pytest

from bullring.arena.cells.sandbox.promises import NAMES
from bullring.arena.games.rulebook.language import ENGLISH, LANGUAGES, in_all
from bullring.arena.match.records.confinement import Confinement


def test_a_record_names_its_sandbox_and_the_promises_that_it_lacked() -> None:
    whole = Confinement.of({"sandbox": "bwrap", "lacks": []})
    less = Confinement.of({"sandbox": "bwrap", "lacks": ["freezing", "clocks"]})
    assert whole is not None
    assert less is not None
    assert whole.said() == "sandbox bwrap, every promise"
    assert less.said() == "sandbox bwrap, every promise but freezing and clocks"
    assert Confinement("none", ("network",)).said() == "without a sandbox"
    assert in_all(less.said)["de"] == "Sandbox bwrap, jedes Versprechen außer Einfrieren und Uhren"
    assert Confinement.parse(str(whole)) == whole
    assert Confinement.parse(str(less)) == less


@pytest.mark.parametrize(
    "head",
    [
        {},
        {"sandbox": "bwrap", "freeze": True},
        {"lacks": []},
        {"sandbox": 3, "lacks": []},
        {"sandbox": "bwrap", "lacks": "memory"},
        {"sandbox": "bwrap", "lacks": [None]},
        {"sandbox": "bwrap", "lacks": ["a,b"]},
    ],
)
def test_older_records_and_nonsense_tell_nothing(head: dict[str, object]) -> None:
    assert Confinement.of(head) is None
    assert Confinement.parse(None) is None


def test_strangers_names_are_escaped() -> None:
    found = Confinement.of({"sandbox": "\x1b[2J", "lacks": ["names", "x\n", "names.files.more"]})
    assert found is not None
    assert found.said().isprintable()


def test_every_promise_has_a_name_in_every_language() -> None:
    for name in NAMES:
        assert ENGLISH.find(f"promises.names.{name}") == name
        assert all(isinstance(language.find(f"promises.names.{name}"), str) for language in LANGUAGES.values())
