// A match without an analysis: on a server, one is asked for, made there in the background, and shown when it is done.

const LOOK_AGAIN = 700; // milliseconds until it is asked again how far it is

let asking = null; // how far it is

function drawAsking() {
  const part = document.getElementById("unjudged"), place = document.getElementById("asking");
  part.hidden = Boolean(data.analysis || data.note || alive || data.asked === "");
  if (part.hidden) return;
  if (data.asked === null) {
    place.replaceChildren(el("details", {}, el("summary", {}, word("for the owner")), el("code", {}, data.listed ? `bullring analyse ${data.number} && bullring ladder report` : `bullring replay ${data.number ?? "RECORD"} --analyse --html PAGE`)));
    return;
  }
  if (!place.firstChild) {
    place.append(el("button", { type: "button", id: "analyse", onclick: askFor }), el("progress", { hidden: true }), el("p", { role: "status" }));
    look();
  }
  const [ask, bar, said] = place.children, { state, before, done, decisions, why } = asking ?? {};
  const busy = state === "waiting" || state === "running";
  ask.replaceChildren(word("analyse"));
  ask.disabled = busy;
  ask.hidden = ["long", "record"].includes(why); // which would be so again
  bar.hidden = !busy;
  bar.setAttribute("aria-label", word("analysing"));
  if (done) { bar.max = decisions; bar.value = done; } else bar.removeAttribute("value");
  const told = state === "waiting" ? word("analysis waits", before) : state === "running" ? word("analysing") : why ? word(`no analysis ${why}`) : "";
  if (said.textContent !== told) said.textContent = told;
}

async function askFor() {
  const answer = await fetch(data.asked, { method: "POST" }).catch(() => null);
  asking = answer?.ok ? await answer.json() : { state: "failed", why: [429, 503].includes(answer?.status) ? "now" : "machine" };
  drawAsking();
  if (answer?.ok) look();
}

// How far it is; also whether other readers have asked for it.
async function look() {
  const answer = await fetch(data.asked).then((answer) => (answer.ok ? answer.json() : null), () => null);
  if (!answer) { // the server is away for a moment
    if (asking?.state !== "failed" && asking) setTimeout(look, 5 * LOOK_AGAIN);
    return;
  }
  asking = answer.state === "none" ? null : answer;
  if (answer.analysis) {
    const focused = document.activeElement.id === "analyse";
    data.analysis = answer.analysis;
    FINDERS.forEach((find) => find());
    build();
    controls.copied.replaceChildren(word("analysed"));
    if (focused) controls.mistake?.focus();
    return;
  }
  drawAsking();
  if (asking && asking.state !== "failed") setTimeout(look, LOOK_AGAIN);
}
