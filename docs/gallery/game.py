# %% [markdown]
# # An own game
#
# The rules of a game are one class. A game of rows says little more than what is different: here a sprint with five cards a hand
# and a short deck. Everything else follows: legal options, views, records, verification.

# %%
import tempfile
from pathlib import Path
from typing import ClassVar

import bullring
from bullring.arena.games.rules.rows import RowGame, RowState


class Sprint(RowGame[RowState]):
    """Five cards a hand, from a deck of 1 to 60."""

    id: ClassVar[str] = "sprint"
    seat_range: ClassVar[tuple[int, int]] = (2, 8)
    hand_size: ClassVar[int] = 5
    state_type = RowState

    def deck(self):
        return tuple(range(1, 61))


bullring.GAMES["sprint"] = Sprint  # from now on it is found by its name, in this process

# %% [markdown]
# Look at it: the state machine asks all seats for a card at once, and lists what is legal.

# %%
game = bullring.new_game("sprint", seats=3, deals=1)
state, events = game.deal(game.new(), range(1, game.shuffle.cards + 1))
print(
    f"{game.shuffle.cards} of {len(game.shuffle.deck)} cards are dealt; seat 0 may play {list(state.pending.options[0])}"
)

# %% [markdown]
# Play it. Functions get the same messages as programs do. One that always takes the first option is legal in every game.


# %%
def lowest(message):
    return message["options"][0]


def closest(message):
    """The card that lies closest above the end of a row with room."""
    if message["kind"] != "card":
        return message["options"][0]
    ends = [row[-1] for row in message["view"]["rows"] if len(row) < 5]
    return min(message["options"], key=lambda card: min((card - end for end in ends if end < card), default=99))


path = Path(tempfile.mkdtemp()) / "sprint.jsonl"
reports = bullring.play_matches(
    lowest,
    closest,
    closest,
    count=50,
    game="sprint",
    options={"deals": 1},
    records=[path.with_suffix(f".{at}") for at in range(50)],
)
for seat, name in enumerate(reports[0].names):
    print(f"{name:10} {sum(report.scores[seat] for report in reports) / len(reports):.2f} heads a deal")

# %% [markdown]
# Its records are verified as those of any game: deals from the seed, every placement, every score.

# %%
verdict = bullring.read(path.with_suffix(".0")).verify()
print(f"verified: {verdict.deals} deal, {verdict.answers} answers, difference: {verdict.difference}")

# %% [markdown]
# For the command line, ladders, documents and people, a game becomes a file of the house with its texts: see the doors for
# newcomers in ARCHITECTURE.md.

# %%
del bullring.GAMES["sprint"]
