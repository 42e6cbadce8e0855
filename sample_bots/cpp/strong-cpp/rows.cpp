// The games of four rows in which all seats play at the same time, or nearly so.
//
// In the playouts everybody plays as players of sense usually do (habits.hpp), and a low card takes the cheapest row.
#include <cmath>
#include <numeric>

#include "habits.hpp"
#include "playouts.hpp"

namespace {

constexpr int kLongest = 16;

struct Hand {
    std::array<std::uint8_t, kLongest> cards;
    int size = 0;

    void add(int card) {
        if (size < kLongest) cards[size++] = static_cast<std::uint8_t>(card);
    }
    int drop(int at) {
        const int card = cards[at];
        cards[at] = cards[--size];
        return card;
    }
    void drop_card(int card) {
        for (int at = 0; at < size; ++at)
            if (cards[at] == card) {
                drop(at);
                return;
            }
    }
};

struct Played {
    int seat, card;
};

// Moves a card that a seat plays from its hand to the turn.
void choose(const Habits& habits, const Table& table, int seat, Hand& hand, std::vector<Played>& turn, Random& random) {
    std::array<float, kLongest> upto;
    float sum = 0;
    for (int at = 0; at < hand.size; ++at) upto[at] = sum += habits.weight(table, hand.cards[at]);
    const float drawn = random.share() * sum;
    int at = 0;
    while (at + 1 < hand.size && upto[at] <= drawn) ++at;
    turn.push_back({seat, hand.drop(at)});
}

// Lays the cards of a turn, the lowest first.
void lay(Table& table, std::vector<Played>& turn, std::array<int, kSeats>& taken) {
    std::sort(turn.begin(), turn.end(), [](Played a, Played b) { return a.card < b.card; });
    for (std::size_t at = 0; at < turn.size(); ++at) {
        const auto [seat, card] = turn[at];
        const int heads = table.lay(card);
        taken[seat] += heads;
        if (heads != 0 && at + 1 < turn.size() && turn[at + 1].card == card) {  // twins of one turn share
            taken[seat] += (heads + 1) / 2 - heads;
            taken[turn[at + 1].seat] += (heads + 1) / 2;
        }
    }
}

// Lays the cards of a turn of the nifty game: the seat with the lowest card lays both, then the next one.
void lay_pairs(Table& table, std::vector<Played>& turn, std::array<int, kSeats>& taken) {
    std::sort(turn.begin(), turn.end(), [](Played a, Played b) { return a.card < b.card; });
    std::array<bool, kSeats> done{};
    for (std::size_t at = 0; at < turn.size(); ++at) {
        const int seat = turn[at].seat;
        if (done[seat]) continue;
        done[seat] = true;
        for (std::size_t other = at; other < turn.size(); ++other)
            if (turn[other].seat == seat) taken[seat] += table.lay(turn[other].card);
    }
}

// The cards that may be played in this deal: those that lie hidden, mine, and those that are open but not laid yet.
Cards out(const json::Value& match, const json::Value& view) {
    Cards cards = unseen(match, view);
    for (const int card : view["hand"].numbers()) cards.push_back(card);
    for (const json::Value& played : view["played"].list)
        if (const auto pair = played.numbers(); pair.size() == 2 && pair[1] > 0 && pair[1] <= kHighest) cards.push_back(pair[1]);
    return cards;
}

// My heads, less what the heads of the rivals count.
double loss_of(int me, int seats, const std::array<int, kSeats>& taken, float rivals_heads) {
    const int all = std::accumulate(taken.begin(), taken.begin() + seats, 0);
    return taken[me] - rivals_heads * static_cast<float>(all - taken[me]) / static_cast<float>(seats - 1);
}

class RowPlayouts : public Playouts {
public:
    RowPlayouts(const json::Value& match, const std::string& kind, const json::Value& view, const Recipe& recipe)
        : seats_(match["seats"].number()),
          me_(view["seat"].number()),
          turn_size_(match["game"].text == "nifty" ? 2 : 1),
          kind_(kind),
          both_ends_(match["game"].text == "professional"),
          start_(view, both_ends_),
          hidden_(unseen(match, view)),
          habits_(seats_, both_ends_, turn_size_, out(match, view), recipe.rivals_keenness),
          own_habits_(seats_, both_ends_, turn_size_, out(match, view), recipe.own_keenness),
          rivals_heads_(recipe.rivals_heads) {
        for (const int card : view["hand"].numbers()) mine_.add(card);
        for (const json::Value& played : view["played"].list)
            if (const auto pair = played.numbers(); pair.size() == 2) queue_.push_back({pair[0], pair[1]});
        for (const json::Value& hand : view["hands"].list) {
            open_.emplace_back();
            for (const int card : hand.numbers()) open_.back().add(card);
        }
    }

