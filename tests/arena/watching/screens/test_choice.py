"""Items to point at: every option of every game can be chosen."""

import random
from typing import Any

import pytest

from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.game import Batch, Game
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.screens.table.choice import DONE, Choice, Item, Sight
from tests.arena.games.rules.toy import Toy

NOTHING = Sight(hand=(), pool=(), cards=104, rows=4, stacks=0, seats=4)


def sight(game: Game[Any], state: Any, seat: int) -> Sight:
    view = game.view(state, seat)
    pools = view.get("pool", ())
    return Sight(
        view["hand"], pools, len(game.heads) - 1, len(view.get("rows", ())), len(view.get("stacks", ())), game.seats
    )


def pointed(choice: Choice, at: int) -> int | None:
    """Point at the items of an option, one after the other. Returns the option that was chosen."""
    for item in choice.made_of(choice.options[at]):
        if item not in choice.chosen:
            assert item in choice.open
            if choice.point(item):
                return choice.answer
    return choice.answer if choice.complete or choice.point(DONE) else None


@pytest.mark.parametrize("kind", [*GAMES.values(), Toy])
def test_every_option_of_every_decision_can_be_pointed_at(kind: type[Game[Any]]) -> None:
    game = kind(max(2, min(4, kind.seat_range[1])))
    rng, state, kinds, asked = random.Random(kind.id), game.new(), set[str](), 0
    while state.pending is not None and asked < 200:
        if not isinstance(state.pending, Batch):
            cards = rng.sample(state.pending.deck, len(state.pending.deck))[: state.pending.cards]
            game.advance_deal(state, cards)
            continue
        batch = state.pending
        for seat, options in zip(batch.seats, batch.options, strict=True):
            asked += 1
            kinds.add(batch.kind)
            choice = Choice(options, game.decision(batch.kind), sight(game, state, seat), str)
            assert not choice.listed
            for at in rng.sample(range(len(options)), min(6, len(options))):
                choice.clear()
                assert pointed(choice, at) == at
        game.advance(state, [rng.choice(list(options)) for options in batch.options])
    assert kinds


def decision(**more: Any) -> Decision:
    return Decision("kind", "", "", "", **more)


@pytest.mark.parametrize(
    "options",
    [
        [[1, 2], [2, 1]],  # the same items in another order
        [[3, 3], [4]],  # an item twice
        [200, 201],  # no cards
        [True, False],
        [[1, [2]], [3, [4]]],
        [{"card": 1}, {"card": 2}],
    ],
)
def test_options_that_nobody_can_point_at_are_a_plain_list(options: list[Any]) -> None:
    choice = Choice(options, decision(), NOTHING, "does {}".format)
    assert choice.listed
    assert choice.open == [Item("option", 0), Item("option", 1)]
    assert choice.point(Item("option", 1))
    assert choice.answer == 1
    assert choice.label(Item("option", 1)) == f"does {choice.options[1]}"


def test_a_card_that_fits_one_stack_needs_no_more_and_others_need_their_stack() -> None:
    stacks = Sight(hand=(5, 7), pool=(), cards=100, rows=0, stacks=3, seats=2)
    choice = Choice([[5, 1], [5, 3], [7, 2], 1, 2, 3], decision(names="stack", each=("card", "stack")), stacks, str)
    assert choice.point(Item("card", 7))
    assert choice.answer == 2
    choice.clear()
    assert not choice.point(Item("card", 5))
    assert choice.open == [Item("stack", 1), Item("stack", 3)]
    assert choice.point(Item("stack", 3))
    assert choice.answer == 1
    choice.clear()
    assert choice.point(Item("stack", 3))
    assert choice.answer == 5


def test_a_subset_is_ended_by_a_word_and_pointing_again_takes_back() -> None:
    choice = Choice([[], [1], [2], [1, 2]], decision(), NOTHING, "does {}".format)
    assert choice.open == [Item("card", 1), Item("card", 2), DONE]
    assert choice.answer == 0
    assert not choice.point(Item("card", 2))
    assert choice.answer == 2
    assert not choice.point(Item("card", 2))
    assert choice.answer == 0
    assert not choice.point(Item("card", 1))
    assert choice.point(Item("card", 2))
    assert choice.answer == 3


def test_thousands_of_options_are_no_burden() -> None:
    pairs = [[a, b] for a in range(1, 100) for b in range(a + 1, 101)]
    choice = Choice(pairs, decision(), Sight(hand=range(1, 101), pool=(), cards=104, rows=4, stacks=0, seats=4), str)
    assert len(choice.open) == 100
    assert not choice.point(Item("card", 50))
    assert choice.point(Item("card", 49))
    assert choice.options[choice.answer or 0] == (49, 50)
