"""Deals and tables in batches play by the rules: the rules engine gives the same rows and heads. So says the document."""

import doctest
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.simulator import POLICIES, Tables, Uncovered, histories
from tests.arena.games.simulator.comparing import AnyGame, begin, compare, covered, play_turn, row_facts

COUNT = 3


@pytest.mark.parametrize(("name", "seats", "options"), covered(), ids=str)
def test_whole_deals_are_those_of_the_rules(name: str, seats: int, options: dict[str, object]) -> None:
    policies = [POLICIES[at % len(POLICIES)] for at in range(seats)]
    compare(name, seats, options, histories(name, seats, options, policies, 12, seats))


@pytest.mark.parametrize(("name", "seats", "options"), [one for one in covered() if one[0] != "open"], ids=str)
def test_rows_and_heads_are_those_of_the_rules(name: str, seats: int, options: dict[str, object]) -> None:
    chance, game = Random(f"{name} {seats}"), GAMES[name](seats, options)
    tables = Tables(name, seats, options, COUNT)
    tables.deal(seats)
    begun = [
        begin(game, [*hands, *turned_up(game, hands, rows)])
        for hands, rows in zip(tables.hands.reshape(COUNT, -1).tolist(), tables.rows.tolist(), strict=True)
    ]
    asks = any(one.kind == "row" for one in game.decisions)
    while tables.left:
        cards = tables.choose("random")
        rows = np.array([[chance.randrange(5) * asks for _ in range(seats)] for _ in range(COUNT)])
        before = tables.heads.copy()
        assert (tables.step(cards, rows) == tables.heads - before).all()
        for number, state in enumerate(begun):
            play_turn(game, state, cards[number].tolist(), rows[number].tolist())
            assert row_facts(state.rows, state.row_heads) == tables.rows[number].tolist()
            assert state.heads == tables.heads[number].tolist()
            if tables.left:
                assert [list(hand) for hand in state.hands] == tables.hands[number, :, : tables.left].tolist()


def turned_up(game: AnyGame, hands: list[int], rows: list[list[int]]) -> list[int]:
    """Cards that begin such rows; in double with twins, and with others up to seven that are not needed."""
    cards = [row[0] for row in rows for _ in range(row[3] // game.heads[row[0]])]
    others = (Counter(game.deck()) - Counter(hands) - Counter(cards)).elements()
    return [*cards, *others][: game.shuffle.cards - len(hands)] if game.shuffle.cards else cards


def test_wrong_cards_change_nothing() -> None:
    tables = Tables("standard", 4, {}, 2)
    with pytest.raises(ValueError, match="call deal"):
        tables.step(np.zeros((2, 4), np.int64))
    tables.deal(1)
    cards, hands = tables.choose("greedy"), tables.hands.copy()
    assert tables.legal().sum() == 80
    assert np.take_along_axis(tables.legal(), cards[:, :, None], 2).all()
    cards[1, 2] = 0
    with pytest.raises(ValueError, match="in the hand of its seat"):
        tables.step(cards)
    with pytest.raises(ValueError, match="must be"):
        tables.step(cards[:1])
    assert (tables.hands == hands).all()
    with pytest.raises(Uncovered, match="one after the other"):
        Tables("open", 4, {}, 1)


def test_the_examples_of_the_document_run() -> None:
    found = doctest.testfile(str(Path(__file__).parents[4] / "docs" / "simulator.md"), module_relative=False)
    assert found.attempted > 10
    assert not found.failed
