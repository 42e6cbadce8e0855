-- The session with the referee: reads questions from stdin and writes answers to stdout, each with its length in four bytes before it.

local msgpack = require("msgpack")
local strategy = require("strategy")

local function send(message)
  io.stdout:write(string.pack(">s4", msgpack.encode(message)))
  io.stdout:flush()
end

function print(...) -- stdout belongs to the protocol: print is for your own log
  io.stderr:write(table.concat({ ... }, "\t"), "\n")
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
    local place = strategy.choose(message.kind, message.view, message.options)
    send({ type = "choice", id = message.id, index = place - 1 })
  elseif message.type == "bye" then
    break
  end
end
