// The strategy: change this file, and print whatever you like.

// Return one of the options. The first is always legal, also in games and kinds of decisions that are not known yet.
export function choose(kind, view, options) {
  if (kind === "card") return least(options, (card) => risk(card, view));
  if (kind === "row") return least(options, (row) => view.row_heads[row - 1]);
  if (kind === "draft") return options.at(-1); // the highest card, because low cards take rows
  return options[0];
}

function least(options, cost) {
  return options.reduce((best, option) => (cost(option) < cost(best) ? option : best));
}

// The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
function risk(card, { rows, row_heads: heads }) {
  const fitting = [0, 1, 2, 3].filter((at) => rows[at].at(-1) < card);
  if (fitting.length === 0) return 100 * Math.min(...heads);
  const at = fitting.reduce((best, other) => (rows[other].at(-1) > rows[best].at(-1) ? other : best));
  if (rows[at].length >= 5) return 100 * heads[at];
  return (card - rows[at].at(-1)) * rows[at].length;
}
