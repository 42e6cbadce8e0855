"""What speaks for and against options: of what a seat may know, in every game and language."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import bullring
from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.match.records.reader import read_lines
from bullring.arena.study.analysis.analyser import analyse
from bullring.arena.study.analysis.result import Method
from bullring.arena.study.reasons import Facts, apart, reasons, why
from tests.arena.games.rules.playing import AnyGame, GameType, anything, every_game, fallback, steps
from tests.arena.games.rules.positions import asked, position, stacks_position


def said(game: AnyGame, state: Any, seat: int) -> dict[Any, str]:
    """What is said of each option of a seat that is asked."""
    batch = state.pending
    options = batch.options[batch.seats.index(seat)]
    return {option: why(game, game.view(state, seat), batch.kind, option) for option in options}


def told_apart(game: AnyGame, state: Any, seat: int, option: Any, better: Any) -> tuple[str, str]:
    """What tells an option of a seat that is asked from a better one."""
    words, facts = wording(type(game)), apart(game, game.view(state, seat), state.pending.kind, option, better)
    return words.reasons(facts[0]), words.reasons(facts[1])


@every_game
def test_reasons_are_the_same_whatever_their_seat_cannot_see(kind: GameType) -> None:
    for seats in {kind.seat_range[0], min(4, kind.seat_range[1])}:
        game, chance = kind(seats), Random(1)
        for done in list(steps(game, seed=1))[:60]:
            batch = done.after.pending
            for seat in batch.seats if isinstance(batch, Batch) else ():
                found = said(game, done.after, seat)
                assert said(game, game.resample(done.after, seat, chance.shuffle), seat) == found
                over_the_wire = json.loads(json.dumps(game.view(done.after, seat)))
                for option, text in list(found.items())[:5]:
                    assert why(game, over_the_wire, batch.kind, json.loads(json.dumps(option))) == text


@every_game
def test_what_tells_two_options_apart_is_the_same_whatever_their_seat_cannot_see(kind: GameType) -> None:
    game, chance = kind(min(4, kind.seat_range[1])), Random(1)
    for done in list(steps(game, seed=1))[:60:6]:
        batch = done.after.pending
        if isinstance(batch, Batch) and len(batch.options[0]) > 1:
            seat, pair = batch.seats[0], (batch.options[0][0], batch.options[0][-1])
            told = told_apart(game, done.after, seat, *pair)
            assert told_apart(game, game.resample(done.after, seat, chance.shuffle), seat, *pair) == told


def keys(kind: type[Any], code: str) -> set[str]:
    """The reasons that the texts of a game and of its families have sentences for."""
    names = [name for one in kind.__mro__ if (name := vars(one).get("id") or vars(one).get("family"))]
    return {key for name in names for key in LANGUAGES[code].find(f"{name}.reasons") or ()}


def test_every_sentence_is_said_somewhere_and_every_reason_has_one() -> None:
    met: set[tuple[str, str]] = set()
    chance = Random(1)
    for kind in GAMES.values():
        for seats in {kind.seat_range[0], min(4, kind.seat_range[1])}:
            game = kind(seats)
            for policy in (anything, fallback):
                for done in steps(game, seed=2, policy=policy):
                    batch = done.after.pending
                    for seat, options in (
                        zip(batch.seats, batch.options, strict=True) if isinstance(batch, Batch) else ()
                    ):
                        view = game.view(done.after, seat)
                        for option in options[:40]:
                            met |= {(kind.id, one.key) for one in reasons(game, view, batch.kind, option)}
                        if chance.random() < 0.1 and len(options) > 1:
                            told = apart(game, view, batch.kind, *chance.sample(options, 2))
                            met |= {(kind.id, one.key) for facts in told for one in facts}
    for code in LANGUAGES:
        assert {key for _, key in met} == {key for kind in GAMES.values() for key in keys(kind, code)}
        with speaking(code):
            assert all(wording(GAMES[game]).find(f"reasons.{key}") for game, key in met)


ROWS = ([3, 8], [61, 62], [38, 41], [15, 20, 22, 33, 42])


def cards(
    game: str, rows: Sequence[Sequence[int]], hand: Sequence[int], others: int = 3, **options: Any
) -> dict[Any, str]:
    """What is said of the cards of a hand, in a first turn."""
    rules: Any = find(game)(1 + others, options)
    taken = {card for row in rows for card in row} | set(hand)
    rest = [card for card in dict.fromkeys(rules.deck()) if card not in taken]
    size = len(hand)
    hands = [hand, *(rest[at * size : (at + 1) * size] for at in range(others))]
    return said(rules, position(rules, rows, hands), 0)


def test_a_card_meets_a_full_row_or_one_with_room_and_unseen_cards_lie_between() -> None:
    assert cards("standard", ROWS, [2, 9, 45, 59, 63, 70, 104]) == {
        2: "the 2 fits nowhere (cheapest row: 2 heads), one unseen card is even lower",
        9: "row 1 has room for three cards, no card fits between 8 and 9",
        45: "row 4 is full (16 heads), two unseen cards lie between 42 and 45",
        59: "row 4 is full (16 heads), 15 unseen cards lie between 42 and 59",
        63: "row 2 has room for three cards, no card fits between 62 and 63",
        70: "row 2 has room for three cards, six unseen cards lie between 62 and 70",
        104: "row 2 has room for three cards, 39 unseen cards lie between 62 and 104",
    }


def test_where_every_card_is_in_play_the_others_hold_what_is_not_seen() -> None:
    hand = [10, 13, 21, 24]
    assert cards("tactics", ([1, 2, 3, 4, 5], [11, 12], [14, 15, 16], [19, 20]), hand, others=1) == {
        10: "row 1 is full (6 heads), the others hold four cards between 5 and 10",
        13: "row 2 has room for three cards, no card fits between 12 and 13",
        21: "row 4 has room for three cards, no card fits between 20 and 21",
        24: "row 4 has room for three cards, the others hold two cards between 20 and 24, only one other card can come",
    }


def test_cards_that_lie_open_are_placed_first() -> None:
    rules: Any = find("open")(3)
    state: Any = position(rules, ([10, 11, 12, 13], [30], [50], [70]), ([14, 99], [16, 60], [18, 20]))
    state, _ = rules.apply(state, [14])
    assert said(rules, state, 1)[16] == "row 1 is full (11 heads), one unseen card lies between 14 and 16"
    state, _ = rules.apply(state, [16])
    assert said(rules, state, 2)[18] == "row 1 has room for four cards"  # the 16 takes the row


def test_rows_of_the_professional_game_have_two_ends() -> None:
    rows = ([20, 40, 66], [12, 55, 70], [8, 30, 88], [25, 61])
    found = cards("professional", rows, [7, 45, 72, 24])
    assert found == {
        7: "row 3 has room for two cards",
        24: "row 4 has room for three cards",
        45: "the 45 lies within all rows (cheapest row: 3 heads)",
        72: "row 2 has room for two cards, one unseen card lies between 70 and 72",
    }


def test_equal_cards_of_the_double_game_share_a_place() -> None:
    found = cards("double", ([3, 8], [61, 62], [38, 41], [15, 20, 22, 33, 42]), [42, 43])
    assert found[42] == "the 42 shares the place of its twin at the end of row 4"
    assert found[43] == "row 4 is full (16 heads), no card fits between 42 and 43"


def test_a_pair_is_judged_card_by_card() -> None:
    found = cards("nifty", ROWS, [2, 45, 63, 64])
    assert found[45, 63] == (
        "the 45 goes to row 4, which is full (16 heads), the 63 goes to row 2, which has room for three cards"
    )
    assert found[63, 64].endswith("the 64 goes to row 2, which has room for two cards")


def test_a_row_to_take_is_compared_with_the_cheapest() -> None:
    rules: Any = find("standard")(2)
    state: Any = position(rules, ([20, 30], [40], [55], [60, 61]), ([1, 90], [95, 96]))
    state, _ = rules.apply(state, [1, 95])
    assert asked(state)[:2] == ("row", 0)
    assert said(rules, state, 0) == {
        1: "row 1 costs more (6 heads) than row 2 (3 heads), row 1 ends with the 30 (2 cards), where nine unseen cards would go",
        2: "no row is cheaper than row 2 (3 heads), row 2 ends with the 40 (1 card), where 14 unseen cards would go",
        3: "row 3 costs more (7 heads) than row 2 (3 heads), row 3 ends with the 55 (1 card), where four unseen cards would go",
        4: "row 4 costs more (4 heads) than row 2 (3 heads), row 4 ends with the 61 (2 cards), where 41 unseen cards would go,"
        " the 95 waits to go there",
    }
    with speaking("de"):
        assert said(rules, state, 0)[1].startswith("Reihe 1 ist teurer (6 Hornochsen) als Reihe 2 (3 Hornochsen), ")


def test_of_rows_that_cost_the_same_is_told_what_else_taking_them_does() -> None:
    rules: Any = find("standard")(2)
    state: Any = position(rules, ([31], [41], [51], [101, 102, 103, 104]), ([1, 90], [35, 96]))
    state, _ = rules.apply(state, [1, 35])
    assert said(rules, state, 0) == {
        1: "no row is cheaper than row 1 (1 head), row 1 ends with the 31 (1 card), where eight unseen cards would go,"
        " the 35 waits to go there",
        2: "no row is cheaper than row 2 (1 head), row 2 ends with the 41 (1 card), where nine unseen cards would go",
        3: "no row is cheaper than row 3 (1 head), row 3 ends with the 51 (1 card), where 48 unseen cards would go",
        4: "row 4 costs more (4 heads) than row 1 (1 head), row 4 ends with the 104 (4 cards), where no unseen card would go",
    }
    with speaking("de"):
        assert said(rules, state, 0)[1].endswith(
            "Reihe 1 endet mit der 31 (1 Karte), dorthin kämen acht ungesehene Karten, die 35 wartet darauf, dorthin zu kommen"
        )


def test_cards_of_a_taken_row_go_to_the_pile_or_may_count_twice() -> None:
    rules: Any = find("hand")(2)
    state: Any = position(rules, ([20, 30], [40], [55], [60, 61]), ([1, 90], [95, 96]))
    for answer in (1, 1):
        state, _ = rules.apply(state, [answer])
    assert said(rules, state, 0) == {
        (): "all cards go to the pile (6 heads)",
        (20,): "the 20 counts twice if it stays in the hand (6 heads)",
        (30,): "the 30 counts twice if it stays in the hand (6 heads)",
        (20, 30): "20 and 30 count twice if they stay in the hand (12 heads)",
    }
    state, _ = rules.apply(state, [()])
    assert said(rules, state, 0) == {"stop": "", 90: "row 4 has room for three cards"}


def test_a_stack_brings_cards_and_bulls() -> None:
    rules: Any = find("eleven")(2)
    state = stacks_position(rules, ([95], [40, 43, 47]), ([3, 50], [60, 61]))
    assert said(rules, state, 0) == {
        (
            3,
            1,
        ): "the 3 is eight above the 95, the hand gets lighter (5 heads), then one card of the hand fits on a stack",
        (
            50,
            2,
        ): "the 50 is three above the 47, the hand gets lighter (1 head), then one card of the hand fits on a stack",
        1: "one card comes into the hand (1 head), then one card of the hand fits on a stack",
        2: "three cards come into the hand (9 heads), there is a bull for it, then one card of the hand fits on a stack",
    }


def apart_of(rows: Sequence[Sequence[int]], hand: Sequence[int], option: int, better: int) -> tuple[str, str]:
    """What tells two cards of a hand of the standard game apart."""
    rules: Any = find("standard")(4)
    taken = {card for row in rows for card in row} | set(hand)
    rest = [card for card in rules.deck() if card not in taken]
    hands = [hand, *(rest[at * len(hand) : (at + 1) * len(hand)] for at in range(3))]
    return told_apart(rules, position(rules, rows, hands), 0, option, better)


def test_a_card_that_takes_more_now_is_told_from_one_that_takes_less() -> None:
    worse, better = apart_of(ROWS, [9, 45, 59], 45, 9)
    assert worse == "row 4 is full (16 heads), two unseen cards lie between 42 and 45, 14.9 heads on average now"
    assert better == "row 1 has room for three cards, no card fits between 8 and 9, 0.0 heads on average now"


def test_of_two_cards_that_are_safe_the_one_is_told_that_can_rather_wait() -> None:
    worse, better = apart_of(([68], [44], [12], [82]), [50, 65, 90, 95], 50, 65)
    assert worse.startswith("five unseen cards lie between 44 and 50, it can rather wait (0.0 heads on average now, ")
    assert better.startswith("19 unseen cards lie between 44 and 65, 0.0 heads on average now, ")
    assert worse.endswith(" three turns later)")
    assert better.endswith(" three turns later")


def test_facts_that_both_options_have_are_left_out() -> None:
    assert not any("has room" in text for text in apart_of(([68], [44], [12], [82]), [50, 65, 90, 95], 50, 65))


def test_no_outlook_is_told_that_speaks_against_the_better_card() -> None:
    told = apart_of(ROWS, [9, 45], 9, 45)
    assert not any("on average now" in text for text in told)


def test_a_row_that_costs_the_same_is_told_by_what_the_rest_of_the_hand_takes_then() -> None:
    rules: Any = find("standard")(2)
    state: Any = position(rules, ([31], [41], [51], [101, 102, 103, 104]), ([1, 33], [35, 96]))
    state, _ = rules.apply(state, [1, 35])
    worse, better = told_apart(rules, state, 0, 1, 2)
    assert worse.endswith("a card of the hand then takes 0.6 heads on average")
    assert better.endswith("a card of the hand then takes 0.0 heads on average")


def test_the_facts_of_a_record_are_those_of_its_decisions(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    first = lambda message: message["options"][0]  # noqa: E731
    bullring.play(first, first, options={"deals": 1}, seed="reasons", record=file)
    lines, words = read_lines(file), wording(find("standard"))
    analysis, facts = analyse(lines, Method(error=5.0, playouts=32, engine_playouts=20)), Facts(lines)
    for choice in analysis.choices:
        assert all(words.reasons(one) for one in facts.all(choice))
        told = facts.apart(choice)
        assert set(told) == {choice.chosen, choice.best}
        if choice.mark:
            assert words.reasons(told[choice.chosen]) != words.reasons(told[choice.best])
    stray = analysis.choices[0].model_copy(update={"options": (1, 2)})
    assert facts.apart(stray) == {}  # a damaged file tells nothing
    assert facts.all(stray) == [(), ()]


def test_a_game_without_reasons_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from bullring.arena.games.rules.reasons import Reasons

    monkeypatch.setattr(find("standard"), "reasons", Reasons())
    assert set(cards("standard", ROWS, [2, 9]).values()) == {""}
