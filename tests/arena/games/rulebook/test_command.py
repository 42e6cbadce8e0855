import pytest
from click.testing import CliRunner

from bullring.cli.program import program
from tests.arena.games.rulebook import golden


def run(*arguments: str, **locale: str) -> tuple[int, str]:
    env = {"BULLRING_LANG": None, "LC_ALL": None, "LC_MESSAGES": None, "LANG": None, "COLUMNS": "80", **locale}
    result = CliRunner().invoke(program, ["rules", *arguments], env=env)
    return result.exit_code, result.output


@pytest.mark.parametrize("name", ["nifty", "raffiniert", "RAFFINIERT"])
def test_any_name_of_a_game(name: str) -> None:
    assert run(name) == (0, golden.printed("nifty", "en"))


def test_german() -> None:
    assert run("eleven", "--lang", "de") == (0, golden.printed("eleven", "de"))


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "den_CA"}, "en"),
        ({"LANG": "tlh.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_CH.UTF-8"}, "de"),
        ({"LANG": "de_AT.UTF-8", "LC_ALL": ""}, "de"),
    ],
)
def test_the_language_of_the_locale(locale: dict[str, str], code: str) -> None:
    assert run("hand", **locale) == (0, golden.printed("hand", code))


def test_the_option_stands_over_the_locale() -> None:
    assert run("hand", "--lang", "en", LANG="de_DE.UTF-8") == (0, golden.printed("hand", "en"))


def test_an_unknown_game() -> None:
    code, said = run("chess")
    assert code == 2
    assert said.startswith("bullring: there is no game 'chess'; the games are: standard, ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("arguments", [(), ("standard", "--lang", "tlh")])
def test_bad_usage(arguments: tuple[str, ...]) -> None:
    code, said = run(*arguments)
    assert code == 2
    assert "Usage: " in said
