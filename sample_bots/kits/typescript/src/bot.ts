// The session with the referee: reads questions from stdin and writes answers to stdout.

import { decodeMultiStream, encode } from "@msgpack/msgpack";
import { matchBegins, questionComes } from "./clock.js";
import { choose, type Option, type View } from "./strategy.js";

type Message =
  | { type: "welcome"; game: string; seat: number; seats: number; clock?: string }
  | { type: "decide"; id: number; kind: string; view: View; options: Option[]; time: { limit_us: number } }
  | { type: "match_over" }
  | { type: "bye" };

console.log = console.error; // stdout belongs to the protocol: console.log is for your own log

function send(message: Record<string, unknown>): void {
  process.stdout.write(encode(message));
}

send({ type: "hello", protocol: 1, name: "TypeScript" });
for await (const message of decodeMultiStream(process.stdin) as AsyncIterable<Message>) {
  if (message.type === "welcome") {
    matchBegins(message);
    console.log(`${message.game}: seat ${message.seat} of ${message.seats}`);
  } else if (message.type === "decide") {
    questionComes(message);
    send({ type: "choice", id: message.id, option: choose(message.kind, message.view, message.options) });
  } else if (message.type === "bye") {
    break;
  }
}
