"""The words of the site, in English and German."""

from bullring.ladder.watching.site.html import Html, both

SITE = both("Ladder", "Rangliste")
LISTS = both("Lists", "Listen")
BOTS = both("Bots", "Bots")
STANDINGS = both("Standings", "Stand")
RATINGS = both("Ratings with their 95 % intervals", "Wertungen mit ihren 95-%-Intervallen")
COURSES = both("How the ratings went", "Verlauf der Wertungen")
PAIRS = both("Results of pairs", "Ergebnisse der Paare")
PAIRS_NOTE = both(
    "Points of the bot of the row against that of the column, in per cent; below them the number of matches.",
    "Punkte des Bots der Zeile gegen den der Spalte, in Prozent; darunter die Zahl der Partien.",
)
FAULTS = both("Faults by kind", "Fehler nach Art")
NO_FAULTS = both("No bot has made a fault.", "Kein Bot hat einen Fehler gemacht.")
MATCHES = both("Matches", "Partien")
LAST_MATCHES = both("Last matches", "Letzte Partien")
NOTABLE = both("Notable matches", "Bemerkenswerte Partien")
CLOSEST = both("closest", "am knappsten")
HIGHEST = both("most heads", "die meisten Hornochsen")
UPSET = both("greatest upset", "größte Überraschung")
FAULTY = both("with faults", "mit Fehlern")
VERSIONS = both("Versions", "Versionen")
RESULTS = both("Results", "Ergebnisse")
REPLAY = both("replay", "ansehen")
VOID = both("void", "ungültig")
VOID_NOTE = both(
    "A void match does not count: the machine failed, and not a bot.",
    "Eine ungültige Partie zählt nicht: Die Maschine hat versagt, kein Bot.",
)
APART_NOTE = both(
    "Apart: no chain of matches leads from this bot to the anchor, so its rating cannot be compared with those that have a place.",
    "Getrennt: Keine Kette von Partien führt von diesem Bot zum Anker; seine Wertung lässt sich mit denen, die einen Platz haben,"
    " nicht vergleichen.",
)
OPEN_NOTE = both(
    "> or <: only this end of the 95 % interval is known; the other one stays open until the bot has also lost, or won, a match.",
    "> oder <: Nur dieses Ende des 95-%-Intervalls ist bekannt; das andere bleibt offen, bis der Bot auch eine Partie verloren oder"
    " gewonnen hat.",
)
SKIP = both("To the content", "Zum Inhalt")
NEWER = both("newer", "neuer")
OLDER = both("older", "älter")
HOW = both(
    "The rating is Elo from all matches at once; the anchor is 1500. LOS is the likelihood that a bot is better than the next one."
    " Heads are per deal, as they were taken; against the average: how many more than an average bot at the same tables."
    " Times are those of single decisions, in milliseconds.",
    "Die Wertung ist Elo aus allen Partien zugleich; der Anker hat 1500. LOS ist die Wahrscheinlichkeit, dass ein Bot besser ist"
    " als der nächste. Hornochsen zählen je Durchgang, wie sie genommen wurden; gegen den Durchschnitt: wie viele mehr als ein"
    " durchschnittlicher Bot an denselben Tischen. Zeiten gelten je Entscheidung, in Millisekunden.",
)
HOUSE_NOTE = both(
    "House: Elo against the house ± half of its 95 % interval, from bullring gauge: a scale of its own, no part of the rating.",
    "Haus: Elo gegen das Haus ± die Hälfte des 95-%-Intervalls, aus bullring gauge: eine eigene Skala, kein Teil der Wertung.",
)
LOGS = both("What it wrote to stderr", "Was er nach stderr schrieb")
MATCH = both("Match", "Partie")
RATING_AXIS = both("Rating (Elo); the line is its 95 % interval", "Wertung (Elo); der Strich ist ihr 95-%-Intervall")
COURSE_AXIS = both(
    "Rating (Elo) after so many matches of the list; of one bot with its 95 % interval",
    "Wertung (Elo) nach so vielen Partien der Liste; bei einem Bot mit 95-%-Intervall",
)
STATES = {
    "active": both("active", "aktiv"),
    "benched": both("benched", "gesperrt"),
    "retired": both("retired", "abgelöst"),
    "removed": both("removed", "entfernt"),
}
PAGES = both("All matches, by page", "Alle Partien, nach Seiten")
EMPTY = both("Nothing has been played yet.", "Noch ist nichts gespielt worden.")

WORDS: dict[str, Html] = {
    "anchor": both("anchor", "Anker"),
    "apart": both("apart", "getrennt"),
    "open": both("open", "offen"),
    "not fixed": both("not fixed", "nicht festgelegt"),
}
"""Words in cells of the standings."""

COLUMNS: dict[str, Html] = {
    "place": both("place", "Platz"),
    "bot": both("bot", "Bot"),
    "faults": both("faults", "Fehler"),
    "match": both("match", "Partie"),
    "date": both("date", "Datum"),
    "result": both("bots, places, heads", "Bots, Plätze, Hornochsen"),
    "list": both("list", "Liste"),
    "version": both("version", "Version"),
    "state": both("state", "Zustand"),
    "language": both("language", "Sprache"),
    "files": both("files", "Dateien"),
    "added": both("added", "hinzugefügt"),
    "kind": both("kind", "Art"),
    "count": both("number", "Anzahl"),
    "what": both("why", "warum"),
}
"""Titles of columns that are not of the standings."""
