"""Make the page of a match: its template, style and script with the frames of a record."""

import gzip
import re
from base64 import b64encode
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import DEFAULT, LANGUAGES
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game, Option
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.confinement import Confinement
from bullring.arena.match.records.reader import Entry, Lines, kind_of
from bullring.arena.study.analysis.result import Analysis, Choice
from bullring.arena.watching.picture.frames_json import facts, written
from bullring.arena.watching.picture.picture import Frame, Picture, SeatPicture
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.steps import Asked, Step
from bullring.errors import RecordError

START = '<!doctype html>\n<html lang="en" data-bullring="replay">'
"""The beginning of every page."""

_HERE = Path(__file__).parent
_FIRST = ord("①")
"""The sign for the name of the first seat."""
_SIGNS = re.compile("[①-⑳]")
_UNDRAWN = {"title", "bears", "seats", "log", "kind", "waits", "purpose", "limit_us"}
_PICTURE = [field.name for field in fields(Picture) if field.name not in _UNDRAWN]
_SEAT = [field.name for field in fields(SeatPicture) if field.name not in ("name", "times")]
_SCRIPTS = ("data", "words", "parts", "seats", "moving", "chart", "cost", "story", "steering", "begin")


def page(lines: Lines, analysis: Analysis | None = None, *, home: str | None = None) -> str:
    """The page of a match as HTML: one file without network, for any browser of today.

    With an `analysis` of the record it shows what each card cost. `home` is the address of a page that it links back to. Hands
    are in it only if the record is finished. Raises `RecordError`.
    """
    data = facts_of(lines, analysis)
    data["home"] = home
    from bullring.arena.watching.page.jinja import environment

    template = environment().get_template("match.html")
    return template.render(
        title=f"{data['title'][DEFAULT]} – {', '.join(data['names'])}",
        style=_style(),
        script=_script(),
        result=zip(data["names"], data["scores"], strict=True),
        data=_embedded(data),
    )


def facts_of(lines: Lines, analysis: Analysis | None) -> dict[str, Any]:
    """Everything the page draws, as JSON takes it. Raises `RecordError`."""
    reducer = Reducer(opened=lines.finished)
    frames: list[Frame] = []
    names: list[str] = []
    confinement: Confinement | None = None
    for number, entry in enumerate(lines.each(), 1):
        if not names:
            confinement = Confinement.of(entry)
            names = [harmless(name) for name in entry.get("seats", ())]
        try:
            frames += reducer.feed(_masked(entry))
        except RecordError as error:
            raise error if error.line else RecordError(str(error), number) from None
    game = find(reducer.picture.game)
    said = {code: [told(frame, code) for frame in frames] for code in LANGUAGES}
    judged = None if analysis is None else _judged(analysis, frames, game)
    last = reducer.picture
    return {
        "game": game.id,
        "title": {code: wording(game, code).title for code in LANGUAGES},
        "names": names,
        "hands": lines.finished,
        "note": "unfinished" if not last.over else "void" if last.void is not None else None,
        "confined": confinement and {code: confinement.said(language) for code, language in LANGUAGES.items()},
        "words": {code: language.topic("page") for code, language in LANGUAGES.items()},
        "bears": last.bears,
        "frames": [{"step": _step(frame.step), "picture": _picture(frame.picture)} for frame in frames],
        "said": said,
        "history": [
            [at, frame.said[0].tone, frame.said[0].seat]
            for at, frame in enumerate(frames)
            if frame.said and frame.said[0].tone != "plain"
        ],
        "analysis": judged,
        "scores": [seat.score for seat in last.seats],
    }


def _masked(entry: Entry) -> Entry:
    """An entry of a record with a sign for each name, so that no sentence made of it has a stranger's text but in faults.

    The script puts the names in, each as a text of its own.
    """
    kind = kind_of(entry)
    if kind == "bullring":
        return {**entry, "seats": [chr(_FIRST + seat) for seat in range(len(entry["seats"]))]}
    if kind in ("fault", "end"):
        return {kind: {key: _without_signs(value) for key, value in entry[kind].items()}}
    return entry


def _without_signs(value: Any) -> Any:
    return _SIGNS.sub("?", value) if isinstance(value, str) else value


def _step(step: Step) -> dict[str, Any]:
    """A step without its board, which is in the picture, and without its sentences."""
    return {key: value for key, value in facts(step).items() if key not in ("board", "said", "answer", "text")}


def _picture(picture: Picture) -> dict[str, Any]:
    """The fields of a picture that pages draw. The seats are columns: {"score": [...], "left": [...]}."""
    seats = {name: [getattr(seat, name) for seat in picture.seats] for name in _SEAT}
    return {**{name: getattr(picture, name) for name in _PICTURE}, "seats": seats}


def _judged(analysis: Analysis, frames: list[Frame], game: type[Game[Any]]) -> dict[str, Any]:
    """An analysis for the page: each choice with the number of the frame that shows it, and its options in words."""
    shown: dict[int, int] = {}
    for at, frame in enumerate(frames):
        if not isinstance(frame.step, Asked):
            shown.setdefault(frame.line, at)
    playouts = [choice.playouts for choice in analysis.choices]
    return {
        "policy": harmless(analysis.method.policy, 20),
        "fewest": min(playouts, default=0),
        "most": max(playouts, default=0),
        "accounts": [account.model_dump(exclude={"name"}) for account in analysis.accounts],
        "choices": [
            {
                **choice.model_dump(include={"seat", "chosen", "best", "heads", "cost", "cost_error"}),
                "at": shown[choice.line],
                "options": [
                    str(option) if _is_card(game, choice, option) else _in_words(game, choice, option)
                    for option in choice.options
                ],
                "mark": choice.mark,
            }
            for choice in analysis.choices
            if choice.line in shown
        ],
    }


def _is_card(game: type[Game[Any]], choice: Choice, option: Option) -> bool:
    """Whether the number of the option says all: a card that is played."""
    shows = game.decision(choice.kind).shows
    return shows is not None and shows(option) == str(option)


def _in_words(game: type[Game[Any]], choice: Choice, option: Option) -> dict[str, str]:
    """An option in words, by language: "chooses row 3"."""
    return {code: harmless(wording(game, code).told(choice.kind, option), 60) for code in LANGUAGES}


def _embedded(data: dict[str, Any]) -> str:
    """Facts for a script to unpack: most frames are like the one before, so they become a thirtieth."""
    return b64encode(gzip.compress(written(data).encode(), mtime=0)).decode()


@cache
def _style() -> str:
    return (_HERE / "page.css").read_text("utf-8")


@cache
def _script() -> str:
    parts = "\n".join((_HERE / "script" / f"{name}.js").read_text("utf-8") for name in _SCRIPTS)
    return f'"use strict";\n(async () => {{\n{parts}\n}})();\n'
