// The games of four rows in which all seats play at the same time, or nearly so.
//
// In the playouts everybody plays the card that looks cheapest in this turn, give or take a little, and a low card takes the cheapest
// row.
#include <cmath>

#include "playouts.hpp"

namespace {

constexpr int kRows = 4, kFull = 5, kLongest = 16;
// Heads by which everybody may misjudge a card: what others do is anybody's guess. Where all hands lie open, play by chance
// was found to tell more.
constexpr double kNoise = 20, kNoiseInTheOpen = 1000;
constexpr double kRivals = 0.3;  // what a head of all rivals together counts, against one of mine
constexpr int kMeans = 64, kMeanScale = 8;

// The chance of at least `wanted` events if `mean / kMeanScale` are expected (Poisson).
const auto kAtLeast = [] {
    std::array<std::array<double, kMeans>, kFull> chances{};
    for (int mean = 0; mean < kMeans; ++mean) {
        const double expected = static_cast<double>(mean) / kMeanScale;
        double exactly = std::exp(-expected), fewer = 0;
        for (int wanted = 0; wanted < kFull; ++wanted) {
            chances[wanted][mean] = 1 - fewer;
            fewer += exactly;
            exactly *= expected / (wanted + 1);
        }
    }
    return chances;
}();

struct Row {
    int first, last, size, heads;
};

// The rows during a playout.
class Table {
public:
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

    // The row where a card goes; -1 if it fits nowhere. `distance` is how far it is from its neighbour there.
    int place(int card, int& distance) const {
        int found = -1;
        distance = 1000;
        for (int at = 0; at < kRows; ++at) {
            int steps = card - rows_[at].last;
            if (both_ends_ && steps < 0) steps = rows_[at].first - card;
            if (steps >= 0 && steps < distance) found = at, distance = steps;
        }
        return found;
    }

    int cheapest() const {
        int found = 0;
        for (int at = 1; at < kRows; ++at)
            if (rows_[at].heads < rows_[found].heads) found = at;
        return found;
    }

