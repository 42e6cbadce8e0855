## The time left for the present decision.
## A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
## unless the welcome says "clock": "wall".
import std/[json, monotimes, times]

var
  core = false
  limitEnd = 0.0

proc now(): float =
  if core: cpuTime() else: getMonoTime().ticks.float / 1e9

proc matchBegins*(welcome: JsonNode) =
  ## Chooses the clock of a match.
  core = welcome{"clock"}.getStr == "core"

proc questionComes*(decide: JsonNode) =
  ## Starts the clock of a question.
  limitEnd = now() + decide{"time", "limit_us"}.getFloat / 1e6

proc timeLeft*(): float =
  ## Seconds that are left for the present decision, without the bank. Answer well before none is left.
  limitEnd - now()
