// The decks of the games, and the cards that a bot cannot see.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "json.hpp"

constexpr int kHighest = 104;
constexpr int kSeats = 10;

// Heads of the cards 0 to 104; those of 11 nimmt! are in eleven.cpp.
constexpr std::array<int, kHighest + 1> kHeads = [] {
    std::array<int, kHighest + 1> heads{};
    for (int card = 1; card <= kHighest; ++card)
        heads[card] = card == 55 ? 7 : card % 11 == 0 ? 5 : card % 10 == 0 ? 3 : card % 5 == 0 ? 2 : 1;
    return heads;
}();

// A small and fast generator (xorshift64*); playouts draw millions of numbers.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}

    // A number below `bound`.
    int below(int bound) { return static_cast<int>((static_cast<std::uint64_t>(draw()) * bound) >> 32); }

    // A number from 0 to below 1.
    float share() { return static_cast<float>(draw() >> 8) * 0x1p-24F; }

    template <typename Cards>
    void shuffle(Cards& cards) {
        for (int left = static_cast<int>(cards.size()); left > 1; --left) std::swap(cards[left - 1], cards[below(left)]);
    }

private:
    std::uint32_t draw() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::uint32_t>((state_ * 0x2545F4914F6CDD1DULL) >> 32);
    }

    std::uint64_t state_;
};

using Cards = std::vector<int>;

// The cards that may be in an unknown hand, ascending, equal ones as often as they exist.
Cards unseen(const json::Value& match, const json::Value& view);

// All hands by seat, in the games with a `known` part of each hand; unknown cards are dealt from `hidden`, which is shuffled first.
// What is left over is appended to `rest`.
std::vector<Cards> guess_hands(const json::Value& view, Cards& hidden, Random& random, Cards& rest);
