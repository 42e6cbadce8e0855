package main

// choose answers a question with one of its options. Your idea goes here.
//
// The starter plays the card that takes the fewest heads if it is placed now, and of those the one closest to its row.
// Of the rows it takes the cheapest. To anything else it answers with the first option, which is always legal.
func choose(q Question) Option {
	switch q.Kind {
	case "card":
		return cheapest(q.Options, func(card int) int { return price(card, q.View) })
	case "row":
		return cheapest(q.Options, func(row int) int { return q.View.RowHeads[row-1] })
	}
	return q.Options[0]
}

// price tells what it costs to place a card now: 1000 a head, and 1 for each number between it and the end of its row.
func price(card int, view View) int {
	home, gap := -1, 1000
	for i, row := range view.Rows {
		if end := row[len(row)-1]; end < card && card-end < gap {
			home, gap = i, card-end
		}
	}
	switch {
	case home < 0: // fits nowhere: we may choose the row to take
		return 1000 * least(view.RowHeads)
	case len(view.Rows[home]) == 5: // the sixth card takes the other five
		return 1000*view.RowHeads[home] + gap
	}
	return gap
}

func cheapest(options []Option, cost func(number int) int) Option {
	best := options[0]
	for _, option := range options[1:] {
		if cost(option.Number) < cost(best.Number) {
			best = option
		}
	}
	return best
}

func least(numbers []int) int {
	best := numbers[0]
	for _, number := range numbers[1:] {
		if number < best {
			best = number
		}
	}
	return best
}
