"""The texts of games for people: `language` finds and fills texts in every language, `wording` those of a game, `book` its rules.

All figures in the rules come from the games (`Game.figures`), so the text cannot contradict them.
"""
