"""The rules engine beside the simulator of chains: what the simulator chose, chosen again by the rules, option by option."""

from collections.abc import Sequence
from typing import Any

from bullring.arena.games.rules.game import TAKEN, Batch
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.simulator import chains
from tests.arena.games.simulator.comparing import AnyGame

POLICIES = ("random", "cheapest", "noisy")


def policies(name: str) -> tuple[str, ...]:
    """The policies that the simulator has for a game of chains."""
    return tuple(policy for policy in (*POLICIES, "skilled") if chains.follows(name, policy))


def cases() -> list[tuple[str, int, dict[str, object]]]:
    """Every game of chains with all numbers of seats and all options that play a part within a deal."""
    found: list[tuple[str, int, dict[str, object]]] = []
    for name in sorted(chains.CHAINS):
        low, high = GAMES[name].seat_range
        switches = [spec.name for spec in GAMES[name].option_specs if spec.type == "bool"]
        for seats in range(low, high + 1):
            found.append((name, seats, {}))
            found += [(name, seats, {switch: True}) for switch in switches]
    return found


def dealt(game: AnyGame, cards: Sequence[int]) -> Any:
    """The state after these cards are dealt, those that are left over at the end."""
    state = game.new()
    game.advance_deal(state, list(cards)[: game.shuffle.cards])
    return state


def follow(game: AnyGame, state: Any, choices: Sequence[Sequence[int]], here: str, *, usual: bool) -> list[int] | None:
    """Make the choices of a deal by the rules, in place. Returns the heads of the deal; None if its draft has ended.

    Asserts that the rules offer as many options each time; and if `usual` is set, that each choice is what the referee would play.
    """
    at, over = 0, None
    while over is None and isinstance(batch := state.pending, Batch) and batch.kind in chains.kinds(game.id):
        answers = []
        for index, (seat, options) in enumerate(zip(batch.seats, batch.options, strict=True)):
            count, pick = choices[at]
            told = f"{here}, choice {at}: {batch.kind} of seat {seat}"
            assert count == len(options), f"{told}: {count} options instead of {list(options)}"
            assert not usual or options[pick] == game.fallback(state, index), (
                f"{told}: {options[pick]} of {list(options)}"
            )
            answers.append(options[pick])
            at += 1
        events = game.advance(state, answers)
        over = next((list(event["heads"]) for event in events if event["type"] == "deal_over"), None)
    assert tuple(choices[at]) == (0, 0), f"{here}: the simulator went on after the end of the deal"
    return over


def compare(name: str, seats: int, options: dict[str, object], policy: str, deals: int, seed: int) -> None:
    """Assert that whole deals of the simulator are those of the rules engine."""
    game = GAMES[name](seats, options)
    opening = chains.opening(name, options, seats, start=0)
    found = chains.course(opening, -1, policy, range(deals), seed)
    for number in range(deals):
        here = f"{name}, {seats} seats, {options}, {policy}, seed {seed}, deal {number}"
        state = dealt(game, found.cards[number].tolist())
        heads = follow(game, state, found.choices[number].tolist(), here, usual=policy == "cheapest")
        if heads is not None:
            assert heads == found.heads[number].tolist(), here


def compare_from(game: AnyGame, state: Any, seat: int, pick: int, policy: str, seed: int) -> None:
    """Assert the same of the rest of a deal with everybody's actual cards, after an option of a seat."""
    cards = [game.hand(state, other) for other in range(game.seats)]
    draw = getattr(state, "draw", [])[::-1]
    asked = state.pending.kind, state.pending.seats[0]
    chain = chains.chain(game.id, game.options, game.seats, game.view(state, seat), *asked, cards=cards, draw=draw)
    found = chains.course(chain, pick, policy, [0], seed)
    here = f"{game!r}, {policy}, turn {state.turn}, {asked}, seat {seat}, pick {pick}"
    taken = game.columns(state).get(TAKEN, [0] * game.seats)
    heads = follow(game, state.copy(), found.choices[0].tolist(), here, usual=False)
    if heads is not None:
        assert [now - then for now, then in zip(heads, taken, strict=True)] == found.heads[0].tolist(), here
