// The hand of a person below the table, what can be chosen on the table and beside it, and what the table tells the person.

const SOON = 10; // seconds left from which on the clock is shown in red
const TICK = 100;
const SEND = "bullring-send";
let pending = null; // the answer that was sent and not taken yet: its message, with the question, and the line on which it went
let leaves = false; // whether one more key leaves the table
let hinting = kept("bullring-hints") === "yes", teaching = kept("bullring-lessons") === "yes";
let shownFoot = "", shownAims = "", focused = null;

// The table as `Deciding` knows it.
const deciding = new Deciding({
  skip() { if (now < LAST || !following) toNewest(); },
  choiceOf({ kind, options, view }) {
    return new Choice(options, decisionOf(kind), {
      card: data.bears.length - 1, row: view.rows?.length ?? 0, stack: view.stacks?.length ?? 0, seat: NAMES.length, pool: view.pool ?? [],
    });
  },
  left: () => timeLeft(sat.question),
  send: () => kept(SEND) ?? "held",
  sent: ({ id }, option) => answer({ choose: option, id }),
  fallsBack: ({ id }) => answer({ "fall back": true, id }),
  refusal: (item) => word("not now", labelOf(item), data.games[data.game][deciding.question.kind].asks[language]),
});

function answer(message) {
  pending = { id: message.id, message, line };
  tell(message);
}

function decisionOf(kind) {
  return data.games[data.game][kind];
}

// Milliseconds left for a question, if a clock runs.
function timeLeft(question) {
  return question?.until === undefined ? null : question.until - performance.now();
}

function toNewest() {
  if (alive) toLast(); else show(LAST);
}

// Everything that led to the question was seen.
function isShown({ after }) {
  return now >= LAST && frames.length >= (after ?? 0);
}

// News from the table

heard = (message) => {
  const take = HEARD[message.is];
  if (take) take(message);
  draw();
};

const HEARD = {
  question(question) {
    if (question.left !== null) question.until = performance.now() + 1000 * question.left;
    const again = deciding.question ?? deciding.coming;
    if (pending?.id === question.id && pending.line !== line) { // the line was cut: it is sent again, as the question is the same
      pending.line = line;
      tell(pending.message);
    } else if (again?.id === question.id && pending?.id !== question.id) {
      again.until = question.until;
      sat.question = again; // what was chosen meanwhile is still chosen
    } else {
      pending = null;
      delete sat.hint;
      if (again !== null && again.id !== question.id) deciding.forget();
      deciding.take(question);
      if (!following && alive) toNewest();
    }
  },
  taken({ id, by }) {
    if (sat.question?.id !== id) return;
    if (by === "fallback") deciding.said = word("time over");
    pending = null;
    delete sat.question;
    deciding.take(null);
    deciding.forget();
  },
  remark({ text }) {
    deciding.forget();
    deciding.said = text[language];
    pending = null;
  },
  over() {
    deciding.take(null);
    deciding.forget();
    delete sat.question;
  },
};

// What the person sees and hears

// An answer, or a thing, in words for the one who reads.
function toldOf(option) {
  const { told } = decisionOf(deciding.question.kind), texts = told[language];
  const numbers = Array.isArray(option) ? option : [option];
  const text = texts[typeof option === "string" ? option : !Array.isArray(option) ? "number" : option.length ? "list" : "empty"] ?? "{answer}";
  return text.replace(/\[([^\[\]|]*)\|[^\[\]|]*\]/g, "$1").replaceAll("{answer}", numbers.join(", ")).replace(/\{(\d)\}/g, (_, at) => numbers[at]);
}

function labelOf(item) {
  const { choice, question } = deciding, value = valueOf(item);
  switch (kindOf(item)) {
    case "word": return toldOf(value);
    case "option": return toldOf(choice.options[value]);
    case "done": return choice.answer === undefined ? "" : toldOf(choice.options[choice.answer]);
    case "row": return `${word("row", value)}, ${word("heads", question.view.row_heads?.[value - 1] ?? 0)}`;
    case "stack": return word("stack", value);
    case "seat": return NAMES[value];
    default: return String(value);
  }
}

