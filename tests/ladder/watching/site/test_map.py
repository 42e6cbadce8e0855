"""The colours of the map of pairs."""

from bullring.ladder.watching.site.pages import FEW, _heat, _heats
from bullring.ladder.watching.site.pairs import Pair


def test_the_key_says_which_shares_have_which_colour() -> None:
    key = dict(_heats())
    assert [*key.values()] == ["≤24", "25–34", "35–44", "45–55", "56–65", "66–75", "≥76"]
    for share in range(101):
        low, high = _ends(key[_heat(Pair("ann", "bob", FEW, share / 100, None, None, None))])
        assert low <= share <= high


def _ends(shares: str) -> tuple[int, int]:
    low, _, high = shares.partition("–")
    return (0, int(low[1:])) if low[0] == "≤" else (int(low[1:]), 100) if low[0] == "≥" else (int(low), int(high))
