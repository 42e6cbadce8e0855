// Checks records by docs/record.md and SPEC.md alone, independently of the arena: node check.mjs [--key=PUBLIC] FILE...
// It prints a line for each: "right", or what is wrong.
// Seal, signature, commitment and deals of all games; questions, placements, fallbacks, faults, scores and ranks of those below.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const PLAYED = ["standard", "tactics"];
const FATAL = ["start", "crash", "output", "memory"];
const KINDS = [...FATAL, "timeout", "illegal", "protocol"];

class Wrong extends Error {}

function must(holds, text) {
  if (!holds) throw new Wrong(text);
}

const sha256 = (data) => createHash("sha256").update(data).digest();
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// The file: its lines, and its seal.

function read(path, key) {
  const data = readFileSync(path);
  must(data.length > 0 && data[data.length - 1] === 10, "the file does not end with a line");
  must(data.every((byte) => byte < 128), "the file is not ASCII");
  const text = data.toString("latin1");
  const at = text.lastIndexOf(',"seal":"');
  must(at > text.lastIndexOf("\n", text.length - 2), "the last line has no seal");
  const tail = /^,"seal":"([0-9a-f]{64})"(?:,"signature":"([0-9a-f]{128})")?\}\}\n$/.exec(text.slice(at));
  must(tail, "the last line does not end as it must");
  const [, seal, signature] = tail;
  must(sha256(data.subarray(0, at)).toString("hex") === seal, "the seal does not fit");
  const entries = text.slice(0, -1).split("\n").map((line) => JSON.parse(line));
  const { end } = entries[entries.length - 1];
  must((end.key === undefined) === (signature === undefined), "key and signature come together");
  must(key === undefined || key === end.key, "not signed with this key");
  if (signature !== undefined) {
    const der = Buffer.from(`302a300506032b6570032100${end.key}`, "hex");
    const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
    const signed = verify(null, Buffer.from(`bullring 1 record ${seal}`), publicKey, Buffer.from(signature, "hex"));
    must(signed, "the signature does not fit");
  }
  return entries;
}

// Deals

function shuffled(deck, count, seed, deal) {
  const cards = [...deck];
  for (let i = 0, block = 0; i < count; block++) {
    const stream = sha256(`bullring 1 deal ${deal} ${block} ${seed}`);
    for (let k = 0; k < 32 && i < count; k += 2) {
      const x = stream.readUInt16BE(k);
      const m = cards.length - i;
      if (x >= 65536 - (65536 % m)) continue;
      const j = i + (x % m);
      [cards[i], cards[j]] = [cards[j], cards[i]];
      i++;
    }
  }
  return cards.slice(0, count);
}

const range = (low, high) => Array.from({ length: high - low + 1 }, (_, at) => low + at);

function dealOf({ game, seats, options }) {
  const n = seats.length;
  const short = range(1, 10 * n + 4);
  switch (game) {
    case "tactics": return [short, 10 * n + 4];
    case "logic": case "tournament": return [short, 0];
    case "open": return [range(2, 104), 10 * n + 4];
    case "nifty": case "hand": return [range(1, 104), 14 * n + 4];
    case "double": return [[...range(1, 104), ...(options.doublets ? range(1, 9).map((x) => 11 * x) : range(1, 104))], 10 * n + 7];
    case "eleven": return [range(1, 100), 100];
    case "online": return [options.tactics ? range(1, 44) : range(1, 104), 44];
    default: return [range(1, 104), 10 * n + 4];
  }
}

function checkDeals(head, entries, end) {
  const commitment = sha256(`bullring 1 commit ${end.nonce} ${end.seed}`).toString("hex");
  must(commitment === head.commitment, "the commitment does not fit");
  const [deck, count] = dealOf(head);
  entries.filter((entry) => "deal" in entry).forEach((entry, at) => {
    must(same(entry.deal, shuffled(deck, count, end.seed, at + 1)), `deal ${at + 1} does not fit the seed`);
  });
}

// Standard and tactics

function heads(card) {
  if (card === 55) return 7;
  if (card % 11 === 0) return 5;
  if (card % 10 === 0) return 3;
  return card % 5 === 0 ? 2 : 1;
}

const sum = (row) => row.reduce((total, card) => total + heads(card), 0);
const first = (options, cost) => options.reduce((best, option) => (cost(option) < cost(best) ? option : best));

class Table {
  constructor({ seats, options }) {
    this.seats = range(0, seats.length - 1);
    this.options = options;
    this.scores = seats.map(() => 0);
    this.deals = this.turn = 0;
    this.asked = null; // {kind, seats}; null: cards or nothing are awaited
  }

  deal(cards) {
    must(this.asked === null && !this.over(), "a deal at the wrong time");
    this.hands = this.seats.map((seat) => cards.slice(10 * seat, 10 * seat + 10));
    this.rows = cards.slice(10 * this.seats.length).map((card) => [card]);
    this.deals++;
    this.turn = 1;
    this.asked = { kind: "card", seats: this.seats };
  }

  over() {
    if (this.deals === 0) return false;
    if (this.options.deals !== null) return this.deals >= this.options.deals;
    return Math.max(...this.scores) >= this.options.target + (this.options.target_rule === "over" ? 1 : 0);
  }

  row(card) {
    const below = range(0, 3).filter((at) => this.rows[at].at(-1) < card);
    return below.length ? first(below, (at) => -this.rows[at].at(-1)) : -1;
  }

