// The facts of a match that is being played, which come as events: all that has happened so far, then each frame.

const AGAIN = 3000; // milliseconds until a stream that was refused is tried again
const KINDS = ["waiting", "match", "frame", "clock", "end", "open", "error"];
const arrivals = [];
let stream = null, wake = () => {};

// The address of the table, also where this page is that of a seat.
function table() {
  return location.pathname.replace(/\/sit$/, "");
}

function listen() {
  stream?.close();
  stream = new EventSource(`${table()}/events`);
  for (const kind of KINDS) stream.addEventListener(kind, (event) => { arrivals.push(event); wake(); });
}

// The next event, in the order in which they came.
async function arrival() {
  while (!arrivals.length) await new Promise((resolve) => { wake = resolve; });
  return arrivals.shift();
}

// The facts of the match, if the same address has its replay by now; else the stream is tried again, and what was seen stays.
async function replayed() {
  try {
    const page = await (await fetch(table())).text();
    const facts = await unpack(/<html data-bullring="replay".* id="match">([^<]+)</s.exec(page)[1]);
    return { ...facts, asked: facts.asked && `${table()}/analysis` }; // which is told from the replay's own address on
  } catch {
    return null;
  }
}

// What is waited for.
function awaiting(text, ...more) {
  const heading = Object.assign(document.createElement("h1"), { textContent: text });
  arriving.lastElementChild.replaceChildren(heading, ...more);
}

// Who is still missing at a table whose match has not begun.
function waitsFor({ names, people, missing }) {
  const list = document.createElement("ol");
  list.append(...people.map((seat) => {
    const line = document.createElement("li");
    line.append(Object.assign(document.createElement("bdi"), { textContent: names[seat] }), ` – ${word(missing.includes(seat) ? "not here yet" : "here")}`);
    return line;
  }));
  awaiting(missing.length ? word("waiting for people", missing.length) : word("arriving"), list);
}

document.documentElement.lang = language = languageOf(LANGUAGES);
const arriving = document.getElementById("arriving");
arriving.hidden = false;
awaiting(word("arriving"));
listen();
let first = await arrival();
while (first.type !== "match") {
  if (first.type === "waiting") waitsFor(JSON.parse(first.data));
  if (stream.readyState === EventSource.CLOSED) {
    if (await replayed()) {
      history.replaceState(null, "", table() + location.hash);
      location.reload();
      return;
    }
    setTimeout(listen, AGAIN);
  }
  first = await arrival();
}
arriving.hidden = true;
Object.assign(data, await unpack(first.data));
