"""The teacher: a sentence a turn, in every language, and true. What is told is checked against the events of the record."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from bullring.arena.games.rulebook.language import in_all, speaking
from bullring.arena.games.rules.board import Rows
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.lessons import Lesson, Seen, Turn
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.rows import CARD, RowGame, RowState
from bullring.arena.games.rules.stages import DealOver, Took
from bullring.arena.games.rules.table import nearest_ends
from bullring.arena.games.rules.variants.double import Double
from bullring.arena.games.rules.variants.eleven import Eleven
from bullring.arena.games.rules.variants.hand import Hand
from bullring.arena.games.rules.variants.professional import Professional
from bullring.arena.watching.picture.picture import Picture, SeatPicture
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.teacher import FORGETS, Teacher
from bullring.arena.watching.picture.teacher import taught as all_taught
from tests.arena.games.rules.golden import MATCHES, entries
from tests.arena.games.rules.playing import AnyGame
from tests.arena.games.rules.toy import Toy
from tests.arena.watching.picture import golden
from tests.arena.watching.picture.matches import TABLES, Told, taught

Placed = tuple[int, int, int, int, list[list[int]]]
"""A card as the record has it: seat, card, row, heads, and the rows before it."""

TOOK = {"sixth", "pushed", "low", "places", "within", "shared"}


class Truth:
    """The rows of a match as its events tell them, without the stages that lessons are made of."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []

    def placed(self, events: Sequence[Event]) -> Iterator[Placed]:
        """The cards placed in a turn."""
        for event in events:
            if event["type"] in ("deal", "rows") and "rows" in event:
                self.rows = [[*row] for row in event["rows"]]
            if event["type"] == "place":
                for seat, card, number, heads in event["placed"]:
                    yield seat, card, number, heads, [row.copy() for row in self.rows]
                    row = self.rows[number - 1]
                    if heads and row[0] != card:
                        row.clear()
                    row.insert(0 if row and card < row[0] else len(row), card)


@pytest.mark.parametrize("game", [game for game in TABLES if game != "eleven"])
def test_whatever_may_be_said_of_four_rows_is_true(game: str) -> None:
    for seats, options in TABLES[game]:
        for number in range(2):
            truth = Truth()
            for told in taught(game, seats, options, f"{game}-{number}"):
                placed = list(truth.placed(told.events))
                for lesson in told.lessons:
                    _check(lesson, told, placed)


def _check(lesson: Lesson, told: Told, placed: Sequence[Placed]) -> None:
    """Fails if a lesson says what the events do not."""
    values: Any = lesson.values
    if lesson.rule in ("target", "deals", "sheet"):
        (over,) = [event for event in told.events if event["type"] == "deal_over"]
        scores = over["scores"]
        assert values["best"] == min(scores)
        assert {seat for seat, score in enumerate(scores) if score == min(scores)} == {*values["winners"]}
        if lesson.rule == "target":
            assert scores[values["name"]] == values["score"] == max(scores)
        return
    laid = [(event["seat"], event["card"]) for event in told.events if event["type"] == "lay"]
    opened = [event["rows"] for event in told.events if event["type"] in ("deal", "rows") and event.get("rows")]
    match lesson.rule:
        case "marker":
            assert laid[0][0] == values["name"]
            assert (values["name"] + 1) % len(told.frame.picture.seats) == values["next"]
        case "last":
            assert laid[-1] == (values["name"], values["card"])
        case "begins" | "rest" | "moved":
            assert [*values["cards"]] == [row[0] for row in opened[-1]]
        case "higher" | "lower" | "second" | "fresh":
            at = [one[:2] for one in placed].index((values["name"], values["first"]))
            assert placed[at + 1][:2] == (values["name"], values["second"])
            assert lesson.rule not in ("higher", "lower") or (values["first"] > values["second"]) == (
                lesson.rule == "higher"
            )
        case "draft" | "secret":
            assert (values["name"], values["card"]) in [
                (event["seat"], event["card"]) for event in told.events if event["type"] == "draft"
            ]
    if "place" not in values or "card" not in values or not placed:
        return
    own = [(at, one) for at, one in enumerate(placed) if one[:3] == (values["name"], values["card"], values["place"])]
    assert own, (lesson, placed)
    at, (_, card, number, heads, rows) = own[0]
    row = rows[number - 1]
    before = [one for one in placed[:at] if one[2] == number]
    assert bool(heads) == (
        lesson.rule in TOOK or (lesson.rule == "side" and bool(values["heads"])) or "keep" in lesson.rule
    )
    assert values["heads"] == heads or lesson.rule == "keep"
    lower = sorted({one[-1] for one in rows if one[-1] < card})
    distances = sorted(
        (abs(end - card), end)
        for one in rows
        for end in [one[0] if card < one[0] else one[-1]]
        if not one[0] < card < one[-1]
    )
    match lesson.rule:
        case "nearest":
            assert [*values["ends"]] == lower
            assert row[-1] == values["end"] == lower[-1]
            assert (values["difference"], values["more"]) == (card - lower[-1], card - lower[-2])
        case "only":
            assert lower == [values["end"]] == [row[-1]]
        case "low":
            assert lower == []
        case "within":
            assert distances == []
        case "sixth":
            assert len(row) == 5
            assert values["end"] in (row[0], row[-1])
        case "places":
            assert len({*row}) == 5 < len(row) == values["count"]
        case "pushed":
            assert [*values["cards"]] == list(dict.fromkeys(one[1] for one in before))
            assert values["room"] == 5 - len({*before[0][4][number - 1]})
            assert all(other < card for other in values["cards"])
        case "filled":
            assert len({*row, card}) == 5 > len({*row})
        case "renewed":
            assert row == [values["end"]]
            assert (values["other"], values["end"]) in [one[:2] for one in before if one[3]]
        case "left" | "right":
            assert (values["difference"], values["end"]) == distances[0]
            assert (values["more"], values["other"]) == distances[1]
            assert (card < row[0]) == (lesson.rule == "left")
        case "side":
            assert {values["end"], values["other"]} == {end for distance, end in distances[:2]}
            assert distances[0][0] == distances[1][0] == values["difference"]
            assert number - 1 in nearest_ends(rows, card)
        case "twin":
            assert row[-1] == card
        case "together" | "shared":
            assert (values["other"], card, number, heads) in [one[:4] for one in placed]
        case "counted":
            assert {*range(row[-1] + 1, card)} <= told.seen
            assert not before


