"""Whose fault it is when the wire contract is broken.

ProtocolError
├── LocalProtocolError    ours: the referee tried to say something out of order
└── RemoteProtocolError   the bot's: what came is not what the contract allows
"""


class ProtocolError(Exception):
    """The contract of SPEC.md was broken."""


class LocalProtocolError(ProtocolError):
    """The referee broke the contract: a mistake in our own code."""


class RemoteProtocolError(ProtocolError):
    """The bot broke the contract. Says what was expected, what came, and where it can be said what to do."""

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
