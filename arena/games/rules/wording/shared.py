"""Sentences shared by several games."""

from bullring.arena.games.rules.wording.text import Text

ABOUT_ROWS = Text(
    (
        "Cards are placed in {rows} rows. If you have to take a row, you get its cards, and each bull's head "
        "on them is a penalty point. The player with the fewest heads wins."
    ),
    (
        "Karten werden an {rows} Reihen angelegt. Wer eine Reihe nehmen muss, bekommt deren Karten, und "
        "jeder Hornochse darauf ist ein Minuspunkt. Es gewinnt, wer die wenigsten Hornochsen hat."
    ),
)
PLAYERS_RANGE = Text("{players} players.", "{players}.")
CARDS_DECK = Text(
    "The deck consists of the cards {cards}, one of each.",
    "Gespielt wird mit den Karten {cards}; jede gibt es einmal.",
)
CARDS_HEADS = Text(
    "Each card shows bulls' heads, which are its penalty points:",
    "Auf jeder Karte sind Hornochsen, das sind die Minuspunkte:",
)
DEAL_HANDS = Text(
    "Shuffle the cards and deal {hand} to each player. Keep your hand hidden from the others.",
    "Die Karten werden gemischt. Jeder bekommt {hand} Karten auf die Hand, die kein anderer sehen darf.",
)
TURN_HIDDEN = Text(
    "Everyone secretly chooses a card from their hand. When all have chosen, the cards are revealed together.",
    "Alle wählen verdeckt eine ihrer Handkarten. Wenn alle gewählt haben, wird gemeinsam aufgedeckt.",
)
TURN_ASCENDING = Text(
    "Then the cards are placed one at a time, from the lowest to the highest.",
    "Dann werden die Karten nacheinander angelegt, von der niedrigsten bis zur höchsten.",
)
PLACE_END = Text(
    "A card goes at the end of a row whose last card is lower, so the numbers in a row always rise.",
    (
        "Eine Karte wird am Ende einer Reihe angelegt, deren letzte Karte niedriger ist. In jeder Reihe "
        "steigen die Zahlen also an."
    ),
)
PLACE_NEAREST = Text(
    "If there are several such rows, it goes to the one whose last card is the highest and therefore the nearest.",
    ("Gibt es mehrere solche Reihen, kommt sie an die, deren letzte Karte die höchste ist und ihr damit am nächsten."),
)
PLACE_FULL = Text(
    (
        "A row with {row_limit} cards is full. If your card has to go to a full row, you take these "
        "{row_limit} cards, and your card begins the row anew."
    ),
    (
        "Mit {row_limit} Karten ist eine Reihe voll. Muss eine Karte an eine volle Reihe, nimmt ihr "
        "Besitzer diese {row_limit} Karten, und mit der neuen Karte beginnt die Reihe von vorn."
    ),
)
PLACE_LOW = Text(
    (
        "A card that is lower than the last card of every row fits nowhere. Its owner takes all the cards of "
        "any one row, and the low card begins that row anew."
    ),
    (
        "Eine Karte, die niedriger ist als die letzten Karten aller Reihen, passt nirgends. Ihr Besitzer "
        "sucht sich irgendeine Reihe aus und nimmt alle ihre Karten, und mit der niedrigen Karte beginnt "
        "diese Reihe von vorn."
    ),
)
PLACE_LOW_OPEN = Text(
    "When you choose a row, you know all the cards of the turn and where the earlier ones went.",
    "Wer eine Reihe aussucht, kennt alle Karten der Runde und weiß, wohin die vorigen gekommen sind.",
)
PLACE_LOW_LOWEST = Text(
    "Only the lowest card of a turn can fit nowhere: once placed, it is itself the end of a row.",
    ("Nur die niedrigste Karte einer Runde kann nirgends passen, denn sobald sie liegt, ist sie das Ende einer Reihe."),
)
END_EMPTY = Text(
    "A deal ends after {turns} turns, when all hands are empty.",
    "Ein Durchgang endet nach {turns} Runden, wenn alle Handkarten ausgespielt sind.",
)
END_TARGET = Text(
    (
        "After each deal, add each player's heads to the total. When somebody has more than {target}, the "
        "match is over. If the option deals is set, the match ends after that number of deals instead."
    ),
    (
        "Nach jedem Durchgang werden die Hornochsen aller Durchgänge zusammengezählt. Hat jemand mehr als "
        "{target}, ist die Partie zu Ende. Legt die Option deals eine Zahl von Durchgängen fest, endet "
        "sie stattdessen nach diesen."
    ),
)
END_WINNER = Text(
    "The player with the fewest heads in total wins. Tied players share the place.",
    "Es gewinnt, wer insgesamt die wenigsten Hornochsen hat. Wer gleich viele hat, teilt sich den Platz.",
)
RULING_TARGET = Text(
    ("The printed rules disagree on whether the match ends at the target or above it. The option target_rule decides."),
    (
        "Ob die Partie beim Erreichen oder erst beim Überschreiten der Grenze endet, ist nicht überall "
        "gleich gedruckt. Die Option target_rule entscheidet."
    ),
)
RULING_BETWEEN = Text(
    "The target is not checked during a deal.", "Während eines Durchgangs wird die Grenze nicht geprüft."
)
RULING_TIES = Text("There is no tie-break.", "Bei Gleichstand entscheidet nichts weiter.")
RULING_SHUFFLE = Text(
    "Unused cards are shuffled in with all the others rather than dealt first.",
    "Nicht gebrauchte Karten werden mit allen anderen neu gemischt und nicht zuerst ausgeteilt.",
)
BOX_VARIANT = Text(
    "A variant of the game by Wolfgang Kramer. Ages 10 and up.",
    "Eine Variante des Spiels von Wolfgang Kramer. Ab 10 Jahren.",
)
PLAYERS_ANYONE = Text(
    "The rulebook does not say who begins the draft. Here it is the first bot on the command line, or the seat given with --start.",
    "Wer mit dem Aussuchen beginnt, ist nicht gedruckt. Hier beginnt der erste Bot der Befehlszeile oder der mit --start"
    " gewählte Platz.",
)
DRAFT_OPEN = Text(
    "Nothing is shuffled or dealt: all cards are laid out face up on the table.",
    "Es wird weder gemischt noch ausgeteilt: Alle Karten liegen offen auf dem Tisch.",
)
DRAFT_LAPS = Text(
    (
        "The starting player takes one of them, then the player to the left, and so on around the table "
        "until everyone has {hand} cards. Everyone sees who takes what."
    ),
    (
        "Der Startspieler nimmt sich eine davon, dann sein linker Nachbar und so weiter, immer reihum, "
        "bis alle {hand} Karten haben. Alle sehen, wer was nimmt."
    ),
)
DRAFT_ROWS = Text(
    ("The {rows} remaining cards begin the rows, with the lowest at the top and the highest at the bottom."),
    (
        "Mit den {rows} Karten, die keiner genommen hat, beginnen die Reihen, mit der niedrigsten ganz "
        "oben und der höchsten ganz unten."
    ),
)
RULING_DRAFT = Text(
    "A draft always goes around in the same direction, and the first cards of the rows ascend from the top.",
    ("Beim Aussuchen geht es immer in derselben Richtung herum, und die Reihen beginnen mit aufsteigenden Karten."),
)
PLAYERS_YOUNGEST = Text(
    "The youngest player begins. Here it is the first bot on the command line, or the seat given with --start.",
    (
        "Der jüngste Mitspieler beginnt. Hier beginnt der erste Bot der Befehlszeile oder der mit --start gewählte Platz."
    ),
)
