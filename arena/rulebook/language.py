"""What a language has to bring along: titles of sections, small words, and how it says figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bullring.arena.rules.figures import Figure, Listed, Span
from bullring.arena.rules.options import OptionSpec
from bullring.arena.rules.wording.text import Text


@dataclass(frozen=True)
class Language:
    """A language of the rulebook."""

    code: str
    """Also the name of its field in a `Text`."""
    sections: Mapping[str, str]
    """The titles of the sections, in the order in which they are read."""
    words: Mapping[str, str]
    """Small words: to, or, head, heads, others, unset; and how options are told: number, switch, option, how, none."""

    def of(self, text: Text) -> str:
        """A text in this language."""
        return str(getattr(text, self.code))

    def figure(self, figure: Figure) -> str:
        """A figure in words."""
        if isinstance(figure, Span):
            return f"{figure.low} {self.words['to']} {figure.high}"
        if isinstance(figure, Listed):
            return ", ".join(map(str, figure.cards))
        return str(figure)

    def fill(self, text: Text, figures: Mapping[str, Figure]) -> str:
        """A text with its figures. Raises `KeyError` if the game lacks one of them."""
        return self.of(text).format_map({name: self.figure(figure) for name, figure in figures.items()})

    def heads(self, count: int) -> str:
        """So many heads."""
        return f"{count} {self.words['head' if count == 1 else 'heads']}"

    def cards(self, cards: Sequence[int], *, last: bool) -> str:
        """These cards, or "all others" of a table of heads."""
        return self.words["others"] if last else self.figure(Listed(tuple(cards)))

    def option(self, spec: OptionSpec, figures: Mapping[str, Figure]) -> str:
        """What an option does, which values it may have, and which one it has if nobody says anything."""
        what = self.fill(spec.help, figures)
        if spec.choices:
            values = f" {self.words['or']} ".join(spec.choices)
        elif spec.type == "bool":
            values = self.words["switch"]
        else:
            values = self.words["number"].format(minimum=spec.minimum, maximum=spec.maximum)
        default = self.words["unset"] if spec.default is None else str(spec.default)
        default = default.lower() if spec.type == "bool" else default
        return self.words["option"].format(what=what[0].upper() + what[1:], values=values, default=default)


ENGLISH = Language(
    code="en",
    sections={
        "about": "What it is about",
        "box": "Author, age, duration",
        "players": "Players",
        "cards": "Cards and heads",
        "deal": "The beginning of a deal",
        "turn": "A turn",
        "place": "Where a card goes",
        "special": "What is special",
        "score": "Counting heads",
        "end": "The end of a deal and of the match",
        "examples": "Examples",
        "tips": "Tips",
        "options": "Options",
        "source": "Source",
        "rulings": "How open questions are decided here",
    },
    words={
        "to": "to",
        "or": "or",
        "head": "head",
        "heads": "heads",
        "others": "all others",
        "unset": "not set",
        "number": "a whole number from {minimum} to {maximum}",
        "switch": "true or false",
        "option": "{what}. Values: {values}. Default: {default}.",
        "how": "Set them with --option NAME=VALUE, when you play a match.",
        "none": "There are none.",
    },
)

GERMAN = Language(
    code="de",
    sections={
        "about": "Worum es geht",
        "box": "Autor, Alter, Dauer",
        "players": "Mitspieler",
        "cards": "Karten und Hornochsen",
        "deal": "Beginn eines Durchgangs",
        "turn": "Eine Runde",
        "place": "Wohin eine Karte kommt",
        "special": "Besonderheiten",
        "score": "Hornochsen zählen",
        "end": "Ende des Durchgangs und der Partie",
        "examples": "Beispiele",
        "tips": "Tipps",
        "options": "Optionen",
        "source": "Quelle",
        "rulings": "Wie offene Fragen hier entschieden sind",
    },
    words={
        "to": "bis",
        "or": "oder",
        "head": "Hornochse",
        "heads": "Hornochsen",
        "others": "alle anderen",
        "unset": "nicht gesetzt",
        "number": "eine ganze Zahl von {minimum} bis {maximum}",
        "switch": "true (ja) oder false (nein)",
        "option": "{what}. Werte: {values}. Voreinstellung: {default}.",
        "how": "Sie werden beim Spielen einer Partie mit --option NAME=WERT gesetzt.",
        "none": "Es gibt keine.",
    },
)

LANGUAGES = {language.code: language for language in (ENGLISH, GERMAN)}
