# The strategy: change this file, and print whatever you like.

package Strategy;
use strict;
use warnings;
use List::Util qw(min reduce);

# Returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet.
sub choose {
    my ($kind, $view, $options) = @_;
    return least(sub { risk($_[0], $view) }, @$options)                 if $kind eq 'card';
    return least(sub { $view->{row_heads}[ $_[0] - 1 ] }, @$options)    if $kind eq 'row';
    return $options->[-1] if $kind eq 'draft';    # the highest card, because low cards take rows
    return $options->[0];
}

sub least {
    my ($cost, @options) = @_;
    return reduce { $cost->($b) < $cost->($a) ? $b : $a } @options;
}

# The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
sub risk {
    my ($card, $view) = @_;
    my ($rows, $heads) = @$view{qw(rows row_heads)};
    my @fitting = grep { $rows->[$_][-1] < $card } 0 .. $#$rows;
    return 100 * min(@$heads) unless @fitting;
    my $at  = reduce { $rows->[$b][-1] > $rows->[$a][-1] ? $b : $a } @fitting;
    my @row = @{ $rows->[$at] };
    return @row >= 5 ? 100 * $heads->[$at] : ($card - $row[-1]) * @row;
}

1;
