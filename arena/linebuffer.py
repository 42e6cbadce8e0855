"""Lines out of bytes that come in pieces. Pure; all readers of lines use it."""


class LineBuffer:
    """Takes bytes in any pieces and gives whole lines, without their ends."""

    def __init__(self) -> None:
        self.rest = b""
        """What has come of an unfinished line."""

    def feed(self, data: bytes) -> list[bytes]:
        """Take what came; the lines that are whole now."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        return lines
