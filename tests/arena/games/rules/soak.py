"""Very many random matches of all games, looked at after every step: `make soak`, or `python -m tests.arena.games.rules.soak
--help`.

Seats, options, start and the way each seat answers are drawn for each match from the seed, the game and the number of the match,
so that a match that fails can be played again alone. Most matches are of one deal.
"""

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise
from random import Random
from typing import Any

from bullring.arena.games.rules.cards import ELEVEN_HEADS, HEADS
from bullring.arena.games.rules.game import Batch, Option, Shuffle
from bullring.arena.games.rules.options import OptionSpec, OptionValue
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.rows import RowGame
from bullring.arena.games.rules.variants.eleven import Eleven
from tests.arena.games.rules.playing import AnyGame, anything, fallback, first, last, places

SHARES = {"hand": 2, "eleven": 3, "tournament": 5, "nifty": 6}
"""Shares of the matches for games whose matches are long; each of the others has `SHARE`."""
SHARE = 12

CHUNK = 200
"""Matches that a process plays before it reports."""

POLICIES = (anything, first, last, fallback)

_weigh = Random("weights of cards")
WEIGHTS = [_weigh.getrandbits(64) for _ in range(105)]
"""The cards are all there if the sum of their weights is: that two sets have the same is next to impossible."""


def weight(parts: Sequence[Sequence[int]]) -> int:
    return sum(map(WEIGHTS.__getitem__, chain.from_iterable(parts)))


def most_steps(game: AnyGame) -> int:
    """A number of steps (deals and answers to a batch) after which a match must be over.

    Of two positions in a deal one is nearer to its end, for:

    * where every turn takes a card from each hand, there are as many turns as cards, and to each belongs at most an answer of every
      seat for its card, and for each card at most one more about its place. A draft asks for each card once more.
    * hand has at most 100 turns of each seat, and in each there are at most two cards, with a row and what is kept of it.
    * eleven turns up at most 99 - 10n cards for n seats, and every taken stack removes more than it adds once these are gone, so at
      most 100 - 10n stacks are taken (each with a bull). Before, between and after these, at most all 100 cards are laid,
      each perhaps with a "stop".

    To a target there are not many deals either: four rows have room for 16 cards, so of 20 at least one takes a row. (In double,
    equal cards could fall on each other ten times; nobody has seen it.)
    """
    n = game.seats
    if game.id == "eleven":
        deal = (101 - 10 * n) * 200 + 2 * (100 - 10 * n)
    elif game.id == "hand":
        deal = 100 * n * 6
    else:
        deal = 14 * n * 3 + 10 * n
    deals = game.options.get("deals") or (n if game.id in ("eleven", "tournament") else 1)
    if "target" in game.options and not game.options["deals"]:
        deals = n * (int(game.options["target"] or 0) + 1)
    return int(deals) * (deal + 1)


class Broken(Exception):
    """Something that must always hold does not."""


def must(holds: object, what: str) -> None:
    if not holds:
        raise Broken(what)


def drawn(spec: OptionSpec, chance: Random) -> OptionValue:
    """A value of an option, mostly one that makes a short match."""
    if spec.choices:
        return chance.choice(spec.choices)
    if spec.type == "bool":
        return chance.random() < 0.5
    if spec.name == "deals":
        return chance.choice((1, 1, 1, 1, 1, 2))
    return chance.randint(spec.minimum, spec.minimum + 15)


def seated(name: str, chance: Random) -> AnyGame:
    """A game with any seats, start and options; one of a hundred with all defaults."""
    kind = GAMES[name]
    seats = chance.randint(*kind.seat_range)
    options = {}
    if chance.random() < 0.99:
        options = {spec.name: drawn(spec, chance) for spec in kind.option_specs}
        if "target" in options and chance.random() < 0.2:
            del options["deals"]
    return kind(seats, options, chance.randrange(seats))