def test_cards_that_went_to_one_row_one_after_the_other_did() -> None:
    found = 0
    for game, number in [(game, number) for game in ("standard", "professional", "double") for number in range(4)]:
        seats, options = TABLES[game][0]
        truth = Truth()
        for told in taught(game, seats, options, f"{game}-{number}"):
            placed = list(truth.placed(told.events))
            for lesson in told.lessons:
                values: Any = lesson.values
                if lesson.rule == "several":
                    cards = [card for _, card, place, _, _ in placed if place == values["place"]]
                    at = cards.index(values["cards"][0])
                    assert tuple(cards[at : at + len(values["cards"])]) == values["cards"]
                    found += 1
                elif lesson.rule == "order":
                    assert [card for _, card, *_ in placed] == sorted(values["cards"])
    assert found


def test_whatever_may_be_said_of_stacks_is_true() -> None:
    for seats, options in TABLES["eleven"]:
        stacks: list[list[int]] = []
        for told in taught("eleven", seats, options, "eleven-0"):
            before = [stack.copy() for stack in stacks]
            took = None
            bulls = []
            for event in told.events:
                match event["type"]:
                    case "deal":
                        stacks = before = [[*stack] for stack in event["stacks"]]
                    case "lay":
                        base = before[event["stack"] - 1][-1]
                        stack = stacks[event["stack"] - 1]
                        laid = [*stack[stack.index(base) + 1 :], event["card"]]
                        stack[stack.index(base) + 1 :] = sorted(laid, key=lambda card: (card - base) % 100)
                    case "take":
                        took = event
                        assert stacks.pop(event["stack"] - 1) == event["cards"]
                        stacks += [[card] for card in event["turned"]]
                    case "bull":
                        bulls.append(event)
            for lesson in told.lessons:
                values: Any = lesson.values
                if lesson.rule in ("lay", "around"):
                    assert before[values["place"] - 1][-1] == values["top"]
                    assert (values["card"] - values["top"]) % 100 == values["step"] <= 10
                    assert (values["card"] < values["top"]) == (lesson.rule == "around")
                elif lesson.rule == "same":
                    assert stacks[values["place"] - 1][-1] == values["highest"]
                elif lesson.rule in ("take", "bull", "no_bull", "too_few", "bull_from"):
                    assert took is not None
                    assert (took["seat"], took["stack"], len(took["cards"])) == (
                        values["name"],
                        values["place"],
                        values["count"],
                    )
                    assert took["turned"] == [*values["cards"]]
                    assert len(bulls) == (
                        lesson.rule in ("bull", "bull_from") or (lesson.rule == "take" and len(bulls))
                    )


