// The position, and the ways to move: keys, buttons, slider, touch, links.

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const STEP_TIME = 900; // milliseconds at speed 1
const WEIGHTS = { Asked: 0.5, Revealed: 1.6, Falls: 1.1, Took: 1.4, DealOver: 2, Chose: 0.9 };
const BEGIN = Math.max(0, frames.findIndex(({ picture }) => picture.board.length));
let now = 0, speed = 2, timer = null;
const controls = {};

function show(at, { moving = false } = {}) {
  const places = moving ? placesOf() : null;
  const turnBefore = turnOf(now);
  now = at;
  const { step, picture } = frames[at];
  drawTable(picture);
  document.getElementById("place").textContent = placeText(picture) + (picture.target ? ` (${word("goal", picture.target)})` : "");
  const here = placeText({ ...picture, planned: 0 });
  document.getElementById("said").replaceChildren(...(turnOf(at) === turnBefore ? [] : [el("span", { class: "quiet" }, `${here}: `)]), ...sentence(at));
  drawCost(at);
  drawStory(at);
  drawChart(at);
  drawSheet(at);
  controls.slider.value = at;
  controls.slider.setAttribute("aria-valuetext", `${here}: ${plain(at)}`);
  controls.first.disabled = controls.back.disabled = at === 0;
  controls.next.disabled = controls.last.disabled = at === LAST;
  drawPlaces(picture);
  document.documentElement.dataset.step = at;
  if (places) animate(step, places, Math.min(700, pause(step) * 0.7));
}

function pause(step) {
  return (STEP_TIME * (WEIGHTS[step.is] ?? 1)) / SPEEDS[speed];
}

// One step on or back: the link follows, and the browser's back button skips it.
function walk(by) {
  const at = Math.max(0, Math.min(LAST, now + by));
  if (at === now) return;
  show(at, { moving: by === 1 });
  keepLink();
}

function keepLink() {
  try { history.replaceState(null, "", linkOf(now)); } catch { /* some frames forbid it */ }
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
  const at = location.hash ? frameOf(location.hash) : BEGIN;
  if (at !== null && at !== now) { stop(); show(at); }
}

function tick() {
  if (now >= LAST) { stop(); return; }
  walk(1);
  timer = setTimeout(tick, pause(frames[now].step));
}

function play() {
  if (timer !== null) { stop(); return; }
  if (now >= LAST) show(0);
  timer = setTimeout(tick, 0);
  drawPlay();
}

function stop() {
  clearTimeout(timer);
  timer = null;
  drawPlay();
}

function drawPlay() {
  const name = timer === null ? "play" : "pause";
  controls.play.replaceChildren(icon(name));
  controls.play.setAttribute("aria-label", word(name));
  controls.play.title = word(name);
}

function faster(by) {
  speed = Math.max(0, Math.min(SPEEDS.length - 1, speed + by));
  controls.speed.textContent = word("times", SPEEDS[speed].toLocaleString(language));
}

const TAKES = frames.map(({ step }, at) => ({ step, at })).filter(({ step }) => step.is === "Took" && step.cards && step.cards.length).map(({ at }) => at);
const MISTAKES = [...new Set((data.analysis ? data.analysis.choices : []).filter((choice) => choice.mark).map((choice) => choice.at))].sort((one, other) => one - other);

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
  [["End"], "key last", ["End"], () => jump(LAST)],
  [["Space"], "key play", [" "], () => play()],
  [["+", "−"], "key speed", ["+", "="], () => faster(1)],
  [[], "", ["-"], () => faster(-1)],
  [["n", "N"], "key take", ["n", "t"], () => jump(nextOf(TAKES, 1))],
  [[], "", ["N", "T"], () => jump(nextOf(TAKES, -1))],
  [["m", "M"], "key mistake", ["m"], () => jump(nextOf(MISTAKES, 1))],
  [[], "", ["M"], () => jump(nextOf(MISTAKES, -1))],
  [["h"], "key hands", ["h"], toggleHands],
  [["c"], "key copy", ["c"], copyLink],
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

function button(name, key, act, symbol) {
  const made = el("button", { type: "button", id: name, class: symbol ? "step" : "", "aria-label": symbol ? word(key) : null, title: word(key), onclick: act }, symbol ? icon(symbol) : word(key));
  controls[name] = made;
  return made;
}

function choosing(key, act) {
  const made = el("select", { onchange: act, "aria-label": word(`choose ${key}`) });
  controls[key] = made;
  return el("label", {}, el("span", { "aria-hidden": "true" }, word(`choose ${key}`)), made);
}

