/* Tests of the strategy, of the session, and of the codec by the golden vectors in vectors/. Run them with: make test */
#include "msgpack.c"
#include "session.h"

#include <glob.h>
#include <stdlib.h>

#define CHECK(condition, about) ((condition) ? (void)0 : (fprintf(stderr, "%s: %s\n", about, #condition), exit(1)))

typedef struct { uint8_t bytes[1 << 16]; size_t size; } data;

/* Appends the text that a file of vectors holds for a key; in JSON, so `"` and `\` are escaped. */
static void read_text(const char *file, const char *key, data *to) {
    char *start = strstr(file, key);
    CHECK(start != NULL, key);
    for (start += strlen(key); *start != '"'; start++) {
        if (*start == '\\' && *++start == 'n') *start = '\n';
        to->bytes[to->size++] = *start;
    }
}

static void read_hex(const char *file, const char *key, data *to) {
    char *at = strstr(file, key);
    CHECK(at != NULL, key);
    unsigned byte;
    for (at += strlen(key); sscanf(at, "%2x", &byte) == 1; at += 2) to->bytes[to->size++] = byte;
}

static void print_text(FILE *out, const uint8_t *at, const uint8_t *end) {
    fputc('"', out);
    while (at < end) {
        unsigned c = *at++;
        if (c >= 0x80) { /* UTF-8 of two or three bytes */
            int more = c >= 0xe0 ? 2 : 1;
            for (c &= more == 2 ? 0x0f : 0x1f; more > 0; more--) c = c << 6 | (*at++ & 0x3f);
            fprintf(out, "\\u%04x", c);
        } else {
            if (c == '"' || c == '\\') fputc('\\', out);
            fputc(c, out);
        }
    }
    fputc('"', out);
}

/* Prints a value as the referee writes JSON. */
static void print(FILE *out, value any) {
    static const char *const OTHERS[] = {"null", "never used", "false", "true"};
    head it = head_of(any.at);
    value inside = {any.at + it.size};
    switch (it.type) {
    case INTEGER: fprintf(out, "%lld", (long long)it.number); break;
    case TEXT: print_text(out, any.at + 1 + width_of(*any.at), inside.at); break;
    case OTHER: fputs(OTHERS[*any.at & 3], out); break;
    default:
        fputc(it.type == MAP ? '{' : '[', out);
        for (size_t i = 0; i < it.contents; i++, inside = after(inside)) {
            if (i > 0) fputc(it.type == MAP && i % 2 == 1 ? ':' : ',', out);
            print(out, inside);
        }
        fputc(it.type == MAP ? '}' : ']', out);
    }
}

/* Lets the session read some frames. Its answers are in `output`, without the hello. */
static void play_with(const data *input, data *output) {
    FILE *in = fmemopen((void *)input->bytes, input->size, "r"), *out = fmemopen(output->bytes, sizeof output->bytes, "w");
    CHECK(play(in, out), "session");
    output->size = ftell(out);
    fclose(in), fclose(out);
    size_t hello = 4 + output->bytes[3];
    memmove(output->bytes, output->bytes + hello, output->size -= hello);
}

/* Asks a question with a single option. Its answer has to be the choice, to the byte. */
static void check_choice(const char *path, const data *frame) {
    static data question, answer;
    value choice = {frame->bytes + 4}, option = get(choice, "option");
    uint8_t *at = question.bytes + 4;
    *at++ = 0x84;
    at = put_text(put_text(at, "type"), "decide");
    at = put_text(put_text(at, "kind"), "new");
    at = put_number(put_text(at, "id"), number(get(choice, "id")));
    at = put_text(at, "options");
    *at++ = 0x91; /* a list of 1 */
    memcpy(at, option.at, size_of(option));
    question.size = at + size_of(option) - question.bytes;
    question.bytes[3] = question.size - 4;
    play_with(&question, &answer);
    CHECK(answer.size == frame->size && memcmp(answer.bytes, frame->bytes, frame->size) == 0, path);
}

static void test_vectors(void) {
    static data all, answers;
    glob_t files;
    CHECK(glob("vectors/from-*/*.json", 0, NULL, &files) == 0, "vectors/");
    for (size_t i = 0; i < files.gl_pathc; i++) {
        static data file, frame, expected, printed;
        const char *path = files.gl_pathv[i];
        file.size = frame.size = expected.size = 0;
        FILE *in = fopen(path, "r"), *out = fmemopen(printed.bytes, sizeof printed.bytes, "w");
        file.bytes[fread(file.bytes, 1, sizeof file.bytes - 1, in)] = '\0';
        read_hex((char *)file.bytes, "\"framed\": \"", &frame);
        read_text((char *)file.bytes, "\"json\": \"", &expected);

        value message = {frame.bytes + 4};
        for (size_t size = 0; size < frame.size - 4; size++) CHECK(!is_map(message.at, size), path);
        CHECK(is_map(message.at, frame.size - 4), path);
        print(out, message);
        fputc('\n', out);
        printed.size = ftell(out);
        fclose(in), fclose(out);
        CHECK(printed.size == expected.size && memcmp(printed.bytes, expected.bytes, printed.size) == 0, path);

        if (head_of(get(message, "option").at).type != OTHER) check_choice(path, &frame);
        if (is(get(message, "type"), "bye")) continue;
        memcpy(all.bytes + all.size, frame.bytes, frame.size);
        all.size += frame.size;
    }
    globfree(&files);
    play_with(&all, &answers); /* all in one piece */
}

static size_t answer(const char *kind, uint8_t first, uint8_t second, uint8_t third) {
    static const uint8_t VIEW[] = "\x82\xa4rows\x94\x91\x0f\x92\x0b\x0d\x91\x08\x95\x32\x33\x34\x35\x36\xa9row_heads\x94\x02\x06\x01\x0b";
    const uint8_t options[] = {0x93, first, second, third};
    uint8_t text[32];
    put_text(text, kind);
    return choose((value){text}, (value){VIEW}, (value){options});
}

static void test_strategy(void) {
    CHECK(answer("card", 1, 16, 60) == 1, "a card that fits closely is better than a sixth one");
    CHECK(answer("row", 1, 2, 3) == 2, "the row with the fewest heads is taken");
    CHECK(answer("draft", 1, 7, 10) == 2, "the highest card is drafted");
    CHECK(answer("dance", 9, 5, 7) == 0, "an unknown kind gets the first option");
}

int main(void) {
    test_strategy();
    test_vectors();
}
