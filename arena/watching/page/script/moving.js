// Movement: cards slide from where they were to where they are, taken cards fly to their taker. Decoration only.

const still = matchMedia("(prefers-reduced-motion: reduce)");

function placesOf() {
  const places = new Map();
  for (const card of document.querySelectorAll("#table [data-card]")) {
    const box = card.getBoundingClientRect();
    places.set(card.dataset.key, { box, card });
    // A card that is laid comes from where it waited, or else from its seat.
    if (card.closest(".waiting")) places.set(`from ${card.dataset.card}`, { box, card });
    else if (card.closest(".played") && !places.has(`from ${card.dataset.card}`)) places.set(`from ${card.dataset.card}`, { box, card });
  }
  return places;
}

function slide(card, from, time) {
  const to = card.getBoundingClientRect();
  const x = from.left - to.left, y = from.top - to.top;
  if (Math.abs(x) + Math.abs(y) > 2) {
    card.animate([{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})`, transformOrigin: "0 0", zIndex: 2 },
      { transform: "none", transformOrigin: "0 0", zIndex: 2 }], { duration: time, easing: "ease-in-out" });
  }
}

function fly(card, box, target, time) {
  const copy = card.cloneNode(true);
  copy.style.setProperty("left", `${box.left}px`);
  copy.style.setProperty("top", `${box.top}px`);
  copy.style.setProperty("--card", `${box.width}px`);
  document.getElementById("flying").append(copy);
  const x = target.left + target.width / 2 - box.left - box.width / 2, y = target.top + target.height / 2 - box.top - box.height / 2;
  const flight = copy.animate([{ transform: "none", opacity: 1 }, { transform: `translate(${x}px, ${y}px) scale(.3)`, opacity: .3 }],
    { duration: time, easing: "ease-in" });
  flight.onfinish = flight.oncancel = () => copy.remove();
}

function animate(step, places, time) {
  if (still.matches || document.hidden || time < 60) return;
  document.getElementById("flying").replaceChildren();
  for (const card of document.querySelectorAll("#board [data-key], #waiting [data-key]")) {
    const before = places.get(card.dataset.key) || places.get(`from ${card.dataset.card}`);
    if (before) slide(card, before.box, time);
  }
  if (step.is === "Revealed") {
    for (const [seat] of step.cards) {
      for (const card of document.querySelectorAll(`.seat[data-seat="${seat}"] .played .card`)) {
        card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: time, easing: "ease-out" });
      }
    }
  }
  if (step.is === "Took") {
    const seat = document.querySelector(`.seat[data-seat="${step.seat}"]`);
    for (const card of step.cards || []) {
      const before = places.get(`${card}.0`);
      if (seat && before) fly(before.card, before.box, seat.getBoundingClientRect(), time);
    }
  }
}