function buildSteering() {
  controls.slider = el("input", { type: "range", min: 0, max: LAST, value: now, "aria-label": word("step"), oninput: () => { stop(); show(Number(controls.slider.value)); keepLink(); } });
  controls.speed = el("output");
  controls.copied = el("span", { role: "status" });
  document.getElementById("buttons").replaceChildren(
    controls.slider,
    el("span", { class: "group" }, button("first", "key first", () => jump(0), "first"), button("back", "key back", () => { stop(); walk(-1); }, "back"),
      button("play", "play", play, "play"), button("next", "key next", () => { stop(); walk(1); }, "next"), button("last", "key last", () => jump(LAST), "last")),
    el("span", { class: "group", role: "group", "aria-label": word("speed") }, button("slower", "slower", () => faster(-1)), controls.speed, button("faster", "faster", () => faster(1))),
  );
  document.getElementById("more").replaceChildren(
    el("span", { class: "group" }, choosing("deal", () => jump(turns.find((each) => each.deal === Number(controls.deal.value)).at)),
      choosing("turn", () => jump(turns.find((each) => each.deal === frames[now].picture.deal && each.turn === Number(controls.turn.value)).at))),
    el("span", { class: "group" }, TAKES.length ? button("take", "next take", () => jump(nextOf(TAKES, 1))) : null,
      MISTAKES.length ? button("mistake", "next mistake", () => jump(nextOf(MISTAKES, 1))) : null,
      data.hands ? button("hands", "open hands", toggleHands) : null,
      button("copy", "copy link", copyLink), button("keyed", "keys", () => document.getElementById("help").showModal()), controls.copied));
  if (data.hands) controls.hands.setAttribute("aria-pressed", String(handsOpen));
  controls.slower.replaceChildren("−");
  controls.slower.setAttribute("aria-label", word("slower"));
  controls.faster.replaceChildren("+");
  controls.faster.setAttribute("aria-label", word("faster"));
  faster(0);
  drawPlay();
}

let placesShown = null;

// The two lists of deals and turns.
function drawPlaces({ deal, turn }) {
  const list = (control, values, chosen) => control.replaceChildren(...values.map((value) => el("option", { value, selected: value === chosen }, value ? String(value) : "–")));
  if (placesShown !== `${deal} ${language}`) {
    placesShown = `${deal} ${language}`;
    list(controls.deal, [...new Set(turns.map((each) => each.deal))], deal);
    list(controls.turn, [...new Set(turns.filter((each) => each.deal === deal).map((each) => each.turn))], turn);
  }
  controls.deal.value = deal;
  controls.turn.value = turn;
}

function buildWords() {
  document.documentElement.lang = language;
  document.title = `${data.title[language]} – ${NAMES.join(", ")}`;
  document.getElementById("title").textContent = data.title[language];
  for (const item of document.querySelectorAll("[data-word]")) item.textContent = word(item.dataset.word);
  for (const item of document.querySelectorAll("[data-label]")) item.setAttribute("aria-label", word(item.dataset.label));
  document.getElementById("deals").setAttribute("aria-label", word("sheet"));
  document.getElementById("parts").setAttribute("aria-label", word("summary"));
  for (const id of ["deals", "parts"]) document.getElementById(id).setAttribute("role", "region");
  document.getElementById("keys").replaceChildren(...KEYS.filter(([shown]) => shown.length).flatMap(([shown, key]) =>
    [el("dt", {}, shown.map((name) => el("kbd", {}, name))), el("dd", {}, word(key))]));
  document.getElementById("language").replaceChildren(el("span", { role: "group", "aria-label": word("language") }, LANGUAGES.map((name) =>
    el("button", { type: "button", lang: name, "aria-pressed": String(name === language), onclick: () => { keepLanguage(name); build(); document.querySelector(`#language [lang=${name}]`).focus(); } },
      data.words[name].language_name))));
  const note = document.getElementById("note");
  note.hidden = !data.note;
  if (data.note) note.textContent = word(data.note);
  document.getElementById("confined").textContent = data.confined?.[language] ?? "";
  document.getElementById("home").replaceChildren(...(data.home ? [el("a", { href: data.home }, word("home"))] : []));
}

function build() {
  storyShown = "";
  sheetShown = null;
  placesShown = null;
  buildWords();
  buildSteering();
  drawSummary();
  show(now);
}
