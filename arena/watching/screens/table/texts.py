"""What a person is asked, in English and German."""

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
