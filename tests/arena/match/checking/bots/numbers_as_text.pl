# Step question: numbers cut out of a text are sent as text.
$| = 1;
print qq({"type":"hello","protocol":1,"name":"text"}\n);
while (<STDIN>) {
    next unless /"options":\[(\d+)/;
    my $card = $1;
    /"id":(\d+)/;
    print qq({"type":"choice","id":$1,"option":"$card"}\n);
}
