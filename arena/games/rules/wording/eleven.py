"""The rules of `eleven` in words."""

from bullring.arena.games.rules.wording.shared import (
    CARDS_DECK,
    CARDS_HEADS,
    DEAL_HANDS,
    END_WINNER,
    PLAYERS_RANGE,
    PLAYERS_YOUNGEST,
    RULING_TIES,
)
from bullring.arena.games.rules.wording.text import Rules, Text

RULES = Rules(
    about=(
        Text(
            (
                "Get rid of your hand. Cards are laid on stacks, always a little higher than the top card. Taking "
                "a stack costs nothing at first, but when the deal ends, each bull's head on the cards in your "
                "hand is a penalty point. The player with the fewest heads wins."
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
            "By Wolfgang Kramer; published by AMIGO in 2010. Ages 8 and up. A match takes about 30 minutes.",
            "Von Wolfgang Kramer; erschienen 2010 bei AMIGO. Ab 8 Jahren. Eine Partie dauert etwa 30 Minuten.",
        ),
    ),
    players=(PLAYERS_RANGE, PLAYERS_YOUNGEST),
    cards=(CARDS_DECK, CARDS_HEADS),
    deal=(
        DEAL_HANDS,
        Text(
            "Turn up one more card to begin the first stack. The remaining cards are the face-down deck.",
            (
                "Eine weitere Karte wird aufgedeckt, mit ihr beginnt der erste Stapel. Der Rest ist der verdeckte "
                "Nachziehstapel."
            ),
        ),
        Text(
            "{bulls} bulls, which are cards without numbers or heads, form a supply; nobody has one yet.",
            "{bulls} Bullenkarten liegen bereit, Karten ohne Zahl und ohne Hornochsen; niemand hat eine.",
        ),
    ),
    turn=(
        Text(
            (
                "The starting player begins the first deal, and the player with the most heads in total begins "
                "every other deal. On a tie, it is the first of them clockwise, counted from and including the "
                "player who began the previous deal."
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
                "On your move, either lay a card on a stack or take a stack. You may take a stack even if one of "
                "your cards fits."
            ),
            (
                "Wer am Zug ist, tut eines von beidem: Er legt eine Karte auf einen Stapel, oder er nimmt einen "
                "Stapel. Nehmen darf man auch, wenn eine Karte passt."
            ),
        ),
    ),
    place=(
        Text(
            "A card fits on a stack if it is higher than the top card, by at most {reach}.",
            "Eine Karte passt auf einen Stapel, wenn sie höher ist als die oberste Karte, aber um höchstens {reach}.",
        ),
        Text(
            "After {highest} the numbers begin again with {lowest}: the cards that fit on {top} are {fitting}.",
            "Nach der {highest} geht es mit der {lowest} weiter: Auf eine {top} passen {fitting}.",
        ),
        Text(
            "If you take a stack, all its cards go to your hand.",
            "Wer einen Stapel nimmt, bekommt alle seine Karten auf die Hand.",
        ),
        Text(
            ("Then {turned} cards of the deck are turned up (or as many as are left), and each begins a new stack."),
            (
                "Dann werden {turned} Karten vom Nachziehstapel aufgedeckt (oder so viele, wie noch da sind). Mit "
                "jeder beginnt ein neuer Stapel."
            ),
        ),
    ),
    special=(
        Text(
            (
                "If you take a stack of {bull_size} or more cards, you get a bull and keep it until the end of the "
                "deal, unless it goes to another player. You may have several."
            ),
            (
                "Wer einen Stapel mit {bull_size} oder mehr Karten nimmt, bekommt eine Bullenkarte. Er behält sie "
                "bis zum Ende des Durchgangs, wenn nicht ein anderer sie bekommt. Man kann mehrere haben."
            ),
        ),
        Text(
            (
                "Without a bull, you lay one card per move. With bulls, you may lay any number of cards on as many "
                "stacks as you have bulls, and stop after any card. Bulls are not used up."
            ),
            (
                "Ohne Bullenkarte legt man in einem Zug eine Karte. Mit Bullenkarten darf man auf so viele Stapel "
                "legen, wie man Bullenkarten hat, auf jeden beliebig viele Karten, und nach jeder Karte aufhören. "
                "Die Bullenkarten werden dabei nicht verbraucht."
            ),
        ),
        Text(
            (
                "All these cards must fit on the card that was on top before the move. You may not build on a card "
                "just laid."
            ),
            (
                "Alle diese Karten müssen auf die Karte passen, die vor dem Zug oben lag. Auf einer gerade "
                "gelegten Karte weiterzubauen ist nicht erlaubt."
            ),
        ),
        Text(
            (
                "Cards laid on one stack are put in order, no matter in which order you lay them: the card farthest "
                "from the old top becomes the new top."
            ),
            (
                "Auf einem Stapel werden die Karten geordnet, gleich in welcher Folge sie gelegt wurden: Oben "
                "liegt danach die, die von der alten obersten Karte am weitesten entfernt ist."
            ),
        ),
        Text(
            (
                "If the supply of {bulls} bulls is gone, the bull comes from another player with the most bulls; "
                "if there are several, the taker chooses one. A taker who alone has the most gets none."
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
            "When the deal ends, everyone counts the heads on the cards in their hand.",
            "Am Ende des Durchgangs zählt jeder die Hornochsen auf seinen Handkarten.",
        ),
        Text("Bulls cost nothing and are returned.", "Bullenkarten kosten nichts und werden zurückgelegt."),
    ),
    end=(
        Text(
            "A deal ends at once when a hand is empty.",
            "Ein Durchgang endet sofort, wenn jemand keine Handkarten mehr hat.",
        ),
        Text(
            "It also ends when it is a player's move and there is no stack to lay on or to take.",
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
                "With seven players, the first stack is a 31. The first player lays a 36 on it, the second a 46. "
                "The third has no card from 47 to 56 and must take the stack: three cards, which earn a bull. A "
                "23 and an 87 are turned up. The others lay 88, 92, 98 and 5 on the 87; the 5 fits, as it is 7 "
                "higher than the 98 around the circle. Then the first player, whose cards are of no use, takes "
                "the 23: one card, no bull. A 19 and a 78 are turned up, so there are three stacks."
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
            "No rulebook lists the heads on the cards. They are taken from a public program that shows the cards.",
            (
                "Keine Anleitung zählt die Hornochsen der Karten auf. Sie stammen aus einem öffentlichen "
                "Programm, das die Karten zeigt."
            ),
        ),
        Text(
            (
                "The texts disagree on how many new stacks there are after one is taken; most of them say as many "
                "as here."
            ),
            (
                "Wie viele neue Stapel es gibt, wenn einer genommen wurde, ist nicht überall gleich; die meisten "
                "Texte sagen es so."
            ),
        ),
        Text(
            "They also disagree on how many cards earn a bull.",
            "Auch ab wie vielen Karten es eine Bullenkarte gibt, ist nicht überall gleich.",
        ),
        Text(
            "Several cards need not be consecutive: only the old top matters, even across the end of the numbers.",
            (
                "Mehrere Karten müssen nicht lückenlos aufeinander folgen: Es zählt nur die alte oberste Karte, "
                "auch über das Ende der Zahlen hinweg."
            ),
        ),
        Text(
            (
                "The rulebook does not say what happens if the taker has the most bulls: a taker tied for the most "
                "gets one from the others who are tied."
            ),
            (
                "Was geschieht, wenn man selbst die meisten Bullenkarten hat, ist nicht gedruckt: Wer sie nicht "
                "allein hat, bekommt eine von den anderen mit den meisten."
            ),
        ),
        Text(
            "The rulebook does not say what happens if no card is left to turn up or no stack to take.",
            "Was geschieht, wenn keine Karte mehr aufzudecken oder kein Stapel mehr da ist, ist nicht gedruckt.",
        ),
        Text(
            "The player with the most heads is the one with the highest total over all deals so far.",
            "Wer die meisten Hornochsen hat, wird über alle bisherigen Durchgänge gezählt.",
        ),
        Text(
            (
                "The rulebook says three deals. Most other texts say as many as there are players, and that is the "
                "rule here; --option deals={printed_deals} plays the printed number."
            ),
            (
                "Gedruckt sind drei Durchgänge. Die meisten anderen Texte sagen so viele wie Mitspieler, und so "
                "ist es hier; mit --option deals={printed_deals} spielt man die gedruckte Zahl."
            ),
        ),
        Text(
            (
                "One rule differs from the rulebook, where nobody may look through a stack before taking it. Here "
                "stacks are open, because every card was laid in full view, and everyone knows which cards a "
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
11 nimmt! has no rows: the goal is to get rid of your hand. Its 100 cards are numbered 1 to 100, with different heads:

| card | heads |
| --- | --- |
| 33, 63, 93 | 7 |
| 3, 13, 23, 43, 53, 73, 83 | 5 |
| 2, 5, 7, 11, 17, 19, 29, 31, 37, 41, 47, 59, 61, 67, 71, 79, 89, 97 | 3 |
| all others | 1 |

1. **Deal.** Every seat gets 10 cards. One more begins the first stack, and the others are turned up later, one by one. There is a
   supply of ten *bulls*. Seat `start` begins the first deal, and the seat with the highest total begins each later one; on a tie,
   the first of them clockwise from (and including) the seat that began the previous deal. Moves go clockwise.
2. **A move** (decision `play`) is one of two: you lay a card on a stack, or you take a stack into your hand. You may take one
   even if you could lay a card.
3. **Laying.** A card must be 1 to 10 higher than the top of the stack, and 1 follows 100: (card - top) mod 100 is from 1 to 10.
4. **Laying several.** With k bulls, you may lay any number of cards on each of up to k stacks (decision `more`, repeated until
   `"stop"`). All of them must be 1 to 10 higher than the card that was the top *before the move*. They are sorted by their
   distance from it, so the farthest card is the new top, whenever it was laid. Bulls are not used up. Without a bull, you lay one
   card.
5. **Taking.** All cards of the stack go to your hand. Two cards are turned up and begin new stacks (fewer if fewer are left). If
   you took three or more cards, you get a bull. If the supply is empty, it comes from another seat with the most bulls; if there
   are several, you choose (decision `bull`). If you alone have the most, you get none.
6. **Numbers of stacks.** They count from 1. When a stack is taken, those after it move up, and new ones are added at the end.
7. **End of a deal:** at once when a hand is empty, or when the seat to move can neither lay nor take.
8. **Scores.** The heads of the cards in the hand. Bulls cost nothing and go back to the supply.
9. **End of the match:** after the number of deals set by `deals`, by default as many as there are seats.
"""
