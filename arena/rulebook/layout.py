"""Which sentences make the rules of a game, section by section. Games that build on another one say what they change."""

from dataclasses import dataclass, replace

SECTIONS = (
    "about",
    "players",
    "cards",
    "deal",
    "turn",
    "place",
    "special",
    "score",
    "end",
    "options",
    "source",
    "rulings",
)
"""In the order in which they are read. Options and source are made from the game alone."""


@dataclass(frozen=True)
class Layout:
    """The names of the sentences in each section."""

    about: tuple[str, ...]
    players: tuple[str, ...]
    cards: tuple[str, ...]
    deal: tuple[str, ...]
    turn: tuple[str, ...]
    place: tuple[str, ...]
    score: tuple[str, ...]
    end: tuple[str, ...]
    rulings: tuple[str, ...]
    special: tuple[str, ...] = ()

    def section(self, name: str) -> tuple[str, ...]:
        """The sentences of this section."""
        keys: tuple[str, ...] = getattr(self, name)
        return keys


_TARGET = ("end.target", "end.winner")
_TARGET_RULINGS = ("ruling.target", "ruling.between", "ruling.ties")

STANDARD = Layout(
    about=("about.rows",),
    players=("players.range",),
    cards=("cards.deck", "cards.heads"),
    deal=("deal.hands", "deal.rows"),
    turn=("turn.hidden", "turn.ascending"),
    place=("place.end", "place.nearest", "place.full", "place.low", "place.low.open", "place.low.lowest"),
    score=("score.at_once",),
    end=("end.empty", "end.shuffle", *_TARGET),
    rulings=(*_TARGET_RULINGS, "ruling.shuffle"),
)

TACTICS = replace(
    STANDARD,
    about=("about.rows", "about.tactics"),
    cards=("cards.short", "cards.heads"),
    deal=("deal.hands", "deal.rows.last"),
    rulings=_TARGET_RULINGS,
)

LOGIC = replace(
    TACTICS,
    about=("about.rows", "about.logic"),
    players=("players.range", "players.start"),
    deal=("draft.open", "draft.laps", "draft.rows", "draft.every"),
    turn=("turn.hidden", "turn.ascending", "turn.known"),
    end=("end.empty", *_TARGET),
    rulings=("ruling.name.logic", "ruling.players.logic", "ruling.draft", "ruling.draft.start", *_TARGET_RULINGS),
)

TOURNAMENT = replace(
    LOGIC,
    about=("about.rows", "about.tournament"),
    deal=("draft.open", "draft.laps", "draft.rows", "draft.once", "draft.handed"),
    end=("end.empty", "end.sheet", "end.tournament", "end.winner"),
    rulings=("ruling.players.tournament", "ruling.draft", "ruling.same", "ruling.ties"),
)

PROFESSIONAL = replace(
    STANDARD,
    about=("about.rows", "about.professional"),
    place=("ends.grow", "ends.nearest", "ends.tie", "ends.full", "ends.within", "place.low.open", "ends.often"),
    rulings=("ruling.name.professional", "ruling.side", "ruling.within", *_TARGET_RULINGS, "ruling.shuffle"),
)

OPEN = replace(
    STANDARD,
    about=("about.rows", "about.open"),
    players=("players.range", "players.start"),
    cards=("cards.marker", "cards.heads"),
    turn=("turn.open", "turn.ascending", "turn.marker"),
    rulings=("ruling.players.open", "ruling.marker", *_TARGET_RULINGS, "ruling.shuffle"),
)

NIFTY = replace(
    STANDARD,
    about=("about.rows", "about.nifty"),
    turn=("turn.pair", "turn.pair.lowest", "turn.pair.next"),
    place=("place.end", "place.nearest", "place.full", "place.low", "place.low.often", "place.low.open"),
    rulings=("ruling.pair", *_TARGET_RULINGS, "ruling.shuffle"),
)

HAND = replace(
    STANDARD,
    about=("about.rows", "about.hand"),
    players=("players.range", "players.start"),
    turn=("turn.one", "turn.second"),
    place=("place.end", "place.nearest", "place.full", "place.low"),
    special=("keep.choice", "keep.limit", "keep.second"),
    score=("score.pile",),
    end=("end.lap", "end.refilled", "end.last_turn", "end.deals", "end.winner"),
    rulings=(
        "ruling.players.hand",
        "ruling.second",
        "ruling.keep",
        "ruling.last_turn",
        "ruling.one_deal",
        "ruling.ties",
    ),
)

DOUBLE = replace(
    STANDARD,
    about=("about.rows", "about.double"),
    cards=("cards.copies", "cards.heads"),
    deal=("deal.hands", "deal.rows.double", "deal.unused"),
    place=("place.end", "place.nearest", "place.full", "place.low", "place.low.open"),
    special=("twins.one", "twins.end", "twins.inside", "twins.together", "twins.share", "twins.chooser", "twins.own"),
    rulings=("ruling.twin", "ruling.chooser", "ruling.share", *_TARGET_RULINGS, "ruling.shuffle"),
)

ONLINE = replace(
    STANDARD,
    about=("about.rows", "about.online"),
    players=("players.exactly",),
    place=("place.end", "place.nearest", "place.full", "place.low.cheapest", "place.low.lowest"),
    end=("end.empty", "end.online", "end.winner"),
    rulings=("ruling.online", "ruling.ties"),
)

ELEVEN = Layout(
    about=("about.eleven",),
    players=("players.range", "players.start"),
    cards=("cards.deck", "cards.heads"),
    deal=("deal.hands", "eleven.stack", "eleven.ready"),
    turn=("eleven.first", "eleven.clockwise", "eleven.choice"),
    place=("eleven.fit", "eleven.circle", "eleven.take", "eleven.turned"),
    special=("eleven.bull", "eleven.several", "eleven.window", "eleven.sorted", "eleven.no_bull"),
    score=("eleven.score", "eleven.free"),
    end=("eleven.end", "eleven.stuck", "eleven.deals", "end.winner"),
    rulings=(
        "ruling.eleven.heads",
        "ruling.eleven.turned",
        "ruling.eleven.bull",
        "ruling.eleven.several",
        "ruling.eleven.no_bull",
        "ruling.eleven.stuck",
        "ruling.eleven.first",
        "ruling.eleven.deals",
        "ruling.eleven.open",
        "ruling.ties",
    ),
)

LAYOUTS = {
    "standard": STANDARD,
    "tactics": TACTICS,
    "logic": LOGIC,
    "tournament": TOURNAMENT,
    "professional": PROFESSIONAL,
    "open": OPEN,
    "nifty": NIFTY,
    "hand": HAND,
    "double": DOUBLE,
    "eleven": ELEVEN,
    "online": ONLINE,
}
"""By the id of the game."""
