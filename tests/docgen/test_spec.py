"""Examples of SPEC.md, docs/games.md and docs/verifying.md are run, and their tables are held against the games."""

import json
import random
import re
import runpy
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack
import pytest

from bullring.arena.games.rules.cards import ELEVEN_HEADS, HEADS
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Game, Shuffle
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.faults import FaultKind
from bullring.protocol.encoding import ENCODERS
from bullring.protocol.messages import Decide, Time
from docgen import generate
from docgen.session import SEED, example
from tests.support.command import here
from tests.support.record import record_of

SPEC = generate.SPEC.read_text("utf-8")
DOCUMENTS = SPEC + "".join((generate.DOCS / f"{name}.md").read_text("utf-8") for name in ("games", "verifying"))


def code(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENTS, re.DOTALL | re.MULTILINE)


def chapter(title: str) -> str:
    """The text under a heading, up to the next one of its rank or above."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,3}} |\Z)", DOCUMENTS, re.DOTALL | re.MULTILINE)
    assert found, f"there is no chapter {title!r}"
    return found[2]


@pytest.fixture(scope="module")
def python_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot in Python, with the manifest that SPEC.md gives it."""
    folder = tmp_path_factory.mktemp("first")
    (manifest,) = code("toml")
    (bot,) = [text for text in code("python") if "sys.stdin" in text]
    (folder / "bot.toml").write_text(manifest, "utf-8")
    (folder / "bot.py").write_text(bot, "utf-8")
    return folder


def assert_plays(bot: object, *games: str) -> None:
    """Check the bot in these games, or in all."""
    done = here("check", str(bot), *(word for game in games for word in ("--game", game)), "--json", "--time", "30s")
    facts = json.loads(done.stdout)
    assert facts["passed"], facts["steps"]
    assert {f"plays {game}" for game in games or GAMES} <= {step["title"] for step in facts["steps"]}


def test_the_python_bot_plays_every_game(python_bot: Path) -> None:
    assert_plays(python_bot)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_bash_bot_plays(tmp_path: Path) -> None:
    (bot,) = code("bash")
    (tmp_path / "bot.sh").write_text(bot, "utf-8")
    assert_plays(f"bash {tmp_path}/bot.sh", "standard", "nifty", "hand", "eleven")  # numbers, lists, words


def test_the_session_is_what_a_referee_says(python_bot: Path, tmp_path: Path) -> None:
    (bot,) = [text for text in code("python") if "sys.stdin" in text]
    bot = bot.replace("    message =", "    sys.stderr.write(line)\n    message =")
    (tmp_path / "bot.py").write_text(bot, "utf-8")
    record = tmp_path / "match.jsonl"
    # The other seat is closed at once, so it is played by the fallback, as in the example.
    here(
        "match", f"{sys.executable} {tmp_path}/bot.py", "false", "--seed", SEED, "--deals", "1", "--record", str(record)
    )
    said = here("replay", str(record), "--stderr", "0").stdout
    heard = [json.loads(line) for line in said.splitlines()]
    end = json.loads(record.read_text().splitlines()[-1])["end"]
    shown = [line.plain for line in example(end["nonce"]) if line.sender == "referee"]
    for message, expected in zip(heard, shown, strict=True):
        assert unmeasured(message) == unmeasured(expected)


