// One decision of a person: the items to choose from, and those chosen so far. It knows no game: it goes by options and by what their
// numbers name. An item is a kind and a value: "card:41", "row:3", "word:stop", "option:0" of a plain list, or the end of a choice.

const DONE = "done:";
const RANKS = ["seat", "row", "stack", "card", "word", "option", "done"]; // from the top of the screen to its bottom

function kindOf(item) {
  return item.slice(0, item.indexOf(":"));
}

function valueOf(item) {
  const value = item.slice(item.indexOf(":") + 1);
  return kindOf(item) === "word" ? value : Number(value);
}

function inOrder(items) {
  return [...items].sort((one, other) => RANKS.indexOf(kindOf(one)) - RANKS.indexOf(kindOf(other)) || (valueOf(one) < valueOf(other) ? -1 : 1));
}

class Choice {
  chosen = [];
  #known = null; // what was chosen at the last look, and what it has found

  // `decision` has what a number `names`, and `each` of several; `sight` how many rows, stacks, ... can be pointed at.
  constructor(options, decision, sight) {
    this.options = options;
    this.decision = decision;
    this.sight = sight;
    this.ordered = decision.each.length > 1; // whether items follow each other, such as a card and then a stack
    const made = options.map((option) => this.#itemsOf(option));
    const keys = made.map((items) => items && (this.ordered ? items : inOrder(items)).join(" "));
    this.listed = keys.includes(null) || new Set(keys).size < keys.length; // they cannot be pointed at
    this.made = this.listed ? options.map((_, at) => [`option:${at}`]) : made;
    this.items = inOrder(new Set(this.made.flat()));
  }

  #itemsOf(option) {
    const { names, each } = this.decision;
    let items = null;
    if (typeof option === "string") items = [`word:${option}`];
    else if (typeof option === "number") items = [`${names}:${option}`];
    else if (!this.ordered || option.length === each.length) items = option.map((number, at) => `${each[this.ordered ? at : 0]}:${number}`);
    return items && new Set(items).size === items.length && items.every((item) => this.#sees(item)) ? items : null;
  }

  #sees(item) {
    const kind = kindOf(item), value = valueOf(item);
    return kind === "word" || (kind === "seat" ? value >= 0 && value < this.sight.seat : value >= 1 && value <= this.sight[kind]);
  }

  #look() {
    const key = this.chosen.join(" "), { length } = this.chosen;
    if (this.#known?.key !== key) {
      const fits = this.ordered ? (items) => this.chosen.every((item, at) => items[at] === item) : (items) => this.chosen.every((item) => items.includes(item));
      const left = [...this.made.keys()].filter((at) => fits(this.made[at]));
      const found = new Set(left.flatMap((at) => (this.ordered ? this.made[at].slice(length, length + 1) : this.made[at])));
      this.chosen.forEach((item) => found.delete(item));
      const open = inOrder(found), ready = left.some((at) => this.made[at].length === length);
      if (open.length && ready && (length || !this.made.every((items) => items.length))) open.push(DONE);
      this.#known = { key, left, open };
    }
    return this.#known;
  }

  // The items that can be chosen now.
  get open() {
    return this.#look().open;
  }

  // The index of the option that consists of the chosen items, or undefined.
  get answer() {
    return this.#look().left.find((at) => this.made[at].length === this.chosen.length);
  }

  // Whether the chosen items are an option, and none can be added.
  get complete() {
    return this.answer !== undefined && !this.open.some((item) => item !== DONE);
  }

  // Choose an item, or take it back if it is chosen. Returns whether the choice is made.
  point(item) {
    if (item === DONE) return this.answer !== undefined;
    const at = this.chosen.indexOf(item);
    if (at >= 0) {
      this.chosen = this.chosen.filter((_, other) => (this.ordered ? other < at : other !== at));
      return false;
    }
    if (!this.open.includes(item)) return false;
    this.chosen = [...this.chosen, item];
    const { left } = this.#look();
    if (left.length === 1) this.chosen = [...this.made[left[0]]]; // the rest follows
    return this.complete;
  }

  // The items of an option; none if there is no such option.
  madeOf(option) {
    const at = this.options.findIndex((own) => JSON.stringify(own) === JSON.stringify(option));
    return at < 0 ? [] : this.made[at];
  }

  // The options that a thing belongs to, together with what is chosen.
  optionsWith(item) {
    return this.#look().left.filter((at) => this.made[at].includes(item)).map((at) => this.options[at]);
  }
}
