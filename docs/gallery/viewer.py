# %% [markdown]
# # An own viewer
#
# A record has all that happened, and replaying it tells it step by step: that is all a viewer needs. This one draws how the heads
# grow, on the terminal and as a picture that a browser shows.

# %%
import tempfile
from pathlib import Path

import bullring

folder = Path(tempfile.mkdtemp())
bullring.play("@greedy", "@careful", "@random", options={"deals": 2}, seed="viewer", record=folder / "match.jsonl")
record = bullring.read(folder / "match.jsonl")
print(record)

# %% [markdown]
# `replay` yields `bullring.Dealt`, `bullring.Answered`, `bullring.Faulted` and so on. Their events are those of the protocol
# (`bullring docs spec`): `place` has a tuple (seat, card, row, heads) for every card placed.

# %%
course = [[0] * len(record.names)]
for happening in record.replay():
    if isinstance(happening, bullring.Dealt | bullring.Answered):
        for event in happening.events:
            if event["type"] == "place":
                total = list(course[-1])
                for seat, _, _, taken in event["placed"]:
                    total[seat] += taken
                course.append(total)
assert course[-1] == record.scores

# %% [markdown]
# On the terminal: a line for each seat, a bar for each time that cards were placed. The higher it is, the more
# heads were taken until then.

# %%
BARS = " ▁▂▃▄▅▆▇█"
most = max(map(max, course)) or 1
for seat, name in enumerate(record.names):
    line = "".join(BARS[round((len(BARS) - 1) * total[seat] / most)] for total in course)
    print(f"{name:10} {line} {course[-1][seat]}")

# %% [markdown]
# As a picture: one polyline a seat. Names come from strangers, so they are escaped.

# %%
from html import escape

COLOURS = ("#2a6fb0", "#c2571a", "#3a8f4d", "#8a4fb0", "#777777")
lines = []
for seat, name in enumerate(record.names):
    points = " ".join(f"{20 * turn},{200 - 180 * total[seat] / most:.0f}" for turn, total in enumerate(course))
    colour = COLOURS[seat % len(COLOURS)]
    lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    lines.append(f'<text x="4" y="{20 + 16 * seat}" fill="{colour}">{escape(name)}</text>')
picture = folder / "course.svg"
size = f'width="{20 * len(course)}" height="210"'
picture.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(lines)}</svg>')
print(f"open {picture.name} in a browser; it has {picture.stat().st_size} bytes")
