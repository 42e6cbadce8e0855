"""Sample bots at a table in this process: no pipes and no clocks, the same answers each time."""

import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Protocol

import pytest

from bullring.arena.games.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.shuffle import shuffled

FOLDER = Path(__file__).resolve().parent.parent.parent / "sample_bots"


class Bot(Protocol):
    """A bot of the Python kits."""

    def welcome(self, message: dict[str, Any]) -> None: ...

    def decide(self, message: dict[str, Any]) -> Any: ...


class Chance:
    """Plays by chance."""

    def welcome(self, message: dict[str, Any]) -> None:
        self.random = Random(message["seed"])

    def decide(self, message: dict[str, Any]) -> Any:
        return self.random.choice(message["options"])


def program(kit: str) -> ModuleType:
    """The program of a Python bot. All of them name their files alike, so none stays imported."""
    folder = str(FOLDER / "python" / kit)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        module = importlib.import_module("bot")
    for name in [
        name for name, loaded in sys.modules.items() if (getattr(loaded, "__file__", "") or "").startswith(folder)
    ]:
        del sys.modules[name]
    return module


def sample(kit: str, bot: str) -> Bot:
    """A Python bot."""
    made: Bot = getattr(program(kit), bot)()
    return made


KNOWN: list[str] = [name for name in GAMES if name in program("montecarlo").GAMES]
"""The games that sample bots know how to play well. One that was just written is not among them."""


def heads(game: Game[Any], bots: Sequence[Bot], seed: str, limit_us: int = 0) -> list[int]:
    """The heads of all seats when a match is over. Each bot is told what happened since its last decision."""
    for seat, bot in enumerate(bots):
        facts = {"game": game.id, "options": game.options, "seats": game.seats, "seat": seat, "start": game.start}
        bot.welcome({**facts, "seed": seat})
    state, news = game.new(), [list[Any]() for _ in bots]
    while isinstance(waits := state.pending, Shuffle | Batch):
        if isinstance(waits, Shuffle):
            happened = game.advance_deal(state, shuffled(waits.deck, waits.cards, seed, state.deal + 1))
        else:
            answers = []
            for seat, options in zip(waits.seats, waits.options, strict=True):
                answers.append(answer(bots[seat], waits.kind, game.view(state, seat), options, limit_us, news[seat]))
                news[seat] = []
            happened = game.advance(state, answers)
        for events in news:
            events += happened
    return list(state.scores)


def answer(
    bot: Bot, kind: str, view: dict[str, Any], options: Sequence[Option], limit_us: int = 0, events: Sequence[Any] = ()
) -> Option:
    """A bot's answer to a question, which it gets as it is on the wire. By default it has no time at all."""
    question = {"kind": kind, "view": view, "options": options, "time": {"limit_us": limit_us}, "events": events}
    said = bot.decide(json.loads(json.dumps(question)))
    option: Option = tuple(said) if isinstance(said, list) else said
    return option


def game_of_one_deal(name: str, seats: int) -> Game[Any]:
    """A match that is short where the game allows it."""
    kind = GAMES[name]
    return kind(seats, {"deals": 1} if "deals" in {spec.name for spec in kind.option_specs} else {})


def takes_the_first_of_what_is_new(bot: Any) -> None:
    """Check the answers to games and kinds of decisions that the bot cannot know."""
    for game, kind in [("game to come", "card"), ("standard", "kind to come"), ("eleven", "kind to come")]:
        bot.welcome({"game": game, "options": {}, "seats": 4, "seat": 0, "start": 0, "seed": 0})
        assert answer(bot, kind, {}, ["b", "a"]) == "b"
