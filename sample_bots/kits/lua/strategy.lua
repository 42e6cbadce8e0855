-- The strategy: change this file, and print whatever you like.

-- The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
local function risk(card, view)
  local best, last = nil, 0
  for at, row in ipairs(view.rows) do
    if row[#row] < card and row[#row] > last then
      best, last = at, row[#row]
    end
  end
  if not best then
    return 100 * math.min(table.unpack(view.row_heads))
  elseif #view.rows[best] >= 5 then
    return 100 * view.row_heads[best]
  end
  return (card - last) * #view.rows[best]
end

-- Returns the place of an option in the list. The first, 1, is always legal, also in games and kinds of decisions that are not
-- known yet. The place and not the option itself, because Lua cannot tell an empty list from an empty map.
local function choose(kind, view, options)
  local best, least = 1, math.huge
  for at, option in ipairs(options) do
    local cost = 0
    if kind == "card" then
      cost = risk(option, view)
    elseif kind == "row" then
      cost = view.row_heads[option]
    elseif kind == "draft" then
      cost = -option -- the highest card, because low cards take rows
    end
    if cost < least then
      best, least = at, cost
    end
  end
  return best
end

return { choose = choose }
