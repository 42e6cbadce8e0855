"""Values of options and arguments that a shell can complete. Their meaning is checked where they are used."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem


def _fitting(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class GameName(click.ParamType[str]):
    """A game by its name or an alias."""

    name = "game"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from bullring.arena.games.rules.registry import GAMES

        return _fitting([name for game in GAMES.values() for name in (game.id, *game.aliases)], incomplete)


class Number(click.FloatRange):
    """A number in a range. NaN is in none, which click does not notice."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


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


GAME, BOT, LADDER_BOT, WHO = GameName(), BotText(), LadderBot(), Who()
