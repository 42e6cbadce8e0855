"""The picture beside a link: it tells matches apart, and its letters can be told apart."""

import string
from pathlib import Path

import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.page.lettering import extent, fitted, letter
from bullring.arena.watching.page.preview import START, preview
from tests.arena.watching.page.matches import played, renamed


@pytest.mark.parametrize("game", GAMES)
def test_every_game_with_the_most_seats_has_a_picture(game: str, tmp_path: Path) -> None:
    assert preview(played(tmp_path, game, 10)).startswith(START)


def test_matches_of_others_or_elsewhere_look_otherwise(tmp_path: Path) -> None:
    lines = played(tmp_path)
    pictures = [
        preview(renamed(lines, names), about)
        for names in (["ann", "bob", "cid", "dan"], ["ann", "bob", "cid", "eve"], ["W" * 64, "שלום", "💀", "\u202e"])
        for about in (None, "The Ring")
    ]
    assert len({*pictures}) == len(pictures)


def test_no_two_letters_look_alike() -> None:
    signs = string.ascii_letters + string.digits + string.punctuation + "äöüÄÖÜéß"
    assert len({(letter(sign, 24, 1.0).shape, letter(sign, 24, 1.0).tobytes()) for sign in signs}) == len(signs)


def test_a_text_that_is_too_long_tells_so() -> None:
    assert fitted("greedy", 20, 500) == "greedy"
    cut = fitted("W" * 64, 20, 200)
    assert cut.endswith("W…")
    assert extent(cut, 20) <= 200
