"""The settings of a file. One that has limits of time alone, as that of a new ladder, is read without the models."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.settings.file import checked
from bullring.arena.settings.limits import LEAST, Limits
from bullring.arena.settings.load import load_settings
from bullring.arena.settings.settings import Settings
from bullring.errors import SettingsError
from tests.support.thorough import examples

numbers = st.sampled_from(["0", "1", "0.5", "999", "3600", "3600.000001", "59.9999999", "-1", "1e3", "٣", ""])
durations = st.builds(
    lambda number, unit: f"{number}{unit}", numbers, st.sampled_from(["us", "ms", "s", "m", " s", "h", ""])
)
values = durations | st.sampled_from(["1", "0.5", "true", "[]", "{}", "1979-05-27"])


def quoted(value: str) -> str:
    return value if value in ("1", "0.5", "true", "[]", "{}", "1979-05-27") else f'"{value}"'


def outcome(read: Callable[[], Settings]) -> Settings | str:
    """The settings, or why there are none."""
    try:
        return read()
    except SettingsError as error:
        return str(error)


@examples(200)
@given(
    times=st.dictionaries(st.sampled_from([*LEAST, "cart"]), values, max_size=3),
    more=st.sampled_from(["", "", "[bots]\n"]),
)
def test_limits_alone_are_read_as_the_models_read_them(
    times: dict[str, str], more: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = more + "[time]\n" + "".join(f"{name} = {quoted(value)}\n" for name, value in times.items())
    path = tmp_path_factory.getbasetemp() / "settings.toml"
    path.write_text(text, "utf-8")
    assert outcome(lambda: load_settings(path, ())) == outcome(lambda: checked(path, tomllib.loads(text)))


def test_a_file_that_is_empty_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("")
    assert load_settings(path, ()) == checked(path, {}) == load_settings(None, ()) == Settings()


def test_times_override_a_file_and_all_its_sections_count(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('[time]\ncard = "3s"\nrow = "2s"\n[bots]\nmemory_mib = 17\n[sandbox]\nruntime = "runsc"\n')
    settings = load_settings(path, ("row=1500ms", "bank=5s"))
    assert settings.limits == Limits.seconds(card=3, row=1.5, bank=5)
    assert settings.most.memory == 17 * MIB
    wish = settings.wish(None, allow=False, freeze=None)
    assert (wish.tier, wish.runtime, wish.freeze, wish.allow_unsandboxed) == ("docker", "runsc", True, False)
    wish = settings.wish("bwrap", allow=True, freeze=False)
    assert (wish.tier, wish.freeze, wish.allow_unsandboxed) == ("bwrap", False, True)


@pytest.mark.parametrize("text", ["cart=1s", "=1s", "1", "card=0s", "2h", "61m"])
def test_a_time_that_is_none_is_refused_in_words(text: str) -> None:
    with pytest.raises(SettingsError, match=r"^--time"):
        load_settings(None, (text,))
