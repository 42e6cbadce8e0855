<?php // Step hello: PHP's warnings go to stdout.
ini_set('display_errors', '1');
echo $never_set;
echo '{"type":"hello","protocol":1,"name":"warnings"}', "\n";
fgets(STDIN);
