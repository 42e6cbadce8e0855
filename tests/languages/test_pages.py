"""The page of a match: what it has in words before its script fills it in, and the facts from which it does."""

from pathlib import Path

import pytest

from bullring.arena.games.rulebook.language import spoken
from bullring.arena.watching.page.page import facts_of
from tests.arena.watching.page.matches import analysis_of, played, renamed
from tests.languages.catalogue import Check
from tests.languages.test_tables import NAMES


@pytest.mark.parametrize("game", ["standard", "tournament", "eleven", "logic"])
def test_the_page_of_a_match(game: str, tmp_path: Path, whole: Check) -> None:
    lines = played(tmp_path, game)
    analysis = analysis_of(lines) if game == "standard" else None
    facts = facts_of(renamed(lines, NAMES[:4]), analysis)
    code = spoken().code
    said = [frame["said"] for frame in facts["frames"]]
    for told in (facts["title"], facts["confined"] or {code: ""}, facts["words"], *said):
        whole("\n".join(texts(told[code])), "none", "Elo", "English", "Deutsch")


def texts(value: object) -> list[str]:
    """The texts in a value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for one in inner for text in texts(one)]
