// Words and sentences in the chosen language. Names of bots are text nodes of their own, isolated from the direction around them.

const LANGUAGES = Object.keys(data.words);
let language = LANGUAGES[0];

// Which of these languages the reader wants: the one that was chosen here, that of who made the page, or that of the browser.
function languageOf(codes) {
  let kept = null;
  try { kept = localStorage.getItem("bullring-language"); } catch { /* a page in a file may have no storage */ }
  const wanted = [kept, document.documentElement.dataset.asked, ...navigator.languages].filter(Boolean).map((name) => name.slice(0, 2).toLowerCase());
  return wanted.find((name) => codes.includes(name)) || codes[0];
}

// The reader's own form of that language, for dates: "en" alone is that of America.
function locale() {
  return navigator.languages.find((name) => name.slice(0, 2) === language) ?? language;
}

function keepLanguage(name) {
  language = name;
  try { localStorage.setItem("bullring-language", name); } catch { /* as above */ }
}

// Words with {0}, {1}, ... filled in. Words in two forms are for one and for many; the first value tells which.
function word(key, ...values) {
  const found = data.words[language][key];
  const text = typeof found === "object" ? found[values[0] === 1 ? "one" : "many"] : found;
  return text.replace(/\{(\d)\}/g, (_, at) => String(values[at]));
}

function named(seat) {
  return el("bdi", { title: NAMES[seat] }, NAMES[seat]);
}

// The name of a bot, as a link to its page if there is one.
function linked(seat) {
  const address = data.bots[seat];
  return address ? el("a", { href: address }, named(seat)) : named(seat);
}

// A sentence of the match with its names filled in.
function sentence(at) {
  return filled(frames[at].said[language]);
}

function filled(text) {
  return text.split(/([①-⑳])/).map((piece) => (/^[①-⑳]$/.test(piece) ? el("bdi", {}, NAMES[piece.charCodeAt(0) - "①".charCodeAt(0)]) : piece));
}

function plain(at) {
  return sentence(at).map((piece) => (typeof piece === "string" ? piece : piece.textContent)).join("");
}

function placeText({ deal, turn, planned }) {
  if (!deal) return word("before");
  const first = planned ? word("deal of", deal, planned) : word("deal", deal);
  return turn ? `${first}, ${word("turn", turn)}` : first;
}
