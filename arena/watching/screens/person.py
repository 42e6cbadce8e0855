"""The statistics of people: a page for each, with the last matches, which can be looked at again."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.screen import Screen

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.study.analysis.kept import beside
from bullring.arena.watching.display import career, people
from bullring.arena.watching.display.afterwards import lately
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.career import Result, Rival
from bullring.arena.watching.screens.profile import Profile
from bullring.arena.watching.screens.replay import Replay
from bullring.arena.watching.screens.result import MATCHES
from bullring.arena.watching.screens.shell import Shell

LOW = 20
"""Lines up to which less is said."""

ROOMY = 60
"""Columns from which on lines of games say all."""

LISTED = 100
"""The last matches that are listed."""

Facts = Mapping[str, Any]


class PersonPage(Profile):
    """Shows people, one after the other, by the facts of `people.history.stats`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,tab", "person(1)", "tables.career.keys.person", key_display="→ ←"),
        Binding("left,shift+tab", "person(-1)"),
    ]

    def __init__(self, found: Sequence[Facts]) -> None:
        super().__init__(None)
        self.at = 0
        """The number of the person who is shown."""
        self._found = found
        self._keys = (*self.KEYS, ("←→", "person")) if len(found) > 1 else self.KEYS

    def on_mount(self) -> None:
        self.action_person(0)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key works here."""
        return action != "person" or len(self._found) > 1

    def action_person(self, by: int) -> None:
        """Show the next person, or an earlier one."""
        self.at = (self.at + by) % len(self._found)
        self._results.choose(None)
        person = self._found[self.at]
        self._results.own = person["name"]
        self._results.show([*_results(person["trend"])][::-1][:LISTED])
        self._results.choose(0)
        self.draw()

    def opened(self, match: int) -> None:
        record = Path(self._found[self.at]["trend"][match]["record"])
        if record.exists():
            self.app.push_screen(Replay(record, beside(record)))
        else:
            self.app.bell()

    def named(self) -> Text:
        text = Text(harmless(self._found[self.at]["name"], 40), "bold cyan")
        if len(self._found) > 1:
            text.append(f"  {self.at + 1} / {len(self._found)}", "dim")
        return text

    def drawn(self, width: int, height: int) -> Block:
        person = self._found[self.at]
        matches = person["trend"]
        counts = [person["places"].get(str(place), 0) for place in range(1, 1 + max(map(int, person["places"])))]
        rivals = [
            Rival(name, (one["ahead"] + one["level"] / 2) / one["matches"], one["matches"])
            for name, one in person["opponents"].items()
        ]
        rivals.sort(key=lambda one: (-one.matches, one.name))

        def course(wide: int, high: int) -> Block:
            return people.course(matches, wide, high)

        top = [career.told(person["matches"], person["wins"] / person["matches"], person["heads_per_deal"])]
        top[0].stylize("bold")
        top += lately(matches[-MATCHES:], width, open=height > LOW and width >= ROOMY)

        def games(wide: int) -> Block:
            return Block(_games(person["games"], wide), wide)

        return career.page(top, course, counts, games, rivals, width, height)


def _games(games: Mapping[str, Facts], width: int) -> Iterator[Text]:
    """What was played, if it was more than one game."""
    if len(games) < 2:
        return
    yield Text(say("tables.career.games"), "bold")
    titles = {game: people.title(game) for game in games}
    wide = min(width // 2, max(map(len, titles.values())))
    for game, one in sorted(games.items(), key=lambda item: -item[1]["matches"]):
        rest = (one["wins"] / one["matches"], one["heads_per_deal"]) if width >= ROOMY else (None, None)
        told = career.told(one["matches"], *rest)
        line = Text.assemble(f" {titles[game][:wide]:<{wide}}  ", (told.plain, "dim"))
        line.truncate(width, overflow="ellipsis")
        yield line


def _results(matches: Sequence[Facts]) -> Iterator[Result]:
    form = spoken().find("tables.career.when")
    for at, match in enumerate(matches):
        ended = match["ended"]
        with suppress(ValueError):
            ended = datetime.fromisoformat(ended).astimezone().strftime(form)
        seats = [(name, heads) for name, heads in match["players"]]
        yield Result(at, seats, ranks=match["ranks"], label=ended[:16])


class Statistics(Shell):
    """The pages of people alone."""

    def __init__(self, found: Sequence[Facts]) -> None:
        super().__init__()
        self._found = found

    def get_default_screen(self) -> Screen[None]:
        return PersonPage(self._found)
