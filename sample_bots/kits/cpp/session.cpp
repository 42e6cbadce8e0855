// The session with the referee: takes questions and gives answers.
#include "session.hpp"

#include <cstring>

namespace {
struct Hello {
    std::string type = "hello";
    int protocol = 1;
    std::string name = "C++ kit";
    MSGPACK_DEFINE_MAP(type, protocol, name);
};

struct Choice {
    Value id, option;
    std::string type = "choice";
    MSGPACK_DEFINE_MAP(type, id, option);
};
}

Session::Session(Write write) : write(std::move(write)) {
    send(Hello{});
}

bool Session::receive(const char *bytes, size_t size) {
    unpacker.reserve_buffer(size);
    std::memcpy(unpacker.buffer(), bytes, size);
    unpacker.buffer_consumed(size);
    for (msgpack::object_handle message; unpacker.next(message);)
        if (!take(message->as<Map>())) return false;
    return true;
}

bool Session::take(const Map &message) {
    const auto type = message.at("type").as<std::string>();
    if (type == "welcome") match_begins(message);
    if (type == "decide") {
        question_comes(message);
        // `options` is a list here, but a map in a welcome.
        const auto options = message.at("options").as<std::vector<Value>>();
        const auto option = choose(message.at("kind").as<std::string>(), message.at("view").as<Map>(), options);
        send(Choice{message.at("id"), option});
    }
    return type != "bye";
}

template <typename Message> void Session::send(const Message &message) {
    msgpack::sbuffer buffer;
    msgpack::pack(buffer, message);
    write(buffer.data(), buffer.size());
}
