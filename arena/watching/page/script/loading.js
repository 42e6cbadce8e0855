// Files beside the page. They are scripts, because a page that was opened from a disk may read nothing else; each calls `bullring`.

// The facts in a file, or null; one after the other.
function loaded(path) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    globalThis.bullring = (text) => resolve(unpack(text));
    script.src = path;
    script.onload = () => script.remove();
    script.onerror = () => { script.remove(); resolve(null); };
    document.head.append(script);
  });
}
