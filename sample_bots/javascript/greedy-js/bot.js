// Plays the card behind which the fewest heads seem to wait in this turn. Speaks JSON, one message a line.

const readline = require("node:readline");

const FULL = 5;
const GAMES = ["standard", "tactics", "online"];

console.log = console.error; // stdout belongs to the protocol, and a stray log would be a fault

let table; // of the present match

function welcome({ game, options, seats }) {
  const allDealt = game === "tactics" || options.tactics;
  table = { known: GAMES.includes(game), others: seats - 1, highest: allDealt ? 10 * seats + 4 : 104 };
}

function decide({ kind, view, options }) {
  if (table.known && kind === "card") {
    const unseen = unseenCards(view);
    return cheapest(options, (card) => risk(card, view, unseen));
  }
  if (table.known && kind === "row") return cheapest(options, (row) => view.row_heads[row - 1]);
  return options[0]; // always safe
}

// The heads of the row where the card belongs, times a guess at how likely the others fill that row before it.
function risk(card, { rows, row_heads }, unseen) {
  const fitting = rows.filter((row) => row.at(-1) < card);
  if (fitting.length === 0) return Math.min(...row_heads);
  const end = Math.max(...fitting.map((row) => row.at(-1)));
  const target = rows.findIndex((row) => row.at(-1) === end);
  const room = FULL - rows[target].length;
  if (room === 0) return row_heads[target];
  const between = unseen.filter((other) => end < other && other < card).length;
  const expected = (table.others * between) / unseen.length;
  return room > table.others ? 0 : row_heads[target] * Math.min(1, expected / room) ** room;
}

function unseenCards({ hand, rows, piles }) {
  const seen = new Set([hand, ...rows, ...piles].flat());
  return Array.from({ length: table.highest }, (_, index) => index + 1).filter((card) => !seen.has(card));
}

// Of equals the last one, which is the highest card: it goes away safely only while the rows are short.
function cheapest(options, cost) {
  return options.reduce((best, option) => (cost(option) <= cost(best) ? option : best));
}

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "welcome") welcome(message);
  else if (message.type === "decide") send({ type: "choice", id: message.id, option: decide(message) });
  else if (message.type === "bye") process.exit();
});
send({ type: "hello", protocol: 1, name: "greedy-js" });
