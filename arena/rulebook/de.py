"""The rules in German, in the terms of the rulebooks. No figures stand here but in the names of games and rulebooks."""

from arena.rulebook.language import Language

SECTIONS = {
    "about": "Worum es geht",
    "players": "Mitspieler",
    "cards": "Karten und Hornochsen",
    "deal": "Beginn eines Durchgangs",
    "turn": "Eine Runde",
    "place": "Wohin eine Karte kommt",
    "special": "Besonderheiten",
    "score": "Hornochsen zählen",
    "end": "Ende des Durchgangs und der Partie",
    "options": "Optionen",
    "source": "Quelle",
    "rulings": "Wie offene Fragen hier entschieden sind",
}

ABOUT = {
    "about.rows": (
        "Karten werden an {rows} Reihen angelegt. Wer eine Reihe nehmen muss, bekommt deren Karten, und jeder "
        "Hornochse darauf ist ein Minuspunkt. Es gewinnt, wer die wenigsten Hornochsen hat."
    ),
    "about.tactics": (
        "In diesem Spiel bleibt keine Karte übrig: Jede ist auf einer Hand oder liegt auf dem Tisch. Es lohnt sich "
        "also, sich zu merken, welche Karten schon weg sind."
    ),
    "about.logic": (
        "In diesem Spiel suchen sich die Mitspieler ihre Karten aus offen liegenden aus. Alle kennen alle Karten, und "
        "geheim ist nur, welche als nächste gespielt wird."
    ),
    "about.tournament": (
        "In diesem Spiel spielt jeder jedes Kartenblatt einmal. Die Blätter werden am Anfang aus offenen Karten "
        "zusammengestellt und wandern dann um den Tisch."
    ),
    "about.professional": "In diesem Spiel wachsen die Reihen an beiden Enden.",
    "about.open": (
        "In diesem Spiel wird offen ausgespielt, einer nach dem anderen. Wer später an der Reihe ist, sieht also, was "
        "die anderen tun."
    ),
    "about.nifty": (
        "In diesem Spiel spielen alle {pair} Karten auf einmal und bestimmen selbst, welche davon zuerst angelegt wird."
    ),
    "about.hand": (
        "In diesem Spiel wird jede Karte sofort angelegt, und Karten einer genommenen Reihe dürfen auf die Hand. Doch "
        "jede Karte, die man am Ende noch auf der Hand hat, zählt doppelt."
    ),
    "about.double": "In diesem Spiel gibt es Zwillinge: Karten mit gleicher Zahl, die übereinander gelegt werden.",
    "about.online": (
        "Das ist das Spiel einer frühen Online-Fassung: ein Mensch gegen Programme, nur ein Durchgang, und niemand "
        "sucht sich eine Reihe aus."
    ),
    "about.eleven": (
        "Die Handkarten müssen weg. Man legt sie auf Stapel, immer ein wenig höher als die oberste Karte. Einen "
        "Stapel zu nehmen kostet zunächst nichts, aber am Ende des Durchgangs ist jeder Hornochse auf den Handkarten "
        "ein Minuspunkt. Es gewinnt, wer die wenigsten Hornochsen hat."
    ),
}

