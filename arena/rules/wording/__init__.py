"""The rules in words, English and German: what `bullring rules` prints, and what SPEC.md tells the authors of bots.

A game refers to its wording (`Game.rules`, `Game.for_bots`). Sentences are written here, in our own words, from the rulebooks named
in `Game.source`. Figures stand in {braces} and come from the game (`Game.figures`), so a sentence cannot contradict the code.
"""
