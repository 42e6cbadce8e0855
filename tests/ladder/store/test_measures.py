"""Times in buckets with quantiles, and what bots tell of themselves on stderr."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.ladder.store.measures import LINES, MOST, WINDOW, buckets, metrics, quantile


@given(st.lists(st.integers(0, 60_000_000), min_size=1, max_size=200), st.sampled_from([0.01, 0.5, 0.9, 0.99, 1.0]))
def test_a_quantile_from_buckets_is_as_good_as_a_bucket_is_wide(times: list[int], share: float) -> None:
    rank = max(0, -(-round(share * len(times) * 1000) // 1000) - 1)
    exact = sorted(times)[rank]
    found = quantile(buckets(times), share)
    assert found is not None
    assert abs(found - exact) <= 0.095 * (exact + 1)


def test_buckets_add_up() -> None:
    one, two = [3, 5, 900], [5, 70_000]
    assert Counter(buckets(one)) + Counter(buckets(two)) == Counter(buckets(one + two))
    assert quantile({}, 0.5) is None
    assert buckets([]) == {}
    assert quantile(buckets([0]), 0.5) == 0


@pytest.mark.parametrize(
    ("log", "found"),
    [
        ("depth = 3\n", {"depth": 3.0}),
        ("depth=3\ndepth=4.5", {"depth": 4.5}),
        ("  nodes.per-s_1 = +1.5e6  \n", {"nodes.per-s_1": 1.5e6}),
        ("x = -0.25\r\ny = 1e-3", {"x": -0.25, "y": 0.001}),
        ("depth: 3\ndepth = three\n= 3\n3 = 3\ndepth = 3 4\ndepth == 3\n", {}),
        ("x = nan\nx = inf\nx = 1e999\nx = 0x10\nx = .5\nx = 1_000\n", {}),
        ("x = " + "9" * 15, {"x": 999_999_999_999_999.0}),
        ("x = " + "9" * 16, {}),
        ("k" * 32 + " = 1", {"k" * 32: 1.0}),
        ("k" * 33 + " = 1", {}),
        ("ключ = 1\nx = ١\n\x1b[31m = 1", {}),
        ("", {}),
    ],
)
def test_metrics_are_lines_with_a_key_and_a_number_and_the_last_one_counts(log: str, found: dict[str, float]) -> None:
    assert metrics(log) == found


def test_so_many_metrics_are_kept_and_no_more() -> None:
    log = "".join(f"key{number} = {number}\n" for number in range(MOST + 5)) + "key0 = 7\n"
    found = metrics(log)
    assert list(found) == [f"key{number}" for number in range(MOST)]
    assert found["key0"] == 7


def test_only_the_end_of_a_long_log_is_read() -> None:
    """A bot that writes without end would make all tables of its referee process wait."""
    assert metrics("x = 1\n" + "-" * WINDOW + "\ny = 2") == {"y": 2.0}
    assert metrics("x = 1\n" + "y = 2\n" * LINES) == {"y": 2.0}
