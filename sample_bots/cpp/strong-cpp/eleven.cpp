// 11 nimmt!: cards are laid on stacks, and the heads left in the hand count.
//
// In the playouts everybody lays the card with the most heads, or with bulls as many cards as possible, else takes the cheapest stack.
// Bulls never run out.
#include "playouts.hpp"

namespace {

constexpr int kCards = 100, kReach = 10;
constexpr std::size_t kBullSize = 3;  // least number of cards in a taken stack that earns a bull
constexpr int kLaps = 12;              // a playout ends after this many laps

const auto kHeadsOfEleven = [] {
    std::array<int, kCards + 1> heads{};
    for (int card = 1; card <= kCards; ++card) {
        bool prime = card > 1;
        for (int by = 2; by * by <= card; ++by) prime = prime && card % by != 0;
        heads[card] = card % 10 == 3 ? (prime ? 5 : 7) : prime ? 3 : 1;
    }
    return heads;
}();

// How far a card is above the top of a stack; 1 follows 100.
int distance(int card, int top) { return ((card - top) % kCards + kCards) % kCards; }

bool fits(int card, int top) {
    const int steps = distance(card, top);
    return steps >= 1 && steps <= kReach;
}

struct Begun {  // a stack on which cards were laid in this move
    int at, top;
};

class ElevenPlayouts : public Playouts {
public:
    ElevenPlayouts(const json::Value& match, const std::string& kind, const json::Value& view)
        : kind_(kind), view_(view), me_(view["seat"].number()), seats_(match["seats"].number()), unseen_(unseen(match, view)) {
        for (const json::Value& stack : view["stacks"].list) start_.push_back(stack.numbers());
    }

    void guess(Random& random) override { hands_ = guess_hands(view_, unseen_, random, draw_); }

    // The heads in my hand at the end of the playout, less half of what the others have on average.
    double loss(const json::Value& option, Random&) override {
        left_ = hands_;
        bulls_ = view_["bulls"].numbers();
        stacks_ = start_;
        to_draw_ = draw_;
        begin(option);
        for (int step = 1; step < kLaps * seats_; ++step) {
            const bool over = std::any_of(left_.begin(), left_.end(), [](const Cards& hand) { return hand.empty(); });
            if (over || !move((me_ + step) % seats_)) break;
        }
        double rivals = 0;
        for (int seat = 0; seat < seats_; ++seat)
            if (seat != me_) rivals += heads_of(left_[seat]);
        return heads_of(left_[me_]) - 0.5 * rivals / std::max(1, seats_ - 1);
    }

private:
    static double heads_of(const Cards& hand) {
        double heads = 0;
        for (const int card : hand) heads += kHeadsOfEleven[card];
        return heads;
    }

    // Does what I chose, then finishes my turn.
    void begin(const json::Value& option) {
        if (kind_ == "bull") {
            if (option.number() >= 0 && option.number() < seats_) --bulls_[option.number()];
            ++bulls_[me_];
        } else if (option.kind == json::Value::Kind::integer) {
            take(me_, option.number() - 1);
        } else if (const Cards laid = option.numbers(); laid.size() == 2) {
            std::vector<Begun> begun;
            for (const json::Value& before : view_["laid"].list) begun_on(begun, before.numbers().at(1) - 1);
            begun_on(begun, laid[1] - 1);
            const auto on = std::find_if(begun.begin(), begun.end(), [&laid](Begun stack) { return stack.at == laid[1] - 1; });
            lay(me_, on->at, on->top, laid[0]);
            if (bulls_[me_] > 0) lay_more(me_, begun);
        }
    }

    // Adds a stack, with the card that was its top before this move.
    void begun_on(std::vector<Begun>& begun, int at) const {
        if (std::any_of(begun.begin(), begun.end(), [at](Begun stack) { return stack.at == at; })) return;
        const auto laid = std::count_if(view_["laid"].list.begin(), view_["laid"].list.end(),
                                        [at](const json::Value& pair) { return pair.numbers().at(1) - 1 == at; });
        const Cards& stack = start_.at(at);
        begun.push_back({at, stack.at(stack.size() - 1 - static_cast<std::size_t>(laid))});
    }

