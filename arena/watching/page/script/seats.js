// The seats: name, cards played, heads, a bar, and what else the game counts.

const MANY = 4; // seats; more of them are smaller

let handsOpen = false;
let clock = null; // of the seats that think: by seat since when, and the limit, in milliseconds; null: nobody tells

function seatOf(at, picture, most) {
  const seats = picture.seats;
  const cards = seats.cards[at];
  const more = Object.entries(seats.figures[at]).map(([title, value]) => word("figure", figureTitle(title), value));
  const left = !("hand" in seats.figures[at]) && seats.left[at] && NAMES.length <= MANY ? word("left", seats.left[at]) : null;
  if (seats.closed[at]) more.push(word("closed"));
  if (seats.faults[at]) more.push(word("faults", seats.faults[at]));
  const hand = handsOpen && seats.hand[at] ? [word("hand"), seats.hand[at]] : [word("known"), knownOf(at, picture)];
  const texts = [seats.asked[at] && el("span", { class: "thinks" }, word("thinking")), ...more].filter(Boolean).flatMap((text, index) => (index ? [" · ", text] : [text]));
  if (left) texts.push(el("span", { class: "left" }, texts.length ? " · " : "", left));
  const bar = el("i");
  bar.style.setProperty("width", `${most ? (100 * seats.score[at]) / most : 0}%`);
  const place = seats.rank[at] && el("span", { class: seats.rank[at] === 1 ? "place best" : "place" }, el("span", { "aria-hidden": "true" }, `${seats.rank[at]}.`), el("span", { class: "quiet" }, word("place", seats.rank[at])));
  const isMany = NAMES.length > MANY; // the names of many need their line
  const marks = ["seat", picture.mover === at && "moves", seats.closed[at] && "closed", seats.rank[at] === 1 && "first"];
  return el("li", { class: marks.filter(Boolean).join(" "), own: at, "data-seat": at },
    el("span", { class: "name" }, !isMany && place, seats.person[at] ? icon("person") : null, linked(at), seats.person[at] ? el("span", { class: "quiet" }, word("person")) : null),
    el("span", { class: "score" }, isMany && place, el("b", { class: "total" }, String(seats.score[at])), icon("bull"), el("span", { class: "quiet" }, word("headed")),
      seats.took[at] ? el("span", { class: "took" }, `+${seats.took[at]}`) : null),
    el("span", { class: "bar", "aria-hidden": "true" }, bar),
    el("span", { class: "more" }, texts),
    el("span", { class: "played" }, cards.length
      ? cards.slice(-3).map((card) => cardOf(card, { key: `${card}.s${at}`, moves: card === picture.moving && picture.mover === at }))
      : seats.down[at] ? faceDown() : seats.asked[at] ? clockOf(at) : null),
    hand[1].length > 0 && el("span", { class: "hand", role: "group", "aria-label": hand[0] }, hand[1].map((card) => cardOf(card))));
}

// What everybody knows of a hand: the cards that were drafted or taken up openly, without those that were played.
function knownOf(at, { board }) {
  return board.find((part) => part.is === "OpenHands")?.hands[at] ?? [];
}

// The place of the card of a seat that thinks, with its time if it is known.
function clockOf(at) {
  const made = el("span", { class: "asked" });
  const since = clock?.since[at];
  if (since === undefined) return made;
  const used = performance.now() - since;
  if (clock.limit) made.style.setProperty("--used", Math.min(1, used / clock.limit));
  if (used >= 1000) made.append(word("seconds", Math.floor(used / 1000)));
  return made;
}

function figureTitle(title) {
  return data.words[language][`figure ${title}`] ?? title;
}

// The score of a full bar.
function mostHeads() {
  return Math.max(frames[0].picture.target || 0, ...frames[seen()].picture.seats.score, 1);
}

const DRAWN = []; // what is to be done whenever the table was drawn

function drawTable(picture) {
  const draw = drawing(picture);
  document.getElementById("seats").classList.toggle("many", NAMES.length > MANY);
  const { rank } = picture.seats; // at the end the best comes first
  document.getElementById("seats").replaceChildren(...[...NAMES.keys()].sort((one, other) => rank[one] - rank[other]).map((at) => seatOf(at, picture, mostHeads())));
  const parts = picture.board.filter((part) => part.is !== "OpenHands"); // which are at the seats
  const drawn = (waiting) => parts.filter((part) => (part.is === "Waiting") === waiting).map((part) => (PARTS[part.is] || unknownPart)(part, picture, draw));
  document.getElementById("board").replaceChildren(...drawn(false));
  document.getElementById("waiting").replaceChildren(...drawn(true));
  DRAWN.forEach((then) => then(picture));
  fit();
}

const MARGINS = 48; // around the table and the controls, in pixels
let rest = 0, tallest = 0; // once for all steps, so that no button runs away

// Rows are as high as the screen has room for, beside what is above and below them. Controls stay in sight below the table; where both
// are too high for the screen they follow it, so that they never cover a card.
function fit({ anew = false } = {}) {
  const [table, board, waiting, steering] = ["table", "board", "waiting", "steering"].map((id) => document.getElementById(id));
  const under = waiting.getBoundingClientRect().left <= board.getBoundingClientRect().left;
  const needed = board.getBoundingClientRect().top + scrollY + steering.offsetHeight + (under ? waiting.offsetHeight : 0) + MARGINS;
  rest = anew ? needed : Math.max(rest, needed);
  table.style.setProperty("--rest", `${Math.ceil(rest)}px`);
  const bottom = table.getBoundingClientRect().bottom + scrollY;
  tallest = anew ? bottom : Math.max(tallest, bottom);
  steering.classList.toggle("after", tallest + steering.offsetHeight > innerHeight);
}
