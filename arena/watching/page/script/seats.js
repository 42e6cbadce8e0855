// The seats: name, cards played, heads, a bar, and what else the game counts.

let handsOpen = false;

function seatOf(at, picture, most) {
  const seats = picture.seats;
  const cards = seats.cards[at];
  const more = Object.entries(seats.figures[at]).map(([title, value]) => word("figure", figureTitle(title), value));
  if (!("hand" in seats.figures[at]) && seats.left[at] && NAMES.length <= 6) more.push(word("left", seats.left[at]));
  if (seats.asked[at]) more.unshift(word("thinking"));
  if (seats.closed[at]) more.push(word("closed"));
  if (seats.faults[at]) more.push(word("faults", seats.faults[at]));
  const bar = el("i");
  bar.style.setProperty("width", `${most ? (100 * seats.score[at]) / most : 0}%`);
  return el("li", { class: `seat${picture.mover === at ? " moves" : ""}${seats.closed[at] ? " closed" : ""}`, own: at, "data-seat": at },
    el("span", { class: "name" }, seats.person[at] ? icon("person") : null, named(at), seats.person[at] ? el("span", { class: "quiet" }, word("person")) : null),
    el("span", { class: "score" }, el("b", { class: "total" }, String(seats.score[at])), icon("bull"), el("span", { class: "quiet" }, word("headed")),
      seats.took[at] ? el("span", { class: "took" }, `+${seats.took[at]}`) : null,
      seats.rank[at] ? el("span", { class: seats.rank[at] === 1 ? "place best" : "place" }, word("place", seats.rank[at])) : null),
    el("span", { class: "bar", "aria-hidden": "true" }, bar),
    el("span", { class: "more" }, more.join(" · ")),
    el("span", { class: "played" }, cards.length
      ? cards.slice(-3).map((card) => cardOf(card, { key: `${card}.s${at}`, moves: card === picture.moving && picture.mover === at }))
      : seats.down[at] ? faceDown() : seats.asked[at] ? el("span", { class: "asked" }) : null),
    handsOpen && seats.hand[at] && el("span", { class: "hand", role: "group", "aria-label": word("hand") }, seats.hand[at].map((card) => cardOf(card))));
}

function figureTitle(title) {
  return data.words[language][`figure ${title}`] ?? title;
}

// The score of a full bar.
const MOST = Math.max(frames[0].picture.target || 0, ...frames[LAST].picture.seats.score, 1);

function drawTable(picture) {
  const draw = drawing(picture);
  document.getElementById("seats").classList.toggle("many", NAMES.length > 6);
  document.getElementById("seats").replaceChildren(...NAMES.map((_, at) => seatOf(at, picture, MOST)));
  document.getElementById("board").replaceChildren(...picture.board.map((part) => (PARTS[part.is] || unknownPart)(part, picture, draw)));
}
