"""The choices of the start page: people, game and opponents. Pure, so that they can be tested without a screen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.games.rulebook.wording import Wording, wording
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.options import OptionSpec, OptionValue
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.watching.people.invitation import Invitation, Remembered
from bullring.arena.watching.people.opponents import Opponent, by_name, usual
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.errors import BotError, UsageError


@dataclass(frozen=True)
class Setting:
    """A line of the start page whose value can be changed."""

    label: str
    value: str
    help: str
    change: Callable[[int], None]
    """Takes the next value, or the one before."""
    type: Callable[[str], None]
    """Takes a digit, or deletes the last one."""


DELETE = "\b"
"""Typed to delete the last digit."""


class Choosing:
    """The state of the start page."""

    def __init__(self, opponents: Sequence[Opponent], last: Remembered, language: str = "en") -> None:
        """The page begins with the `last` table."""
        self.opponents = list(opponents)
        self.language = LANGUAGES[language]
        self.names = ", ".join(last.people or (last.person,))
        """The people, as typed: one name, or several with commas between them."""
        self.game: type[Game[Any]] = find(last.game)
        self.options: dict[str, OptionValue] = dict(last.options)
        """Options that differ from the defaults of the game."""
        self.guests: list[Opponent] = []
        """The bots that will play."""
        self._added: list[Opponent] = []
        """Those among them that were not chosen on this page: they give way to others."""
        for chair in last.bots:
            self._invite(chair)
        self._fill(self._clamped(self.seats if last.bots else 4))

    def _invite(self, chair: Chair) -> None:
        """Invite a bot of the last table, if it is still there."""
        try:
            one = by_name(chair.bot, self.opponents)
        except (BotError, UsageError):
            return
        if one not in self.opponents:
            self.opponents.append(one)
        self.guests.append(one)
        self._added.append(one)

    @property
    def wording(self) -> Wording:
        """The texts of the game."""
        return wording(self.game, self.language.code)

    # People and bots

    @property
    def people(self) -> tuple[str, ...]:
        """The names of the people."""
        return tuple(name for part in self.names.split(",") if (name := part.strip()))

    @property
    def seats(self) -> int:
        """The seats that are taken."""
        return max(1, len(self.people)) + len(self.guests)

    def rename(self, names: str) -> None:
        """Take the typed names. A second person takes the seat of a bot."""
        seats = self.seats
        self.names = names
        self._fill(self._clamped(seats))

    def toggle(self, one: Opponent) -> str:
        """Invite a bot, or take it away. Returns the reason if that is not possible, or nothing."""
        if one in self.guests:
            self._remove(one)
            return ""
        return self.add(one)

    def add(self, one: Opponent) -> str:
        """Invite a bot, also a second time, in place of one that was not chosen. Returns the reason if that is impossible."""
        if one.lacks:
            return one.lacks
        if one not in self.opponents:
            self.opponents.append(one)
        if self._added:
            self._remove(self._added[-1])
        elif self.seats >= self.game.seat_range[1]:
            return self.say("full")
        self.guests.append(one)
        return ""

    def _remove(self, one: Opponent) -> None:
        last = len(self.guests) - 1 - self.guests[::-1].index(one)
        del self.guests[last]
        if one in self._added:
            self._added.remove(one)

    def _fill(self, seats: int) -> None:
        """Make a table of this number of seats: invite the usual bots, or take away the last ones."""
        while self.seats > max(seats, 1) and self.guests:
            self._remove(self.guests[-1])
        missing = seats - self.seats
        if missing > 0:
            known = [one for one in self.opponents if one.source == "built-in"]
            candidates = usual(missing + len(self.guests), known)
            fresh = [one for one in candidates if one not in self.guests] + candidates
            self._added += fresh[:missing]
            self.guests += fresh[:missing]

    def _clamped(self, seats: int) -> int:
        low, high = self.game.seat_range
        return max(low, min(high, seats))

    # Game and options

    def settings(self) -> list[Setting]:
        """The lines with values: the game, the seats, and each option of the game."""
        low, high = self.game.seat_range
        span = f"{low}" if low == high else f"{low}-{high}"
        return [
            Setting(self.say("game"), self.wording.title, self.about(), self._next_game, _nothing),
            Setting(
                self.say("seats"), str(self.seats), self.say("span", span=span), self._more_seats, self._type_seats
            ),
            *map(self._option, self.game.option_specs),
        ]

    def about(self) -> str:
        """The aim of the game, in a sentence or two."""
        return " ".join(self.wording.rules("about"))

    def course(self) -> list[str]:
        """The course of a turn, in a few paragraphs."""
        return self.wording.rules("turn")

    def _option(self, spec: OptionSpec) -> Setting:
        value = self._value(spec)
        words = {True: self.say("yes"), False: self.say("no"), None: self.language.say("shared.options.unset")}
        shown = words[value] if value is None or isinstance(value, bool) else str(value)
        sentence = self.wording.option(spec.name)

        def change(by: int) -> None:
            self._set(spec, _after(spec, self._value(spec), by))

        def type_(digit: str) -> None:
            value = self._value(spec)
            if spec.type == "int":
                digits = "" if value is None or value == spec.default else str(value)
                digits = digits[:-1] if digit == DELETE else digits + digit
                if not digits:
                    self._set(spec, spec.default)
                elif int(digits) <= spec.maximum:
                    self._set(spec, int(digits))

        return Setting(spec.name.replace("_", " "), shown, sentence, change, type_)

    def _value(self, spec: OptionSpec) -> OptionValue:
        return self.options.get(spec.name, spec.default)

    def _set(self, spec: OptionSpec, value: OptionValue) -> None:
        if value == spec.default:
            self.options.pop(spec.name, None)
        else:
            self.options[spec.name] = value

    def _next_game(self, by: int) -> None:
        games = list(GAMES.values())
        self.game = games[(games.index(self.game) + by) % len(games)]
        known = {spec.name for spec in self.game.option_specs}
        self.options = {name: value for name, value in self.options.items() if name in known}
        self._fill(self._clamped(self.seats))

    def _more_seats(self, by: int) -> None:
        self._fill(self._clamped(self.seats + by))

    def _type_seats(self, digit: str) -> None:
        if digit != DELETE:
            self._fill(self._clamped(10 if digit == "0" else int(digit)))

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
        return Invitation(self.people, chairs, self.game.id, self.options, self.seats).settled()

    def say(self, key: str, /, **values: object) -> str:
        """A text of the start page."""
        return self.language.say(f"screens.start.{key}", **values)


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


def _nothing(digit: str) -> None:
    """Ignore a digit where there is nothing to type."""
