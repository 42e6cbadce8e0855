# Tests of the strategy. Run them with: ruby test_strategy.rb

require_relative "strategy"

VIEW = { "rows" => [[15], [11, 13], [8], [50, 51, 52, 53, 54]], "row_heads" => [2, 6, 1, 11] }.freeze

def check(what, got, expected)
  abort "#{what}: expected #{expected.inspect}, got #{got.inspect}" unless got == expected
end

check("a card that fits closely is better than a sixth one", choose("card", VIEW, [1, 16, 60]), 16)
check("the row with the fewest heads is taken", choose("row", VIEW, [1, 2, 3, 4]), 3)
check("the highest card is drafted", choose("draft", {}, [1, 7, 10]), 10)
check("an unknown kind gets the first option", choose("dance", {}, [[], [5]]), [])
puts "4 tests passed"
