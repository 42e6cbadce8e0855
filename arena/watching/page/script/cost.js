// The cost of each card, where the match was analysed.

// The choices, each with the frame that shows it.
let CHOICES;
finding(() => {
  const happens = [...frames.keys()].filter((at) => frames[at].step.is !== "Asked");
  CHOICES = (data.analysis?.choices ?? []).map((choice) => ({ ...choice, at: happens[choice.at] }));
});

const MARKS = { "?!": "m1", "?": "m2", "??": "m3" };
const SHOWN = 12;

function number(value, digits = 1) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function markOf(choice) {
  return choice.mark ? el("span", { class: `judged ${MARKS[choice.mark]}` }, choice.mark) : null;
}

// An option is a card, or words in each language.
function optionText(option) {
  return typeof option === "string" ? option : filled(option[language]);
}

function told(choice) {
  const costs = choice.options.length < 2 ? word("only option") : choice.cost ? word("costs", number(choice.cost), number(choice.cost_error)) : word("best");
  return [named(choice.seat), ": ", el("b", {}, optionText(choice.options[choice.chosen])), ", ", costs, " ", markOf(choice),
    choice.mark ? [" ", word("better"), " ", optionText(choice.options[choice.best])] : null];
}

function choiceOf(choice, open) {
  const order = choice.heads.map((_, at) => at).sort((one, other) => (other === choice.best) - (one === choice.best) || choice.heads[one] - choice.heads[other]);
  const shown = order.filter((at, place) => place < SHOWN || at === choice.chosen);
  const least = choice.heads[choice.best];
  const most = Math.max(...choice.heads.map((heads) => heads - least), 1);
  const lines = shown.map((at) => {
    const bar = el("i");
    bar.style.setProperty("width", `${(100 * (choice.heads[at] - least)) / most}%`);
    return el("li", { class: `${at === choice.chosen ? "chosen " : ""}${at === choice.best ? "best" : ""}` },
      el("span", { class: "option" }, optionText(choice.options[at]), at === choice.chosen ? ` ← ${word("chosen")}` : at === choice.best ? ` ← ${word("best one")}` : ""),
      el("span", { class: "bar", "aria-hidden": "true" }, bar), el("span", {}, number(choice.heads[at])),
      el("span", { class: "by" }, at === choice.best ? "" : `+${number(choice.heads[at] - least)}`));
  });
  if (shown.length < order.length) lines.push(el("li", {}, el("span", {}, word("more options", order.length - shown.length)), el("span"), el("span"), el("span")));
  return el("details", { own: choice.seat, open }, el("summary", {}, told(choice)),
    whyOf(choice), el("ol", { class: "options", "aria-label": word("expected heads") }, lines));
}

// What spoke for or against the choice and the best option.
function whyOf(choice) {
  return [...new Set([choice.chosen, choice.best])].filter((at) => choice.why[language][at]).map((at) =>
    el("p", { class: "why" }, el("b", {}, optionText(choice.options[at])), ": ", choice.why[language][at]));
}

// The choices of a turn, of which the worst is open; those who had none are one line.
function costsOf(found, worst) {
  const forced = found.filter((choice) => choice.options.length < 2);
  const names = forced.flatMap((choice, index) => (index ? [", ", named(choice.seat)] : [named(choice.seat)]));
  return [...found.filter((choice) => !forced.includes(choice)).map((choice) => choiceOf(choice, choice === worst)),
    forced.length ? el("p", { class: "forced" }, names, ": ", word("only option")) : ""];
}

// The choices of the turn that is shown, as far as it has come.
let costShown = "";

function drawCost(now) {
  if (!data.analysis) return;
  const turn = turns[turnOf(now)];
  const found = CHOICES.filter((choice) => choice.at >= turn.at && choice.at <= now);
  const wanted = `${turn.at} ${found.length} ${language}`;
  if (costShown === wanted) return; // what people have opened stays open
  costShown = wanted;
  document.getElementById("cost").hidden = false;
  const worst = found.filter((choice) => choice.mark).sort((one, other) => other.cost - one.cost)[0];
  document.getElementById("choices").replaceChildren(...(found.length ? costsOf(found, worst) : [el("p", {}, word("no choice yet"))]));
}

