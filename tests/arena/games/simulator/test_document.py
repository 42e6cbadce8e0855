"""The examples of docs/simulator.md, run as they stand."""

import doctest
from pathlib import Path


def test_the_examples_run() -> None:
    found = doctest.testfile(str(Path(__file__).parents[4] / "docs" / "simulator.md"), module_relative=False)
    assert found.attempted > 10
    assert not found.failed
