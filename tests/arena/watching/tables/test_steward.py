"""The steward, asked as a server asks it."""

import os
from pathlib import Path

import trio

from bullring.arena.watching.people.opponents import Opponent
from bullring.arena.watching.tables.steward import Steward, heard
from bullring.arena.watching.web.handing import hand, pair
from bullring.arena.watching.web.replays import Replays


def test_a_thousand_opponents_are_listed_as_far_as_there_is_room(tmp_path: Path) -> None:
    """Each with a name and words that are as long as can be."""
    many = [
        Opponent(f"{number}", "\u9f98" * 60 + str(number), 1500, 9, "", "\u9f98" * 200, "ladder", "")
        for number in range(1000)
    ]

    async def asked() -> list[dict[str, str]]:
        control, stewards = pair()
        line, theirs = pair()
        hears, told = os.pipe()
        hand(control, "server", passed=[theirs.fileno(), told])
        theirs.close()
        os.close(told)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Steward(tmp_path, Replays(tmp_path), lambda: many).run, stewards)
            hand(line, "ask", 1, "list")
            came = await heard(line)
            nursery.cancel_scope.cancel()
        os.close(hears)
        for one in (control, stewards, line):
            one.close()
        assert came is not None
        _, _, status, facts, _ = came[0]
        assert status == 200
        return list(facts["opponents"])

    found = trio.run(asked)
    assert [one["name"] for one in found] == [one.name for one in many[: len(found)]]
    assert len(found) > 10