    // Plays a turn. Returns false if the seat can neither lay nor take.
    bool move(int seat) {
        int best = -1, at = -1;
        for (const int card : left_[seat])
            for (int stack = 0; stack < static_cast<int>(stacks_.size()); ++stack)
                if (fits(card, stacks_[stack].back()) && (best < 0 || kHeadsOfEleven[card] > kHeadsOfEleven[best])) best = card, at = stack;
        if (best > 0 && bulls_[seat] > 0) {
            std::vector<Begun> begun;
            lay_more(seat, begun);
        } else if (best > 0) {
            lay(seat, at, stacks_[at].back(), best);
        } else if (!stacks_.empty()) {
            take(seat, cheapest());
        } else {
            return false;
        }
        return true;
    }

    int cheapest() const {
        int found = 0;
        for (int at = 1; at < static_cast<int>(stacks_.size()); ++at)
            if (heads_of(stacks_[at]) < heads_of(stacks_[found])) found = at;
        return found;
    }

    int fitting(int seat, int top) const {
        return static_cast<int>(std::count_if(left_[seat].begin(), left_[seat].end(), [top](int card) { return fits(card, top); }));
    }

    // Lays all fitting cards on the stacks begun, and on as many others as there are bulls.
    void lay_more(int seat, std::vector<Begun>& begun) {
        for (const auto [at, top] : begun) lay_all(seat, at, top);
        while (static_cast<int>(begun.size()) < bulls_[seat]) {
            int best = -1, most = 0;
            for (int at = 0; at < static_cast<int>(stacks_.size()); ++at) {
                if (std::any_of(begun.begin(), begun.end(), [at](Begun stack) { return stack.at == at; })) continue;
                if (const int count = fitting(seat, stacks_[at].back()); count > most) best = at, most = count;
            }
            if (best < 0) break;
            begun.push_back({best, stacks_[best].back()});
            lay_all(seat, best, begun.back().top);
        }
    }

    void lay_all(int seat, int at, int top) {
        for (const int card : Cards(left_[seat]))
            if (fits(card, top)) lay(seat, at, top, card);
    }

    // Lays a card on a stack whose top was `top` before the move. The farthest card is the new top.
    void lay(int seat, int at, int top, int card) {
        Cards& hand = left_[seat];
        if (const auto found = std::find(hand.begin(), hand.end(), card); found != hand.end()) hand.erase(found);
        Cards& stack = stacks_.at(at);
        stack.push_back(card);
        if (stack.size() > 1 && distance(stack[stack.size() - 2], top) > distance(card, top)) std::swap(stack.back(), stack[stack.size() - 2]);
    }

    // Takes a stack and turns up two cards.
    void take(int seat, int at) {
        const Cards cards = stacks_.at(at);
        stacks_.erase(stacks_.begin() + at);
        left_[seat].insert(left_[seat].end(), cards.begin(), cards.end());
        bulls_[seat] += cards.size() >= kBullSize;
        for (int turned = 0; turned < 2 && !to_draw_.empty(); ++turned) {
            stacks_.push_back({to_draw_.back()});
            to_draw_.pop_back();
        }
    }

    std::string kind_;
    json::Value view_;
    int me_, seats_;
    Cards unseen_, draw_, to_draw_, bulls_;
    std::vector<Cards> start_, stacks_, hands_, left_;
};

}  // namespace

std::unique_ptr<Playouts> eleven_playouts(const json::Value& match, const std::string& kind, const json::Value& view) {
    static const std::array<const char*, 3> kinds{"play", "more", "bull"};
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end() || match["seats"].number() > kSeats) return nullptr;
    return std::make_unique<ElevenPlayouts>(match, kind, view);
}
