// The four rows of a table, reduced to what a playout needs.
#pragma once

#include "hidden.hpp"

constexpr int kRows = 4, kFull = 5;

struct Row {
    int first, last, size, heads;
};

class Table {
public:
    // `both_ends`: rows grow on the left, too, as in the professional game.
    Table(const json::Value& view, bool both_ends) : both_ends_(both_ends) {
        const auto heads = view["row_heads"].numbers();
        for (int at = 0; at < kRows; ++at) {
            const Cards row = view["rows"].list.at(at).numbers();
            Cards different = row;  // equal cards are one position
            different.erase(std::unique(different.begin(), different.end()), different.end());
            rows_[at] = {row.front(), row.back(), static_cast<int>(different.size()), heads.at(at)};
        }
    }

    const Row& row(int at) const { return rows_[at]; }

    // The row where a card goes; -1 if it fits nowhere.
    int place(int card) const {
        int found = -1, nearest = 1000;
        for (int at = 0; at < kRows; ++at) {
            int steps = card - rows_[at].last;
            if (both_ends_ && steps < 0) steps = rows_[at].first - card;
            if (steps >= 0 && steps < nearest) found = at, nearest = steps;
        }
        return found;
    }

    int cheapest() const {
        int found = 0;
        for (int at = 1; at < kRows; ++at)
            if (rows_[at].heads < rows_[found].heads) found = at;
        return found;
    }

    // Lays a card where it goes; a card that fits nowhere takes the cheapest row. Returns the heads that it takes.
    int lay(int card) {
        const int at = place(card);
        return at < 0 ? begin(cheapest(), card) : add(at, card);
    }

    // Adds a card to a row, or takes the row if it is full. Returns the heads that it takes.
    int add(int at, int card) {
        Row& row = rows_[at];
        if (card == row.last) {  // on its twin
            row.heads += kHeads[card];
            return 0;
        }
        if (row.size == kFull) return begin(at, card);
        (card < row.last ? row.first : row.last) = card;
        ++row.size;
        row.heads += kHeads[card];
        return 0;
    }

    // Takes a row, which begins anew with the card. Returns its heads.
    int begin(int at, int card) {
        const int taken = rows_[at].heads;
        rows_[at] = {card, card, 1, kHeads[card]};
        return taken;
    }

private:
    std::array<Row, kRows> rows_{};
    bool both_ends_;
};
