// Scores or chances to win over time: one line a seat, one point a turn. Few seats share a picture; more have one each, with all others
// as lines behind, for nobody tells ten colours apart.

let POINTS, CHANCES;

function percents({ win, errors }) {
  return { values: win.map((part) => 100 * part), errors: errors.map((part) => 100 * part) };
}

finding(() => {
  POINTS = turns.map(({ deal, turn, at: first }, index) => {
    const at = index + 1 < turns.length ? turns[index + 1].at - 1 : LAST;
    return { deal, turn, first, at, values: frames[at].picture.seats.score };
  }).filter(({ deal }, _, all) => deal || all.length === 1);
  // The chance after a turn is that before the next one.
  CHANCES = (data.analysis?.chances ?? []).length ? POINTS.map((point, at) => {
    const next = POINTS[at + 1];
    const found = next ? data.analysis.chances.find(({ deal, turn }) => deal === next.deal && turn === next.turn) : { win: data.analysis.outcome, errors: NAMES.map(() => 0) };
    return { ...point, ...(found ? percents(found) : { values: null }) };
  }).filter(({ values }) => values) : null;
});
let curve = "heads";
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "14 4", "4 2", "1 2", "9 2 2 2 2 2", "18 3", "5 5"]; // told apart without colours
let pointed = null;
let chartShown = "";
const FEW = 4; // seats in a picture
let nowLines = [];

function dashOf(seat) {
  return DASHES[seat % DASHES.length];
}

// A piece of the line of a seat.
function dotOf(seat) {
  return svg("svg", { class: "dot", viewBox: "0 0 24 8", "aria-hidden": "true", own: seat }, svg("line", { x1: 0, x2: 24, y1: 4, y2: 4, "stroke-dasharray": dashOf(seat) }));
}

function pointsOf() {
  return curve === "win" ? CHANCES : POINTS;
}

function pointOf(at) {
  const points = pointsOf();
  // A chance is told when its turn is over.
  const found = curve === "win" ? Math.max(0, points.filter((point) => point.at <= at).length - 1) : points.findIndex((point) => point.at >= at);
  return found < 0 ? points.length - 1 : found;
}

function shownValue({ values, errors }, seat) {
  return curve === "win" ? word("percent", Math.round(values[seat]), Math.round(errors[seat])) : String(values[seat]);
}

// The error of a chance, as a band around its line.
function bandOf(points, seat, x, y) {
  const edge = (sign) => points.map(({ values, errors }, at) => `${x(at)},${y(Math.max(0, Math.min(100, values[seat] + sign * errors[seat])))}`);
  return svg("polygon", { class: "band", points: [...edge(1), ...edge(-1).reverse()].join(" ") });
}

function drawCurves() {
  const place = document.getElementById("curves");
  place.hidden = !CHANCES;
  document.getElementById("course-title").textContent = word(curve === "win" ? "chance" : "course");
  place.replaceChildren(...[["heads", "curve heads"], ["win", "chance"]].map(([name, key]) =>
    el("button", { type: "button", "aria-pressed": String(curve === name), "data-curve": name, onclick: () => { curve = name; pointed = null; drawCurves(); drawChart(now); document.querySelector(`[data-curve=${name}]`).focus(); } }, word(key))));
}

function drawChart(now) {
  const place = document.getElementById("chart");
  const shown = POINTS.filter(({ first }) => first <= horizon());
  const wanted = `${place.clientWidth} ${language} ${curve} ${seen()} ${shown.length}`;
  if (chartShown !== wanted) {
    chartShown = wanted;
    buildChart(place, shown);
  }
  const at = POINTS.indexOf(POINTS.find(({ first }) => first === pointsOf()[pointOf(now)].first));
  for (const { line, x } of nowLines) {
    line.setAttribute("x1", x(at));
    line.setAttribute("x2", x(at));
  }
  drawValues();
}

function buildChart(place, shown) {
  nowLines = [];
  const all = NAMES.map((_, seat) => seat), many = NAMES.length > FEW, gap = 12;
  const columns = many ? Math.max(2, Math.min(5, Math.floor(place.clientWidth / 150))) : 1;
  const width = Math.max(many ? 120 : 240, ((place.clientWidth || 320) - gap * (columns - 1)) / columns);
  place.classList.toggle("many", many);
  place.style.setProperty("--columns", columns);
  const size = { width, height: many ? 84 : 176, left: many ? 26 : 30, right: many ? 4 : 8, top: 8, bottom: many ? 14 : 20, lines: many ? 2 : 4 };
  place.replaceChildren(...(many
    ? all.map((seat) => el("figure", { own: seat }, el("figcaption", {}, named(seat), el("b", { "data-value": seat })), picture(shown, size, [seat], all)))
    : [picture(shown, size, all, [])]));
}

