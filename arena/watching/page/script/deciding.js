// What keys, clicks and taps mean at each moment of a turn: a person decides, and nothing ever plays a card that was not meant.
//
// * While the last turn still moves, nothing is chosen: Enter and taps only end the movement. Keys that move the cursor end it too,
//   and move the cursor when the question is shown, so that a number may be typed at any time.
// * A question begins without a cursor: whoever has not pointed at anything chooses nothing with Enter.
// * Enter and taps count only if they can be meant: not within `REACTION` of the moment at which their meaning changed, unless another
//   key came between. What was pressed twice, or is held down, plays nothing.
// * A choice that is complete is held. Any other key or tap takes it back; Enter, or the same tap again, sends it.

const REACTION = 300; // milliseconds in which nobody can have meant what is new
const HOLD = 1500; // for which a choice is held, and can be taken back
const RESERVE = 1000; // before the end of the time at which a held choice is sent, so that a slow network does not make it late
const POOL_STEP = 8; // open cards that the cursor passes when it goes up or down

// When a choice is sent: after `HOLD`, when the person says so, or at once. Where a clock runs, never later than it.
const SENDS = { held: HOLD, confirmed: Infinity, "at-once": 0 };

class Deciding {
  question = null; // the one that the person sees
  choice = null;
  cursor = null; // the item that the person has pointed at
  hand = [];
  said = ""; // the answer to the last key
  typed = "";
  sure = false; // whether one more key lets the referee move
  due = null; // the moment at which the held choice is sent; null: none is held
  #coming = null; // a question that is shown when nothing moves any more
  #ahead = []; // movements of the cursor for it
  #changed = -Infinity; // the moment from which on Enter means what it means now
  #ended = -Infinity; // the moment of an Enter that has only ended what moved, unless another key came after it

  // `table` knows the pace and the words, and takes what was decided.
  constructor(table) {
    this.table = table;
  }

  take(question) {
    this.#coming = question;
  }

  get coming() {
    return this.#coming;
  }

  // Show the question that has come.
  open(time) {
    this.question = this.#coming;
    this.#coming = null;
    this.typed = "";
    this.hand = [...this.question.view.hand ?? []].sort((one, other) => one - other);
    this.choice = this.table.choiceOf(this.question);
    this.cursor = this.due = null;
    this.sure = false;
    this.#changed = time;
    const ended = this.#ended;
    this.#ahead.splice(0).forEach((move) => move());
    this.#changed = Math.max(this.#changed, ended); // where these movements lead was not seen by then
  }

  // Nobody is asked any more.
  forget() {
    this.question = this.choice = this.cursor = this.due = null;
  }

  get held() {
    return this.due !== null;
  }

  // Send what was held long enough. Returns whether something was.
  tick(time) {
    if (!this.held || time < this.due) return false;
    this.#answer(time);
    return true;
  }

