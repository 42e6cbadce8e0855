"""The application that all full screens share: keys, colours, sizes, and the ways to end."""

import asyncio
import contextlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any, ClassVar, TypeVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from bullring.arena.games.rulebook.language import say, spoken
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.display.tabletop import sorry, tabletop, too_small
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.screens.pace import Pacing
from bullring.arena.watching.screens.terminal import gone
from bullring.errors import INTERRUPTED

_OTHERS = {
    (binding.key, binding.action)
    for declared in (*App.BINDINGS, *Screen.BINDINGS)
    for binding in Binding.make_bindings([declared])
}
"""Keys of the framework, which are not listed."""

Given = TypeVar("Given")
"""The result of a dialog."""

LOOK = 2.0
"""Seconds between two looks whether the terminal is still there."""

TICK = 1 / 20
"""Seconds between two drawings."""

BACKGROUND = 0.1
"""Seconds between two looks whether we are in the foreground again."""

ENDINGS = {signal.SIGTERM: 128 + signal.SIGTERM, signal.SIGHUP: 128 + signal.SIGHUP}
"""Signals that end a screen, with the exit code."""


class Shell(App[int]):
    """A full screen in the terminal's own colours. `q` quits, `?` lists the keys, Ctrl-Z suspends.

    On a terminal that is too small it says so. SIGTERM, SIGHUP and a closed terminal end it with the terminal as it was.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "keys.quit"),
        Binding("question_mark", "keys", "keys.list", key_display="?"),
        Binding("ctrl+z", "suspend_process", "keys.suspend", key_display="Ctrl-Z"),
        Binding("ctrl+c", "interrupt", "keys.interrupt", key_display="Ctrl-C", priority=True),
    ]

    def __init__(self) -> None:
        super().__init__(ansi_color=True)
        self._handlers: dict[signal.Signals, Any] = {}
        """The handlers of signals before."""

    def on_mount(self) -> None:
        if self._driver is None or self._driver.is_headless:
            return
        loop = asyncio.get_running_loop()
        for number, code in ENDINGS.items():
            self._handlers[number] = signal.signal(number, partial(self._signalled, loop, code))
        threading.excepthook = partial(_thread_failed, threading.excepthook)
        self.set_interval(LOOK, self._look_for_the_terminal)

    def _signalled(self, loop: asyncio.AbstractEventLoop, code: int, number: int, frame: FrameType | None) -> None:
        # Not a handler of the loop: that would never run while the loop waits for a terminal that is gone.
        if gone():
            os._exit(code)
        loop.call_soon_threadsafe(self._ended, code)

    def _look_for_the_terminal(self) -> None:
        """End where it was closed without a signal. There is nothing to restore, and child processes end with this one."""
        if gone():
            os._exit(ENDINGS[signal.SIGHUP])

    def on_unmount(self) -> None:
        """Leave nothing on the screen that is left: tmux brings its lines back if it has grown meanwhile."""
        if self._driver is not None and not self._driver.is_headless:
            self._driver.write("\x1b[H\x1b[J")
            self._driver.flush()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def on_resize(self, event: events.Resize) -> None:
        small = too_small(event.size.width, event.size.height)
        if small and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())
        elif not small and isinstance(self.screen, TooSmall):
            self.pop_screen()

    def action_keys(self) -> None:
        """List the keys."""
        if not isinstance(self.screen, Keys | TooSmall):
            self.push_screen(Keys(dict(self.keys()), say("screens.keys.close")))

    def keys(self) -> Iterator[tuple[str, str]]:
        """The keys that work now, those of the same effect together, each with it: the description of its binding, or the text that
        it names.

        That is a text of `screens` ("keys.quit"), or one of another topic ("replay.keys.step").
        """
        names: dict[str, dict[str, None]] = {}
        for key, active in self.screen.active_bindings.items():
            binding = active.binding
            if binding.description and active.enabled and (binding.key, binding.action) not in _OTHERS:
                what = binding.description
                text = f"screens.{what}" if what.startswith("keys.") else what
                told = say(text) if "." in text else what
                names.setdefault(told, {})[key_name(binding.key_display or self.get_key_display(binding) or key)] = None
        for told, of_it in names.items():
            yield ", ".join(of_it), told

    def action_interrupt(self) -> None:
        """End as by a signal, with its exit code."""
        self._ended(INTERRUPTED)

    def action_suspend_process(self) -> None:
        """Stop this process and the one that waits for it, as the terminal's own Ctrl-Z does."""
        if os.getpgrp() == os.getsid(0):
            return  # no shell could continue us: we are the terminal's first process
        # The terminal must be in order before the shell hears that we have stopped, because then it is the shell's.
        with contextlib.suppress(SuspendNotSupported), self.suspend():
            os.killpg(0, signal.SIGTSTP)
            while sys.__stdin__ is not None and os.tcgetpgrp(sys.__stdin__.fileno()) != os.getpgrp():
                time.sleep(BACKGROUND)  # we go on in the background, where there is nothing to show

    def _ended(self, code: int) -> None:
        self.exit(return_code=code)


