// The matches of a list: those of one bot, or of two that met; the newest first.

const STEP = 50;
const place = document.getElementById("found");
const form = document.getElementById("filter");
const facts = (name) => JSON.parse(document.getElementById(name).textContent);
let bots, list, files, shelf, notable;
const copyOf = (name) => document.getElementById(name).content.firstElementChild.cloneNode(true);
let shown = STEP;

function seatOf(bot, rank, heads) {
  const made = copyOf("seat");
  const link = made.querySelector("a");
  link.href = `../bots/${bot}.html`;
  link.textContent = bots[bot];
  made.querySelector("span").textContent = `${rank || "–"}.`;
  made.querySelector(".heads").textContent = heads;
  made.classList.toggle("first", rank === 1);
  made.classList.toggle("own", String(bot) === form.bot.value);
  return made;
}

function rowOf([id, began, seated, ranks, heads, faults, isVoid, at]) {
  const row = copyOf("row");
  const part = (name) => row.querySelector(name);
  const time = part("time");
  time.className = "hour";
  time.setAttribute("datetime", began);
  write(time);
  const seats = seated.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other] || one - other);
  for (const seat of seats) {
    part(".seats").append(seatOf(seated[seat], ranks[seat], heads[seat]), " ");
  }
  const own = ranks[seated.indexOf(Number(form.bot.value))];
  if (own !== undefined) {
    part(".place").textContent = own || "–";
    part(".place").classList.add(own === 1 ? "won" : own === seated.length ? "lost" : "between");
  }
  const kind = isVoid ? "void" : notable[id] ?? (faults ? "faulty" : null);
  if (kind) part(".tags").append(copyOf(`tag-${kind}`));
  part(".number").textContent = id;
  part(".watch a").href = `../match.html?${list}-${Math.floor(at / shelf)}-${id}`;
  return row;
}

let matches = [];

async function load() {
  bots = facts("names");
  ({ list, files, shelf, notable } = facts("files"));
  const found = [];
  for (const name of files) found.push(...await loaded(`../results/${name}.js`) ?? []);
  matches = found.reverse();
}

await load();

// The day of a match where the reader is, as a field for dates has it.
function dayOf(began) {
  const when = dateOf(began);
  return `${when.getFullYear()}-${String(when.getMonth() + 1).padStart(2, "0")}-${String(when.getDate()).padStart(2, "0")}`;
}

// The matches, those of a day below its date.
function daysOf(chosen) {
  const days = new Map();
  for (const match of chosen) {
    const key = dayOf(match[1]);
    if (!days.has(key)) days.set(key, []);
    days.get(key).push(match);
  }
  return [...days].map(([key, found]) => {
    const day = copyOf("day");
    const time = day.querySelector("h2").appendChild(document.createElement("time"));
    time.className = "date";
    time.setAttribute("datetime", found[0][1]);
    write(time);
    day.querySelector("ol").append(...found.map(rowOf));
    return day;
  });
}

function draw() {
  const wanted = [form.bot.value, form.other.value].filter(Boolean).map(Number);
  const [from, until] = [form.from.value, form.until.value];
  const fits = ([id, began, seated, ranks, , faults, isVoid]) =>
    wanted.every((bot) => seated.includes(bot))
    && (!form.faulty.checked || faults || isVoid)
    && (!form.notable.checked || id in notable)
    && (!form.won.checked || !form.bot.value || ranks[seated.indexOf(wanted[0])] === 1)
    && (!from || dayOf(began) >= from) && (!until || dayOf(began) <= until);
  const chosen = matches.filter(fits);
  place.replaceChildren(...daysOf(chosen.slice(0, shown)));
  document.getElementById("count").textContent = chosen.length.toLocaleString(root.lang);
  document.getElementById("more").hidden = chosen.length <= shown;
}

function follow() {
  const [bot = "", other = ""] = location.hash.slice(1).split("-");
  form.bot.value = bot in bots ? bot : "";
  form.other.value = other in bots ? other : "";
  form.notable.checked = bot === "notable";
  if (location.hash.length > 1) form.querySelector("details").open = true;
  shown = STEP;
  draw();
}

form.addEventListener("change", () => {
  shown = STEP;
  const hash = [form.bot.value, form.other.value].filter(Boolean).join("-");
  try { history.replaceState(null, "", `#${hash}`); } catch { /* some frames forbid it */ }
  draw();
});
form.addEventListener("submit", (event) => event.preventDefault());
document.getElementById("more").addEventListener("click", () => { shown += STEP; draw(); });
addEventListener("hashchange", follow);
addEventListener("renewed", () => load().then(draw));
follow();
form.hidden = false;
root.dataset.drawn = "";