TABLE = {
    "players.range": "{players}.",
    "players.exactly": "Immer {players}.",
    "players.start": "Einer von ihnen ist der Startspieler.",
    "cards.deck": "Gespielt wird mit den Karten {cards}; jede gibt es einmal.",
    "cards.short": (
        "Gespielt wird nur mit so vielen Karten, wie man braucht: {each} für jeden Mitspieler und {more} für die "
        "Reihen. Bei {some_players} Mitspielern sind es die Karten {some_cards}. Höhere Karten werden beiseitegelegt."
    ),
    "cards.marker": (
        "Gespielt wird mit den Karten {cards}; jede gibt es einmal. Die {marker} spielt nicht mit: Sie zeigt an, wer "
        "in einer Runde als Erster ausspielt."
    ),
    "cards.copies": "Gespielt wird mit den Karten {cards}; jede gibt es {copies}-mal.",
    "cards.heads": "Auf jeder Karte sind Hornochsen, das sind die Minuspunkte:",
    "deal.hands": "Die Karten werden gemischt. Jeder bekommt {hand} Karten auf die Hand, die kein anderer sehen darf.",
    "deal.rows": (
        "{rows} weitere Karten werden aufgedeckt und untereinander gelegt. Mit jeder beginnt eine Reihe. Der Rest "
        "wird in diesem Durchgang nicht gebraucht."
    ),
    "deal.rows.last": (
        "Die letzten {rows} Karten werden aufgedeckt und untereinander gelegt. Mit jeder beginnt eine Reihe."
    ),
    "deal.rows.double": (
        "Für die Reihen werden weitere Karten aufgedeckt. Mit einer Karte, die noch nicht daliegt, beginnt eine "
        "Reihe; ein Zwilling kommt auf die Karte, der er gleicht. So geht es weiter, bis es {rows} Reihen sind."
    ),
    "deal.unused": "Der Rest wird in diesem Durchgang nicht gebraucht.",
    "draft.open": "Es wird weder gemischt noch ausgeteilt: Alle Karten liegen offen auf dem Tisch.",
    "draft.laps": (
        "Der Startspieler nimmt sich eine davon, dann sein linker Nachbar und so weiter, immer reihum, bis alle "
        "{hand} Karten haben. Alle sehen, wer was nimmt."
    ),
    "draft.rows": (
        "Mit den {rows} Karten, die keiner genommen hat, beginnen die Reihen, mit der niedrigsten ganz oben und der "
        "höchsten ganz unten."
    ),
    "draft.every": "So beginnt jeder Durchgang.",
    "draft.once": (
        "Das geschieht nur einmal. Die Kartenblätter und die Anfänge der Reihen werden notiert und in allen "
        "Durchgängen wieder verwendet."
    ),
    "draft.handed": (
        "Nach jedem Durchgang geht jedes Kartenblatt, wieder vollständig, an den linken Nachbarn dessen, der es "
        "gerade gespielt hat. Die Reihen beginnen mit denselben Karten."
    ),
}

