"""The examples in the docstrings of the public API, run as they stand."""

import doctest
from importlib import import_module

import pytest

import bullring

MODULES = ("bullring", "bullring.api.playing", "bullring.api.records", "bullring.api.ladders", "bullring.api.ratings")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    found = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("name", bullring.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name: str) -> None:
    public = getattr(bullring, name)
    assert name in dir(bullring)
    if name not in ("GAMES", "Happening", "Player"):
        assert public.__doc__


def test_dir_lists_only_what_is_public() -> None:
    assert {name for name in dir(bullring) if not name.startswith("__")} == set(bullring.__all__)
