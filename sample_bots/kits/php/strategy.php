<?php

// The strategy: change this file, and print whatever you like with error_log().

declare(strict_types=1);

/**
 * Returns the index of an option. The first, 0, is always legal, also in games and kinds of decisions that are not known yet.
 *
 * An index, because PHP cannot tell an empty list from an empty map.
 */
function choose(string $kind, array $view, array $options): int
{
    $costs = match ($kind) {
        'card' => array_map(fn ($card) => risk($card, $view), $options),
        'row' => array_map(fn ($row) => $view['row_heads'][$row - 1], $options),
        'draft' => array_map(fn ($card) => -$card, $options), // the highest card, because low cards take rows
        default => [0],
    };
    return array_search(min($costs), $costs, true);
}

/** The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it. */
function risk(int $card, array $view): int
{
    $best = null;
    $end = 0;
    foreach ($view['rows'] as $at => $row) {
        if (end($row) < $card && end($row) > $end) {
            [$best, $end] = [$at, end($row)];
        }
    }
    if ($best === null) {
        return 100 * min($view['row_heads']);
    }
    $size = count($view['rows'][$best]);
    return $size >= 5 ? 100 * $view['row_heads'][$best] : ($card - $end) * $size;
}
