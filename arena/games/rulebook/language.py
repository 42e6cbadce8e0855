"""The languages of the rulebook: section titles, small words, and how figures are written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bullring.arena.games.rules.figures import Figure, Listed, Span
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.wording.text import Text


@dataclass(frozen=True)
class Language:
    """A language of the rulebook."""

    code: str
    """The language code, which is also the name of its field in a `Text`."""
    sections: Mapping[str, str]
    """Section titles in reading order, by the name of the section."""
    words: Mapping[str, str]
    """Small words (to, or, and, head, heads, card, cards, others, unset), and phrases about options (number, switch, option, how,
    none)."""

    def of(self, text: Text) -> str:
        """`text` in this language."""
        return str(getattr(text, self.code))

    def figure(self, figure: Figure) -> str:
        """A figure in words."""
        if isinstance(figure, Span):
            return f"{figure.low} {self.words['to']} {figure.high}"
        if isinstance(figure, Listed):
            return ", ".join(map(str, figure.cards))
        return str(figure)

    def fill(self, text: Text, figures: Mapping[str, Figure]) -> str:
        """`text` in this language with its figures filled in. Raises `KeyError` if the game lacks one of them."""
        return self.of(text).format_map({name: self.figure(figure) for name, figure in figures.items()})

    def heads(self, count: int) -> str:
        """A number of heads: "1 head", "2 heads"."""
        return f"{count} {self.words['head' if count == 1 else 'heads']}"

    def count(self, cards: int) -> str:
        """A number of cards: "1 card", "2 cards"."""
        return f"{cards} {self.words['card' if cards == 1 else 'cards']}"

    def listed(self, items: Iterable[object]) -> str:
        """Several things: "Ann", "Ann and Ben", "Ann, Ben and Cid"; empty if there are none."""
        *first, last = [*map(str, items)] or [""]
        return f"{', '.join(first)} {self.words['and']} {last}" if first else last

    def cards(self, cards: Sequence[int], *, last: bool) -> str:
        """A line of cards for the table of heads; "all others" on its `last` line."""
        return self.words["others"] if last else self.figure(Listed(tuple(cards)))

    def option(self, spec: OptionSpec, figures: Mapping[str, Figure]) -> str:
        """A sentence about an option: what it does, its values and its default."""
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
        "about": "Overview",
        "box": "Author, age, duration",
        "players": "Players",
        "cards": "Cards and heads",
        "deal": "Starting a deal",
        "turn": "A turn",
        "place": "Placing cards",
        "special": "Special rules",
        "score": "Scoring",
        "end": "End of the deal and of the match",
        "examples": "Examples",
        "tips": "Tips",
        "options": "Options",
        "source": "Source",
        "rulings": "Rulings on open questions",
    },
    words={
        "to": "to",
        "or": "or",
        "and": "and",
        "head": "head",
        "heads": "heads",
        "card": "card",
        "cards": "cards",
        "others": "all others",
        "unset": "not set",
        "number": "a whole number from {minimum} to {maximum}",
        "switch": "true or false",
        "option": "{what}. Values: {values}. Default: {default}.",
        "how": "Set them with --option NAME=VALUE when you play a match.",
        "none": "This game has no options.",
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
        "and": "und",
        "head": "Hornochse",
        "heads": "Hornochsen",
        "card": "Karte",
        "cards": "Karten",
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
