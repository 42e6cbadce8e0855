# The strategy: change this file, and log with message() whatever you like.

# Returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet.
choose <- function(kind, view, options) {
  costs <- switch(kind,
    card = vapply(options, risk, numeric(1), view),
    row = unlist(view$row_heads)[unlist(options)],
    draft = -unlist(options), # the highest card, because low cards take rows
    0
  )
  options[[which.min(costs)]]
}

# The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
risk <- function(card, view) {
  heads <- unlist(view$row_heads)
  ends <- vapply(view$rows, function(row) tail(unlist(row), 1), numeric(1))
  if (!any(ends < card)) {
    return(100 * min(heads))
  }
  home <- which.max(ifelse(ends < card, ends, 0))
  size <- length(view$rows[[home]])
  if (size < 5) (card - ends[home]) * size else 100 * heads[home]
}
