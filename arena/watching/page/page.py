"""Make the page of a match: its template, style and script with the frames of a record."""

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import LANGUAGES, in_all, spoken
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.board import Board, OpenHands
from bullring.arena.games.rules.game import Game, Option
from bullring.arena.games.rules.reasons import Reason
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.confinement import Confinement
from bullring.arena.match.records.reader import Entry, Lines, kind_of
from bullring.arena.study.analysis.result import Analysis, Choice
from bullring.arena.study.reasons import Facts
from bullring.arena.watching.page import HEIGHT, WIDTH
from bullring.arena.watching.picture.frames_json import facts, written
from bullring.arena.watching.picture.picture import Frame, Picture, SeatPicture
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.sentences import told
from bullring.arena.watching.picture.steps import Asked, Step
from bullring.arena.watching.picture.turning import turning_points
from bullring.errors import RecordError

START = '<!doctype html>\n<html data-bullring="replay"'
"""The beginning of every page."""

FRONT = "../index.html"
"""The first page of a site, seen from the pages of matches."""

_HERE = Path(__file__).parent
_FIRST = ord("①")
"""The sign for the name of the first seat."""
_SIGNS = re.compile("[①-⑳]")
_UNDRAWN = {"bears", "seats", "log", "kind", "limit_us"}
_PICTURE = [field.name for field in fields(Picture) if field.name not in _UNDRAWN]
_SEAT = [field.name for field in fields(SeatPicture) if field.name not in ("name", "times", "reads")]
_SCRIPTS = (
    "data",
    "parts",
    "seats",
    "moving",
    "chart",
    "cost",
    "asking",
    "story",
    "spoilers",
    "paper",
    "steering",
    "panels",
)
_SOURCES = {
    "embedded": (("embedded", "words"), ("begin", "steered")),
    "shared": (("shared", "words"), ("begin", "steered")),
    "shelved": (("loading", "notation", "shelved", "words"), ("begin", "steered")),
    "arriving": (("embedded", "words", "arriving"), ("live", "begin", "steered")),
    "seated": (("embedded", "words", "chair", "arriving"), ("live", "begin", "choice", "deciding", "hand")),
    "refused": (("embedded", "words", "refused"), ()),
    "new": (("embedded", "words", "parts", "newtable"), ()),
}
"""By where the facts of a match come from, the scripts before those that draw it, and those after them (none draw nothing)."""


def page(
    lines: Lines,
    analysis: Analysis | None = None,
    *,
    links: Mapping[str, str] | None = None,
    bots: Sequence[str] = (),
    number: int | None = None,
    listed: Mapping[str, str] | None = None,
    ladder: str | None = None,
    address: str | None = None,
    picture: str | None = None,
    asked: str | None = None,
    program: str | None = None,
) -> str:
    """The page of a match as HTML: one file without network, for any browser of today.

    With an `analysis` of the record it shows what each card cost. In a site, `links` are the addresses of pages around it, by
    their words ("front", "home", "earlier", "later"), `bots` those of its bots, by seat; `number` is that of the match on a list,
    `listed` the title of the list, by language, and `ladder` the name of the ladder. For programs that show what a link leads to,
    `address` is where the page will be, and `picture` the address of its picture (`preview`). On a server, readers
    ask for an analysis where `asked_at` says. With the address of a `program` (`shared`), it needs that file and is
    short. Hands are in it only if the record is finished. Raises `RecordError`.
    """
    data = facts_of(lines, analysis)
    data |= {
        "links": dict(links or {}),
        "bots": [*bots],
        "number": number,
        "listed": listed,
        "ladder": ladder,
        "asked": asked,
    }
    if program is not None:
        del data["words"]
    names, game = ", ".join(data["names"]), data["title"][spoken().code]
    last = data["frames"][-1]
    ended = data["note"] is None
    heads = ", ".join(f"{name} {score}" for name, score in zip(data["names"], data["scores"], strict=True))
    about = (ladder, listed[spoken().code] if listed else game, data["began"][:10], heads if ended else names)
    return filled(
        "match.html",
        "embedded",
        data,
        title=f"{game} – {names}",
        headline=_named(last["said"][spoken().code].rstrip("."), data["names"]) if ended else f"{game} – {names}",
        about=" · ".join(part for part in about if part),
        ladder=ladder,
        address=address,
        picture=picture,
        result=[*zip(data["names"], data["scores"], strict=True)],
        asks=asked,
        program=program,
    )


def shared() -> tuple[str, str]:
    """What pages of matches share, as a file beside them: its name, which changes with it, and its text."""
    return _shared(tuple(LANGUAGES))


@cache
def _shared(_: tuple[str, ...]) -> tuple[str, str]:
    words, style = (json.dumps(value, separators=(",", ":")) for value in (_words(), _style("page")))
    text = _script("shared", f"const WORDS = {words}, STYLE = {style};")
    return f"{int(sha256(text.encode()).hexdigest()[:15], 16)}.js", text


