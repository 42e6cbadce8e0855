// To be preloaded into bots that measure their thinking by wall-clock time: clocks go on only while the process computes.
//
//     LD_PRELOAD=bench/build/core_clock BOT
//
// At the start they show the true time. A program that calls the kernel by itself, such as one in Go, is not reached.
#define _GNU_SOURCE
#include <sys/time.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BILLION 1000000000LL
#define CLOCKS 16

static long long begun[CLOCKS];  // what each clock showed at the start, less the processor time of then, in nanoseconds

static long long shown(clockid_t clock) {
    struct timespec now = {0, 0};
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * BILLION + now.tv_nsec;
}

__attribute__((constructor)) static void begin(void) {
    for (clockid_t clock = 0; clock < CLOCKS; ++clock) begun[clock] = shown(clock) - shown(CLOCK_PROCESS_CPUTIME_ID);
}

static int is_wall(clockid_t clock) {
    return clock >= 0 && clock < CLOCKS && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

int clock_gettime(clockid_t clock, struct timespec *found) {
    if (!is_wall(clock)) return (int)syscall(SYS_clock_gettime, clock, found);
    const long long now = begun[clock] + shown(CLOCK_PROCESS_CPUTIME_ID);
    found->tv_sec = now / BILLION;
    found->tv_nsec = now % BILLION;
    return 0;
}

int gettimeofday(struct timeval *restrict found, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    found->tv_sec = now.tv_sec;
    found->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *found) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (found) *found = now.tv_sec;
    return now.tv_sec;
}