TURNS = {
    "turn.hidden": "Alle wählen verdeckt eine ihrer Handkarten. Wenn alle gewählt haben, wird gemeinsam aufgedeckt.",
    "turn.known": "Die Handkarten sind kein Geheimnis, die Wahl schon.",
    "turn.ascending": "Dann werden die Karten nacheinander angelegt, von der niedrigsten bis zur höchsten.",
    "turn.open": (
        "Wer die Startspielerkarte hat, spielt eine Karte offen aus. Die anderen folgen im Uhrzeigersinn, und jeder "
        "sieht, was vor ihm gespielt wurde."
    ),
    "turn.marker": (
        "Zuerst hat der Startspieler die Startspielerkarte. Nach jeder Runde bekommt sie der linke Nachbar, auch nach "
        "der letzten Runde eines Durchgangs."
    ),
    "turn.pair": "Alle wählen verdeckt {pair} ihrer Handkarten. Wenn alle gewählt haben, wird gemeinsam aufgedeckt.",
    "turn.pair.lowest": (
        "Wer die niedrigste Karte hat, beginnt und legt beide Karten an, eine direkt nach der anderen. Welche von "
        "ihnen zuerst kommt, sagt er erst jetzt."
    ),
    "turn.pair.next": (
        "Von denen, deren Karten noch warten, ist dann wieder der mit der niedrigsten an der Reihe, bis alle Karten "
        "angelegt sind."
    ),
    "turn.one": (
        "Die Mitspieler sind nacheinander am Zug, im Uhrzeigersinn, und in jeder Runde beginnt der Startspieler. Eine "
        "Runde ist zu Ende, wenn alle am Zug waren."
    ),
    "turn.second": (
        "Wer am Zug ist, spielt eine Handkarte offen aus und legt sie sofort an. Danach darf er aufhören oder auf "
        "dieselbe Weise noch eine Karte spielen."
    ),
    "place.end": (
        "Eine Karte wird am Ende einer Reihe angelegt, deren letzte Karte niedriger ist. In jeder Reihe steigen die "
        "Zahlen also an."
    ),
    "place.nearest": (
        "Gibt es mehrere solche Reihen, kommt sie an die, deren letzte Karte die höchste ist und ihr damit am nächsten."
    ),
    "place.full": (
        "Mit {row_limit} Karten ist eine Reihe voll. Muss eine Karte an eine volle Reihe, nimmt ihr Besitzer diese "
        "{row_limit} Karten, und mit der neuen Karte beginnt die Reihe von vorn."
    ),
    "place.low": (
        "Eine Karte, die niedriger ist als die letzten Karten aller Reihen, passt nirgends. Ihr Besitzer sucht sich "
        "irgendeine Reihe aus und nimmt alle ihre Karten, und mit der niedrigen Karte beginnt diese Reihe von vorn."
    ),
    "place.low.open": "Wer eine Reihe aussucht, kennt alle Karten der Runde und weiß, wohin die vorigen gekommen sind.",
    "place.low.lowest": (
        "Nur die niedrigste Karte einer Runde kann nirgends passen, denn sobald sie liegt, ist sie das Ende einer "
        "Reihe."
    ),
    "place.low.often": "Das kann in einer Runde mehrmals vorkommen.",
    "place.low.cheapest": (
        "Eine Karte, die niedriger ist als die letzten Karten aller Reihen, passt nirgends. Ihr Besitzer nimmt ohne "
        "eigene Wahl die Reihe mit den wenigsten Hornochsen, bei Gleichstand die oberste. Mit der niedrigen Karte "
        "beginnt diese Reihe von vorn."
    ),
    "ends.grow": (
        "An eine Reihe wird an beiden Enden angelegt: niedrigere Karten links von der ersten, höhere rechts von der "
        "letzten. Von links nach rechts steigen die Zahlen also an."
    ),
    "ends.nearest": (
        "Eine Karte kann an das rechte Ende einer Reihe, deren letzte Karte niedriger ist, und an das linke Ende "
        "einer Reihe, deren erste Karte höher ist. Sie muss an das nächste dieser Enden, also dorthin, wo die "
        "Differenz zur Karte am Ende am kleinsten ist."
    ),
    "ends.tie": (
        "Sind ein linkes Ende und das rechte Ende einer anderen Reihe gleich weit entfernt, wählt der Besitzer der "
        "Karte eines davon aus."
    ),
    "ends.full": (
        "Mit {row_limit} Karten ist eine Reihe voll. Muss eine Karte an eines der Enden einer vollen Reihe, nimmt ihr "
        "Besitzer diese {row_limit} Karten, und mit der neuen Karte beginnt die Reihe von vorn."
    ),
    "ends.within": (
        "Eine Karte passt nirgends, wenn ihre Zahl in jeder Reihe zwischen der ersten und der letzten Karte liegt. "
        "Ihr Besitzer sucht sich irgendeine Reihe aus und nimmt alle ihre Karten, und mit der neuen Karte beginnt "
        "diese Reihe von vorn."
    ),
    "ends.often": "Die Wahl zwischen zwei Enden kann in einer Runde mehrmals vorkommen.",
}

SPECIAL = {
    "keep.choice": (
        "Wer eine Reihe nimmt, entscheidet für jede ihrer Karten, ob sie auf die Hand kommt oder auf den Minusstapel. "
        "Auch alle auf die Hand oder alle auf den Stapel ist erlaubt. Was auf dem Minusstapel liegt, bleibt dort."
    ),
    "keep.limit": (
        "Karten dürfen nur auf die Hand, solange es dann höchstens {most_in_hand} Handkarten sind. Die gerade "
        "gespielte Karte zählt dabei nicht mehr mit."
    ),
    "keep.second": (
        "Als zweite Karte eines Zuges darf man auch eine spielen, die mit der ersten auf die Hand gekommen ist."
    ),
    "twins.one": (
        "Zwillinge, die in einer Reihe übereinander liegen, zählen bei den {row_limit} Karten einer vollen Reihe als "
        "eine. Ihre Hornochsen zählen einzeln."
    ),
    "twins.end": (
        "Eine Karte, die der letzten Karte einer Reihe gleicht, wird auf diese gelegt. Niemand muss etwas nehmen, "
        "auch wenn die Reihe voll ist."
    ),
    "twins.inside": (
        "Ein Zwilling an anderer Stelle einer Reihe hat keine Bedeutung. Die Karte wird angelegt wie jede andere."
    ),
    "twins.together": (
        "Spielen zwei Mitspieler in derselben Runde die gleiche Zahl, werden beide Karten zusammen angelegt, als "
        "wären sie eine."
    ),
    "twins.share": (
        "Muss für diese beiden Karten eine Reihe genommen werden, nehmen die zwei Mitspieler sie gemeinsam: Jeder "
        "bekommt die Hälfte ihrer Hornochsen, aufgerundet. Mit den beiden Karten beginnt die Reihe von vorn."
    ),
    "twins.chooser": (
        "Passen sie nirgends, sucht nur einer der beiden die Reihe aus: in der ersten Runde eines Durchgangs der "
        "erste in der Sitzordnung, und mit jeder Runde beginnt dieses Abzählen einen Platz weiter im Uhrzeigersinn."
    ),
    "twins.own": "Wer beide Zwillinge auf der Hand hat, spielt sie einzeln.",
}

