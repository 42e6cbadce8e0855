// The frames: each is its step and the picture after it. While a match is being played, more of them come.

const { frames } = data;
const NAMES = data.names;

let alive = false; // whether more frames may come
let following = false; // whether the newest one is shown when it comes

// What follows from the frames is found again when there are others.
const FINDERS = [];

function finding(find) {
  FINDERS.push(find);
  find();
}

// Turns, each with its first frame; turn 0 of a deal is what comes before the first question.
let LAST, turns;
finding(() => {
  LAST = frames.length - 1;
  turns = [];
  frames.forEach(({ picture: { deal, turn } }, at) => {
    const last = turns[turns.length - 1];
    if (!last || last.deal !== deal || last.turn !== turn) turns.push({ deal, turn, at });
  });
});

function turnOf(at) {
  let low = 0;
  for (let high = turns.length - 1; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (turns[middle].at <= at) low = middle; else high = middle - 1;
  }
  return low;
}

// Links: #d2t7 is the first step of turn 7 of deal 2, #d2t7.4 its fourth, #d2 the deal, #end the last step.
function linkOf(at) {
  if (at === LAST && !alive) return "#end";
  const { deal, turn, at: first } = turns[turnOf(at)];
  return `#d${deal}t${turn}` + (at > first ? `.${at - first + 1}` : "");
}

function frameOf(link) {
  if (link === "#end") return LAST;
  const found = /^#d(\d+)(?:t(\d+)(?:\.(\d+))?)?$/.exec(link);
  if (!found) return null;
  const [deal, turn, step] = found.slice(1).map((text) => (text === undefined ? null : Number(text)));
  const index = turns.findIndex((each) => each.deal === deal && (turn === null || each.turn === turn));
  if (index < 0) return null;
  const end = index + 1 < turns.length ? turns[index + 1].at - 1 : LAST;
  return Math.min(turns[index].at + Math.max(0, (step || 1) - 1), end);
}
