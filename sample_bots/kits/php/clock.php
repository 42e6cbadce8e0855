<?php

// The time left for the present decision.

// A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
// unless the welcome says "clock": "wall".

declare(strict_types=1);

final class Clock
{
    private static bool $core = false;
    private static float $end = 0.0;

    /** Chooses the clock of a match. */
    public static function matchBegins(array $welcome): void
    {
        self::$core = ($welcome['clock'] ?? '') === 'core';
    }

    /** Starts the clock of a question. */
    public static function questionComes(array $decide): void
    {
        self::$end = self::now() + $decide['time']['limit_us'] / 1e6;
    }

    /** Seconds that are left for the present decision, without the bank. Answer well before none is left. */
    public static function timeLeft(): float
    {
        return self::$end - self::now();
    }

    private static function now(): float
    {
        if (!self::$core) {
            return hrtime(true) / 1e9;
        }
        $used = getrusage();
        return $used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec'] + ($used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']) / 1e6;
    }
}
