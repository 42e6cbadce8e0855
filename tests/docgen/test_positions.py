import json

import pytest

from docgen import positions


def test_the_tips_come_out_of_the_analysis() -> None:
    found = json.loads(positions.FOUND.read_text("utf-8"))
    assert [one["title"] for one in found] == [one.title for one in positions.POSITIONS]
    for kept, one in zip(found, positions.POSITIONS, strict=True):
        best = one.options[kept["heads"].index(min(kept["heads"]))]
        assert best in one.best
        others = [heads for option, heads in zip(one.options, kept["heads"], strict=True) if option not in one.best]
        assert min(others) - min(kept["heads"]) > 4 * max(kept["errors"])
        assert kept["hand"] == list(one.hand)


@pytest.mark.slow
def test_they_can_be_computed_again() -> None:
    assert json.loads(json.dumps(positions.compute())) == json.loads(positions.FOUND.read_text("utf-8"))
