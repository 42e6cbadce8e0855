"""Split a byte stream into lines. Pure; used by everything that reads lines as they come."""


class LineBuffer:
    """Accept bytes in pieces of any size and return complete lines, without their ends."""

    def __init__(self) -> None:
        self.rest = b""
        """The unfinished last line."""

    def feed(self, data: bytes) -> list[bytes]:
        """Add data and return the lines that it completes."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        return lines
