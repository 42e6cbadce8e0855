# Tests of the strategy. Run them with: perl test_strategy.pl

use strict;
use warnings;
use FindBin qw($RealBin);
use lib $RealBin;
use Strategy;
use Test::More tests => 4;

my $view = { rows => [ [15], [ 11, 13 ], [8], [ 50 .. 54 ] ], row_heads => [ 2, 6, 1, 11 ] };

is(Strategy::choose('card', $view, [ 1, 16, 60 ]), 16, 'a card that fits closely is better than a sixth one');
is(Strategy::choose('row', $view, [ 1 .. 4 ]), 3, 'the row with the fewest heads is taken');
is(Strategy::choose('draft', {}, [ 1, 7, 10 ]), 10, 'the highest card is drafted');
is_deeply(Strategy::choose('dance', {}, [ [], [5] ]), [], 'an unknown kind gets the first option');