ELEVEN = {
    "eleven.stack": (
        "Eine weitere Karte wird aufgedeckt, mit ihr beginnt der erste Stapel. Der Rest ist der verdeckte "
        "Nachziehstapel."
    ),
    "eleven.ready": "{bulls} Bullenkarten liegen bereit, Karten ohne Zahl und ohne Hornochsen; niemand hat eine.",
    "eleven.first": (
        "Den ersten Durchgang beginnt der Startspieler, jeden weiteren, wer insgesamt die meisten Hornochsen hat. Bei "
        "Gleichstand ist es der Erste im Uhrzeigersinn, gezählt ab dem, der den vorigen Durchgang begonnen hat (er "
        "selbst zählt mit)."
    ),
    "eleven.clockwise": "Die Mitspieler sind nacheinander am Zug, im Uhrzeigersinn.",
    "eleven.choice": (
        "Wer am Zug ist, tut eines von beidem: Er legt eine Karte auf einen Stapel, oder er nimmt einen Stapel. "
        "Nehmen darf man auch, wenn eine Karte passt."
    ),
    "eleven.fit": (
        "Eine Karte passt auf einen Stapel, wenn sie höher ist als die oberste Karte, aber um höchstens {reach}."
    ),
    "eleven.circle": "Nach der {highest} geht es mit der {lowest} weiter: Auf eine {top} passen {fitting}.",
    "eleven.take": "Wer einen Stapel nimmt, bekommt alle seine Karten auf die Hand.",
    "eleven.turned": (
        "Dann werden {turned} Karten vom Nachziehstapel aufgedeckt (oder so viele, wie noch da sind). Mit jeder "
        "beginnt ein neuer Stapel."
    ),
    "eleven.bull": (
        "Wer einen Stapel mit {bull_size} oder mehr Karten nimmt, bekommt eine Bullenkarte. Er behält sie bis zum "
        "Ende des Durchgangs, wenn nicht ein anderer sie bekommt. Man kann mehrere haben."
    ),
    "eleven.several": (
        "Ohne Bullenkarte legt man in einem Zug eine Karte. Mit Bullenkarten darf man auf so viele Stapel legen, wie "
        "man Bullenkarten hat, auf jeden beliebig viele Karten, und nach jeder Karte aufhören. Die Bullenkarten "
        "werden dabei nicht verbraucht."
    ),
    "eleven.window": (
        "Alle diese Karten müssen auf die Karte passen, die vor dem Zug oben lag. Auf einer gerade gelegten Karte "
        "weiterzubauen ist nicht erlaubt."
    ),
    "eleven.sorted": (
        "Auf einem Stapel werden die Karten geordnet, gleich in welcher Folge sie gelegt wurden: Oben liegt danach "
        "die, die von der alten obersten Karte am weitesten entfernt ist."
    ),
    "eleven.no_bull": (
        "Sind alle {bulls} Bullenkarten vergeben, kommt die Bullenkarte von einem anderen Mitspieler, der die meisten "
        "hat; sind es mehrere, sucht man sich einen aus. Wer allein die meisten hat, bekommt keine."
    ),
    "eleven.score": "Am Ende des Durchgangs zählt jeder die Hornochsen auf seinen Handkarten.",
    "eleven.free": "Bullenkarten kosten nichts und werden zurückgelegt.",
    "eleven.end": "Ein Durchgang endet sofort, wenn jemand keine Handkarten mehr hat.",
    "eleven.stuck": (
        "Er endet auch, wenn jemand am Zug ist und kein Stapel mehr da ist, auf den er legen oder den er nehmen könnte."
    ),
    "eleven.deals": "Eine Partie hat so viele Durchgänge wie Mitspieler, wenn die Option deals nichts anderes sagt.",
}

