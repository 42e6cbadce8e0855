// The match on paper: its result, and by turn each card with the heads that it took, as far as they may be told.

const printing = matchMedia("print");
printing.addEventListener("change", drawPaper);

function drawPaper() {
  if (!printing.matches) return;
  const shown = POINTS.filter(({ at }) => at <= seen()).map((point) => ({ ...point, seats: frames[point.at].picture.seats }));
  const deals = [...new Set(shown.map(({ deal }) => deal))];
  document.getElementById("paper").replaceChildren(resultOf(frames[seen()].picture),
    ...deals.map((deal) => playedIn(deal, shown.filter((point) => point.deal === deal && point.seats.cards.some((cards) => cards.length)))),
    el("p", { class: "size" }, word("on paper")));
}

function resultOf({ seats, deals }) {
  const order = NAMES.map((_, seat) => seat).sort((one, other) => (seats.rank[one] ?? 0) - (seats.rank[other] ?? 0) || seats.score[one] - seats.score[other]);
  const head = (text) => el("th", { scope: "col" }, text);
  return el("table", {},
    el("thead", {}, el("tr", {}, head(word("bot")), head(word("placed")), deals.length > 1 && deals.map((_, at) => head(word("deal", at + 1))), head(word("in all")))),
    el("tbody", {}, order.map((seat) => el("tr", {}, el("th", { scope: "row" }, dotOf(seat), " ", named(seat)), el("td", {}, String(seats.rank[seat] ?? "–")),
      deals.length > 1 && deals.map((line) => el("td", {}, String(line[seat]))), el("td", {}, el("b", {}, String(seats.score[seat])))))));
}

function playedIn(deal, points) {
  return el("table", { class: "cards" }, el("caption", {}, word("deal", deal)),
    el("thead", {}, el("tr", {}, el("th"), points.map(({ turn }) => el("th", { scope: "col" }, String(turn || "–"))))),
    el("tbody", {}, NAMES.map((_, seat) => el("tr", {}, el("th", { scope: "row" }, named(seat)), points.map(({ seats }) =>
      el("td", {}, seats.cards[seat].join(" "), seats.took[seat] > 0 && el("b", {}, ` +${seats.took[seat]}`)))))));
}
