# Step hello: Perl keeps its output in a buffer.
print qq({"type":"hello","protocol":1,"name":"unflushed"}\n);
while (<STDIN>) { }
