## The session with the referee: reads questions from stdin and writes answers to stdout, one JSON object a line.
import std/[json, streams, strutils]
import clock, strategy

proc send(output: Stream, message: JsonNode) =
  output.writeLine($message)
  output.flush() # or it waits in a buffer

proc play*(input, output: Stream) =
  output.send(%*{"type": "hello", "protocol": 1, "name": "Nim kit"})
  var line: string
  while input.readLine(line):
    if line.isEmptyOrWhitespace:
      continue
    let message = parseJson(line)
    case message["type"].getStr
    of "welcome": matchBegins(message)
    of "decide":
      questionComes(message)
      let option = choose(message["kind"].getStr, message["view"], message["options"].getElems)
      output.send(%*{"type": "choice", "id": message["id"], "option": option})
    of "bye": return
    else: discard

when isMainModule:
  play(newFileStream(stdin), newFileStream(stdout))
