"""Tables: dictionaries always, data frames where their packages are installed, and a picture in a notebook."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from bullring.errors import UsageError
from bullring.tabular import SHOWN, Table

FACTS: list[dict[str, Any]] = [{"bot": "<b>", "elo": {"raw": 1.5, "house": {"low": None}}}, {"bot": "two", "heads": 3}]


def test_rows_are_flat_and_have_all_columns() -> None:
    table = Table(["one", "two"], FACTS)
    assert table == ["one", "two"]
    assert table.to_dicts() == [
        {"bot": "<b>", "elo_raw": 1.5, "elo_house_low": None, "heads": None},
        {"bot": "two", "elo_raw": None, "elo_house_low": None, "heads": 3},
    ]


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_frame_needs_its_package_and_says_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table([1], [{"a": 1}])
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=f"install it with: pip install {name}"):
        getattr(table, f"to_{name}")()
    monkeypatch.setitem(sys.modules, name, SimpleNamespace(DataFrame=lambda rows, **_: rows))
    assert getattr(table, f"to_{name}")() == [{"a": 1}]


def test_a_notebook_shows_the_first_rows_and_no_markup_of_strangers() -> None:
    shown = Table([], FACTS)._repr_html_()
    assert "<td>&lt;b&gt;</td><td>1.5</td><td></td>" in shown
    assert "<p>and 1 more</p>" in Table([], [{"a": at} for at in range(SHOWN + 1)])._repr_html_()
    assert Table()._repr_html_() == "<table><tr></tr></table>"
