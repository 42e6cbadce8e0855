// Panels fold. On a phone those of the turn are open at first, and at the end those of the result, so that the page is short; elsewhere, and on paper, all are.

const PANELS = [...document.querySelectorAll(".panel")];

function openAll() {
  for (const panel of PANELS) panel.open = true;
}

// How it ended and why comes first now, where there is one column.
let resultOpened = false;

function drawEnded(ended) {
  document.getElementById("columns").classList.toggle("ended", ended);
  if (!ended || resultOpened) return;
  resultOpened = true;
  for (const panel of document.querySelectorAll("#summary .panel, #turning .panel")) panel.open = true;
}

if (!matchMedia("(max-width: 30rem)").matches) openAll();
matchMedia("print").addEventListener("change", ({ matches }) => matches && openAll());
// Only in an open one is known how wide a chart is, and where a line of the history is.
for (const panel of PANELS) panel.addEventListener("toggle", () => panel.open && drawCourse(now));
