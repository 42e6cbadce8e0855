/* The floor in C: one epoll loop, the pipes registered once, one write and one read per decision.
 *
 * floor BOT FRAMES MATCHES SEATS TURNS PARTS ENOUGH, where the file FRAMES holds, for each seat, a 4-byte length (in this machine's
 * byte order) and the bytes that ask it. TURNS turns are played PARTS times, after one more time to warm up, but no further part is
 * begun after ENOUGH seconds. Prints one line of JSON.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SEATS = 16, MATCHES = 256 };

static struct { int in, out; } bots[MATCHES * SEATS];
static struct { uint32_t size; char bytes[4096]; } frames[SEATS];
static int matches, seats, epoll;

static void fail(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double cpu(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static void start(const char *program, int at) {
    int to[2], from[2];
    char hello[4096];
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) fail("no pipe");
    pid_t child = vfork();
    if (child < 0) fail("no process");
    if (!child) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    bots[at].in = to[1];
    bots[at].out = from[0];
    if (read(from[0], hello, sizeof hello) <= 0) fail("a bot said nothing");
    fcntl(from[0], F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)at};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, from[0], &event)) fail("no epoll");
}

static void ask(int match) {
    for (int seat = 0; seat < seats; seat++)
        if (write(bots[match * seats + seat].in, frames[seat].bytes, frames[seat].size) != (ssize_t)frames[seat].size)
            fail("a pipe is full");
}

static void play(long turns) {
    static int missing[MATCHES];
    static long left[MATCHES];
    struct epoll_event ready[256];
    char answer[4096];
    ssize_t size = 0;
    int playing = matches;
    for (int match = 0; match < matches; match++) missing[match] = seats, left[match] = turns, ask(match);
    while (playing) {
        int count = epoll_wait(epoll, ready, 256, 5000);
        if (count <= 0) fail("no bot answers");
        for (int i = 0; i < count; i++) {
            int match = (int)ready[i].data.u32 / seats;
            ssize_t got = read(bots[ready[i].data.u32].out, answer, sizeof answer);
            if (!size) size = got;
            if (got <= 0 || got != size) fail("no answer");
            if (--missing[match]) continue;
            if (--left[match]) missing[match] = seats, ask(match);
            else playing--;
        }
    }
}

int main(int count, char **arguments) {
    if (count != 8) fail("wants BOT FRAMES MATCHES SEATS TURNS PARTS ENOUGH");
    matches = atoi(arguments[3]), seats = atoi(arguments[4]);
    long turns = atol(arguments[5]), parts = atol(arguments[6]), done = 0;
    if (matches < 1 || matches > MATCHES || seats < 1 || seats > SEATS || turns < 1) fail("too many or too few");
    FILE *file = fopen(arguments[2], "rb");
    if (!file) fail("no frames");
    for (int seat = 0; seat < seats; seat++)
        if (fread(&frames[seat].size, 4, 1, file) != 1 || frames[seat].size > sizeof frames[seat].bytes
            || fread(frames[seat].bytes, 1, frames[seat].size, file) != frames[seat].size)
            fail("bad frames");
    fclose(file);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    for (int at = 0; at < matches * seats; at++) start(arguments[1], at);
    play(turns);
    double wall_before = wall(), cpu_before = cpu();
    while (done++ < parts && wall() - wall_before < atof(arguments[7])) play(turns);
    double decisions = (double)(done - 1) * (double)turns * matches * seats;
    printf("{\"cpu_us\": %.4f, \"wall_us\": %.4f, \"decisions\": %.0f}\n", (cpu() - cpu_before) / decisions * 1e6,
           (wall() - wall_before) / decisions * 1e6, decisions);
    for (int at = 0; at < matches * seats; at++) close(bots[at].in); /* bots end at the end of their input */
    while (wait(NULL) > 0) {}
    return 0;
}
