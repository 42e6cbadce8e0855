// The position, and the ways to move: keys, buttons, slider, touch, links.

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const STEP_TIME = 900; // milliseconds at speed 1
const AT_EASE = 8; // steps behind what is being played from which on it is followed more quickly
const WEIGHTS = { Asked: 0.5, Revealed: 1.6, Falls: 1.1, Took: 1.4, DealOver: 2, Chose: 0.9 };
let now = 0, speed = 2, timer = null; // 0: the next step has not come yet
const controls = {};

function show(at, { moving = false } = {}) {
  const places = moving ? placesOf() : null;
  const turnBefore = turnOf(now);
  now = at;
  const told = seen();
  reached = Math.max(reached, at);
  const { step, picture } = frames[at];
  document.getElementById("place").textContent = placeText(picture) + (picture.target ? ` (${word("goal", picture.target)})` : "");
  const here = placeText({ ...picture, planned: 0 });
  document.getElementById("said").replaceChildren(...(turnOf(at) === turnBefore ? [] : [el("span", { class: "quiet" }, `${here}: `)]), ...sentence(at));
  drawTable(picture); // beside all that is said, which takes its room
  drawCost(at);
  drawSheet(at);
  if (told < seen()) drawEnd();
  drawCourse(at);
  controls.slider.setAttribute("aria-valuetext", `${here}: ${plain(at)}`);
  document.documentElement.dataset.step = at;
  drawEnded(at === LAST && !alive);
  if (places) animate(step, places, Math.min(700, pause(step) * 0.7));
}

// Where the step is among all others.
function drawCourse(at) {
  drawStory(at);
  drawChart(at);
  controls.slider.max = markOfStep(horizon());
  controls.slider.value = markOfStep(at);
  controls.first.disabled = controls.back.disabled = at === 0;
  controls.next.disabled = at === LAST;
  controls.last.disabled = at === LAST && !alive;
  drawPlay();
  drawPlaces(frames[at].picture);
}

function pause(step) {
  const hurry = following ? Math.min(1, AT_EASE / (LAST - now + 1)) : 1;
  return (hurry * STEP_TIME * (WEIGHTS[step.is] ?? 1)) / SPEEDS[speed];
}

// One step on or back: the link follows, and the browser's back button skips it.
function walk(by) {
  const at = Math.max(0, Math.min(LAST, now + by));
  if (at === now) return;
  show(at, { moving: by === 1 });
  keepLink();
}

function keepLink() {
  try { history.replaceState(null, "", following ? location.pathname + location.search : linkOf(now)); } catch { /* some frames forbid it */ }
}

// A link to a step that is not there becomes that to the one that is shown instead.
function mendLink() {
  const { hash } = location;
  if (hash.includes(".") ? hash !== linkOf(now) : hash && frameOf(hash) === null) keepLink();
}

// Anywhere else: the browser's back button leads back.
function jump(at) {
  stop();
  controls.copied.replaceChildren(...(at === undefined ? [word("no more")] : []));
  if (at === undefined || at === now) return;
  const link = linkOf(at);
  if (location.hash === link) show(at); else location.hash = link;
}

function follow() {
  if (alive && !location.hash) { toLast(); return; }
  const at = location.hash ? frameOf(location.hash) : opening();
  if (at !== null && at !== now) { stop(); show(at); }
  mendLink();
}

function tick() {
  if (now >= LAST) { if (alive) timer = 0; else stop(); return; }
  walk(1);
  timer = setTimeout(tick, pause(frames[now].step));
}

function play() {
  if (timer !== null) { stop(); return; }
  if (now >= LAST && !alive) show(0);
  timer = setTimeout(tick, 0);
  drawPlay();
}

function stop() {
  clearTimeout(timer);
  timer = null;
  following = false;
  drawPlay();
}

// To the last step, or to the newest one and those that will come.
function toLast() {
  if (!alive) { jump(LAST); return; }
  stop();
  following = true;
  reached = LAST;
  timer = 0;
  show(LAST);
  keepLink();
  drawPlay();
}

