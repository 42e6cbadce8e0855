// The hand game: one or two open cards at a time, and cards that are taken may go to the hand.
//
// In the playouts everybody plays the card with the most heads that takes nothing, then another such card, and keeps nothing.
#include "playouts.hpp"
#include "table.hpp"

namespace {

constexpr int kLongestPile = 20;
constexpr int kTurns = 15;  // a playout ends after this many turns; with this policy, few deals last that long

class HandPlayouts : public Playouts {
public:
    HandPlayouts(const json::Value& match, const std::string& kind, const json::Value& view)
        : kind_(kind), view_(view), me_(view["seat"].number()), seats_(match["seats"].number()), unseen_(unseen(match, view)),
          start_(view, false), rows_(start_) {}

    void guess(Random& random) override {
        Cards rest;
        hands_ = guess_hands(view_, unseen_, random, rest);
        for (Cards& hand : hands_) by_heads(hand);
    }

    // The heads of my pile at the end of the deal, plus twice those of my hand.
    double loss(const json::Value& option, Random&) override {
        rows_ = start_;
        left_ = hands_;
        piles_.fill(0);
        taken_.fill(0);
        for (int seat = 0; seat < seats_; ++seat) piles_[seat] = static_cast<int>(view_["piles"].list.at(seat).list.size());
        begin(option);
        for (int step = 1; step < kTurns * seats_; ++step) {
            const int mover = (me_ + step) % seats_;
            if (mover == view_["first"].number() && is_over()) break;
            if (!play_safely(mover) && !left_[mover].empty()) play(mover, cheapest_card(left_[mover]));
            play_safely(mover);
        }
        return loss_of(me_) - rivals();
    }

private:
    double loss_of(int seat) const {
        double heads = taken_[seat];
        for (const int card : left_[seat]) heads += 2 * kHeads[card];
        return heads;
    }

    double rivals() const {
        double heads = 0;
        for (int seat = 0; seat < seats_; ++seat)
            if (seat != me_) heads += loss_of(seat);
        return 0.5 * heads / std::max(1, seats_ - 1);
    }

    static void by_heads(Cards& hand) {
        std::stable_sort(hand.begin(), hand.end(), [](int a, int b) { return kHeads[a] > kHeads[b]; });
    }

    bool is_over() const {
        return *std::max_element(piles_.begin(), piles_.begin() + seats_) > kLongestPile ||
               std::any_of(left_.begin(), left_.end(), [](const Cards& hand) { return hand.empty(); });
    }

    // Does what I chose, then finishes my turn.
    void begin(const json::Value& option) {
        if (kind_ == "more") {
            if (option.kind == json::Value::Kind::integer) play(me_, option.number());
            return;
        }
        if (kind_ == "card") {
            play(me_, option.number());
        } else if (kind_ == "row") {
            const int at = std::clamp(option.number() - 1, 0, kRows - 1);
            const Cards played = view_["played"].list.at(0).numbers();
            take(me_, at, played.at(1));
        } else {
            const Cards kept = option.numbers();
            int cards = 0, heads = 0;
            for (const int card : view_["taken"].numbers()) {
                if (std::find(kept.begin(), kept.end(), card) != kept.end()) {
                    left_[me_].push_back(card);
                } else {
                    ++cards;
                    heads += kHeads[card];
                }
            }
            by_heads(left_[me_]);
            pile(me_, cards, heads);
        }
        if (!view_["second"].integer) play_safely(me_);
    }

    int cost(int card) const {
        const int at = rows_.place(card);
        if (at < 0) return rows_.row(rows_.cheapest()).heads;
        return rows_.row(at).size == kFull ? rows_.row(at).heads : 0;
    }

    int cheapest_card(const Cards& hand) const {
        return *std::min_element(hand.begin(), hand.end(), [this](int a, int b) { return cost(a) < cost(b); });
    }

    // Lays the first card that takes nothing. Returns false if there is none.
    bool play_safely(int seat) {
        for (const int card : left_[seat])
            if (cost(card) == 0) {
                play(seat, card);
                return true;
            }
        return false;
    }

    // Lays a card. A row that it takes goes to the pile.
    void play(int seat, int card) {
        Cards& hand = left_[seat];
        if (const auto found = std::find(hand.begin(), hand.end(), card); found != hand.end()) hand.erase(found);
        const int at = rows_.place(card);
        if (at < 0)
            take(seat, rows_.cheapest(), card);
        else if (rows_.row(at).size == kFull)
            take(seat, at, card);
        else
            rows_.add(at, card);
    }

    // Takes a row, which begins anew with the card.
    void take(int seat, int at, int card) {
        pile(seat, rows_.row(at).size, rows_.row(at).heads);
        rows_.begin(at, card);
    }

    void pile(int seat, int cards, int heads) {
        piles_[seat] += cards;
        taken_[seat] += heads;
    }

    std::string kind_;
    json::Value view_;
    int me_, seats_;
    Cards unseen_;
    Table start_, rows_;
    std::vector<Cards> hands_, left_;
    std::array<int, kSeats> piles_{}, taken_{};
};

}  // namespace

std::unique_ptr<Playouts> hand_playouts(const json::Value& match, const std::string& kind, const json::Value& view) {
    static const std::array<const char*, 4> kinds{"card", "row", "keep", "more"};
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) return nullptr;
    if (view["rows"].list.size() != kRows || match["seats"].number() > kSeats) return nullptr;
    return std::make_unique<HandPlayouts>(match, kind, view);
}
