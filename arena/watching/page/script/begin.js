// The beginning: draw the step that the link names, or else the first one with something on the table.

chooseLanguage();
document.getElementById("page").hidden = false;
now = frameOf(location.hash) ?? BEGIN;
build();
addEventListener("hashchange", follow);
addEventListener("keydown", onKey);
addEventListener("resize", () => drawChart(now));
onTouch(document.getElementById("table"));
