"""Options of games: what they take, and what they say of what they do not take."""

import json

import pytest

from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.variants.standard import Standard
from bullring.errors import OptionError
from tests.arena.games.rules.playing import GameType, every_game

JUNK: tuple[object, ...] = (
    "",
    " ",
    "junk",
    "1.5",
    "-1",
    "1e3",
    "٣",
    "9" * 10,
    "9" * 10_000,
    "x" * 10_000,
    -1,
    1.0,
    2.5,
    10**9,
    [],
    {},
    (),
)
"""Nothing that any option takes."""


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"target": 0}, "option target must be a whole number from 1 to 100000, not '0'"),
        ({"target": 100_001}, "option target must be a whole number from 1 to 100000, not '100001'"),
        ({"target": True}, "option target must be a whole number from 1 to 100000, not 'True'"),
        ({"target": None}, "option target must be a whole number from 1 to 100000, not 'None'"),
        ({"deals": 1001}, "option deals must be a whole number from 1 to 1000, or none, not '1001'"),
        ({"deals": "no"}, "option deals must be a whole number from 1 to 1000, or none, not 'no'"),
        ({"target_rule": "OVER"}, "option target_rule must be over or reach, not 'OVER'"),
        ({"targets": 66}, "standard has no option 'targets'; its options: target, target_rule, deals"),
        ({"x" * 50: 1}, f"standard has no option '{'x' * 40}'; its options: target, target_rule, deals"),
    ],
)
def test_the_text_says_what_was_expected_and_what_came(given: dict[str, object], text: str) -> None:
    with pytest.raises(OptionError) as caught:
        Standard(2, given)
    assert str(caught.value) == text


def test_an_unknown_option_of_a_game_without_options() -> None:
    class Plain(Standard):
        option_specs = ()

    with pytest.raises(OptionError, match=r"^standard has no option 'target'; its options: none$"):
        Plain(2, {"target": 66})


@every_game
def test_what_is_left_out_has_its_default_and_nothing_is_missing(kind: GameType) -> None:
    game = kind(kind.seat_range[0])
    assert game.options == {spec.name: spec.default for spec in kind.option_specs}


@every_game
def test_no_option_takes_junk_and_each_says_its_name_and_what_it_wants(kind: GameType) -> None:
    for spec in kind.option_specs:
        for junk in JUNK:
            with pytest.raises(OptionError) as caught:
                kind(kind.seat_range[0], {spec.name: junk})
            text = str(caught.value)
            assert text.startswith(f"option {spec.name} must be {spec.expected}, not ")
            assert len(text) < 200


@every_game
def test_an_option_takes_each_value_in_its_own_type_and_as_text(kind: GameType) -> None:
    for spec in kind.option_specs:
        good: list[object] = [*spec.choices]
        if spec.type == "bool":
            good = [True, False]
        if spec.type == "int":
            good = [spec.minimum, spec.maximum]
        for value in good:
            assert spec.parse(value) == value
            assert spec.parse(str(value)) == value
            assert type(spec.parse(str(value))) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("YES", True), ("1", True), ("false", False), ("No", False), ("0", False)],
)
def test_a_switch_takes_several_words(text: str, value: bool) -> None:
    assert OptionSpec("switch", False).parse(text) is value


@pytest.mark.parametrize("text", ["2", "on", "", "wahr"])
def test_a_switch_takes_no_other_words(text: str) -> None:
    with pytest.raises(OptionError, match=r"^option switch must be true or false, not "):
        OptionSpec("switch", False).parse(text)


def test_only_an_option_that_may_be_unset_takes_none() -> None:
    assert OptionSpec("deals", None).parse(None) is None
    with pytest.raises(OptionError):
        OptionSpec("target", 66).parse(None)


@every_game
def test_the_facts_of_an_option_are_json_and_true(kind: GameType) -> None:
    for spec in kind.option_specs:
        facts = json.loads(json.dumps(spec.facts()))
        assert wording(kind).option(spec.name)
        assert facts["default"] == spec.default == spec.parse(spec.default)
        assert facts["type"] == spec.type
        assert facts.get("choices", []) == list(spec.choices)
        if spec.type == "int":
            assert (facts["minimum"], facts["maximum"]) == (spec.minimum, spec.maximum)


@pytest.mark.parametrize("text", ["none", "None", "null", None])
def test_a_number_that_may_be_left_out_can_be_taken_back(text: str | None) -> None:
    assert Standard(2, {"deals": text}).options["deals"] is None
