// A new table: what is wished for it, and then the links to its seats.

const CLOCKS = [null, 15, 30, 60]; // seconds for a decision
const DEALS = [null, 1, 3, 5]; // of a match; null: as the rules have it
const LEVELS = ["easy", "medium", "hard", "own"];
const NAME = "bullring-name";
const wish = { game: "standard", seats: 4, open: 1, level: "medium", deals: null, time: null, hints: true, lessons: true };
const guests = new Map(); // how often each bot is invited
let house = { may: true, opponents: [] }, made = null;

try { wish.name = localStorage.getItem("bullring-name") ?? ""; } catch { wish.name = ""; }

function gameOf() {
  return data.games[wish.game];
}

function invited() {
  return [...guests].flatMap(([bot, times]) => Array(times).fill(bot));
}

// A change of the wishes, after which everything is possible again.
function set(key, value) {
  wish[key] = value;
  const [low, high] = gameOf().seats;
  wish.seats = Math.max(low, Math.min(high, wish.seats));
  wish.open = Math.min(wish.open, wish.seats);
  for (const bot of invited().slice(wish.seats - wish.open)) invite(bot, -1);
  draw();
}

function invite(bot, by) {
  guests.set(bot, (guests.get(bot) ?? 0) + by);
  if (!guests.get(bot)) guests.delete(bot);
}

// One of several, each with its words.
function choosing(key, values, told) {
  return el("select", { id: `wish-${key}`, name: key, onchange: ({ target }) => set(key, values[target.selectedIndex]) },
    values.map((value) => el("option", { selected: value === wish[key] }, told(value))));
}

function field(key, control, help) {
  return el("p", { class: "field" }, el("label", { for: `wish-${key}` }, word(`field ${key}`)), control, help && el("small", {}, help));
}

function checking(key) {
  return el("label", { class: "check" }, el("input", { type: "checkbox", id: `wish-${key}`, checked: wish[key], onchange: ({ target }) => set(key, target.checked) }),
    " ", word(`field ${key}`), el("small", {}, word(`help ${key}`)));
}

function range(low, high) {
  return Array.from({ length: high - low + 1 }, (_, at) => low + at);
}

function opponents() {
  const free = wish.seats - wish.open - invited().length;
  return el("ul", { class: "bots", "aria-label": word("field level") }, house.opponents.map(({ bot, name, rating, about, lacks }) => {
    const times = guests.get(bot) ?? 0;
    const step = (by, key, can) => el("button", { type: "button", id: `${key} ${bot}`, disabled: !can, "aria-label": word(`${key} bot`, name), onclick: () => { invite(bot, by); draw(); } }, by > 0 ? "+" : "−");
    return el("li", {}, el("span", { class: "group" }, step(-1, "fewer", times > 0), el("output", {}, String(times)), step(1, "more", free > 0 && !lacks)),
      " ", el("bdi", {}, name), rating !== null && rating !== undefined && ` ${rating}`, " ", el("small", {}, (lacks ?? about)[language]));
  }));
}

function drawForm() {
  const [low, high] = gameOf().seats, bots = wish.seats - wish.open;
  document.getElementById("wishes").replaceChildren(...[
    field("game", choosing("game", Object.keys(data.games), (id) => data.games[id].title[language]), gameOf().summary[language]),
    field("seats", choosing("seats", range(low, high), String)),
    field("open", choosing("open", range(1, wish.seats), String), word("help open")),
    bots > 0 && field("level", choosing("level", LEVELS, (level) => word(`level ${level}`)), word("programs", bots)),
    bots > 0 && wish.level === "own" && opponents(),
    gameOf().deals && field("deals", choosing("deals", DEALS, (deals) => (deals === null ? word("by the rules") : word("deals", deals)))),
    field("time", choosing("time", CLOCKS, (time) => (time === null ? word("no clock") : word("seconds", time))), word("help time")),
    checking("hints"), checking("lessons"),
    field("name", el("input", { type: "text", id: "wish-name", value: wish.name, autocomplete: "nickname", oninput: ({ target }) => { wish.name = target.value; } }), word("help name")),
    el("button", { id: "make", disabled: !house.may }, word("make table")),
  ].filter(Boolean));
}

function drawMade() {
  const place = document.getElementById("made");
  place.hidden = !made;
  document.getElementById("wishes").hidden = Boolean(made);
  if (!made) return;
  place.replaceChildren(
    el("h2", {}, word("give away")), el("p", {}, word("help links")),
    el("ol", { class: "links" }, made.links.map(({ seat, name, link }, at) => {
      const url = new URL(link, location.href).href, shown = el("input", { type: "text", readonly: true, value: url, "aria-label": word("link of", name), onfocus: ({ target }) => target.select() });
      const told = el("span", { role: "status" });
      return el("li", { own: seat }, el("bdi", {}, name), shown,
        el("button", { type: "button", class: "copy", onclick: () => copy(shown, told) }, word("copy link")), at === 0 && el("a", { class: "sit", href: url }, word("sit down here")), told);
    })),
    el("p", {}, el("a", { href: made.table }, word("watch it"))));
}

async function copy(shown, told) {
  try {
    await navigator.clipboard.writeText(shown.value);
    told.textContent = word("copied");
  } catch {
    shown.select(); // pages without TLS may not write the clipboard
    told.textContent = word(document.execCommand("copy") ? "copied" : "copy it");
  }
}

async function make(event) {
  event.preventDefault();
  const { name, level, deals, ...rest } = wish, own = level === "own";
  keepName(name.trim());
  const wanted = { ...rest, options: deals && gameOf().deals ? { deals } : {}, back: true, names: name.trim() ? [name.trim()] : [], bots: own ? invited() : [], level: own ? null : level };
  document.getElementById("make").disabled = true;
  try {
    const answer = await fetch("tables", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wanted) });
    const facts = await answer.json().catch(() => ({}));
    if (answer.ok) made = facts;
    refuse(answer.ok ? "" : facts.error?.[language] ?? word(answer.status === 403 ? "not made here" : "too many tables"));
  } catch {
    refuse(word("no server"));
  }
  draw();
}

function refuse(text) {
  document.getElementById("refused").textContent = text;
}

function keepName(name) {
  if (name) try { localStorage.setItem(NAME, name); } catch { /* then it is asked for again */ }
}

function draw() {
  const { id } = document.activeElement;
  document.documentElement.lang = language;
  document.title = `${word("new table")} – Bullring`;
  for (const item of document.querySelectorAll("[data-word]")) item.textContent = word(item.dataset.word);
  document.getElementById("language").replaceChildren(el("span", { class: "group", role: "group", "aria-label": word("language") }, LANGUAGES.map((name) =>
    el("button", { type: "button", id: `in ${name}`, lang: name, "aria-pressed": String(name === language), onclick: () => { keepLanguage(name); draw(); } }, data.words[name].language_name))));
  drawForm();
  drawMade();
  if (id) document.getElementById(id)?.focus();
}

language = languageOf(LANGUAGES);
document.getElementById("wishes").addEventListener("submit", make);
document.getElementById("page").hidden = false;
draw();
house = await fetch("tables").then((answer) => answer.json()).catch(() => house);
if (!house.may) refuse(word("not made here"));
draw();
