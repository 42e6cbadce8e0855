"""Playing in lines of text: what is typed."""

import asyncio
import os

import pytest

from bullring.arena.watching.people.plain import Typed
from tests.support.patience import PATIENCE


def test_a_terminal_that_is_gone_types_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = os.openpty()
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)

        async def main() -> None:
            typed = Typed()
            os.write(theirs, b"4\n")
            assert await asyncio.wait_for(typed.line(), PATIENCE) == "4"
            os.close(theirs)
            assert await asyncio.wait_for(typed.line(), PATIENCE) is None

        asyncio.run(main())
