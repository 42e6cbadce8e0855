"""docs/record.md is enough: a checker in another language, written from it alone, comes to the same verdicts."""

import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.signatures import Signer
from bullring.arena.match.records.verification import verify
from bullring.arena.settings.limits import Limits
from bullring.errors import StartFailure
from tests.arena.match.records.test_edits import CONTRADICTIONS
from tests.support.patience import PATIENCE
from tests.support.record import entries_of, record_of, resealed
from tests.support.scripted import Scripted, fails, first_option, illegal, late, referee, script_of, silent

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")

CHECKER = Path(__file__).with_name("check.mjs")
GOLDEN = Path(__file__).parents[4] / "docgen" / "live-table.jsonl"
SIGNER = Signer.new()
EDITS = 300


def said(*paths: Path, key: str | None = None) -> list[str]:
    """The checker's verdict on each record."""
    given = [] if key is None else [f"--key={key}"]
    command = ["node", str(CHECKER), *given, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


async def leaves(bot: Scripted) -> None:
    """Answers, and is gone."""
    question = await bot.question()
    bot.choose(question, question["options"][0])
    bot.close_output()
    await trio.sleep_forever()


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Signed records with faults of all sorts, several deals, targets, and a void match."""
    folder = tmp_path_factory.mktemp("records")
    limits = Limits.seconds(card=0.1, row=0.1)
    tables: Sequence[tuple[str, dict[str, object], Sequence[Any]]] = [
        ("standard", {"deals": 2}, [first_option, script_of(late, illegal), silent]),
        ("standard", {"target": 20, "target_rule": "reach"}, [first_option, leaves, script_of(illegal)]),
        ("standard", {"deals": 1}, [first_option, first_option, leaves, script_of(late), silent] * 2),
        ("tactics", {"target": 5}, [silent, silent]),
        ("standard", {"deals": 1}, [first_option, script_of(fails)]),
    ]
    paths = []
    for number, (game, options, scripts) in enumerate(tables):
        paths.append(folder / f"{number}.jsonl")
        referee(*scripts, game=game, options=options, limits=limits, record=paths[-1], seed=str(number), signer=SIGNER)
    return paths


def test_the_checker_finds_golden_and_fresh_records_right(records: list[Path]) -> None:
    assert set(said(GOLDEN, *records)) == {"right"}
    assert set(said(*records, key=SIGNER.public)) == {"right"}
    assert set(said(GOLDEN, *records, key=Signer.new().public)) == {"not signed with this key"}


def test_the_checker_recomputes_the_deals_of_every_game(tmp_path: Path) -> None:
    paths = [record_of(tmp_path / f"{game}.jsonl", game, max(4, GAMES[game].seat_range[0])) for game in GAMES]
    assert set(said(*paths)) == {"right"}
    for path in paths:
        entries = entries_of(path)
        cards = next(entry["deal"] for entry in entries if "deal" in entry)
        cards[:2] = [cards[1], cards[0]] if cards else [1]  # a draft shuffles nothing
        path.write_bytes(resealed(entries))
    assert "right" not in said(*paths)


def test_the_checker_notices_random_edits(records: list[Path], tmp_path: Path) -> None:
    chance = random.Random(88)
    edited = []
    for number in range(EDITS):
        data = chance.choice(records).read_bytes()
        at = chance.randrange(len(data))
        lines = data.splitlines(keepends=True)
        one, two = chance.sample(range(len(lines)), 2)
        new = chance.choice([
            data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :],
            data[:at] + data[at + 1 :],
            data[:at] + b"7" + data[at:],
            b"".join(lines[:one] + lines[one + 1 :]),
            b"".join([*lines[:one], lines[two], *lines[one:]]),
        ])  # fmt: skip
        if new != data:
            edited.append(tmp_path / f"{number}.jsonl")
            edited[-1].write_bytes(new)
    assert "right" not in said(*edited)


def test_the_checker_notices_what_does_not_follow_even_if_the_seal_fits(records: list[Path], tmp_path: Path) -> None:
    paths = []
    for number, edit in enumerate(CONTRADICTIONS):
        entries = entries_of(records[0])
        edit(entries)
        paths.append(tmp_path / f"{number}.jsonl")
        paths[-1].write_bytes(resealed(entries))
    assert "right" not in said(*paths)


def test_it_knows_people_and_matches_that_were_left(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    limits = Limits.seconds(card=0.1)
    referee(first_option, silent, first_option, record=path, people=[0], limits=limits)
    for cut, second in ((900, first_option), (1500, StartFailure("a hello", "nothing"))):
        path.write_bytes(path.read_bytes()[:cut])
        referee(first_option, second, first_option, going_on=path, people=[0], limits=limits)
        assert verify(read_lines(path)).difference is None
        assert said(path) == ["right"]
    whole = entries_of(path)
    wrongs: list[Callable[[list[Any]], object]] = [
        lambda entries: entries[0].update(people=[2]),
        lambda entries: entries[0].pop("people"),
        lambda entries: next(e for e in entries if "human" in e.get("by", ())).pop("by"),
        lambda entries: entries.remove(next(e for e in entries if "resumed" in e)),
    ]
    for wrong in wrongs:
        entries = entries_of(path)
        wrong(entries)
        path.write_bytes(resealed(entries))
        assert (verify(read_lines(path)).difference is None) == (said(path) == ["right"])
        path.write_bytes(resealed(whole))
