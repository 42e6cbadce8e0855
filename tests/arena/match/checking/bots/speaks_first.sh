# Step hello: text on stdout.
echo "Loading the opening book..."
echo "ready"
echo '{"type":"hello","protocol":1,"name":"speaks first"}'
while read -r line; do :; done
