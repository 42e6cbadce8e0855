"""A record is packed by itself: it comes back byte for byte, and nothing that was changed or made up is believed."""

import json
import struct
from base64 import b85decode
from collections.abc import Callable
from hashlib import sha256
from zlib import crc32

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.cells.sandbox.promises import NAMES
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.writer import encode
from bullring.arena.settings.limits import Limits
from bullring.errors import RecordError
from bullring.ladder.store.compact_form import LONGEST
from bullring.ladder.store.dictionary import NO_DICTIONARY, Dictionary, dictionary_of
from bullring.ladder.store.packet import HEAD, LARGEST, head_of, is_whole, pack, unpack
from tests.ladder.run.cluster.playing import BOTS, LIMITS, LIST, NODE, played

GAME = find(LIST.game)(LIST.seats, LIST.options)
NOTES = {"lacks": list(NAMES), "node": NODE}
OWN = dictionary_of(GAME, BOTS, LIMITS, "duel", NOTES)


def known(id: int) -> Dictionary:
    return {0: NO_DICTIONARY, OWN.id: OWN}[id]


@pytest.fixture(scope="module")
def record() -> bytes:
    """The record of a match that was played."""
    _, block = played([[1]])
    return unpack(block.records[0], known)


def test_a_packet_tells_its_match_and_dictionary_and_gives_the_record_back(record: bytes) -> None:
    packet = pack(7, record, OWN)
    head = head_of(packet)
    assert head is not None
    assert (head.match, head.dictionary, head.is_form, head.size) == (7, OWN.id, True, len(packet))
    assert unpack(packet, known) == record


def test_a_record_of_two_bots_takes_a_tenth_of_its_text(record: bytes) -> None:
    assert len(pack(7, record, OWN)) < 0.2 * len(record)
    assert len(pack(7, record, OWN)) < 0.6 * len(pack(7, record, NO_DICTIONARY))


def test_the_same_bots_and_settings_have_the_same_dictionary() -> None:
    assert dictionary_of(GAME, BOTS, LIMITS, "duel", NOTES) == OWN
    assert dictionary_of(GAME, BOTS[:1], LIMITS, "duel", NOTES).id != OWN.id
    assert dictionary_of(GAME, BOTS, Limits.seconds(card=2.0), "duel", NOTES).id != OWN.id


def entries_changed(record: bytes, change: Callable[[list[dict[str, object]]], object]) -> bytes:
    entries = [json.loads(line) for line in record.splitlines()]
    change(entries)
    return b"".join(encode(entry).encode() + b"\n" for entry in entries)


@pytest.mark.parametrize(
    "change",
    [
        lambda entries: entries[0].pop("commitment"),
        lambda entries: entries[0].update(commitment=0),
        lambda entries: entries[0].update(commitment="0" * 64),
        lambda entries: entries[1].update(deal=44),
        lambda entries: entries[1].update(deal=[104, 104]),
        lambda entries: entries[2].update(answers=[-1, 1 << 70]),
        lambda entries: entries[2].update(answers=["a", None]),
        lambda entries: entries[2].update(us=[1]),
        lambda entries: entries[2].update(check=1 << 40),
        lambda entries: entries[2].update(check="x"),
        lambda entries: entries[2].update(by=["bot", "fallback"], back=[0, 1.5]),
        lambda entries: entries[-1]["end"].update(seal=0),
        lambda entries: entries[-1]["end"].update(seed="AB" * 16, nonce="ab ab"),
        lambda entries: entries[-1]["end"].update(signature="00"),
        lambda entries: entries.append({"stderr": {"seat": 0, "text": "\u00e9\n"}}),
        lambda entries: entries.clear(),
    ],
)
def test_whatever_a_record_says_it_comes_back_byte_for_byte(
    record: bytes, change: Callable[[list[dict[str, object]]], object]
) -> None:
    text = entries_changed(record, change)
    assert unpack(pack(1, text, OWN), known) == text


@given(st.lists(st.binary() | st.sampled_from([b'{"deal":[1,2]}', b"\n", b'{"end":{"seal":"', b"}}", b"{}"])))
def test_any_bytes_can_be_packed(pieces: list[bytes]) -> None:
    text = b"".join(pieces)
    assert unpack(pack(LARGEST, text, OWN), known) == text