// The best opinion of the hint on each item, together with what is chosen.
function opinions() {
  const found = new Map(), { choice } = deciding;
  if (!hinting || !choice || sat.hint?.id !== deciding.question.id) return found;
  for (const [option, heads] of [...sat.hint.costs].sort((one, other) => other[1] - one[1])) {
    const items = choice.madeOf(option);
    if (choice.complete || choice.chosen.every((item) => items.includes(item))) items.forEach((item) => found.set(item, heads));
  }
  return found;
}

function tenth(heads) {
  return heads.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

// Where the card at the cursor would go if it were laid now: [row, heads, whether to the left end] each.
function landings() {
  const { cursor, question } = deciding;
  return (cursor && kindOf(cursor) === "card" && question?.lands?.[valueOf(cursor)]) || [];
}

function foresight() {
  const found = landings();
  if (!found.length) return null;
  const least = found.reduce((one, other) => (other[1] < one[1] ? other : one));
  const heads = word("heads", least[1]);
  const told = found.length > 1 && least[1] ? word("lands nowhere", heads) : least[1] ? word("lands on", least[0], heads) : word("lands", found.map(([row]) => row).join(", "));
  return `${valueOf(deciding.cursor)}: ${told}`;
}

function listed(seats) {
  return new Intl.ListFormat(language).format(seats.map((seat) => String.fromCharCode("①".charCodeAt(0) + seat)));
}

function saying() {
  const { choice, question } = deciding, { picture: { seats } } = frames[now];
  if (sat.broken) return [sat.broken.text[language]];
  if (door === "left" && !sat.over) return [word("you have left")];
  if (door === "replaced") return [word("in another window")];
  if (deciding.held) return [word(deciding.due === Infinity ? "confirm" : "held", toldOf(choice.options[choice.answer]))];
  if (deciding.said) return [deciding.said];
  if (question) {
    const only = deciding.cursor && choice.optionsWith(deciding.cursor);
    return [foresight() ?? (only?.length === 1 ? word("only", toldOf(only[0])) : decisionOf(question.kind).asks[language])];
  }
  if (now < LAST || sat.over) return sentence(now);
  if (pending) return [word("is sent")];
  const thinking = NAMES.map((_, seat) => seat).filter((seat) => seats.asked[seat] && seat !== sat.seat?.seat);
  return thinking.length ? filled(word(seats.down[sat.seat?.seat] ? "hidden" : "wait", listed(thinking))) : sentence(now);
}

function drawClock() {
  const left = timeLeft(deciding.question ?? deciding.coming), place = document.getElementById("time");
  const seconds = left === null ? null : Math.max(0, Math.ceil(left / 1000));
  document.getElementById("cut").hidden = connected() || door !== "in" || Boolean(sat.over);
  place.hidden = seconds === null;
  place.classList.toggle("soon", seconds !== null && seconds <= SOON);
  if (seconds !== null) place.textContent = word("seconds", seconds);
}

// Whether an item can be chosen now; beside a complete choice, any can be instead.
function choosable(item) {
  const { choice } = deciding;
  return Boolean(choice) && (choice.complete ? choice.items : [...choice.open, ...choice.chosen]).includes(item);
}

// An item as a button. A card of the hand, an open card, a word, or an option.
function pick(item, worth, ...face) {
  const { choice, cursor } = deciding;
  const leaving = deciding.held && kindOf(item) === "card" && deciding.leaving().includes(valueOf(item));
  const best = sat.hint?.best !== undefined && hinting && worth.size && choice.madeOf(sat.hint.best).includes(item);
  const heads = worth.get(item);
  return el("button", {
    type: "button", class: ["pick", item === cursor && "cursor", leaving && "leaving", best && "best"].filter(Boolean).join(" "), "data-item": item,
    "aria-pressed": choice ? String(choice.chosen.includes(item)) : null, "aria-disabled": choosable(item) ? null : "true",
  }, face, heads !== undefined && el("span", { class: "worth" }, best && "★", tenth(heads)));
}

function drawFoot() {
  const { choice, hand } = deciding, worth = opinions(), told = saying();
  const key = [language, door, now, LAST, told.map((piece) => piece.textContent ?? piece), hand, deciding.cursor, choice?.chosen, choice?.open, deciding.due,
    deciding.sure, Boolean(deciding.question), [...worth], hinting, teaching, leaves, sat.hint, sat.lesson, sat.over].map((part) => JSON.stringify(part)).join();
  if (key === shownFoot) return;
  shownFoot = key;
  document.getElementById("ask").replaceChildren(...told);
  document.getElementById("cards").replaceChildren(...hand.map((card) => el("li", {}, pick(`card:${card}`, worth, cardOf(card)))));
  const extra = choice ? choice.items.filter((item) => kindOf(item) === "card" && !hand.includes(valueOf(item)) && !choice.sight.pool.includes(valueOf(item))) : [];
  const words = choice ? choice.open.concat(choice.chosen).filter((item) => ["word", "option", "done"].includes(kindOf(item))) : [];
  document.getElementById("offers").replaceChildren(
    ...extra.map((item) => pick(item, worth, cardOf(valueOf(item)))),
    ...inOrder(new Set(words)).map((item) => pick(item, worth, labelOf(item))));
  drawActs();
  document.getElementById("advice").replaceChildren(...(hinting && deciding.question && sat.seat?.rules.hints ? advice() : []));
  const lesson = teaching && sat.seat?.rules.lessons && sat.lesson && sat.lesson.after <= now + 1 ? sat.lesson.text[language] : null;
  document.getElementById("lesson").replaceChildren(...(lesson ? [el("b", {}, `${word("lesson")}: `), ...filled(lesson)] : []));
  drawOver();
  document.title = `${deciding.question ? `${word("your turn")} – ` : ""}${data.title[language]}`;
  keepFocus();
}

function advice() {
  const { hint } = sat;
  if (deciding.question.options.length < 2) return [word("only one")];
  if (hint?.id !== deciding.question.id) return [word("hint thinks")];
  if (!hint.costs.length && (hint.best ?? null) === null) return [word("no hint")];
  const best = hint.costs.find(([option]) => JSON.stringify(option) === JSON.stringify(hint.best));
  return [el("b", {}, `${hint.by ? word("hint by", hint.by) : word("hint")}: ★ ${toldOf(hint.best)}`), best && ` (${word("heads to come", tenth(best[1]))})`, hint.why && `; ${hint.why[language]}`].filter(Boolean);
}

function act(id, key, then, pressed = null) {
  return el("button", { type: "button", id, "aria-pressed": pressed, onclick: then }, word(key));
}

function drawActs() {
  const rules = sat.seat?.rules ?? {}, { held } = deciding;
  const gone = door === "left" || door === "replaced";
  document.getElementById("acts").replaceChildren(...[
    held && el("span", { class: "sand", "aria-hidden": "true" }),
    held && act("take-back", "take back", () => { deciding.back(performance.now()); draw(); }),
    held && act("send-now", "send now", () => { deciding.confirm(performance.now()); draw(); }),
    !held && deciding.question && act("fall-back", deciding.sure ? "fall back once more" : "fall back", () => { deciding.fallBack(); draw(); }),
    !held && rules.hints && !sat.over && act("hints", "hints", toggleHints, String(hinting)),
    !held && rules.lessons && !sat.over && act("lessons", "lessons", toggleLessons, String(teaching)),
    !held && !gone && !sat.over && act("leave", leaves ? "leave sure" : "leave", leave),
    gone && !sat.over && act("come-back", "here instead", () => { if (!line) connect(); }),
  ].filter(Boolean));
  const sand = document.querySelector("#acts .sand"), left = deciding.due - performance.now();
  if (sand && Number.isFinite(left) && left > 0 && !still.matches) sand.animate([{ transform: `scaleX(${Math.min(1, left / HOLD)})` }, { transform: "scaleX(0)" }], left);
}

function drawOver() {
  const place = document.getElementById("over");
  const over = sat.over && now >= LAST ? sat.over : null;
  place.hidden = !over;
  if (!over || place.childElementCount) return;
  const seats = [...over.seats].sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  place.replaceChildren(
    el("h2", {}, word(over.void ? "match void" : "badge over")),
    el("ol", { class: "ranks" }, seats.map(({ seat, rank, score }) => el("li", { own: seat, class: seat === sat.seat?.seat ? "you" : "" },
      el("span", { class: "place" }, word("place", rank ?? "–")), " ", named(seat), " ", el("b", {}, word("heads", score))))),
    el("p", { class: "group" }, el("a", { href: table() }, word("match page")), el("a", { href: `${data.up}/new.html` }, word("another table"))));
}

// Marks and buttons on the table: rows, stacks, open cards and seats that can be chosen, and where the card at the cursor would go.
function drawAims() {
  const { choice, cursor } = deciding, worth = opinions();
  for (const old of document.querySelectorAll("#table .landing")) old.remove();
  for (const [kind, places] of [["row", ".rows .row"], ["stack", ".stacks .stack"], ["card", ".pool li"], ["seat", "#seats .seat"]]) {
    for (const place of document.querySelectorAll(places)) {
      const item = `${kind}:${kind === "seat" ? place.dataset.seat : kind === "card" ? place.querySelector("[data-card]").dataset.card : place.dataset.row}`;
      let aim = place.querySelector(":scope > .aim");
      if (!choosable(item)) { aim?.remove(); continue; }
      if (!aim) place.append(aim = el("button", { type: "button", class: "aim", "data-item": item }));
      aim.classList.toggle("cursor", item === cursor);
      aim.setAttribute("aria-pressed", String(choice.chosen.includes(item)));
      aim.setAttribute("aria-label", labelOf(item));
      aim.replaceChildren(...(worth.has(item) ? [el("span", { class: "worth" }, tenth(worth.get(item)))] : []));
    }
  }
  const found = landings();
  if (found.length === 1) {
    const [[row, heads, left]] = found, place = document.querySelector(`.rows .row[data-row="${row}"] > ol`);
    const free = !heads && !left && place?.querySelector(".free");
    (free || place?.parentElement)?.append(el("span", { class: `landing${heads ? " costs" : ""}`, "aria-hidden": "true" }, heads ? `+${heads}` : left ? "←" : String(valueOf(cursor))));
  }
  for (const seat of document.querySelectorAll("#seats .seat")) {
    const number = Number(seat.dataset.seat), away = (sat.left?.seats ?? []).includes(number);
    const own = number === sat.seat?.seat;
    seat.classList.toggle("you", own);
    if (own && !seat.querySelector(".own")) seat.querySelector(".name").append(el("span", { class: "own" }, ` (${word("you")})`));
    seat.classList.toggle("away", away);
    if (away && !seat.querySelector(".gone")) seat.querySelector(".more").append(el("span", { class: "gone" }, ` ${word("away")}`));
  }
}

// The focus of the keyboard is where the cursor is, so that whoever hears the page hears it.
function keepFocus() {
  const { activeElement } = document;
  const own = activeElement === document.body || activeElement?.matches("[data-item]") || focused;
  const aimed = deciding.cursor && document.querySelector(`[data-item="${CSS.escape(deciding.cursor)}"]`);
  focused = null;
  if (own && aimed && aimed !== activeElement) aimed.focus({ preventScroll: true });
  else if (!deciding.cursor && activeElement?.matches("[data-item]")) activeElement.blur();
}

function draw() {
  focused = document.activeElement?.matches("[data-item], #acts button");
  drawClock();
  drawAims();
  drawFoot();
  keepFocus();
  fit();
}

// Ways to choose

function toggleHints() {
  hinting = !hinting;
  keep("bullring-hints", hinting ? "yes" : "no");
  askHint();
  draw();
}

function askHint() {
  const { question } = deciding;
  if (hinting && sat.seat?.rules.hints && question && question.options.length > 1 && sat.hint?.id !== question.id) tell({ hint: question.id });
}

function toggleLessons() {
  teaching = !teaching;
  keep("bullring-lessons", teaching ? "yes" : "no");
  draw();
}

function leave() {
  if (leaves) tell({ leave: true });
  leaves = !leaves;
  draw();
}

// Each key as it is shown, its words, its names in events, its effect.
const SEAT_KEYS = [
  [["←", "→"], "key choose", ["ArrowRight"], (time) => deciding.move(1, time)],
  [[], "", ["ArrowLeft"], (time) => deciding.move(-1, time)],
  [["↑", "↓"], "key jump", ["ArrowDown"], (time) => deciding.jump(1, time)],
  [[], "", ["ArrowUp"], (time) => deciding.jump(-1, time)],
  [["Enter"], "key enter", ["Enter"], (time) => deciding.enter(time)],
  [["Space"], "key mark", [" "], (time) => deciding.mark(time)],
  [["Esc"], "key take back", ["Escape", "Backspace"], (time) => deciding.back(time)],
  [["0–9"], "key digits", [..."0123456789"], (time, key) => deciding.digit(key, time)],
  [["End"], "key latest", ["End"], (time) => deciding.skip(time)],
  [["+", "−"], "key speed", ["+", "="], () => faster(1)],
  [[], "", ["-"], () => faster(-1)],
  [["i"], "key hint", ["i"], () => { if (sat.seat?.rules.hints) toggleHints(); }],
  [["t"], "key lessons", ["t"], () => { if (sat.seat?.rules.lessons) toggleLessons(); }],
  [["f"], "key fall back", ["f"], () => deciding.fallBack()],
  [["q"], "key leave", ["q"], leave],
  [["?"], "keys", ["?"], () => document.getElementById("help").showModal()],
];

addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || document.getElementById("help").open) return;
  if (target.closest("select, input") || ["Tab", "Shift"].includes(key)) return;
  if ((key === "Enter" || key === " ") && target.closest("a, button:not([data-item])")) return;
  const found = SEAT_KEYS.find(([, , keys]) => keys.includes(key));
  if (key !== "q") leaves = false;
  if (key !== "f") deciding.sure = false;
  if (found) event.preventDefault();
  if (event.repeat && (key === "Enter" || key === " ")) return; // held down, it means nothing
  if (found) found[3](performance.now(), key); else deciding.other();
  draw();
});

