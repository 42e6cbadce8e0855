"""The settings of a file."""

from pathlib import Path

import pytest

from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.settings.limits import Limits
from bullring.arena.settings.load import load_settings
from bullring.arena.settings.settings import Settings
from bullring.errors import SettingsError


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[time]\ncard = "0s"\n', 'time.card: must be at least 0.001, not "0s"'),
        ('[time]\nbank = "61m"\n', 'time.bank: must be at most 3600, not "61m"'),
        ('[time]\ncard = "-1s"\n', "time.card: a duration is a number with its unit"),
        ("[time]\ncard = 1\n", "time.card: a duration is a string with its unit"),
        ("time = 1\n", "time: must be a table"),
        ("[build]\nnetwork = 1\n", "build.network: must be true or false, not 1"),
        ('[sandbox]\ntier = "jail"\n', "sandbox.tier: must be 'auto', 'bwrap', 'docker', 'landlock' or 'none', not"),
        ('[sandbox]\nimages = ["a", 1]\n', "sandbox.images.1: must be a string, not 1"),
        ("[times]\n", "unknown key 'times' (did you mean 'time'?)"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(path, ())
    assert str(caught.value).startswith(f"{path}: {says}")


def test_a_file_that_is_empty_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("")
    assert load_settings(path, ()) == load_settings(None, ()) == Settings()


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
