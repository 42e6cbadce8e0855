"""What the screen says to the person, in English and German."""

from collections.abc import Mapping

from bullring.arena.games.rules.wording.text import Text

ASKED: Mapping[str, Text] = {
    "card": Text("Choose a card.", "Wähle eine Karte."),
    "cards": Text("Choose two cards.", "Wähle zwei Karten."),
    "row": Text(
        "Too low for all rows: which one do you take?",
        "Zu niedrig für alle Reihen: Welche nimmst du?",
    ),
    "side": Text(
        "Your card fits two ends equally well: choose the row.",
        "Deine Karte passt an zwei Enden gleich gut: Wähle die Reihe.",
    ),
    "draft": Text("Take a card to your hand.", "Nimm eine Karte auf die Hand."),
    "order": Text("Which of your cards is placed first?", "Welche deiner Karten wird zuerst angelegt?"),
    "keep": Text(
        "Which cards of the row go to your hand? The others count.",
        "Welche Karten der Reihe nimmst du auf die Hand? Die anderen zählen.",
    ),
    "more": Text("One more card, or stop?", "Noch eine Karte, oder aufhören?"),
    "play": Text(
        "Choose a card and its stack, or a stack that you take.",
        "Wähle eine Karte und ihren Stapel, oder einen Stapel, den du nimmst.",
    ),
    "bull": Text("Whose bull do you take?", "Wessen Bullenkarte nimmst du?"),
}
"""What a person is asked, by kind of decision."""

ANYTHING = Text("Choose: {purpose}.", "Wähle.")
"""The same for kinds that are not listed."""

CONFIRM = Text("{choice}: Enter confirms, Esc takes back", "{choice}: Enter bestätigt, Esc nimmt zurück")
HIDDEN = Text("Your choice lies face down. Waiting for {names}.", "Deine Wahl liegt verdeckt. Es fehlen noch: {names}.")
WAIT = Text("Waiting for {names}.", "Am Zug: {names}.")
WATCH = Text("", "")
NOT_NOW = Text("{what} cannot be chosen now", "{what} geht jetzt nicht")
NO_SUCH = Text("there is no {typed} to choose", "{typed} steht nicht zur Wahl")
TAKEN_BACK = Text("taken back", "zurückgenommen")
LATE = Text("{seconds} s over", "{seconds} s darüber")
LEFT = Text("{seconds} s left", "noch {seconds} s")
SURE = Text("f again: the referee moves for you", "noch einmal f: Der Schiedsrichter zieht für dich")
OVER = Text("The match is over. Enter: the result", "Die Partie ist zu Ende. Enter: das Ergebnis")
BROKEN = Text("{text}  Enter leaves the table", "{text}  Enter verlässt den Tisch")
SETTING = Text("The table is being set ...", "Der Tisch wird gedeckt ...")
HAND = Text("{name}: your hand", "{name}: deine Karten")
FROM = Text("to choose from:", "zur Wahl:")
THINKING = Text("hint: thinking ...", "Tipp: denkt nach ...")
HINT = Text("{by} would choose {best}", "{by} würde {best} wählen")
NO_HINT = Text("no built-in bot has an opinion here", "dazu hat kein eingebauter Bot eine Meinung")
WHY = Text("Why: {text}", "Warum: {text}")
GIVE = Text("Give the keyboard to {name}.", "Gib die Tastatur an {name}.")
COME = Text("{name}: press Enter.", "{name}: Drücke Enter.")
KEYS = Text(
    "←→ choose  Enter play  digits type a number  i hint  t teach  ? keys  q leave",
    "←→ wählen  Enter spielen  Ziffern: Zahl tippen  i Tipp  t Lehrer  ? Tasten  q gehen",
)
