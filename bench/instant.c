/* The instant bot: says hello, then answers every decide at once with the first option (bare msgpack).
 *
 * It costs as little as a bot can, so that measurements show the referee's cost. With the argument "hang" it reads everything and
 * answers nothing; with "think" it sleeps before each answer, for a random time of 1 to 5 ms, with "wait" for a second.
 */
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef const unsigned char *Bytes;

static unsigned char buffer[1 << 20];

static size_t number(Bytes p, int width) {
    size_t value = 0;
    while (width--) value = value << 8 | *p++;
    return value;
}

/* The end of the msgpack value at p, or NULL if it is incomplete. */
static Bytes skip(Bytes p, Bytes end) {
    for (size_t left = 1; left; left--) {
        if (p >= end) return NULL;
        unsigned code = *p++;
        size_t size = 0;
        int width = 0; /* of the count that follows the code */
        if (code <= 0x7f || code >= 0xe0 || code == 0xc0 || code == 0xc2 || code == 0xc3) continue;
        if (code <= 0x8f) left += 2 * (code & 0x0f);
        else if (code <= 0x9f) left += code & 0x0f;
        else if (code <= 0xbf) size = code & 0x1f;
        else if (code >= 0xcc && code <= 0xcf) size = (size_t)1 << (code - 0xcc);
        else if (code >= 0xd0 && code <= 0xd3) size = (size_t)1 << (code - 0xd0);
        else if (code == 0xca || code == 0xcb) size = code == 0xca ? 4 : 8;
        else if (code >= 0xd9) width = code <= 0xdb ? 1 << (code - 0xd9) : code & 1 ? 4 : 2;
        else _exit(2); /* the referee sends no such thing */
        if (width) {
            if (end - p < width) return NULL;
            size_t count = number(p, width);
            p += width;
            if (code <= 0xdb) size = count;
            else left += code <= 0xdd ? count : 2 * count;
        }
        if ((size_t)(end - p) < size) return NULL;
        p += size;
    }
    return p;
}

static int is(Bytes p, Bytes end, const char *text) {
    size_t size = strlen(text); /* all names of the protocol are shorter than 32 bytes, so encoded as one byte and the text */
    return (size_t)(end - p) == size + 1 && p[0] == (0xa0 | size) && !memcmp(p + 1, text, size);
}

static void answer(Bytes id, size_t id_size, Bytes option, size_t option_size) {
    static const char head[] = "\x83\xa4type\xa6" "choice\xa2id", middle[] = "\xa6option";
    unsigned char out[256], *p = out;
    if (id_size + option_size > 200) _exit(2);
    p = (unsigned char *)memcpy(p, head, sizeof head - 1) + sizeof head - 1;
    p = (unsigned char *)memcpy(p, id, id_size) + id_size;
    p = (unsigned char *)memcpy(p, middle, sizeof middle - 1) + sizeof middle - 1;
    p = (unsigned char *)memcpy(p, option, option_size) + option_size;
    if (write(1, out, (size_t)(p - out)) != p - out) _exit(1);
}

/* Handles one whole message. Returns 0 if it was a bye. */
static int take(Bytes p, Bytes end, int hang, int think) {
    Bytes id = NULL, option = NULL;
    size_t id_size = 0, option_size = 0;
    int decide = 0;
    size_t pairs = *p <= 0x8f ? *p & 0x0f : number(p + 1, *p == 0xde ? 2 : 4);
    p += *p <= 0x8f ? 1 : *p == 0xde ? 3 : 5;
    while (pairs--) {
        Bytes key = p, value = skip(key, end), next = skip(value, end);
        if (is(key, value, "type")) {
            if (is(value, next, "bye")) return 0;
            decide = is(value, next, "decide");
        } else if (is(key, value, "id")) {
            id = value, id_size = (size_t)(next - value);
        } else if (is(key, value, "options") && (*value & 0xf0) == 0x90) { /* a short array: its items follow directly */
            option = value + 1, option_size = (size_t)(skip(option, end) - option);
        }
        p = next;
    }
    if (decide && think == 1 && id_size) nanosleep(&(struct timespec){0, (id[id_size - 1] % 5 + 1) * 1000000}, NULL);
    if (decide && think == 2) nanosleep(&(struct timespec){1, 0}, NULL);
    if (decide && !hang && id && option) answer(id, id_size, option, option_size);
    return 1;
}

int main(int count, char **arguments) {
    static const char hello[] = "\x83\xa4type\xa5hello\xa8protocol\x01\xa4name\xa7instant";
    int hang = count > 1 && !strcmp(arguments[1], "hang"), think = 0;
    if (count > 1) think = !strcmp(arguments[1], "think") ? 1 : !strcmp(arguments[1], "wait") ? 2 : 0;
    size_t have = 0;
    if (write(1, hello, sizeof hello - 1) < 0) return 1;
    for (;;) {
        ssize_t got = read(0, buffer + have, sizeof buffer - have);
        if (got <= 0) return 0; /* the end of input, or a message too long for the buffer */
        have += (size_t)got;
        Bytes p = buffer, next, end = buffer + have;
        while (p < end && (next = skip(p, end))) {
            if (!take(p, next, hang, think)) return 0;
            p = next;
        }
        have = (size_t)(end - p);
        memmove(buffer, p, have);
    }
}
