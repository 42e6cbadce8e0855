// Elements, cards, and the parts of a board. Text becomes text nodes, so it can never be markup.

function el(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === "own") { if (value !== null) made.style.setProperty("--own", `var(--s${value % 10})`); }
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

function svg(tag, properties, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === "own") made.style.setProperty("--own", `var(--s${value % 10})`);
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function icon(name) {
  return svg("svg", { class: `icon ${name}`, "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}

const WORTHS = [7, 5, 3, 2, 1];

function bearsOf(card) {
  return data.bears[card] ?? 1;
}

// A card, face up. `owner` is the seat that has just played it.
function cardOf(card, { key = null, owner = null, fresh = false, moves = false, shown = false } = {}) {
  const bears = bearsOf(card);
  const classes = ["card", `w${WORTHS.find((worth) => worth <= bears) ?? 1}`, card > 99 && "long", fresh && "fresh", moves && "moves"];
  const told = `${card}, ${word("heads", bears)}` + (owner === null ? "" : `, ${NAMES[owner]}`);
  return el("span", { class: classes.filter(Boolean).join(" "), role: "img", "aria-label": told, "data-card": card, "data-key": key, own: owner },
    el("span", { class: "corner" }, String(card)),
    el("span", { class: "bulls" }, Array.from({ length: Math.min(bears, 9) }, () => icon("bull"))),
    el("b", {}, String(card)),
    shown && owner !== null && el("span", { class: "owner", "aria-hidden": "true" }, el("bdi", {}, NAMES[owner])));
}

function faceDown() {
  return el("span", { class: "card down", role: "img", "aria-label": word("face down") });
}

// The seat that played a card in this turn; null for older cards.
function ownerOf(card, picture) {
  const seat = picture.seats.cards.findIndex((cards) => cards.includes(card));
  return seat < 0 ? null : seat;
}

// Draws the cards of one board; equal cards are told apart by how often they came before.
function drawing(picture) {
  const met = new Map();
  const fresh = new Set(picture.fresh);
  return (card) => {
    const count = met.get(card) || 0;
    met.set(card, count + 1);
    const isNew = fresh.has(card);
    const moves = card === picture.moving && isNew;
    return cardOf(card, { key: `${card}.${count}`, owner: isNew ? ownerOf(card, picture) : null, fresh: isNew, moves, shown: moves });
  };
}

// What a row or a stack costs whoever takes it, and what is to be said of it.
function sumOf(heads, tag) {
  return el("span", { class: "sum", "aria-hidden": "true" }, icon("bull"), String(heads), tag && (typeof tag === "string" ? el("span", { class: "tag" }, tag) : tag));
}

const FEW_STACKS = 4;
const LONG_STACK = 8; // for so many cards there is always room, so that stacks seldom shrink

const PARTS = {
  Rows({ rows, heads, room, both_ends: bothEnds }, picture, draw) {
    const over = picture.seats.rank.some(Boolean);
    const twins = Math.max(...rows.map((cards) => cards.length - new Set(cards).size));
    const made = el("ol", { class: "rows part", "data-label": "rows" }, rows.map((cards, at) => {
      const different = new Set(cards).size;
      const falls = picture.falling === at + 1;
      const full = different >= room && !over;
      const told = [word("row", at + 1), word("cards", cards.length), word("heads", heads[at]), full && word("full"), falls && word("falls")];
      return el("li", { class: `row${full ? " full" : ""}${falls ? " falls" : ""}`, "data-row": at + 1 },
        el("span", { class: "quiet" }, told.filter(Boolean).join(", ")),
        el("span", { class: "label", "aria-hidden": "true" }, String(at + 1)),
        bothEnds && el("span", { class: "tip", "aria-hidden": "true" }, "‹"),
        el("ol", {}, cards.map((card, index) => {
          const made = draw(card);
          if (index && cards[index - 1] === card) made.classList.add("twin");
          return el("li", {}, made);
        }), Array.from({ length: Math.max(0, room - different) }, () => el("li", { class: "free", "aria-hidden": "true" }))),
        bothEnds && el("span", { class: "tip", "aria-hidden": "true" }, "›"),
        sumOf(heads[at], falls ? word("falls") : full && word("full")));
    }));
    made.style.setProperty("--lines", String(rows.length));
    made.style.setProperty("--wide", String(room + 0.4 * twins + (bothEnds ? 0.4 : 0))); // in cards
    return made;
  },
  Stacks({ stacks, left }, picture, draw) {
    const few = stacks.length <= FEW_STACKS; // each has a line of its own
    const made = el("ol", { class: few ? "stacks few" : "stacks" }, stacks.map((cards, at) => {
      const heads = cards.reduce((sum, card) => sum + bearsOf(card), 0);
      const falls = picture.falling === at + 1;
      const told = [word("stack", at + 1), word("cards", cards.length), word("heads", heads), falls && word("falls")];
      return el("li", { class: `stack${cards.length > 4 ? " long" : ""}${falls ? " falls" : ""}`, "data-row": at + 1 },
        el("span", { class: "quiet" }, told.filter(Boolean).join(", ")),
        el("span", { class: "label", "aria-hidden": "true" }, String(at + 1)),
        el("ol", {}, cards.map((card) => el("li", {}, draw(card)))),
        sumOf(heads, falls ? word("falls") : el("span", { class: "size" }, word("cards", cards.length))));
    }));
    made.style.setProperty("--wide", String(Math.max(LONG_STACK, ...stacks.map((cards) => cards.length)))); // in cards
    made.style.setProperty("--lines", String(Math.max(3, stacks.length)));
    return el("div", { class: "part broad" }, made,
      left > 0 && el("p", { class: "size" }, word("deck", left)));
  },
  Pool({ cards }, picture, draw) {
    return el("div", { class: "part broad" }, el("h3", {}, word("pool")), el("ol", { class: "pool" }, cards.map((card) => el("li", {}, draw(card)))));
  },
  Waiting({ cards }, picture) {
    return el("div", { class: "part" }, el("h3", {}, word("waiting")), el("ol", { class: "waiting" }, cards.map(([seat, card]) =>
      el("li", {}, cardOf(card, { key: `${card}.w${seat}`, owner: seat, fresh: true, moves: card === picture.moving }),
        el("span", { class: "by", "aria-hidden": "true" }, el("bdi", {}, NAMES[seat]))))));
  },
  Sheet({ hands, heads }) {
    const totals = NAMES.map((_, seat) => heads.reduce((sum, line) => sum + (line[seat] ?? 0), 0));
    return el("div", { class: "part broad wide", tabindex: 0, role: "region", "aria-label": word("score sheet") }, el("table", {},
      el("caption", {}, word("score sheet")),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, word("hand of")), NAMES.map((_, seat) => el("th", { scope: "col" }, named(seat))), el("th", { scope: "col" }, word("its cards")))),
      el("tbody", {}, hands.map((cards, at) => el("tr", {}, el("th", { scope: "row" }, named(at)),
        NAMES.map((_, seat) => el("td", {}, String(heads[at][seat] ?? ""))), el("td", {}, cards.join(" "))))),
      el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, word("in all")), totals.map((total) => el("td", {}, String(total))), el("td", {})))));
  },
};

// A part that this page does not know is shown as lists of its numbers.
function unknownPart(part) {
  return el("div", { class: "part" }, Object.entries(part).filter(([key]) => key !== "is").map(([key, value]) => el("p", {}, `${key}: ${JSON.stringify(value)}`)));
}
