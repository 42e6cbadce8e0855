"""The arena: one machine on which bots play, and all that can be known of their matches.

    games/     the rules, their texts, a simulator, playouts
    cells/     programs and files of strangers, confined
    settings/  limits, caps, tiers
    match/     one match: questions, answers, clocks, the record
    study/     the worth of decisions and results
    watching/  everything that people see, and people at the table

`games` and `cells` import no other wing, each of the others may import those above it, and nothing here imports `ladder`.
ARCHITECTURE.md shows the whole house. Begin with `match/play.py`.
"""
