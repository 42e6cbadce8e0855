// The reader's language alone.

const spoken = document.documentElement.lang = languageOf(LANGUAGES);
for (const told of document.querySelectorAll("#missing > [lang]")) told.hidden = told.lang !== spoken;
document.title = `${document.querySelector(`#missing [lang=${spoken}] h1`).textContent} – Bullring`;
