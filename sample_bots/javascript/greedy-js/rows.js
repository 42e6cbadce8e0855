// The four rows: where a card goes, and what it takes there.

const FULL = 5;
const HEADS_OF_A_CARD = 171 / 104;

function headsOf(card) {
  if (card === 55) return 7;
  if (card % 11 === 0) return 5;
  if (card % 10 === 0) return 3;
  return card % 5 === 0 ? 2 : 1;
}

class Rows {
  // bothEnds is for the professional game, where cards may also be placed on the left.
  constructor({ rows, row_heads }, bothEnds = false) {
    this.rows = rows.map((row) => [...row]);
    this.heads = [...row_heads];
    this.bothEnds = bothEnds;
  }

  // The index of the row where the card goes, or -1 if it fits nowhere.
  home(card) {
    const distances = this.rows.map((row) => this.distance(row, card));
    const nearest = Math.min(...distances);
    return nearest === Infinity ? -1 : distances.indexOf(nearest);
  }

  // The distance of the card from the end of the row where it may go, or Infinity if it may not. It is 0 for equal cards only.
  distance(row, card) {
    if (this.bothEnds && card < row[0]) return row[0] - card;
    return card >= row.at(-1) ? card - row.at(-1) : Infinity;
  }

  // How many more cards fit in the row. Equal cards share a place.
  room(index) {
    return FULL - new Set(this.rows[index]).size;
  }

  // The heads the card takes if it is placed now.
  cost(card) {
    const home = this.home(card);
    if (home < 0) return Math.min(...this.heads);
    return this.room(home) > 0 || this.rows[home].at(-1) === card ? 0 : this.heads[home];
  }

  // Place the cards one after another. Returns the heads they take.
  place(...cards) {
    let taken = 0;
    for (const card of cards) {
      const cost = this.cost(card);
      const home = this.home(card);
      const index = home < 0 ? this.heads.indexOf(cost) : home;
      this.rows[index] = cost > 0 ? [card] : [...this.rows[index], card];
      this.heads[index] += headsOf(card) - cost;
      taken += cost;
    }
    return taken;
  }

  // The heads of the row where the card belongs, times a guess of the probability that the others fill that row first.
  // `others` has, for each other seat, the cards it may play in this turn.
  risk(card, others) {
    const home = this.home(card);
    if (home < 0) return Math.min(...this.heads);
    if (this.rows[home].at(-1) === card) return 0;
    const room = this.room(home);
    if (room === 0) return this.heads[home];
    if (room > others.length) return 0;
    const before = (other) => other < card && this.home(other) === home;
    const expected = others.reduce((sum, cards) => sum + cards.filter(before).length / cards.length, 0);
    return this.heads[home] * Math.min(1, expected / room) ** room;
  }
}

module.exports = { Rows, headsOf };
