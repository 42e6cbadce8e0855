// Panels fold. On a phone those of the turn and of the result are open at first, so that the page is short; elsewhere, and on paper, all are.

const PANELS = [...document.querySelectorAll(".panel")];

function openAll() {
  for (const panel of PANELS) panel.open = true;
}

if (!matchMedia("(max-width: 30rem)").matches) openAll();
matchMedia("print").addEventListener("change", ({ matches }) => matches && openAll());
// Only in an open one is known how wide a chart is, and where a line of the history is.
for (const panel of PANELS) panel.addEventListener("toggle", () => panel.open && drawCourse(now));
