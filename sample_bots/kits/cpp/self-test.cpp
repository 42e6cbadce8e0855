// Tests of the strategy and of the session. Run them with: make test
#include "session.hpp"

#include <cstdlib>
#include <iostream>
#include <sstream>

using Numbers = std::vector<int>;

static void check(bool condition, const std::string &about) {
    if (condition) return;
    std::cerr << about << '\n';
    std::exit(1);
}

static int answer(const std::string &kind, const Numbers &numbers) {
    msgpack::zone zone;
    const std::vector<Numbers> rows = {{15}, {11, 13}, {8}, {50, 51, 52, 53, 54}};
    const Map view = {{"rows", Value(rows, zone)}, {"row_heads", Value(Numbers{2, 6, 1, 11}, zone)}};
    return choose(kind, view, std::vector<Value>(numbers.begin(), numbers.end())).as<int>();
}

static void test_strategy() {
    check(answer("card", {1, 16, 60}) == 16, "a card that fits closely is better than a sixth one");
    check(answer("row", {1, 2, 3, 4}) == 3, "the row with the fewest heads is taken");
    check(answer("draft", {1, 7, 10}) == 10, "the highest card is drafted");
    check(answer("dance", {9, 5}) == 9, "an unknown kind gets the first option");
}

/// Plays against a referee whose bytes come in pieces of `step`, with all that may be added later.
static void test_session(size_t step) {
    msgpack::zone zone;
    const std::vector<Value> options = {Value(5), Value("stop", zone), Value(Numbers{}, zone), Value(Numbers{3, 104}, zone), Value(1 << 20)};
    std::ostringstream input, output;
    msgpack::pack(input, Map{{"type", Value("welcome", zone)}, {"options", Value(Map{}, zone)}, {"seed", Value(1LL << 47)}});
    for (const auto &option : options) {
        const Map decide = {{"type", Value("decide", zone)}, {"id", Value(2147483647)}, {"kind", Value("new", zone)},
                            {"view", Value(Map{{"rows", Value(7)}}, zone)}, {"options", Value(std::vector<Value>{option, Value(1)}, zone)}};
        msgpack::pack(input, Map{{"type", Value("news", zone)}, {"options", Value(3)}});
        msgpack::pack(input, decide);
    }
    msgpack::pack(input, Map{{"type", Value("bye", zone)}});

    Session session([&](const char *bytes, size_t size) { output.write(bytes, size); });
    const std::string bytes = input.str();
    const size_t hello = output.str().size();
    bool going = true;
    for (size_t at = 0; going && at < bytes.size(); at += step)
        going = session.receive(bytes.data() + at, std::min(step, bytes.size() - at));
    check(!going, "the session ends with a bye");

    msgpack::unpacker unpacker;
    unpacker.reserve_buffer(output.str().size());
    const std::string answers = output.str().substr(hello);
    std::copy(answers.begin(), answers.end(), unpacker.buffer());
    unpacker.buffer_consumed(answers.size());
    msgpack::object_handle message;
    for (const auto &option : options) {
        check(unpacker.next(message), "each question is answered");
        check(message->as<Map>().at("option") == option, "an option goes back as it came");
    }
    check(!unpacker.next(message), "nothing else is sent");
}

int main() {
    test_strategy();
    test_session(1);
    test_session(100000);
}
