# The time left for the present decision.
# A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
# unless the welcome says "clock": "wall".

package Clock;
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID);

my ($clock, $end) = (CLOCK_MONOTONIC, 0);

# Chooses the clock of a match.
sub match_begins {
    my ($welcome) = @_;
    $clock = ($welcome->{clock} // '') eq 'core' ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
}

# Starts the clock of a question.
sub question_comes {
    my ($decide) = @_;
    $end = clock_gettime($clock) + $decide->{time}{limit_us} / 1e6;
}

# Seconds that are left for the present decision, without the bank. Answer well before none is left.
sub time_left {
    return $end - clock_gettime($clock);
}

1;
