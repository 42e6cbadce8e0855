"""Matches as a table: what goes out is what is stored, and the example in the documents works."""

import csv
import io
import json
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.export import COLUMNS
from tests.ladder.homes import ladder
from tests.ladder.stored import match_of, pair_of, played

pyarrow = pytest.importorskip("pyarrow")

RATINGS = Path(__file__).parents[4] / "docs" / "ratings.md"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home.create(tmp_path_factory.mktemp("export") / "home", [])
    with closing(home.store()) as store:
        for name in ("ann", "bob", 'c, "d"', "é"):
            store.add_bot(name, "true")
        played(store, match_of(store, (3, 1)), match_of(store, (4, 1), id=2, ranks=(1, 1)))
        played(store, *pair_of(store, (2, 4)))
        played(store, match_of(store, (2, 1), void="a stall, a long one", faults=("crash", "timeout"), closed=True))
    return home


def test_csv_has_a_row_for_each_seat(home: Home) -> None:
    done = ladder("export", "--format", "csv", home=home)
    header, *rows = csv.reader(io.StringIO(done.stdout))
    assert header == list(COLUMNS)
    assert len(rows) == 10
    found = [dict(zip(header, row, strict=True)) for row in rows]
    assert [found[0][key] for key in ("match", "group", "bot", "rank", "counted", "began")] == [
        *("1", "", 'c, "d"', "2", "true", "2026-01-02T03:04:05Z"),
    ]
    assert [found[8][key] for key in ("void", "rank", "counted", "faults", "closed", "decisions")] == [
        *("a stall, a long one", "", "false", "crash timeout", "true", "8"),
    ]
    assert {row["group"] for row in found[4:8]} == {"3"}


def test_json_has_what_the_table_has(home: Home) -> None:
    matches = [json.loads(line) for line in ladder("export", home=home).stdout.splitlines()]
    rows = csv.DictReader(io.StringIO(ladder("export", "--format", "csv", home=home).stdout))
    seats = [{**match, "seats": len(match["seats"]), **seat} for match in matches for seat in match["seats"]]
    assert (matches[0]["ended"], matches[0]["group"]) == ("2026-01-02T03:04:06Z", None)
    assert seats[8]["faults"] == ["crash", "timeout"]
    for seat, row in zip(seats, rows, strict=True):
        assert list(seat) == list(row)
        for key, text in row.items():
            match seat[key]:
                case None:
                    assert text == ""
                case list(faults):
                    assert text.split() == faults
                case dict(metrics):
                    assert json.loads(text or "{}") == metrics
                case bool(said):
                    assert text == str(said).lower()
                case value:
                    assert text == str(value)


def test_parquet_holds_the_same_with_types(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyarrow import parquet

    monkeypatch.setattr("bullring.ladder.watching.display.export.ROWS", 4)
    path = tmp_path / "out.parquet"
    assert ladder("export", "--format", "parquet", "--out", str(path), home=home).exit_code == 0
    file = parquet.ParquetFile(path)
    assert file.num_row_groups == 3
    rows = file.read().to_pylist()
    done = ladder("export", "--format", "csv", home=home)
    for row, texts in zip(rows, csv.DictReader(io.StringIO(done.stdout)), strict=True):
        assert row["began"].isoformat() == "2026-01-02T03:04:05+00:00"
        assert row["rank"] is None or type(row["rank"]) is int
        for key, text in texts.items():
            value = row[key]
            if key not in ("began", "ended"):
                assert (str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)) == text


def test_parquet_needs_a_file_and_its_library(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--out" in ladder("export", "--format", "parquet", home=home).output
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = ladder("export", "--format", "parquet", "--out", str(tmp_path / "x"), home=home)
    assert done.exit_code == 2
    assert "pip install 'bullring[parquet]'" in done.output


def test_the_example_in_the_documents_counts_wins_and_heads(home: Home, tmp_path: Path) -> None:
    ladder("export", "--format", "parquet", "--out", str(tmp_path / "matches.parquet"), home=home)
    (code,) = re.findall(r"<!-- tested: .*?-->\n```python\n(.*?)```", RATINGS.read_text("utf-8"), re.S)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line.split()[-1] for line in lines[:4]] == ["0.750", "0.500", "0.500", "0.000"]
    assert [line.split("  ")[0] for line in lines[4:]] == ["seat 0", "seat 1"]
    assert lines[4].endswith("0.00 heads")
    assert lines[5].endswith("300000.00 heads")
