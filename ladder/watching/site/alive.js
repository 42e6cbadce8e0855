// A page of a server: its parts are brought up to date from the same page made anew, and the first page shows what is being played.

const AGAIN = 3000; // milliseconds until a stream that was refused is tried again
const SPREAD = 1500; // milliseconds within which pages are asked for again, so that not all readers ask at once
const SLIDE = 700; // milliseconds
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const moving = () => !calm.matches && !document.hidden;
const events = new URL(root.dataset.events, location);
const own = location.pathname.slice(events.pathname.length - "events".length) || "index.html";
const part = (name) => document.getElementById(name);
const made = (name) => part(name).content.firstElementChild.cloneNode(true);

// An element whose texts, one for each language, have {0}, {1} ... filled in.
function fill(element, ...values) {
  for (const text of element.querySelectorAll("[lang]")) text.textContent = text.textContent.replace(/\{(\d)\}/g, (_, at) => values[at]);
  return element;
}

// What belongs together in an older and a newer list of elements: the lines of bots, and parts with a name.
const keyOf = (node) => node.id || node.dataset?.key || (node.localName === "tr" && node.querySelector("th a")?.getAttribute("href")) || null;

// Numbers of pictures grow and shrink to what they are now.
function glide(element, name, from, to) {
  const begun = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - begun) / SLIDE);
    element.setAttribute(name, from + (to - from) * share);
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

// Makes an element like a newer one. What is the same stays: focus, what was opened, what was sorted.
function renew(old, young) {
  if (young.dataset.kept !== undefined || old.isEqualNode(young) || old.dataset.still !== undefined) return;
  for (const { name } of [...old.attributes]) if (!young.hasAttribute(name) && !["open", "aria-sort"].includes(name)) old.removeAttribute(name);
  for (const { name, value } of young.attributes) {
    const before = old.getAttribute(name);
    if (before === value || name === "open") continue;
    if (old.namespaceURI.endsWith("svg") && /^(x|x1|x2|cx|width)$/.test(name) && before !== null && moving()) glide(old, name, Number(before), Number(value));
    else old.setAttribute(name, value);
  }
  const known = new Map([...old.childNodes].map((node) => [keyOf(node), node]).filter(([key]) => key));
  const free = [...old.childNodes].filter((node) => !keyOf(node));
  const alike = (node) => free.findIndex((other) => other.nodeType === node.nodeType && other.nodeName === node.nodeName);
  const next = [...young.childNodes].map((node) => {
    const key = keyOf(node), at = key ? -1 : alike(node); // beside what comes and goes, such as a note, what was opened stays
    const same = key ? known.get(key) : at < 0 ? null : free.splice(at, 1)[0];
    if (!same || same.nodeType !== node.nodeType || same.nodeName !== node.nodeName) return document.importNode(node, true);
    if (same.nodeType === Node.ELEMENT_NODE) renew(same, node);
    else if (same.data !== node.data) same.data = node.data;
    return same;
  });
  const sorted = old.localName === "tbody" && old.parentNode.querySelector("[aria-sort]");
  const wanted = sorted ? [...[...old.childNodes].filter((node) => next.includes(node)), ...next.filter((node) => node.parentNode !== old)] : next;
  if (wanted.length !== old.childNodes.length || wanted.some((node, at) => node !== old.childNodes[at])) old.replaceChildren(...wanted);
}

// Changes the page; lines that are elsewhere afterwards slide there.
function change(act) {
  const lines = () => document.querySelectorAll("tr");
  const before = new Map([...lines()].map((line) => [line, line.getBoundingClientRect().top + scrollY]));
  const focused = document.activeElement;
  act();
  if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  if (!moving()) return;
  for (const line of lines()) {
    const by = before.get(line) - line.getBoundingClientRect().top - scrollY;
    if (by && Math.abs(by) < innerHeight && line.parentNode.localName === "tbody") line.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: SLIDE, easing: "ease-in-out" });
  }
}

// Whether a page made anew is one of another version of the server, whose styles and scripts the policy of this page forbids. True once
// for each, so that a cache which mixes versions cannot have the page loaded again and again.
function isOther(text) {
  const policyOf = /http-equiv="Content-Security-Policy" content="([^"]*)"/;
  const policy = policyOf.exec(text)?.[1], known = policyOf.exec(document.head.innerHTML)?.[1];
  try {
    if (!policy || policy === known || sessionStorage.getItem("bullring-policy") === policy) return false;
    sessionStorage.setItem("bullring-policy", policy);
    return true;
  } catch { return false; }
}

