"""The table of the matches that were played on one class of machines."""

import json
from pathlib import Path

import pytest

from bullring.errors import LadderError
from bullring.ladder.standings.machines import HERE, classes, played_on
from bullring.ladder.store.home import Home
from tests.ladder.stored import recorded

EPYC, XEON = "AMD EPYC, Python 3.11", "Intel Xeon, Python 3.11"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with five records, of which only the first lines matter here."""
    home = Home.create(tmp_path / "home", [])
    nodes = {1: None, 2: {"name": "a", "speed": 7.5, "class": EPYC}, 3: {"name": "b", "speed": 5.0, "class": XEON}}
    nodes |= {4: nodes[2], 5: nodes[2]}
    recorded(home, *[(match, _record(node)) for match, node in nodes.items()])
    return home


def _record(node: object) -> bytes:
    head = {"bullring": 2, **({"node": node} if node else {})}
    return json.dumps(head, separators=(",", ":")).encode() + b"\n"


def test_every_match_has_the_class_of_its_machine(home: Home) -> None:
    assert classes(home) == {HERE: {1}, EPYC: {2, 4, 5}, XEON: {3}}


def test_a_part_of_the_name_is_enough(home: Home) -> None:
    assert played_on(home, "epyc") == {2, 4, 5}
    assert played_on(home, XEON) == {3}
    assert played_on(home, "here") == {1}


@pytest.mark.parametrize(("name", "why"), [("arm", "is not among them"), ("Python", "is a part of several names")])
def test_a_class_that_is_not_clear_is_answered_with_all_classes(home: Home, name: str, why: str) -> None:
    with pytest.raises(LadderError, match=why) as caught:
        played_on(home, name)
    assert f"{EPYC} (3 matches); {XEON} (1 match); here (1 match)" in str(caught.value)
