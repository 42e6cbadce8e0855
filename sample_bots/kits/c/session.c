/* The session with the referee: reads questions and writes answers, each after its length in four bytes. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 4096 }; /* of a message to the referee */

typedef struct { uint8_t *bytes; size_t capacity; } buffer;

/* Reads a message into the buffer, which grows as needed. Returns its size, or 0 at the end. */
static size_t receive(FILE *input, buffer *message) {
    uint8_t header[4];
    if (fread(header, sizeof header, 1, input) != 1) return 0;
    size_t size = (size_t)header[0] << 24 | header[1] << 16 | header[2] << 8 | header[3];
    if (size > message->capacity) {
        message->bytes = realloc(message->bytes, message->capacity = size);
        if (message->bytes == NULL) abort();
    }
    return fread(message->bytes, 1, size, input) == size ? size : 0; /* fread waits until all of it has come */
}

static void send(FILE *output, const uint8_t *message, size_t size) {
    const uint8_t header[] = {size >> 24, size >> 16, size >> 8, size};
    fwrite(header, sizeof header, 1, output);
    fwrite(message, size, 1, output);
    fflush(output); /* or the message stays in the buffer */
}

static void send_hello(FILE *output) {
    uint8_t message[LIMIT], *at = message;
    *at++ = 0x83; /* a map of 3 */
    at = put_text(put_text(at, "type"), "hello");
    at = put_number(put_text(at, "protocol"), 1);
    at = put_text(put_text(at, "name"), "C kit");
    send(output, message, at - message);
}

static void send_choice(FILE *output, uint32_t id, value option) {
    uint8_t message[LIMIT], *at = message;
    *at++ = 0x83;
    at = put_text(put_text(at, "type"), "choice");
    at = put_number(put_text(at, "id"), id);
    at = put_text(at, "option");
    size_t size = size_of(option);
    if (size > sizeof message - (at - message)) abort();
    memcpy(at, option.at, size); /* an option goes back as it came */
    send(output, message, at - message + size);
}

bool play(FILE *input, FILE *output) {
    buffer buffer = {NULL, 0};
    size_t size;
    bool well = true, over = false;
    send_hello(output);
    while (!over && (size = receive(input, &buffer)) > 0) {
        well = is_map(buffer.bytes, size);
        if (!well) break;
        value message = {buffer.bytes}, type = get(message, "type"), options = get(message, "options");
        if (is(type, "welcome")) match_begins(message);
        if (is(type, "decide")) {
            question_comes(message);
            size_t index = choose(get(message, "kind"), get(message, "view"), options);
            send_choice(output, number(get(message, "id")), item(options, index));
        }
        over = is(type, "bye");
    }
    free(buffer.bytes);
    return well;
}
