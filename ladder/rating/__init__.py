"""The room of the ratings: from the results of a list to figures with honest errors.

Pure functions of arrays: numpy and the standard library, no I/O, no clock, no chance. Nothing here knows bots by name, games or
files; who calls it does. Everywhere K is the number of bots of a list, n of seats, G of duplicate groups, M of matches.

    results.py   what comes in: all finished groups of one list
    tally.py     one pass over it: sums for each group, which all below share
    estimate.py  ratings of all bots together: batch Bradley-Terry; history.py the same after the first groups
    points.py    heads per deal; pairs.py each bot against each; running.py the classic Elo that goes from match to match
    sequential.py a test that stops by itself: is the new one better?
    sandwich.py  errors that hold although the matches of a group are related
    connected.py who can be compared with whom; scales.py Elo, shares, quantiles
"""
