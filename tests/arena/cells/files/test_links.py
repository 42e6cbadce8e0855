"""Links of strangers."""

import pytest

from bullring.arena.cells.files import links
from bullring.arena.cells.files.links import refuse_outward
from bullring.errors import FilesError


def test_links_that_take_long_to_follow_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "MOST_STEPS", 1000)
    detour = b"d/../" * 10
    refuse_outward({b"a": detour + b"b", b"b": b"c"}, "bot")
    many = {b"%d" % number: detour + b"a" for number in range(100)}
    with pytest.raises(FilesError, match="too many folders"):
        refuse_outward({b"a": detour + b"b", **many}, "bot")
