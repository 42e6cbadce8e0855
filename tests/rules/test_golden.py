"""The golden deals and matches are still made as they were."""

import pytest

from tests.rules import golden


@pytest.mark.parametrize("name", ["deals.txt", *(f"{name}.txt" for name in golden.MATCHES)])
def test_what_is_played_is_what_the_golden_file_says(name: str) -> None:
    assert golden.files()[name] == (golden.FOLDER / name).read_text("utf-8"), "see python -m tests.rules.golden"


def test_the_golden_matches_show_every_kind_of_happening() -> None:
    told = "".join((golden.FOLDER / f"{name}.txt").read_text("utf-8") for name in golden.MATCHES)
    for words in ("chooses row", "takes row", "played by the referee", "heads in this deal", "deal 2", " 1. "):
        assert words in told
