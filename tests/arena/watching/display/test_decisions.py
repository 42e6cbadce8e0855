"""Bars of expected heads."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.games.rules.registry import find
from bullring.arena.study.analysis.result import Choice, Parts
from bullring.arena.watching.display.decisions import bar, choice_bars, option_bars, overview, strip, verdict
from tests.arena.watching.screens.test_stepper import choice


def test_a_bar_fills_its_columns_and_what_is_there_is_seen() -> None:
    assert bar(4, 4, 3) == "███"
    assert bar(2, 4, 3) == "█▌"
    assert bar(0.001, 4, 3) == "▏"
    assert bar(0, 4, 3) == bar(1, 0, 3) == bar(-1, 4, 3) == bar(1, 4, 0) == ""
    assert bar(9, 4, 3) == "███"


def test_options_come_best_first_with_bars_of_what_the_others_cost() -> None:
    shown = option_bars(["12", "74", "9"], [12.0, 10.0, 11.0], best=1, chosen=0, mark="?", width=40)
    lines = [line.split() for line in shown.plain.splitlines()]
    assert [line[:3] for line in lines] == [["74", "10.0", "best"], ["9", "11.0", "+1.0"], ["▸", "12", "12.0"]]
    assert 2 * len(lines[1][-1]) == len(lines[2][-1])  # twice the loss is twice as long
    assert len(lines[0]) == 3  # nothing is lost by the best one
    assert all(len(line) <= 40 for line in shown.plain.splitlines())


def test_the_best_and_the_chosen_one_are_seen_in_little_room() -> None:
    titles, heads = [str(card) for card in range(10)], [float(card) for card in range(10)]
    shown = option_bars(titles, heads, best=0, chosen=8, width=30, height=4).plain.splitlines()
    assert len(shown) == 4
    assert "best" in shown[0]
    assert "▸ 8" in shown[2]
    assert shown[3].strip() == "and 7 more"
    two = option_bars(titles, heads, best=0, chosen=8, width=30, height=2).plain.splitlines()
    assert "best" in two[0]
    assert "▸ 8" in two[1]


def test_a_choice_in_words_and_bars() -> None:
    game = find("standard")
    assert (
        verdict(choice(3, 0, 5.0), game, "an\x1bna").plain
        == "?? an\\x1bna plays 5: costs 5.0 ± 0.1 heads; better: plays 9"
    )
    assert "as good as" in verdict(choice(3, 0, 0.0), game, "anna").plain
    assert "costs 0.1 ± 0.1 heads" in verdict(choice(3, 0, 0.1), game, "anna").plain
    assert "+5.0 ± 0.1" in choice_bars(choice(3, 0, 5.0), width=44).plain
    lines = overview([choice(3, 0, 5.0), choice(3, 1, 0.1)], ["anna", "bob"], seat=1, width=60).plain.splitlines()
    assert lines[0].split()[:5] == ["??", "anna", "5", "better", "9"]
    assert lines[1].startswith("▸")
    assert strip([choice(3, 0, 5.0), choice(3, 1, 0.1)], ["anna", "bob"], seat=1).plain == " ?? anna ▸bob "


def _choice(heads: tuple[float, ...], chosen: int, cost: float) -> Choice:
    best = min(range(len(heads)), key=heads.__getitem__)
    facts = {"chosen": chosen, "best": best, "heads": heads, "cost": cost, "errors": (0.1,) * len(heads)}
    return choice(3, 0, 0.0).model_copy(update={**facts, "options": (5, 9, 20)[: len(heads)]})


@settings(max_examples=60)
@given(
    st.lists(st.floats(0, 30), min_size=2, max_size=3),
    st.integers(0, 1),
    st.floats(-0.2, 1),
    st.sampled_from(["en", "de"]),
)
def test_a_cost_is_the_same_number_in_words_and_in_both_kinds_of_bars(
    heads: list[float], chosen: int, share: float, code: str
) -> None:
    """Costs are estimated apart from the heads of options, so that the luckiest estimate is not taken for the best option."""
    choice = _choice(tuple(heads), chosen, share * (heads[chosen] - min(heads)))
    number = LANGUAGES[code].number
    with speaking(code):
        (line,) = [line for line in choice_bars(choice, width=60).plain.splitlines() if line.startswith("▸")]
        compared = overview([choice], ["anna"], width=60).plain
        told = verdict(choice, find("standard"), "anna").plain
    cost = number(choice.lost, "+.1f")
    assert cost in compared
    if choice.chosen != choice.best:
        assert cost in line
        best = choice.expected[choice.best]
        assert number(best + choice.lost, ".1f") in line
        assert all(value >= best for value in choice.expected)
    if choice.mark:
        assert f"{number(choice.lost, '.1f')} ± " in told


@settings(max_examples=60)
@given(st.integers(0, 70), *[st.floats(-20, 20)] * 4)
def test_the_parts_of_a_result_add_up_as_they_are_read(
    heads: int, par: float, dealt: float, others: float, mistakes: float
) -> None:
    edge = heads - par - dealt - others - mistakes
    parts = {"heads": heads, "par": par, "deal": dealt, "others": others, "edge": edge, "mistakes": mistakes}
    told = Parts(**parts, par_error=0, deal_error=0, choice_error=0).told
    assert round(told.usual + told.luck + told.play, 6) == heads
    assert round(told.edge + told.mistakes, 6) == told.play
    assert told.edge <= 0 <= told.mistakes
    assert all(round(value, 1) == value for value in told)
