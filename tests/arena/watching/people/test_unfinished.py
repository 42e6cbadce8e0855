"""The folder of matches with people: what can go on, and what was played."""

import json
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.match.seeds import Seed
from bullring.arena.watching.people.history import stats, summaries
from bullring.arena.watching.people.sitting import Chair, Sitting, played
from bullring.arena.watching.people.unfinished import SECRET, kept, left, remember, secret_of
from bullring.errors import UsageError
from tests.support.scripted import first_option, referee

SITTING = Sitting((Chair("Anna"), Chair(bot="@greedy")), options={"deals": 2}, limit=30.0)
SEED = Seed.draw()


def test_what_was_left_can_go_on_unless_it_is_being_played(tmp_path: Path) -> None:
    record = tmp_path / "one.jsonl"
    with remember(record, SITTING, "2026-01-02T03:04:05Z", SEED):
        record.touch()
        assert not left(tmp_path)  # somebody plays it
        with pytest.raises(UsageError, match="being played now"), kept(record):
            pass
    (found,) = left(tmp_path)
    assert (found.record, found.sitting, found.began) == (record, SITTING, "2026-01-02T03:04:05Z")
    assert secret_of(record, SEED.commitment) == SEED
    with pytest.raises(UsageError, match="another match"):
        secret_of(record, Seed.draw().commitment)
    record.with_suffix(SECRET).write_text("{}")
    with pytest.raises(UsageError, match="does not hold its seed"):
        secret_of(record, SEED.commitment)
    record.unlink()
    assert not left(tmp_path)


def test_files_that_are_damaged_are_passed_over(tmp_path: Path) -> None:
    for name, text in (("a", ""), ("b", "[]"), ("c", "{"), ("d", '{"sitting": {"chairs": 7}, "began": ""}')):
        (tmp_path / f"{name}.sitting").write_text(text)
        (tmp_path / f"{name}.jsonl").write_text(text)
        (tmp_path / f"{name}.summary").write_text(text)
    assert not left(tmp_path)
    assert not summaries(tmp_path)
    assert not left(tmp_path / "nowhere")


def test_a_match_that_can_go_on_is_not_read_for_histories(tmp_path: Path) -> None:
    record = tmp_path / "one.jsonl"
    referee(first_option, first_option, record=record, people=[0])
    with remember(record, SITTING, "", SEED):
        assert not summaries(tmp_path)
    assert not summaries(tmp_path)  # left
    record.with_suffix(".sitting").unlink()
    assert len(summaries(tmp_path)) == 1


def test_records_are_where_data_of_the_user_belongs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert played() == tmp_path / "bullring" / "played"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert played() == Path.home() / ".local" / "share" / "bullring" / "played"


def test_a_history_counts_matches_places_heads_and_opponents(tmp_path: Path) -> None:
    records = [tmp_path / f"{number}.jsonl" for number in range(3)]
    for number, record in enumerate(records):
        options = {"deals": number + 1}
        referee(first_option, first_option, first_option, options=options, record=record, people=[0], seed=str(number))
    (tmp_path / "3.jsonl").write_bytes(records[0].read_bytes()[:900])  # one that was left
    (anna,) = stats(tmp_path)
    assert all((tmp_path / f"{number}.summary").exists() for number in range(3))
    ends = [json.loads(record.read_bytes().splitlines()[-1])["end"] for record in records]
    places = [end["ranks"][0] for end in ends]
    assert (anna["name"], anna["matches"], anna["deals"], anna["wins"]) == ("bot 0", 3, 6, places.count(1))
    assert anna["place"] == sum(places) / 3
    assert anna["heads_per_deal"] == sum(end["scores"][0] for end in ends) / 6
    assert sum(anna["places"].values()) == 3
    ahead = sum(end["ranks"][0] < end["ranks"][1] for end in ends)
    assert anna["opponents"]["bot 1"]["ahead"] == ahead
    assert [one["record"] for one in anna["trend"]] == [str(record) for record in records]
    assert [one["heads_per_deal"] for one in anna["trend"]] == [
        end["scores"][0] / deals for deals, end in enumerate(ends, 1)
    ]
    assert [*anna["games"]] == ["standard"]
    again: list[dict[str, Any]] = stats(tmp_path)  # now from the summaries
    assert again == [anna]
