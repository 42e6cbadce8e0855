/* A bot that is many: it starts children, each in a session of its own, and says one byte when all are there.
 *
 * Then all of them wait to be killed. They end by themselves if nobody does: after a minute.
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
