// The session with the referee: reads questions from stdin and writes answers to stdout.

import { decodeMultiStream, encode } from "@msgpack/msgpack";
import { matchBegins, questionComes } from "./clock.js";
import { choose } from "./strategy.js";

console.log = console.error; // stdout belongs to the protocol: console.log is for your own log

function send(message) {
  process.stdout.write(encode(message));
}

send({ type: "hello", protocol: 1, name: "JavaScript" });
for await (const message of decodeMultiStream(process.stdin)) {
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
