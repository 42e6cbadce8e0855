"""The arguments that all environments of one match share, and their spaces and observations."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bullring.arena.cells.sandbox.tiers import AUTO
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import find
from bullring.arena.games.rules.sayings import counted
from bullring.arena.settings.limits import Limits
from bullring.errors import BotError, RulesError
from bullring.train.match import FALLBACK, Table
from bullring.train.opponents import Opponent, Opponents
from bullring.train.policy.encoding import Encoder

Observation = dict[str, NDArray[Any]]
"""An observation: "observation", float32 of shape (size,), and "action_mask", int8 of shape (actions,)."""


def table_of(
    game: str | Game[Any] = "standard",
    seats: int = 4,
    *,
    options: Mapping[str, object] | None = None,
    start: int = 0,
    opponents: Sequence[Opponent] = (),
    reward: str = "heads",
    illegal: str = FALLBACK,
    limits: Limits | None = None,
    sandbox: str = AUTO,
    allow_unsandboxed: bool = False,
) -> Table:
    """The table of an environment.

    * `game`: a name or an alias, or a game made by `bullring.new_game`; then `seats`, `options` and `start` are its own.
    * `opponents`: bots for the last seats, as for `bullring.play`: "@greedy", a folder, a command line, a function. The learners
      have the seats before them; there must be one at least.
    * `reward`: "heads" (minus the heads taken), "relative" (to the average of the others), "rank" (at the end of the match).
    * `illegal`: "fallback" lets the referee's fallback play for an illegal action, "raise" raises `RulesError`.
    * `limits`, `sandbox`, `allow_unsandboxed`: for opponents that are programs, as for `bullring.play`.

    Raises `UnknownGame`, `SeatsError`, `OptionError`, `RulesError`, `BotError`.
    """
    made = game if isinstance(game, Game) else find(game)(seats, options, start)
    if made is game and (options or start):
        raise RulesError("options and start are for a game given by name; give them to new_game, which made this one")
    if len(opponents) >= made.seats:
        raise BotError(
            f"this game has {counted(made.seats, 'seat')}, one of them for a learner at least; give fewer than"
            f" {counted(made.seats, 'opponent')}, not {len(opponents)}"
        )
    learners = range(made.seats - len(opponents))
    bots = None
    if opponents:
        wish = Wish(sandbox, allow_unsandboxed)
        bots = Opponents(dict(enumerate(opponents, len(learners))), limits or Limits(), wish)
    return Table(made, bots, learners, reward, illegal)


def observation_space(encoder: Encoder) -> spaces.Dict:
    """The space of observations: `Observation`."""
    highs = [np.full(field.size, field.high, np.float32) for field in encoder.layout.fields]
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros(encoder.size, np.float32), np.concatenate(highs), dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (encoder.actions,), np.int8),
        }
    )


def action_space(encoder: Encoder) -> spaces.Discrete:
    """The space of actions: their numbers, as in the layout."""
    return spaces.Discrete(encoder.actions)


def observation_of(table: Table, seat: int, *, waits: bool) -> Observation:
    """The observation of a learner now."""
    return {"observation": table.observe(seat), "action_mask": table.mask(seat, waits=waits)}


def state_of(table: Table) -> NDArray[np.float32]:
    """The state that all seats together see, opponents included, as float32 of shape (seats, size)."""
    return np.stack([table.observe(seat) for seat in range(table.game.seats)])


def state_space(table: Table) -> spaces.Box:
    """The space of what all seats together see."""
    one = observation_space(table.encoder)["observation"]
    assert isinstance(one, spaces.Box)
    shape = (table.game.seats, 1)
    return spaces.Box(np.tile(one.low, shape), np.tile(one.high, shape), dtype=np.float32)


def info_of(table: Table, seat: int) -> dict[str, Any]:
    """The info of a learner: the kind of decision, illegal actions so far, scores, and places when the match is over."""
    kind = table.batch.kind if table.batch is not None and seat in table.asked() else ""
    info = {"kind": kind, "illegal": table.illegal[seat], "score": table.state.scores[seat]}
    return {**info, "place": table.places()[seat]} if table.over else info


def drawn(table: Table) -> str:
    """The table as text."""
    state = table.state
    lines = [f"{table.game.id}: deal {state.deal}, turn {state.turn}, total heads {list(state.scores)}"]
    lines += [str(part) for part in table.game.board(state)]
    asked = table.batch
    if asked is not None:
        lines.append(f"asked: {asked.kind} of seats {list(asked.seats)}")
    return "\n".join(lines)