const SPLIT = ["heads", "par", "deal", "others", "edge", "mistakes"];

// What luck and what its own play saved or cost a seat, beside what a seat takes on average: bars around it, and a sentence.
function drawBalance(accounts) {
  const { rank } = frames[LAST].picture.seats;
  const sums = accounts.map(({ seat, parts: { heads }, told }) => ({ seat, heads, par: told.usual, luck: told.luck, play: told.play }));
  const most = Math.max(1, ...sums.flatMap(({ luck, play }) => [Math.abs(luck), Math.abs(play)]));
  const bar = (name, value) => {
    const made = el("i", { class: `${name} ${value < 0 ? "saves" : "costs"}` });
    made.style.setProperty("width", `${(50 * Math.abs(value)) / most}%`);
    return made;
  };
  const said = (value, saved, cost) => word(value < 0 ? saved : cost, number(Math.abs(value)));
  document.getElementById("balance").replaceChildren(...sums.sort((one, other) => (rank[one.seat] ?? 0) - (rank[other.seat] ?? 0)).map(({ seat, heads, par, luck, play }) =>
    el("li", { own: seat }, el("span", { class: "who" }, linked(seat), " ", el("b", {}, String(heads)), icon("bull")),
      el("span", { class: "scale", "aria-hidden": "true" }, bar("luck", luck), bar("play", play)),
      el("span", { class: "told" }, word(heads < par ? "below par" : "above par", number(Math.abs(heads - par)), number(par)), " ", said(luck, "luck saved", "luck cost"), ", ", said(play, "play saved", "play cost"), "."))));
}

function drawSummary() {
  const analysis = data.analysis;
  if (!analysis) return;
  const turning = analysis.turning[language];
  for (const id of ["summary", "turning", "worst"]) document.getElementById(id).hidden = seen() < LAST || (id === "turning" && !turning.length);
  const signed = (part, value) => (part === "heads" ? String(value) : part === "par" ? number(value) : (value < 0 ? "−" : "+") + number(Math.abs(value)));
  document.getElementById("parts").replaceChildren(el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, word("bot")), SPLIT.map((part) => el("th", { scope: "col" }, word(`part ${part}`))), el("th", { scope: "col" }, word("cost a move")))),
    el("tbody", {}, analysis.accounts.map((account) => el("tr", {}, el("th", { scope: "row" }, named(account.seat)),
      SPLIT.map((part) => el("td", { "data-title": word(`part ${part}`) }, signed(part, account.parts[part]))), el("td", { "data-title": word("cost a move") }, `${number(Math.max(0, account.cost), 2)} ± ${number(account.cost_error, 2)}`))))));
  drawBalance(analysis.accounts);
  document.getElementById("explained").textContent = word("parts explained");
  document.querySelector("#turning ol").replaceChildren(...turning.map(([deal, turn, change, why]) => {
    const at = turns.find((each) => each.deal === deal && each.turn === turn).at;
    return el("li", {}, el("a", { href: linkOf(at) }, placeText({ ...frames[at].picture, planned: 0 })), " – ", filled(change), el("p", { class: "why" }, filled(why)));
  }));
  const worst = CHOICES.filter((choice) => choice.mark).sort((one, other) => other.cost - one.cost).slice(0, 6);
  document.querySelector("#worst h2").textContent = word(worst.length ? "worst" : "no mistakes");
  document.querySelector("#worst ol").replaceChildren(...worst.map((choice) => el("li", {}, el("a", { href: linkOf(choice.at) }, placeText({ ...frames[choice.at].picture, planned: 0 })), " – ", told(choice), whyOf(choice))));
  document.getElementById("method").textContent = word("method", CHOICES.length, analysis.policy, analysis.fewest, analysis.most);
}