@pytest.mark.parametrize("seed", ["AB" * 32, "ab cd", "example", "ab" * 32])
def test_a_seed_of_any_form_comes_back_unchecked(record: bytes, seed: str) -> None:
    text = entries_changed(record, lambda entries: entries[-1]["end"].update(seed=seed))  # type: ignore[attr-defined]
    again = [json.loads(line) for line in unpack(pack(1, text, OWN, check=False), known).splitlines()]
    assert again[-1]["end"]["seed"] == seed


def test_a_record_that_is_very_long_is_kept_as_text(record: bytes) -> None:
    text = entries_changed(record, lambda entries: entries.insert(-1, {"stderr": {"seat": 0, "text": "x" * LONGEST}}))
    packet = pack(1, text, OWN)
    assert not head_of(packet).is_form  # type: ignore[union-attr]
    assert unpack(packet, known) == text
    with pytest.raises(RecordError, match="longer than 1000000 bytes"):
        unpack(packet, known, 1_000_000)


def test_a_packet_of_the_first_version_is_read_for_ever() -> None:
    words = Dictionary(
        b"bullring game standard seats commitment began deal spent end seed nonce scores ranks void"
        b" ended seal answers us check back"
    )
    packet = b85decode(
        b"HcnCjh0U;}aF3}v5dZ)HrvLx|U=#oi1ptHwmBa=A{{R91l9Q*Rb#tYZq+(%XYs3Nq0h5KO0;H&=lA&RtVyXb8&S_UQrGcavfum(^WQU~0AYSdI"
        b"#1PJ=k^=yxk^%vwz@;~&0EEN?184!Fb#uf7TIdG{#0UT=YwiUA0068479d~(63hf2;f!1j#YC7Nc<->Dk-"
        b"J88VHZ8(wKqb5%ZHcg6`02s+j(|d&Gs)XOyPoz%y<C"
    )
    assert sha256(unpack(packet, {words.id: words}.__getitem__)).hexdigest() == (
        "88f4e7380506ef38bf1be08fa6747d6c5613e0c4001778104085e24c09063393"
    )


def test_every_changed_bit_and_every_cut_is_noticed(record: bytes) -> None:
    packet = pack(3, record, OWN)
    for at in range(len(packet)):
        changed = bytearray(packet)
        changed[at] ^= 1 << at % 8
        assert not is_whole(bytes(changed))
        assert not is_whole(packet[:at])
        with pytest.raises(RecordError, match="not a record as it was packed"):
            unpack(bytes(changed), known)


def sealed(body: bytes, *, is_form: bool = True) -> bytes:
    """A packet with a checksum that fits, as somebody makes it who means harm."""
    covered = struct.pack("<III", 0, 1, len(body)) + body
    return b"6NR" + struct.pack("<BI", is_form, crc32(covered)) + covered


def formed(*parts: object) -> bytes:
    return sealed(NO_DICTIONARY.compress(msgpack.packb(parts)))


END = {"end": {"seed": "a", "nonce": "b"}}


@pytest.mark.parametrize(
    ("packet", "why"),
    [
        (sealed(b"nonsense"), "cannot be unpacked"),
        (sealed(b"nonsense", is_form=False), "cannot be unpacked"),
        (sealed(NO_DICTIONARY.compress(bytes(LONGEST + 1))), f"longer than {LONGEST} bytes"),
        (formed(7), "not the form of a record"),
        (formed(b"\xff\xff", [], b"", [{"commitment": 0}], {}), "not the form of a record"),
        (formed(b"\0", [["answers"]], b"\1", [], {"answers": b"\xff" * 99}), "a number is too large"),
        (formed(b"\0" * 999, [["a" * 500_000]], b"\1" * 999, [END], {"a" * 500_000: []}), "its keys are too long"),
    ],
)
def test_a_packet_that_means_harm_is_refused(packet: bytes, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        unpack(packet, known)


def test_a_match_has_a_number_that_fits(record: bytes) -> None:
    for wrong in (0, -1, LARGEST + 1):
        with pytest.raises(ValueError, match="a match has a number from 1 to"):
            pack(wrong, record, OWN)
    assert head_of(bytes(HEAD)) is None
