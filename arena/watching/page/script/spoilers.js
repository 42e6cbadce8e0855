// Without spoilers, a page tells nothing that comes after the furthest step that was shown.

const SPOILERS = "bullring-spoilers";
let secret = false, reached = 0;

function chooseSpoilers() {
  let kept = null;
  try { kept = localStorage.getItem(SPOILERS); } catch { /* a page in a file may have no storage */ }
  secret = (new URLSearchParams(location.search).get("spoilers") ?? kept) === "no";
}

function toggleSpoilers() {
  secret = !secret;
  reached = now;
  try { localStorage.setItem(SPOILERS, secret ? "no" : "yes"); } catch { /* as above */ }
  build();
}

// The last step about which something may be told.
function seen() {
  return secret || following ? reached : LAST;
}

// Whether each deal takes as many turns as there are cards in a hand, so that its length tells nothing.
let even;
finding(() => {
  const handed = turns.filter(({ turn }) => turn === 1).map(({ deal, at }) => [deal, Math.max(...frames[at].picture.seats.left)]);
  even = handed.every(([deal, cards]) => turns.filter((each) => each.deal === deal && each.turn).length === cards);
});

// The last step that people may know to be there: where the rules do not say how many deals there will be, that of the deal they have
// come to; and where they do not say how long a deal is, the last one that was seen.
function horizon() {
  if (!secret) return LAST;
  const { deal, planned } = frames[seen()].picture;
  const next = planned ? undefined : turns.find((turn) => turn.deal > deal);
  return !even ? seen() : next ? next.at - 1 : LAST;
}

// Where a step is on the slider, which without spoilers counts turns: how many steps one has tells how many rows are taken.
function markOfStep(at) {
  return !secret ? at : at === LAST ? turns.length : turnOf(at);
}

function stepOfMark(mark) {
  return secret ? turns[mark]?.at ?? LAST : mark;
}
