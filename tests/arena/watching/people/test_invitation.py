"""Sittings from invitations that leave things open, and the memory of the last table."""

from pathlib import Path

import pytest

from bullring.arena.watching.people.how import How
from bullring.arena.watching.people.invitation import Invitation, Remembered
from bullring.arena.watching.people.opponents import LEVELS, USUAL, looks_like_bot, named, refuse_slip
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.errors import BotError, OptionError, SeatsError

GREEDY = Chair(bot="@greedy")


def seats(sitting: Sitting) -> tuple[str, int, int]:
    """The game, the people and the seats."""
    return sitting.game, len(sitting.people), len(sitting.chairs)


@pytest.mark.parametrize(
    ("invitation", "expected"),
    [
        (Invitation(("Ann",)), ("online", 1, 4)),
        (Invitation(("Ann",), (GREEDY,) * 3), ("online", 1, 4)),
        (Invitation(("Ann",), (GREEDY,)), ("standard", 1, 2)),
        (Invitation(("Ann",), (GREEDY,), "online"), ("online", 1, 4)),
        (Invitation(("Ann", "Ben")), ("online", 2, 4)),
        (Invitation(("Ann",), seats=6), ("standard", 1, 6)),
        (Invitation(("Ann",), seats=6, tactics=True), ("tactics", 1, 6)),
        (Invitation(("Ann",), game="standard", tactics=True), ("tactics", 1, 4)),
        (Invitation(("Ann",), options={"deals": "2"}), ("standard", 1, 4)),
        (Invitation(("Ann",), game="tournament", seats=5), ("tournament", 1, 5)),
    ],
)
def test_what_is_not_said_is_filled_in(invitation: Invitation, expected: tuple[str, int, int]) -> None:
    assert seats(invitation.settled()) == expected


def test_tactics_of_the_online_game_is_its_option() -> None:
    assert Invitation(("Ann",), tactics=True).settled().options == {"tactics": True}


def test_a_table_that_does_not_fit_is_refused() -> None:
    with pytest.raises(SeatsError, match="2 to 5 seats, not 6"):
        Invitation(("Ann",), game="tournament", seats=6).settled()
    with pytest.raises(SeatsError, match="3 would sit down at a table of 2"):
        Invitation(("Ann",), (GREEDY, GREEDY), "standard", seats=2).settled()
    with pytest.raises(OptionError, match="logic has no tactics"):
        Invitation(("Ann",), game="logic", tactics=True).settled()


def test_people_are_told_from_bots() -> None:
    assert not any(map(looks_like_bot, ("Ann", "Anna Maria", "python3")))
    assert all(map(looks_like_bot, ("@greedy", "./mine", "python3 bot.py")))
    with pytest.raises(BotError, match="@greedy"):
        refuse_slip("greedy")


def test_opponents_that_nobody_chose_are_of_the_usual_level() -> None:
    sitting = Invitation(("Ann",), game="standard", seats=9).settled()
    assert {chair.bot for chair in sitting.chairs if chair.bot} == set(LEVELS[USUAL])


def test_a_folder_is_an_opponent(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "mine"\nrun = ["{python}", "b.py"]\nlanguage = "Python"\nabout = "new"\n'
    )
    (tmp_path / "b.py").touch()
    one = named(str(tmp_path))
    assert (one.name, one.language, one.about, one.source) == ("mine", "Python", "new", "own")


def test_the_last_table_is_remembered_and_damage_is_forgiven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Remembered.read().people == ()
    Remembered.of(Invitation(("Ann", "Ben"), (GREEDY,), "nifty").settled(), How(teach=True)).keep()
    last = Remembered.read()
    assert (last.people, last.bots, last.game) == (("Ann", "Ben"), (GREEDY,), "nifty")
    assert last.how == How(teach=True)
    for damage in ("", "[]", '{"people": ["Ann"], "bots": [], "game": "gone", "options": {}}'):
        (tmp_path / "bullring" / "last-table.json").write_text(damage)
        assert Remembered.read().people == ()
