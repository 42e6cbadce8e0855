"""Open hands of finished matches, step by step."""

from pathlib import Path

from tests.arena.games.rules.playing import GameType, every_game
from tests.arena.watching.page.matches import frames_of, played


@every_game
def test_an_open_hand_has_as_many_cards_as_are_left(kind: GameType, tmp_path: Path) -> None:
    for frame in frames_of(played(tmp_path, kind.id)):
        for seat in frame.picture.seats:
            assert len(seat.hand or ()) == seat.left, frame.step


def test_a_card_that_is_shown_is_in_no_hand_any_more(tmp_path: Path) -> None:
    for frame in frames_of(played(tmp_path)):
        for seat in frame.picture.seats:
            assert not set(seat.hand or ()) & set(seat.cards)
