// The facts that are in this page: all of the one match, or what is known of any.

const data = await unpack(document.getElementById("match").textContent);
