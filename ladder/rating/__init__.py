"""Ratings: from the results of a list to figures with honest errors.

Pure functions of arrays: numpy and the standard library, no I/O, no clock, no randomness, no knowledge of names, games or
files. Throughout, a list has K bots, n seats, M matches and G groups. The matches of a group have the same deals, so their results
depend on each other. On a ladder each deal is played once: there each match is a group by itself, and G is M.

    results.py     the input: all finished matches of one list, in groups
    part.py        sums per group, of some groups; tally.py: a list as often as it has to be gone through, a part at a time
    sums.py        sums over all groups; live.py: a list that grows, rated from sums that are kept
    estimate.py    ratings of all bots together: batch Bradley-Terry; history.py: the same after the first k groups
    overall.py     one rating over several lists
    deals.py       means over independent deals
    points.py      heads per deal; pairs.py: results of pairs; elo.py: the classic Elo, updated match by match
    cycles.py      bots that beat each other in a circle
    company.py     what the presence of one bot does to the results of another; style.py: how much of that ways of playing explain
    rings.py       bots that help each other beyond that
    superiority.py how likely a bot is better than its neighbour in a table, which was chosen by the same results
    control_variates.py  means with luck subtracted
    sequential.py  a test that stops by itself: is the new bot better? gain.py: what playing deals again gains it
    stopped.py     estimates after a test that could stop by itself
    sandwich.py    standard errors that allow for dependence within a group
    connected.py   which bots can be compared; scales.py: Elo, shares, quantiles
"""
