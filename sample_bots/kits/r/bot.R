# The session with the referee: reads questions from stdin and writes answers to stdout, one JSON object a line.
# stdout belongs to the protocol: message() writes to stderr, print() and cat() would speak to the referee.
library(jsonlite)
source("clock.R")
source("strategy.R")
source("session.R")

input <- file("stdin", open = "r") # stdin() would be this program
play(input, stdout())
