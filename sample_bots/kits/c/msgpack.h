/* Msgpack, read where it lies: nothing is copied, and nothing has to be freed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value in a message. It lives as long as the message. */
typedef struct { const uint8_t *at; } value;

/* Whether the bytes are exactly one map. Everything below relies on it. */
bool is_map(const uint8_t *bytes, size_t size);

/* What does not exist or is of another type reads as nil, 0 or false. */
value get(value map, const char *key);
value item(value list, size_t index);
size_t length(value list);
int64_t number(value integer);
bool is(value text, const char *expected);

/* The size of a value in bytes. */
size_t size_of(value any);

/* Write an integer of 0 to 2^32-1, or a text of at most 31 bytes. Return what follows it. */
uint8_t *put_number(uint8_t *at, uint32_t number);
uint8_t *put_text(uint8_t *at, const char *text);