END = {
    "score.at_once": (
        "Genommene Karten liegen im Hornochsenstapel vor ihrem Besitzer. In diesem Durchgang kommen sie nicht wieder, "
        "und ihre Hornochsen zählen sofort."
    ),
    "score.pile": (
        "Am Ende des Durchgangs zählt jeder die Hornochsen in seinem Minusstapel einfach und die auf seinen "
        "restlichen Handkarten doppelt."
    ),
    "end.empty": "Ein Durchgang endet nach {turns} Runden, wenn alle Handkarten ausgespielt sind.",
    "end.shuffle": "Für den nächsten Durchgang werden alle Karten neu gemischt.",
    "end.target": (
        "Nach jedem Durchgang werden die Hornochsen aller Durchgänge zusammengezählt. Hat jemand mehr als {target}, "
        "ist die Partie zu Ende. Legt die Option deals eine Zahl von Durchgängen fest, endet sie stattdessen nach "
        "diesen."
    ),
    "end.winner": "Es gewinnt, wer insgesamt die wenigsten Hornochsen hat. Wer gleich viele hat, teilt sich den Platz.",
    "end.sheet": "Wie viele Hornochsen jeder mit jedem Kartenblatt genommen hat, steht auf einem Turnierblatt.",
    "end.tournament": (
        "Die Partie ist zu Ende, wenn jeder jedes Kartenblatt gespielt hat, also nach so vielen Durchgängen, wie es "
        "Mitspieler gibt."
    ),
    "end.online": "Die Partie ist nach einem Durchgang zu Ende.",
    "end.lap": (
        "Ein Durchgang endet nach der Runde, in der jemand seine letzte Handkarte losgeworden ist oder ein "
        "Minusstapel auf mehr als {most_in_pile} Karten gewachsen ist. Die Runde wird vorher zu Ende gespielt."
    ),
    "end.refilled": (
        "Wer nur kurz ohne Handkarten war und im selben Zug Karten einer Reihe auf die Hand genommen hat, zählt dabei "
        "nicht."
    ),
    "end.last_turn": "Spätestens nach {last_turn} Runden ist der Durchgang zu Ende.",
    "end.deals": "Wie viele Durchgänge eine Partie hat, sagt die Option deals; wenn niemand sie setzt: {deals}.",
}

