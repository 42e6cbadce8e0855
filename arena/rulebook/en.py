"""The rules in English. No figures stand here but in the names of games: they come from the facts."""

from arena.rulebook.language import Language

SECTIONS = {
    "about": "What it is about",
    "players": "Players",
    "cards": "Cards and heads",
    "deal": "The beginning of a deal",
    "turn": "A turn",
    "place": "Where a card goes",
    "special": "What is special",
    "score": "Counting heads",
    "end": "The end of a deal and of the match",
    "options": "Options",
    "source": "Source",
    "rulings": "How open questions are decided here",
}

ABOUT = {
    "about.rows": (
        "Cards are placed in {rows} rows. Whoever has to take a row gets its cards, and each head on them is a "
        "penalty point. The fewest heads win."
    ),
    "about.tactics": (
        "In this game no card is left over: every one is in a hand or on the table. So it pays to remember which "
        "cards are gone."
    ),
    "about.logic": (
        "In this game the players pick their hands from open cards. Everybody knows all hands, and all that is secret "
        "is which card comes next."
    ),
    "about.tournament": (
        "In this game everybody plays every hand once. The hands are picked from open cards at the beginning, and "
        "then go round the table."
    ),
    "about.professional": "In this game rows grow at both ends.",
    "about.open": (
        "In this game cards are played face up, one player after the other, so those who come later see what the "
        "others do."
    ),
    "about.nifty": "In this game everybody plays {pair} cards at a time, and says which of them is placed first.",
    "about.hand": (
        "In this game a card is placed as soon as it is played, and cards of a row one has taken may go to the hand. "
        "But a card that is still in hand at the end costs twice its heads."
    ),
    "about.double": "In this game there are twins: cards of the same number, which lie on each other.",
    "about.online": (
        "This is the game as an early online version played it: one person against programs, a single deal, and "
        "nobody chooses a row."
    ),
    "about.eleven": (
        "The hand must go. Cards are laid on stacks, always a little higher than the top. To take a stack costs "
        "nothing at first, but when the deal ends, each head on the cards in hand is a penalty point. The fewest "
        "heads win."
    ),
}

TABLE = {
    "players.range": "From {players}.",
    "players.exactly": "Always {players}.",
    "players.start": "One of them is the starting player.",
    "cards.deck": "The deck has the cards {cards}, one of each.",
    "cards.short": (
        "Only as many cards are used as are needed: {each} for each player, and {more} for the rows. {some_players} "
        "players use the cards {some_cards}. Higher cards are put aside."
    ),
    "cards.marker": (
        "The deck has the cards {cards}, one of each. The {marker} is not played; it marks the player who is the "
        "first in a turn."
    ),
    "cards.copies": "The deck has the cards {cards}, {copies} of each.",
    "cards.heads": "Every card bears heads, which are the penalty points:",
    "deal.hands": "The cards are shuffled. Everybody gets {hand} of them, which nobody else may see.",
    "deal.rows": (
        "{rows} more cards are turned up, one below the other. Each of them begins a row. The rest is not used in "
        "this deal."
    ),
    "deal.rows.last": "The last {rows} cards are turned up, one below the other. Each of them begins a row.",
    "deal.rows.double": (
        "More cards are turned up for the rows. A card that is not yet there begins a row, and a twin is put on the "
        "card it equals, until there are {rows} rows."
    ),
    "deal.unused": "The rest is not used in this deal.",
    "draft.open": "Nothing is shuffled or dealt: all cards lie open on the table.",
    "draft.laps": (
        "The starting player takes one of them, then the player to the left, and so on, lap after lap, until "
        "everybody has {hand} cards. Everybody sees who takes what."
    ),
    "draft.rows": (
        "The {rows} cards that nobody has taken begin the rows, the lowest one at the top, the highest one at the "
        "bottom."
    ),
    "draft.every": "Every deal begins in this way.",
    "draft.once": (
        "This is done once. The hands and the beginnings of the rows are written down, and used again in all deals."
    ),
    "draft.handed": (
        "After each deal every hand is given back as it was, but to the player on the left of the one who has just "
        "played it. The rows begin with the same cards."
    ),
}

