"""No answer is revealed before its batch is complete, and the commitment binds but tells nothing."""

from pathlib import Path
from typing import Any

import trio

from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from tests.support.record import NONCE
from tests.support.scripted import Scripted, first_option, referee, script_of


def test_while_one_bot_thinks_nothing_goes_to_the_others_nor_into_the_record(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    seen: list[tuple[bool, str]] = []
    quick: list[Scripted] = []

    async def fast(bot: Scripted) -> None:
        quick.append(bot)
        await first_option(bot)

    async def slow(bot: Scripted, question: dict[str, Any]) -> None:
        await trio.sleep(0.5)
        seen.append((quick[0].has_message(), record.read_text()))
        bot.choose(question, question["options"][0])

    referee(fast, script_of(slow), record=record, limits=Limits.seconds(card=1.0))
    ((told, written),) = seen
    assert not told
    assert '"answers"' not in written
    assert '"answers"' in record.read_text()


def test_nothing_that_is_said_to_bots_holds_the_seed_or_the_nonce() -> None:
    _, bots = referee(first_option, first_option, seed="a-long-and-secret-seed")
    seed = Seed.given("a-long-and-secret-seed", NONCE)
    for bot in bots:
        said = str(bot.heard)
        assert seed.seed not in said
        assert seed.nonce not in said
        assert seed.commitment in said


def test_two_matches_with_one_seed_cannot_be_told_to_share_their_deals() -> None:
    one, two = Seed("same", "nonce-1"), Seed("same", "nonce-2")
    assert one.commitment != two.commitment
    assert one.for_bot(0) != two.for_bot(0)
    assert one.for_bot(0) != one.for_bot(1)
