"""The rules engine beside the simulator: what the simulator dealt and played, played again by the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from bullring.arena.games.rules.game import Batch, Game
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.simulator import Histories, games

AnyGame = Game[Any]


def covered(most: int = 10) -> list[tuple[str, int, dict[str, object]]]:
    """Every covered game with all numbers of seats and all options that play a part within a deal."""
    found: list[tuple[str, int, dict[str, object]]] = []
    for name in sorted(games.GAMES):
        low, high = GAMES[name].seat_range
        switches = [
            spec.name for spec in GAMES[name].option_specs if spec.type == "bool" and spec.name != "reset_marker"
        ]
        for seats in range(low, min(high, most) + 1):
            found.append((name, seats, {}))
            found += [(name, seats, {switch: True}) for switch in switches]
    return found


def row_facts(rows: Sequence[Sequence[int]], heads: Sequence[int]) -> list[list[int]]:
    """Rows as the simulator knows them."""
    return [[row[0], row[-1], len(set(row)), worth] for row, worth in zip(rows, heads, strict=True)]


def begin(game: AnyGame, cards: Sequence[int]) -> Any:
    """The state after these cards were dealt, or drafted in the order of seats."""
    state = game.new()
    if game.shuffle.cards:
        game.advance_deal(state, cards)
        return state
    game.advance_deal(state, ())
    hands = [list(cards[at : at + 10]) for at in range(0, 10 * game.seats, 10)]
    while state.pending.kind == "draft":
        (seat,) = state.pending.seats
        game.advance(state, (hands[seat].pop(),))
    return state


def play_turn(game: AnyGame, state: Any, cards: Sequence[int], wishes: Sequence[int] = ()) -> None:
    """Play a card of every seat, and answer what follows with the wish of the seat (a row, or 0) or the fallback."""
    turn, deal = state.turn, state.deal
    while isinstance(batch := state.pending, Batch) and (state.turn, state.deal) == (turn, deal):
        if batch.kind == "card":
            game.advance(state, [cards[seat] for seat in batch.seats])
        else:
            (seat,), (options,) = batch.seats, batch.options
            wish = wishes[seat] if wishes else 0
            game.advance(state, (wish if wish in options else game.fallback(state, 0),))


def compare(name: str, seats: int, options: Mapping[str, object], found: Histories) -> None:
    """Assert that the rules engine finds the same rows after each turn, and the same heads."""
    game = GAMES[name](seats, options)
    assert sorted(game.deck()) == sorted(games.spec(name, seats, options).deck)
    cards, rows, heads = found.cards.tolist(), found.rows.tolist(), found.heads.tolist()
    for number, dealt in enumerate(found.dealt.tolist()):
        state = begin(game, dealt)
        for at, turn in enumerate(cards[number]):
            play_turn(game, state, turn)
            here = f"{name}, {seats} seats, {options}, deal {number}, turn {at + 1}"
            assert row_facts(state.rows, state.row_heads) == rows[number][at], here
        assert list(state.heads) == heads[number], f"{name}, {seats} seats, {options}, deal {number}"