def test_what_is_kept_and_what_counts_is_that_of_the_record() -> None:
    for told in taught("hand", 3, {}, "hand-1"):
        kept = [event for event in told.events if event["type"] == "keep"]
        for lesson in told.lessons:
            values: Any = lesson.values
            if lesson.rule == "keep":
                assert (values["name"], [*values["cards"]], values["heads"]) in [
                    (event["seat"], event["cards"], event["heads"]) for event in kept
                ]
            elif lesson.rule == "fresh":
                assert values["second"] in kept[0]["cards"]


@pytest.mark.parametrize("match", MATCHES)
def test_a_turn_has_one_sentence_with_its_names_in_every_language(match: str) -> None:
    reducer = Reducer()
    frames = [frame for entry in entries(*MATCHES[match], file=match) for frame in reducer.feed(entry)]
    told = in_all(all_taught, frames, reducer.replay.game)
    turns = sum(frame.picture.turn != before.picture.turn for before, frame in pairwise(frames))
    for sentences in told.values():
        said = [one for one in sentences if one]
        assert len(said) > turns
        assert len({*said}) >= 0.9 * len(said)
        assert all(one.endswith(".") for one in said)
    for versions in zip(*told.values(), strict=True):
        assert versions == (None,) * len(told) or (None not in versions and len({*versions}) == len(told))


def test_the_own_seat_is_taught_before_others() -> None:
    reducer = Reducer()
    frames = [frame for entry in entries(*MATCHES["standard"], file="standard") for frame in reducer.feed(entry)]
    about = [
        sum("bot C" in (said or "") for said in all_taught(frames, reducer.replay.game, seat)) for seat in (None, 2)
    ]
    assert about[1] > about[0]


def test_the_same_is_not_told_all_the_time() -> None:
    for game in ("standard", "hand", "eleven"):
        seats, options = TABLES[game][0]
        rules = [told.chosen.rule for told in taught(game, seats, options, f"{game}-0") if told.chosen]
        for at in range(len(rules) - FORGETS):
            assert len({*rules[at : at + FORGETS]}) > 1


def test_a_game_without_lessons_is_told_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", Toy)
    sentences = [told.sentence for told in taught("toy", 3, {}, "toy")]
    assert any("bids most" in (said or "") for said in sentences)
    with speaking("de"):
        german = [told.sentence for told in taught("toy", 3, {}, "toy")]
    assert any("Durchgang 1 ist zu Ende" in (said or "") for said in german)


def test_whoever_joins_later_is_taught_from_the_next_turn_on() -> None:
    reducer = Reducer()
    frames = [frame for entry in entries(*MATCHES["standard"], file="standard") for frame in reducer.feed(entry)]
    (middle, *_) = [at for at, frame in enumerate(frames) if frame.picture.turn == 3 and frame.picture.seats[0].cards]
    teacher = Teacher(reducer.replay.game)
    said = [(frame.picture.turn, one) for frame in frames[middle:] if (one := teacher.feed(frame))]
    turn, first = said[0]
    assert turn == 5
    assert "49" in first
    assert len(said) == sum(turn > 0 for turn, _ in said) >= 10


def test_a_void_match_ends_without_a_lesson() -> None:
    head, deal, *_ = entries(*MATCHES["standard"], file="standard")
    reducer = Reducer()
    end = {"end": {"seed": "x", "nonce": "y", "scores": [0, 0, 0], "ranks": [], "void": "the machine"}}
    frames = [frame for entry in (head, deal, end) for frame in reducer.feed(entry)]
    teacher = Teacher(reducer.replay.game)
    assert [teacher.feed(frame) for frame in frames][-1] is None


def test_whoever_takes_cards_is_told_what_could_be_seen_before() -> None:
    seat = 1
    reducer = Reducer()
    told: dict[tuple[int, int], str] = {}
    took = set()
    teacher: Teacher | None = None
    turn = (0, 0)
    for entry in entries(*MATCHES["standard"], file="standard"):
        state = reducer.replay.state if reducer.replay.head else None
        if teacher is not None and state is not None and isinstance(state.pending, Batch) and "answers" in entry:
            asked = state.pending.seats
            if seat in asked:
                option = entry["answers"][asked.index(seat)]
                teacher.chose(reducer.replay.game.view(state, seat), state.pending.kind, option)
        for frame in reducer.feed(entry):
            teacher = teacher or Teacher(reducer.replay.game, seat)
            if (sentence := teacher.feed(frame)) is not None:
                told[turn] = f"{told.get(turn, '')} {sentence}"
            turn = (frame.picture.deal, frame.picture.turn)
            if isinstance(frame.step, Took) and frame.step.seat == seat:
                took.add(turn)
    assert took
    for at, sentence in told.items():
        assert ("What could be seen before: " in sentence) == (at in took)
        assert not sentence.endswith(": .")


