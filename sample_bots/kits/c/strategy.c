/* The strategy: change this file, and log to stderr whatever you like. */
#include "session.h"

static long risk(int64_t card, value view);
static long heads_of(int64_t row, value view);
static size_t least(value options, value view, long (*cost)(int64_t option, value view));

/* Returns the index of one of the options. 0 is always legal, also in games and kinds of decisions that are not known yet. */
size_t choose(value kind, value view, value options) {
    if (is(kind, "card")) return least(options, view, risk);
    if (is(kind, "row")) return least(options, view, heads_of);
    if (is(kind, "draft")) return length(options) - 1; /* the highest card, because low cards take rows */
    return 0;
}

/* The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it. */
static long risk(int64_t card, value view) {
    value rows = get(view, "rows"), heads = get(view, "row_heads");
    long home = -1, end = 0, size = 0;
    for (size_t i = 0; i < length(rows); i++) {
        value row = item(rows, i);
        long last = number(item(row, length(row) - 1));
        if (last < card && last >= end) home = i, end = last, size = length(row);
    }
    if (home < 0) return 100 * number(item(heads, least(heads, view, NULL)));
    return size < 5 ? (card - end) * size : 100 * number(item(heads, home));
}

static long heads_of(int64_t row, value view) {
    return number(item(get(view, "row_heads"), row - 1));
}

/* The index of the number with the least cost, or of the least number. */
static size_t least(value numbers, value view, long (*cost)(int64_t number, value view)) {
    size_t best = 0;
    long least = 0;
    for (size_t i = 0; i < length(numbers); i++) {
        int64_t n = number(item(numbers, i));
        long price = cost ? cost(n, view) : n;
        if (i == 0 || price < least) best = i, least = price;
    }
    return best;
}