    // Lays a card where it goes. Returns the heads that it takes.
    int lay(int card) {
        int distance = 0;
        const int at = place(card, distance);
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

struct Hand {
    std::array<int, kLongest> cards;
    int size = 0;

    void add(int card) {
        if (size < kLongest) cards[size++] = card;
    }
    void drop(int at) { cards[at] = cards[--size]; }
    void drop_card(int card) {
        for (int at = 0; at < size; ++at)
            if (cards[at] == card) return drop(at);
    }
};

struct Played {
    int seat, card;
};

class RowPlayouts : public Playouts {
public:
    RowPlayouts(const json::Value& match, const std::string& kind, const json::Value& view)
        : seats_(std::min(kSeats, match["seats"].number())),
          me_(view["seat"].number()),
          turn_size_(match["game"].text == "nifty" ? 2 : 1),
          kind_(kind),
          start_(view, match["game"].text == "professional"),
          hidden_(unseen(match, view)) {
        for (const int card : view["hand"].numbers()) mine_.add(card);
        for (const json::Value& played : view["played"].list)
            if (const auto pair = played.numbers(); pair.size() == 2) queue_.push_back({pair[0], pair[1]});
        for (const json::Value& hand : view["hands"].list) {
            open_.emplace_back();
            for (const int card : hand.numbers()) open_.back().add(card);
        }
        noise_ = open_.empty() ? kNoise : kNoiseInTheOpen;
        for (const int card : hidden_) ++below_[card];
        for (int card = 1; card <= kHighest; ++card) below_[card] += below_[card - 1];
        // The share of the cards I cannot see that is played in a turn.
        per_card_ = hidden_.empty() ? 0.0 : static_cast<double>((seats_ - 1) * turn_size_) / static_cast<double>(hidden_.size());
    }

    void guess(Random& random) override {
        for (std::size_t at = hidden_.size(); at > 1; --at) std::swap(hidden_[at - 1], hidden_[random.below(static_cast<int>(at))]);
        std::size_t next = 0;
        first_.clear();
        for (int seat = 0; seat < seats_; ++seat) {
            hands_[seat] = {};
            if (seat == me_) continue;
            // In the open game, a seat that has shown its card has one card less.
            const bool shown = asked_first() && std::any_of(queue_.begin(), queue_.end(), [seat](Played played) { return played.seat == seat; });
            if (seat < static_cast<int>(open_.size()))
                hands_[seat] = open_[seat];
            else
                while (hands_[seat].size < mine_.size - shown && next < hidden_.size()) hands_[seat].add(hidden_[next++]);
            if (asked_first() && !shown) choose(start_, seat, hands_[seat], first_, random);
        }
        if (asked_first()) first_.insert(first_.end(), queue_.begin(), queue_.end());
    }

    double loss(const json::Value& option, Random& random) override {
        Table table = start_;
        auto hands = hands_;
        hands[me_] = mine_;
        taken_.fill(0);
        if (asked_first()) {
            std::vector<Played>& turn = turn_;
            turn = first_;
            for (const int card : kind_ == "card" ? Cards{option.number()} : option.numbers()) {
                turn.push_back({me_, card});
                hands[me_].drop_card(card);
            }
            lay(table, turn);
        } else {
            finish_turn(table, option.number());
        }
        while (hands[me_].size >= turn_size_) {
            turn_.clear();
            for (int seat = 0; seat < seats_; ++seat) choose(table, seat, hands[seat], turn_, random);
            lay(table, turn_);
        }
        double rivals = 0;
        for (int seat = 0; seat < seats_; ++seat)
            if (seat != me_) rivals += taken_[seat];
        return taken_[me_] - kRivals * rivals / std::max(1, seats_ - 1);
    }

private:
    bool asked_first() const { return kind_ == "card" || kind_ == "cards"; }

    // The heads that a card may be expected to take in this turn.
    double risk(const Table& table, int card) const {
        int distance = 0;
        const int at = table.place(card, distance);
        if (at < 0) return table.row(table.cheapest()).heads;
        const Row& row = table.row(at);
        if (distance == 0) return 0;
        if (row.size == kFull) return row.heads;
        const int between = card > row.last ? below_[card - 1] - below_[row.last] : below_[row.first - 1] - below_[card];
        const int mean = std::min(kMeans - 1, static_cast<int>(between * per_card_ * kMeanScale + 0.5));
        const int wanted = kFull - row.size;
        return (row.heads + 1.7 * wanted) * kAtLeast[wanted][mean];
    }

    // Moves the cards that a seat plays in this turn from its hand to the turn.
    void choose(const Table& table, int seat, Hand& hand, std::vector<Played>& turn, Random& random) const {
        for (int cards = std::min(turn_size_, hand.size); cards > 0; --cards) {
            int best = 0;
            double least = 1e9;
            for (int at = 0; at < hand.size; ++at) {
                const double cost = risk(table, hand.cards[at]) + noise_ / 1024 * random.below(1024);
                if (cost < least) best = at, least = cost;
            }
            turn.push_back({seat, hand.cards[best]});
            hand.drop(best);
        }
    }

    // Lays the cards of a turn. In the nifty game the seat with the lowest card lays both, then the next one.
    void lay(Table& table, std::vector<Played>& turn) {
        std::sort(turn.begin(), turn.end(), [](Played a, Played b) { return a.card < b.card; });
        if (turn_size_ == 1) {
            for (std::size_t at = 0; at < turn.size(); ++at) {
                const auto [seat, card] = turn[at];
                const int heads = table.lay(card);
                taken_[seat] += heads;
                if (heads != 0 && at + 1 < turn.size() && turn[at + 1].card == card) {  // twins of one turn share
                    taken_[seat] += (heads + 1) / 2 - heads;
                    taken_[turn[at + 1].seat] += (heads + 1) / 2;
                }
            }
            return;
        }
        for (std::size_t at = 0; at < turn.size(); ++at) {
            const int seat = turn[at].seat;
            if (seat < 0) continue;
            for (std::size_t other = at; other < turn.size(); ++other)
                if (turn[other].seat == seat) {
                    taken_[seat] += table.lay(turn[other].card);
                    turn[other].seat = -1;
                }
        }
    }

    // Places the open cards if I choose this row, side or order. My card is the first of them.
    void finish_turn(Table& table, int option) {
        std::vector<Played> queue = queue_;
        if (kind_ == "order") {
            std::stable_partition(queue.begin(), queue.end(), [option](Played played) { return played.card == option; });
        } else if (!queue.empty()) {
            const auto [seat, card] = queue.front();
            const int at = std::clamp(option - 1, 0, kRows - 1);
            taken_[seat] += kind_ == "row" ? table.begin(at, card) : table.add(at, card);
            queue.erase(queue.begin());
        }
        std::array<int, kSeats> lowest;
        lowest.fill(1000);
        for (const auto [seat, card] : queue) lowest[seat] = std::min(lowest[seat], card);
        lowest[me_] = 0;  // I go on; then the seats in the order of their lowest cards
        std::stable_sort(queue.begin(), queue.end(), [&lowest](Played a, Played b) { return lowest[a.seat] < lowest[b.seat]; });
        for (const auto [seat, card] : queue) taken_[seat] += table.lay(card);
    }

    int seats_, me_, turn_size_;
    std::string kind_;
    Table start_;
    Cards hidden_;
    std::array<int, kHighest + 1> below_{};  // how many hidden cards are not higher
    double per_card_, noise_;
    Hand mine_;
    std::vector<Hand> open_;      // all hands, in the games that show them
    std::vector<Played> queue_;   // the open cards of this turn
    std::vector<Played> first_;   // what the others play in this turn
    std::vector<Played> turn_;
    std::array<Hand, kSeats> hands_;
    std::array<int, kSeats> taken_{};
};

}  // namespace

std::unique_ptr<Playouts> row_playouts(const json::Value& match, const std::string& kind, const json::Value& view) {
    static const std::array<const char*, 9> games{
        "standard", "tactics", "logic", "tournament", "professional", "open", "nifty", "double", "online"};
    static const std::array<const char*, 5> kinds{"card", "cards", "order", "row", "side"};
    if (std::find(games.begin(), games.end(), match["game"].text) == games.end()) return nullptr;
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) return nullptr;
    if (view["rows"].list.size() != kRows || match["seats"].number() > kSeats) return nullptr;
    return std::make_unique<RowPlayouts>(match, kind, view);
}