def asked_at(key: str, *, offered: bool) -> str:
    """Where readers of a server ask for the analysis of a match; empty if they may not. Pages elsewhere have None."""
    return f"../tables/{key}/analysis" if offered else ""


def viewer(size: int, ladder: str | None = None, *, offered: bool | None = None) -> str:
    """The page of any match of a `ladder` that is on a shelf of `size` matches (`notation.Shelf`) in the folder `records`.

    On a server, readers are `offered` to ask for analyses, or not; elsewhere that is None.
    """
    missing = in_all(lambda: {key: spoken().say(f"page.missing.{key}") for key in ("title", "why", "back")})
    data = {**said_of_all(), "size": size, "ladder": ladder, "offered": offered}
    return filled("viewer.html", "shelved", data, missing=missing, **unknown(ladder) | {"asks": offered})


def live_page(ladder: str | None = None) -> str:
    """The page of any match that is being played, for a server: it takes the match from the events at `KEY/events` beside it.

    An event "match" has the facts of the match so far, `packed`: those of `head_of`, the `frame_of` each frame under "frames", and
    whatever of the facts below is known. Each event "frame" has one frame more. The id of an event is the number of frames that
    are known after it. Beside the front page of a `ladder`, it leads back there.
    """
    return filled("live.html", "arriving", live_data(ladder), front=FRONT, **unknown(ladder))


def live_data(ladder: str | None = None, front: str = FRONT) -> dict[str, Any]:
    """What a page is told of a match before any of it is known; of a `ladder` whose `front` page is there."""
    return {
        "words": _words(),
        "hands": False,
        "note": None,
        "analysis": None,
        "links": {"front": front} if ladder else {},
        "bots": [],
        "number": None,
        "ladder": ladder,
        "listed": None,
        "asked": "",
    }


def unknown(ladder: str | None = None) -> dict[str, Any]:
    """What a template is told of a match that is not known yet."""
    title = ladder or "Bullring"
    return {
        "title": title,
        "headline": title,
        "about": "",
        "ladder": ladder,
        "address": None,
        "picture": None,
        "result": (),
        "asks": None,
        "program": None,
    }


def said_of_all() -> dict[str, Any]:
    """The words with which the page's program tells a match from its notation."""
    texts = in_all(
        lambda: {
            "match": spoken().topic("match"),
            "heads": spoken().find("shared.counts.heads"),
            "last": spoken().find("shared.last"),
        }
    )
    return {"words": _words(), "texts": texts}


def filled(
    template: str, source: str, data: dict[str, Any], styles: Sequence[str] = ("page",), **values: object
) -> str:
    """A page whose facts come from a `source`, a script. If it has a `program` beside it, its own script only loads that."""
    from bullring.arena.watching.page.jinja import environment

    alone = values.setdefault("program", None) is None
    values |= {
        "style": "".join(map(_style, styles)) if alone else "",
        "script": _script(source) if alone else enclosed(script("beside")),
        "data": packed(written(data)),
        "picture_size": (WIDTH, HEIGHT),
        "unscripted": in_all(lambda: spoken().topic("refusals")["unscripted"]),
    }
    return environment().get_template(template).render(values)


def _words() -> dict[str, Any]:
    return in_all(lambda: spoken().topic("page"))


def facts_of(lines: Lines, analysis: Analysis | None) -> dict[str, Any]:
    """Everything the page draws, as JSON takes it. Raises `RecordError`."""
    reducer = Reducer(opened=lines.finished)
    frames: list[Frame] = []
    head: dict[str, Any] = {}
    for number, entry in enumerate(lines.each(), 1):
        try:
            frames += reducer.feed(masked(entry))
            head = head or head_of(entry, reducer.picture)
        except RecordError as error:
            raise error if error.line else RecordError(str(error), number) from None
    last = reducer.picture
    judged = None if analysis is None else _judged(analysis, frames, find(last.game), Facts(lines))
    return {
        **head,
        "hands": lines.finished,
        "note": "unfinished" if not last.over else "void" if last.void is not None else None,
        "words": _words(),
        "frames": [*map(frame_of, frames)],
        "analysis": judged,
        "scores": [seat.score for seat in last.seats],
    }


def head_of(entry: Entry, picture: Picture) -> dict[str, Any]:
    """What a page is told of a match beside its frames, by the first entry of its record and the picture after it."""
    confinement = Confinement.of(entry)
    return {
        "game": picture.game,
        "title": in_all(lambda: picture.words.title),
        "names": [harmless(name) for name in entry["seats"]],
        "began": harmless(entry.get("began", ""), 40),
        "confined": confinement and in_all(confinement.said),
        "bears": picture.bears,
    }


def frame_of(frame: Frame) -> dict[str, Any]:
    """What a page is told of a frame, which has to be made of `masked` entries."""
    line = next(iter(frame.said), None)
    return {
        "step": _step(frame.step),
        "picture": _picture(frame.picture),
        "said": in_all(told, frame),
        "history": [line.tone, line.seat] if line and line.tone != "plain" else None,
    }


def sign(seat: int) -> str:
    """The sign for the name of a seat."""
    return chr(_FIRST + seat)


