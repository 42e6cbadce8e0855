#include "json.hpp"

#include <charconv>
#include <cstdlib>
#include <stdexcept>

namespace json {

const Value& Value::operator[](std::string_view key) const {
    static const Value nothing;
    const auto found = map.find(key);
    return found == map.end() ? nothing : found->second;
}

std::vector<int> Value::numbers() const {
    std::vector<int> found;
    for (const Value& value : list)
        if (value.kind == Kind::integer) found.push_back(value.number());
    return found;
}

namespace {

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Value value() {
        Value found;
        switch (const char first = next()) {
        case '{':
            found.kind = Value::Kind::map;
            if (skip('}')) return found;
            do {
                expect('"');
                std::string key = string();
                expect(':');
                found.map[std::move(key)] = value();
            } while (skip(','));
            expect('}');
            return found;
        case '[':
            found.kind = Value::Kind::list;
            if (skip(']')) return found;
            do found.list.push_back(value());
            while (skip(','));
            expect(']');
            return found;
        case '"':
            found.kind = Value::Kind::text;
            found.text = string();
            return found;
        case 't':
        case 'f':
            found.kind = Value::Kind::boolean;
            found.integer = first == 't';
            return word(found);
        case 'n':
            return word(found);
        default:
            --at_;
            return number(found);
        }
    }

private:
    char next() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) ++at_;
        if (at_ == text_.size()) throw std::runtime_error("JSON ends too early");
        return text_[at_++];
    }

    bool skip(char wanted) {
        if (next() == wanted) return true;
        --at_;
        return false;
    }

    void expect(char wanted) {
        if (!skip(wanted)) throw std::runtime_error(std::string("expected ") + wanted + " in JSON");
    }

    Value& word(Value& found) {
        while (at_ < text_.size() && text_[at_] >= 'a' && text_[at_] <= 'z') ++at_;
        return found;
    }

    Value& number(Value& found) {
        const char* begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), found.integer);
        if (error != std::errc()) throw std::runtime_error("expected a value in JSON");
        at_ += end - begin;
        found.kind = Value::Kind::integer;
        while (at_ < text_.size() && std::string_view("+-.0123456789Ee").find(text_[at_]) != std::string_view::npos) ++at_;
        return found;
    }

    std::string string() {
        std::string found;
        while (at_ < text_.size() && text_[at_] != '"') {
            char letter = text_[at_++];
            if (letter == '\\' && at_ < text_.size()) {
                letter = text_[at_++];
                if (letter == 'u') {  // nothing that this bot looks at has one
                    at_ = std::min(at_ + 4, text_.size());
                    letter = '?';
                }
            }
            found += letter;
        }
        expect('"');
        return found;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

Value parse(std::string_view text) { return Reader(text).value(); }

}  // namespace json
