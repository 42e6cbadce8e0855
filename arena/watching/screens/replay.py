"""Step through a match, also while it is played: the table, the cost of each decision, and the bar of steps."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.reader import read_lines
from bullring.arena.study.analysis.kept import kept
from bullring.arena.study.analysis.process import Apart
from bullring.arena.study.analysis.result import Analysis
from bullring.arena.watching.display import decisions
from bullring.arena.watching.display.blocks import Block, beside
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.record_frames import Feed
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.replay_dialogs import Jump, Summary
from bullring.arena.watching.screens.shell import Shell, TableView
from bullring.arena.watching.screens.stepper import Goal, Stepper
from bullring.arena.watching.screens.steps_bar import StepsBar
from bullring.errors import BullringError

TICK = 1 / 30
"""Seconds between two looks at the record and the clock."""

SIDE = 120
"""Columns from which on the cost of a decision is beside the table, not below it."""


UNJUDGED = "press a to find out what each decision cost"
"""Answers a key that needs an analysis."""


class Cost(Widget):
    """The cost of a decision, in the room that there is."""

    def __init__(self, replay: "Replay") -> None:
        super().__init__()
        self._replay = replay

    def render(self) -> RenderResult:
        return self._replay.cost(*self.content_size)


class Replay(Screen[None]):
    """Steps through the record of a match; with `live`, begins where the match is and plays on."""

    DEFAULT_CSS = """
    Replay { layout: vertical; }
    Replay #middle { height: 1fr; layout: vertical; }
    Replay Cost { display: none; height: 7; padding: 0 1; }
    Replay.judged Cost { display: block; }
    Replay.side #middle { layout: horizontal; }
    Replay.side Cost { height: 1fr; width: 54; padding: 1 1; }
    Replay #foot { height: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "step", key_display="→ ←"),
        Binding("left", "step(-1)"),
        Binding("down", "seek('turn', 1)", "turn", key_display="↓ ↑"),
        Binding("up", "seek('turn', -1)"),
        Binding("pagedown", "seek('deal', 1)", "deal", key_display="PgDn PgUp"),
        Binding("pageup", "seek('deal', -1)"),
        Binding("home", "home", "first, last step", key_display="Home End"),
        Binding("end", "end"),
        Binding("space", "play", "play, pause", key_display="Space"),
        Binding("plus,equals_sign", "speed(1)", "faster, slower", key_display="+ -"),
        Binding("minus", "speed(-1)"),
        Binding("t", "seek('taken', 1)", "row taken", key_display="t T"),
        Binding("T", "seek('taken', -1)"),
        Binding("m", "seek('mistake', 1)", "mistake", key_display="m M"),
        Binding("M", "seek('mistake', -1)"),
        Binding("tab", "look(1)", "next seat", key_display="Tab"),
        Binding("shift+tab", "look(-1)"),
        Binding("g", "jump", "go to d2t7"),
        Binding("h", "hands", "open hands"),
        Binding("a", "analyse", "analyse"),
        Binding("s", "summary", "luck, mistakes"),
        Binding("escape", "back", "back", key_display="Esc"),
    ]

    def __init__(
        self, record: Path, place: Path, *, live: bool = False, analyse: bool = False, pace: float = PACE
    ) -> None:
        """`place` is the file of the record's analysis, which is made at once with `analyse`; `pace` is in seconds a step."""
        super().__init__()
        self.record = record
        self.place = place
        self.live = live
        self.analyse = analyse
        self.feed = Feed(record)
        self.stepper = Stepper(pace=pace, playing=live)
        self.analysis: Analysis | None = None
        self.making: Apart | None = None
        """The analysis that is being made."""
        self.opened = False
        """Whether the hands are shown."""
        self.said = ""
        """The answer to the last key; empty: the keys are listed instead."""
        self._view = TableView()
        self._cost = Cost(self)
        self._bar = StepsBar(self.stepper)
        self._foot = Static(id="foot")
        self.ended = False
        """Whether nothing more can come."""
        self._joined = not live
        """Whether a match that goes on was read to where it is."""
        self._placed = False
        """Whether the first cards were found."""

    def compose(self) -> ComposeResult:
        with Container(id="middle"):
            yield self._view
            yield self._cost
        yield self._bar
        yield self._foot

    def on_mount(self) -> None:
        self._arrange()
        self.tick()
        self.set_interval(TICK, self.tick)

    def on_unmount(self) -> None:
        self.feed.close()
        if self.making is not None:
            self.making.close()

    def on_resize(self) -> None:
        self._arrange()
        self.show()

    def _arrange(self) -> None:
        width, height = self.app.size
        self.set_class(width >= SIDE, "side")
        self._cost.styles.height = (
            "1fr" if width >= SIDE else 1 if height < 15 else 3 if height < 20 else 5 if height < 24 else 8
        )

    # Time

    def tick(self) -> None:
        """Take new frames, and show the step that is due."""
        now, stepper = time.monotonic(), self.stepper
        changed = self._read(now)
        changed |= self._follow_analysis()
        if self._joined:
            changed |= stepper.advance(now)
            if stepper.playing and stepper.latest and self.feed.finished:
                stepper.playing, changed = False, True
        if changed:
            self.show()
        elif stepper.frames:
            self._view.phase = round(stepper.phase(now), 1)

    def _read(self, now: float) -> bool:
        frames = self.feed.more()
        self.stepper.add(frames, now)
        if not self._placed and self.stepper.deals:
            self._placed = True
            self._to_first()
        if not self._joined:
            self.stepper.end()
            if not frames and self.stepper.frames:
                self._join()
        if not self.ended and (self.feed.finished or self.feed.gone or self.feed.error is not None):
            self.ended = True
            self._end()
            return True
        return bool(frames)

    def _join(self) -> None:
        """Begin where a match is; if it is over already, at its beginning."""
        self._joined = True
        if self.feed.finished:
            self._to_first()

    def _to_first(self) -> None:
        """Go to where the first cards lie on the table."""
        self.stepper.go(self.stepper.deals[0] if self.stepper.deals else 0)

    def _end(self) -> None:
        """Nothing more can come."""
        self._bar.ended = True
        if self.feed.error is not None:
            self.said = f"the record is damaged, so this is where it ends: {harmless(self.feed.error)}"
        elif self.feed.gone and not self.feed.finished:
            self.said = "the record was taken away: the match was given up, or is played anew"
        elif self.analysis is None:
            try:
                found = kept(self.place, read_lines(self.record).seal or "")
            except BullringError:
                return  # gone in the meantime
            if found is not None:
                self._judge(found)
            elif self.analyse:
                self.action_analyse()

    def _judge(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.stepper.judge(analysis.choices)
        self.add_class("judged")

    def _follow_analysis(self) -> bool:
        making = self.making
        if making is None or not making.read():
            return False
        if making.analysis is not None:
            self._judge(making.analysis)
            self.said = "analysed: m goes to the next mistake, s tells luck and mistakes apart"
            if making.unkept:
                self.said = f"the analysis is not kept: {harmless(making.unkept)}"
        elif making.error is not None:
            self.said = f"there is no analysis: {harmless(making.error)}"
        if making.over:
            self.making = None
            if self.analysis is None:
                self.remove_class("judged")
        return True

    # Keys

    def action_step(self, by: int) -> None:
        self._moved(self.stepper.step(by), "")

    def action_seek(self, goal: Goal, by: int) -> None:
        if goal == "mistake" and self.analysis is None:
            self._say(UNJUDGED)
        else:
            what = {"taken": "no row is taken", "mistake": "no mistake"}.get(goal)
            self._moved(self.stepper.seek(goal, by), f"{what} {'after' if by > 0 else 'before'} this" if what else "")

    def action_home(self) -> None:
        self._moved(self.stepper.home(), "")

    def action_end(self) -> None:
        playing = self.stepper.playing and not self.ended
        self._moved(self.stepper.end(), "")
        self.stepper.playing = playing  # the end of a match that goes on is where it is played

    def action_look(self, by: int) -> None:
        self.stepper.look(by)
        self._say("")

    def action_play(self) -> None:
        self.stepper.toggle(time.monotonic())
        self._say("")

    def action_speed(self, by: int) -> None:
        if by > 0:
            self.stepper.faster()
        else:
            self.stepper.slower()
        self._say("")

    def action_jump(self) -> None:
        self.stepper.playing = False
        self.app.push_screen(Jump(self.stepper), lambda moved: self.show())

    def action_summary(self) -> None:
        if self.analysis is None:
            self._say(UNJUDGED)
        else:
            self.app.push_screen(Summary(self.analysis))

    def action_hands(self) -> None:
        if not self.feed.finished:
            self._say("the hands are secret until the match is over")
            return
        if not self.opened and self.stepper.frames[0].picture.seats[0].hand is None:
            try:
                frames = self.feed.opened()
            except BullringError as error:
                self._say(f"the hands cannot be opened: {harmless(error)}")
                return
            if len(frames) == len(self.stepper.frames):
                self.stepper.open(frames)
        self.opened = not self.opened
        self._say("")

    def action_analyse(self) -> None:
        if self.making is not None:
            self.making.close()
            self.making = None
            self.set_class(self.analysis is not None, "judged")
            self._say("the analysis was broken off")
        elif self.analysis is not None:
            self._say("this match is analysed: m goes to the next mistake, s tells luck and mistakes apart")
        elif not self.feed.finished:
            self._say("a match can be analysed when it is over")
        else:
            try:
                self.making = Apart(self.record, self.place)
            except OSError as error:
                self._say(f"the analysis cannot be started: {error.strerror or error}")
                return
            self.add_class("judged")
            self._say("analysing; go on stepping, a breaks it off")

    def action_back(self) -> None:
        """Leave, if this was opened from somewhere."""
        if self.making is not None:
            self.action_analyse()
        elif len(self.app.screen_stack) > 1 and self.is_current:
            self.dismiss()

    def on_steps_bar_picked(self, picked: StepsBar.Picked) -> None:
        self._moved(self.stepper.go(picked.frame), "")

    def on_click(self, event: events.Click) -> None:
        """A click on a line of the history goes to the step that it tells of; one on a seat looks at its options."""
        meta = event.style.meta
        if "ago" in meta:
            self._moved(self.stepper.to_said(meta["ago"]), "")
        elif "seat" in meta and any(choice.seat == meta["seat"] for choice in self.stepper.judged()):
            self._moved(self.stepper.go(self.stepper.at, meta["seat"]), "")

    def _moved(self, moved: bool, otherwise: str) -> None:
        """Answer a key that has moved, or could not."""
        if moved:
            self.stepper.playing = False
        self._say("" if moved else otherwise)

    def _say(self, text: str) -> None:
        self.said = text
        self.show()

    # Drawing

    def show(self) -> None:
        """Draw the step that is shown."""
        if not self.is_mounted:
            return
        if self.stepper.frames:
            frame = self.stepper.frame
            self._view.frame = frame if self.opened else closed(frame)
            self._view.phase = round(self.stepper.phase(time.monotonic()), 1)
            self._view.note = self.note()
        self._cost.refresh()
        self._bar.refresh()
        self._foot.update(self._told())

    def note(self) -> str:
        """The text at the right of the table's title."""
        if self.feed.finished:
            return "hands open" if self.opened else ""
        return "live" if self.live and self.stepper.latest else ""

    def cost(self, width: int, height: int) -> Group | Text:
        """The options of the decision that is looked at, or the progress of the analysis."""
        if self.making is not None:
            return _progress(self.making, width)
        choice = self.stepper.looked_at()
        if choice is None:
            return Text("no decision here yet", style="dim")
        names = [seat.name for seat in self.stepper.frame.picture.seats]
        name = names[choice.seat]
        side = self.has_class("side")
        game = find(self.stepper.frame.picture.game)
        parts = [decisions.verdict(choice, game, name, width=2 * width if side else width)]
        judged = self.stepper.judged()
        if width >= 100:
            bars = decisions.choice_bars(choice, width=width // 2 - 2, height=height - 1)
            others = decisions.overview(judged, names, seat=choice.seat, width=width - width // 2)
            return Group(parts[0], beside([Block(bars.split(), width // 2), Block(others.split())]))
        if side:
            parts[0].no_wrap = False
            parts += [Text(), decisions.choice_bars(choice, width=width, height=max(4, height - len(judged) - 6))]
            parts += [Text(), decisions.overview(judged, names, seat=choice.seat, width=width)]
            return Group(*parts)
        return Group(parts[0], decisions.choice_bars(choice, width=width, height=height - 1))

    def _told(self) -> Text:
        if self.said:
            return Text(f" {self.said}", style="italic", no_wrap=True, overflow="ellipsis")
        keys = [
            ("←→", "step"),
            *([("Esc", "back")] if len(self.app.screen_stack) > 1 else []),
            ("?", "keys"),
            ("q", "quit"),
            ("space", "play"),
            *([("m", "mistake")] if self.analysis is not None else [("a", "analyse")]),
            ("t", "row taken"),
            ("h", "hands"),
            ("g", "go to"),
            ("↑↓", "turn"),
            *([("s", "luck")] if self.analysis is not None else []),
        ]
        return _fitting(keys, self.app.size.width)


def _fitting(keys: Sequence[tuple[str, str]], width: int) -> Text:
    """As many keys as fit, the first ones first."""
    text = Text(" ", no_wrap=True)
    for key, what in keys:
        if text.cell_len + len(key) + len(what) + 1 <= width:
            text.append(key, style="bold")
            text.append(f" {what}  ", style="dim")
    return text


def closed(frame: Frame) -> Frame:
    """The frame without the hands."""
    if all(seat.hand is None for seat in frame.picture.seats):
        return frame
    seats = tuple(replace(seat, hand=None) for seat in frame.picture.seats)
    return replace(frame, picture=replace(frame.picture, seats=seats))


def _progress(making: Apart, width: int) -> Group:
    """The progress of an analysis."""
    room = max(10, min(60, width - 30))
    filled = decisions.bar(making.done, making.decisions, room)
    told = f"{making.done} of {making.decisions} decisions" if making.decisions else "beginning"
    lines = [Text(f"{filled:─<{room}} {told}", no_wrap=True, overflow="ellipsis"), Text("a breaks it off", style="dim")]
    if making.slow:
        lines.append(Text(making.slow, style="dim"))
    return Group(*lines)


class ReplayApp(Shell):
    """A replay alone. `place` is the file of the record's analysis."""

    def __init__(self, record: Path, place: Path, *, analyse: bool = False) -> None:
        super().__init__()
        self._replay = Replay(record, place, analyse=analyse)

    def get_default_screen(self) -> Screen[None]:
        return self._replay
