/* The time left for the present decision.
   A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
   unless the welcome says "clock": "wall". */
#include "session.h"

#include <time.h>

static clockid_t clock_id = CLOCK_MONOTONIC;
static double end;

static double now(void) {
    struct timespec time;
    clock_gettime(clock_id, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

void match_begins(value welcome) {
    clock_id = is(get(welcome, "clock"), "core") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
}

void question_comes(value decide) {
    end = now() + number(get(get(decide, "time"), "limit_us")) / 1e6;
}

double time_left(void) {
    return end - now();
}
