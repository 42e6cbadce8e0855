"""The messages of the protocol, as models that define and document them. What bots say is checked by `judging`.

The tables of SPEC.md and the JSON Schema in `schema/` are generated from these models. Unknown keys are ignored in both
directions, so that either side can be newer than the other. Times are whole microseconds.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, TypeAdapter, model_validator

from bullring.protocol.judging import LARGEST, MOST_NUMBERS, MOST_TEXT

Microseconds = Annotated[StrictInt, Field(ge=0)]
Number = Annotated[StrictInt, Field(ge=-LARGEST - 1, le=LARGEST)]
Numbers = Annotated[list[Number], Field(max_length=MOST_NUMBERS)]
Option = Number | Annotated[StrictStr, Field(max_length=MOST_TEXT)] | Numbers
"""One legal answer: a whole number (a card, a row), a word, or a few numbers."""

Natural = Annotated[StrictInt, Field(ge=0, le=LARGEST)]


class Message(BaseModel):
    """A message: a map with a "type"."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Hello(Message):
    """The bot's first message, sent within the start limit. Its first byte determines the dialect of the session."""

    type: Literal["hello"]
    protocol: Annotated[StrictInt, Field(ge=1, le=1, description="The protocol version that the bot speaks.")]
    name: Annotated[StrictStr, Field(min_length=1, max_length=MOST_TEXT, description="The name the bot gives itself.")]
    version: Annotated[StrictStr, Field(max_length=MOST_TEXT, description="The bot's own version, any text.")] = ""


def _option_or_index(schema: dict[str, Any]) -> None:
    """Say in the JSON Schema of a choice that it has an option or an index, and that neither is null."""
    option, index = schema["properties"]["option"], schema["properties"]["index"]
    option["anyOf"].remove({"type": "null"})
    index |= index.pop("anyOf")[0]
    for part in (option, index):
        del part["default"]
    schema["anyOf"] = [{"required": ["option"]}, {"required": ["index"]}]


class Choice(Message):
    """The bot's answer to a decide, with the same id and one of its options, or the position of one."""

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra=_option_or_index)

    type: Literal["choice"]
    id: Annotated[Natural, Field(description="The id of the decide that this answers.")]
    option: Annotated[Option | None, Field(description="One of the options of that decide.")] = None
    index: Annotated[
        Natural | None,
        Field(description="Instead of `option`: its position among the options, from 0. Ignored beside an `option`."),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _option_counts(cls, message: Any) -> Any:
        """Ignore an index beside an option, like any key that bots had of their own before there was an index."""
        if isinstance(message, dict) and "option" in message and "index" in message:
            return {key: value for key, value in message.items() if key != "index"}
        return message

    @model_validator(mode="after")
    def _has_an_answer(self) -> Self:
        given = self.model_fields_set & {"option", "index"}
        if not given:
            raise ValueError('must have "option" or "index"')
        if self.option is None and self.index is None:
            raise ValueError(f'"{given.pop()}" must not be null')
        return self


class Limits(Message):
    """The time limits of the bot, in microseconds."""

    start_us: Annotated[Microseconds, Field(description="From the start of the process to its hello.")]
    card_us: Annotated[Microseconds, Field(description="For each decision of kind `card`.")]
    row_us: Annotated[Microseconds, Field(description="For each decision of kind `row`.")]
    other_us: Annotated[Microseconds, Field(description="For each decision of any other kind.")]
    bank_us: Annotated[
        Microseconds, Field(description="Reserve for the whole match, used by decisions that exceed their limit.")
    ]


class Welcome(Message):
    """A match begins."""

    type: Literal["welcome"] = "welcome"
    protocol: Annotated[Literal[1], Field(description="The protocol version that the referee speaks.")] = 1
    game: Annotated[str, Field(description="The id of the game, as in `bullring games`.")]
    options: Annotated[dict[str, bool | int | str | None], Field(description="All options of the game.")]
    seats: Annotated[int, Field(ge=2, description="The number of seats at the table.")]
    seat: Annotated[int, Field(ge=0, description="Your seat, from 0; the next higher seat is to your left.")]
    start: Annotated[int, Field(ge=0, description="The starting seat, for games in which one matters.")]
    limits: Limits
    clock: Annotated[
        Literal["core", "wall"],
        Field(description='"core": limits are time on a core of your own; "wall": they are plain time. See Clocks.'),
    ] = "wall"
    strikes: Annotated[int, Field(description="After this many faults the referee plays your seat.")]
    seed: Annotated[
        int, Field(ge=0, lt=2**53, description="A seed for your own random numbers; reveals nothing about the deals.")
    ]
    commitment: Annotated[str, Field(description="SHA-256 that binds the referee to the deals, in hexadecimal digits.")]


class Time(Message):
    """The clock of one decision, in microseconds."""

    limit_us: Annotated[Microseconds, Field(description="The limit of this decision, without the bank.")]
    bank_us: Annotated[Microseconds, Field(description="What is left of the bank; the deadline is limit plus bank.")]
    last_us: Annotated[
        Microseconds, Field(description="The time the referee measured for your last answer; 0 at first.")
    ]


class Decide(Message):
    """A question. The answer is a choice with the same id."""

    type: Literal["decide"] = "decide"
    kind: Annotated[str, Field(description='The kind of decision: "card", "row", ...')]
    events: Annotated[
        list[Mapping[str, Any]], Field(description="What happened since the last message you got, in order.")
    ]
    view: Annotated[dict[str, Any], Field(description="Everything you may know about the table: docs/games.md.")]
    options: Annotated[
        list[Option],
        Field(min_length=1, description="The legal answers. Each of them is always legal."),
    ]
    id: Annotated[Natural, Field(description="Repeat it in your choice. It is unpredictable.")]
    time: Time
    fault: Annotated[
        str | None, Field(description="Only after a fault of yours: what was wrong with your last answer.")
    ] = None


class MatchOver(Message):
    """The match has ended. A welcome to the next match or a bye follows."""

    type: Literal["match_over"] = "match_over"
    events: Annotated[list[Mapping[str, Any]], Field(description="The last events.")]
    scores: Annotated[list[int], Field(description="Total heads, by seat.")]
    ranks: Annotated[list[int], Field(description="Places from 1, by seat; ties share a place. Empty if void.")]
    void: Annotated[
        StrictBool, Field(description="True if the match does not count because the referee's machine failed.")
    ]


class Bye(Message):
    """No more matches: the bot should exit now. The referee closes its stdin as well."""

    type: Literal["bye"] = "bye"
    reason: Annotated[str, Field(description="The reason, in words.")]


FROM_BOT: TypeAdapter[Hello | Choice] = TypeAdapter(Annotated[Hello | Choice, Field(discriminator="type")])
"""All messages from a bot."""

FROM_REFEREE: TypeAdapter[Welcome | Decide | MatchOver | Bye] = TypeAdapter(
    Annotated[Welcome | Decide | MatchOver | Bye, Field(discriminator="type")]
)
"""All messages from the referee."""
