"""The resources of a bot on a ladder: what its bot.toml asks for, within what the home's settings allow."""

import sys
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox.caps import MIB, Caps
from bullring.errors import BotError
from bullring.ladder.store.home import Home
from tests.ladder.homes import adopt, loaded


def home_with(folder: Path, limits: str, settings: str) -> Home:
    """A home with such settings, and in it the bot "it"."""
    (folder / "it").mkdir()
    (folder / "it" / "bot.toml").write_text(f'name = "it"\nrun = ["{sys.executable}", "bot.py"]\n[limits]\n{limits}\n')
    home = Home.create(folder / "home", [])
    adopt(home, str(folder / "it"))
    with home.settings_file.open("a") as file:
        file.write(f"[bots]\n{settings}\n")
    return home


def test_what_a_bot_toml_asks_for_and_what_the_settings_give(tmp_path: Path) -> None:
    bot = loaded(home_with(tmp_path, "memory_mib = 64", 'output_mib = 1\nrestart = "match"'), "it")
    assert bot.program.caps == Caps(memory=64 * MIB, output=MIB)
    assert bot.restart == "match"


def test_settings_that_allow_less_than_it_asks_for(tmp_path: Path) -> None:
    home = home_with(tmp_path, "memory_mib = 512", "memory_mib = 128")
    with pytest.raises(BotError, match="memory_mib = 512, but at most 128 is allowed here"):
        loaded(home, "it")
