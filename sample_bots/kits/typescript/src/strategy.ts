// The strategy: change this file, and print whatever you like.

export type Option = number | string | number[];

/** What you may know about the table. Other keys are in some games only: `bullring docs games` lists them. */
export interface View {
  rows: number[][];
  row_heads: number[];
  hand: number[];
  seat: number;
  [key: string]: unknown;
}

/** Return one of the options. The first is always legal, also in games and kinds of decisions that are not known yet. */
export function choose(kind: string, view: View, options: Option[]): Option {
  if (kind === "card") return least(options, (card) => risk(card as number, view));
  if (kind === "row") return least(options, (row) => view.row_heads[(row as number) - 1]);
  if (kind === "draft") return options[options.length - 1]; // the highest card, because low cards take rows
  return options[0];
}

function least(options: Option[], cost: (option: Option) => number): Option {
  return options.reduce((best, option) => (cost(option) < cost(best) ? option : best));
}

/** The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it. */
function risk(card: number, { rows, row_heads: heads }: View): number {
  const end = (at: number) => rows[at][rows[at].length - 1];
  const fitting = [0, 1, 2, 3].filter((at) => end(at) < card);
  if (fitting.length === 0) return 100 * Math.min(...heads);
  const at = fitting.reduce((best, other) => (end(other) > end(best) ? other : best));
  return rows[at].length >= 5 ? 100 * heads[at] : (card - end(at)) * rows[at].length;
}
