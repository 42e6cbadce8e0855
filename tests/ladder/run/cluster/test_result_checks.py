"""Results of a node are believed only if they follow from its records, and these are of what was ordered."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from bullring.arena.cells.processes.frames import Frames
from bullring.arena.match.records.ends import sealed
from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.signatures import Signer
from bullring.arena.match.records.verification import verify
from bullring.arena.match.records.writer import encode
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.errors import RecordError
from bullring.ladder.run.cluster import result_checks
from bullring.ladder.run.cluster.result_checks import Terms, checked
from bullring.ladder.run.workers.messages import Block, Play, Played, answer_bytes, answer_of
from bullring.ladder.store.dictionary import NO_DICTIONARY, Dictionary
from bullring.ladder.store.packet import head_of, pack, unpack
from tests.ladder.run.cluster.playing import NODE, TERMS, played


@pytest.fixture(scope="module")
def two() -> tuple[list[Play], Block]:
    """Two orders, the second of them a group of two matches, and what a node made of them."""
    return played([[1], [2, 3]])


def _taken(orders: Sequence[Play], block: Block, terms: Terms = TERMS) -> Block:
    answer = answer_of(next(Frames().feed(checked(orders, answer_bytes(block), terms))))
    assert isinstance(answer, Block)
    return answer


def _records(block: Block) -> dict[int, bytes]:
    texts = {}
    for record in block.records:
        head = head_of(record)
        assert head is not None
        texts[head.match] = unpack(record, lambda _: NO_DICTIONARY)
    return texts


def test_what_fits_is_passed_on_as_it_came(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    found = _taken(orders, block)
    assert found.records == block.records
    assert [[outcome.row for outcome in each.matches] for each in found.played] == [
        [outcome.row for outcome in each.matches] for each in block.played
    ]


def test_what_fits_is_signed_here(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    signer = Signer.new()
    found = _taken(orders, block, replace(TERMS, key=signer.pem))
    texts = _records(found)
    assert len(texts) == 3
    for each in found.played:
        for outcome in each.matches:
            verdict = verify(Lines(texts[outcome.id]), signer.public)
            assert (verdict.difference, verdict.seal) == (None, outcome.row.seal.hex())


def _refused(orders: Sequence[Play], block: Block, why: str, terms: Terms = TERMS) -> None:
    with pytest.raises(RecordError, match=why):
        checked(orders, answer_bytes(block), terms)


def _with_first(block: Block, **changes: Any) -> Block:
    """The block with another outcome of its first match."""
    first, *others = block.played
    outcome = first.matches[0]
    row = outcome.row._replace(**{key: value for key, value in changes.items() if key in outcome.row._fields})
    return replace(block, played=[Played(first.id, [outcome._replace(row=row)]), *others])


def test_a_result_that_is_not_that_of_its_record_is_refused(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    row = block.played[0].matches[0].row
    _refused(
        orders, _with_first(block, ranks=bytes(rank + 1 for rank in row.ranks)), "the result that it tells of match 1"
    )
    _refused(
        orders,
        _with_first(block, heads=bytes([row.heads[0] ^ 1]) + row.heads[1:]),
        "the result that it tells of match 1",
    )
    _refused(orders, _with_first(block, counted=False), "the result that it tells of match 1")
    _refused(orders, _with_first(block, list=8), "the result that it tells of match 1")


def test_a_record_of_another_deal_is_refused(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    first = orders[0].matches[0]
    other = Play([replace(first, seed=Seed.draw())])
    _refused([other, orders[1]], block, "commitment in its first line")


def test_a_record_of_other_bots_is_refused(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    first = orders[0].matches[0]
    other = Play([replace(first, bots=first.bots[::-1], ids=first.ids[::-1])])
    _refused([other, orders[1]], block, "the result|seats in its first line")


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        (replace(TERMS, limits=Limits.seconds(card=9.0)), "limits in its first line"),
        (replace(TERMS, tier="bwrap"), "sandbox in its first line"),
        (replace(TERMS, node={**NODE, "name": "another"}), "node in its first line"),
        (
            replace(TERMS, list=replace(TERMS.list, options={**TERMS.list.options, "deals": 2})),
            "options in its first line",
        ),
    ],
)
def test_a_record_that_says_something_else_than_the_run_is_refused(
    two: tuple[list[Play], Block], terms: Terms, why: str
) -> None:
    _refused(*two, why, terms)


def _altered(block: Block, match: int, change: Callable[[bytes], bytes]) -> Block:
    texts = _records(block)
    texts[match] = change(texts[match])
    return replace(block, records=[pack(match, text, NO_DICTIONARY) for match, text in texts.items()])


def test_an_altered_record_is_refused(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    _refused(orders, _altered(block, 1, lambda text: text.replace(b'"scores":[', b'"scores":[9')), "the scores are")
    _refused(orders, _altered(block, 1, lambda text: text[: len(text) // 2]), "line|record|end")
    _refused(orders, _altered(block, 1, lambda text: b""), "not the results|record")
    _refused(orders, _altered(block, 1, lambda text: b"[]\n" * 9), "not|line")


@pytest.mark.parametrize("us", [float("inf"), float("nan"), 1 << 63, -1, None, "1", True])
def test_a_time_to_start_that_cannot_be_is_refused(two: tuple[list[Play], Block], us: Any) -> None:
    """It is in no record, so nothing but its range can be checked."""
    orders, block = two
    first, *others = block.played
    outcome = first.matches[0]
    seats = [outcome.seats[0]._replace(start_us=us), *outcome.seats[1:]]
    changed = replace(block, played=[Played(first.id, [outcome._replace(seats=seats)]), *others])
    _refused(orders, changed, "cannot have taken .* us to start")


@pytest.mark.parametrize(
    ("key", "said", "why"),
    [
        ("strikes", 4, "strikes in its first line is 4, not 3"),
        ("version", "0.0.1", "version in its first line"),
        ("programs", [{"name": "x" * 65, "version": ""}, None], "no bot calls itself"),
        ("programs", [{"name": "x", "version": 1}, None], "no bot calls itself"),
        ("programs", ["x", None], "no bot calls itself"),
        ("clock", "none", "it is said of clocks"),
        ("freeze", "no", "it is said of clocks"),
        ("lacks", ["freezing", "network"], "no sandbox lacks such promises"),
        ("lacks", ["manners"], "no sandbox lacks such promises"),
        ("people", [], "its first line has 'people', and should not"),
        ("rated", 3000, "its first line has 'rated', and should not"),
        ("ladder", {"match": 1, "format": "duel", "spoiled": [[True, "?"]]}, "cannot have been spoiled"),
        (
            "ladder",
            {"match": 1, "format": "duel", "spoiled": [["a", "?"]]},
            "not the record of a match|cannot have been",
        ),
        ("ladder", {"match": 1, "format": "duel", "spoiled": [3]}, "not the record of a match|not the results"),
    ],
)
def test_a_first_line_that_says_more_than_was_ordered_is_refused(
    two: tuple[list[Play], Block], key: str, said: object, why: str
) -> None:
    orders, block = two

    def change(text: bytes) -> bytes:
        head, *lines = text.splitlines(keepends=True)
        entries = [encode({**json.loads(head), key: said}).encode() + b"\n", *lines[:-1]]
        end = json.loads(lines[-1])["end"]
        line, _ = sealed({name: value for name, value in end.items() if name != "seal"}, sha256(b"".join(entries)))
        return b"".join(entries) + line.encode() + b"\n"

    altered = _altered(block, 1, change)
    seal = json.loads(_records(altered)[1].splitlines()[-1])["end"]["seal"]
    _refused(orders, _with_first(altered, seal=bytes.fromhex(seal)), why)


@pytest.mark.parametrize("error", [MemoryError, OSError])
def test_what_this_machine_cannot_do_is_no_fault_of_a_node(
    two: tuple[list[Play], Block], monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(result_checks, "read_result", fails)
    with pytest.raises(error):
        checked(two[0], answer_bytes(two[1]), TERMS)


def test_records_are_packed_with_the_dictionary_that_was_sent_or_none(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    own = Dictionary(b"words of this run")
    texts = _records(block)
    packed = replace(block, records=[pack(match, text, own) for match, text in texts.items()])
    assert _taken(orders, packed, replace(TERMS, dictionary=own.content)).records == packed.records
    _refused(orders, packed, "not the results of such matches")
    signed = _taken(orders, packed, replace(TERMS, dictionary=own.content, key=Signer.new().pem))
    assert all(unpack(record, {own.id: own}.__getitem__) for record in signed.records)


def test_a_record_that_is_sent_twice_is_refused(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    _refused(orders, replace(block, records=[*block.records, block.records[0]]), "two records of match 1")


def test_matches_that_are_missing_or_too_many_are_refused(two: tuple[list[Play], Block]) -> None:
    orders, block = two
    _refused(orders[:1], block, "not those of the matches that were ordered")
    single = replace(block, played=block.played[:1])
    _refused(orders, single, "not those of the matches that were ordered")
    group = block.played[1]
    cut = Block([block.played[0], Played(group.id, group.matches[:1])], block.records[:2])
    _refused(orders, cut, "a group ends with its first void match")


@pytest.mark.parametrize("body", [b"", b"\0\0\0\1\xc0", answer_bytes(Block([], [])), b"\0\0\0\5hello"])
def test_what_is_no_answer_at_all_is_refused(two: tuple[list[Play], Block], body: bytes) -> None:
    with pytest.raises(RecordError):
        checked(two[0], body, TERMS)
