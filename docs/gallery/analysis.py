# %% [markdown]
# # An analysis
#
# How good was a match, really? Play one, and ask of every decision what it cost: the heads that the seat had to expect, against the
# best option that it had, by what it could know.

# %%
import tempfile
from collections import defaultdict
from pathlib import Path

import bullring


def lowest(message):
    """Plays its lowest card, and takes the first row that is offered."""
    return message["options"][0]


path = Path(tempfile.mkdtemp()) / "match.jsonl"
report = bullring.play("@greedy", lowest, "@random", options={"deals": 2}, seed="gallery", record=path)
for name, heads, place in zip(report.names, report.scores, report.ranks, strict=True):
    print(f"{place}. {name}: {heads} heads")

# %% [markdown]
# The analysis plays each option out many times with the hidden cards drawn anew; more playouts make it surer and slower. As a table
# it has one row a decision: `analysis.to_pandas()` or `analysis.to_polars()`, where these are installed, and `to_dicts()` always.

# %%
analysis = bullring.read(path).analyse(playouts=60)
decisions = analysis.to_dicts()
print(f"{len(decisions)} decisions with {len(decisions[0])} columns: {', '.join(decisions[0])}")

# %% [markdown]
# What did a decision cost, bot by bot? With pandas: `analysis.to_pandas().groupby("name").cost.agg(["mean", "sum"])`.

# %%
costs = defaultdict(list)
for decision in decisions:
    costs[decision["name"]].append(decision["cost"])
for name, own in sorted(costs.items(), key=lambda item: sum(item[1])):
    print(f"{name:10} {sum(own) / len(own):5.2f} heads a decision, {sum(own):6.1f} in all")

# %% [markdown]
# The costliest decisions. The error of a cost says whether to believe it; those that chance explains have no mark.

# %%
for choice in analysis.worst(3):
    chosen, best = choice.options[choice.chosen], choice.options[choice.best]
    who = analysis.accounts[choice.seat].name
    print(
        f"deal {choice.deal}, turn {choice.turn}: {who} chose {chosen} and not {best}: {choice.cost:.1f} ± {choice.cost_error:.1f}"
    )

# %% [markdown]
# And luck: the heads of a seat are what an average seat takes (par), what its cards were worth (deal), what the others had and did,
# what it gained by playing better than the policy of the playouts (edge), and its mistakes.

# %%
for account in analysis.accounts:
    parts = account.parts
    print(
        f"{account.name:10} {parts.heads:3} = par {parts.par:.1f} + deal {parts.deal:+.1f} + others {parts.others:+.1f}"
        f" + edge {parts.edge:+.1f} + mistakes {parts.mistakes:+.1f}"
    )
