"""Rating many bots: choose who plays whom, play the matches, and estimate how strong each bot is.

    pairing/    matchmaking and seating
    running/    a run: sends matches to the referee processes and collects the results
    keeping/    the home of a ladder: bots, store, records
    knowing/    standings, conduct and the state of duels
    rating/     the statistics: numbers only
    display/    tables and live pictures for people

This package may import `arena` and `protocol`; they must not import it.
"""
