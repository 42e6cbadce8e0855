// JSON values, as far as the protocol needs them: integers, text, lists, maps; anything else is read and forgotten.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace json {

struct Value {
    enum class Kind { none, boolean, integer, text, list, map };

    Kind kind = Kind::none;
    long long integer = 0;  // also 1 and 0 for true and false
    std::string text;
    std::vector<Value> list;
    std::map<std::string, Value, std::less<>> map;

    // The value of a key; an empty value if there is none.
    const Value& operator[](std::string_view key) const;
    bool has(std::string_view key) const { return map.find(key) != map.end(); }
    int number() const { return static_cast<int>(integer); }
    // The numbers of a list; what is not a number is left out.
    std::vector<int> numbers() const;
};

// Reads one message. Throws std::runtime_error if it is not JSON.
Value parse(std::string_view text);

}  // namespace json
