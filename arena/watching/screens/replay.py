"""Step through a match, also while it is played: the table, the cost of each decision, and the bar of steps."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.reader import read_lines
from bullring.arena.study.analysis.kept import kept
from bullring.arena.study.analysis.process import Apart
from bullring.arena.study.analysis.result import Analysis
from bullring.arena.study.branches.branch import Branch, Moment, moments
from bullring.arena.watching.display import decisions
from bullring.arena.watching.display.blocks import Block, above
from bullring.arena.watching.display.chances import chances
from bullring.arena.watching.display.tabletop import history
from bullring.arena.watching.picture.picture import Frame, timeless
from bullring.arena.watching.picture.record_frames import Feed, Whole
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.branching import SIDE, WhatIf, lines_below, told
from bullring.arena.watching.screens.replay_dialogs import Jump, Summary
from bullring.arena.watching.screens.shell import Shell, TableView, key_name
from bullring.arena.watching.screens.stepper import Goal, Stepper
from bullring.arena.watching.screens.steps_bar import StepsBar
from bullring.errors import BullringError

TICK = 1 / 30
"""Seconds between two looks at the record and the clock."""

LEAST_PAST = 4
"""Lines that are kept for the history below the cost of a decision."""

COMPARED = 5
"""Lines below the table from more than which on one compares the seats."""


class Cost(Widget):
    """The cost of a decision and the history, in the room that there is."""

    def __init__(self, replay: "Replay") -> None:
        super().__init__()
        self._replay = replay

    def render(self) -> RenderResult:
        return self._replay.beside(*self.content_size)


class Replay(Screen[None]):
    """Steps through the record of a match; with `live`, begins where the match is and plays on."""

    DEFAULT_CSS = """
    Replay { layout: vertical; }
    Replay #middle { height: 1fr; layout: vertical; }
    Replay Cost { display: none; height: 7; padding: 0 1; }
    Replay.judged Cost, Replay.asking Cost { display: block; }
    Replay.side #middle { layout: horizontal; }
    Replay.side Cost { height: 1fr; width: 45%; max-width: 66; padding: 1 1 0 1; }
    Replay #foot { height: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "replay.keys.step", key_display="→ ←"),
        Binding("left", "step(-1)"),
        Binding("down", "seek('turn', 1)", "replay.keys.turn", key_display="↓ ↑"),
        Binding("up", "seek('turn', -1)"),
        Binding("pagedown", "seek('deal', 1)", "replay.keys.deal", key_display="PgDn PgUp"),
        Binding("pageup", "seek('deal', -1)"),
        Binding("home", "home", "replay.keys.ends", key_display="Home End"),
        Binding("end", "end"),
        Binding("space", "play", "replay.keys.play", key_display="Space"),
        Binding("plus,equals_sign", "speed(1)", "replay.keys.speed", key_display="+ -"),
        Binding("minus", "speed(-1)"),
        Binding("t", "seek('taken', 1)", "replay.keys.taken", key_display="t T"),
        Binding("T", "seek('taken', -1)"),
        Binding("m", "seek('mistake', 1)", "replay.keys.mistake", key_display="m M"),
        Binding("M", "seek('mistake', -1)"),
        Binding("tab", "look(1)", "replay.keys.seat", key_display="Tab"),
        Binding("shift+tab", "look(-1)"),
        Binding("g", "jump", "replay.keys.jump"),
        Binding("h", "hands", "replay.keys.hands"),
        Binding("c", "times", "replay.keys.times"),
        Binding("a", "analyse", "replay.keys.analyse"),
        Binding("s", "summary", "replay.keys.summary"),
        Binding("b", "branch", "replay.keys.branch"),
        Binding("escape", "back", "replay.keys.back", key_display="Esc"),
    ]

    whole = True
    """Whether it is a match from its beginning on, which can be analysed and have branches."""

    def __init__(
        self,
        record: Path,
        place: Path,
        *,
        live: bool = False,
        analyse: bool = False,
        pace: float = PACE,
        begin: tuple[int, int] | None = None,
        party: Callable[[], str] | None = None,
    ) -> None:
        """`place` is the file of the record's analysis, which is made at once with `analyse`; `pace` is in seconds a step.

        A finished match is shown from its first cards on, or from the decision at a line of the record and a seat (`begin`).
        `party` tells its bots (`study.branches.party`), where they are known, and raises `BullringError`.
        """
        super().__init__()
        self.record = record
        self.place = place
        self.live = live
        self.analyse = analyse
        self._from = begin
        self._party = party
        self.feed: Feed | Whole = Feed(record)
        self.stepper = Stepper(pace=pace, playing=live)
        self.analysis: Analysis | None = None
        self.making: Apart | None = None
        """The analysis that is being made."""
        self.opened = False
        """Whether the hands are shown."""
        self.times = False
        """Whether the times of the bots are shown."""
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
        below = 1 if height < 15 else 3 if height < 20 else 5 if height < 24 else 8
        self._cost.styles.height = (
            "1fr" if width >= SIDE else lines_below(height) if self.has_class("asking") else below
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
        if self._from is not None:
            self.stepper.to_decision(*self._from)
        if self.feed.error is not None:
            self.said = self.say("said.damaged", what=harmless(self.feed.error))
        elif self.feed.gone and not self.feed.finished:
            self.said = self.say("said.gone")
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
            self.said = self.say("said.analysed")
            if making.unkept:
                self.said = self.say("said.unkept", what=harmless(making.unkept))
        elif making.error is not None:
            self.said = self.say("said.no_analysis", what=harmless(making.error))
        if making.over:
            self.making = None
            if self.analysis is None:
                self.remove_class("judged")
        return True

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key works here."""
        return self.whole or action not in ("analyse", "summary", "branch")

    def action_step(self, by: int) -> None:
        self._moved(self.stepper.step(by), "")

    def action_seek(self, goal: Goal, by: int) -> None:
        if goal == "mistake" and self.analysis is None:
            self._tell("unjudged")
        else:
            what = {"taken": "no_row", "mistake": "no_mistake"}.get(goal)
            self._moved(self.stepper.seek(goal, by), f"{what}_{'after' if by > 0 else 'before'}" if what else "")

    def action_home(self) -> None:
        self._moved(self.stepper.home(), "")

    def action_end(self) -> None:
        playing = self.stepper.playing and not self.ended
        self._moved(self.stepper.end(), "")
        self.stepper.playing = playing  # the end of a match that goes on is where it is played

    def action_look(self, by: int) -> None:
        self.stepper.look(by)
        self._tell("")

    def action_play(self) -> None:
        self.stepper.toggle(time.monotonic())
        self._tell("")

    def action_speed(self, by: int) -> None:
        if by > 0:
            self.stepper.faster()
        else:
            self.stepper.slower()
        self._tell("")

    def action_jump(self) -> None:
        self.stepper.playing = False
        self.app.push_screen(Jump(self.stepper), lambda moved: self.show())

    def action_summary(self) -> None:
        if self.analysis is None:
            self._tell("unjudged")
        else:
            self.app.push_screen(Summary(self.analysis, self.stepper.frames))

    def action_hands(self) -> None:
        if not self.feed.finished:
            self._tell("secret")
            return
        if not self.opened and self.stepper.frames[0].picture.seats[0].hand is None:
            try:
                frames = self.feed.opened()
            except BullringError as error:
                self._tell("unopened", what=harmless(error))
                return
            if len(frames) == len(self.stepper.frames):
                self.stepper.open(frames)
        self.opened = not self.opened
        self._tell("")

    def action_times(self) -> None:
        self.times = not self.times
        self._tell("")

    def action_analyse(self) -> None:
        if self.making is not None:
            self.making.close()
            self.making = None
            self.set_class(self.analysis is not None, "judged")
            self._tell("broken_off")
        elif self.analysis is not None:
            self._tell("already")
        elif not self.feed.finished:
            self._tell("too_early")
        else:
            try:
                self.making = Apart(self.record, self.place)
            except OSError as error:
                self._tell("unstarted", what=error.strerror or error)
                return
            self.add_class("judged")
            self._tell("analysing")

    def action_branch(self) -> None:
        """Ask what if another option had been chosen."""
        if not self.feed.finished:
            self._tell("early")
            return
        try:
            lines = read_lines(self.record)
            found = moments(lines)
        except BullringError as error:
            self._tell("unplayed", what=harmless(error))
            return
        if not found:
            self._tell("nothing_decided")
            return
        self.stepper.playing = False
        looked_at = self.stepper.looked_at()
        seat = looked_at.seat if looked_at is not None else self.stepper.frame.picture.mover
        moment = _moment(found, self.stepper.frame)
        self._ask(True)
        self.app.push_screen(WhatIf(self.record, lines, moment, self._names(), seat, self._party), self._look_at)

    def _ask(self, asking: bool) -> None:
        """Make room for the question what if, so that it hides nothing of the table, or take it back."""
        self.set_class(asking, "asking")
        self._arrange()
        self.show()

    def _look_at(self, found: Branch | None) -> None:
        self._ask(False)
        if found is not None:
            self.app.push_screen(BranchReplay(self.record, found, opened=self.opened))

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
        """Answer a key that has moved, or could not: that is then a text of `replay.said`."""
        if moved:
            self.stepper.playing = False
        self._tell("" if moved else otherwise)

    def _tell(self, key: str, **values: object) -> None:
        """Answer a key with a text of `replay.said`; empty: list the keys."""
        self.said = self.say(f"said.{key}", **values) if key else ""
        self.show()

    def say(self, key: str, **values: object) -> str:
        """A text of `replay` in the language of the person."""
        return say(f"replay.{key}", **values)

    # Drawing

    def show(self) -> None:
        """Draw the step that is shown."""
        if not self.is_mounted:
            return
        if self.stepper.frames:
            frame = self.stepper.frame
            frame = frame if self.times else replace(frame, picture=timeless(frame.picture))
            self._view.frame = frame if self.opened else closed(frame)
            self._view.phase = round(self.stepper.phase(time.monotonic()), 1)
            self._view.note = self.note()
            self._view.past = not self.has_class("judged") or not self.has_class("side")
        self._cost.refresh()
        self._bar.refresh()
        self._foot.update(self._told())

    def note(self) -> str:
        """The text at the right of the table's title."""
        if self.feed.finished:
            return self.say("said.open") if self.opened else ""
        return self.say("said.live") if self.live and self.stepper.latest else ""

    def beside(self, width: int, height: int) -> Block:
        """What is beside the table of an analysed match: the cost of a decision, and the history; below it, the cost alone."""
        if not self.stepper.frames:
            return Block([], width)
        picture = self.stepper.frame.picture
        if self.has_class("side"):
            worth = self._cost_beside(width, height - LEAST_PAST)
            line = Block([Text("─" * width, style="dim")])
            parts = [worth, line]
            if self.analysis is not None and self.making is None:
                course = chances(self.analysis, picture, width)
                if course.height and height - worth.height - course.height - 2 >= LEAST_PAST:
                    parts += [course, line]
            return above([*parts, history(picture, width, max(0, height - sum(part.height for part in parts)))], width)
        return self._cost_below(width, height).fitted(width, height)

    def _cost_beside(self, width: int, height: int) -> Block:
        """The cost of a decision in a column beside the table: verdict, options, and all seats compared."""
        choice, names = self.stepper.looked_at(), self._names()
        if self.making is not None or choice is None:
            return self._no_cost(width)
        judged = self.stepper.judged()
        told = decisions.verdict(choice, self._game(), names[choice.seat], width=2 * width)
        told.no_wrap = False
        first = Block(told.wrap(self.app.console, width), width)
        others = decisions.overview(judged, names, seat=choice.seat, width=width)
        room = max(4, height - first.height - len(judged) - 2)
        bars = decisions.choice_bars(choice, width=width, height=room)
        return above([first, Block([""]), Block(bars.split()), Block([""]), Block(others.split())], width)

    def _cost_below(self, width: int, height: int) -> Block:
        """The same in few lines below the table."""
        choice, names = self.stepper.looked_at(), self._names()
        if self.making is not None or choice is None:
            return self._no_cost(width)
        lines = [decisions.verdict(choice, self._game(), names[choice.seat], width=width)]
        if height > COMPARED:
            lines.append(decisions.strip(self.stepper.judged(), names, seat=choice.seat, width=width))
        room = height - len(lines)
        lines += decisions.choice_bars(choice, width=width, height=room).split() if room else []
        return Block(lines, width)

    def _no_cost(self, width: int) -> Block:
        """The progress of the analysis, or that nothing was decided yet."""
        making = self.making
        if making is None:
            return Block([Text(self.say("said.nothing_yet"), style="dim")], width)
        room = max(10, min(60, width - 30))
        filled = decisions.bar(making.done, making.decisions, room)
        done = self.say("said.progress", done=making.done, all=making.decisions) if making.decisions else ""
        lines = [
            f"{filled:─<{room}} {done or self.say('said.beginning')}",
            self.say("said.break_off"),
            making.slow or "",
        ]
        return Block([Text(line, style="dim" if at else "") for at, line in enumerate(lines)], width)

    def _names(self) -> Sequence[str]:
        return [seat.name for seat in self.stepper.frame.picture.seats]

    def _game(self) -> type[Game[Any]]:
        return find(self.stepper.frame.picture.game)

    def _told(self) -> Text:
        if self.has_class("asking"):  # its keys alone work now
            own = self.say(f"branch.keys{'_real' if self._party is not None else ''}")
            return Text(f" {own}", style="dim", no_wrap=True, overflow="ellipsis")
        if self.said:
            return Text(f" {self.said}", style="italic", no_wrap=True, overflow="ellipsis")
        keys = [
            ("←→", "step"),
            *([("Esc", "back")] if len(self.app.screen_stack) > 1 else []),
            ("?", "keys"),
            ("q", "quit"),
            (self.say("foot.space"), "play"),
            *([("m", "mistake")] if self.analysis is not None else [("a", "analyse")] if self.whole else []),
            *([("b", "branch")] if self.feed.finished and self.whole else []),
            ("h", "hands"),
            ("t", "taken"),
            ("g", "jump"),
            ("↑↓", "turn"),
            *([("s", "summary")] if self.analysis is not None else []),
        ]
        return _fitting([(key_name(key), self.say(f"foot.{what}")) for key, what in keys], self.app.size.width)


def _moment(found: Sequence[Moment], frame: Frame) -> Moment:
    """The decisions that belong to what a frame shows: the last ones of its turn so far, or else those that come next."""
    turn = (frame.picture.deal, frame.picture.turn)
    past = [one for one in found if one.turn == turn and one.line <= frame.line]
    coming = [one for one in found if one.line > frame.line]
    return past[-1] if past else coming[0] if coming else found[-1]


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


class BranchReplay(Replay):
    """A branch of a match, to step through; Esc goes back to the match."""

    whole = False

    def __init__(self, record: Path, found: Branch, *, opened: bool) -> None:
        super().__init__(record, record)
        self.feed = Whole(found.entries)
        self.branch = found
        self.opened = opened

    def note(self) -> str:
        """The choice in which it differs from the match."""
        found = self.branch
        kind = found.moment.questions[0].decision.kind
        what = wording(type(found.moment.game)).told(kind, found.option)
        return self.say("branch.note", name=self._names()[found.seat], what=harmless(what, 40))

    def show(self) -> None:
        """Draw the step that is shown; at the end, how it ended."""
        if self.stepper.frames and self.stepper.latest:
            self.said = told(self.branch, self._names()[self.branch.seat])
        super().show()

    def _to_first(self) -> None:
        """Go to where it leaves the match."""
        lines = [frame.line for frame in self.stepper.frames]
        self.stepper.go(lines.index(self.branch.moment.line))

    def _end(self) -> None:
        self._bar.ended = True


class ReplayApp(Shell):
    """A replay alone. `place` is the file of the record's analysis."""

    def __init__(
        self, record: Path, place: Path, *, analyse: bool = False, party: Callable[[], str] | None = None
    ) -> None:
        super().__init__()
        self._replay = Replay(record, place, analyse=analyse, party=party)

    def get_default_screen(self) -> Screen[None]:
        return self._replay
