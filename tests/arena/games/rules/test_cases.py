"""The worked examples of the rulebooks (`cases.json`), and examples derived from their rules, played through `Game.apply`.

In `cases.json`, "src" says where a case is from: S is an example of a rulebook, R a figure reconstructed from its text, P from
another public source, and D is derived from the rules. "rule" says which of the functions here plays it.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.games.rules.cards import ELEVEN_HEADS
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.rows import RowGame
from bullring.arena.games.rules.variants.double import Double
from bullring.arena.games.rules.variants.eleven import Eleven
from bullring.arena.games.rules.variants.hand import MOST_IN_HAND, Hand
from bullring.arena.games.rules.variants.nifty import Nifty
from bullring.arena.games.rules.variants.online import Online
from bullring.arena.games.rules.variants.professional import Professional
from bullring.arena.games.rules.variants.standard import Standard
from bullring.errors import SeatsError
from tests.arena.games.rules.positions import position, stacks_position

Case = dict[str, Any]

CASES: list[Case] = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))

BYSTANDERS = {
    "B05": [34],
    "B07": [34],
    "B09": [4],
    "O02": [102, 103, 104],
    "O03": [91, 92, 93],
    "D02": [59],
    "D05": [59],
}
"""Cards of further seats, where an example names fewer cards than the game has seats. They fit on rows that do not matter."""

LETTERS = "ABC"
"""The seats of examples that name them."""


def answer(game: RowGame[Any], state: Any, rows: dict[str, int]) -> Any:
    """The position after all decisions `row` of a turn, by the card whose owner is asked."""
    while isinstance(state.pending, Batch) and state.pending.kind == "row":
        card, _ = state.queue[0]
        state, _ = game.apply(state, [rows.pop(str(card))])
    assert not rows, "an owner of a low card was not asked for his row"
    return state


def rows_and_heads(case: Case) -> None:
    bystanders = BYSTANDERS.get(case["id"], [])
    played = [*case["plays"], *bystanders]
    kind = {"base": Standard, "online": Online, "profi": Professional}[case["rule"]]
    game: RowGame[Any] = kind(len(played))
    state, _ = game.apply(position(game, case["rows"], [[card] for card in played]), played)
    after = answer(game, state, dict(case.get("row", {})))
    assert [[card for card in row if card not in bystanders] for row in after.rows] == case["after"]
    expected = [case["heads"].get(str(card), 0) for card in played]
    assert after.heads == expected
    assert after.scores == expected


def alone(case: Case, card: int) -> tuple[Any, list[Event]]:
    """A card that is placed before another one, which does not matter."""
    other = 104
    game = Professional(2)
    return game.apply(position(game, case["rows"], [[card], [other]]), [card, other])


def professional_takers(case: Case) -> None:
    """Exactly these of all cards take the row."""
    takers = []
    lying = set(chain.from_iterable(case["rows"]))
    for card in set(range(1, 104)) - lying:
        state, _ = alone(case, card)
        if case["rows"][case["row_index"] - 1] == state.piles[0]:
            takers.append(card)
    assert sorted(takers) == case["cards"]


def professional_none(case: Case) -> None:
    for card in case["cards"]:
        state, _ = alone(case, card)
        assert state.pending == Batch("row", (0,), ((1, 2, 3, 4),))


def professional_tie(case: Case) -> None:
    card, ends = case["card"], dict(case["options"])
    state, _ = alone(case, card)
    assert state.pending == Batch("side", (0,), (tuple(ends),))
    for row, end in ends.items():
        after, _ = Professional(2).apply(state, [row])
        before = case["rows"][row - 1]
        assert after.rows[row - 1] == ([card, *before] if end == "L" else [*before, card])


def nifty(case: Case) -> None:
    game = Nifty(len(case["hands"]))
    pairs = [tuple(sorted(case["hands"][letter])) for letter in LETTERS[: game.seats]]
    state = position(game, case["rows"], pairs)
    state, _ = game.apply(state, pairs)
    sequence: list[int] = []
    rows = dict(case.get("row", {}))
    while isinstance(batch := state.pending, Batch):
        (seat,) = batch.seats
        asked_for = case["order"][LETTERS[seat]][0] if batch.kind == "order" else rows.pop(str(state.queue[0][0]))
        state, events = game.apply(state, [asked_for])
        sequence += [card for event in events if event["type"] == "place" for _, card, _, _ in event["placed"]]
    assert not rows
    assert sequence == case["sequence"]
    assert state.rows == case["after"]
    expected = [sum(case["heads"].get(str(card), 0) for card in pair) for pair in pairs]
    assert state.heads == expected


def double(case: Case) -> None:
    played = [card for _, card in case["plays"]] + BYSTANDERS.get(case["id"], [])
    game = Double(len(played))
    rows = [list(chain.from_iterable(row)) for row in case["rows"]]
    state, _ = game.apply(position(game, rows, [[card] for card in played]), played)
    after = answer(game, state, dict(case.get("row", {})))
    expected = [list(chain.from_iterable(row)) for row in case["after"]]
    if case["id"] in BYSTANDERS:
        expected[-1] += BYSTANDERS[case["id"]]
    assert after.rows == expected
    names = [letter for letter, _ in case["plays"]]
    assert after.heads == [case["heads"].get(letter, 0) for letter in names] + [0] * (game.seats - len(names))


def double_start(case: Case) -> None:
    game = Double(2)
    turned = [*case["turned"], 101]  # one more than is needed
    hands = [card for card in range(1, 101) if card not in turned][:20]
    state, events = game.deal(game.new(), [*hands, *turned])
    rows = [list(chain.from_iterable(row)) for row in case["after"]]
    assert state.rows == rows
    assert events == [{"type": "deal", "deal": 1, "rows": rows}]


def fit(case: Case) -> None:
    """A seat that holds all other cards may lay exactly these."""
    top = case["top"]
    game = Eleven(2)
    hand = [card for card in game.deck() if card != top]
    state = stacks_position(game, [[top]], [hand, [top]])
    assert isinstance(state.pending, Batch)
    (options,) = state.pending.options
    assert set(options) == {1, *((card, 1) for card in case["legal"])}


def eleven(case: Case) -> None:
    seats = case["players"]
    game = Eleven(seats)
    hands: list[list[int]] = [[] for _ in range(seats)]
    for at, (action, _, *cards) in enumerate(case["actions"]):
        if action == "play":
            hands[at % seats] += cards[0]
    fillers = iter(range(60, 77))  # nothing of this fits on anything, so no hand is empty
    for hand in hands:
        hand += [next(fillers), next(fillers)]
    state = stacks_position(game, [[case["start"]]], hands, draw=case["deck"])
    took = {}
    for at, (action, stack, *cards) in enumerate(case["actions"]):
        assert isinstance(state.pending, Batch)
        assert state.pending.seats == (at % seats,)
        move = (*cards[0], stack) if action == "play" else stack
        state, events = game.apply(state, [move])
        if action == "take":
            took[str(at % seats)] = events[0]["cards"]
    assert state.stacks == case["piles"]
    assert state.bulls == case["bulls"]
    assert took == case["took"]
    assert state.draw == []


def several(case: Case) -> None:
    """Also whichever of the cards is laid first."""
    cards = case["cards"]
    for first in (0, 1, 2):
        game = Eleven(2)
        state = stacks_position(game, [[case["top"]]], [[*cards, 50], [51]], bulls=[1, 0])
        for card in (*cards[first:], *cards[:first]):
            state, _ = game.apply(state, [(card, 1)])
        assert state.stacks == [[case["top"], *case["laid"]]]
        assert state.stacks[0][-1] == case["new_top"]


def horns(case: Case) -> None:
    assert {str(heads): cards for heads, cards in Counter(ELEVEN_HEADS[1:]).items()} == case["counts"]
    assert sum(ELEVEN_HEADS) == case["total"]


def hand_keep(case: Case) -> None:
    game = Hand(2)
    size, taken = case["hand_size_after_play"], list(range(21, 21 + case["taken"]))
    own = [40, *range(60, 60 + size)]
    state, _ = game.apply(position(game, [taken, [1], [2], [3]], [own, [5]]), [40])
    assert len(state.hands[0]) == size
    assert isinstance(state.pending, Batch)
    (options,) = state.pending.options
    assert max(map(len, options)) == case["max_keep"] == MOST_IN_HAND - size  # type: ignore[arg-type]


def hand_score(case: Case) -> None:
    game = Hand(2)
    state = position(game, [[20], [30], [40], [50]], [[90], [91, *case["hand"]]])
    state.piles[1], state.heads[1] = list(case["pile"]), 8  # of 11, 5 and 1: 5, 2 and 1
    state, _ = game.apply(state, [90])
    state, _ = game.apply(state, [91])
    state, events = game.apply(state, ["stop"])
    assert events[-1]["hands"] == [[], sorted(case["hand"])]
    assert events[-1]["heads"] == [0, case["score"]]


def ranges(case: Case) -> None:
    """The cards that a deal needs: seats end where the cards end."""
    needed = dict(case["cards_needed"])
    assert Standard(10).dealt() == len(Standard(10).deck()) == needed.pop("base10")
    assert GAMES["open"](9).dealt() == needed.pop("offen9")
    assert len(GAMES["open"](9).deck()) == needed.pop("offen10") - 1
    assert Nifty(7).dealt() == Hand(7).dealt() == needed.pop("raff7") == needed.pop("hand7")
    assert len(Nifty(7).deck()) < needed.pop("raff8")
    assert len(GAMES["logic"](2).deck()) == needed.pop("logik2")
    for seats in (3, 4):
        assert len(GAMES["tactics"](seats).deck()) == needed.pop(f"taktik{seats}")
    assert len(Double(2).deck()) >= needed.pop("doppel20")
    assert len(Double(10, {"doublets": True}).deck()) > needed.pop("pasch10")
    assert len(Eleven(7).deck()) >= needed.pop("n11_7")
    assert not needed, "all of them are held against the games"
    for kind, seats in (("open", 10), ("nifty", 8), ("hand", 8), ("double", 11), ("standard", 11)):
        with pytest.raises(SeatsError):
            GAMES[kind](seats)


RUN: dict[str, Callable[[Case], None]] = {
    "base": rows_and_heads,
    "online": rows_and_heads,
    "profi": rows_and_heads,
    "profi_takers": professional_takers,
    "profi_none": professional_none,
    "profi_tie": professional_tie,
    "raffiniert": nifty,
    "doppel": double,
    "doppel_start": double_start,
    "fit": fit,
    "n11": eleven,
    "multi": several,
    "horns": horns,
    "hand_keep": hand_keep,
    "hand_score": hand_score,
    "ranges": ranges,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_game_comes_out_as_the_example_says(case: Case) -> None:
    RUN[case["rule"]](case)


def test_there_are_forty_examples_and_each_is_another() -> None:
    names: Sequence[str] = [case["id"] for case in CASES]
    assert len(set(names)) == len(names) == 40
    assert {case["rule"] for case in CASES} == RUN.keys()
