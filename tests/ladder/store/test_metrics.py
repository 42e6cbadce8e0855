"""What bots tell of themselves on stderr."""

import pytest

from bullring.ladder.store.metrics import LINES, MOST, WINDOW, metrics


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
