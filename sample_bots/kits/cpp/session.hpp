#pragma once

#include <functional>
#include <map>
#include <msgpack.hpp>
#include <string>
#include <vector>

using Value = msgpack::object;             // of any type: number.as<int>(), list.as<std::vector<int>>()
using Map = std::map<std::string, Value>;  // missing keys: map.at(key) throws, map.count(key) tells

/// In strategy.cpp.
Value choose(const std::string &kind, const Map &view, const std::vector<Value> &options);

/// In clock.cpp: choose the clock of a match, and start that of a question.
void match_begins(const Map &welcome);
void question_comes(const Map &decide);

/// Seconds that are left for the present decision, without the bank. Answer well before none is left.
double time_left();

/// A session: the referee's bytes in, through `receive`; ours out, through `write`.
class Session {
public:
    using Write = std::function<void(const char *bytes, size_t size)>;

    /// Says hello.
    explicit Session(Write write);

    /// Takes bytes as they come, be it half a message or three. Returns false when the session is over.
    bool receive(const char *bytes, size_t size);

private:
    bool take(const Map &message);
    template <typename Message> void send(const Message &message);

    Write write;
    msgpack::unpacker unpacker;
};
