"""The texts of a game in one language, found where the game or what it is made of says them.

========== ===========================================================================================================
title      with `summary` (one sentence about what distinguishes the game), and `source` (rulebook and section)
options    by name: what the option does, as part of a sentence
labels     by option: its name for people; without one, the name it has on the command line
values     by option and value: a word of its own in a word or two
decisions  by kind: an answer in words that follow a name (`number`, `list` or `empty` for an answer of several numbers, or
           the answer itself if it is a word), the question (`asks`), what displays say of a seat that is asked (`waits`),
           and what the time limit is for (`purpose`)
rules      by section: its paragraphs; "@name" is a sentence of `shared`
lessons    by key: a sentence about a rule that decided a turn
reasons    by key: a fact that speaks for or against an option, as a part of a sentence
told       by key: a sentence about something that only this game has
for_bots   in English only: the rules for authors of bots, in Markdown
========== ===========================================================================================================

A file holds what its game says otherwise than the family that it is made of (`Game.family`): every game of four rows begins with
the texts of `rows`. {Figures} are those of the game (`Game.figures`), so that no sentence contradicts the rules.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from bullring.arena.games.rulebook.language import ENGLISH, Language, spoken
from bullring.arena.games.rules.game import Game, Option
from bullring.arena.games.rules.lessons import Lesson
from bullring.arena.games.rules.options import OptionValue
from bullring.arena.games.rules.reasons import Reason
from bullring.arena.games.rules.sayings import cards_text


def wording(game: type[Game[Any]]) -> "Wording":
    """The texts of a game in the language of this process."""
    return _wording(game, spoken())


@cache
def _wording(game: type[Game[Any]], language: Language) -> "Wording":
    return Wording(game, language)


class Wording:
    """The texts of a game in one language."""

    def __init__(self, game: type[Game[Any]], language: Language) -> None:
        self.language = language
        self._game = game
        self._topics = [name for kind in game.__mro__ if (name := vars(kind).get("id") or vars(kind).get("family"))]

    def find(self, key: str) -> Any:
        """The text, list of texts or table with this key, in English if a game from elsewhere lacks it; None if it has none."""
        languages = (self.language, ENGLISH)
        found = (language.find(f"{topic}.{key}") for language in languages for topic in self._topics)
        return next((text for text in found if text is not None), None)

    def say(self, key: str, /, *names: str, **values: object) -> str:
        """The text with this key, as `Language.say`."""
        text = self.find(key)
        if text is None:
            raise KeyError(f"{self.language.code}: {self._game.id}.{key}")
        return self.language.fill(text, names, values)

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.say("title")

    def rules(self, section: str) -> list[str]:
        """The paragraphs of a section of the rules. Raises `KeyError` if the game lacks a figure in them."""
        return [self._filled(text) for text in self.find(f"rules.{section}") or ()]

    def option(self, name: str) -> str:
        """The meaning of an option, as part of a sentence."""
        return self._filled(self.find(f"options.{name}"))

    def _filled(self, text: str) -> str:
        if text.startswith("@"):
            text = self.language.find(f"shared.sentences.{text[1:]}")
        return self.language.fill(text, (), self._game.figures())

    def label(self, name: str) -> str:
        """The name of an option for people."""
        return self.find(f"labels.{name}") or name.replace("_", " ")

    def value(self, name: str, value: OptionValue) -> str:
        """The value of an option in a word or two."""
        words = {True: "yes", False: "no", None: "unset"}
        if value is None or isinstance(value, bool):
            return self.language.say(f"shared.options.{words[value]}")
        return self.find(f"values.{name}.{value}") or str(value)

    def lesson(self, lesson: Lesson) -> Sequence[str]:
        """All ways to say a lesson, with slots for its values."""
        found = self.find(f"lessons.{lesson.text or lesson.rule}")
        return [found] if isinstance(found, str) else found

    def reasons(self, reasons: Iterable[Reason]) -> str:
        """Reasons as a sentence that names no player and begins in lower case; empty if there are none."""
        return ", ".join(self.say(f"reasons.{reason.key}", **reason.values) for reason in reasons)

    def told(self, kind: str, answer: Option, name: str = "") -> str:
        """An answer in words that follow a name: "plays 32"; as it is, if the game has no words for it."""
        if isinstance(answer, str):
            return self.language.fill(self._of(kind, answer) or "{answer}", (), {"answer": answer, "name": name})
        if isinstance(answer, int):
            return self.language.fill(self._of(kind, "number") or "{answer}", (), {"answer": answer, "name": name})
        text = self._of(kind, "list" if answer else "empty") or "{answer}"
        return self.language.fill(text, tuple(map(str, answer)), {"answer": cards_text(answer), "name": name})

    def asks(self, kind: str) -> str:
        """The question that a person answers: "Choose a card."."""
        return self._of(kind, "asks") or self.language.say("screens.table.anything", purpose=self.purpose(kind))

    def waits(self, kind: str) -> str:
        """The state of a seat that is asked, on displays: "picks row"."""
        return self._of(kind, "waits") or self.language.say("shared.waits")

    def purpose(self, kind: str) -> str:
        """The purpose of the time limit: "take a row"."""
        return self._of(kind, "purpose") or kind

    def _of(self, kind: str, key: str) -> str:
        return self.find(f"decisions.{kind}.{key}") or ""
