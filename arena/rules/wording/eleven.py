"""The rules of `eleven` in words."""

from bullring.arena.rules.wording.shared import (
    CARDS_DECK,
    CARDS_HEADS,
    DEAL_HANDS,
    END_WINNER,
    PLAYERS_RANGE,
    PLAYERS_YOUNGEST,
    RULING_TIES,
)
from bullring.arena.rules.wording.text import Rules, Text

RULES = Rules(
    about=(
        Text(
            (
                "The hand must go. Cards are laid on stacks, always a little higher than the top. To take a stack "
                "costs nothing at first, but when the deal ends, each head on the cards in hand is a penalty "
                "point. The fewest heads win."
            ),
            (
                "Die Handkarten müssen weg. Man legt sie auf Stapel, immer ein wenig höher als die oberste Karte. "
                "Einen Stapel zu nehmen kostet zunächst nichts, aber am Ende des Durchgangs ist jeder Hornochse "
                "auf den Handkarten ein Minuspunkt. Es gewinnt, wer die wenigsten Hornochsen hat."
            ),
        ),
    ),
    box=(
        Text(
            "By Wolfgang Kramer; published by AMIGO in 2010. From 8 years. A match takes about 30 minutes.",
            "Von Wolfgang Kramer; erschienen 2010 bei AMIGO. Ab 8 Jahren. Eine Partie dauert etwa 30 Minuten.",
        ),
    ),
    players=(PLAYERS_RANGE, PLAYERS_YOUNGEST),
    cards=(CARDS_DECK, CARDS_HEADS),
    deal=(
        DEAL_HANDS,
        Text(
            "One more card is turned up and begins the first stack. The rest is the deck, face down.",
            (
                "Eine weitere Karte wird aufgedeckt, mit ihr beginnt der erste Stapel. Der Rest ist der verdeckte "
                "Nachziehstapel."
            ),
        ),
        Text(
            "{bulls} bulls, which are cards without number and heads, lie ready; nobody has one.",
            "{bulls} Bullenkarten liegen bereit, Karten ohne Zahl und ohne Hornochsen; niemand hat eine.",
        ),
    ),
    turn=(
        Text(
            (
                "The starting player begins the first deal. Every other deal is begun by the player with the most "
                "heads in all; of equals by the first one, counted clockwise from the player who began the deal "
                "before, who is counted as well."
            ),
            (
                "Den ersten Durchgang beginnt der Startspieler, jeden weiteren, wer insgesamt die meisten "
                "Hornochsen hat. Bei Gleichstand ist es der Erste im Uhrzeigersinn, gezählt ab dem, der den "
                "vorigen Durchgang begonnen hat (er selbst zählt mit)."
            ),
        ),
        Text(
            "The players move one after the other, clockwise.",
            "Die Mitspieler sind nacheinander am Zug, im Uhrzeigersinn.",
        ),
        Text(
            (
                "A move is one of two: laying a card on a stack, or taking a stack. It is allowed to take one "
                "even if a card fits."
            ),
            (
                "Wer am Zug ist, tut eines von beidem: Er legt eine Karte auf einen Stapel, oder er nimmt einen "
                "Stapel. Nehmen darf man auch, wenn eine Karte passt."
            ),
        ),
    ),
    place=(
        Text(
            "A card fits on a stack if it is higher than the card on top, by {reach} at most.",
            "Eine Karte passt auf einen Stapel, wenn sie höher ist als die oberste Karte, aber um höchstens {reach}.",
        ),
        Text(
            "After {highest} the numbers begin again with {lowest}: on a {top} fit {fitting}.",
            "Nach der {highest} geht es mit der {lowest} weiter: Auf eine {top} passen {fitting}.",
        ),
        Text(
            "Whoever takes a stack puts all its cards in the hand.",
            "Wer einen Stapel nimmt, bekommt alle seine Karten auf die Hand.",
        ),
        Text(
            (
                "Then {turned} cards of the deck are turned up (or as many as are left), and each of them begins "
                "a new stack."
            ),
            (
                "Dann werden {turned} Karten vom Nachziehstapel aufgedeckt (oder so viele, wie noch da sind). Mit "
                "jeder beginnt ein neuer Stapel."
            ),
        ),
    ),
    special=(
        Text(
            (
                "Whoever takes a stack of {bull_size} or more cards gets a bull, and keeps it to the end of the "
                "deal, unless another player gets it. One may have several."
            ),
            (
                "Wer einen Stapel mit {bull_size} oder mehr Karten nimmt, bekommt eine Bullenkarte. Er behält sie "
                "bis zum Ende des Durchgangs, wenn nicht ein anderer sie bekommt. Man kann mehrere haben."
            ),
        ),
        Text(
            (
                "Without a bull a player lays one card in a move. With bulls one may lay on as many stacks as one "
                "has bulls, any number of cards on each, and stop after any card. The bulls are not used up."
            ),
            (
                "Ohne Bullenkarte legt man in einem Zug eine Karte. Mit Bullenkarten darf man auf so viele Stapel "
                "legen, wie man Bullenkarten hat, auf jeden beliebig viele Karten, und nach jeder Karte aufhören. "
                "Die Bullenkarten werden dabei nicht verbraucht."
            ),
        ),
        Text(
            (
                "All these cards must fit on the card that was on top before the move. To build on a card just "
                "laid is not allowed."
            ),
            (
                "Alle diese Karten müssen auf die Karte passen, die vor dem Zug oben lag. Auf einer gerade "
                "gelegten Karte weiterzubauen ist nicht erlaubt."
            ),
        ),
        Text(
            (
                "The cards on a stack are put in order, in whatever order they were laid: the one farthest from "
                "the old top is the new top."
            ),
            (
                "Auf einem Stapel werden die Karten geordnet, gleich in welcher Folge sie gelegt wurden: Oben "
                "liegt danach die, die von der alten obersten Karte am weitesten entfernt ist."
            ),
        ),
        Text(
            (
                "If all {bulls} bulls are with players, the bull comes from another player who has the most; if "
                "there are several, the taker chooses one. A player who alone has the most gets none."
            ),
            (
                "Sind alle {bulls} Bullenkarten vergeben, kommt die Bullenkarte von einem anderen Mitspieler, der "
                "die meisten hat; sind es mehrere, sucht man sich einen aus. Wer allein die meisten hat, bekommt "
                "keine."
            ),
        ),
    ),
    score=(
        Text(
            "When the deal ends, everybody counts the heads on the cards in hand.",
            "Am Ende des Durchgangs zählt jeder die Hornochsen auf seinen Handkarten.",
        ),
        Text("Bulls cost nothing, and are put back.", "Bullenkarten kosten nichts und werden zurückgelegt."),
    ),
    end=(
        Text(
            "A deal ends at once when somebody's hand is empty.",
            "Ein Durchgang endet sofort, wenn jemand keine Handkarten mehr hat.",
        ),
        Text(
            "It also ends when it is a player's turn to move and there is no stack to lay on or to take.",
            (
                "Er endet auch, wenn jemand am Zug ist und kein Stapel mehr da ist, auf den er legen oder den er "
                "nehmen könnte."
            ),
        ),
        Text(
            "A match has as many deals as players, unless the option deals says otherwise.",
            "Eine Partie hat so viele Durchgänge wie Mitspieler, wenn die Option deals nichts anderes sagt.",
        ),
        END_WINNER,
    ),
    examples=(
        Text(
            (
                "Seven play, and the first stack is a 31. The first player lays a 36 on it, the second a 46. The "
                "third holds nothing from 47 to 56, so the stack must be taken: three cards, and a bull for them. "
                "A 23 and an 87 are turned up. The others lay 88, 92, 98 and 5 on the 87; the 5 fits, as it is 7 "
                "higher than the 98 around the circle. Then the first player, whom no card helps, takes the 23: "
                "one card, no bull. A 19 and a 78 are turned up, so three stacks lie there."
            ),
            (
                "Zu siebt ist der erste Stapel eine 31. Der erste Spieler legt eine 36 darauf, der zweite eine "
                "46. Der dritte hat nichts von 47 bis 56 und muss den Stapel nehmen: drei Karten, dafür gibt es "
                "eine Bullenkarte. Aufgedeckt werden 23 und 87. Die anderen legen 88, 92, 98 und 5 auf die 87; "
                "die 5 passt, denn sie ist im Kreis um 7 höher als die 98. Dann nimmt der erste Spieler, dem "
                "keine Karte hilft, die 23: eine Karte, keine Bullenkarte. Aufgedeckt werden 19 und 78, es liegen "
                "also drei Stapel da."
            ),
        ),
    ),
    rulings=(
        Text(
            "No rulebook lists the heads of the cards. They are taken from a public program that shows the cards.",
            (
                "Keine Anleitung zählt die Hornochsen der Karten auf. Sie stammen aus einem öffentlichen "
                "Programm, das die Karten zeigt."
            ),
        ),
        Text(
            (
                "How many new stacks there are after one was taken differs from text to text; most of them agree "
                "with this."
            ),
            (
                "Wie viele neue Stapel es gibt, wenn einer genommen wurde, ist nicht überall gleich; die meisten "
                "Texte sagen es so."
            ),
        ),
        Text(
            "For how large a stack there is a bull differs, too.",
            "Auch ab wie vielen Karten es eine Bullenkarte gibt, ist nicht überall gleich.",
        ),
        Text(
            "Several cards need not follow each other: only the old top matters, also across the end of the numbers.",
            (
                "Mehrere Karten müssen nicht lückenlos aufeinander folgen: Es zählt nur die alte oberste Karte, "
                "auch über das Ende der Zahlen hinweg."
            ),
        ),
        Text(
            (
                "What happens if the taker has the most bulls is not printed: a taker who shares the most gets "
                "one from the others who do."
            ),
            (
                "Was geschieht, wenn man selbst die meisten Bullenkarten hat, ist nicht gedruckt: Wer sie nicht "
                "allein hat, bekommt eine von den anderen mit den meisten."
            ),
        ),
        Text(
            "What happens if no card is left to turn up, or no stack to take, is not printed.",
            "Was geschieht, wenn keine Karte mehr aufzudecken oder kein Stapel mehr da ist, ist nicht gedruckt.",
        ),
        Text(
            "Who has the most heads is counted over all deals so far.",
            "Wer die meisten Hornochsen hat, wird über alle bisherigen Durchgänge gezählt.",
        ),
        Text(
            (
                "Three deals are printed. Most other texts say as many as there are players, and so it is here; "
                "--option deals={printed_deals} plays the printed number."
            ),
            (
                "Gedruckt sind drei Durchgänge. Die meisten anderen Texte sagen so viele wie Mitspieler, und so "
                "ist es hier; mit --option deals={printed_deals} spielt man die gedruckte Zahl."
            ),
        ),
        Text(
            (
                "This is not the printed rule: there nobody may look through a stack before taking it. Here "
                "stacks are open, because each card was laid for all to see, and everybody knows which cards a "
                "player has taken."
            ),
            (
                "Das weicht von der gedruckten Regel ab: Dort darf niemand einen Stapel durchsehen, bevor er ihn "
                "genommen hat. Hier liegen Stapel offen, denn jede Karte wurde vor aller Augen gelegt, und alle "
                "wissen, welche Karten jemand genommen hat."
            ),
        ),
        RULING_TIES,
    ),
)

