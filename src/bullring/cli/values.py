"""Values of options and arguments: durations and numbers, and names that a shell can complete and commands look up."""

import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem


def _fitting(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _games() -> list[str]:
    from bullring.arena.games.rules.registry import GAMES

    return [name for game in GAMES.values() for name in (game.id, *game.aliases)]


def _languages() -> Iterable[str]:
    from bullring.arena.cells.kits.kit import kits

    return kits()


class Number(click.FloatRange):
    """A number in a range. NaN is in none, which click does not notice."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class Duration(click.ParamType[float]):
    """A duration with its unit, such as 90s, in seconds; with `zero`, also a bare 0. Raises `DurationError`."""

    name = "duration"

    def __init__(self, low: float = 0.0, high: float = math.inf, *, among: str = "", zero: bool = False) -> None:
        self._low, self._high, self._among, self._zero = low, high, among, zero
        """`among` names the bounds for people."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        from bullring.arena.settings.limits import parse_duration
        from bullring.errors import DurationError

        name = param.opts[-1] if param is not None else ""
        try:
            seconds = parse_duration("0s" if self._zero and value == "0" else value)
        except DurationError as error:
            raise DurationError(f"{name}: {error}") from None
        if not self._low <= seconds <= self._high:
            raise DurationError(f"{name} must be {self._among}, not {value}")
        return seconds


class Choices(click.ParamType[str]):
    """A name of a list that is made when it is needed; whether it is one of them is checked where it is used."""

    def __init__(self, name: str, names: Callable[[], Iterable[str]]) -> None:
        self.name, self._names = name, names

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _fitting(self._names(), incomplete)


class BotText(click.ParamType[str]):
    """A bot as given by the user: @builtin, a folder, a command line."""

    name = "bot"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from bullring.arena.cells.bots.builtin import names, rating

        folders = [] if incomplete.startswith("@") else [CompletionItem(incomplete, type="dir")]
        if folders and incomplete:
            return folders
        builtin = []
        for name in names():
            rated = rating(name)
            builtin.append(CompletionItem(f"@{name}", help=f"rated {rated.elo}" if rated else None))
        return [item for item in builtin if item.value.startswith(incomplete)] + folders


class Who(BotText):
    """A person by name, or a bot as in `BotText`; bots of the home's ladder have an @, too."""

    name = "who"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        if not incomplete.startswith("@"):
            return super().shell_complete(ctx, param, incomplete)
        rated = LADDER_BOT.shell_complete(ctx, param, incomplete[1:])
        return [*super().shell_complete(ctx, param, incomplete), *(CompletionItem(f"@{bot.value}") for bot in rated)]


class LadderBot(click.ParamType[str]):
    """A bot of a ladder by its name."""

    name = "bot"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from bullring.errors import BullringError
        from bullring.ladder.store.home import Home

        given = ctx.params.get("home")
        try:
            rows = Home.find(Path(os.fspath(given)) if given else None).store(read_only=True).bots()
        except BullringError:
            return []
        return _fitting([row.name for row in rows], incomplete)


GAME, LANGUAGE = Choices("game", _games), Choices("language", _languages)
BOT, LADDER_BOT, WHO = BotText(), LadderBot(), Who()
