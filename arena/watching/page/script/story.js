// The history of a deal, and the sheet of all deals.

let storyShown = "";
let sheetShown = null;

function drawStory(now) {
  const { deal } = frames[now].picture;
  const list = document.getElementById("history");
  const wanted = `${deal} ${language} ${seen()}`;
  if (storyShown !== wanted) {
    storyShown = wanted;
    document.getElementById("story-title").textContent = deal ? word("history of", deal) : word("history");
    list.replaceChildren(...[...frames.keys()].filter((at) => frames[at].history && frames[at].picture.deal === deal && at <= seen()).map((at) =>
      el("li", { class: frames[at].history[0], "data-at": at, own: frames[at].history[1] }, el("a", { href: linkOf(at) }, el("span", { class: "when" }, frames[at].picture.turn ? `${frames[at].picture.turn}. ` : ""), sentence(at)))));
  }
  const items = [...list.children];
  const upto = frames[now].step.is === "Falls" ? now + 1 : now; // a row that falls is told with what it costs
  const reached = items.findLast((item) => Number(item.dataset.at) <= upto);
  for (const item of items) {
    item.removeAttribute("aria-current");
    item.classList.toggle("later", Number(item.dataset.at) > now);
    item.classList.toggle("reached", item === reached);
  }
  if (!reached) return;
  if (frames[reached.dataset.at].picture.turn === frames[now].picture.turn) reached.setAttribute("aria-current", "step");
  const top = items.find((item) => item.offsetTop >= reached.offsetTop - list.clientHeight / 2); // whole lines
  list.scrollTop = top === items[0] ? 0 : top.offsetTop;
}

// Lines that go on above are faded, as those are that go on below.
document.getElementById("history").addEventListener("scroll", ({ target }) => target.classList.toggle("scrolled", target.scrollTop > 0));

function drawSheet(now) {
  const { deal, deals: over, seats } = frames[now].picture;
  const wanted = `${deal} ${over.length} ${seats.score}`;
  if (wanted === sheetShown) return;
  sheetShown = wanted;
  document.getElementById("sheet").hidden = !over.length;
  const runs = deal > over.length; // what it has brought so far is in all that the seats have
  const deals = runs ? [...over, seats.score.map((score, seat) => score - over.reduce((sum, line) => sum + line[seat], 0))] : over;
  const place = document.getElementById("deals");
  place.replaceChildren(el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, word("bot")), deals.map((_, at) => el("th", { scope: "col" }, el("a", { href: `#d${at + 1}` }, `${at + 1}${at < over.length ? "" : "…"}`))), el("th", { scope: "col" }, word("in all")))),
    el("tbody", {}, NAMES.map((_, seat) => el("tr", {}, el("th", { scope: "row" }, named(seat)), deals.map((line) => el("td", {}, String(line[seat]))), el("td", {}, el("b", {}, String(seats.score[seat]))))))));
  place.scrollLeft = place.scrollWidth;
}