  // Choose the item at the cursor, or send what is held; while something moves, only end that.
  enter(time) {
    if (!this.choice) {
      this.skip(time);
      this.#ended = time;
    } else if (!this.cursor) this.said = word("point");
    else if (time - this.#changed < REACTION) this.#changed = time;
    else if (this.held) this.#answer(time);
    else this.#point(this.cursor, time);
  }

  // Choose an item by click or tap. Where Enter would not count, it only moves the cursor there.
  click(item, time) {
    if (!this.choice) this.skip(time);
    else if (!item) { if (this.held) this.back(time); }
    else if (time - this.#changed < REACTION && !this.held) { this.cursor = item; this.#changed = time; }
    else if (this.held && (item === DONE || this.choice.chosen.includes(item))) { if (time - this.#changed >= REACTION) this.#answer(time); }
    else {
      this.#takeBack();
      this.cursor = item;
      this.#point(item, time);
    }
  }

  // Send what is held, by its own button.
  confirm(time) {
    if (this.held) this.#answer(time);
  }

  // Choose the item at the cursor, or take it back, without playing it.
  mark(time) {
    if (!this.choice) this.skip(time);
    else if (!this.cursor) this.said = word("point");
    else if (this.cursor !== DONE) {
      this.due = null;
      this.#changed = -Infinity;
      this.#point(this.cursor, time, false);
    }
  }

  // Take the choice back; if there is none, end what moves.
  back(time) {
    this.typed = this.said = "";
    this.#changed = -Infinity;
    if (this.choice?.chosen.length) {
      this.due = null;
      this.choice.chosen = [];
      this.said = word("taken back");
    } else {
      this.#ahead = [];
      this.skip(time);
    }
  }

  // Show the newest step.
  skip(time) {
    this.table.skip();
    if (!this.choice) this.#changed = time;
  }

  // Let the referee move, if the key is pressed twice.
  fallBack() {
    const { question } = this;
    if (!question) return;
    if (!this.sure) {
      this.#takeBack();
      this.#changed = -Infinity;
      this.sure = true;
      this.said = word("fall back sure");
      return;
    }
    this.forget();
    this.said = "";
    this.table.fallsBack(question);
  }

  // Any key that means nothing else takes back what is held.
  other() {
    if (this.held) this.back(0);
  }

  // The cursor goes to an item, as the focus of the keyboard does.
  aim(item) {
    if (!this.choice || item === this.cursor) return;
    this.#takeBack();
    this.cursor = item;
    this.#changed = -Infinity;
  }

  move(by, time) {
    if (this.#moves(() => this.move(by, time), time)) this.#step(by);
  }

  // Move the cursor up or down: in a list and among rows one by one, else between the table and the hand.
  jump(by, time) {
    if (!this.#moves(() => this.jump(by, time), time)) return;
    const items = this.items(), at = items.indexOf(this.cursor);
    if (at < 0) { this.#step(by); return; }
    const kind = kindOf(this.cursor);
    const pool = kind === "card" && this.choice.sight.pool.includes(valueOf(this.cursor));
    const step = pool ? by * POOL_STEP : by;
    if ((pool || ["row", "option", "stack", "seat"].includes(kind)) && items[at + step]) { this.#step(step); return; }
    const others = by > 0 ? items.slice(at + 1) : items.slice(0, at).reverse();
    this.cursor = others.find((item) => kindOf(item) !== kind) ?? this.cursor;
  }

  // Type a number: the cursor goes to what has it.
  digit(digit, time) {
    const before = this.typed;
    if (!this.#moves(() => this.digit(digit, time), time)) return;
    for (const text of [before + digit, digit]) { // a digit that continues nothing begins a new number
      const found = this.#numbered(text);
      if (found) {
        this.typed = text;
        this.cursor = found;
        return;
      }
    }
    this.#refuse(before + digit);
  }

  // The items that the cursor can be at.
  items() {
    return this.choice ? inOrder(new Set([...this.choice.open, ...this.choice.chosen])) : [];
  }

  // Prepare for a movement of the cursor. If there is none yet, it is done `again` when there is.
  #moves(again, time) {
    this.#ended = -Infinity;
    if (!this.choice) {
      this.#ahead.push(again);
      this.skip(time);
      return false;
    }
    this.#takeBack();
    this.typed = this.said = "";
    this.#changed = -Infinity;
    return true;
  }

  // Hold nothing any more: the item that has completed the choice is open again.
  #takeBack() {
    if (this.held && this.choice.complete) this.choice.chosen = this.choice.chosen.slice(0, -1);
    this.due = null;
  }

  #step(by) {
    const items = this.items(), at = items.indexOf(this.cursor);
    if (items.length) this.cursor = items[((at < 0 ? (by > 0 ? -1 : 0) : at) + by + items.length * POOL_STEP) % items.length];
  }

  #point(item, time, play = true) {
    const { choice } = this;
    this.typed = this.said = "";
    if (play && choice.complete && choice.chosen.includes(item)) { this.#hold(time); return; }
    if (choice.complete && !choice.chosen.includes(item)) choice.chosen = []; // another one instead
    if (!choice.open.includes(item) && !choice.chosen.includes(item)) this.said = this.table.refusal(item);
    else if (choice.point(item)) { if (play) this.#hold(time); }
    else if (!choice.chosen.includes(item)) this.said = word("taken back");
  }

  // The choice is made.
  #hold(time) {
    const left = this.table.left(), hold = SENDS[this.table.send()];
    this.due = time + (left === null || left <= 0 ? hold : Math.min(hold, Math.max(0, left - RESERVE)));
    this.#changed = time;
    this.tick(time);
  }

  // The choice is final.
  #answer(time) {
    const { question, choice } = this;
    if (choice?.answer === undefined) return;
    const option = choice.options[choice.answer];
    this.leaving().forEach((card) => this.hand.splice(this.hand.indexOf(card), 1));
    this.forget();
    this.#changed = time;
    this.table.sent(question, option);
  }

  // The cards that leave the hand with the choice as it is; none before it is complete.
  leaving() {
    const { choice } = this;
    if (choice?.answer === undefined || !choice.decision.lays) return [];
    return choice.chosen.filter((item) => kindOf(item) === "card").map(valueOf).filter((card) => this.hand.includes(card));
  }

  // The item with this number, or else the first whose number begins so.
  #numbered(typed) {
    const items = this.items().filter((item) => !["word", "done"].includes(kindOf(item)));
    return items.find((item) => numberOf(item) === typed) ?? items.find((item) => numberOf(item).startsWith(typed));
  }

  // Say why nothing has this number, and point at nothing. That of a card that is not allowed now is typed to its end.
  #refuse(typed) {
    this.cursor = null;
    const held = this.hand.filter((card) => String(card).startsWith(typed));
    this.typed = held.length ? typed : "";
    if (held.length) this.said = this.table.refusal(`card:${held.find((card) => String(card) === typed) ?? held[0]}`);
    else this.said = word("no such", typed);
  }
}

// The number to type for an item.
function numberOf(item) {
  return String(kindOf(item) === "option" ? valueOf(item) + 1 : valueOf(item));
}
