// The strategy: change this file, and log or println whatever you like.
package main

// choose returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet.
func choose(kind string, view View, options []Option) Option {
	switch kind {
	case "card":
		return least(options, func(card int) int { return risk(card, view) })
	case "row":
		return least(options, func(row int) int { return view.RowHeads[row-1] })
	case "draft":
		return options[len(options)-1] // the highest card, because low cards take rows
	}
	return options[0]
}

// risk is the cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
func risk(card int, view View) int {
	home, end := -1, 0
	for i, row := range view.Rows {
		if last := row[len(row)-1]; end < last && last < card {
			home, end = i, last
		}
	}
	if home < 0 {
		return 100 * fewest(view.RowHeads)
	}
	if size := len(view.Rows[home]); size < 5 {
		return (card - end) * size
	}
	return 100 * view.RowHeads[home]
}

func least(options []Option, cost func(number int) int) Option {
	best := options[0]
	for _, option := range options[1:] {
		if cost(option.Number) < cost(best.Number) {
			best = option
		}
	}
	return best
}

func fewest(numbers []int) int {
	best := numbers[0]
	for _, number := range numbers[1:] {
		if number < best {
			best = number
		}
	}
	return best
}
