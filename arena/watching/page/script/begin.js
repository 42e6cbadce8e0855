// The beginning: draw the step that the link names, or else the first one with something on the table, or the newest one.

language = languageOf(LANGUAGES);
chooseSpoilers();
document.getElementById("page").hidden = false;
const asked = frameOf(location.hash);
now = reached = asked ?? BEGIN;
build();
if (alive && asked === null && !secret) toLast();
else mendLink();
addEventListener("hashchange", follow);
addEventListener("resize", () => { drawChart(now); fit({ anew: true }); });