document.getElementById("page").addEventListener("click", (event) => {
  const item = event.target.closest("[data-item]");
  if (!item && event.target.closest("a, button, select, label, input, summary")) return;
  leaves = deciding.sure = false;
  deciding.click(item?.dataset.item ?? null, performance.now());
  draw();
});

document.getElementById("page").addEventListener("focusin", ({ target }) => {
  if (!target.matches("[data-item]:focus-visible") || target.dataset.item === deciding.cursor || !deciding.items().includes(target.dataset.item)) return;
  deciding.aim(target.dataset.item);
  draw();
});

// Time passes: the question is shown when everything that led to it was seen, and what was held long enough is sent.
function pass() {
  const time = performance.now(), { coming } = deciding;
  let moved = deciding.tick(time);
  if (coming && frames.length >= (coming.after ?? 0)) {
    const hurry = coming.limit && timeLeft(coming) < 750 * coming.limit; // the clock does not wait for cards that move
    if (hurry && now < LAST) toNewest();
    if (isShown(coming)) {
      deciding.open(time);
      deciding.said = sat.remark ? sat.remark.text[language] : "";
      delete sat.remark;
      askHint();
      moved = true;
    }
  }
  if (moved) draw();
  drawClock();
}

function buildSeat() {
  const sends = el("select", { id: "send", "aria-label": word("a card goes"), onchange: () => keep(SEND, document.getElementById("send").value) },
    Object.keys(SENDS).map((name) => el("option", { value: name, selected: (kept(SEND) ?? "held") === name }, word(`send ${name}`))));
  document.getElementById("ways").replaceChildren(el("label", {}, el("span", { "aria-hidden": "true" }, word("a card goes")), " ", sends), act("keyed-seat", "keys", () => document.getElementById("help").showModal()));
  document.getElementById("keys").replaceChildren(...SEAT_KEYS.filter(([shown]) => shown.length).flatMap(([shown, key]) =>
    [el("dt", {}, shown.map((name) => el("kbd", {}, name))), el("dd", {}, word(key))]));
  document.getElementById("over").replaceChildren();
  shownFoot = "";
}

BUILT.push(buildSeat);
DRAWN.push(() => { drawAims(); drawFoot(); });
begun = true;
secret = false;
buildSeat();
faster(1);
toNewest();
deciding.hand = sat.seat?.hand ?? [];
for (const kind of ["question", "over"]) if (sat[kind]) HEARD[kind](sat[kind]);
setInterval(pass, TICK);
draw();
drawDoor();
