# The session with the referee: reads questions from stdin and writes answers to stdout.

use strict;
use warnings;
use FindBin qw($RealBin);
use lib $RealBin;
use Clock;
use JSON::PP;
use Strategy;

open my $referee, '>&', \*STDOUT or die $!;
$referee->autoflush(1);
select STDERR;    # stdout belongs to the protocol: print is for your own log

sub tell_referee {
    print {$referee} encode_json({@_}), "\n";
}

tell_referee(type => 'hello', protocol => 1, name => 'Perl');
while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my $type    = $message->{type};
    if ($type eq 'welcome') {
        Clock::match_begins($message);
        print "$message->{game}: seat $message->{seat} of $message->{seats}\n";
    }
    elsif ($type eq 'decide') {
        Clock::question_comes($message);
        my $option = Strategy::choose(@$message{qw(kind view options)});
        tell_referee(type => 'choice', id => $message->{id}, option => $option);
    }
    elsif ($type eq 'bye') {
        last;
    }
}
