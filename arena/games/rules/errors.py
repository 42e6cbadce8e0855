"""The errors of the rules, up to the root of the tree in `bullring.errors`, which shows all of it.

The root is here because the rules import nothing of Bullring but themselves, and one `except BullringError` catches theirs, too.
Everything outside of the games imports errors from `bullring.errors`.
"""


class BullringError(Exception):
    """The root of the tree. The text says what was expected, what came, and what to do."""

    exit_code = 1


class UsageError(BullringError):
    """An argument, name, value or file is wrong: correct it and try again."""

    exit_code = 2


class RulesError(UsageError):
    """The rules of a game were broken."""


class UnknownGame(RulesError):
    """No game has this name."""


class SeatsError(RulesError):
    """The game does not allow this number of seats."""


class OptionError(RulesError, ValueError):
    """An option does not exist or does not allow this value."""


class IllegalAnswer(RulesError):
    """An answer is not one of the options of its request, or cards passed in are not in the deck."""
