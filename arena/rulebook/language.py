"""What a language has to bring along, and how it says figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.rulebook.facts import Figure, Listed, Span
from arena.rules.options import OptionSpec


@dataclass(frozen=True)
class Language:
    """A language of the rulebook. Its texts are templates: what stands in {braces} is a figure."""

    code: str
    sections: Mapping[str, str]
    """The titles of the sections."""
    text: Mapping[str, str]
    """The sentences of all games, by name; `layout` says which of them a game has."""
    words: Mapping[str, str]
    """Small words: to, or, head, heads, others, unset; and how options are told: number, switch, option, how, none."""
    titles: Mapping[str, str]
    """By id, the names of games, where they are not those of the games themselves."""
    sources: Mapping[str, str]
    """By their English name, the rulebooks."""
    options: Mapping[str, str]
    """By their English text, what options do."""

    def figure(self, figure: Figure) -> str:
        """A figure in words."""
        if isinstance(figure, Span):
            return f"{figure.low} {self.words['to']} {figure.high}"
        if isinstance(figure, Listed):
            return ", ".join(map(str, figure.cards))
        return str(figure)

    def fill(self, template: str, figures: Mapping[str, Figure]) -> str:
        """A template with its figures. Raises `KeyError` if the game has one of them not."""
        return template.format_map({name: self.figure(figure) for name, figure in figures.items()})

    def heads(self, count: int) -> str:
        """So many heads."""
        return f"{count} {self.words['head' if count == 1 else 'heads']}"

    def cards(self, cards: Sequence[int], *, last: bool) -> str:
        """These cards, or "all others" of a table of heads."""
        return self.words["others"] if last else self.figure(Listed(tuple(cards)))

    def option(self, spec: OptionSpec, figures: Mapping[str, Figure]) -> str:
        """What an option does, which values it may have, and which one it has if nobody says anything."""
        what = self.fill(self.options.get(spec.help, spec.help), figures)
        if spec.choices:
            values = f" {self.words['or']} ".join(spec.choices)
        elif spec.type == "bool":
            values = self.words["switch"]
        else:
            values = self.fill(self.words["number"], {"minimum": spec.minimum, "maximum": spec.maximum})
        default = self.words["unset"] if spec.default is None else str(spec.default)
        default = default.lower() if spec.type == "bool" else default
        return self.words["option"].format(what=what[0].upper() + what[1:], values=values, default=default)
