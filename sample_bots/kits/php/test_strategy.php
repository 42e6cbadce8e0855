<?php

// Tests of the strategy. Run them with: php test_strategy.php

declare(strict_types=1);

require __DIR__ . '/strategy.php';

const VIEW = ['rows' => [[15], [11, 13], [8], [50, 51, 52, 53, 54]], 'row_heads' => [2, 6, 1, 11]];

function check(string $what, int $got, int $expected): void
{
    if ($got !== $expected) {
        fwrite(STDERR, "$what: expected $expected, got $got\n");
        exit(1);
    }
}

check('a card that fits closely is better than a sixth one', choose('card', VIEW, [1, 16, 60]), 1);
check('the row with the fewest heads is taken', choose('row', VIEW, [1, 2, 3, 4]), 2);
check('the highest card is drafted', choose('draft', [], [1, 7, 10]), 2);
check('an unknown kind gets the first option', choose('dance', [], [[], [5]]), 0);
echo "4 tests passed\n";