RULINGS = {
    "ruling.target": (
        "Ob die Partie beim Erreichen oder erst beim Überschreiten der Grenze endet, ist nicht überall gleich "
        "gedruckt. Die Option target_rule entscheidet."
    ),
    "ruling.between": "Während eines Durchgangs wird die Grenze nicht geprüft.",
    "ruling.ties": "Bei Gleichstand entscheidet nichts weiter.",
    "ruling.shuffle": "Nicht gebrauchte Karten werden mit allen anderen neu gemischt und nicht zuerst ausgeteilt.",
    "ruling.name.logic": (
        "In der ersten Ausgabe heißt dieses Spiel Profivariante. Das Spiel, das hier professional (Profi) heißt, ist "
        "ein anderes."
    ),
    "ruling.name.professional": (
        "Die Profivariante der ersten Ausgabe ist ein anderes Spiel, das hier logic (Logik) heißt."
    ),
    "ruling.players.logic": (
        "Der deutsche Text der ersten Ausgabe nennt weniger Mitspieler. Die Karten reichen für mehr, also dürfen mehr "
        "mitspielen."
    ),
    "ruling.players.tournament": "Auf dem gedruckten Turnierblatt ist für mehr Mitspieler kein Platz.",
    "ruling.players.open": "Für einen Mitspieler mehr wäre es eine Karte zu wenig, weil die {marker} fehlt.",
    "ruling.players.hand": (
        "Eine Zahl der Mitspieler ist nicht gedruckt; für einen mehr würden die Karten nicht reichen."
    ),
    "ruling.draft": (
        "Beim Aussuchen geht es immer in derselben Richtung herum, und die Reihen beginnen mit aufsteigenden Karten."
    ),
    "ruling.draft.start": "Das Aussuchen beginnt in jedem Durchgang beim selben Startspieler.",
    "ruling.same": "Die Reihen beginnen in jedem Durchgang mit denselben Karten.",
    "ruling.side": (
        "Was bei gleicher Entfernung geschieht, ist nicht gedruckt; dass der Besitzer wählt, ist von einem anderen "
        "Programm übernommen."
    ),
    "ruling.within": "Nirgends zu passen heißt, in allen Reihen zwischen den beiden Enden zu liegen.",
    "ruling.marker": (
        "Die Startspielerkarte wandert über das Ende eines Durchgangs hinaus weiter. Mit der Option reset_marker "
        "bekommt sie der Startspieler zurück."
    ),
    "ruling.pair": (
        "Die niedrigste Karte wird unter denen gesucht, die noch warten. Die Reihenfolge der eigenen Karten wählt man "
        "zuletzt und nicht schon beim Ausspielen."
    ),
    "ruling.second": (
        "Über eine zweite Karte entscheidet man, nachdem die erste angelegt ist. Mit der Option "
        "second_from_original_hand darf es keine gerade genommene sein."
    ),
    "ruling.keep": "Alle sehen, welche Karten auf eine Hand kommen.",
    "ruling.last_turn": (
        "Die Grenze für die Zahl der Runden gibt es nur hier, denn sonst könnten Karten endlos kreisen."
    ),
    "ruling.one_deal": "Eine Grenze für Hornochsen ist für dieses Spiel nicht gedruckt.",
    "ruling.twin": (
        "Dass niemand eine volle Reihe nimmt, wenn ein Zwilling auf ihre letzte Karte kommt, folgt aus der Regel für "
        "Zwillinge."
    ),
    "ruling.chooser": "Wer von zwei Besitzern die Reihe aussucht, ist nicht gedruckt.",
    "ruling.share": (
        "Weil aufgerundet wird, können beide zusammen einen Hornochsen mehr bekommen, als in der Reihe lagen."
    ),
    "ruling.online": "Von weiteren Durchgängen ist nicht die Rede, also gibt es einen.",
    "ruling.eleven.heads": (
        "Keine Anleitung zählt die Hornochsen der Karten auf. Sie stammen aus einem öffentlichen Programm, das die "
        "Karten zeigt."
    ),
    "ruling.eleven.turned": (
        "Wie viele neue Stapel es gibt, wenn einer genommen wurde, ist nicht überall gleich; die meisten Texte sagen "
        "es so."
    ),
    "ruling.eleven.bull": "Auch ab wie vielen Karten es eine Bullenkarte gibt, ist nicht überall gleich.",
    "ruling.eleven.several": (
        "Mehrere Karten müssen nicht lückenlos aufeinander folgen: Es zählt nur die alte oberste Karte, auch über das "
        "Ende der Zahlen hinweg."
    ),
    "ruling.eleven.no_bull": (
        "Was geschieht, wenn man selbst die meisten Bullenkarten hat, ist nicht gedruckt: Wer sie nicht allein hat, "
        "bekommt eine von den anderen mit den meisten."
    ),
    "ruling.eleven.stuck": (
        "Was geschieht, wenn keine Karte mehr aufzudecken oder kein Stapel mehr da ist, ist nicht gedruckt."
    ),
    "ruling.eleven.first": "Wer die meisten Hornochsen hat, wird über alle bisherigen Durchgänge gezählt.",
    "ruling.eleven.deals": (
        "An manchen Stellen ist eine andere Zahl von Durchgängen gedruckt; die Option deals lässt jede zu."
    ),
    "ruling.eleven.open": "Stapel darf man durchsehen, und alle wissen, welche Karten jemand mit ihnen genommen hat.",
}

