"""The languages in which everything is shown once."""

from collections.abc import Iterator

import pytest

from bullring.arena.games.rulebook.language import DEFAULT, LANGUAGES, speaking
from tests.languages.catalogue import MARKED, Check, Marked, untranslated

CODES = [*(code for code in LANGUAGES if code != DEFAULT), MARKED]


@pytest.fixture(
    name="whole",
    # In the marked language all that is not translated shows; what one language alone has forgotten is looked for in `make slow`.
    params=[pytest.param(code, marks=pytest.mark.slow if code != MARKED else ()) for code in CODES],
)
def _whole(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Check]:
    """Speak a language, and check texts in it."""
    code = request.param
    if code == MARKED:
        monkeypatch.setitem(LANGUAGES, MARKED, Marked(MARKED))

    def check(text: str, *names: str) -> None:
        missed = untranslated(code, text, names)
        assert not missed, f"{missed} in:\n{text}"

    with speaking(code):
        yield check
