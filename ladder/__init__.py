"""Rating many bots: choose line-ups, play the matches, and estimate how strong each bot is.

    rating/     the statistics: numbers only
    pairing/    line-ups and seats
    store/      the home of a ladder: bots, results, records
    standings/  results told: standings, conduct, duels
    run/        a run: orders to workers (`run/workers`, `run/cluster`), results into the store
    submit/     from a folder, archive, repository or image to a version on the ladder
    gauge/      bots against the house, luck subtracted
    watching/   tables, live pictures, full screens, the static site

A room may import those above it. The ladder may import `arena` and `protocol`, and is imported by neither. Begin with
`run/run.py` and `store/store.py`. Contests with a beginning and an end would be a room beside `gauge`; a web server that
follows a home, as `bullring watch` does, would be one beside `watching`.
"""