def test_names_are_those_of_the_picture() -> None:
    head, *rest = entries(*MATCHES["standard"], file="standard")
    reducer = Reducer()
    frames = [frame for entry in ({**head, "seats": ["Ann", "Ben", "Cid"]}, *rest) for frame in reducer.feed(entry)]
    said = [one for one in all_taught(frames, reducer.replay.game) if one]
    assert any("Ann's" in one for one in said)
    assert not any("bot" in one or "{" in one for one in said)


def _said(game: AnyGame, *seen: Seen, number: int = 1, over: bool = False) -> dict[str, list[str]]:
    """All ways in which a turn may be told, in English and German, by rule."""
    names = Picture(seats=(SeatPicture("Ann"), SeatPicture("Ben"), SeatPicture("Cid")))
    turn = Turn(game, number, seen, over=over)
    return {
        lesson.rule: [said for way in golden.all_ways(type(game), lesson, names) for said in way[:2]]
        for lesson in game.lessons.of(turn)
    }


def test_what_is_rare_is_told() -> None:
    left = DealOver(1, (3, 4, 5), (9, 4, 5), ((1, 2), (3,), (4,)))
    assert "no stack left" in _said(Eleven(3), Seen((), left))["ends"][0]
    assert _said(Eleven(3), Seen((), left), over=True)["ends"][0].endswith("win: Ben (4 heads).")
    assert "more than 20 cards" in _said(Hand(3), Seen((), left))["ends"][0]
    assert "mehr als 20 Karten" in _said(Hand(3), Seen((), left), over=True)["ends"][1]
    assert "100 turns" in _said(Hand(3), Seen((), left), number=100)["ends"][0]

    rows = Rows([[10, 20, 30, 40, 50], [60], [90], [100]], [15, 3, 3, 3], 5)
    took = Took(1, 55, 1, (10, 20, 30, 40, 50), 15)
    assert _said(Professional(3), Seen((rows,), took))["side"] == [
        "Ben's 55 is as near to the 50 as to the 60 (difference 5), and Ben chooses row 1, which is full: 15 heads.",
        "Die 55 von Ben ist von der 50 und der 60 gleich weit entfernt (Differenz 5), und Ben wählt Reihe 1, die voll ist:"
        " 15 Hornochsen.",
    ]
    twins = (Seen((rows,), Took(0, 5, 2, (60,), 2)), Seen((rows,), Took(2, 5, 2, (), 2)))
    assert _said(Double(3), *twins) == {
        "shared": [
            "Ann and Cid both played the 5, which fits nowhere: Ann chooses row 2 for both, and each gets half of its heads,"
            " rounded up (2 heads).",
            "Ann und Cid haben beide die 5 gespielt, die nirgends passt: Ann sucht für beide Reihe 2 aus, und jeder bekommt die"
            " Hälfte ihrer Hornochsen, aufgerundet (2 Hornochsen).",
        ],
        "order": [
            "The cards are placed from the lowest to the highest: 5 and 5.",
            "Angelegt wird von der niedrigsten Karte bis zur höchsten: 5 und 5.",
        ],
    }


def test_a_game_without_row_choices_never_teaches_one() -> None:
    class Unasked(RowGame[RowState]):
        id = "unasked"
        seat_range = (3, 3)
        decisions = (CARD,)

    rows = Rows([[10], [20], [30], [40]], [3, 3, 3, 3], 5)
    for took in (Took(1, 5, 1, (10,), 3), Took(1, 5, 3, (30,), 3)):
        (said,) = [said for rule, said in _said(Unasked(3), Seen((rows,), took)).items() if rule == "low"]
        assert said == [
            "Ben's 5 is lower than the last card of every row and fits nowhere; nobody chooses here, and Ben gets row"
            f" {took.place} (3 heads).",
            "Die 5 von Ben ist niedriger als die letzten Karten aller Reihen und passt nirgends; hier wählt niemand, und Ben"
            f" bekommt Reihe {took.place} (3 Hornochsen).",
        ]
