"""What all players of a process share."""

import os

import pytest

from bullring.arena.match.seats import player


def test_ids_are_drawn_in_several_threads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, urandom = [], os.urandom

    def beside(size: int) -> bytes:
        """Another thread draws while the stock is filled."""
        monkeypatch.setattr(os, "urandom", urandom)
        drawn.append(player.new_id())
        return urandom(size)

    monkeypatch.setattr(os, "urandom", beside)
    while not drawn:
        player.new_id()
    assert 0 <= drawn[0] < 1 << 31
