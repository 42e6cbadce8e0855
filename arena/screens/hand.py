"""What a person can answer: the cards of the hand, or a plain list of options. Keys, typing and the mouse choose."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text as Drawn
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from bullring.arena.display.blocks import Block, above, wrapped
from bullring.arena.display.cards import Size as CardSize
from bullring.arena.display.cards import card
from bullring.arena.escaping import harmless
from bullring.arena.people.news import Question


class Hand(Widget, can_focus=True):
    """The hand of the person who is asked, and what can be answered."""

    DEFAULT_CSS = "Hand { height: auto; background: ansi_default; color: ansi_default; padding: 0 1; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "choice before"),
        Binding("right", "move(1)", "next choice"),
        Binding("up", "line(-1)", "line above", show=False),
        Binding("down", "line(1)", "line below", show=False),
        Binding("enter", "take", "play it"),
    ]

    class Taken(Message):
        """An option was chosen."""

        def __init__(self, option: Any) -> None:
            super().__init__()
            self.option = option

    def __init__(self) -> None:
        super().__init__()
        self.question: Question | None = None
        self.bears: Sequence[int] = ()
        self.at = 0
        """The option at the cursor."""
        self.typed = ""
        """Digits that may become a number."""

    def ask(self, question: Question | None, bears: Sequence[int] = ()) -> None:
        """Show a question, or none; `bears` has the heads by card."""
        self.question, self.bears, self.at, self.typed = question, bears, 0, ""
        self.refresh(layout=True)

    @property
    def options(self) -> list[Any]:
        return [] if self.question is None else self.question.options

    @property
    def option(self) -> Any:
        """The option at the cursor."""
        return self.options[self.at]

    def _cards(self) -> bool:
        """Whether the options are cards to look at, and not numbers of rows or words."""
        assert self.question is not None
        hand = set(self.question.view.get("hand", ()))
        return all(type(option) is int and option in hand for option in self.options) or (
            self.question.kind == "draft" and all(type(option) is int for option in self.options)
        )

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._drawn(width).height if self.question is not None else 0

    def render(self) -> Block | Drawn:
        return self._drawn(self.size.width) if self.question is not None else Drawn()

    def _drawn(self, width: int) -> Block:
        if self._cards():
            return wrapped(list(self._as_cards(self.options, [*range(len(self.options))])), width)
        rest = list(self._as_cards(self.question.view.get("hand", ()), None)) if self.question is not None else []
        parts = [Block([self._label(number)]) for number in range(len(self.options))]
        return above([*([wrapped(rest, width)] if rest else []), wrapped(parts, width)], width)

    def _as_cards(self, numbers: Sequence[int], places: Sequence[int] | None) -> Iterator[Block]:
        size = CardSize.BOX if self.app.size.height >= 22 and len(numbers) <= 12 else CardSize.CHIP
        for place, number in enumerate(numbers):
            chosen = places is not None and place == self.at
            block = card(number, self.bears[number], size, fresh=chosen)
            if places is not None:
                block = block.styled(Style(meta={"option": place}))
            yield block.styled(Style(reverse=True, bold=True)) if chosen else block

    def _label(self, number: int) -> Drawn:
        option = self.options[number]
        shown = " ".join(map(str, option)) if isinstance(option, list | tuple) else harmless(option, 60)
        style = Style(reverse=number == self.at, bold=True, meta={"option": number})
        return Drawn(f" {shown or '–'} ", style)

    def action_move(self, by: int) -> None:
        """Go to another option."""
        if self.options:
            self.at, self.typed = (self.at + by) % len(self.options), ""
            self.refresh(layout=True)

    def action_line(self, by: int) -> None:
        """Go about a line of options up or down."""
        self.action_move(by * max(1, self.size.width // 9))

    def action_take(self) -> None:
        """Choose the option at the cursor."""
        if self.options:
            self.post_message(self.Taken(self.option))

    def pick(self, option: Any) -> None:
        """Choose this option, if it is one."""
        if option in self.options:
            self.at = self.options.index(option)
            self.refresh(layout=True)
            self.action_take()

    def on_key(self, event: events.Key) -> None:
        """Typed digits go to the option that begins with them."""
        character = event.character or ""
        if event.key == "backspace":
            self.typed = self.typed[:-1]
        elif character.isascii() and character.isdigit():
            self.typed = self._longer(character)
        else:
            return
        event.stop()
        self._follow()

    def _longer(self, digit: str) -> str:
        """What is typed with one more digit; beginning anew where that is no option."""
        texts = [_text(option) for option in self.options]
        longer = self.typed + digit
        return longer if any(text.startswith(longer) for text in texts) else digit

    def _follow(self) -> None:
        texts = [_text(option) for option in self.options]
        found = [at for at, text in enumerate(texts) if self.typed and text.startswith(self.typed)]
        exact = [at for at in found if texts[at] == self.typed]
        if found:
            self.at = (exact or found)[0]
            self.refresh(layout=True)

    def on_click(self, event: events.Click) -> None:
        if "option" in event.style.meta and event.style.meta["option"] < len(self.options):
            self.at = event.style.meta["option"]
            self.refresh(layout=True)
            self.action_take()


def _text(option: Any) -> str:
    return " ".join(map(str, option)) if isinstance(option, list | tuple) else str(option)
