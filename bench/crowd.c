/* A bot of many processes: it starts children, each in its own session, and writes one byte when all are running.
 *
 * Then all of them wait to be killed. If nobody does, they end by themselves after a minute.
 */
#include <unistd.h>

enum { CHILDREN = 32, SECONDS = 60 };

int main(void) {
    for (int left = CHILDREN; left; left--) {
        pid_t child = fork();
        if (child < 0) return 1;
        if (!child) {
            setsid();
            alarm(SECONDS);
            for (;;) pause();
        }
    }
    if (write(1, "!", 1) != 1) return 1;
    alarm(SECONDS);
    for (;;) pause();
}
