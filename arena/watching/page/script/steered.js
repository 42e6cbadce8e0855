// Keys and touches move through the match.

addEventListener("keydown", onKey);
onTouch(document.getElementById("table"));