FOR_BOTS = """\
11 nimmt! has no rows: the hand must go. Its 100 cards are numbered 1 to 100, and have heads of their own:

| card | heads |
| --- | --- |
| 33, 63, 93 | 7 |
| 3, 13, 23, 43, 53, 73, 83 | 5 |
| 2, 5, 7, 11, 17, 19, 29, 31, 37, 41, 47, 59, 61, 67, 71, 79, 89, 97 | 3 |
| all others | 1 |

1. **Deal.** Everybody gets 10 cards. One more begins the first stack, and the rest is turned up later, one by one. Ten *bulls*
   lie ready; nobody has one. In the first deal seat `start` begins, later the one with the highest total; of equals the first,
   clockwise from who began the last deal (that seat included). Moves go round clockwise.
2. **A move** (decision `play`) is one of two: you lay a card on a stack, or you take a stack to your hand. You may take one
   although you could lay.
3. **Laying.** A card must be 1 to 10 higher than the top of the stack, and after 100 comes 1: (card - top) mod 100 is from 1 to
   10.
4. **Laying several.** Who has k bulls may lay on up to k stacks, and any number of cards on each of them (decision `more`, again
   and again, until `"stop"`). All of them must be 1 to 10 higher than the card that was the top *before the move*. They are
   sorted by their distance from it, so the one that is farthest is the new top, whenever it was laid. Bulls are not used up.
   Without a bull it is one card.
5. **Taking.** All cards of the stack go to the hand. Two cards are turned up and begin two new stacks (fewer, if fewer are left).
   Who took three cards or more gets a bull. If all ten are owned, it comes from another seat that has the most; of several, the
   taker chooses (decision `bull`). If the taker alone has the most, there is none.
6. **Numbers of stacks.** They count from 1. When a stack is taken, those after it move up, and the new ones are put at the end.
7. **End of a deal:** at once when a hand is empty; also if somebody is to move and can neither lay nor take.
8. **Scores.** The heads of the cards in the hand. Bulls cost nothing, and are handed back.
9. **End of the match:** after so many `deals`, by default as many as there are seats.
"""
