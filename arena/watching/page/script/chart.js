// Scores over time: one line a seat, one point a turn.

const POINTS = turns.map(({ deal, turn, at: first }, index) => {
  const at = index + 1 < turns.length ? turns[index + 1].at - 1 : LAST;
  return { deal, turn, first, at, scores: frames[at].picture.seats.score };
}).filter(({ deal }, _, all) => deal || all.length === 1);
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4"];
let pointed = null;
let chartShown = "";
let nowLine = null;

function pointOf(at) {
  const found = POINTS.findIndex((point) => point.at >= at);
  return found < 0 ? POINTS.length - 1 : found;
}

function drawChart(now) {
  const place = document.getElementById("chart");
  const width = Math.max(240, place.clientWidth || 320), height = 176, left = 30, right = 8, top = 8, bottom = 20;
  const x = (at) => left + ((width - left - right) * at) / Math.max(1, POINTS.length - 1);
  if (chartShown !== `${width} ${language}`) {
    chartShown = `${width} ${language}`;
    buildChart(place, { width, height, left, right, top, bottom, x });
  }
  const at = x(pointOf(now));
  nowLine.setAttribute("x1", at);
  nowLine.setAttribute("x2", at);
  drawValues();
}

function buildChart(place, { width, height, left, right, top, bottom, x }) {
  const most = Math.max(1, ...POINTS.flatMap((point) => point.scores));
  const y = (score) => top + (height - top - bottom) * (1 - score / most);
  const unit = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((each) => most / each <= 4) || most;
  const grid = [];
  for (let score = 0; score <= most; score += unit) {
    grid.push(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(score), y2: y(score) }),
      svg("text", { x: left - 4, y: y(score) + 4, "text-anchor": "end" }, String(score)));
  }
  const beginnings = POINTS.map((_, at) => at).filter((at) => at === 0 || POINTS[at - 1].deal !== POINTS[at].deal);
  const every = Math.ceil((26 * beginnings.length) / width); // so that their numbers do not touch
  beginnings.filter((_, at) => at % every === 0).forEach((at) => {
    grid.push(svg("line", { class: "grid", x1: x(at), x2: x(at), y1: top, y2: height - bottom }));
    if (x(at) < width - 20) grid.push(svg("text", { x: x(at) + 2, y: height - 6 }, String(POINTS[at].deal)));
  });
  const lines = NAMES.map((name, seat) => svg("g", { own: seat, tabindex: 0, role: "img", "data-seat": seat,
    "aria-label": `${name}. ${POINTS.filter((point, at) => at + 1 === POINTS.length || POINTS[at + 1].deal !== point.deal).map((point) => `${word("deal", point.deal)}: ${point.scores[seat]}`).join(", ")}` },
    svg("polyline", { class: "line", "stroke-dasharray": DASHES[Math.floor(seat / 2) % DASHES.length], points: POINTS.map((point, at) => `${x(at)},${y(point.scores[seat])}`).join(" ") })));
  nowLine = svg("line", { class: "now", y1: top, y2: height - bottom });
  const made = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": word("course") }, svg("g", { "aria-hidden": "true" }, ...grid), ...lines, nowLine);
  const nearest = (event) => {
    const box = made.getBoundingClientRect();
    const part = (((event.clientX - box.left) / box.width) * width - left) / (width - left - right);
    return Math.max(0, Math.min(POINTS.length - 1, Math.round(part * (POINTS.length - 1))));
  };
  made.addEventListener("pointermove", (event) => { pointed = nearest(event); drawValues(); });
  made.addEventListener("pointerleave", () => { pointed = null; drawValues(); });
  made.addEventListener("click", (event) => jump(POINTS[nearest(event)].first));
  place.replaceChildren(made);
}

function drawValues() {
  const point = POINTS[pointed ?? pointOf(now)];
  const scores = pointed === null ? frames[now].picture.seats.score : point.scores;
  const order = NAMES.map((_, seat) => seat).sort((one, other) => scores[one] - scores[other]);
  document.getElementById("values").replaceChildren(
    el("span", {}, placeText(pointed === null ? frames[now].picture : { ...frames[now].picture, deal: point.deal, turn: point.turn })),
    ...order.map((seat) => el("span", { own: seat }, el("span", { class: "dot" }), named(seat), el("b", {}, String(scores[seat])))));
}
