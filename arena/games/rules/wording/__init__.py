"""The rules in words, English and German: the text of `bullring rules` and the rules for bot authors in docs/games.md.

A game refers to its wording (`Game.rules`, `Game.for_bots`). The sentences are our own, based on the rulebooks named in
`Game.source`. Figures in {braces} come from the game (`Game.figures`), so a sentence cannot contradict the code.
"""
