"""All errors of Bullring, in one tree. `exit_code` is what the command `bullring` exits with when the error ends it.

::

    BullringError                 1
    ├── UsageError                2  something given cannot be used: correct it and try again
    │   ├── RulesError               the rules of a game were not kept
    │   │   ├── UnknownGame          no game has this name
    │   │   ├── SeatsError           the game is not for this number of seats
    │   │   ├── OptionError          an option does not exist or cannot have this value
    │   │   └── IllegalAnswer        an answer is not one of the options, or cards are not of the deck
    │   ├── BotError                 a bot cannot be used as it was given
    │   ├── SettingsError            a setting is wrong
    │   │   └── DurationError        a text is not a duration
    │   ├── SeedError                a text cannot be a seed
    │   ├── RecordError              a record cannot be read, or its lines cannot follow each other
    │   │   └── WriteError        1  a record cannot be written
    │   ├── SandboxError             the sandbox that was asked for cannot be had
    │   └── LadderError              a ladder cannot do what it was asked for
    │       └── StoreError        1  its home cannot be read or written
    ├── HostError                 1  the machine failed, not a bot
    │   ├── UnknownMachine           system calls cannot be filtered on this kind of machine
    │   └── EngineRefusal            the container engine found fault with what it was asked for
    ├── CellError                 1  a program could not be started: its own fault, or that of whoever brought it
    ├── StartFailure              3  a bot did not come to the table
    └── ProtocolError             1  the contract of SPEC.md was broken
        ├── LocalProtocolError       by the referee: a mistake in our own code
        └── RemoteProtocolError   3  by the bot

Other exit codes: 0 done; 3 a match was played and a bot was at fault; 130 interrupted.

This module imports nothing, so every room may import it.
"""

DONE, FAILED, USAGE, BOT_AT_FAULT, INTERRUPTED = 0, 1, 2, 3, 130
"""The exit codes of the command `bullring`."""


class BullringError(Exception):
    """The root of the tree. Its text says what was expected, what came, and what to do."""

    exit_code = FAILED


class UsageError(BullringError):
    """Something given cannot be used: a name, a value, a file. Correct it and try again."""

    exit_code = USAGE


class RulesError(UsageError):
    """The rules of a game were not kept."""


class UnknownGame(RulesError):
    """No game has this name."""


class SeatsError(RulesError):
    """The game is not for this number of seats."""


class OptionError(RulesError, ValueError):
    """An option does not exist or cannot have this value."""


class IllegalAnswer(RulesError):
    """An answer is not one of the options of its request, or cards handed in are not of the deck."""


class BotError(UsageError):
    """A bot cannot be used as it was given."""


class SettingsError(UsageError):
    """A setting is wrong. Says which one and what was expected."""


class DurationError(SettingsError, ValueError):
    """A text is not a duration."""


class SeedError(UsageError, ValueError):
    """A text cannot be a seed."""


class RecordError(UsageError):
    """A record cannot be read, or its lines cannot follow each other. Names the line if there is one."""

    def __init__(self, text: str, line: int = 0) -> None:
        self.line = line
        super().__init__(f"line {line}: {text}" if line else text)


class WriteError(RecordError):
    """A record cannot be written: a full disk, a folder that is read-only or not there."""

    exit_code = FAILED


class SandboxError(UsageError):
    """The sandbox that was asked for cannot be had. Says why and what to do."""


class LadderError(UsageError):
    """A ladder cannot do what it was asked for."""


class StoreError(LadderError):
    """The home of a ladder cannot be read or written: a full disk, a read-only folder, a file of another program."""

    exit_code = FAILED


class HostError(BullringError):
    """The machine failed, not a bot: the container engine died, no control group could be made."""


class UnknownMachine(HostError):
    """There is no table of system calls for this kind of machine, so they cannot be filtered."""


class EngineRefusal(HostError):
    """The container engine found fault with what it was asked for: an impossible name, a value out of range."""


class CellError(BullringError):
    """A program could not be started: its own fault, or that of whoever brought it."""


class StartFailure(BullringError):
    """A bot did not come to the table."""

    exit_code = BOT_AT_FAULT

    def __init__(self, expected: str, got: str, *, elapsed: float = 0.0, log: str = "", exit: str = "") -> None:
        self.expected = expected
        self.got = got
        self.elapsed = elapsed
        """Seconds from its start to the verdict."""
        self.log = log
        """What it wrote to stderr."""
        self.exit = exit
        """How its program ended."""
        super().__init__(f"expected {expected}; got {got}")


class ProtocolError(BullringError):
    """The contract of SPEC.md was broken."""


class LocalProtocolError(ProtocolError):
    """The referee broke the contract: a mistake in our own code."""


class RemoteProtocolError(ProtocolError):
    """The bot broke the contract. Says what was expected, what came, and what to do about it."""

    exit_code = BOT_AT_FAULT

    def __init__(self, expected: str, got: str, hint: str = "", *, resync: bool = True) -> None:
        self.expected = expected
        self.got = got
        self.hint = hint
        self.resync = resync
        """Whether it is still known where the next message begins. If not, nothing more can be read from this bot."""
        super().__init__(expected, got)

    def __str__(self) -> str:
        return f"expected {self.expected}; got {self.came}"

    @property
    def came(self) -> str:
        """What came, with the hint."""
        return f"{self.got} ({self.hint})" if self.hint else self.got


def first_error(error: BaseException) -> BaseException:
    """What went wrong: out of nurseries it comes wrapped, or not, as it happens."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
