// The facts of the one match that is in the page, whose program, style and words are in a file beside it.

const style = new CSSStyleSheet();
style.replaceSync(STYLE);
document.adoptedStyleSheets = [style];
const data = { ...await unpack(document.getElementById("match").textContent), words: WORDS };
