# Plays until the referee says bye or closes the input.
play <- function(input, output) {
  send(list(type = "hello", protocol = 1L, name = "R kit"), output)
  while (length(line <- readLines(input, n = 1)) > 0) {
    if (!nzchar(trimws(line))) next
    received <- parse_json(line) # lists stay lists, also empty ones and those of numbers
    if (received$type == "bye") break
    if (received$type == "welcome") match_begins(received)
    if (received$type == "decide") {
      question_comes(received)
      option <- choose(received$kind, received$view, received$options)
      send(list(type = "choice", id = received$id, option = option), output)
    }
  }
}

send <- function(message, output) {
  writeLines(toJSON(message, auto_unbox = TRUE), output)
  flush(output)
}
