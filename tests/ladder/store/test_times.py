"""Times in buckets, and quantiles from them."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bullring.ladder.store.times import buckets, quantile


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
