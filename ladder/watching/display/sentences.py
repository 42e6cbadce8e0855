"""What the numbers of a ladder mean, in sentences of any language; the texts are those of the topic `verdicts`."""

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import DEFAULT, LANGUAGES, Language
from bullring.ladder.standings.standings import Zero

ENGLISH = LANGUAGES[DEFAULT]


def of_zero(zero: Zero, language: Language = ENGLISH) -> str:
    """The effect of an anchor; empty without one."""
    if zero.anchor is None:
        return ""
    key = "anchor" if zero.moved else "no_anchor"
    figures = {"given": f"{zero.given:.0f}", "mean": f"{zero.mean:.0f}"}
    return language.say(f"verdicts.{key}", name=harmless(zero.anchor, 64), **figures)
