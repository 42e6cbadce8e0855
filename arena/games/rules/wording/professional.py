"""The rules of `professional` in words."""

from dataclasses import replace

from bullring.arena.games.rules.wording import standard
from bullring.arena.games.rules.wording.shared import (
    ABOUT_ROWS,
    BOX_VARIANT,
    PLACE_LOW_OPEN,
    RULING_BETWEEN,
    RULING_SHUFFLE,
    RULING_TARGET,
    RULING_TIES,
)
from bullring.arena.games.rules.wording.text import Text

RULES = replace(
    standard.RULES,
    about=(
        ABOUT_ROWS,
        Text("In this game rows grow at both ends.", "In diesem Spiel wachsen die Reihen an beiden Enden."),
    ),
    box=(BOX_VARIANT,),
    place=(
        Text(
            (
                "Cards go at both ends of a row: lower cards to the left of its first card, higher cards to the "
                "right of its last. So the numbers in a row rise from left to right."
            ),
            (
                "An eine Reihe wird an beiden Enden angelegt: niedrigere Karten links von der ersten, höhere "
                "rechts von der letzten. Von links nach rechts steigen die Zahlen also an."
            ),
        ),
        Text(
            (
                "A card can go to the right end of a row whose last card is lower, or to the left end of a row "
                "whose first card is higher. It must go to the nearest of these ends: the one with the smallest "
                "difference between the two cards."
            ),
            (
                "Eine Karte kann an das rechte Ende einer Reihe, deren letzte Karte niedriger ist, und an das "
                "linke Ende einer Reihe, deren erste Karte höher ist. Sie muss an das nächste dieser Enden, also "
                "dorthin, wo die Differenz zur Karte am Ende am kleinsten ist."
            ),
        ),
        Text(
            (
                "If a left end and the right end of another row are equally near, the owner of the card chooses "
                "one of them."
            ),
            (
                "Sind ein linkes Ende und das rechte Ende einer anderen Reihe gleich weit entfernt, wählt der "
                "Besitzer der Karte eines davon aus."
            ),
        ),
        Text(
            (
                "A row with {row_limit} cards is full. If your card has to go to either end of a full row, you "
                "take these {row_limit} cards, and your card begins the row anew."
            ),
            (
                "Mit {row_limit} Karten ist eine Reihe voll. Muss eine Karte an eines der Enden einer vollen "
                "Reihe, nimmt ihr Besitzer diese {row_limit} Karten, und mit der neuen Karte beginnt die Reihe "
                "von vorn."
            ),
        ),
        Text(
            (
                "A card fits nowhere if its number lies between the first and the last card of every row. Its "
                "owner takes all the cards of any one row, and the new card begins that row anew."
            ),
            (
                "Eine Karte passt nirgends, wenn ihre Zahl in jeder Reihe zwischen der ersten und der letzten "
                "Karte liegt. Ihr Besitzer sucht sich irgendeine Reihe aus und nimmt alle ihre Karten, und mit "
                "der neuen Karte beginnt diese Reihe von vorn."
            ),
        ),
        PLACE_LOW_OPEN,
        Text(
            "The choice between two ends can come up several times in a turn.",
            "Die Wahl zwischen zwei Enden kann in einer Runde mehrmals vorkommen.",
        ),
    ),
    examples=(
        Text(
            (
                "The rows are 40 47 50 53 55, then 10 23 46, then 61 65, then 80 88 95, and the cards 5, 17, 58 "
                "and 62 are played. The 5 goes to the left end of the second row. The nearest end for the 17 is "
                "the 40; that row is full, so the owner of the 17 takes it, and the 17 is alone there. The 58 "
                "goes to the left of the 61. The 62 now lies within the third row, so it goes to the right of the "
                "46. The second row is now 5 10 23 46 62, and full: the next player of a 1 to 4, a 63 or a 64 "
                "takes it."
            ),
            (
                "Die Reihen sind 40 47 50 53 55, dann 10 23 46, dann 61 65, dann 80 88 95; gespielt werden 5, 17, "
                "58 und 62. Die 5 kommt an das linke Ende der zweiten Reihe. Für die 17 ist die 40 das nächste "
                "Ende; diese Reihe ist voll, also nimmt ihr Besitzer sie, und die 17 liegt dort allein. Die 58 "
                "kommt links neben die 61. Die 62 liegt nun innerhalb der dritten Reihe und kommt rechts neben "
                "die 46. Die zweite Reihe ist 5 10 23 46 62 und voll: Wer als Nächstes 1 bis 4, 63 oder 64 "
                "spielt, nimmt sie."
            ),
        ),
    ),
    tips=(),
    rulings=(
        Text(
            "The professional variant of the first edition is a different game, called logic here.",
            "Die Profivariante der ersten Ausgabe ist ein anderes Spiel, das hier logic (Logik) heißt.",
        ),
        Text(
            "The rulebook does not say what happens at equal distances. Here the owner chooses.",
            "Was bei gleicher Entfernung geschieht, ist nicht gedruckt. Hier wählt der Besitzer.",
        ),
        Text(
            "To fit nowhere means to lie between the two ends in every row.",
            "Nirgends zu passen heißt, in allen Reihen zwischen den beiden Enden zu liegen.",
        ),
        RULING_TARGET,
        RULING_BETWEEN,
        RULING_TIES,
        RULING_SHUFFLE,
    ),
)

FOR_BOTS = """\
Rows grow at both ends, with lower cards on the left and higher ones on the right, so a row always ascends.

* A card goes to the nearest of all ends. The distance of a higher card from a right end, the last card of a row, is card - last;
  the distance of a lower card from a left end, the first card of a row, is first - card. A row whose first card is lower and
  whose last card is higher offers no end.
* If a left end and a right end are at the same distance, the owner chooses (decision `side`).
* A sixth card at either end takes the five, and becomes the row.
* A card that lies within all four rows fits nowhere: the owner chooses a row and takes it (decision `row`). Any card of a turn
  can be such a card, so a `row` can come late in a turn, but only once: all later cards fit after that one. There may be several
  `side` decisions.
"""