TURNS = {
    "turn.hidden": "Everybody secretly chooses a card of the hand. When all have chosen, the cards are shown together.",
    "turn.known": "The hands are no secret, but the choice is.",
    "turn.ascending": "Then the cards are placed one after the other, from the lowest to the highest.",
    "turn.open": (
        "The player with the marker plays a card face up. Then the others do the same, clockwise, and each of them "
        "sees what was played before."
    ),
    "turn.marker": (
        "The starting player has the marker first. After every turn it goes to the player on the left, also after the "
        "last turn of a deal."
    ),
    "turn.pair": (
        "Everybody secretly chooses {pair} cards of the hand. When all have chosen, the cards are shown together."
    ),
    "turn.pair.lowest": (
        "The owner of the lowest card begins: both cards of this player are placed, one right after the other. Which "
        "of them goes first the owner says now, not before."
    ),
    "turn.pair.next": (
        "Then, among the players whose cards still wait, the owner of the lowest one is next, until all cards have "
        "their place."
    ),
    "turn.one": (
        "The players move one after the other, clockwise, and the starting player is the first in every turn. A turn "
        "is over when everybody has moved."
    ),
    "turn.second": (
        "Whoever moves plays a card of the hand face up, and places it at once. After that the player may stop, or "
        "play one more card in the same way."
    ),
    "place.end": "A card is put at the end of a row whose last card is lower. So the numbers in a row rise.",
    "place.nearest": (
        "If there are several such rows, it goes to the one whose last card is the highest, and so the nearest."
    ),
    "place.full": (
        "A row is full with {row_limit} cards. If a card has to go to a full row, its owner takes these {row_limit} "
        "cards, and the new card begins the row again."
    ),
    "place.low": (
        "A card that is lower than the last card of each row fits nowhere. Its owner chooses any row and takes all "
        "its cards, and the low card begins this row again."
    ),
    "place.low.open": "Whoever chooses a row knows all cards of the turn, and where those before went.",
    "place.low.lowest": "Only the lowest card of a turn can fit nowhere: once it lies, it is the end of a row.",
    "place.low.often": "This can happen several times in a turn.",
    "place.low.cheapest": (
        "A card that is lower than the last card of each row fits nowhere. Its owner takes the row with the fewest "
        "heads, and of equal ones the topmost, without a choice. The low card begins this row again."
    ),
    "ends.grow": (
        "Cards are put at both ends of a row: lower ones on the left of its first card, higher ones on the right of "
        "its last. So the numbers in a row rise from left to right."
    ),
    "ends.nearest": (
        "A card can go to the right end of a row whose last card is lower, and to the left end of a row whose first "
        "card is higher. It must go to the nearest of these ends, where the difference between it and the card at the "
        "end is the smallest."
    ),
    "ends.tie": (
        "If a left end and a right end of another row are at the same distance, the owner of the card chooses one of "
        "them."
    ),
    "ends.full": (
        "A row is full with {row_limit} cards. If a card has to go to either end of a full row, its owner takes these "
        "{row_limit} cards, and the new card begins the row again."
    ),
    "ends.within": (
        "A card fits nowhere if its number lies between the first and the last card of every row. Its owner chooses "
        "any row and takes all its cards, and the new card begins this row again."
    ),
    "ends.often": "The choice between two ends can come up several times in a turn.",
}

SPECIAL = {
    "keep.choice": (
        "Whoever takes a row decides for each of its cards: it goes to the hand, or to the pile. All to the hand or "
        "all to the pile is allowed, too. What is in a pile stays there."
    ),
    "keep.limit": (
        "Cards may go to the hand only as long as it then has no more than {most_in_hand} cards. The card just played "
        "does not count as one of the hand any more."
    ),
    "keep.second": "The second card of a move may be one that has come to the hand with the first one.",
    "twins.one": (
        "Twins that lie on each other in a row count as one when it comes to the {row_limit} cards of a full row. "
        "Their heads count one by one."
    ),
    "twins.end": (
        "A card that equals the last card of a row is put on it. Nobody takes anything, even if the row is full."
    ),
    "twins.inside": "A twin elsewhere in a row has no meaning. The card is placed like any other.",
    "twins.together": (
        "If two players play the same number in the same turn, both cards are placed together, as if they were one."
    ),
    "twins.share": (
        "If a row has to be taken for these two cards, both players take it together: each of them gets half of its "
        "heads, rounded up. The two cards begin the row again."
    ),
    "twins.chooser": (
        "If they fit nowhere, only one of the two players chooses the row: in the first turn of a deal the first one "
        "in the order of the seats, and with each turn this count begins one seat further, clockwise."
    ),
    "twins.own": "Whoever holds both twins plays one of them at a time.",
}

