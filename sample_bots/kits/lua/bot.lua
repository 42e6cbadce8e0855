-- The session with the referee: reads questions from stdin and writes answers to stdout, each with its length in four bytes before it.

local clock = require("clock")
local msgpack = require("msgpack")
local strategy = require("strategy")

local function send(message)
  io.stdout:write(string.pack(">s4", msgpack.encode(message)))
  io.stdout:flush()
end

io.output(io.stderr) -- stdout belongs to the protocol: io.write and print are for your own log

function print(...)
  local words = table.pack(...)
  for at = 1, words.n do
    words[at] = tostring(words[at])
  end
  io.write(table.concat(words, "\t"), "\n")
end

send({ type = "hello", protocol = 1, name = "Lua" })
while true do
  local head = io.stdin:read(4)
  if not head then
    break
  end
  local message = msgpack.decode(io.stdin:read((string.unpack(">I4", head))))
  if message.type == "welcome" then
    print(("%s: seat %d of %d"):format(message.game, message.seat, message.seats))
  elseif message.type == "decide" then
    clock.question_comes(message)
    local place = strategy.choose(message.kind, message.view, message.options)
    send({ type = "choice", id = message.id, index = place - 1 })
  elseif message.type == "bye" then
    break
  end
end
