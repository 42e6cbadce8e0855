// Plays the card that is expected to take the fewest heads in this turn, by a rough guess. Speaks JSON, one message per line.

const readline = require("node:readline");
const { cheapest: cheapestOfEleven } = require("./eleven.js");
const { Rows, headsOf } = require("./rows.js");

console.log = console.error; // stdout belongs to the protocol: a stray log line would be a fault

const SHORT = ["tactics", "logic", "tournament"]; // games with only as many cards as the seats need
const GAMES = [...SHORT, "standard", "online", "professional", "open", "nifty", "hand", "double"]; // games of four rows

let match; // the welcome of the current match

function decide({ kind, view, options }) {
  if (match.game === "eleven") return cheapestOfEleven(kind, view, options);
  if (!GAMES.includes(match.game) || !(kind in ANSWERS)) return options[0]; // always safe
  return ANSWERS[kind](view, options);
}

// The answers in games of four rows, by kind of decision.
const ANSWERS = {
  // The highest card, because low cards take rows.
  draft: (view, options) => Math.max(...options),

  card(view, options) {
    if (match.game === "hand") return cheapestAtOnce(view, options);
    const risk = risks(view);
    return cheapest(options, (card) => risk.get(card));
  },

  // The two best cards, each judged on its own.
  cards(view, options) {
    const risk = risks(view);
    return cheapest(options, ([low, high]) => risk.get(low) + risk.get(high));
  },

  order: (view, [low, high]) => (new Rows(view).place(high, low) < new Rows(view).place(low, high) ? high : low),

  row: (view, options) => cheapest(options, (row) => view.row_heads[row - 1]),

  side(view, options) {
    const rows = new Rows(view);
    return cheapest(options, (row) => (rows.room(row - 1) > 0 ? 0 : rows.heads[row - 1]));
  },

  // A second card if it takes nothing.
  more(view, [stop, ...cards]) {
    const card = cheapestAtOnce(view, cards);
    return new Rows(view).cost(card) > 0 ? stop : card;
  },

  // The cards with many heads, which may still be placed safely later.
  keep: (view, options) => cheapest(options, (kept) => kept.reduce((sum, card) => sum + 1.5 - headsOf(card), 0)),
};

function risks(view) {
  const rows = new Rows(view, match.game === "professional");
  const others = otherHands(view);
  return new Map(view.hand.map((card) => [card, rows.risk(card, others)]));
}

// The card that takes the fewest heads if it is placed now; among equals, the one with the most heads.
function cheapestAtOnce(view, cards) {
  const rows = new Rows(view);
  return cheapest(cards, (card) => 10 * rows.cost(card) - headsOf(card));
}

// For each other seat, the cards it may play in this turn.
function otherHands({ seat, hand, hands, rows, piles, played, shared = [] }) {
  if (hands) return hands.filter((_, other) => other !== seat);
  const shown = played.map(([, card]) => card);
  const unseen = deck();
  for (const card of [hand, shown, ...rows, ...piles, ...shared.map(([, , cards]) => cards)].flat()) {
    unseen.splice(unseen.indexOf(card), 1);
  }
  const hidden = Array(match.seats - 1 - shown.length).fill(unseen);
  return [...shown.map((card) => [card]), ...hidden];
}

function deck() {
  const { game, seats, options } = match;
  const count = (length, number) => Array.from({ length }, (_, index) => number(index));
  if (SHORT.includes(game) || options.tactics) return count(10 * seats + 4, (index) => index + 1);
  const cards = game === "open" ? count(103, (index) => index + 2) : count(104, (index) => index + 1);
  if (game !== "double") return cards;
  return [...cards, ...(options.doublets ? count(9, (index) => 11 * (index + 1)) : cards)];
}

// The cheapest option; among equals the last, which is the highest card: it is safe only while the rows are short.
function cheapest(options, cost) {
  const costs = options.map(cost);
  return options[costs.lastIndexOf(Math.min(...costs))];
}

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "welcome") match = message;
  else if (message.type === "decide") send({ type: "choice", id: message.id, option: decide(message) });
  else if (message.type === "bye") process.exit();
});
send({ type: "hello", protocol: 1, name: "greedy-js" });
