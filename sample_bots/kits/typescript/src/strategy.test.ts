// Tests of the strategy. Run them with: node --test out/*.test.js (after a build)

import assert from "node:assert/strict";
import test from "node:test";
import { choose, type View } from "./strategy.js";

const view: View = { rows: [[15], [11, 13], [8], [50, 51, 52, 53, 54]], row_heads: [2, 6, 1, 11], hand: [], seat: 0 };

test("a card that fits closely is better than a sixth one", () => {
  assert.equal(choose("card", view, [1, 16, 60]), 16);
});

test("the row with the fewest heads is taken", () => {
  assert.equal(choose("row", view, [1, 2, 3, 4]), 3);
});

test("the highest card is drafted", () => {
  assert.equal(choose("draft", view, [1, 7, 10]), 10);
});

test("an unknown kind gets the first option", () => {
  assert.deepEqual(choose("dance", view, [[], [5]]), []);
});
