"""Sentences that several games have in common."""

from bullring.arena.rules.wording.text import Text

ABOUT_ROWS = Text(
    (
        "Cards are placed in {rows} rows. Whoever has to take a row gets its cards, and each head on them "
        "is a penalty point. The fewest heads win."
    ),
    (
        "Karten werden an {rows} Reihen angelegt. Wer eine Reihe nehmen muss, bekommt deren Karten, und "
        "jeder Hornochse darauf ist ein Minuspunkt. Es gewinnt, wer die wenigsten Hornochsen hat."
    ),
)
PLAYERS_RANGE = Text("From {players}.", "{players}.")
CARDS_DECK = Text(
    "The deck has the cards {cards}, one of each.", "Gespielt wird mit den Karten {cards}; jede gibt es einmal."
)
CARDS_HEADS = Text(
    "Every card bears heads, which are the penalty points:",
    "Auf jeder Karte sind Hornochsen, das sind die Minuspunkte:",
)
DEAL_HANDS = Text(
    "The cards are shuffled. Everybody gets {hand} of them, which nobody else may see.",
    "Die Karten werden gemischt. Jeder bekommt {hand} Karten auf die Hand, die kein anderer sehen darf.",
)
TURN_HIDDEN = Text(
    "Everybody secretly chooses a card of the hand. When all have chosen, the cards are shown together.",
    "Alle wählen verdeckt eine ihrer Handkarten. Wenn alle gewählt haben, wird gemeinsam aufgedeckt.",
)
TURN_ASCENDING = Text(
    "Then the cards are placed one after the other, from the lowest to the highest.",
    "Dann werden die Karten nacheinander angelegt, von der niedrigsten bis zur höchsten.",
)
PLACE_END = Text(
    "A card is put at the end of a row whose last card is lower. So the numbers in a row rise.",
    (
        "Eine Karte wird am Ende einer Reihe angelegt, deren letzte Karte niedriger ist. In jeder Reihe "
        "steigen die Zahlen also an."
    ),
)
PLACE_NEAREST = Text(
    "If there are several such rows, it goes to the one whose last card is the highest, and so the nearest.",
    ("Gibt es mehrere solche Reihen, kommt sie an die, deren letzte Karte die höchste ist und ihr damit am nächsten."),
)
PLACE_FULL = Text(
    (
        "A row is full with {row_limit} cards. If a card has to go to a full row, its owner takes these "
        "{row_limit} cards, and the new card begins the row again."
    ),
    (
        "Mit {row_limit} Karten ist eine Reihe voll. Muss eine Karte an eine volle Reihe, nimmt ihr "
        "Besitzer diese {row_limit} Karten, und mit der neuen Karte beginnt die Reihe von vorn."
    ),
)
PLACE_LOW = Text(
    (
        "A card that is lower than the last card of each row fits nowhere. Its owner chooses any row and "
        "takes all its cards, and the low card begins this row again."
    ),
    (
        "Eine Karte, die niedriger ist als die letzten Karten aller Reihen, passt nirgends. Ihr Besitzer "
        "sucht sich irgendeine Reihe aus und nimmt alle ihre Karten, und mit der niedrigen Karte beginnt "
        "diese Reihe von vorn."
    ),
)
PLACE_LOW_OPEN = Text(
    "Whoever chooses a row knows all cards of the turn, and where those before went.",
    "Wer eine Reihe aussucht, kennt alle Karten der Runde und weiß, wohin die vorigen gekommen sind.",
)
PLACE_LOW_LOWEST = Text(
    "Only the lowest card of a turn can fit nowhere: once it lies, it is the end of a row.",
    ("Nur die niedrigste Karte einer Runde kann nirgends passen, denn sobald sie liegt, ist sie das Ende einer Reihe."),
)
END_EMPTY = Text(
    "A deal ends after {turns} turns, when all hands are empty.",
    "Ein Durchgang endet nach {turns} Runden, wenn alle Handkarten ausgespielt sind.",
)
END_TARGET = Text(
    (
        "After each deal the heads of all deals are added up. When somebody has more than {target}, the "
        "match is over. If the option deals sets a number of deals, it ends after these instead."
    ),
    (
        "Nach jedem Durchgang werden die Hornochsen aller Durchgänge zusammengezählt. Hat jemand mehr als "
        "{target}, ist die Partie zu Ende. Legt die Option deals eine Zahl von Durchgängen fest, endet "
        "sie stattdessen nach diesen."
    ),
)
END_WINNER = Text(
    "The player with the fewest heads in all wins. Players with equally many share their place.",
    "Es gewinnt, wer insgesamt die wenigsten Hornochsen hat. Wer gleich viele hat, teilt sich den Platz.",
)
RULING_TARGET = Text(
    ("Printed rules do not agree whether the match ends at the target or above it. The option target_rule decides."),
    (
        "Ob die Partie beim Erreichen oder erst beim Überschreiten der Grenze endet, ist nicht überall "
        "gleich gedruckt. Die Option target_rule entscheidet."
    ),
)
RULING_BETWEEN = Text(
    "Nobody looks at the target during a deal.", "Während eines Durchgangs wird die Grenze nicht geprüft."
)
RULING_TIES = Text("There is no tie-break.", "Bei Gleichstand entscheidet nichts weiter.")
RULING_SHUFFLE = Text(
    "Cards that were not used are shuffled in with all others, and not dealt first.",
    "Nicht gebrauchte Karten werden mit allen anderen neu gemischt und nicht zuerst ausgeteilt.",
)
BOX_VARIANT = Text(
    "A variant of the game by Wolfgang Kramer. From 10 years.",
    "Eine Variante des Spiels von Wolfgang Kramer. Ab 10 Jahren.",
)
PLAYERS_ANYONE = Text(
    "Who begins the draft is not printed. Here the first bot on the command line begins, or the seat chosen with --start.",
    "Wer mit dem Aussuchen beginnt, ist nicht gedruckt. Hier beginnt der erste Bot der Befehlszeile oder der mit --start"
    " gewählte Platz.",
)
DRAFT_OPEN = Text(
    "Nothing is shuffled or dealt: all cards lie open on the table.",
    "Es wird weder gemischt noch ausgeteilt: Alle Karten liegen offen auf dem Tisch.",
)
DRAFT_LAPS = Text(
    (
        "The starting player takes one of them, then the player to the left, and so on, lap after lap, "
        "until everybody has {hand} cards. Everybody sees who takes what."
    ),
    (
        "Der Startspieler nimmt sich eine davon, dann sein linker Nachbar und so weiter, immer reihum, "
        "bis alle {hand} Karten haben. Alle sehen, wer was nimmt."
    ),
)
DRAFT_ROWS = Text(
    (
        "The {rows} cards that nobody has taken begin the rows, the lowest one at the top, the highest "
        "one at the bottom."
    ),
    (
        "Mit den {rows} Karten, die keiner genommen hat, beginnen die Reihen, mit der niedrigsten ganz "
        "oben und der höchsten ganz unten."
    ),
)
RULING_DRAFT = Text(
    "All laps of a draft go in the same direction, and the rows begin with ascending cards.",
    ("Beim Aussuchen geht es immer in derselben Richtung herum, und die Reihen beginnen mit aufsteigenden Karten."),
)
PLAYERS_YOUNGEST = Text(
    "The youngest player begins. Here the first bot on the command line begins, or the seat chosen with --start.",
    (
        "Der jüngste Mitspieler beginnt. Hier beginnt der erste Bot der Befehlszeile oder der mit --start gewählte Platz."
    ),
)
