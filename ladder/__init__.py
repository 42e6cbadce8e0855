"""Rating many bots: choose who plays whom, play the matches, and estimate how strong each bot is.

    rating/     the statistics: numbers only
    pairing/    matchmaking and seats
    store/      the home of a ladder: bots, results, records
    standings/  what the results tell: standings, conduct, duels
    run/        a run: orders to workers (`workers/`, `cluster/`), results into the store
    submit/     from a folder, archive, repository or image to a version on the ladder
    gauge/      bots against the house, luck subtracted
    watching/   what people see: tables, live pictures, full screens, the static site

This package may import `arena` and `protocol`; they must not import it. Begin with `run/run.py` and `store/store.py`.
"""