@dataclass
class Tally:
    """A count of the matches of one game."""

    matches: int = 0
    deals: int = 0
    steps: int = 0
    longest: int = 0
    seconds: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        self.matches += other.matches
        self.deals += other.deals
        self.steps += other.steps
        self.longest = max(self.longest, other.longest)
        self.seconds += other.seconds
        self.kinds += other.kinds


class Watch:
    """Looks at one match."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.rows = isinstance(game, RowGame)
        self.known = self.rows or isinstance(game, Eleven)
        """Whether the places of its cards are known here."""
        self.cards = Counter(game.deck())
        self.deck = weight([game.deck()])
        self.total = 0
        self.earlier: list[int] = []

    def weigh(self, state: Any) -> int:
        if not self.known:
            return 0
        return weight(places(state) if self.rows else (*state.hands, *state.stacks, state.draw))

    def dealt(self, state: Any, cards: Sequence[int], earlier: list[int]) -> None:
        self.total = self.weigh(state)
        self.earlier = earlier
        if self.game.id == "double":
            on_table = Counter(chain.from_iterable((*state.hands, *state.rows)))
            must(on_table <= Counter(cards), "only what was dealt lies there")
        elif self.known:
            must(self.total == (weight([cards]) or self.deck), "all that was dealt is there")
        must(state.scores == earlier, "a deal costs nothing")

    def look(self, state: Any) -> None:
        must(self.weigh(state) == self.total, "no card is lost and none is new")
        over = not isinstance(state.pending, Batch)
        if not over:
            self.asks(state)
        must(state.turn >= 1 or (not over and state.pending.kind == "draft"), "turns count from 1")
        if self.rows:
            self.four_rows(state, over)
        elif self.known:
            self.stacks(state, over)

    def asks(self, state: Any) -> None:
        batch = state.pending
        must(any(one.kind == batch.kind for one in self.game.decisions), "only listed decisions are asked for")
        must(len(set(batch.seats)) == len(batch.seats) == len(batch.options), "a seat is asked once")
        must(all(batch.options), "there is something to choose from")

    def four_rows(self, state: Any, over: bool) -> None:
        rows, double = state.rows, self.game.id == "double"
        drafting = not over and state.pending.kind == "draft"
        must(len(rows) == 4 * (not drafting), "there are four rows, and none before they begin")
        must(len({row[-1] for row in rows}) == len(rows), "ends differ")
        for row in rows:
            must(row == sorted(row), "rows rise")
            must(len(list(groupby(row)) if double else row) <= 5, "a row has at most five")
        must(state.row_heads == [sum([HEADS[card] for card in row]) for row in rows], "the heads of rows are counted")
        if self.game.id == "hand":
            must(max(map(len, state.hands)) <= 16, "sixteen cards are the most")
            must(state.turn <= 100, "a hundred turns are the most")
        elif over:
            must(not any(state.hands), "all cards are played")
        if over:
            self.add_up(state, over)

    def add_up(self, state: Any, over: bool) -> None:
        heads = [sum([HEADS[card] for card in pile]) for pile in state.piles]
        if self.game.id == "hand" and over:
            heads = [pile + 2 * sum([HEADS[c] for c in hand]) for pile, hand in zip(heads, state.hands, strict=True)]
        elif self.game.id == "double":
            for one, other, cards in state.shared:
                share = (sum([HEADS[card] for card in cards]) + 1) // 2
                heads[one] += share
                heads[other] += share
        must(state.heads == heads, "heads are those of what was taken")
        self.scored(state, heads if self.game.id != "hand" or over else [0] * self.game.seats)

    def scored(self, state: Any, heads: list[int]) -> None:
        must(state.scores == [a + b for a, b in zip(self.earlier, heads, strict=True)], "the deals add up")

    def stacks(self, state: Any, over: bool) -> None:
        must(all(state.stacks), "no stack is empty")
        steps = [(high - low) % 100 for stack in state.stacks for low, high in pairwise(stack)]
        must(all(1 <= step <= 10 for step in steps), "stacks rise by ten at most")
        known = zip(state.known, state.hands, strict=True)
        must(all(set(cards) <= set(hand) for cards, hand in known), "known cards are in the hands")
        must(0 <= min(state.bulls) <= sum(state.bulls) <= 10, "there are ten bulls")
        if over:
            must(not all(state.hands) or not state.stacks, "a hand is empty, or nothing can be done")
            self.scored(state, [sum([ELEVEN_HEADS[card] for card in hand]) for hand in state.hands])
        else:
            must(all(state.hands), "nobody is done")

    def look_closely(self, state: Any, chance: Random) -> None:
        """Check what is too slow for every step: hands, heads so far, the fallback, and a new draw of what a seat cannot see."""
        batch, seat = state.pending, chance.randrange(self.game.seats)
        other = self.game.resample(state, seat, chance.shuffle)
        must(self.game.view(other, seat) == self.game.view(state, seat), "what is hidden shows in no view")
        if self.known:
            must(list(map(len, other.hands)) == list(map(len, state.hands)), "hands stay as large")
            must(all(hand == sorted(hand) for hand in (*state.hands, *other.hands)), "hands are sorted")
        if self.rows:
            must(places(other)[self.game.seats :] == places(state)[self.game.seats :], "open cards stay")
            must(Counter(chain.from_iterable(places(other))) <= self.cards, "no card is drawn twice")
            must(self.game.id == "hand" or list(map(len, state.hands)) == hand_sizes(self.game, state), "hands shrink")
            self.add_up(state, not isinstance(batch, Batch))
        if isinstance(batch, Batch):
            known = zip(getattr(state, "known", ()), getattr(other, "hands", ()), strict=False)
            must(all(set(cards) <= set(hand) for cards, hand in known), "known cards stay in their hands")
            for index, options in enumerate(batch.options):
                must(self.game.fallback(state, index) in options, "the fallback is legal")


def hand_sizes(game: Any, state: Any) -> list[int]:
    """The number of cards that each seat has left, as it follows from the turn and from what is asked."""
    if not isinstance(state.pending, Batch):
        return [0] * game.seats
    after = game.hand_size - state.turn * (2 if game.id == "nifty" else 1)
    match state.pending.kind:
        case "draft":
            taken = 10 * game.seats + 4 - len(state.pool)
            return [-(-(taken - (seat - game.start) % game.seats) // game.seats) for seat in range(game.seats)]
        case "card" if game.id == "open":
            played = {seat for _, seat in state.queue}
            return [after + (seat not in played) for seat in range(game.seats)]
        case "card":
            return [after + 1] * game.seats
        case "cards":
            return [after + 2] * game.seats
    return [after] * game.seats


def play(seed: str, name: str, number: int) -> Tally:
    """One match, looked at after every step. Raises `Broken`, or any error of the rules."""
    chance = Random(f"{seed} {name} {number}")
    game = seated(name, chance)
    watch = Watch(game)
    same = chance.choice(POLICIES) if chance.random() < 0.3 else None
    seats = [same or chance.choice(POLICIES) for _ in range(game.seats)]
    tally, limit = Tally(matches=1), most_steps(game)
    state = game.new()
    while (pending := state.pending) is not None:
        tally.steps += 1
        must(tally.steps <= limit, f"a match is over after {limit} steps")
        if isinstance(pending, Shuffle):
            tally.deals += 1
            cards, earlier = chance.sample(pending.deck, pending.cards), state.scores.copy()
            game.advance_deal(state, cards)
            must(state.deal == tally.deals, "deals count from 1")
            watch.dealt(state, cards, earlier)
        else:
            answers: list[Option] = [seats[s](game, state, at, chance) for at, s in enumerate(pending.seats)]
            tally.kinds[pending.kind] += 1
            events = game.advance(state, answers)
            over = any(event["type"] == "deal_over" for event in events)
            must(over == (not isinstance(state.pending, Batch)), "the end of a deal is told")
        watch.look(state)
        if chance.random() < 0.02:
            watch.look_closely(state, chance)
    tally.longest = tally.steps
    return tally


def told(seed: str, name: str, number: int) -> str:
    """A description of a match, and the command that repeats it."""
    game = seated(name, Random(f"{seed} {name} {number}"))
    return (
        f"seed {seed}, match {number} of {name}: {game.seats} seats, start {game.start}, options {game.options}\n"
        f"play it alone: python -m tests.arena.games.rules.soak --seed {seed} --repeat {name} {number}"
    )


Share = tuple[str, str, int, int]


def chunk(share: Share) -> tuple[str, Tally, str]:
    """Play the matches of one game from a number up to another. Returns its name, the tally and the first failure."""
    seed, name, begin, end = share
    tally, clock = Tally(), time.perf_counter()
    failed = ""
    for number in range(begin, end):
        try:
            tally.add(play(seed, name, number))
        except Exception as error:
            failed = f"{type(error).__name__}: {error}\n{told(seed, name, number)}"
            break
    tally.seconds = time.perf_counter() - clock
    return name, tally, failed


def shares(seed: str, matches: int, names: Sequence[str]) -> Iterator[Share]:
    """A number of matches, divided among the games."""
    shares = {name: SHARES.get(name, SHARE) for name in names}
    done = begun = 0
    for name, share in shares.items():
        done += share
        count, begun = matches * done // sum(shares.values()) - begun, matches * done // sum(shares.values())
        for begin in range(0, count, CHUNK):
            yield seed, name, begin, min(begin + CHUNK, count)


def soak(seed: str, matches: int, names: Sequence[str], processes: int) -> tuple[dict[str, Tally], list[str]]:
    """Play them. Returns a tally for each game, and the failures."""
    tallies = {name: Tally() for name in names}
    failures = []
    work = list(shares(seed, matches, names))
    if processes == 1:
        results: Iterator[tuple[str, Tally, str]] = map(chunk, work)
        for name, tally, failed in results:
            tallies[name].add(tally)
            failures += [failed] * bool(failed)
        return tallies, failures
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for name, tally, failed in pool.imap_unordered(chunk, work):
            tallies[name].add(tally)
            failures += [failed] * bool(failed)
    return tallies, failures


def table(tallies: dict[str, Tally]) -> str:
    """One line for each game. Matches per second are those of one process."""
    lines = [
        f"{'game':14}{'matches':>10}{'deals':>10}{'steps':>13}{'longest':>9}{'matches/s':>11}   rarest decision",
    ]
    whole = Tally()
    for name, tally in tallies.items():
        kinds = [(tally.kinds[one.kind], one.kind) for one in GAMES[name].decisions]
        count, rarest = min(kinds)
        lines.append(_line(name, tally) + f"   {rarest} {count}")
        whole.add(tally)
    lines.append(_line("all", whole))
    return "\n".join(lines)


def _line(name: str, tally: Tally) -> str:
    rate = tally.matches / tally.seconds if tally.seconds else 0.0
    return f"{name:14}{tally.matches:>10}{tally.deals:>10}{tally.steps:>13}{tally.longest:>9}{rate:>11.0f}"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.arena.games.rules.soak", description="Random matches of all games."
    )
    parser.add_argument("--matches", type=int, default=1_000_000, help="of all games together (default: a million)")
    parser.add_argument("--seed", default="soak", help="another seed plays other matches")
    parser.add_argument(
        "--game", action="append", choices=list(GAMES), help="only this game; may be given several times"
    )
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count(), help="default: one for each core")
    parser.add_argument("--repeat", nargs=2, metavar=("GAME", "NUMBER"), help="play this match alone")
    given = parser.parse_args()
    if given.repeat:
        name, number = given.repeat
        print(told(given.seed, name, int(number)).splitlines()[0])
        print(play(given.seed, name, int(number)))
        return 0
    begin = time.perf_counter()
    tallies, failures = soak(given.seed, given.matches, given.game or list(GAMES), given.processes)
    print(table(tallies))
    print(
        f"seed {given.seed}, {given.processes} processes, {time.perf_counter() - begin:.0f} s, {len(failures)} failed"
    )
    for failure in failures:
        print(f"\n{failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
