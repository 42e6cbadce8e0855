"""Names that a bot may have on a ladder, and the labels of its versions."""

import pytest

from bullring.errors import LadderError
from bullring.ladder.store.names import check_name, label, next_version
from bullring.ladder.store.rows import BotRow, Entry


def row(name: str, bot: str = "", version: int = 1) -> BotRow:
    return BotRow(1, name, "", "active", "", 0, entry=Entry(bot, version))


@pytest.mark.parametrize("name", ["x", "a" * 64, "foo.json", "ladder.db", "%20", "böt 12", "v2", "mine v", "a—"])
def test_names_that_a_bot_may_have(name: str) -> None:
    check_name(name, [row("other")])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "1 to 64 characters"),
        ("a" * 65, "this one has 65"),
        ("evil \x1b[31m", "control characters"),
        ("two\nlines", "control characters"),
        ("\u202egnp.exe", "invisible"),
        ("a\u200bb", "invisible"),
        ("a\u3164", "invisible"),
        ("\u2800", "invisible"),
        (" a", "begins or ends with a space"),
        ("a  b", "several in a row"),
        ("\u3000", "invisible"),
        ("\u0301" * 12, "begins with a mark"),
        ("@greedy", "names that begin with @"),
        ("--help", "names that begin with -"),
        ("a/b", "means a file or a folder"),
        ("..", "means a file or a folder"),
        ("mine v2", "counts the versions of a bot itself"),
        ("mine V02", "counts the versions of a bot itself"),
    ],
)
def test_names_that_no_bot_may_have(name: str, says: str) -> None:
    with pytest.raises(LadderError, match=says) as caught:
        check_name(name, [])
    assert "choose another with --name" in str(caught.value)


@pytest.mark.parametrize("name", ["Greedy", "GREEDY", "ｇreedy", "ﬁsh", "grееdy", "GRΕΕDY", "fish\ufe0f"])
def test_a_name_that_looks_like_another_bot_is_refused(name: str) -> None:
    with pytest.raises(LadderError, match="which is another bot of this ladder"):
        check_name(name, [row("greedy"), row("fish")])


def test_a_bot_may_have_its_own_name_again() -> None:
    check_name("greedy", [row("greedy"), row("greedy v2", "greedy", 2)])


def test_labels_count_the_versions() -> None:
    rows = [row("mine"), row("mine v2", "mine", 2), row("other")]
    assert next_version("new", rows) == 1
    assert next_version("other", rows) == 2
    assert next_version("mine", rows) == 3
    assert [label("mine", version) for version in (1, 2)] == ["mine", "mine v2"]