  fallback(seat) {
    if (this.asked.kind === "row") return first([1, 2, 3, 4], (row) => sum(this.rows[row - 1]));
    return first([...this.hands[seat]].sort((a, b) => a - b), (card) => {
      const at = this.row(card);
      if (at < 0) return Math.min(...this.rows.map(sum));
      return this.rows[at].length === 5 ? sum(this.rows[at]) : 0;
    });
  }

  answer(answers) {
    if (this.asked.kind === "card") {
      answers.forEach((card, seat) => {
        must(this.hands[seat].includes(card), `seat ${seat} does not hold ${card}`);
        this.hands[seat] = this.hands[seat].filter((other) => other !== card);
      });
      this.queue = answers.map((card, seat) => [card, seat]).sort(([a], [b]) => a - b);
    } else {
      must([1, 2, 3, 4].includes(answers[0]), "not a row");
      this.take(...this.queue.shift(), answers[0] - 1);
    }
    while (this.queue.length) {
      const [card, seat] = this.queue[0];
      const at = this.row(card);
      if (at < 0) {
        this.asked = { kind: "row", seats: [seat] };
        return;
      }
      this.queue.shift();
      if (this.rows[at].length === 5) this.take(card, seat, at);
      else this.rows[at].push(card);
    }
    this.asked = this.hands[0].length ? { kind: "card", seats: this.seats } : null;
    this.turn += 1;
  }

  take(card, seat, at) {
    this.scores[seat] += sum(this.rows[at]);
    this.rows[at] = [card];
  }
}

class Bench {
  constructor({ seats, strikes, people = [] }) {
    this.people = people;
    this.resumed = false; // whether bots have just joined again
    this.strikes = strikes;
    this.faults = seats.map(() => 0);
    this.closed = seats.map(() => false);
    this.late = new Set(); // seats that were at fault when they owed an answer
    this.out = this.closed; // seats that were closed before the question
  }

  fault({ seat, kind, decision, strike, closed }, table) {
    must(KINDS.includes(kind) && seat in this.closed && !this.closed[seat], "a fault that cannot be");
    must(!this.people.includes(seat), "a person is never at fault");
    must(strike === ++this.faults[seat], "the strike is miscounted");
    const closes = FATAL.includes(kind) || strike >= this.strikes;
    must(closed === closes || (kind === "protocol" && closed), "closed does not follow");
    if (kind === "start") {
      must((table.deals === 0 || this.resumed) && decision === "start", "a start at the wrong time");
      this.out[seat] = true; // nobody asks it any more
    } else if (table.deals === 0) must(false, "a fault before the first deal");
    else {
      must(table.asked, "a fault at the wrong time");
      const place = `deal ${table.deals}, turn ${table.turn}, `;
      const owes = table.asked.seats.includes(seat) && !this.late.has(seat);
      must(decision === `${place}between its decisions` || (owes && decision === place + table.asked.kind), "a wrong decision");
      if (!decision.endsWith("between its decisions")) this.late.add(seat);
    }
    this.closed[seat] = closed;
  }

  answers({ answers, us, by }, table) {
    must(table.asked && answers.length === table.asked.seats.length && us.length === answers.length, "too few or too many answers");
    const origins = table.asked.seats.map((seat, at) => {
      if (this.people.includes(seat)) return by?.[at] === "fallback" ? "fallback" : "human"; // people may leave it to the referee
      return this.out[seat] || this.late.has(seat) ? "fallback" : "bot";
    });
    must(origins.some((origin) => origin !== "bot") ? same(by, origins) : by === undefined, "by does not follow from the faults");
    table.asked.seats.forEach((seat, at) => {
      if (origins[at] === "fallback") must(answers[at] === table.fallback(seat), `seat ${seat}: not the fallback move`);
    });
    this.late.clear();
  }

  resume({ programs }) {
    must(programs.every((program, seat) => program === null || !this.closed[seat]), "a closed seat has joined again");
    this.late.clear();
  }

  // Seats that are closed now are not asked the next question.
  asked(resumed) {
    this.out = [...this.closed];
    this.resumed = resumed;
  }
}

function checkPlay(head, entries, end) {
  const table = new Table(head);
  const bench = new Bench(head);
  for (const entry of entries) {
    if ("deal" in entry) table.deal(entry.deal);
    else if ("fault" in entry) bench.fault(entry.fault, table);
    else if ("answers" in entry) {
      bench.answers(entry, table);
      table.answer(entry.answers);
    }
    else if ("resumed" in entry) bench.resume(entry.resumed);
    if (!("fault" in entry)) bench.asked("resumed" in entry);
  }
  must(same(end.scores, table.scores), "the scores do not follow");
  const over = table.asked === null && table.over();
  must((end.void === null) === over, "void does not follow");
  const key = (seat) => (bench.closed[seat] ? Infinity : table.scores[seat]);
  const ranks = table.seats.map((seat) => 1 + table.seats.filter((other) => key(other) < key(seat)).length);
  must(same(end.ranks, over ? ranks : []), "the ranks do not follow");
}

function check(path, key) {
  const [head, ...rest] = read(path, key);
  const { end } = rest.pop();
  must(head.bullring === 2, "not a record of version 2");
  checkDeals(head, rest, end);
  if (PLAYED.includes(head.game)) checkPlay(head, rest, end);
  return "right";
}

const key = process.argv.find((word) => word.startsWith("--key="))?.slice(6);
for (const path of process.argv.slice(2).filter((word) => !word.startsWith("--key="))) {
  let verdict;
  try {
    verdict = check(path, key);
  } catch (error) {
    if (!(error instanceof Wrong || error instanceof SyntaxError || error instanceof TypeError)) throw error;
    verdict = error.message; // a TypeError: something is missing
  }
  console.log(verdict.replaceAll("\n", " "));
}
