-- As much msgpack as the referee speaks: maps, arrays, text, integers, booleans and nil.

local msgpack = {}

local numbers = {
  [0xcc] = ">I1", [0xcd] = ">I2", [0xce] = ">I4", [0xcf] = ">I8", [0xd0] = ">i1", [0xd1] = ">i2", [0xd2] = ">i4", [0xd3] = ">i8",
}
local texts = { [0xd9] = ">s1", [0xda] = ">s2", [0xdb] = ">s4" }
local lengths = { [0xdc] = ">I2", [0xdd] = ">I4", [0xde] = ">I2", [0xdf] = ">I4" }

-- Returns the value that begins at a place in the bytes, and the place after it.
function msgpack.decode(bytes, at)
  at = at or 1
  local first = bytes:byte(at)
  at = at + 1
  if first < 0x80 then
    return first, at
  elseif first >= 0xe0 then
    return first - 0x100, at
  elseif first >= 0xa0 and first < 0xc0 then
    local last = at + (first & 0x1f)
    return bytes:sub(at, last - 1), last
  elseif first == 0xc0 then
    return nil, at
  elseif first == 0xc2 or first == 0xc3 then
    return first == 0xc3, at
  elseif numbers[first] or texts[first] then
    return string.unpack(numbers[first] or texts[first], bytes, at)
  end
  local size = first & 0x0f
  if lengths[first] then
    size, at = string.unpack(lengths[first], bytes, at)
  elseif first >= 0xa0 then
    error(("the byte %02x begins nothing that the referee sends"):format(first))
  end
  local is_map = first < 0x90 or first >= 0xde
  local value, key = {}, nil
  for number = 1, size do
    key = number
    if is_map then
      key, at = msgpack.decode(bytes, at)
    end
    value[key], at = msgpack.decode(bytes, at)
  end
  return value, at
end

-- Text, integers and maps of them are all that this bot sends.
function msgpack.encode(value)
  if type(value) == "string" then
    return string.pack(">Bs1", 0xd9, value)
  elseif type(value) == "number" then
    return string.pack(">Bi8", 0xd3, value)
  end
  local parts, size = {}, 0
  for key, each in pairs(value) do
    size = size + 1
    parts[size] = msgpack.encode(key) .. msgpack.encode(each)
  end
  return string.char(0x80 + size) .. table.concat(parts)
end

return msgpack
