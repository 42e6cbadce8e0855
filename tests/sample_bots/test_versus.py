"""The program that says how far one bot is ahead of another."""

import re
import sys

import pytest

from bench.versus import main, told


def test_an_interval_that_reaches_beyond_all_points_has_no_end() -> None:
    assert told([0.5, 1, 0.5, 1, 0.5, 1]) == "6 matches: score 0.750 (0.462 to 1.000), Elo +191 (-27 to +inf)"


def test_few_matches_that_went_alike_do_not_show_that_all_will() -> None:
    assert told([1.0] * 6) == "6 matches: score 1.000 (0.610 to 1.000), Elo +inf (+77 to +inf)"


@pytest.mark.slow
def test_greedy_is_ahead_of_chance(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["@greedy", "@random", "--matches", "6", "--seats", "6", "--time", "5s"]
    monkeypatch.setattr(sys, "argv", ["versus", *words])
    main()
    first, greedy, random = capsys.readouterr().out.splitlines()
    assert re.match(r"standard, 6 seats, 5s, 6 matches: score (0\.[6-9]|1\.0)", first)
    assert greedy.startswith("  greedy: ")
    assert random.startswith("  random: ")
    assert random.endswith(", 0 faults")
