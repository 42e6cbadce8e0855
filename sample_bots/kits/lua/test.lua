-- Tests of the strategy, and of the codec by the golden vectors. Run them with: lua5.4 test.lua

local msgpack = require("msgpack")
local choose = require("strategy").choose

local function check(what, got, expected)
  assert(got == expected, ("%s: expected %s, got %s"):format(what, expected, got))
end

-- A value as text, with sorted keys, so that two can be compared.
local function text(value)
  if type(value) ~= "table" then
    return type(value) .. " " .. tostring(value)
  end
  local parts = {}
  for key, each in pairs(value) do
    parts[#parts + 1] = text(key) .. ": " .. text(each)
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- The message of a vector as a Lua value: Lua reads JSON once its brackets and keys are written as in Lua.
local function from_json(json)
  local lua = json:gsub("%[", "{"):gsub("%]", "}"):gsub('("[^"]*"): ', "[%1] = "):gsub("null", "nil")
  return assert(load("return " .. lua))()
end

local view = { rows = { { 15 }, { 11, 13 }, { 8 }, { 50, 51, 52, 53, 54 } }, row_heads = { 2, 6, 1, 11 } }
check("a card that fits closely is better than a sixth one", choose("card", view, { 1, 16, 60 }), 2)
check("the row with the fewest heads is taken", choose("row", view, { 1, 2, 3, 4 }), 3)
check("the highest card is drafted", choose("draft", {}, { 1, 7, 10 }), 3)
check("an unknown kind gets the first option", choose("dance", {}, { {}, { 5 } }), 1)

local count = 0
local names = { "bye", "bye-text", "decide-card", "decide-fault", "decide-row", "decide-words", "match-over", "match-over-void", "welcome" }
for _, name in ipairs(names) do
  local file = assert(io.open("vectors/from-referee/" .. name .. ".json")):read("a")
  local hex = file:match('"msgpack": "(%x+)"')
  local bytes = hex:gsub("%x%x", function(digits) return string.char(tonumber(digits, 16)) end)
  local value, after = msgpack.decode(bytes)
  check(name .. ": bytes read", after - 1, #bytes)
  check(name, text(value), text(from_json(file:match('"message": (.-),\n'))))
  count = count + 1
end
local message = { type = "choice", id = 2147483647, index = 10 }
check("what is encoded", text((msgpack.decode(msgpack.encode(message)))), text(message))
print("tests passed, with " .. count .. " golden vectors")