    void guess(Random& random) override {
        std::size_t next = 0;
        first_.clear();
        for (int seat = 0; seat < seats_; ++seat) {
            Hand& hand = hands_[seat] = {};
            if (seat == me_) continue;
            // In the open game, a seat that has shown its card has one card less.
            const bool shown = asked_first() && std::any_of(queue_.begin(), queue_.end(), [seat](Played played) { return played.seat == seat; });
            if (seat < static_cast<int>(open_.size()))
                hand = open_[seat];
            else
                for (; hand.size < mine_.size - shown && next < hidden_.size(); ++next) {
                    std::swap(hidden_[next], hidden_[next + random.below(static_cast<int>(hidden_.size() - next))]);
                    hand.add(hidden_[next]);
                }
            if (asked_first() && !shown) play(start_, seat, hand, first_, random);
        }
        if (asked_first()) first_.insert(first_.end(), queue_.begin(), queue_.end());
    }

    double loss(const json::Value& option, Random& random) override {
        Table table = start_;
        auto hands = hands_;
        hands[me_] = mine_;
        taken_.fill(0);
        if (asked_first()) {
            turn_ = first_;
            const auto put = [&](int card) {
                turn_.push_back({me_, card});
                hands[me_].drop_card(card);
            };
            if (kind_ == "card")
                put(option.number());
            else
                for (const int card : option.numbers()) put(card);
            lay_turn(table);
        } else {
            finish_turn(table, option.number());
        }
        while (hands[me_].size >= turn_size_) {
            turn_.clear();
            for (int seat = 0; seat < seats_; ++seat) play(table, seat, hands[seat], turn_, random);
            lay_turn(table);
        }
        return loss_of(me_, seats_, taken_, rivals_heads_);
    }

private:
    bool asked_first() const { return kind_ == "card" || kind_ == "cards"; }

    void play(const Table& table, int seat, Hand& hand, std::vector<Played>& turn, Random& random) const {
        for (int cards = std::min(turn_size_, hand.size); cards > 0; --cards) choose(seat == me_ ? own_habits_ : habits_, table, seat, hand, turn, random);
    }

    void lay_turn(Table& table) {
        if (turn_size_ == 1)
            lay(table, turn_, taken_);
        else
            lay_pairs(table, turn_, taken_);
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
    bool both_ends_;
    Table start_;
    Cards hidden_;
    Habits habits_, own_habits_;
    float rivals_heads_;
    Hand mine_;
    std::vector<Hand> open_;     // all hands, in the games that show them
    std::vector<Played> queue_;  // the open cards of this turn
    std::vector<Played> first_;  // what the others play in this turn
    std::vector<Played> turn_;
    std::array<Hand, kSeats> hands_;
    std::array<int, kSeats> taken_{};
};

}  // namespace

std::unique_ptr<Playouts> row_playouts(const json::Value& match, const std::string& kind, const json::Value& view,
                                       const Recipe& recipe) {
    static const std::array<const char*, 9> games{
        "standard", "tactics", "logic", "tournament", "professional", "open", "nifty", "double", "online"};
    static const std::array<const char*, 5> kinds{"card", "cards", "order", "row", "side"};
    if (std::find(games.begin(), games.end(), match["game"].text) == games.end() || match["seats"].number() > kSeats) return nullptr;
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end() || view["rows"].list.size() != kRows) return nullptr;
    return std::make_unique<RowPlayouts>(match, kind, view, recipe);
}