// A picture of the lines of some seats, before those of all others.
function picture(shown, { width, height, left, right, top, bottom, lines: most }, seats, others) {
  const told = pointsOf().filter((point) => point.at <= seen());
  const unfinished = curve === "heads" && shown[told.length]; // the turn that people have come to, if they have not seen its end
  if (unfinished?.first <= seen()) told.push({ ...unfinished, values: frames[seen()].picture.seats.score });
  const highest = curve === "win" ? 100 : Math.max(1, ...told.flatMap((point) => point.values));
  const x = (at) => left + ((width - left - right) * at) / Math.max(1, shown.length - 1);
  const y = (score) => top + (height - top - bottom) * (1 - score / highest);
  const unit = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((each) => highest / each <= most) || highest;
  const grid = [];
  for (let score = 0; score <= highest; score += unit) {
    grid.push(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(score), y2: y(score) }),
      svg("text", { x: left - 4, y: y(score) + 4, "text-anchor": "end" }, String(score)));
  }
  const beginnings = shown.map((_, at) => at).filter((at) => at === 0 || shown[at - 1].deal !== shown[at].deal);
  const every = Math.ceil((26 * beginnings.length) / width); // so that their numbers do not touch
  beginnings.filter((_, at) => at % every === 0).forEach((at) => {
    grid.push(svg("line", { class: "grid", x1: x(at), x2: x(at), y1: top, y2: height - bottom }));
    if (x(at) < width - 20) grid.push(svg("text", { x: x(at) + 2, y: height - bottom + 12 }, String(shown[at].deal)));
  });
  const pointsFor = (seat) => told.map((point, at) => `${x(at)},${y(point.values[seat])}`).join(" ");
  const lines = seats.map((seat) => svg("g", { own: seat, tabindex: 0, role: "img", "data-seat": seat,
    "aria-label": `${NAMES[seat]}. ${word(curve === "win" ? "chance" : "course")}: ${told.filter((point, at) => at + 1 === told.length || told[at + 1].deal !== point.deal).map((point) => `${word("deal", point.deal)}: ${shownValue(point, seat)}`).join(", ")}` },
    ...(curve === "win" ? [bandOf(told, seat, x, y)] : []),
    svg("polyline", { class: "line", "stroke-dasharray": others.length ? "" : dashOf(seat), points: pointsFor(seat) })));
  const line = svg("line", { class: "now", y1: top, y2: height - bottom });
  nowLines.push({ line, x });
  const made = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": word("course") }, svg("g", { "aria-hidden": "true" }, ...grid,
    ...others.map((seat) => svg("polyline", { class: "other", points: pointsFor(seat) }))), ...lines, line);
  const nearest = (event) => {
    const box = made.getBoundingClientRect();
    const part = (((event.clientX - box.left) / box.width) * width - left) / (width - left - right);
    return Math.max(0, Math.min(told.length - 1, Math.round(part * (shown.length - 1))));
  };
  made.addEventListener("pointermove", (event) => { pointed = told.length ? nearest(event) : null; drawValues(); });
  made.addEventListener("pointerleave", () => { pointed = null; drawValues(); });
  made.addEventListener("click", (event) => told.length && jump(told[nearest(event)].first));
  return made;
}

function drawValues() {
  const before = curve === "win" && pointed === null && now < CHANCES[0].at; // the first turn is not over
  const point = before ? { ...CHANCES[0], ...percents(data.analysis.chances[0]) } : pointsOf()[pointed ?? pointOf(now)];
  const values = pointed === null && curve === "heads" ? frames[now].picture.seats.score : point.values;
  const order = NAMES.map((_, seat) => seat).sort((one, other) => (curve === "win" ? -1 : 1) * (values[one] - values[other]));
  for (const value of document.querySelectorAll("#chart [data-value]")) {
    value.textContent = shownValue({ ...point, values }, value.dataset.value);
    value.classList.toggle("leads", values[value.dataset.value] === values[order[0]]);
  }
  document.getElementById("values").replaceChildren(
    el("span", {}, placeText(pointed === null ? frames[now].picture : { ...frames[now].picture, deal: point.deal, turn: point.turn })),
    ...(NAMES.length > FEW ? [] : order).map((seat) => el("span", { own: seat }, dotOf(seat), named(seat), el("b", {}, shownValue({ ...point, values }, seat)))));
}
