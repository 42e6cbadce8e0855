# Tests of the strategy and of the session.
library(jsonlite)
source("clock.R")
source("strategy.R")
source("session.R")

view <- parse_json('{"rows": [[15], [11, 13], [8], [50, 51, 52, 53, 54]], "row_heads": [2, 6, 1, 11]}')
stopifnot(
  "a card that fits closely is better than a sixth one" = choose("card", view, list(1L, 16L, 60L)) == 16,
  "the row with the fewest heads is taken" = choose("row", view, list(1L, 2L, 3L, 4L)) == 3,
  "the highest card is drafted" = choose("draft", list(), list(1L, 7L, 10L)) == 10,
  "an unknown kind gets the first option" = identical(choose("dance", list(), list(list(), 5L)), list())
)

# A session with all that may be added later: options go back as they came.
options <- c("5", '"stop"', "[]", "[3]", "[3,104]")
questions <- sprintf(
  '{"type":"news"}\r\n\n{"type":"decide","id":2147483647,"kind":"new","view":{"rows":7},"options":[%s,1],"new":null}\n', options
)
welcome <- '{"type":"welcome","options":{},"seed":140737488355328}\n'
sent <- textConnection("answers", "w")
play(textConnection(paste0(welcome, paste(questions, collapse = ""), '{"type":"bye"}\n{')), sent)
close(sent)
stopifnot(
  "options go back as they came" = identical(
    answers[-1], sprintf('{"type":"choice","id":2147483647,"option":%s}', options)
  )
)