// The page again.
let asking = null;

async function look() {
  asking = null;
  try {
    const answer = await fetch(location.pathname);
    if (!answer.ok) return;
    const text = await answer.text();
    if (isOther(text)) { location.reload(); return; }
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const time of page.querySelectorAll("time")) write(time);
    bringUp(page);
    change(() => renew(part("content"), page.getElementById("content")));
    dispatchEvent(new Event("renewed"));
    told = Date.now();
    drawPulse();
  } catch { /* the network is gone: the stream tells when it is back */ }
}

// The standings of the list that is played are told as they change, sooner than pages are made. A page has what they lack.
let standings = null, standingsTold = 0;

function bringUp(page) {
  const table = standings && page.querySelector(`#standings[data-list="${standings.list}"] table`);
  if (table) renew(table, standings.table);
}

// How the ladder is, and when it was heard of last.
const pulse = part("pulse");
let stream = null, told = Date.now(), running = false;

function drawPulse() {
  const state = stream.readyState !== EventSource.OPEN ? "cut" : running ? "live" : "rests";
  if (pulse.dataset.state !== state) pulse.dataset.state = state;
  const seconds = Math.round((Date.now() - told) / 1000);
  const [count, unit] = seconds < 5 ? [0, "second"] : seconds < 60 ? [seconds - (seconds % 5), "second"] : seconds < 3600 ? [Math.floor(seconds / 60), "minute"] : [Math.floor(seconds / 3600), "hour"];
  pulse.querySelector(".ago").textContent = new Intl.RelativeTimeFormat(root.lang, { numeric: "auto" }).format(-count, unit);
}

// Small boards. A board keeps its place while its match goes on, and is given to another match afterwards.
const shownBoards = new WeakMap();

function cardOf([card, heads], style) {
  const made = document.createElement("i");
  made.className = `w${[7, 5, 3, 2].find((worth) => worth <= heads) ?? 1} ${style}`;
  made.textContent = card;
  return made;
}

function drawBoard(board, { key, live, names, small }) {
  const { deal, planned, turn, groups, room, fresh, moving: moved, mover, falling, scores, ranks } = small;
  const where = made(planned ? "where-of" : "where");
  board.classList.toggle("again", !live);
  board.querySelector("a").href = new URL(`tables/${key}`, events).pathname;
  board.querySelector("a b").textContent = key;
  board.querySelector(".where").replaceChildren(fill(where, deal, turn, planned));
  board.querySelector(".rows").replaceChildren(...groups.map((cards, at) => {
    const row = document.createElement("span");
    row.classList.toggle("falling", at === falling);
    row.append(...cards.map((card) => cardOf(card, card[0] === moved ? "moved" : fresh.includes(card[0]) ? "fresh" : "")), ...Array.from({ length: Math.max(0, room - cards.length) }, () => document.createElement("s")));
    return row;
  }));
  const best = Math.min(...scores);
  board.querySelector("ol").replaceChildren(...names.map((name, seat) => {
    const line = document.createElement("li");
    line.append(Object.assign(document.createElement("bdi"), { textContent: name }), Object.assign(document.createElement("b"), { className: "heads", textContent: scores[seat] }));
    line.classList.toggle("mover", seat === mover);
    line.classList.toggle("first", ranks[seat] ? ranks[seat] === 1 : turn > 0 && scores[seat] === best);
    return line;
  }));
}

function drawTables(tables) {
  const place = part("boards");
  part("now").hidden = !tables.length;
  const again = tables.every((table) => !table.live); // which is said once then
  part("again").hidden = !again;
  place.classList.toggle("all-again", again);
  while (place.children.length > tables.length) place.lastElementChild.remove();
  tables.forEach((table, at) => {
    const board = place.children[at] ?? place.appendChild(made("board"));
    const text = JSON.stringify(table);
    if (shownBoards.get(board) === text) return;
    if (board.dataset.key !== table.key && board.dataset.key && moving()) board.animate([{ opacity: 0 }, { opacity: 1 }], { duration: SLIDE });
    board.dataset.key = table.key;
    shownBoards.set(board, text);
    drawBoard(board, table);
  });
}

