// The history of a deal, and the sheet of all deals.

let storyShown = "";
let sheetShown = null;

function drawStory(now) {
  const { deal } = frames[now].picture;
  const list = document.getElementById("history");
  const wanted = `${deal} ${language}`;
  if (storyShown !== wanted) {
    storyShown = wanted;
    document.getElementById("story-title").textContent = deal ? word("history of", deal) : word("history");
    list.replaceChildren(...data.history.filter(([at]) => frames[at].picture.deal === deal).map(([at, tone, seat]) =>
      el("li", { class: tone, "data-at": at, own: seat }, el("a", { href: linkOf(at) }, el("span", { class: "when" }, frames[at].picture.turn ? `${frames[at].picture.turn}. ` : ""), sentence(at)))));
  }
  let current = null;
  for (const item of list.children) {
    const at = Number(item.dataset.at);
    item.removeAttribute("aria-current");
    item.classList.toggle("later", at > now);
    if (at <= now) current = item;
  }
  if (current) {
    current.setAttribute("aria-current", "step");
    list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
  }
}

function drawSheet(now) {
  const { deals } = frames[now].picture;
  if (deals.length === sheetShown) return;
  sheetShown = deals.length;
  document.getElementById("sheet").hidden = !deals.length;
  const total = (seat) => deals.reduce((sum, line) => sum + line[seat], 0);
  const place = document.getElementById("deals");
  place.replaceChildren(el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, word("bot")), deals.map((_, at) => el("th", { scope: "col" }, el("a", { href: `#d${at + 1}` }, String(at + 1)))), el("th", { scope: "col" }, word("in all")))),
    el("tbody", {}, NAMES.map((_, seat) => el("tr", {}, el("th", { scope: "row" }, named(seat)), deals.map((line) => el("td", {}, String(line[seat]))), el("td", {}, el("b", {}, String(total(seat)))))))));
  place.scrollLeft = place.scrollWidth;
}
