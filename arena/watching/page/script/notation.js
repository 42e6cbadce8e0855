// A match from its notation (`notation.py`, which tells the signs), with no rule of any game: cards are laid and taken as it says.

// The value that a change makes of an old one (`notation.change`).
function changedBy(old, change) {
  if (change === 0) return old;
  if (Array.isArray(change)) {
    const [at, count, ...values] = change;
    return change.length === 1 ? at : [...old.slice(0, at), ...values, ...old.slice(at + count)];
  }
  const made = Array.isArray(old) ? [...old] : { ...old };
  for (const [key, inner] of Object.entries(change)) made[key] = changedBy(old[key], inner);
  return made;
}

function toldAs(shelf, number) {
  const match = shelf.matches[number];
  const { names } = match;
  const languages = Object.keys(viewer.words);
  const each = (value) => names.map(() => value);
  const sign = (seat) => String.fromCharCode("①".charCodeAt(0) + seat);
  const frames = [];
  const now = {
    deal: 0, turn: 0, board: [], deals: [], over: false, void: null, hands: each([]), score: each(0), figures: {},
    cards: each([]), took: each(0), faults: each(0), closed: each(false), rank: each(null),
  };
  let lay = new Set(), next = null, falling = null, written = []; // the last board that was written out

  const rowsOf = () => now.board.find((part) => part.is === "Rows");
  const pilesOf = () => now.board.find((part) => part.is === "Rows" || part.is === "Stacks");
  const waitingOf = () => now.board.find((part) => part.is === "Waiting")?.cards ?? [];
  const lying = () => new Set(now.board.flatMap((part) => (part.is === "Rows" ? part.rows.flat() : part.is === "Stacks" ? part.stacks.flat() : part.is === "Waiting" ? part.cards.map(([, card]) => card) : [])));

  const play = (part, played) => ({ ...part, hands: part.hands.map((hand, at) => hand.filter((card) => !played.some((pair) => pair[0] === at && pair[1] === card))) });

  // The board with these piles and what waits, after these cards were played.
  function relaid(piles, waiting, played = []) {
    const old = pilesOf();
    const heads = () => piles.map((row) => row.reduce((sum, card) => sum + (shelf.bears[card] ?? 1), 0));
    const laid = old.is === "Rows" ? { ...old, rows: piles, heads: heads() } : { ...old, stacks: piles };
    const rest = now.board.filter((part) => part !== old && part.is !== "Waiting").map((part) => (part.is === "OpenHands" ? play(part, played) : part));
    return [laid, ...(waiting.length ? [{ is: "Waiting", cards: waiting }] : []), ...rest];
  }

  const without = (seat, card) => waitingOf().filter((pair) => pair[0] !== seat || pair[1] !== card);

  function say(key, values) {
    return (code) => {
      const { match: texts, last, heads } = viewer.texts[code];
      const listed = (items) => (items.length < 2 ? items.join("") : fill(last, { first: items.slice(0, -1).join(", "), last: items.at(-1) }));
      const fill = (text, given) => text.replace(/\[[^[\]|]*\|([^[\]|]*)\]/g, "$1").replace(/\{(\w+)\}/g, (_, slot) => {
        const value = given[slot];
        if (slot === "heads") return fill(heads[value === 1 ? "one" : "many"], { count: value });
        if (slot === "results") return value.map((one) => fill(texts.result, one)).join(", ");
        if (slot === "shown") return value.map(([seat, cards]) => `${sign(seat)} ${listed(cards)}`).join(", ");
        return Array.isArray(value) ? listed(value) : value;
      });
      return fill(key === "revealed" ? texts.revealed.replace("{cards}", "{shown}") : texts[key], values);
    };
  }

  function frame(step, text, tone = null, seat = null) {
    if (next) { now.board = next; next = null; }
    const fresh = step.is === "Ended" ? [] : [...lying()].filter((card) => !lay.has(card)).sort((one, other) => one - other);
    frames.push({
      step,
      said: Object.fromEntries(languages.map((code) => [code, text(code)])),
      history: tone ? [tone, seat] : null,
      picture: {
        game: shelf.game, deal: now.deal, planned: shelf.planned, goal: "", target: shelf.target, turn: now.turn, board: now.board, fresh,
        falling: step.is === "Falls" ? step.place : null, mover: step.seat ?? null, moving: step.card ?? null, taken: step.is === "Took" || step.is === "Kept" ? step.cards : [],
        deals: now.deals, over: now.over, void: now.void,
        seats: {
          person: names.map((_, at) => match.people.includes(at)), score: now.score, heads: each(null), figures: names.map((_, at) => Object.fromEntries(Object.entries(now.figures).map(([title, column]) => [title, column[at]]))),
          cards: now.cards, left: now.hands.map((hand) => hand.length), asked: each(false), down: each(false), took: now.took, us: each(null),
          faults: now.faults, closed: now.closed, rank: now.rank, hand: now.deal ? now.hands : each(null),
        },
      },
    });
  }

  const joined = (cards) => cards.map((card, at) => `${at === 0 ? "" : card === cards[at - 1] ? "=" : " "}${card}`).join("");
  const changed = (column, seat, value) => column.map((old, at) => (at === seat ? value : old));
  const take = (seat, heads, counts) => {
    now.took = changed(now.took, seat, now.took[seat] + heads);
    if (counts) now.score = changed(now.score, seat, now.score[seat] + heads);
  };
  function reveal(seat, card, again = false) {
    const held = now.hands[seat].indexOf(card);
    if (held >= 0) now.hands = changed(now.hands, seat, now.hands[seat].filter((_, at) => at !== held));
    if (again || !now.cards[seat].includes(card)) now.cards = changed(now.cards, seat, [...now.cards[seat], card]);
  }

  const STEPS = {
    t(deal, turn) {
      Object.assign(now, { deal, turn, cards: each([]), took: each(0) });
      lay = lying();
    },
    h(hands) { Object.assign(now, { hands, deal: now.deal + 1, turn: 0 }); },
    b(board) { next = written = changedBy(written, board); },
    "="({ board, turn, hands, scores, figures }) {
      if (turn !== undefined) now.turn = turn;
      if (board) now.board = written = changedBy(written, board);
      if (hands) now.hands = changedBy(now.hands, hands);
      if (scores) now.score = changedBy(now.score, scores);
      if (figures === 1) now.figures = { ...now.figures, hand: now.hands.map((hand) => hand.length) }; // cards are counted
      else if (figures) now.figures = changedBy(now.figures, figures);
    },
    o() {
      if (next) now.board = next;
      lay = lying();
      frame({ is: "Opened" }, say("opened_rows", { deal: now.deal, cards: rowsOf().rows.map((row) => row[0]) }), "deal");
    },
    r(...numbers) {
      const pairs = [];
      for (let at = 0; at < numbers.length; at += 2) pairs.push([numbers[at], numbers[at + 1]]);
      for (const [seat, card] of pairs) reveal(seat, card, true);
      const piles = pilesOf();
      if (!next && piles) {
        const known = waitingOf();
        next = relaid(piles.rows ?? piles.stacks, [...known, ...pairs.filter(([seat, card]) => !known.some((pair) => pair[0] === seat && pair[1] === card))], pairs);
      }
      const bySeat = names.map((_, seat) => [seat, pairs.filter((pair) => pair[0] === seat).map((pair) => pair[1])]).filter(([, cards]) => cards.length);
      const one = pairs.length === 1 ? { seat: pairs[0][0], card: pairs[0][1] } : {};
      frame({ is: "Revealed", cards: pairs, ...one }, pairs.length === 1 ? say("played", { name: sign(one.seat), card: one.card }) : say("revealed", { shown: bySeat }));
    },
    l(place, left = 0, ...given) {
      const [seat, card] = given.length ? given : waitingOf()[0];
      const piles = pilesOf();
      reveal(seat, card);
      next ??= relaid((piles.rows ?? piles.stacks).map((row, at) => (at + 1 !== place ? row : left ? [card, ...row] : [...row, card])), without(seat, card), [[seat, card]]);
      frame({ is: "Laid", seat, card, place, left: Boolean(left) }, say(piles.stacks ? "on_stack" : left ? "to_left" : "to_row", { name: sign(seat), card, place }));
    },
    f(place, ...given) {
      const [seat, card] = given.length ? given : waitingOf()[0];
      falling = { seat, card, place };
      frame({ is: "Falls", ...falling }, say("row_falls", { name: sign(seat), place }));
    },
    k(heads, counts, counted) {
      const { seat, card, place } = falling;
      const cards = rowsOf().rows[place - 1];
      next ??= relaid(rowsOf().rows.map((row, at) => (at + 1 === place ? [card] : row)), without(seat, card));
      if (counted) take(seat, heads, true);
      frame({ is: "Took", seat, card, place, cards, heads, counts: Boolean(counts) }, say(counts ? "took" : "took_to_sort", { name: sign(seat), card, place, cards: joined(cards), heads }), "take", seat);
    },
    e(heads, scores, hands) {
      Object.assign(now, { score: scores, deals: [...now.deals, heads] });
      const results = heads.map((taken, seat) => ({ name: sign(seat), heads: taken, score: scores[seat] }));
      frame({ is: "DealOver", deal: now.deal, heads, scores, hands }, say("deal_over", { deal: now.deal, results }), "deal");
    },
    s(step, sentence) {
      const { seat } = step;
      if (step.counted && step.counts !== false) take(seat, step.heads, step.is === "Took");
      if (step.is === "Drafted") {
        const before = now.cards[seat];
        now.cards = changed(now.cards, seat, [step.card]);
        next ??= now.board.map((part) => (part.is === "Pool" ? { ...part, cards: part.cards.filter((card) => card !== step.card) }
          : part.is === "OpenHands" ? { ...part, hands: changed(part.hands, seat, [...part.hands[seat], ...before].sort((one, other) => one - other)) } : part));
      }
      if (step.is === "Faulted") {
        now.faults = changed(now.faults, seat, now.faults[seat] + 1);
        now.closed = changed(now.closed, seat, now.closed[seat] || step.closed);
      }
      if (step.is === "Opened") {
        if (next) now.board = next;
        lay = lying();
      }
      const told = step.is === "Faulted" ? "fault" : step.is === "Opened" ? "deal" : (step.is === "Took" && step.cards.length) || (step.is === "Kept" && step.heads) ? "take" : null;
      frame(step, (code) => shelf.sentences[sentence][languages.indexOf(code)], told, told === "deal" ? null : seat ?? null);
    },
  };

  frame({ is: "Began" }, say("began", { names: names.map((_, seat) => sign(seat)) }));
  for (const [name, ...values] of match.steps) STEPS[name](...values);
  const best = match.ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  Object.assign(now, { over: true, void: match.void, rank: match.ranks.length ? match.ranks.map((rank) => rank || null) : each(null) });
  frame({ is: "Ended", ranks: match.ranks, void: match.void }, match.void !== null ? say("void", { what: match.void })
    : best.length ? say(best.length === 1 ? "won" : "shared", { names: best.map(sign), heads: now.score[best[0]] }) : () => "", "end");

  return {
    game: shelf.game, title: shelf.title, names, began: match.began, hands: true, note: match.void !== null ? "void" : null, confined: null, words: viewer.words,
    bears: shelf.bears, frames, analysis: null, scores: match.scores,
  };
}
