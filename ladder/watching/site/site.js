const root = document.documentElement;
const button = document.getElementById("language");
const remembered = () => { try { return localStorage.getItem("bullring-language"); } catch { return null; } };
const languages = JSON.parse(button.dataset.languages);
const names = Object.fromEntries(languages);
const codes = languages.map((one) => one[0]);
const dateOf = (text) => new Date(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
const SHOWN = { // by class
  "": { dateStyle: "medium", timeStyle: "short" },
  day: { dateStyle: "medium" },
  date: { dateStyle: "full" },
  short: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  hour: { timeStyle: "short" },
};
const write = (time) => {
  const when = dateOf(time.getAttribute("datetime"));
  if (!Number.isNaN(when.getTime())) time.textContent = when.toLocaleString(navigator.languages.find((name) => name.startsWith(root.lang)) ?? root.lang, SHOWN[time.className] ?? SHOWN[""]);
};
const speak = (code) => {
  root.lang = code;
  button.lang = codes[(codes.indexOf(code) + 1) % codes.length];
  button.textContent = names[button.lang];
  document.title = `${document.querySelector("h1").innerText} – Bullring`;
  for (const time of document.querySelectorAll("time")) write(time);
};
const wanted = remembered() ?? root.dataset.asked ?? navigator.language;
speak(codes.find((code) => wanted.startsWith(code)) ?? codes[0]);
button.addEventListener("click", () => {
  const code = button.lang;
  speak(code);
  try { localStorage.setItem("bullring-language", code); } catch { /* it is only not remembered */ }
});

// What makes a page long is folded on phones.
if (matchMedia("(max-width: 40rem)").matches) for (const fold of document.querySelectorAll("details[data-long]")) fold.open = false;

// A page of a ladder that runs is loaded anew while somebody looks at it, unless they do not like that.
const refresh = document.getElementById("refresh");
if (refresh) {
  const key = "bullring-refresh";
  const press = (on) => refresh.setAttribute("aria-pressed", String(on));
  try { press(localStorage.getItem(key) !== "no"); } catch { /* it is only not remembered */ }
  refresh.addEventListener("click", () => {
    const on = refresh.getAttribute("aria-pressed") !== "true";
    press(on);
    try { localStorage.setItem(key, on ? "yes" : "no"); } catch { /* it is only not remembered */ }
  });
  setInterval(() => {
    if (!document.hidden && refresh.getAttribute("aria-pressed") === "true") location.reload();
  }, refresh.dataset.seconds * 1000);
}

const value = (cell) => {
  const text = cell.innerText.trim();
  const found = Number.parseFloat(text.replace(/^[+<>]/, "").replace(",", "."));
  return /^[+<>-]?[0-9]/.test(text) ? found : text === "" ? null : text.toLowerCase();
};
const before = (one, two) => {
  if (one === null || two === null) return (one === null) - (two === null);
  if (typeof one === typeof two) return one < two ? -1 : one > two ? 1 : 0;
  return typeof one === "number" ? -1 : 1;
};
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.querySelectorAll("thead th, thead td")];
  for (const [at, head] of heads.entries()) {
    head.querySelector("button")?.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows].map((row) => [value(row.cells[at]), row]);
      rows.sort((one, two) => one[0] === null || two[0] === null ? before(one[0], two[0]) : before(one[0], two[0]) * (down ? -1 : 1));
      table.tBodies[0].append(...rows.map((pair) => pair[1]));
    });
  }
}