// News, the newest first.
function enter(list, line) {
  list.parentNode.hidden = false;
  list.prepend(line);
  while (list.children.length > list.dataset.most) list.lastElementChild.remove();
  if (moving()) line.animate([{ opacity: .4, transform: "translateY(-.5rem)" }, { opacity: 1, transform: "none" }], { duration: SLIDE, easing: "ease-out" });
}

const botLink = (link, bot, name) => {
  link.href = new URL(`bots/${bot}.html`, events).pathname;
  link.replaceChildren(...name.split(/(?<=[-_./])/).flatMap((part) => [part, document.createElement("wbr")])); // as in pages
};

const HEARD = {
  state() {
    for (const list of document.querySelectorAll("#results, #moves")) list.replaceChildren();
  },
  site({ changed }) {
    if (changed && !changed.includes(own)) return;
    asking ??= setTimeout(look, Math.random() * SPREAD);
  },
  async standings({ list, table }) {
    const number = ++standingsTold, text = await unpack(table);
    if (number !== standingsTold) return;
    standings = { list, table: new DOMParser().parseFromString(text, "text/html").querySelector("table") };
    change(() => bringUp(document));
  },
  tables: drawTables,
  progress(facts) {
    running = facts.running;
    for (const place of document.querySelectorAll("#progress [data-told]")) {
      place.replaceChildren(...Object.entries(facts[place.dataset.told]).map(([lang, text]) => Object.assign(document.createElement("span"), { lang, textContent: text })));
    }
  },
  result({ match, seats, void: isVoid, page }) {
    const line = made("result");
    line.querySelector(".match").textContent = match;
    line.querySelector(".match").href = new URL(page, events).pathname;
    line.querySelector(".void").hidden = !isVoid;
    seats.forEach(([bot, name, heads, rank], at) => {
      const seat = made("placed");
      botLink(seat.querySelector("a"), bot, name);
      seat.querySelector("span").textContent = isVoid ? "–" : `${rank ?? at + 1}.`;
      seat.querySelector(".heads").textContent = heads;
      seat.classList.toggle("first", (rank ?? at + 1) === 1 && !isVoid);
      line.querySelector(".seats").append(seat, " ");
    });
    enter(part("results"), line);
  },
  place({ bot, name, from, to }) { // of each bot one line, from where it was first
    const line = made("move");
    const earlier = part("moves").querySelector(`[data-bot="${bot}"]`);
    line.dataset.bot = bot;
    line.dataset.from = from = Number(earlier?.dataset.from ?? from);
    earlier?.remove();
    part("moves").parentNode.hidden = !part("moves").children.length;
    if (from === to) return;
    botLink(line.querySelector("a"), bot, name);
    const by = line.querySelector(".by");
    by.textContent = `${to < from ? "▲" : "▼"}${Math.abs(from - to)}`;
    by.className = to < from ? "up" : "down";
    line.querySelector(".from").textContent = from;
    line.querySelector(".to").textContent = to;
    enter(part("moves"), line);
  },
  now() {
    told = Date.now();
    drawPulse();
  },
};

const front = part("now") !== null;

function listen() {
  stream?.close();
  stream = new EventSource(events);
  for (const kind of front ? Object.keys(HEARD) : ["site", "progress", "now"]) {
    stream.addEventListener(kind, ({ data }) => HEARD[kind](JSON.parse(data)));
  }
  let known = false;
  stream.addEventListener("open", () => {
    if (known) HEARD.site({ changed: null }); // what was missed may be anything
    known = true;
    drawPulse();
  });
  stream.addEventListener("error", () => {
    drawPulse();
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => { if (!document.hidden) { listen(); HEARD.site({ changed: null }); } }, AGAIN);
  });
}

listen();
document.addEventListener("visibilitychange", () => { // browsers have few connections for a server
  if (document.hidden) { stream.close(); return; }
  listen();
  HEARD.site({ changed: null });
});
fetch(new URL("tables", events)).then((answer) => answer.json()).then(({ may }) => { part("new-table").hidden = !may; }, () => { /* a server without tables */ });
setInterval(drawPulse, 5000);
drawPulse();
