// A match that is being played: its frames are shown as they come, one after the other, while people may look back.

const FAR = 48; // steps behind from which on those who follow skip to the newest turn
alive = true;

const badge = el("p", { id: "live", role: "status" });
document.getElementById("about").before(badge);

// A match that is still being shown is not over.
function drawBadge() {
  const state = !alive && timer === null ? "over" : !alive || stream.readyState === EventSource.OPEN ? "live" : "cut";
  const text = word(`badge ${state}`);
  if (badge.textContent === text) return;
  badge.className = state;
  badge.textContent = text;
}

function renew(facts) {
  Object.assign(data, facts, { words: data.words });
  frames.splice(0, frames.length, ...facts.frames);
  FINDERS.forEach((find) => find());
}

async function end() {
  stream.close();
  alive = false;
  clock = null;
  build();
  const facts = await replayed();
  if (facts) {
    renew(facts);
    build();
  }
  if (timer === 0) tick();
}

const TAKERS = {
  // All of it anew, where the stream could not go on.
  async match({ data: text }) {
    renew(await unpack(text));
    clock = null;
    now = reached = following ? LAST : Math.min(now, LAST);
    build();
  },
  frame({ data: text, lastEventId }) {
    if (Number(lastEventId) <= frames.length) return; // that is known already
    frames.push(JSON.parse(text));
    FINDERS.forEach((find) => find());
    clock = null;
    if (following && LAST - now > FAR) show(turns.at(-1).at);
    if (timer === 0) tick();
    else if (timer === null) drawCourse(now);
  },
  clock({ data: text }) {
    const { seats, limit } = JSON.parse(text);
    const since = Object.entries(seats).map(([seat, used]) => [seat, performance.now() - 1000 * used]);
    clock = { limit: limit && 1000 * limit, since: Object.fromEntries(since) };
  },
  end,
  open() {},
  async error() {
    if (!alive || document.hidden || stream.readyState !== EventSource.CLOSED) return; // else the browser tries again
    if (await replayed()) await end();
    else setTimeout(() => { if (!document.hidden) listen(); }, AGAIN);
  },
};

// Browsers have few connections for a server, so a page that nobody sees keeps none.
document.addEventListener("visibilitychange", () => {
  if (!alive) return;
  stream.close();
  if (!document.hidden) listen();
});

(async () => {
  for (drawBadge(); ; drawBadge()) {
    const event = await arrival();
    await TAKERS[event.type](event);
  }
})();

setInterval(() => {
  drawBadge();
  if (!clock || now !== LAST || document.hidden) return;
  for (const place of document.querySelectorAll(".seat .asked")) place.replaceWith(clockOf(place.closest(".seat").dataset.seat));
}, 200);
