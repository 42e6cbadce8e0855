"""Branches of a match: another option is chosen, and the house plays on."""

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

import bullring
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.playouts import simulated
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.study.branches import process
from bullring.arena.study.branches.branch import Moment, branch, moments
from bullring.arena.study.branches.party import Party
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.record_frames import Whole
from bullring.errors import HostError, first_error


def highest(message: dict[str, Any]) -> Any:
    return message["options"][-1]


def played(tmp_path: Path, game: str = "standard") -> Lines:
    path = tmp_path / f"{game}.jsonl"
    seats = max(3, GAMES[game].seat_range[0])
    bullring.play(
        *[highest] * seats, game=game, options={"deals": 1} if game == "standard" else {}, seed="b", record=path
    )
    return read_lines(path)


def frames_of(entries: Any) -> list[Frame]:
    return Whole(entries).more()


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_every_game_can_be_played_on_otherwise(game: str, tmp_path: Path) -> None:
    lines = played(tmp_path, game)
    found = moments(lines)
    for moment in found[:: max(1, len(found) // 6)]:
        question = moment.questions[-1]
        other = question.options[0]
        branched = branch(lines, moment, question.seat, other, Random(1))
        assert branched.entries[: moment.line - 1] == lines.entries[: moment.line - 1]
        last = frames_of(branched.entries)[-1].picture
        assert (last.deal, last.deals[-1][question.seat]) == (question.deal, branched.heads)


def test_the_last_decision_as_it_was_made_ends_as_the_match_did(tmp_path: Path) -> None:
    lines = played(tmp_path)
    moment = moments(lines)[-1]
    question = moment.questions[0]
    again = branch(lines, moment, question.seat, question.options[question.chosen], Random(1))
    assert again.heads == moment.deal.heads[question.seat]


@pytest.mark.parametrize("compiled", [True, False])
def test_the_numbers_get_better_with_more_playouts(
    compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the simulator and by the engine: both play as the house does, so they agree within their errors."""
    monkeypatch.setattr(simulated, "COMPILED", compiled)
    monkeypatch.setattr(process, "ROUNDS", (5, 15, 20))
    moment = next(one for one in moments(played(tmp_path)) if one.questions[0].turn == 8)
    told: list[dict[str, Any]] = []
    process.forecast(moment, 1, lambda **facts: told.append(facts))
    counts = [facts["count"] for facts in told]
    assert counts == sorted(set(counts))
    assert all(len(facts["heads"]) == len(facts["errors"]) == 3 for facts in told)
    assert max(told[-1]["errors"]) <= max(told[0]["errors"]) or max(told[-1]["errors"]) < 0.5
    by_hand = [
        process._played_out(moment, 1, option, range(100))
        for option in next(one for one in moment.questions if one.seat == 1).options
    ]
    for heads, played_out in zip(told[-1]["heads"], by_hand, strict=True):
        assert heads == pytest.approx(sum(played_out) / 100, abs=3.0)


def party(*bots: str) -> Party:
    """Built-in bots as they are, without a sandbox."""
    wish = Wish("none", allow_unsandboxed=True, freeze=False, proven=False)
    return Party([load(bot) for bot in bots], wish, BuildLimits())


def told_by(party: Party, lines: Lines, moment: Moment, options: list[int], seat: int = 1) -> list[dict[str, Any]]:
    """The facts that are told while these bots play on from options of a seat."""
    told: list[dict[str, Any]] = []
    trio.run(
        process.by_the_party, Party.of(party.told()), lines, moment, seat, options, lambda **facts: told.append(facts)
    )
    return told


def test_the_bots_of_a_match_play_on_from_each_option_to_the_end_of_the_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "BOTS", 2)
    path = tmp_path / "two.jsonl"
    bullring.play(*[highest] * 3, options={"deals": 2}, seed="b", record=path)
    lines = read_lines(path)
    moment = next(one for one in moments(lines) if one.turn == (1, 8))
    told = told_by(party("@greedy", "@random", "@casual"), lines, moment, [0, 2])
    assert [facts["going"] for facts in told if facts.get("going")] == [1, 2, 3, 4]
    numbers = [facts for facts in told if "count" in facts]
    assert (numbers[-1]["count"], len(numbers[-1]["heads"]), told[-1]) == (2, 2, {"going": 0})
    question = next(one for one in moment.questions if one.seat == 1)
    for facts in told:
        for at, (entries, heads) in facts.get("played", {}).items():
            assert entries[0]["answers"][1] == question.options[int(at)]
            assert len(entries) > 1  # the bots went on
            last = frames_of([*lines.entries[: moment.line - 1], *entries])[-1].picture
            assert (last.deal, last.deals[-1][1]) == (1, heads)  # and no further than the deal


def test_a_choice_that_ends_the_deal_leaves_nothing_to_play_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "BOTS", 1)
    lines = played(tmp_path)
    moment = moments(lines)[-1]
    told = told_by(party("@random", "@random", "@random"), lines, moment, [0], moment.questions[0].seat)
    (found,) = [facts["played"]["0"] for facts in told if "played" in facts]
    assert len(found[0]) == 1
    last = frames_of([*lines.entries[: moment.line - 1], *found[0]])[-1].picture
    assert last.deals[-1][moment.questions[0].seat] == found[1]


def test_a_bot_that_does_not_start_is_named(tmp_path: Path) -> None:
    (tmp_path / "dead.py").write_text("raise SystemExit(3)\n")
    lines = played(tmp_path)
    dead = f"{sys.executable} {tmp_path / 'dead.py'}"
    with pytest.RaisesGroup(HostError, flatten_subgroups=True, allow_unwrapped=True) as failed:
        told_by(party("@random", dead, "@random"), lines, moments(lines)[0], [0])
    assert "hello" in str(first_error(failed.value))
