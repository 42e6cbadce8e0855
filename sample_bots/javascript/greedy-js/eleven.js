// 11 nimmt!: lay the cards with the most heads first, and take the cheapest stack if nothing can be laid.

function headsOf(card) {
  const prime = card > 1 && ![2, 3, 5, 7].some((divisor) => card % divisor === 0 && card > divisor);
  if (card % 10 === 3) return prime ? 5 : 7;
  return prime ? 3 : 1;
}

// Lay a card if possible (also a second one, with bulls), else take the stack with the fewest heads.
function cheapest(kind, { stacks }, options) {
  if (kind !== "play" && kind !== "more") return options[0];
  const lays = options.filter(Array.isArray);
  const step = ([card, stack]) => (card - stacks[stack - 1].at(-1) + 100) % 100;
  const heads = (stack) => stacks[stack - 1].reduce((sum, card) => sum + headsOf(card), 0);
  if (lays.length === 0) return options.reduce((best, stack) => (heads(stack) < heads(best) ? stack : best));
  // Among cards with equally many heads, the nearest one, which keeps the other cards in reach.
  const price = (lay) => step(lay) - 100 * headsOf(lay[0]);
  return lays.reduce((best, lay) => (price(lay) < price(best) ? lay : best));
}

module.exports = { cheapest };