ELEVEN = {
    "eleven.stack": "One more card is turned up and begins the first stack. The rest is the deck, face down.",
    "eleven.ready": "{bulls} bulls, which are cards without number and heads, lie ready; nobody has one.",
    "eleven.first": (
        "The starting player begins the first deal. Every other deal is begun by the player with the most heads in "
        "all; of equals by the first one, counted clockwise from the player who began the deal before, who is counted "
        "as well."
    ),
    "eleven.clockwise": "The players move one after the other, clockwise.",
    "eleven.choice": (
        "A move is one of two: laying a card on a stack, or taking a stack. It is allowed to take one even if a card "
        "fits."
    ),
    "eleven.fit": "A card fits on a stack if it is higher than the card on top, by {reach} at most.",
    "eleven.circle": "After {highest} the numbers begin again with {lowest}: on a {top} fit {fitting}.",
    "eleven.take": "Whoever takes a stack puts all its cards in the hand.",
    "eleven.turned": (
        "Then {turned} cards of the deck are turned up (or as many as are left), and each of them begins a new stack."
    ),
    "eleven.bull": (
        "Whoever takes a stack of {bull_size} or more cards gets a bull, and keeps it to the end of the deal, unless "
        "another player gets it. One may have several."
    ),
    "eleven.several": (
        "Without a bull a player lays one card in a move. With bulls one may lay on as many stacks as one has bulls, "
        "any number of cards on each, and stop after any card. The bulls are not used up."
    ),
    "eleven.window": (
        "All these cards must fit on the card that was on top before the move. To build on a card just laid is not "
        "allowed."
    ),
    "eleven.sorted": (
        "The cards on a stack are put in order, in whatever order they were laid: the one farthest from the old top "
        "is the new top."
    ),
    "eleven.no_bull": (
        "If all {bulls} bulls are with players, the bull comes from another player who has the most; if there are "
        "several, the taker chooses one. A player who alone has the most gets none."
    ),
    "eleven.score": "When the deal ends, everybody counts the heads on the cards in hand.",
    "eleven.free": "Bulls cost nothing, and are put back.",
    "eleven.end": "A deal ends at once when somebody's hand is empty.",
    "eleven.stuck": "It also ends when it is a player's turn to move and there is no stack to lay on or to take.",
    "eleven.deals": "A match has as many deals as players, unless the option deals says otherwise.",
}

END = {
    "score.at_once": (
        "Cards that one has taken lie in a pile in front of their owner. They do not come back in this deal, and "
        "their heads count at once."
    ),
    "score.pile": (
        "When the deal ends, everybody counts the heads in the own pile once, and those of the cards still in hand "
        "twice."
    ),
    "end.empty": "A deal ends after {turns} turns, when all hands are empty.",
    "end.shuffle": "For the next deal all cards are shuffled again.",
    "end.target": (
        "After each deal the heads of all deals are added up. When somebody has more than {target}, the match is "
        "over. If the option deals sets a number of deals, it ends after these instead."
    ),
    "end.winner": "The player with the fewest heads in all wins. Players with equally many share their place.",
    "end.sheet": "How many heads each player took with each hand is noted on a score sheet.",
    "end.tournament": (
        "The match is over when everybody has played every hand, so after as many deals as there are players."
    ),
    "end.online": "The match is over after one deal.",
    "end.lap": (
        "A deal ends after a turn in which a hand has become empty, or a pile has grown to more than {most_in_pile} "
        "cards. The turn is played to its end first."
    ),
    "end.refilled": "A hand that was empty for a moment and got cards of a row in the same move is not empty.",
    "end.last_turn": "At the latest, a deal ends after {last_turn} turns.",
    "end.deals": "How many deals make a match says the option deals; if nobody sets it, {deals}.",
}

