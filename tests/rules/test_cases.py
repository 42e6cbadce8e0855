"""The worked examples of the rulebooks (`cases.json`), and examples derived from their rules, played through `Game.apply`.

In `cases.json`, "src" says where a case is from: S is an example of a rulebook, R a figure reconstructed from its text, and
D is derived from the rules.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.rules.game import Batch
from arena.rules.variants.online import Online
from arena.rules.variants.standard import RowState, Standard
from tests.rules.positions import position

CASES = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))

BYSTANDERS = {"B05": [34], "B07": [34], "B09": [4], "O02": [102, 103, 104], "O03": [91, 92, 93]}
"""Cards of further seats, where an example names fewer cards than the game has seats. They fit on rows that do not matter."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_rows_and_heads_are_those_of_the_example(case: dict[str, Any]) -> None:
    bystanders = BYSTANDERS.get(case["id"], [])
    played = [*case["plays"], *bystanders]
    game: Standard = Online(4) if case["rule"] == "online" else Standard(len(played))
    after = _turn(game, case, played)
    assert [[card for card in row if card not in bystanders] for row in after.rows] == case["after"]
    expected = [case["heads"].get(str(card), 0) for card in played]
    assert after.heads == expected
    assert after.scores == expected


def _turn(game: Standard, case: dict[str, Any], played: list[int]) -> RowState:
    state = position(game, case["rows"], [[card] for card in played])
    state, _ = game.apply(state, played)
    rows: dict[str, int] = dict(case.get("row", {}))
    while isinstance(state.pending, Batch) and state.pending.kind == "row":
        (seat,) = state.pending.seats
        state, _ = game.apply(state, [rows.pop(str(played[seat]))])
    assert not rows, "an owner of a low card was not asked for his row"
    return state
