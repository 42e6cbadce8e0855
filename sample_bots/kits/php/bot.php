<?php

// The session with the referee: reads questions from stdin and writes answers to stdout.

declare(strict_types=1);

// stdout belongs to the protocol: warnings and error_log() go to stderr, your own log.
ini_set('display_errors', 'stderr');
ini_set('error_log', '/dev/stderr');

require __DIR__ . '/clock.php';
require __DIR__ . '/strategy.php';

function send(array $message): void
{
    fwrite(STDOUT, json_encode($message) . "\n");
    fflush(STDOUT);
}

send(['type' => 'hello', 'protocol' => 1, 'name' => 'PHP']);
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true, 64, JSON_THROW_ON_ERROR);
    if ($message['type'] === 'welcome') {
        Clock::matchBegins($message);
        fwrite(STDERR, "{$message['game']}: seat {$message['seat']} of {$message['seats']}\n");
    } elseif ($message['type'] === 'decide') {
        Clock::questionComes($message);
        $index = choose($message['kind'], $message['view'], $message['options']);
        send(['type' => 'choice', 'id' => $message['id'], 'index' => $index]);
    } elseif ($message['type'] === 'bye') {
        break;
    }
}
