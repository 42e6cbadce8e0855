# %% [markdown]
# # A training loop
#
# A bot that learns, in fifty lines and without a framework: it scores each option by a few numbers that a person would look at, and
# a search finds the weights. The matches are played by the rules themselves, so this works for every game and every option;
# `bullring docs training` has environments for PettingZoo and gymnasium, and a simulator that plays a million turns a second.

# %%
import random

import bullring

game = bullring.new_game("standard", seats=3, deals=1)
FEATURES = ("distance to the row", "cards in the row", "heads in the row", "fits nowhere", "the card itself")


def features(view, card):
    """What a person would look at before playing a card."""
    fitting = [row for row in view["rows"] if row[-1] < card]
    if not fitting:
        return (0.0, 0.0, 0.0, 1.0, card / 104)
    row = max(fitting, key=lambda row: row[-1])
    heads = sum(game.heads[other] for other in row)
    return ((card - row[-1]) / 104, len(row) / 5, heads / 10, 0.0, card / 104)


def choose(weights, view, kind, options):
    """The option with the highest score; of rows, the cheapest one."""
    if kind == "row":
        return min(options, key=lambda row: sum(game.heads[card] for card in view["rows"][row - 1]))
    return max(options, key=lambda card: sum(w * x for w, x in zip(weights, features(view, card), strict=True)))


# %% [markdown]
# One deal, seat by seat. A game is a state machine over values: it says which seats it asks (`pending`), and what each may know
# (`view`). `policies` has the weights of each seat; None plays at random.


# %%
def deal(policies, chance):
    """The heads that each seat takes in one deal."""
    state, _ = game.deal(game.new(), chance.sample(range(1, 105), game.shuffle.cards))
    while isinstance(batch := state.pending, bullring.Batch):
        answers = []
        for seat, options in zip(batch.seats, batch.options, strict=True):
            weights = policies[seat]
            view = game.view(state, seat)
            answers.append(chance.choice(options) if weights is None else choose(weights, view, batch.kind, options))
        state, _ = game.apply(state, answers)
    return state.scores


def heads(weights, deals, seed):
    """Mean heads a deal against two random players. The same seed makes the same deals, so that candidates are compared fairly."""
    chance = random.Random(seed)
    return sum(deal((weights, None, None), chance)[0] for _ in range(deals)) / deals


# %% [markdown]
# The cross-entropy method: draw candidates around a mean, keep the best few, move there, and draw more closely around it.

# %%
chance = random.Random(6)
mean, spread = [0.0] * len(FEATURES), 1.0
for generation in range(6):
    candidates = [[chance.gauss(m, spread) for m in mean] for _ in range(20)]
    best = sorted(candidates, key=lambda weights: heads(weights, 40, generation))[:5]
    mean = [sum(column) / len(best) for column in zip(*best, strict=True)]
    spread *= 0.7
    print(f"generation {generation + 1}: {heads(mean, 40, generation):.1f} heads a deal")

# %% [markdown]
# What was learned is measured on deals that training has not seen: those above were chosen because they looked good.

# %%
before, after = heads([0.0] * len(FEATURES), 200, "fresh"), heads(mean, 200, "fresh")
print(f"on 200 fresh deals: {before:.1f} heads a deal untrained, {after:.1f} trained")
for name, weight in zip(FEATURES, mean, strict=True):
    print(f"  {weight:+.2f}  {name}")

# %% [markdown]
# Against a program, as in any match: a function plays beside bots in their sandbox. The seats get questions of the protocol.


# %%
def trained(message):
    return choose(mean, message["view"], message["kind"], message["options"])


reports = bullring.play_matches(trained, "@greedy", "@random", count=20, options={"deals": 1})
for at, name in enumerate(reports[0].names):
    print(
        f"{name:8} {sum(report.scores[at] for report in reports) / len(reports):.1f} heads a deal in {len(reports)} deals"
    )
