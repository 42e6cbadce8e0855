#include "msgpack.h"

#include <string.h>

typedef struct {
    enum { INTEGER, TEXT, LIST, MAP, OTHER } type;
    size_t size;     /* in bytes, without what a list or a map contains */
    size_t contents; /* the values that a list or a map contains; keys are values, too */
    int64_t number;
} head;

/* The bytes after a first byte of c0 to df that hold a number or a length. -1: the referee never writes that. */
static const int WIDTH[] = {0, -1, 0, 0, -1, -1, -1, -1, -1, -1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, -1, -1, -1, -1, -1, 1, 2, 4, 2, 4, 2, 4};

static int width_of(uint8_t first) {
    return first < 0xc0 || first > 0xdf ? 0 : WIDTH[first - 0xc0];
}

static head head_of(const uint8_t *at) {
    uint8_t first = at[0];
    if (first <= 0x7f) return (head){INTEGER, 1, 0, first};
    if (first <= 0x8f) return (head){MAP, 1, 2 * (first & 0x0f), 0};
    if (first <= 0x9f) return (head){LIST, 1, first & 0x0f, 0};
    if (first <= 0xbf) return (head){TEXT, 1 + (first & 0x1f), 0, 0};
    if (first >= 0xe0) return (head){INTEGER, 1, 0, (int8_t)first};

    int width = width_of(first);
    size_t size = 1 + width;
    uint64_t n = 0;
    for (int i = 1; i <= width; i++) n = n << 8 | at[i];
    if (first >= 0xde) return (head){MAP, size, 2 * n, 0};
    if (first >= 0xdc) return (head){LIST, size, n, 0};
    if (first >= 0xd9) return (head){TEXT, size + n, 0, 0};
    if (first >= 0xd0) return (head){INTEGER, size, 0, (int64_t)(n << (64 - 8 * width)) >> (64 - 8 * width)};
    if (first >= 0xcc) return (head){INTEGER, size, 0, (int64_t)n};
    return (head){OTHER, size, 0, 0};
}

bool is_map(const uint8_t *at, size_t size) {
    if (size == 0 || head_of(at).type != MAP) return false;
    size_t expected = 1;
    for (; expected > 0; expected--) {
        if (size == 0 || width_of(*at) < 0 || size < 1 + (size_t)width_of(*at)) return false;
        head next = head_of(at);
        if (size < next.size) return false;
        at += next.size;
        size -= next.size;
        expected += next.contents;
    }
    return size == 0;
}

static value after(value any) {
    for (size_t expected = 1; expected > 0; expected--) {
        head next = head_of(any.at);
        any.at += next.size;
        expected += next.contents;
    }
    return any;
}

size_t size_of(value any) {
    return after(any).at - any.at;
}

static const uint8_t NIL[] = {0xc0};

value get(value map, const char *key) {
    head it = head_of(map.at);
    if (it.type != MAP) return (value){NIL};
    value entry = {map.at + it.size};
    for (size_t i = 0; i < it.contents; i += 2) {
        if (is(entry, key)) return after(entry);
        entry = after(after(entry));
    }
    return (value){NIL};
}

value item(value list, size_t index) {
    if (index >= length(list)) return (value){NIL};
    value it = {list.at + head_of(list.at).size};
    while (index-- > 0) it = after(it);
    return it;
}

size_t length(value list) {
    head it = head_of(list.at);
    return it.type == LIST ? it.contents : 0;
}

int64_t number(value integer) {
    return head_of(integer.at).number;
}

bool is(value text, const char *expected) {
    if (head_of(text.at).type != TEXT) return false;
    size_t start = 1 + width_of(text.at[0]), length = strlen(expected);
    return size_of(text) == start + length && memcmp(text.at + start, expected, length) == 0;
}

uint8_t *put_number(uint8_t *at, uint32_t number) {
    int width = number < 0x80 ? 0 : number < 0x100 ? 1 : number < 0x10000 ? 2 : 4;
    if (width > 0) *at++ = width == 1 ? 0xcc : width == 2 ? 0xcd : 0xce;
    for (int shift = width > 0 ? 8 * (width - 1) : 0; shift >= 0; shift -= 8) *at++ = number >> shift;
    return at;
}

uint8_t *put_text(uint8_t *at, const char *text) {
    size_t length = strlen(text);
    *at++ = 0xa0 | length;
    memcpy(at, text, length);
    return at + length;
}