function drawPlay() {
  const name = timer !== null ? "pause" : now === LAST && !alive ? "again" : "play";
  if (alive) {
    controls.last.setAttribute("aria-pressed", String(following));
    controls.last.replaceChildren(word("live"));
  }
  controls.play.replaceChildren(icon(name));
  controls.play.setAttribute("aria-label", word(name));
  controls.play.title = word(name);
}

function faster(by) {
  speed = Math.max(0, Math.min(SPEEDS.length - 1, speed + by));
  controls.speed.value = speed;
}

let BEGIN, TAKES, MISTAKES;
finding(() => {
  BEGIN = Math.max(0, frames.findIndex(({ picture }) => picture.board.length));
  TAKES = [...frames.keys()].filter((at) => frames[at].step.is === "Took" && frames[at].step.cards?.length);
  MISTAKES = [...new Set(CHOICES.filter((choice) => choice.mark).map((choice) => choice.at))].sort((one, other) => one - other);
});

// Where a page opens that no link leads into: how it ended, as its headline says; or the first step with something on the table.
function opening() {
  return secret ? BEGIN : LAST;
}

function nextOf(places, by) {
  return by > 0 ? places.find((at) => at > now) : places.filter((at) => at < now).pop();
}

function jumpTurn(by) {
  const at = turnOf(now);
  const index = by < 0 && now > turns[at].at ? at : at + by;
  jump(turns[index]?.at);
}

function jumpDeal(by) {
  const { deal } = frames[now].picture;
  const first = turns.find((each) => each.deal === deal).at;
  const wanted = by < 0 && now > first ? deal : deal + by;
  const found = turns.find((each) => each.deal === wanted);
  jump(found?.at);
}

function toggleHands() {
  if (!data.hands) return;
  handsOpen = !handsOpen;
  controls.hands.setAttribute("aria-pressed", String(handsOpen));
  drawTable(frames[now].picture);
  fit({ anew: true });
}

async function copyLink() {
  const link = location.href.split("#")[0] + linkOf(now);
  try {
    await navigator.clipboard.writeText(link);
    controls.copied.replaceChildren(word("copied"));
  } catch {
    const field = el("input", { type: "text", readonly: true, value: link, "aria-label": word("link") });
    controls.copied.replaceChildren(field);
    field.select();
  }
}

// Each key as it is shown, its words, its names in events, its effect. Up and down are left to the browser, which scrolls.
const KEYS = [
  [["→"], "key next", ["ArrowRight"], () => { stop(); walk(1); }],
  [["←"], "key back", ["ArrowLeft"], () => { stop(); walk(-1); }],
  [["."], "key next turn", ["."], () => jumpTurn(1)],
  [[","], "key last turn", [","], () => jumpTurn(-1)],
  [["]"], "key next deal", ["]"], () => jumpDeal(1)],
  [["["], "key last deal", ["["], () => jumpDeal(-1)],
  [["Home"], "key first", ["Home"], () => jump(0)],
  [["End"], "key last", ["End"], toLast],
  [["Space"], "key play", [" "], () => play()],
  [["+", "−"], "key speed", ["+", "="], () => faster(1)],
  [[], "", ["-"], () => faster(-1)],
  [["n", "N"], "key take", ["n", "t"], () => jump(nextOf(TAKES, 1))],
  [[], "", ["N", "T"], () => jump(nextOf(TAKES, -1))],
  [["m", "M"], "key mistake", ["m"], () => jump(nextOf(MISTAKES, 1))],
  [[], "", ["M"], () => jump(nextOf(MISTAKES, -1))],
  [["h"], "key hands", ["h"], toggleHands],
  [["c"], "key copy", ["c"], copyLink],
  [["s"], "key spoilers", ["s"], toggleSpoilers],
  [["?"], "keys", ["?"], () => document.getElementById("help").showModal()],
];

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || document.getElementById("help").open) return;
  const { target } = event;
  if (target.closest("select, input[type=text]")) return;
  if (target === controls.slider && /^(Arrow|Page|Home|End)/.test(event.key)) return;
  if (event.key === " " && target.closest("button, a, summary")) return;
  const found = KEYS.find(([, , keys]) => keys.includes(event.key));
  if (!found) return;
  event.preventDefault();
  found[3]();
}

