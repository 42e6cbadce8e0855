"""What SPEC.md shows is run, and what it says of the games is held against the games."""

import json
import random
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.faults import FaultKind
from arena.rules.cards import HEADS
from arena.rules.game import Shuffle
from arena.rules.registry import GAMES
from arena.rules.shuffle import shuffled
from docs import generate
from docs.session import SEED, example
from protocol.encoding import ENCODERS
from protocol.messages import Decide, Time

SPEC = generate.SPEC.read_text("utf-8")
BULLRING = Path(sys.executable).with_name("bullring")
MATCH = ("match", "--json", "--seed", "spec")


def code(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", SPEC, re.DOTALL | re.MULTILINE)


def chapter(title: str) -> str:
    """The text under a heading, up to the next one of its rank or above."""
    found = re.search(rf"^(#+) (?:\d+\. )?{re.escape(title)}\n(.*?)(?=^#{{1,3}} |\Z)", SPEC, re.DOTALL | re.MULTILINE)
    assert found, f"there is no chapter {title!r}"
    return found[2]


def bullring(*arguments: object, folder: Path) -> str:
    done = subprocess.run(
        [BULLRING, *map(str, arguments)], capture_output=True, text=True, cwd=folder, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def assert_no_fault(result: str) -> None:
    facts = json.loads(result)
    assert [seat["faults"] for seat in facts["seats"]] == [[] for _ in facts["seats"]]
    assert not facts["void"]


@pytest.fixture(scope="module")
def python_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot in Python, with the manifest that SPEC.md gives it."""
    folder = tmp_path_factory.mktemp("first")
    (manifest,) = code("toml")
    (bot,) = [text for text in code("python") if "sys.stdin" in text]
    (folder / "bot.toml").write_text(manifest, "utf-8")
    (folder / "bot.py").write_text(bot, "utf-8")
    return folder


@pytest.mark.parametrize("game", GAMES)
def test_the_python_bot_plays_every_game(game: str, python_bot: Path) -> None:
    seats = max(2, GAMES[game].seat_range[0])
    assert_no_fault(bullring(*MATCH, "--game", game, *[python_bot] * seats, folder=python_bot))


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_bash_bot_plays(python_bot: Path, tmp_path: Path) -> None:
    (bot,) = code("bash")
    (tmp_path / "bot.sh").write_text(bot, "utf-8")
    assert_no_fault(bullring(*MATCH, "--deals", 1, "bash bot.sh", python_bot, folder=tmp_path))


def test_the_session_is_what_a_referee_says(python_bot: Path, tmp_path: Path) -> None:
    (bot,) = [text for text in code("python") if "sys.stdin" in text]
    bot = bot.replace("    message =", "    sys.stderr.write(line)\n    message =")
    (tmp_path / "bot.py").write_text(bot, "utf-8")
    record = tmp_path / "match.jsonl"
    # The other seat is closed at once, so it is played by the fallback, as in the example.
    command = f"{sys.executable} bot.py"
    subprocess.run(
        [BULLRING, "match", command, "false", "--seed", SEED, "--deals", "1", "--record", record],
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    said = bullring("replay", record, "--stderr", 0, folder=tmp_path)
    heard = [json.loads(line) for line in said.splitlines()]
    shown = [line.plain for line in example() if line.sender == "referee"]
    for message, expected in zip(heard, shown, strict=True):
        assert unmeasured(message) == unmeasured(expected)


def unmeasured(message: dict[str, Any]) -> dict[str, Any]:
    """A message without what is drawn or measured."""
    plain = {key: value for key, value in message.items() if key != "id"}
    return plain | ({"time": {**plain["time"], "last_us": 0}} if "time" in plain else {})


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("verifier") / "verify.py"
    (text,) = [text for text in code("python") if "def shuffled" in text]
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("seats", "arguments"),
    [
        (2, ["--game", "standard", "--deals", "3"]),
        (10, ["--game", "standard", "--deals", "2"]),
        (3, ["--game", "tactics", "--deals", "2"]),
        (4, ["--game", "online"]),
        (4, ["--game", "online", "--option", "tactics=true"]),
    ],
)
def test_the_verifier(seats: int, arguments: list[str], verifier: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    # Bots that do not start are played by the fallback: quick, and the deals are the same.
    command = [str(BULLRING), "match", *["false"] * seats, *arguments, "--record", str(record)]
    subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert verify(verifier, record) == (0, "commitment and deals are right\n")
    lines = record.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if "deal" in json.loads(line))
    cards = json.loads(lines[at])["deal"]
    cards[0], cards[-1] = cards[-1], cards[0]
    record.write_text("\n".join([*lines[:at], json.dumps({"deal": cards}), *lines[at + 1 :]]), "utf-8")
    assert verify(verifier, record) == (1, "deal 1 does not follow from the seed\n")
    end = json.loads(lines[-1])
    end["end"]["seed"] = "another"
    record.write_text("\n".join([*lines[:-1], json.dumps(end)]), "utf-8")
    assert verify(verifier, record) == (1, "the commitment was made from another seed\n")


def verify(verifier: Path, record: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, verifier, record], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout or done.stderr


def test_the_shuffle_of_the_verifier(verifier: Path) -> None:
    theirs = runpy.run_path(str(verifier))["shuffled"]
    rng = random.Random(7)
    for _ in range(200):
        deck = range(1, rng.choice((24, 44, 100, 103, 104, 208)) + 1)
        count, deal, seed = rng.randrange(len(deck) + 1), rng.randrange(1, 50), str(rng.random())
        assert theirs(deck, count, seed, deal) == shuffled(deck, count, seed, deal)


def documented(title: str, column: int) -> set[str]:
    """The names in one column of the first table of a chapter."""
    lines = [line.split("|")[1:-1] for line in chapter(title).splitlines() if line.startswith("|")]
    return {found[1] for cells in lines if (found := re.match(r" `(\w+)` $", cells[column]))}


def random_match(game_id: str, seats: int, seed: int) -> tuple[set[str], set[tuple[str, str]], set[str], int]:
    """What a match shows: keys of views, types and keys of events, kinds of decisions, and the largest message."""
    rng = random.Random(seed)
    game = GAMES[game_id](seats)
    state = game.new()
    keys, seen, kinds, largest = set[str](), set[tuple[str, str]](), set[str](), 0
    told = [0] * seats
    events: list[dict[str, Any]] = []
    while (pending := state.pending) is not None:
        if isinstance(pending, Shuffle):
            events += game.advance_deal(state, rng.sample(pending.deck, pending.cards))
            continue
        kinds.add(pending.kind)
        for seat, options in zip(pending.seats, pending.options, strict=True):
            view = game.view(state, seat)
            keys |= view.keys()
            question = Decide(
                kind=pending.kind,
                events=events[told[seat] :],
                view=view,
                options=[list(option) if isinstance(option, tuple) else option for option in options],
                id=2**31 - 1,
                time=Time(limit_us=10**9, bank_us=10**9, last_us=10**9),
            )
            largest = max(largest, *(len(encoder.message(question)) for encoder in ENCODERS.values()))
            told[seat] = len(events)
        events += game.advance(state, [rng.choice(list(options)) for options in pending.options])
    for event in events:
        seen |= {(event["type"], key) for key in event}
    return keys, seen, kinds, largest


@pytest.mark.parametrize("game", GAMES)
def test_views_events_and_kinds_are_documented(game: str) -> None:
    low, high = GAMES[game].seat_range
    views, kinds = documented("The view", 0), documented("Decisions and options", 0)
    types, keys = documented("Events", 0), documented("Events", 1)
    for seats in (low, high):
        shown, seen, asked, largest = random_match(game, seats, seats)
        assert shown <= views
        assert {kind for kind, _ in seen} <= types
        assert {key for _, key in seen} <= keys | {"type"}
        assert asked <= kinds
        assert largest < 16 * 1024, "SPEC.md says how large messages are, in chapter 3"


def test_every_game_is_there() -> None:
    for game in GAMES:
        assert f"| `{game}` |" in chapter("The games")


def test_every_kind_of_fault_has_its_price() -> None:
    assert documented("Faults and what they cost", 0) == set(FaultKind)


def test_heads() -> None:
    """The table of SPEC.md, read from the top: the first line that fits a card."""
    cells = [line.split("|")[1:-1] for line in chapter("The rules of `standard`").splitlines() if line.startswith("|")]
    divisors = (55, 11, 10, 5, 1)
    heads = [int(row[1]) for row in cells[2:]]
    for card in range(1, 105):
        assert HEADS[card] == next(h for by, h in zip(divisors, heads, strict=True) if card % by == 0)


def test_links_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", SPEC, flags=re.DOTALL), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    links = re.findall(r"\]\(#([^)]+)\)", SPEC)
    assert links
    assert set(links) <= anchors
