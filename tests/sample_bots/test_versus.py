"""The program that says how far one bot is ahead of another."""

import re
import sys

import pytest

from bench.versus import main, told


def test_an_interval_that_reaches_beyond_all_points_has_no_end() -> None:
    assert told([0.5, 1, 0.5, 1, 0.5, 1]) == "6 matches: score 0.750 ± 0.288, Elo +191, -27 to +inf"


@pytest.mark.slow
def test_greedy_is_ahead_of_chance(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["@greedy", "@random", "--matches", "6", "--seats", "6", "--time", "5s"]
    monkeypatch.setattr(sys, "argv", ["versus", *words])
    main()
    first, greedy, random = capsys.readouterr().out.splitlines()
    assert re.match(r"standard, 6 seats, 5s, 6 matches: score 0\.[6-9]", first)
    assert greedy.startswith("  greedy: ")
    assert random.startswith("  random: ")
    assert random.endswith(", 0 faults")
