"""All errors of Bullring, in one tree. `exit_code` is the exit code of the command `bullring` when the error ends it.

::

    BullringError                 1
    ├── UsageError                2  an argument, name, value or file is wrong: correct it and try again
    │   ├── RulesError               the rules of a game were broken
    │   │   ├── UnknownGame          no game has this name
    │   │   ├── SeatsError           the game does not allow this number of seats
    │   │   ├── OptionError          an option does not exist or does not allow this value
    │   │   └── IllegalAnswer        an answer is not one of the options, or cards are not in the deck
    │   ├── BotError                 a bot cannot be used as given
    │   │   ├── BuildFailure      3  its build failed
    │   │   └── Refusal           3  it was submitted, and cannot play
    │   ├── FilesError               a file or folder is too large, too deep, or not what may be read
    │   ├── SettingsError            a setting is wrong
    │   │   └── DurationError        a string is not a duration
    │   ├── SeedError                a string cannot be a seed
    │   ├── RecordError              a record cannot be read, or its lines are out of order
    │   │   └── WriteError        1  a record cannot be written
    │   ├── KeyFileError             a key that signs records cannot be used
    │   ├── SandboxError             the requested sandbox is not available
    │   └── LadderError              a ladder cannot do what was asked
    │       └── StoreError        1  its home cannot be read or written
    ├── HostError                 1  the machine failed, not a bot
    │   ├── NoRoom                   a disk is full
    │   ├── UnknownMachine           system calls cannot be filtered on this kind of machine
    │   └── EngineRefusal            the container engine rejected a request
    ├── CellError                 1  a program cannot be started, by its own fault or that of its author
    ├── Unexpected                3  a bot did something else than was expected
    │   ├── StartFailure             it did not join the match
    │   └── RemoteProtocolError      it broke the contract of SPEC.md (also a ProtocolError)
    └── ProtocolError             1  the contract of SPEC.md was broken
        └── LocalProtocolError       by the referee: a bug in our own code

Other exit codes: 0 done; 3 a match was played and a bot was at fault; 130 interrupted.

The games declare the upper part, from the root to `IllegalAnswer`, because they import nothing else of Bullring. Nothing else is
imported here, so every module outside of the games may import this one.
"""

from bullring.arena.games.rules.errors import BullringError as BullringError
from bullring.arena.games.rules.errors import IllegalAnswer as IllegalAnswer
from bullring.arena.games.rules.errors import OptionError as OptionError
from bullring.arena.games.rules.errors import RulesError as RulesError
from bullring.arena.games.rules.errors import SeatsError as SeatsError
from bullring.arena.games.rules.errors import UnknownGame as UnknownGame
from bullring.arena.games.rules.errors import UsageError as UsageError

DONE, FAILED, USAGE, BOT_AT_FAULT, INTERRUPTED = 0, BullringError.exit_code, UsageError.exit_code, 3, 130
"""The exit codes of the command `bullring`."""


class BotError(UsageError):
    """A bot cannot be used as given."""


class BuildFailure(BotError):
    """The build of a bot failed. The text says why and where the log is; the log's end is not in it."""

    exit_code = BOT_AT_FAULT

    def __init__(self, text: str, *, log: str = "", log_path: str = "", remedy: str = "") -> None:
        self.what = text
        """The text without the remedy."""
        self.remedy = remedy
        """What to do about it; empty if that is not known."""
        self.log = log
        """The end of what the build printed, safe to show on a terminal."""
        self.log_path = log_path
        """The file that holds more of it; empty if none was written."""
        super().__init__(f"{text}; {remedy}" if remedy else text)


class Refusal(BotError):
    """A bot was submitted and failed its build, its check or its trial match. The text says why."""

    exit_code = BOT_AT_FAULT

    def __init__(self, text: str, lines: tuple[str, ...] = (), facts: dict[str, object] | None = None) -> None:
        self.lines = lines
        """The findings for its author, line by line. Strangers wrote parts of them."""
        self.facts = facts or {}
        """The same for programs."""
        super().__init__(text)


class FilesError(UsageError):
    """A file or folder is too large, too deep, or not what may be read, such as a pipe in place of a file."""


class SettingsError(UsageError):
    """A setting is wrong. The text names it and what was expected."""


class DurationError(SettingsError, ValueError):
    """A string is not a duration."""


class SeedError(UsageError, ValueError):
    """A string cannot be a seed."""


class RecordError(UsageError):
    """A record cannot be read, or its lines are out of order. The text names the line if there is one."""

    def __init__(self, text: str, line: int = 0) -> None:
        self.line = line
        super().__init__(f"line {line}: {text}" if line else text)


class WriteError(RecordError):
    """A record cannot be written: the disk is full, or the folder is read-only or missing."""

    exit_code = FAILED


class KeyFileError(UsageError):
    """A key that signs or verifies records is missing, unreadable, or not a key."""


class SandboxError(UsageError):
    """The requested sandbox is not available. The text says why and what to do."""


class LadderError(UsageError):
    """A ladder cannot do what was asked."""


class StoreError(LadderError):
    """A ladder's home cannot be read or written: the disk is full, the folder read-only, or the file is not a ladder database."""

    exit_code = FAILED


class HostError(BullringError):
    """The machine failed, not a bot: the container engine died, a control group could not be made."""


class NoRoom(HostError):
    """A disk is full, or the user's share of it. The text names the path, and what to do."""


class UnknownMachine(HostError):
    """System calls cannot be filtered: there is no table of them for this kind of machine."""


class EngineRefusal(HostError):
    """The container engine rejected a request, such as one with an impossible name or a value out of range."""


class CellError(BullringError):
    """A program cannot be started, by its own fault or that of its author."""


class Unexpected(BullringError):
    """A bot did something else than was expected. The text says what was expected, what came, and what to do about it."""

    exit_code = BOT_AT_FAULT

    def __init__(self, expected: str, got: str, hint: str = "", *, raw: bytes = b"") -> None:
        self.expected = expected
        self.got = got
        self.hint = hint
        """The remedy."""
        self.raw = raw
        """The beginning of the bytes that came."""
        super().__init__(expected, got)

    def __str__(self) -> str:
        return f"expected {self.expected}; got {self.came}"

    @property
    def came(self) -> str:
        """The finding, followed by the hint if there is one."""
        return f"{self.got} ({self.hint})" if self.hint else self.got


class StartFailure(Unexpected):
    """A bot did not join the match."""

    def __init__(
        self,
        expected: str,
        got: str,
        hint: str = "",
        *,
        raw: bytes = b"",
        elapsed: float = 0.0,
        log: str = "",
        exit: str = "",
    ) -> None:
        self.elapsed = elapsed
        """Seconds from the start of the program to the verdict."""
        self.log = log
        """The program's stderr."""
        self.exit = exit
        """The end of the program in words."""
        super().__init__(expected, got, hint, raw=raw)


class ProtocolError(BullringError):
    """The contract of SPEC.md was broken."""


class LocalProtocolError(ProtocolError):
    """The referee broke the contract: a bug in our own code."""


class RemoteProtocolError(ProtocolError, Unexpected):
    """The bot broke the contract."""

    def __init__(self, expected: str, got: str, hint: str = "", *, resync: bool = True, raw: bytes = b"") -> None:
        self.resync = resync
        """Whether the start of the next message can still be found. If not, nothing more can be read from this bot."""
        super().__init__(expected, got, hint, raw=raw)


def first_error(error: BaseException) -> BaseException:
    """The first error in a group of any depth: nurseries may or may not wrap an error in groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