def masked(entry: Entry) -> Entry:
    """An entry of a record with a sign for each name, so that no sentence made of it has a stranger's text but in faults.

    The script puts the names in, each as a text of its own.
    """
    kind = kind_of(entry)
    if kind == "bullring":
        return {**entry, "seats": [sign(seat) for seat in range(len(entry["seats"]))]}
    if kind in ("fault", "end"):
        return {kind: {key: _without_signs(value) for key, value in entry[kind].items()}}
    return entry


def _named(text: str, names: Sequence[str]) -> str:
    """A sentence with the names of the seats."""
    return _SIGNS.sub(lambda found: names[ord(found[0]) - _FIRST], text)


def _without_signs(value: Any) -> Any:
    return _SIGNS.sub("?", value) if isinstance(value, str) else value


def _step(step: Step) -> dict[str, Any]:
    """A step without its board, which is in the picture, and without its sentences."""
    return {key: value for key, value in facts(step).items() if key not in ("board", "said", "answer", "text")}


def _picture(picture: Picture) -> dict[str, Any]:
    """The fields of a picture that pages draw. The seats are columns: {"score": [...], "left": [...]}."""
    seats = {name: [getattr(seat, name) for seat in picture.seats] for name in _SEAT}
    board = without_played(picture.board, [seat.cards for seat in picture.seats])
    return {**{name: getattr(picture, name) for name in _PICTURE}, "board": board, "seats": seats}


def without_played(board: Board, played: Sequence[Sequence[int]]) -> Board:
    """The board, on which no card lies in an open hand that this seat has just `played`."""
    return tuple(
        replace(
            part,
            hands=[
                [card for card in hand if card not in cards] for hand, cards in zip(part.hands, played, strict=True)
            ],
        )
        if isinstance(part, OpenHands)
        else part
        for part in board
    )


def _judged(analysis: Analysis, frames: list[Frame], game: type[Game[Any]], reasons: Facts) -> dict[str, Any]:
    """An analysis for the page: each choice with its options and reasons in words, and the number of the frame that shows it, among
    those in which something happens: matches on a shelf have no others."""
    shown: dict[int, int] = {}
    for at, frame in enumerate(frame for frame in frames if not isinstance(frame.step, Asked)):
        shown.setdefault(frame.line, at)
    playouts = [choice.playouts for choice in analysis.choices]
    return {
        "policy": harmless(analysis.method.policy, 20),
        "fewest": min(playouts, default=0),
        "most": max(playouts, default=0),
        "chances": [*(one.model_dump(include={"deal", "turn", "win", "errors"}) for one in analysis.chances)],
        "outcome": analysis.outcome,
        "turning": in_all(
            lambda: [
                [one.deal, one.turn, change, " ".join(happened)]
                for one, (change, *happened) in turning_points(analysis, frames)
            ]
        ),
        "accounts": [
            {**account.model_dump(exclude={"name"}), "told": account.parts.told._asdict()}
            for account in analysis.accounts
        ],
        "choices": [
            {
                **choice.model_dump(include={"seat", "chosen", "best", "cost_error"}),
                "heads": choice.expected,
                "cost": choice.lost,
                "at": shown[choice.line],
                "options": [
                    str(option) if _is_card(game, choice, option) else _in_words(game, choice, option)
                    for option in choice.options
                ],
                "why": in_all(_why, game, reasons.apart(choice)),
                "mark": choice.mark,
            }
            for choice in analysis.choices
            if choice.line in shown
        ],
    }


def _why(game: type[Game[Any]], facts: Mapping[int, Sequence[Reason]]) -> dict[int, str]:
    """What tells the choice and the best option apart, by its index."""
    return {option: wording(game).reasons(found) for option, found in facts.items()}


def _is_card(game: type[Game[Any]], choice: Choice, option: Option) -> bool:
    """Whether the number of the option says all: a card that is played."""
    shows = game.decision(choice.kind).shows
    return shows is not None and shows(option) == str(option)


def _in_words(game: type[Game[Any]], choice: Choice, option: Option) -> dict[str, str]:
    """An option in words, by language: "chooses row 3"."""
    return in_all(lambda: harmless(wording(game).told(choice.kind, option), 60))


def packed(text: str) -> str:
    """A text for a script to unpack: most frames are like the one before, so they become a thirtieth."""
    return b64encode(gzip.compress(text.encode(), mtime=0)).decode()


@cache
def _style(name: str) -> str:
    return (_HERE / f"{name}.css").read_text("utf-8")


@cache
def _script(source: str, *first: str) -> str:
    before, after = _SOURCES[source]
    drawing = _SCRIPTS if after else ()
    return enclosed(*first, *map(script, ("unpacking", *before, *drawing, *after)))


@cache
def script(name: str) -> str:
    """A part of the program of pages."""
    return (_HERE / "script" / f"{name}.js").read_text("utf-8")


def enclosed(*parts: str) -> str:
    """Parts of a program as one, whose names nobody else sees."""
    joined = "\n".join(parts)
    return f'"use strict";\n(async () => {{\n{joined}\n}})();\n'
