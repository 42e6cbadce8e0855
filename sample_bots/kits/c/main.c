#include "session.h"

int main(void) {
    if (play(stdin, stdout)) return 0;
    fputs("expected frames that hold a msgpack map each\n", stderr);
    return 1;
}
