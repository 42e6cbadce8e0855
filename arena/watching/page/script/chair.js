// The seat of a person: the connection to its table, and the place where people wait for each other before the match.

const AGAIN_AFTER = [300, 1000, 2000, 5000]; // milliseconds until a line that was cut is tried again, each time the next
const LEFT = 1000, REPLACED = 4001; // codes with which the table closes a line for good
const NAME = "bullring-name";
const sat = {}; // the newest message of each kind that still holds, by its kind
let token = location.hash.slice(1); // the only way to be told it: no address that is sent has it
let line = null, tries = 0, door = token ? "open" : "known";
let begun = false; // whether the match is on the page
let refused = null; // why the seat was refused, by language
let heard = () => {}; // what is to be done about a message

if (token) history.replaceState(null, "", location.pathname);

function kept(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* then it is asked for again */ }
}

// Sit down: the token is shown once, for a cookie that scripts cannot read.
async function sit(name) {
  try {
    const answer = await fetch(`${table()}/sit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(name ? { token, name } : { token }),
    });
    const facts = await answer.json().catch(() => null);
    refused = answer.ok ? null : facts?.error?.[language] ?? word(answer.status === 404 ? "no such table" : answer.status === 409 ? "taken by another" : "refused");
    if (answer.ok) {
      if (name) keep(NAME, name);
      door = "known";
      if (!line) connect();
    }
  } catch {
    refused = word("badge cut");
  }
  drawDoor();
}

function connect() {
  const place = new URL(`${table()}/seat`, location.href);
  place.protocol = place.protocol.replace("http", "ws");
  const made = line = new WebSocket(place);
  let opened = false;
  made.onopen = () => { opened = true; tries = 0; };
  made.onmessage = ({ data: text }) => {
    if (line !== made) return;
    const message = JSON.parse(text);
    sat[message.is] = message;
    door = "in";
    heard(message);
    drawDoor();
  };
  made.onclose = ({ code }) => {
    if (line !== made) return;
    line = null;
    if (code === LEFT || code === REPLACED) {
      door = code === LEFT ? "left" : "replaced";
    } else {
      if (!opened && tries >= AGAIN_AFTER.length && door === "known") door = "nobody";
      const again = setTimeout(() => { if (!line) connect(); }, AGAIN_AFTER[Math.min(tries++, AGAIN_AFTER.length - 1)]);
      if (!opened) seek(again);
    }
    heard({ is: "cut" });
    drawDoor();
  };
}

// Why there is no line, beside trying `again`: the match may be over, or the server be there and have no such table any more.
async function seek(again) {
  if (await replayed()) { location.replace(table()); return; }
  const answer = await fetch(table(), { method: "HEAD" }).catch(() => null);
  if (answer?.status !== 404) return;
  clearTimeout(again);
  door = "lost";
  drawDoor();
}

function connected() {
  return line?.readyState === WebSocket.OPEN;
}

// Tell the table something, if it can be reached.
function tell(message) {
  if (connected()) line.send(JSON.stringify(message));
}

// What is known of the seat before the first card, or before somebody has sat down.
function drawDoor() {
  const inside = begun && !["open", "nobody", "lost"].includes(door), page = document.getElementById("page");
  document.getElementById("lobby").hidden = inside;
  if (begun && page.hidden === inside) {
    page.hidden = !inside;
    fit({ anew: true });
  }
  const waiting = sat.waiting?.for ?? [];
  const { seat, names = [], people = [] } = sat.seat ?? {};
  document.getElementById("sit").hidden = !(token && (door === "open" || door === "known" || door === "in"));
  document.getElementById("sit-down").textContent = word(door === "open" ? "sit down" : "rename");
  document.getElementById("refused").textContent = refused ?? "";
  document.getElementById("people").replaceChildren(...people.map((each) =>
    el("li", { own: each, class: waiting.includes(each) ? "missing" : "here" }, el("bdi", {}, names[each]),
      each === seat && ` (${word("you")})`, ` – ${word(waiting.includes(each) ? "not here yet" : "here")}`)));
  const said = sat.broken?.text[language] ?? {
    open: () => word("at the door"),
    known: () => word("sitting down"),
    nobody: () => word("nobody here"),
    lost: () => word("table lost"),
    left: () => word("you have left"),
    replaced: () => word("in another window"),
    in: () => (waiting.length ? word("waiting for people", waiting.length) : sat.preparing?.text[language] ?? word("table is set")),
  }[door]();
  document.getElementById("door").textContent = line || ["open", "replaced", "left", "lost"].includes(door) ? said : `${said} ${word("badge cut")}`;
  for (const button of document.querySelectorAll("button.here")) button.hidden = door !== "replaced" && door !== "left";
}

document.documentElement.lang = language = languageOf(LANGUAGES);
for (const item of document.querySelectorAll("#lobby [data-word]")) item.textContent = word(item.dataset.word);
document.getElementById("name").value = kept(NAME) ?? "";
document.getElementById("sit").addEventListener("submit", (event) => {
  event.preventDefault();
  sit(document.getElementById("name").value.trim());
});
for (const button of document.querySelectorAll("button.here")) button.addEventListener("click", () => { if (!line) connect(); });
addEventListener("online", () => { if (!line && (door === "in" || door === "known")) connect(); });
if (!token) connect();
drawDoor();
