# %% [markdown]
# # A tournament
#
# Four bots, one ladder: who is the strongest, and how sure is that? A ladder lives in a folder, its home; `bullring ladder` works
# on the same homes, so you can go on from a shell at any time. Two of the bots are the same program: in 19 of 20 runs, their
# intervals have room for that.

# %%
import tempfile
from pathlib import Path

import bullring

home = Path(tempfile.mkdtemp()) / "arena"
ladder = bullring.Ladder.create(home, time="5s", start="30s")
ladder.add("@quick", "@greedy", "@random")
ladder.add("@greedy", name="twin")
print("bots:", ", ".join(bot.name for bot in ladder.bots()))

# %% [markdown]
# Play. A run ends after some matches, some seconds, or when the intervals are narrow enough; `until_error=20` would be ± 20 Elo.
# `progress` is called several times a second, `told` with everything worth telling. In a notebook, Ctrl-C (or the stop button) ends
# a run and loses no result, and `await ladder.arun(...)` lets other cells go on meanwhile.

# %%
last = []
ladder.run(seats=4, matches=24, progress=lambda progress: last.append(progress))
print(f"{last[-1].matches} matches in {last[-1].seconds:.0f} s")

# %% [markdown]
# The table: Elo from all matches at once, with 95 % intervals. After so few matches they are wide, and that is the point of them.
# `ladder.table().to_pandas()` and `.to_polars()` make a data frame of it, and a notebook shows it as it is.

# %%
for row in ladder.table():
    interval = "" if row.error is None else f" ± {row.error:.0f}"
    print(f"{row.place}. {row.bot:10} {row.rating:5.0f}{interval:6}  {row.heads:5.2f} heads a deal")
print(ladder.places())

# %% [markdown]
# Verdicts in words, by all matches and not only those in which two bots met:

# %%
print(*ladder.compare("greedy", "twin", "random"), sep="\n")

# %% [markdown]
# A new version is tested by a duel: both play the same deals with seats swapped, and the test stops as soon as it can decide. Here
# it may play eight matches, which is seldom enough.

# %%
verdict = ladder.duel("greedy", "random", seats=2, matches=8, elo1=200)
print(f"{verdict}, after {verdict.matches} matches; {verdict.share:.0%} of the points")

# %% [markdown]
# Everything can be taken elsewhere: one row for each match and seat. And everything can be recomputed from the records.

# %%
seats = ladder.matches(ladder.lists()[0]).to_dicts()
faults = sum(bool(seat["faults"]) for seat in seats)
print(f"{len(seats)} rows, {faults} of them with a fault; the first: {seats[0]['bot']} took {seats[0]['heads']} heads")
found = ladder.verify()
print(f"{found.records} records verified, {found.count} findings")
