## The strategy: change this file, and log with stderr.writeLine whatever you like.
import std/[algorithm, json, sequtils]

proc risk(card: int, view: JsonNode): int =
  ## The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
  let heads = view["row_heads"].to(seq[int])
  let rows = view["rows"].to(seq[seq[int]])
  let below = toSeq(0 .. rows.high).filterIt(rows[it][^1] < card)
  if below.len == 0:
    return 100 * heads.min
  let home = below.sortedByIt(rows[it][^1])[^1]
  if rows[home].len < 5: (card - rows[home][^1]) * rows[home].len else: 100 * heads[home]

proc choose*(kind: string, view: JsonNode, options: seq[JsonNode]): JsonNode =
  ## Returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet.
  case kind
  of "card": options.sortedByIt(risk(it.getInt, view))[0]
  of "row": options.sortedByIt(view["row_heads"][it.getInt - 1].getInt)[0]
  of "draft": options[^1] # the highest card, because low cards take rows
  else: options[0]