def _thread_failed(before: Callable[[threading.ExceptHookArgs], Any], failed: threading.ExceptHookArgs) -> None:
    """End at once if the terminal cannot be written to any more: drawing would wait for ever for the thread that writes."""
    if failed.thread is not None and failed.thread.name == "textual-output" and isinstance(failed.exc_value, OSError):
        os._exit(ENDINGS[signal.SIGHUP])
    before(failed)


def key_name(shown: str) -> str:
    """The name of a key, or of several, as people call them: "space", "Ctrl-Z"."""
    names = spoken().find("screens.key_names")
    return re.sub("[A-Za-z]{2,}", lambda found: names.get(found[0].lower(), found[0]), shown)


class TooSmall(ModalScreen[None]):
    """Stands before everything while the terminal is too small."""

    DEFAULT_CSS = "TooSmall { background: ansi_default; }"

    def render(self) -> Block:
        return sorry(self.size.width, self.size.height)


class Dialog(ModalScreen[Given]):
    """A window over the screen. It closes once, even if a second key has come with the first one."""

    DEFAULT_CSS = "Dialog { align: center middle; background: transparent; }"

    def close(self, given: Given | None = None) -> None:
        """Leave it, with the result of the dialog."""
        if self.is_current:
            self.dismiss(given)


class Keys(Dialog[None]):
    """The list of keys. Any key closes it."""

    DEFAULT_CSS = """
    Keys Static { width: auto; height: auto; max-height: 100%; border: round ansi_default; padding: 0 2; background: ansi_default; }
    """

    def __init__(self, keys: dict[str, str], foot: str) -> None:
        super().__init__()
        self._keys = keys
        self._foot = foot

    def compose(self) -> ComposeResult:
        yield Static()

    def on_resize(self) -> None:
        """List them, in two columns where there are not lines enough."""
        wide = max(map(len, self._keys), default=0)
        lines = [Text.assemble((f"{key:<{wide}}  ", "bold"), what) for key, what in self._keys.items()]
        if len(lines) + 4 > self.app.size.height:
            half = (len(lines) + 1) // 2
            column = max(line.cell_len for line in lines[:half]) + 2
            for left, right in zip(lines[:half], lines[half:], strict=False):
                left.pad_right(column - left.cell_len)
                left.append_text(right)
            lines = lines[:half]
        self.query_one(Static).update(Text("\n").join([*lines, Text(f"\n{self._foot}", style="dim")]))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.close()

    def on_click(self) -> None:
        self.close()


class TableView(Widget):
    """A widget that draws a frame and fills the room that it gets."""

    DEFAULT_CSS = "TableView { width: 1fr; height: 1fr; background: ansi_default; color: ansi_default; }"

    frame: reactive[Frame | None] = reactive(None)
    waited: reactive[int] = reactive(0)
    """Whole seconds for which the table has waited."""
    phase: reactive[float] = reactive(1.0)
    """The progress of the step, from 0 to 1."""
    note: reactive[str] = reactive("")
    """The text at the right of the title."""
    past: reactive[bool] = reactive(True)
    """Whether scores and history are drawn here."""

    def render(self) -> Block | Text:
        width, height = self.size
        if self.frame is None:
            return Text(say("table.none"), style="dim")
        return tabletop(self.frame, width, height, waited=self.waited, phase=self.phase, note=self.note, past=self.past)

    def follow(self, pacing: Pacing, now: float) -> bool:
        """Show the frame that is due. Returns whether it is another one."""
        moved = pacing.advance(now)
        self.frame = pacing.frame
        if pacing.frame is not None:
            self.waited = int(pacing.waited(now))
            self.phase = round(pacing.phase(now), 1)  # each value is drawn once
        return moved