TITLES = {
    "standard": "6 nimmt!",
    "tactics": "6 nimmt! Taktik",
    "logic": "6 nimmt! Logik",
    "tournament": "6 nimmt! Turnier",
    "professional": "6 nimmt! Profi",
    "open": "6 nimmt! Offen",
    "nifty": "6 nimmt! Raffiniert",
    "hand": "6 nimmt! Hand",
    "double": "6 nimmt! Doppel",
    "eleven": "11 nimmt!",
    "online": "6 nimmt! online",
}

SOURCES = {
    "1994 rulebook; jubilee rulebook, base game": "Anleitung von 1994; Anleitung der Jubiläumsausgabe, Grundspiel",
    "jubilee rulebook, variant 1": "Anleitung der Jubiläumsausgabe, Variante 1",
    "jubilee rulebook, variant 2; 1994 rulebook, professional variant": (
        "Anleitung der Jubiläumsausgabe, Variante 2; Anleitung von 1994, Profivariante"
    ),
    "jubilee rulebook, variant 3": "Anleitung der Jubiläumsausgabe, Variante 3",
    "jubilee rulebook, variant 4": "Anleitung der Jubiläumsausgabe, Variante 4",
    "jubilee rulebook, variant 5": "Anleitung der Jubiläumsausgabe, Variante 5",
    "jubilee rulebook, variant 6": "Anleitung der Jubiläumsausgabe, Variante 6",
    "jubilee rulebook, variant 7": "Anleitung der Jubiläumsausgabe, Variante 7",
    "jubilee rulebook, variant 8": "Anleitung der Jubiläumsausgabe, Variante 8",
    "11 nimmt! rulebook (Italian translation)": "Anleitung von 11 nimmt! (italienische Übersetzung)",
    "online short rules (2000)": "Kurzregeln der Online-Fassung (2000)",
}

OPTIONS = {
    "the match ends after the deal in which a total passes this many heads": (
        "die Partie endet nach dem Durchgang, in dem jemand insgesamt mehr als so viele Hornochsen hat"
    ),
    "whether the target must be passed or only reached": (
        "ob die Grenze (target) überschritten werden muss (over) oder es genügt, sie zu erreichen (reach)"
    ),
    "play exactly this many deals instead of to a target": (
        "genau so viele Durchgänge spielen, statt bis zu einer Grenze"
    ),
    "every deal begins at the starting seat, instead of where the marker is": (
        "jeder Durchgang beginnt beim Startspieler und nicht dort, wo die Startspielerkarte gerade ist"
    ),
    "play exactly this many deals": "genau so viele Durchgänge spielen",
    "the second card must not come from a row just taken": (
        "die zweite Karte darf nicht aus einer gerade genommenen Reihe stammen"
    ),
    "play with one deck and only the doublets 11, 22, ... 99 of a second one": (
        "mit einem Kartendeck spielen, in dem nur die Paschzahlen {doublets_cards} zweimal vorkommen"
    ),
    "play exactly this many deals instead of as many as there are seats": (
        "genau so viele Durchgänge spielen, statt einen je Mitspieler"
    ),
    "play with the cards 1 to 44 only": "nur mit den Karten {tactics_cards} spielen",
}

GERMAN = Language(
    code="de",
    sections=SECTIONS,
    text={**ABOUT, **TABLE, **TURNS, **SPECIAL, **ELEVEN, **END, **RULINGS},
    words={
        "to": "bis",
        "or": "oder",
        "head": "Hornochse",
        "heads": "Hornochsen",
        "others": "alle anderen",
        "unset": "nicht gesetzt",
        "number": "eine ganze Zahl von {minimum} bis {maximum}",
        "switch": "true (ja) oder false (nein)",
        "option": "{what}. Werte: {values}. Voreinstellung: {default}.",
        "how": "Sie werden beim Spielen einer Partie mit --option NAME=WERT gesetzt.",
        "none": "Es gibt keine.",
    },
    titles=TITLES,
    sources=SOURCES,
    options=OPTIONS,
)
