// The facts of a match on a shelf, a file beside this page: match.html?LIST-SHELF-MATCH.

const viewer = await unpack(document.getElementById("match").textContent);
const [, list, place, wanted] = /^\?(\d+)-(\d+)-(\d+|first|last)(?:&|$)/.exec(location.search) ?? [];

function linksOf(at) {
  const links = { front: "index.html", home: `matches/${list}.html` };
  if (at > 0) links.earlier = `?${list}-${place}-${numbers[at - 1]}`;
  else if (place > 0) links.earlier = `?${list}-${place - 1}-last`;
  if (at + 1 < numbers.length) links.later = `?${list}-${place}-${numbers[at + 1]}`;
  else if (numbers.length === viewer.size) links.later = `?${list}-${Number(place) + 1}-first`;
  return { links, number: chosen, ladder: viewer.ladder, asked: viewer.offered === null ? null : viewer.offered ? `tables/${chosen}/analysis` : "", listed: shelf.listed, bots: shelf.matches[chosen].bots.map((bot) => `bots/${bot}.html`) };
}

const shelf = list ? await loaded(`records/${list}-${place}.js`) : null;
const numbers = Object.keys(shelf?.matches ?? {}); // in their order, as those of every object
const chosen = wanted === "first" ? numbers[0] : wanted === "last" ? numbers.at(-1) : wanted;
const data = shelf?.matches[chosen] ? { ...toldAs(shelf, chosen), ...linksOf(numbers.indexOf(chosen)) } : null;
if (!data) {
  const spoken = document.documentElement.lang = languageOf(Object.keys(viewer.words));
  for (const told of document.querySelectorAll("#missing > [lang]")) told.hidden = told.lang !== spoken;
  document.title = `${document.querySelector(`#missing [lang=${spoken}] h1`).textContent} – Bullring`;
  document.getElementById("missing").hidden = false;
  document.documentElement.dataset.step = "";
  return;
}