// Touch: swipe to step, tap the right side to go on and the left third to go back.
function onTouch(table) {
  let begun = null;
  table.addEventListener("pointerdown", (event) => {
    begun = event.pointerType === "mouse" || event.target.closest("a, button, .wide") ? null : { x: event.clientX, y: event.clientY, time: event.timeStamp };
  });
  table.addEventListener("pointercancel", () => { begun = null; });
  table.addEventListener("pointerup", (event) => {
    if (!begun) return;
    const x = event.clientX - begun.x, y = event.clientY - begun.y, time = event.timeStamp - begun.time;
    begun = null;
    if (Math.abs(x) > 40 && Math.abs(x) > 1.5 * Math.abs(y)) { stop(); walk(x < 0 ? 1 : -1); }
    else if (Math.abs(x) < 10 && Math.abs(y) < 10 && time < 500) {
      const box = table.getBoundingClientRect();
      stop();
      walk(event.clientX - box.left < box.width / 3 ? -1 : 1);
    }
  });
}

// A button with a symbol; one that is `named` says in words what it does, where there is room.
function button(name, key, act, symbol, { named = false } = {}) {
  const made = el("button", { type: "button", id: name, class: symbol ? "step" : "", "aria-label": symbol ? word(key) : null, title: word(key), onclick: act }, symbol ? [icon(symbol), named && el("span", { class: "says", "aria-hidden": "true" }, word(key))] : word(key));
  controls[name] = made;
  return made;
}

function choosing(key, act) {
  const made = el("select", { onchange: act, "aria-label": word(`choose ${key}`) });
  controls[key] = made;
  return el("label", {}, el("span", { "aria-hidden": "true" }, word(`choose ${key}`)), made);
}

function buildSteering() {
  controls.slider = el("input", { type: "range", min: 0, max: markOfStep(horizon()), value: markOfStep(now), "aria-label": word("step"), oninput: () => { stop(); show(stepOfMark(Number(controls.slider.value))); keepLink(); } });
  controls.speed = el("select", { id: "speed", "aria-label": word("speed"), title: word("speed"), onchange: () => { speed = Number(controls.speed.value); } },
    SPEEDS.map((times, at) => el("option", { value: at }, word("times", times.toLocaleString(language)))));
  controls.copied = el("span", { role: "status" });
  document.getElementById("more").replaceChildren(
    choosing("deal", () => jump(turns.find((each) => each.deal === Number(controls.deal.value)).at)),
    choosing("turn", () => jump(turns.find((each) => each.deal === frames[now].picture.deal && each.turn === Number(controls.turn.value)).at)),
    controls.speed, button("copy", "copy link", copyLink, "copy"), button("keyed", "keys", () => document.getElementById("help").showModal(), "keyed"), controls.copied);
  document.getElementById("buttons").replaceChildren(
    controls.slider,
    el("span", { class: "group" }, button("first", "key first", () => jump(0), "first"), button("back", "key back", () => { stop(); walk(-1); }, "back"),
      button("play", "play", play, "play"), button("next", "key next", () => { stop(); walk(1); }, "next"), button("last", "key last", toLast, "last")),
    el("span", { class: "group" }, TAKES.length || alive ? button("take", "next take", () => jump(nextOf(TAKES, 1)), "take", { named: true }) : null,
      MISTAKES.length ? button("mistake", "next mistake", () => jump(nextOf(MISTAKES, 1)), "mistake", { named: true }) : null,
      data.hands ? button("hands", "open hands", toggleHands, "hands", { named: true }) : null));
  if (data.hands) controls.hands.setAttribute("aria-pressed", String(handsOpen));
  faster(0);
  drawPlay();
}

let placesShown = null;

// The two lists of deals and turns.
function drawPlaces({ deal, turn }) {
  const list = (control, values, chosen) => control.replaceChildren(...values.map((value) => el("option", { value, selected: value === chosen }, value ? String(value) : "–")));
  const deals = [...new Set(turns.filter((each) => each.at <= horizon()).map((each) => each.deal))];
  const own = turns.filter((each) => each.deal === deal && each.at <= horizon()).map((each) => each.turn);
  const wanted = `${deal} ${language} ${deals} ${own}`;
  if (placesShown !== wanted) {
    placesShown = wanted;
    list(controls.deal, deals, deal);
    list(controls.turn, own, turn);
  }
  controls.deal.value = deal;
  controls.turn.value = turn;
}

