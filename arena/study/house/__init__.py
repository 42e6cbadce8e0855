"""The house: players of the arena whose moves are drawn from a known distribution, and the luck of those draws.

What is drawn here is drawn from the operating system, never from the seed of a deal. Nothing here knows of ratings: `luck` says how
much of a result was luck of the house's draws and of the deal, `ladder.rating.control_variates` what follows from that.
"""
