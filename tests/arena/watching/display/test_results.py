"""Tables of results."""

from typing import Any

from rich.console import Console

from bullring.arena.watching.display.results import result_table

TIMES = {"count": 1, "median_ms": 1.0, "p99_ms": 1.0, "max_ms": 1.0}


def seat(number: int, bot: str, score: int, rank: int, faults: list[dict[str, Any]]) -> dict[str, Any]:
    facts = {"seat": number, "bot": bot, "score": score, "rank": rank, "faults": faults}
    return {**facts, "start_ms": 1.0, "decisions": TIMES}


def test_a_closed_seat_that_is_last_with_few_heads_is_explained() -> None:
    late = {"kind": "timeout", "closed": True}
    facts = {"void": False, "seats": [seat(0, "slow", 0, 2, [late]), seat(1, "steady", 28, 1, [])]}
    console = Console(width=100)
    with console.capture() as capture:
        console.print(result_table(facts))
    shown = capture.get()
    assert shown.index("steady") < shown.index("slow")
    assert "closed, and so last whatever the heads: slow" in shown
