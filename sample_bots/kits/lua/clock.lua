-- The time left for the present decision.
-- A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
-- and Lua has no other clock: where the welcome says "clock": "wall", others' time is not noticed.

local clock = {}
local limit_end = 0

-- Starts the clock of a question.
function clock.question_comes(decide)
  limit_end = os.clock() + decide.time.limit_us / 1e6
end

-- Seconds that are left for the present decision, without the bank. Answer well before none is left.
function clock.time_left()
  return limit_end - os.clock()
end

return clock