def unmeasured(message: dict[str, Any]) -> dict[str, Any]:
    """A message without what is drawn or measured, or depends on the machine."""
    plain = {key: value for key, value in message.items() if key not in ("id", "clock")}
    return plain | ({"time": {**plain["time"], "last_us": 0}} if "time" in plain else {})


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names that the verifier defines."""
    path = tmp_path_factory.mktemp("verifier") / "verify.py"
    (text,) = [text for text in code("python") if "def shuffled" in text]
    path.write_text(text, "utf-8")
    return runpy.run_path(str(path))


def matches_of(game: type[Game[Any]]) -> Iterator[tuple[int, dict[str, object]]]:
    """Seats and options of matches: the least and the most seats, and each switch."""
    deals: dict[str, object] = {"deals": 2} if any(spec.name == "deals" for spec in game.option_specs) else {}
    low, high = game.seat_range
    yield from {seats: (seats, deals) for seats in (low, high)}.values()
    yield from ((high, {**deals, spec.name: True}) for spec in game.option_specs if spec.type == "bool")


@pytest.mark.filterwarnings("ignore:unclosed file")  # a program ends after its only file
@pytest.mark.parametrize("game", GAMES)
def test_the_verifier(game: str, verifier: dict[str, Any], tmp_path: Path) -> None:
    for seats, options in matches_of(GAMES[game]):
        record = record_of(tmp_path / "match.jsonl", game, seats, options)
        verifier["check"](record)
        lines = record.read_text("utf-8").splitlines()
        at = next(number for number, line in enumerate(lines) if "deal" in json.loads(line))
        if cards := json.loads(lines[at])["deal"]:  # none are dealt before a draft
            other = next(place for place, card in enumerate(cards) if card != cards[0])
            cards[0], cards[other] = cards[other], cards[0]
            record.write_text("\n".join([*lines[:at], json.dumps({"deal": cards}), *lines[at + 1 :]]), "utf-8")
            with pytest.raises(SystemExit, match="deal 1 does not follow from the seed"):
                verifier["check"](record)
        end = json.loads(lines[-1])
        end["end"]["seed"] = "another"
        record.write_text("\n".join([*lines[:-1], json.dumps(end)]), "utf-8")
        with pytest.raises(SystemExit, match="the commitment was made from another seed"):
            verifier["check"](record)


def test_the_shuffle_of_the_verifier(verifier: dict[str, Any]) -> None:
    theirs = verifier["shuffled"]
    rng = random.Random(7)
    for _ in range(200):
        deck = range(1, rng.choice((24, 44, 100, 103, 104, 208)) + 1)
        count, deal, seed = rng.randrange(len(deck) + 1), rng.randrange(1, 50), str(rng.random())
        assert theirs(deck, count, seed, deal) == shuffled(deck, count, seed, deal)


def cells(title: str, number: int = 0) -> list[list[str]]:
    """The lines of one table of a chapter, without its titles."""
    blocks = re.findall(r"(?:^\|.*\n)+", chapter(title), re.MULTILINE)
    lines = [line[1:-1].split("|") for line in blocks[number].splitlines()]
    return [[cell.strip() for cell in line] for line in lines[2:]]


def names(cell: str) -> list[str]:
    """The names in a cell of a table."""
    return re.findall(r"`(\w+)`", cell)


def column(title: str) -> set[str]:
    """The names in the first column of the first table of a chapter."""
    return {name for row in cells(title) for name in names(row[0])}


def keys_of_view(game: str) -> set[str]:
    """The keys that a view has in this game."""
    return {key for row in cells("The view") if game in games_in(row[1]) for key in names(row[0])}


def games_in(cell: str) -> set[str]:
    """The games that are meant by "all games", "all but `x`" or a list."""
    if cell.startswith("all"):
        return set(GAMES) - set(names(cell))
    return set(names(cell))


def keys_of_events() -> set[tuple[str, str]]:
    """Types of events, each with its keys."""
    found, kind = set(), ""
    for mark, name in re.findall(r"^(\*\*|\* )`(\w+)`", chapter("Events"), re.MULTILINE):
        kind = kind if mark == "* " else name
        found.add((kind, name if mark == "* " else "type"))
    return found


def random_match(game_id: str, seats: int, seed: int) -> tuple[set[str], set[tuple[str, str]], set[str], int]:
    """The elements of a match: keys of views, types and keys of events, kinds of decisions, and the largest message."""
    rng = random.Random(seed)
    game = GAMES[game_id](seats)
    state = game.new()
    keys, kinds, largest = set[str](), set[str](), 0
    told = [0] * seats
    events: list[Event] = []
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
                view=dict(view),
                options=[list(option) if isinstance(option, tuple) else option for option in options],
                id=2**31 - 1,
                time=Time(limit_us=10**9, bank_us=10**9, last_us=10**9),
            )
            largest = max(largest, *(len(encoder.message(question)) for encoder in ENCODERS.values()))
            told[seat] = len(events)
        events += game.advance(state, [rng.choice(list(options)) for options in pending.options])
    return keys, {(event["type"], key) for event in events for key in event}, kinds, largest


@pytest.mark.parametrize("game", GAMES)
def test_views_events_and_kinds_are_documented(game: str) -> None:
    low, high = GAMES[game].seat_range
    for seats in (low, high):
        shown, seen, asked, largest = random_match(game, seats, seats)
        assert shown == keys_of_view(game)
        assert seen <= keys_of_events()
        assert asked <= column("Decisions and options")
        assert largest < 16 * 1024, "SPEC.md says how large messages are, under Dialects"


def test_no_kind_and_no_event_is_documented_that_does_not_exist() -> None:
    assert column("Decisions and options") == {one.kind for game in GAMES.values() for one in game.decisions}
    seen = [random_match(game, GAMES[game].seat_range[1], 1)[1] for game in GAMES]
    assert set().union(*seen) == keys_of_events()


def test_every_game_is_there() -> None:
    for game in GAMES:
        assert f"| `{game}` |" in chapter("The games")
        assert f"### The rules of `{game}`\n" in DOCUMENTS


def test_every_kind_of_fault_has_its_price() -> None:
    assert column("Faults and what they cost") == set(FaultKind)


def test_heads() -> None:
    """The table of SPEC.md, read from the top: the first line that fits a card."""
    divisors = (55, 11, 10, 5, 1)
    heads = [int(row[1]) for row in cells("The rules of `standard`")]
    for card in range(1, 105):
        assert HEADS[card] == next(h for by, h in zip(divisors, heads, strict=True) if card % by == 0)


def test_heads_of_eleven() -> None:
    *listed, _ = cells("The rules of `eleven`")
    heads = {int(card): int(row[1]) for row in listed for card in row[0].split(",")}
    assert [heads.get(card, 1) for card in range(1, 101)] == list(ELEVEN_HEADS[1:])


def test_every_option_is_there() -> None:
    rows = cells("Options")
    assert {(name, game) for row in rows for name in names(row[0]) for game in games_in(row[1])} == {
        (spec.name, game.id) for game in GAMES.values() for spec in game.option_specs
    }


@pytest.mark.parametrize("name", ["hello", "choice", "welcome", "decide", "match-over", "bye"])
def test_each_message_is_shown_in_both_dialects(name: str) -> None:
    (shown,) = re.findall(rf"<!-- made: example-{name} -->\n```text\n(.*?)```", SPEC, re.DOTALL)
    line, _, rows = shown.partition("\n\n")
    data = bytes.fromhex("".join(row[:32] for row in rows.splitlines()))
    assert msgpack.unpackb(data) == json.loads(line)
    if name == "choice":
        assert f"`{len(data).to_bytes(4).hex()}{data[:3].hex()}`" in SPEC, "the beginning of its frame"
        assert data[-1] == 0x0A, "SPEC.md says so"
