"""Sample bots at a table in this process: no pipes and no clocks, the same answers each time."""

import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest

from bullring.arena.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.rules.shuffle import shuffled

FOLDER = Path(__file__).resolve().parent.parent.parent / "sample_bots"


class Bot(Protocol):
    """What the bots of the Python kits are."""

    def welcome(self, message: dict[str, Any]) -> None: ...

    def decide(self, message: dict[str, Any]) -> Any: ...


class Chance:
    """Plays by chance."""

    def welcome(self, message: dict[str, Any]) -> None:
        self.random = Random(message["seed"])

    def decide(self, message: dict[str, Any]) -> Any:
        return self.random.choice(message["options"])


def sample(kit: str, bot: str) -> Bot:
    """A bot of a Python kit. All kits name their files alike, so none of them stays imported."""
    folder = str(FOLDER / "python" / kit)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        module = importlib.import_module("bot")
    for name in [
        name for name, loaded in sys.modules.items() if (getattr(loaded, "__file__", "") or "").startswith(folder)
    ]:
        del sys.modules[name]
    made: Bot = getattr(module, bot)()
    return made


def heads(game: Game[Any], bots: Sequence[Bot], seed: str) -> list[int]:
    """The heads of all seats when a match is over."""
    for seat, bot in enumerate(bots):
        facts = {"game": game.id, "options": game.options, "seats": game.seats, "seat": seat, "start": game.start}
        bot.welcome({**facts, "seed": seat})
    state = game.new()
    while isinstance(waits := state.pending, Shuffle | Batch):
        if isinstance(waits, Shuffle):
            game.advance_deal(state, shuffled(waits.deck, waits.cards, seed, state.deal + 1))
        else:
            asked = zip(waits.seats, waits.options, strict=True)
            answers = [answer(bots[seat], waits.kind, game.view(state, seat), options) for seat, options in asked]
            game.advance(state, answers)
    return list(state.scores)


def answer(bot: Bot, kind: str, view: dict[str, Any], options: Sequence[Option]) -> Option:
    """What a bot says to a question, which it gets as it stands on the wire. It has no time at all."""
    question = {"kind": kind, "view": view, "options": options, "time": {"limit_us": 0}, "events": []}
    said = bot.decide(json.loads(json.dumps(question)))
    option: Option = tuple(said) if isinstance(said, list) else said
    return option
