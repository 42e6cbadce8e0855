"""The rules of `standard` in words."""

from bullring.arena.games.rules.wording.shared import (
    ABOUT_ROWS,
    CARDS_DECK,
    CARDS_HEADS,
    DEAL_HANDS,
    END_EMPTY,
    END_TARGET,
    END_WINNER,
    PLACE_END,
    PLACE_FULL,
    PLACE_LOW,
    PLACE_LOW_LOWEST,
    PLACE_LOW_OPEN,
    PLACE_NEAREST,
    PLAYERS_RANGE,
    RULING_BETWEEN,
    RULING_SHUFFLE,
    RULING_TARGET,
    RULING_TIES,
    TURN_ASCENDING,
    TURN_HIDDEN,
)
from bullring.arena.games.rules.wording.text import Rules, Text

RULES = Rules(
    about=(ABOUT_ROWS,),
    box=(
        Text(
            "By Wolfgang Kramer; published by AMIGO in 1994. Ages 10 and up. A match takes about 45 minutes.",
            "Von Wolfgang Kramer; erschienen 1994 bei AMIGO. Ab 10 Jahren. Eine Partie dauert etwa 45 Minuten.",
        ),
    ),
    players=(PLAYERS_RANGE,),
    cards=(CARDS_DECK, CARDS_HEADS),
    deal=(
        DEAL_HANDS,
        Text(
            (
                "Turn up {rows} more cards, one below the other. Each of them begins a row. The remaining cards are "
                "not used in this deal."
            ),
            (
                "{rows} weitere Karten werden aufgedeckt und untereinander gelegt. Mit jeder beginnt eine Reihe. "
                "Der Rest wird in diesem Durchgang nicht gebraucht."
            ),
        ),
    ),
    turn=(TURN_HIDDEN, TURN_ASCENDING),
    place=(PLACE_END, PLACE_NEAREST, PLACE_FULL, PLACE_LOW, PLACE_LOW_OPEN, PLACE_LOW_LOWEST),
    score=(
        Text(
            (
                "The cards you have taken form a pile in front of you. They do not come back in this deal, and "
                "their heads count at once."
            ),
            (
                "Genommene Karten liegen im Hornochsenstapel vor ihrem Besitzer. In diesem Durchgang kommen sie "
                "nicht wieder, und ihre Hornochsen zählen sofort."
            ),
        ),
    ),
    end=(
        END_EMPTY,
        Text(
            "For the next deal, all cards are shuffled again.",
            "Für den nächsten Durchgang werden alle Karten neu gemischt.",
        ),
        END_TARGET,
        END_WINNER,
    ),
    examples=(
        Text(
            (
                "The rows end with 12, 37, 43 and 58, and the cards 14, 15, 44 and 61 are played. The 14 fits "
                "only after the 12, and the 15 goes after the 14. The 44 would fit in any of the first three "
                "rows; it goes to the third, after the 43, which is the nearest. The 61 goes after the 58."
            ),
            (
                "Die Reihen enden mit 12, 37, 43 und 58; gespielt werden 14, 15, 44 und 61. Die 14 passt nur "
                "hinter die 12, und die 15 kommt hinter die 14. Die 44 würde in die ersten drei Reihen passen; "
                "sie kommt in die dritte, hinter die 43, die am nächsten liegt. Die 61 kommt hinter die 58."
            ),
        ),
        Text(
            (
                "Next come 21, 26, 30 and 36. The 21 and the 26 fill the first row: 12 14 15 21 26. The 30 would "
                "be the sixth card, so its owner takes these five with their 6 heads, and the 30 begins the row "
                "anew. The 36 goes after the 30."
            ),
            (
                "Danach kommen 21, 26, 30 und 36. Mit 21 und 26 ist die erste Reihe voll: 12 14 15 21 26. Die 30 "
                "ist die sechste Karte, also nimmt ihr Besitzer diese fünf mit ihren 6 Hornochsen, und mit der 30 "
                "beginnt die Reihe von vorn. Die 36 kommt hinter die 30."
            ),
        ),
        Text(
            (
                "Next come 3, 9, 68 and 83. The 3 is lower than all four ends, which are 36, 37, 44 and 61. Its "
                "owner takes the second row, which is only the 37, for 1 head, and the 3 begins it anew. The 9 "
                "now fits after the 3, and the 68 and the 83 go after the 61."
            ),
            (
                "Danach kommen 3, 9, 68 und 83. Die 3 ist niedriger als alle Enden, nämlich 36, 37, 44 und 61. "
                "Ihr Besitzer nimmt die zweite Reihe, in der nur die 37 liegt, für 1 Hornochsen, und die Reihe "
                "beginnt mit der 3 von vorn. Dahinter passt nun die 9, und 68 und 83 kommen hinter die 61."
            ),
        ),
    ),
    tips=(
        Text(
            (
                "Look at the ends of all rows. If the third row ends with the 13 and the fourth, which is full, "
                "with the 14, then the 17 goes to the fourth row and takes it."
            ),
            (
                "Man achte auf die Enden aller Reihen. Endet die dritte mit der 13 und die vierte, die schon voll "
                "ist, mit der 14, dann muss eine 17 an die vierte und nimmt sie."
            ),
        ),
        Text(
            (
                "A row can change before your card is placed. The 22 looks safe after the 21; but if somebody "
                "plays a 9 that fits nowhere and takes that row, the 22 must go to another row, perhaps a full "
                "one."
            ),
            (
                "Eine Reihe kann sich ändern, bevor die eigene Karte dran ist. Eine 22 scheint hinter der 21 "
                "sicher; doch wenn jemand mit einer 9, die nirgends passt, diese Reihe nimmt, muss die 22 an "
                "eine andere, vielleicht an eine volle."
            ),
        ),
    ),
    rulings=(RULING_TARGET, RULING_BETWEEN, RULING_TIES, RULING_SHUFFLE),
)

FOR_BOTS = """\
There are 104 cards, numbered 1 to 104. Each has *heads*, which are penalty points:

| card | heads |
| --- | --- |
| 55 | 7 |
| other multiples of 11 | 5 |
| multiples of 10 | 3 |
| other cards that end in 5 | 2 |
| all others | 1 |

1. **Deal.** Every seat gets 10 cards, hidden from the others. Four more cards begin the four rows. The remaining cards are not
   used in this deal.
2. **Turn.** Every seat chooses a card (decision `card`), then all cards are revealed. They are placed one by one, the lowest
   first.
3. **Placing a card.** It goes to the end of a row whose last card is lower; if there are several, to the one whose last card is
   the highest.
4. **A full row.** If that row already has five cards, the owner of the new card takes these five, and the new card becomes the
   row.
5. **A low card.** If the last cards of all rows are higher, the owner chooses any row (decision `row`) and takes all its cards,
   and the new card becomes the row. Only the lowest card of a turn can be that low.
6. **Scores.** The heads of taken cards are added to the total at once. Taken cards do not come back in this deal.
7. **End of a deal:** after ten turns. All cards are shuffled for the next deal.
8. **End of the match:** after a deal, if a total is above the `target` (with `target_rule` `"reach"`, at or above it); or, if the
   option `deals` is a number, after that many deals.
"""
