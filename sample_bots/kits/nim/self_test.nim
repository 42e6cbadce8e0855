## Tests of the strategy and of the session.
import std/[json, streams, strformat, strutils, unittest]
import session, strategy

suite "the strategy":
  let view = %*{"rows": [[15], [11, 13], [8], [50, 51, 52, 53, 54]], "row_heads": [2, 6, 1, 11]}

  test "a card that fits closely is better than a sixth one":
    check choose("card", view, @[%1, %16, %60]) == %16

  test "the row with the fewest heads is taken":
    check choose("row", view, @[%1, %2, %3, %4]) == %3

  test "the highest card is drafted":
    check choose("draft", %*{}, @[%1, %7, %10]) == %10

  test "an unknown kind gets the first option":
    check choose("dance", %*{}, @[%*[], %*[5]]) == %*[]

suite "the session":
  test "options go back as they came, whatever is added later":
    let options = [%5, %"stop", %*[], %*[3, 104]]
    var lines = @[$(%*{"type": "welcome", "options": {}, "seed": 1 shl 47})]
    for option in options:
      lines.add &"""{{"type":"news","options":3}}{'\r'}"""
      lines.add ""
      lines.add $(%*{"type": "decide", "id": int32.high, "kind": "new", "view": {"rows": 7}, "options": [option, 1], "new": nil})
    lines.add """{"type":"bye"}"""
    lines.add "{"
    let output = newStringStream()
    play(newStringStream(lines.join("\n")), output)
    let answers = output.data.strip.splitLines
    check answers.len == 1 + options.len
    for i, option in options:
      check parseJson(answers[i + 1]) == %*{"type": "choice", "id": int32.high, "option": option}
