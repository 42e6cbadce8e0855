// What players of sense usually play.
//
// A card is judged by its situation: how much room is left in its row, how many cards are likely to come in before it in this turn,
// and how many heads lie there. A seat plays a card of its hand with a chance in proportion to the weight of its situation (a softmax,
// or multinomial logit). The weights were fitted to the choices of Monte-Carlo players, as `duel.cpp` says.
#pragma once

#include "table.hpp"

class Habits {
public:
    static constexpr int kComing = 10, kCosts = 8;                       // classes of cards to come, and of heads
    static constexpr int kSituations = (kFull + 1) * kComing * kCosts;  // by room; the last block is for cards that fit nowhere
    static constexpr int kTables = 4;                                    // for 2, 3 to 6, and more seats; for rows with two ends

    // `seats`: at the table; `both_ends`: as in the professional game; `cards_a_turn`: what each of them plays; `out`: the cards that may be played by somebody, mine included.
    // `keenness`: 1 plays as the players did to whom the weights were fitted, more plays their favourite cards more often.
    Habits(int seats, bool both_ends, int cards_a_turn, const Cards& out, float keenness = 1);

    int situation(const Table& table, int card) const {
        const int at = table.place(card);
        const Row& row = table.row(at < 0 ? table.cheapest() : at);
        int room = kFull, before = below_[card - 1];
        if (at >= 0) {
            room = kFull - row.size;
            before = card > row.last ? before - below_[row.last] : card < row.first ? below_[row.first - 1] - below_[card] : 0;
        }
        return (room * kComing + coming_[before]) * kCosts + kCostOf[std::min(row.heads, kMostHeads)];
    }

    float weight(const Table& table, int card) const { return weights_[situation(table, card)]; }

private:
    static constexpr int kMostHeads = 15;
    static constexpr std::array<int, kMostHeads + 1> kCostOf{0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7};

    std::array<int, kHighest + 1> below_{};               // how many of the cards that are out are not higher
    std::array<std::uint8_t, 2 * kHighest + 1> coming_{};  // the class of cards to come, by how many cards lie between
    std::array<float, kSituations> weights_{};
};
