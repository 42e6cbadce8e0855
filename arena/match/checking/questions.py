"""Questions of every kind, found by playing the games: no step has to know a game."""

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from bullring.arena.games.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.checking.session import Question

MOST_STEPS = 1500
"""Steps of a match after which a kind of question is not looked for any longer."""


WAYS = 7
"""Matches in which a kind of question is looked for: the first with first options, one with last ones, then with any."""


def questions(kind: type[Game[Any]], seats: int) -> list[Question]:
    """The first question of each kind that this game asks at a table of this size, as far as it can be found by playing."""
    game = kind(seats, short(kind))
    wanted = {decision.kind for decision in kind.decisions}
    found: dict[str, Question] = {}
    for way in range(WAYS):
        for question in _asked(game, way):
            found.setdefault(question.kind, question)
            if len(found) == len(wanted):
                return list(found.values())
    return list(found.values())


def short(kind: type[Game[Any]]) -> dict[str, object]:
    """Options for a match of this game that ends soon."""
    return {"deals": 1} if any(spec.name == "deals" for spec in kind.option_specs) else {}


def _asked(game: Game[Any], way: int) -> Iterator[Question]:
    """All questions of a match in which all play the first option, the last one, or any."""
    chance = Random(way)
    state = game.new()
    told: list[list[Mapping[str, Any]]] = [[] for _ in range(game.seats)]
    for _ in range(MOST_STEPS):
        pending = state.pending
        if isinstance(pending, Shuffle):
            cards = shuffled(pending.deck, pending.cards, f"check-{way}", state.deal + 1)
            events = game.advance_deal(state, cards)
        elif isinstance(pending, Batch):
            for seat, options in zip(pending.seats, pending.options, strict=True):
                yield _question(game, state, pending.kind, seat, options, told[seat])
                told[seat] = []
            events = game.advance(state, [_choice(options, way, chance) for options in pending.options])
        else:
            return
        for heard in told:
            heard += events


def _choice(options: Sequence[Option], way: int, chance: Random) -> Option:
    return chance.choice(options) if way >= 2 else options[-way]


def _question(
    game: Game[Any], state: Any, kind: str, seat: int, options: Sequence[Option], events: Sequence[Mapping[str, Any]]
) -> Question:
    # As it looks to a bot, and apart from the state, which goes on.
    plain = json.loads(json.dumps({"view": game.view(state, seat), "options": options, "events": events}))
    return Question(game, kind, plain["view"], plain["options"], plain["events"])
