// The beginning: draw the step that the link names, or else the last one; without spoilers the first one with something on it.

language = languageOf(LANGUAGES);
chooseSpoilers();
document.getElementById("page").hidden = false;
const asked = frameOf(location.hash);
now = reached = asked ?? opening();
build();
if (alive && asked === null && !secret) toLast();
else mendLink();
addEventListener("hashchange", follow);
addEventListener("resize", () => { drawChart(now); fit({ anew: true }); });
