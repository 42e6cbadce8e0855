"""The choices of the start page, line by line. Pure, so that they can be tested without a screen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, TypeVar

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES, say, speak, spoken
from bullring.arena.games.rulebook.wording import Wording, wording
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.options import OptionSpec, OptionValue
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.watching.people.invitation import Invitation, Remembered
from bullring.arena.watching.people.opponents import LEVELS, USUAL, Opponent, by_name, level, named
from bullring.arena.watching.people.sending import Send
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.arena.watching.people.unfinished import Left
from bullring.arena.watching.screens import PACE
from bullring.errors import BotError, UsageError

Group = Literal["left", "people", "against", "game", "table"]
"""The parts of the page, from top to bottom."""

Value = TypeVar("Value")

OWN = "own"
"""The level of those who choose each bot themselves."""

PACES = {"slow": 2 * PACE, "normal": PACE, "fast": PACE / 2, "at_once": 0.0}
"""Seconds of a step."""

CLOCKS: tuple[float | None, ...] = (None, 15.0, 30.0, 60.0)
"""Seconds of a person for a decision. The referee moves when they are over: without that, a clock would be a decoration."""

MOST_LEFT = 2
"""Unfinished matches that are shown, the latest ones."""

DELETE = "\b"
"""Typed to delete the last character."""


def _nothing(_: Any) -> str:
    """Ignore a key that has no meaning here."""
    return ""


@dataclass(frozen=True)
class Line:
    """A line of the page."""

    group: Group
    label: str = ""
    values: Sequence[str] = ()
    """What can be chosen, side by side; if it is only one, it is the value now, and others come before and after it."""
    at: int = 0
    """The index of the chosen one."""
    typed: str | None = None
    """The text, of a line into which everything can be typed."""
    bot: Opponent | None = None
    """The bot that it is about, and"""
    times: int = 0
    """how many times it is invited."""
    note: str = ""
    """A sentence that is always shown below."""
    help: str = ""
    """What the line is about, for whoever is there."""
    change: Callable[[int], str] = _nothing
    """Takes a later value or an earlier one. Returns the reason if that is impossible."""
    type: Callable[[str], str] = _nothing
    """Takes a character, or `DELETE`."""
    left: Left | None = None
    """The match that goes on here."""


class Choosing:
    """The state of the start page."""

    def __init__(self, opponents: Sequence[Opponent], last: Remembered, left: Sequence[Left] = ()) -> None:
        """The page begins with the `last` table, and with the matches that were `left`."""
        self.opponents = list(opponents)
        self.left = left
        self.how = last.how
        self.names = ", ".join(last.people or (last.person,))
        """The people, as typed: one name, or several with commas between them."""
        self._typing = False
        """Whether a name was typed: the first character replaces the name of last time."""
        self.game: type[Game[Any]] = find(last.game)
        self.options: dict[str, OptionValue] = dict(last.options)
        """Options that differ from the defaults of the game."""
        self.limit, self.falls_back = last.limit, last.falls_back
        self.path = ""
        """A bot that is being typed."""
        bots = tuple(chair.bot for chair in last.bots)
        self.level = next((name for name in LEVELS if bots == level(name, len(bots))), OWN) if bots else USUAL
        """One of `LEVELS`, or `OWN`."""
        self.guests: list[Opponent] = []
        """The bots that will play."""
        self._own: list[Opponent] = []
        """Those that a person chose."""
        if self.level == OWN:
            for bot in bots:
                self._invite(bot)
        self._added: list[Opponent] = list(self.guests)
        """Those among the guests that were not chosen on this page: they give way to others."""
        self._fill(len(self.people) + len(bots) if bots else 4)

    def _invite(self, bot: str) -> None:
        """Invite a bot of the last table, if it is still there."""
        try:
            self.guests.append(self._known(by_name(bot, self.opponents)))
        except (BotError, UsageError):
            return

    def _known(self, one: Opponent) -> Opponent:
        """This opponent, from now on in the list."""
        if one not in self.opponents:
            self.opponents.append(one)
        return one

    @property
    def wording(self) -> Wording:
        """The texts of the game."""
        return wording(self.game)

    def say(self, key: str, /, **values: object) -> str:
        """A text of the start page."""
        return say(f"screens.start.{key}", **values)

    def lines(self) -> list[Line]:
        """The page, line by line."""
        low, high = self.game.seat_range
        seats = Line(
            "game",
            self.say("seats"),
            [str(self.seats)],
            help=self.say("span", low=low, high=high),
            change=self._more_seats,
            type=self._type_seats,
        )
        return [
            *map(self._of_left, self.left[:MOST_LEFT]),
            Line("people", self.say("name"), typed=self.names, help=self.say("names"), type=self._rename),
            self._of_level(),
            *(self._of_bots() if self.level == OWN else ()),
            Line(
                "game",
                self.say("game"),
                [self.wording.title],
                note=self.wording.say("summary"),
                help=self.say("games", count=len(GAMES), id=self.game.id),
                change=self._next_game,
            ),
            *([seats] if low < high else []),
            *map(self._of_option, self.game.option_specs),
            *self._of_table(),
        ]

    # Matches that go on

    def _of_left(self, one: Left) -> Line:
        game = GAMES.get(one.sitting.game)
        title = wording(game).title if game else one.sitting.game
        others = [chair.name or chair.bot.rpartition("/")[2].removeprefix("@") for chair in one.sitting.chairs]
        if len(one.sitting.people) == 1:
            del others[one.sitting.people[0]]
        names = spoken().listed(harmless(name, 30) for name in others)
        older = len(self.left) - MOST_LEFT
        help = self.say("older", count=older) if older > 0 else self.say("left")
        told = self.say("match", title=title, names=names)
        return Line("left", self.say("go_on"), note=f"{told}, {self._when(one.began)}", help=help, left=one)

    def _when(self, began: str) -> str:
        """A moment as people say it: only the time if it was today."""
        moment = datetime.fromisoformat(began).astimezone()
        today = datetime.now().astimezone().date()
        if moment.date() == today:
            return self.say("today", time=f"{moment:%H:%M}")
        return self.say("day", day=f"{moment:{self.say('date')}}")

    # People and bots

    @property
    def people(self) -> tuple[str, ...]:
        """The names of the people."""
        return tuple(name for part in self.names.split(",") if (name := part.strip()))

    @property
    def seats(self) -> int:
        """The seats that are taken."""
        return max(1, len(self.people)) + len(self.guests)

    def _rename(self, typed: str) -> str:
        """Take a typed character. A second person takes the seat of a bot."""
        seats = self.seats
        if typed == DELETE:
            self.names = self.names[:-1]
        else:
            self.names = self.names + typed if self._typing else typed
        self._typing = True
        self._fill(seats)
        return ""

    def _of_level(self) -> Line:
        names = [*LEVELS, OWN]

        def change(by: int) -> str:
            self._choose_level(names[(names.index(self.level) + by) % len(names)])
            return ""

        playing = spoken().listed(harmless(one.name, 30) for one in self.guests)
        return Line(
            "against",
            self.say("against"),
            [self.say(f"levels.{name}") for name in names],
            names.index(self.level),
            note=playing,
            help=self.say("level"),
            change=change,
        )

    def _choose_level(self, name: str) -> None:
        if self.level == OWN:
            self._own = list(self.guests)
        self.level = name
        if name == OWN:
            seats, self.guests = self.seats, self._own or self.guests
            self._added = list(self.guests)
            self._fill(seats)
        else:
            self._fill(self.seats)

    def _of_bots(self) -> list[Line]:
        def line(one: Opponent) -> Line:
            return Line(
                "against",
                bot=one,
                times=self.guests.count(one),
                help=f"{self.about_bot(one)} {self.say('invite')}",
                change=lambda by: self._change(one, by),
                type=lambda typed: self._change(one, {" ": 0, "+": 1, "-": -1, DELETE: -1}.get(typed, 0)),
            )

        def type_(typed: str) -> str:
            self.path = self.path[:-1] if typed == DELETE else self.path + typed
            return ""

        other = Line("against", self.say("other"), typed=self.path, help=self.say("path"), type=type_)
        return [*map(line, self.opponents), other]

    def about_bot(self, one: Opponent) -> str:
        """What a bot does, and what it lacks here."""
        return " ".join(part for part in (one.does, one.lacks and f"({one.lacks})") if part)

    def _change(self, one: Opponent, by: int) -> str:
        """Invite a bot once more or once less; with 0, invite it or take it away. Returns the reason if that is impossible."""
        if by > 0 or (by == 0 and one not in self.guests):
            return self.add(one)
        if one in self.guests:
            self._remove(one)
        return ""

    def add(self, one: Opponent) -> str:
        """Invite a bot, also a second time, in place of one that was not chosen. Returns the reason if that is impossible."""
        if one.lacks:
            return one.lacks
        self._known(one)
        if self._added:
            self._remove(self._added[-1])
        elif self.seats >= self.game.seat_range[1]:
            return self.say("full")
        self.guests.append(one)
        return ""

    def add_typed(self) -> str:
        """Invite the bot that was typed. Returns the reason if that is impossible."""
        try:
            note = self.add(named(self.path.strip()))
        except UsageError as error:
            return harmless(error, 400)
        self.path = self.path if note else ""
        return note

    def _remove(self, one: Opponent) -> None:
        last = len(self.guests) - 1 - self.guests[::-1].index(one)
        del self.guests[last]
        if one in self._added:
            self._added.remove(one)

    def _fill(self, seats: int) -> None:
        """Make a table of this number of seats, or the nearest that the game has."""
        low, high = self.game.seat_range
        wanted = max(low, min(high, seats)) - max(1, len(self.people))
        if self.level != OWN:
            self.guests = [self._known(by_name(bot, self.opponents)) for bot in level(self.level, max(0, wanted))]
            return
        while self.guests and len(self.guests) > wanted:
            self._remove(self.guests[-1])
        for bot in level(USUAL, max(0, wanted - len(self.guests))):
            one = self._known(by_name(bot, self.opponents))
            self._added.append(one)
            self.guests.append(one)

    # Game and options

    def _of_option(self, spec: OptionSpec) -> Line:
        value = self.options.get(spec.name, spec.default)

        def change(by: int) -> str:
            self._set(spec, _after(spec, self.options.get(spec.name, spec.default), by))
            return ""

        def type_(typed: str) -> str:
            if spec.type == "int" and (typed == DELETE or typed.isdecimal()):
                digits = "" if value is None or value == spec.default else str(value)
                digits = digits[:-1] if typed == DELETE else digits + typed
                if not digits or int(digits) <= spec.maximum:
                    self._set(spec, int(digits) if digits else spec.default)
            return ""

        values = spec.choices or ((False, True) if spec.type == "bool" else (value,))
        return Line(
            "game",
            self.wording.label(spec.name),
            [self.wording.value(spec.name, one) for one in values],
            values.index(value),
            help=_sentence(self.wording.option(spec.name)),
            change=change,
            type=type_,
        )

    def _set(self, spec: OptionSpec, value: OptionValue) -> None:
        if value == spec.default:
            self.options.pop(spec.name, None)
        else:
            self.options[spec.name] = value

    def _next_game(self, by: int) -> str:
        games = list(GAMES.values())
        self.game = games[(games.index(self.game) + by) % len(games)]
        known = {spec.name for spec in self.game.option_specs}
        self.options = {name: value for name, value in self.options.items() if name in known}
        self._fill(self.seats)
        return ""

    def _more_seats(self, by: int) -> str:
        self._fill(self.seats + by)
        return ""

    def _type_seats(self, typed: str) -> str:
        if typed.isdecimal():
            self._fill(int(typed) or 10)
        return ""

    # The manner

    def _of_table(self) -> list[Line]:
        how = self.how
        switch = {False: self.say("off"), True: self.say("on")}

        def wish(name: str, values: dict[Value, str]) -> Line:
            def take(value: Value) -> None:
                self.how = replace(self.how, **{name: value})  # type: ignore[arg-type]  # the values are those of the field

            return self._one_of(name, values, getattr(how, name), take)

        def take_limit(seconds: float | None) -> None:
            self.limit, self.falls_back = seconds, seconds is not None

        def take_pace(seconds: float) -> None:
            self.how = replace(self.how, pace=seconds)

        def take_language(code: str) -> None:
            self.how = replace(self.how, language=code)
            speak(code)

        languages = {code: language.say("shared.language") for code, language in LANGUAGES.items()}
        pace = PACE if how.pace is None else how.pace
        paces = {seconds: self.say(f"paces.{name}") for name, seconds in PACES.items()}
        paces.setdefault(pace, self.say("seconds", seconds=f"{pace:g}"))
        limits = sorted({*CLOCKS, self.limit}, key=lambda seconds: seconds or 0)
        clocks = {one: self.say("seconds", seconds=f"{one:g}") if one else self.say("no_clock") for one in limits}
        return [
            wish("hint", switch),
            wish("teach", switch),
            wish("send", {send: self.say(f"sends.{send.name.lower()}") for send in Send}),
            self._one_of("pace", paces, pace, take_pace),
            self._one_of("limit", clocks, self.limit, take_limit),
            self._one_of("language", languages, spoken().code, take_language),
        ]

    def _one_of(self, name: str, values: dict[Value, str], now: Value, take: Callable[[Value], None]) -> Line:
        known = list(values)

        def change(by: int) -> str:
            take(known[(known.index(now) + by) % len(known)])
            return ""

        return Line(
            "table",
            self.say(f"labels.{name}"),
            list(values.values()),
            known.index(now),
            help=self.say(f"helps.{name}"),
            change=change,
        )

    # Result

    def problem(self) -> str:
        """The reason why no match can begin with these choices; empty if one can."""
        low, _ = self.game.seat_range
        if self.seats < low:
            return self.say("missing", count=low - self.seats)
        try:
            self.sitting()
        except UsageError as error:
            return str(error)
        return ""

    def sitting(self) -> Sitting:
        """The sitting that was chosen. Raises `UsageError`."""
        chairs = tuple(Chair("" if one.source != "ladder" else one.name, one.bot) for one in self.guests)
        settled = Invitation(self.people, chairs, self.game.id, self.options, self.seats).settled()
        return replace(settled, limit=self.limit, falls_back=self.falls_back)


def _sentence(text: str) -> str:
    """A part of a sentence as one of its own."""
    return f"{text[:1].upper()}{text[1:]}."


def _after(spec: OptionSpec, value: OptionValue, by: int) -> OptionValue:
    """The value of an option after this one, or before it."""
    if spec.choices:
        return spec.choices[(spec.choices.index(str(value)) + by) % len(spec.choices)]
    if isinstance(value, bool):
        return not value
    if value is None:
        return spec.minimum if by > 0 else None
    number = int(value) + by
    if number < spec.minimum:
        return None if spec.default is None else spec.minimum
    return min(number, spec.maximum)
