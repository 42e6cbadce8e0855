// The time left for the present decision.
// A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
// unless the welcome says "clock": "wall".
package main

import (
	"syscall"
	"time"
)

var (
	onCore   bool
	limitEnd time.Duration
	began    = time.Now()
)

// matchBegins chooses the clock of a match.
func matchBegins(clock string) {
	onCore = clock == "core"
}

// questionComes starts the clock of a question.
func questionComes(limitMicroseconds int64) {
	limitEnd = now() + time.Duration(limitMicroseconds)*time.Microsecond
}

// timeLeft is the time that is left for the present decision, without the bank. Answer well before none is left.
func timeLeft() time.Duration {
	return limitEnd - now()
}

func now() time.Duration {
	var used syscall.Rusage
	if !onCore || syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return time.Since(began)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
