# The time left for the present decision.
# A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
# unless the welcome says "clock": "wall".

limit <- new.env()
limit$core <- FALSE
limit$end <- 0

# Chooses the clock of a match.
match_begins <- function(welcome) limit$core <- identical(welcome$clock, "core")

# Starts the clock of a question.
question_comes <- function(decide) limit$end <- now() + decide$time$limit_us / 1e6

# Seconds that are left for the present decision, without the bank. Answer well before none is left.
time_left <- function() limit$end - now()

now <- function() {
  spent <- proc.time()
  if (limit$core) spent[["user.self"]] + spent[["sys.self"]] else spent[["elapsed"]]
}