function buildWords() {
  document.documentElement.lang = language;
  document.title = `${data.title[language]} – ${NAMES.join(", ")}`;
  drawAbout();
  for (const item of document.querySelectorAll("[data-word]")) item.textContent = word(item.dataset.word);
  for (const item of document.querySelectorAll("[data-label]")) item.setAttribute("aria-label", word(item.dataset.label));
  document.getElementById("deals").setAttribute("aria-label", word("sheet"));
  document.getElementById("parts").setAttribute("aria-label", word("summary"));
  for (const id of ["deals", "parts"]) document.getElementById(id).setAttribute("role", "region");
  document.getElementById("keys").replaceChildren(...KEYS.filter(([shown]) => shown.length).flatMap(([shown, key]) =>
    [el("dt", {}, shown.map((name) => el("kbd", {}, name))), el("dd", {}, word(key))]));
  document.getElementById("language").replaceChildren(
    el("button", { type: "button", id: "spoilers", "aria-pressed": String(secret), onclick: () => { toggleSpoilers(); document.getElementById("spoilers").focus(); } }, icon("hidden"), el("span", { class: "label" }, word("no spoilers"))),
    el("span", { class: "group",  role: "group", "aria-label": word("language") }, LANGUAGES.map((name) =>
    el("button", { type: "button", lang: name, "aria-pressed": String(name === language), onclick: () => { keepLanguage(name); build(); document.querySelector(`#language [lang=${name}]`).focus(); } },
      data.words[name].language_name))));
  const note = document.getElementById("note");
  note.hidden = !data.note;
  if (data.note) note.textContent = word(data.note);
  drawAsking();
  document.getElementById("confined").textContent = data.confined ? word("confinement", data.confined[language]) : "";
}

// By how much the winner won, if it was one.
function margin() {
  const { rank, score } = frames[LAST].picture.seats;
  const [best, second] = score.map((heads, seat) => ({ heads, rank: rank[seat] })).sort((one, other) => one.rank - other.rank);
  return second && second.rank > best.rank && second.heads > best.heads ? `, ${word("margin", second.heads - best.heads)}` : "";
}

// Who won what, and when and where; without spoilers, only who plays, until the end was seen.
function drawHeadline() {
  const ended = frames[LAST].step.is === "Ended" && !frames[LAST].step.void && seen() === LAST;
  const names = NAMES.map((_, seat) => String.fromCharCode("①".charCodeAt(0) + seat));
  const shown = names.length > MANY ? [...names.slice(0, MANY - 1), word("more players", names.length - MANY + 1)] : names;
  const told = ended ? [...filled(frames[LAST].said[language].replace(/\.$/, "")), el("span", { class: "margin" }, margin())] : filled(new Intl.ListFormat(language).format(shown));
  document.getElementById("title").replaceChildren(...told);
}

function drawAbout() {
  const parts = [!data.links.front && data.ladder, data.number && word("match", data.number), data.listed?.[language] ?? data.title[language],
    data.began && new Date(data.began).toLocaleString(locale(), { dateStyle: "long", timeStyle: "short" })];
  document.getElementById("about").textContent = parts.filter(Boolean).join(" · ");
  const links = Object.entries(data.links);
  document.getElementById("links").hidden = !links.length;
  document.getElementById("links").replaceChildren(...links.map(([key, href]) => (key === "front" ? el("a", { href, class: "front" }, icon("bull"), " ", el("bdi", {}, data.ladder)) : el("a", { href }, ...arrowed(word(key), key !== "home")))));
}

// The words of a link; where there is little space, its arrow says enough.
function arrowed(text, enough) {
  return text.split(/([←→])/).filter(Boolean).map((piece) => (enough && !/[←→]/.test(piece) ? el("span", { class: "label" }, piece) : piece));
}

// What tells the end of the match.
function drawEnd() {
  drawHeadline();
  drawSummary();
  drawPaper();
}

const BUILT = []; // what is to be done whenever the words were set, in any language

function build() {
  storyShown = "";
  sheetShown = null;
  placesShown = null;
  buildWords();
  buildSteering();
  drawCurves();
  drawEnd();
  BUILT.forEach((then) => then());
  show(now);
}