RULINGS = {
    "ruling.target": (
        "Printed rules do not agree whether the match ends at the target or above it. The option target_rule decides."
    ),
    "ruling.between": "Nobody looks at the target during a deal.",
    "ruling.ties": "There is no tie-break.",
    "ruling.shuffle": "Cards that were not used are shuffled in with all others, and not dealt first.",
    "ruling.name.logic": (
        "The first edition calls this game its professional variant. The game that is called professional here is "
        "another one."
    ),
    "ruling.name.professional": (
        "The professional variant of the first edition is another game, which is called logic here."
    ),
    "ruling.players.logic": (
        "The German text of the first edition names fewer players. The cards are enough for more, so more may play."
    ),
    "ruling.players.tournament": "The printed score sheet has no room for more players.",
    "ruling.players.open": "For one more player there would be a card too few, as the {marker} is missing.",
    "ruling.players.hand": "No number of players is printed; for one more there would be too few cards.",
    "ruling.draft": "All laps of a draft go in the same direction, and the rows begin with ascending cards.",
    "ruling.draft.start": "Each draft begins at the same starting player.",
    "ruling.same": "The same cards begin the rows in every deal.",
    "ruling.side": (
        "What happens at equal distances is not printed; that the owner chooses is the custom of another program."
    ),
    "ruling.within": "To fit nowhere means to lie between both ends of all rows.",
    "ruling.marker": (
        "The marker goes on from one deal to the next. The option reset_marker gives it back to the starting player."
    ),
    "ruling.pair": (
        "The lowest card is sought among those that wait, and the order of the own cards is chosen last, not when "
        "they are played."
    ),
    "ruling.second": (
        "Whether there is a second card is decided after the first one is placed. The option "
        "second_from_original_hand says that it may not be one just taken."
    ),
    "ruling.keep": "Everybody sees which cards go to a hand.",
    "ruling.last_turn": "The limit of turns is set here, since cards could go round forever.",
    "ruling.one_deal": "No target is printed for this game.",
    "ruling.twin": "That nobody takes a full row with a twin on its last card follows from the rule for twins.",
    "ruling.chooser": "Who of two owners chooses the row is not printed.",
    "ruling.share": "As halves are rounded up, both together may get one head more than the row had.",
    "ruling.online": "Nothing is said of further deals, so there is one.",
    "ruling.eleven.heads": (
        "No rulebook lists the heads of the cards. They are taken from a public program that shows the cards."
    ),
    "ruling.eleven.turned": (
        "How many new stacks there are after one was taken differs from text to text; most of them agree with this."
    ),
    "ruling.eleven.bull": "For how large a stack there is a bull differs, too.",
    "ruling.eleven.several": (
        "Several cards need not follow each other: only the old top matters, also across the end of the numbers."
    ),
    "ruling.eleven.no_bull": (
        "What happens if the taker has the most bulls is not printed: a taker who shares the most gets one from the "
        "others who do."
    ),
    "ruling.eleven.stuck": "What happens if no card is left to turn up, or no stack to take, is not printed.",
    "ruling.eleven.first": "Who has the most heads is counted over all deals so far.",
    "ruling.eleven.deals": "Another number of deals is printed in some places; the option deals sets any.",
    "ruling.eleven.open": "Stacks may be looked through, and everybody knows which cards a player has taken with them.",
}

ENGLISH = Language(
    code="en",
    sections=SECTIONS,
    text={**ABOUT, **TABLE, **TURNS, **SPECIAL, **ELEVEN, **END, **RULINGS},
    words={
        "to": "to",
        "or": "or",
        "head": "head",
        "heads": "heads",
        "others": "all others",
        "unset": "not set",
        "number": "a whole number from {minimum} to {maximum}",
        "switch": "true or false",
        "option": "{what}. Values: {values}. Default: {default}.",
        "how": "Set them with --option NAME=VALUE, when you play a match.",
        "none": "There are none.",
    },
    titles={},
    sources={},
    options={},
)
