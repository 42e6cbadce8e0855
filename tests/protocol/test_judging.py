"""Messages of bots are judged by hand, as the models define them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bullring.errors import RemoteProtocolError
from bullring.protocol.encoding import farewell
from bullring.protocol.judging import LARGEST, MOST_NUMBERS, MOST_TEXT, judge
from bullring.protocol.messages import FROM_BOT, FROM_REFEREE, Bye, Hello
from bullring.protocol.said import Answer, Greeting, Index
from tests.protocol import raw
from tests.support.thorough import examples

numbers = raw.numbers | st.integers(-(2**80), 2**80)
texts = st.one_of(raw.texts, st.text(max_size=3), st.just("ü" * MOST_TEXT), st.just("ü" * (MOST_TEXT + 1)))
lists = st.lists(numbers | st.booleans() | texts, max_size=3) | st.builds(lambda n: [1] * n, st.integers(15, 18))
values: st.SearchStrategy[object] = st.one_of(
    st.none(), st.booleans(), numbers, st.floats(), texts, lists, st.dictionaries(raw.small_text, numbers, max_size=2)
)
types = st.sampled_from(["hello", "choice"]) | values
keys: dict[str, st.SearchStrategy[object]] = {
    "type": types,
    "protocol": st.just(1) | values,
    "name": st.just("x") | values,
    "version": values,
    "id": st.just(7) | values,
    "option": values,
    "index": values,
    "more": values,
}
messages = st.fixed_dictionaries({}, optional=keys)


@examples(300)
@given(message=messages, kind=st.sampled_from(["hello", "choice", None]))
def test_exactly_what_the_models_take_is_taken_and_the_first_mistake_is_theirs(
    message: dict[str, Any], kind: str | None
) -> None:
    if kind is not None:
        message = {**message, "type": kind}
    try:
        model = FROM_BOT.validate_python(message)
    except ValidationError as error:
        where = [str(part) for part in error.errors()[0]["loc"]]
        with pytest.raises(RemoteProtocolError) as refused:
            judge(message, b"raw")
        said = refused.value.expected
        assert said.startswith(f"a {where[0]} as" if where else "a hello or a choice as")
        if len(where) > 1:
            assert f'"{where[1]}"' in said
        assert refused.value.raw == b"raw"
        return
    if isinstance(model, Hello):
        assert judge(message) == Greeting(model.name, model.version)
        return
    answer = judge(message)
    option = model.option if model.index is None else Index(model.index)
    assert answer == Answer(model.id, option)  # type: ignore[arg-type]  # a model has one or the other
    assert type(answer[1]) is type(option)


HELLO = {"type": "hello", "protocol": 1, "name": "x"}
CHOICE = {"type": "choice", "id": 7}
HALF = "\ud800"


OPTION = '"option" must be a whole number, a text or a few whole numbers'
NUMBER = "write it as a whole number, without quotes or a fraction"


@pytest.mark.parametrize(
    ("message", "mistake", "hint"),
    [
        *(
            ({"type": kind} if kind != "none" else {}, 'the key "type" must be "hello" or "choice"', "")
            for kind in (["hello"], "Choice", "decide", "move", None, "none")
        ),
        ({"type": "hello", "name": "x"}, 'the key "protocol" is missing', ""),
        (HELLO | {"protocol": "1"}, '"protocol" must be 1', NUMBER),
        (HELLO | {"protocol": 1.0}, '"protocol" must be 1', NUMBER),
        *((HELLO | {"protocol": protocol}, '"protocol" must be 1', "") for protocol in (True, 2, None)),
        (HELLO | {"name": ""}, '"name" must be a text that is not empty', ""),
        *((HELLO | {"name": name}, '"name" must be a text', "") for name in (None, 5, HALF)),
        (HELLO | {"name": "x" * (MOST_TEXT + 1)}, f'"name" must be a text of at most {MOST_TEXT} characters', ""),
        (HELLO | {"version": 2}, '"version" must be a text', ""),
        ({"type": "choice", "option": 5}, 'the key "id" is missing', ""),
        *((CHOICE | {"id": id, "option": 5}, '"id" must be a whole number', NUMBER) for id in ("7", 7.0)),
        *((CHOICE | {"id": id, "option": 5}, '"id" must be a whole number', "") for id in (True, None)),
        (CHOICE | {"id": -1, "option": 5}, '"id" must be at least 0', ""),
        (CHOICE | {"id": LARGEST + 1, "option": 5}, f'"id" must be at most {LARGEST}', ""),
        (CHOICE, 'must have "option" or "index"', ""),
        (CHOICE | {"option": None}, '"option" must not be null', ""),
        (CHOICE | {"option": None, "index": 1}, '"option" must not be null', ""),
        (CHOICE | {"index": None}, '"index" must not be null', ""),
        (CHOICE | {"index": True}, '"index" must be a whole number', ""),
        (CHOICE | {"index": "0"}, '"index" must be a whole number', NUMBER),
        (CHOICE | {"index": -1}, '"index" must be at least 0', ""),
        (CHOICE | {"option": {}}, OPTION, "an empty list became an empty map"),
        (CHOICE | {"option": 100.0}, OPTION, "write 100 without a fraction, or answer by index"),
        *(
            (CHOICE | {"option": option}, OPTION, "")
            for option in (
                *(True, HALF, LARGEST + 1, -LARGEST - 2, 0.5, {"card": 5}, "x" * (MOST_TEXT + 1)),
                *([1] * (MOST_NUMBERS + 1), [5, True], [5.0], [[5]]),
            )
        ),
    ],
    ids=str,
)
def test_a_mistake_in_words_with_its_remedy(message: dict[str, Any], mistake: str, hint: str) -> None:
    with pytest.raises(RemoteProtocolError) as refused:
        judge(message)
    assert f"as in SPEC.md ({mistake}" in refused.value.expected
    assert refused.value.hint.startswith(hint)
    assert bool(hint) == bool(refused.value.hint)


def test_the_farewell_is_a_bye() -> None:
    assert FROM_REFEREE.validate_python(farewell("no more matches")) == Bye(reason="no more matches")
