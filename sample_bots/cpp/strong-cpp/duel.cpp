// Plays the search against a copy of the Python bot montecarlo, many deals a second and without a referee; and fits the habits.
// It is not part of the bot. To build it:
//
//     g++ -std=c++20 -O3 -o duel duel.cpp eleven.cpp habits.cpp hand.cpp hidden.cpp json.cpp rows.cpp search.cpp
//
// Usage:
//
//     ./duel play GAME SEATS DEALS PLAYOUTS MONTECARLO [NAME=VALUE...]
//         DEALS deals of standard, tactics, professional or logic with PLAYOUTS playouts a decision for us and
//         MONTECARLO for montecarlo, who have every second seat. Elo from all pairs of one of us and one of them, each deal a cluster.
//         NAME=VALUE changes our recipe (recipe.hpp).
//     ./duel fit GAME SEATS DEALS PLAYOUTS
//         Plays copies of montecarlo against each other, fits the habits to what they choose, and prints them as a line of habits.inc.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>

#include "habits.hpp"
#include "search.hpp"

namespace {

using json::Value;

constexpr int kHand = 10;

Value number(int integer) {
    Value value;
    value.kind = Value::Kind::integer;
    value.integer = integer;
    return value;
}

Value word(const std::string& text) {
    Value value;
    value.kind = Value::Kind::text;
    value.text = text;
    return value;
}

template <typename Items, typename Make>
Value list(const Items& items, Make make) {
    Value value;
    value.kind = Value::Kind::list;
    for (const auto& item : items) value.list.push_back(make(item));
    return value;
}

Value numbers(const Cards& cards) { return list(cards, number); }

// Everybody plays by chance, and only one's own heads count: what the Python bot does.
class ByChance : public Playouts {
public:
    ByChance(const Value& match, const Value& view)
        : seats_(match["seats"].number()), me_(view["seat"].number()), start_(view, match["game"].text == "professional"),
          mine_(view["hand"].numbers()), hidden_(unseen(match, view)), cards_(seats_) {
        for (const Value& hand : view["hands"].list) open_.push_back(hand.numbers());
    }

    void guess(Random& random) override {
        random.shuffle(mine_);
        if (open_.empty()) random.shuffle(hidden_);
        for (Cards& hand : open_) random.shuffle(hand);
    }

    double loss(const Value& option, Random&) override {
        Table table = start_;
        Cards mine = mine_;
        std::swap(mine.front(), *std::find(mine.begin(), mine.end(), option.number()));
        int taken = 0;
        for (std::size_t turn = 0; turn < mine.size(); ++turn) {
            for (int seat = 0, other = 0; seat < seats_; ++seat)
                cards_[seat] = seat == me_     ? mine[turn]
                              : open_.empty() ? hidden_[mine.size() * static_cast<std::size_t>(other++) + turn]
                                              : open_[seat][turn];
            std::sort(cards_.begin(), cards_.end());
            for (const int card : cards_) {
                const int heads = table.lay(card);
                if (card == mine[turn]) taken += heads;
            }
        }
        return taken;
    }

private:
    int seats_, me_;
    Table start_;
    Cards mine_, hidden_, cards_;
    std::vector<Cards> open_;
};

struct Player {
    long playouts = 1;
    bool by_chance = false;
    Recipe recipe{};
};

// What was chosen once: the situation of each card in hand.
struct Choice {
    std::vector<int> situations;
    int chosen;
};

// One deal; the low card takes the cheapest row. Returns the heads by seat.
std::array<int, kSeats> play_deal(const Value& match, const std::vector<const Player*>& players, Random& cards, Random& random,
                                  std::vector<Choice>* choices) {
    const int seats = match["seats"].number();
    const std::string& game = match["game"].text;
    Cards deck(game == "standard" || game == "professional" ? kHighest : std::min(kHighest, kHand * seats + kRows));
    for (std::size_t at = 0; at < deck.size(); ++at) deck[at] = static_cast<int>(at) + 1;
    cards.shuffle(deck);
    std::vector<Cards> hands(seats), rows;
    if (game == "logic") {  // everybody drafts the highest card
        std::sort(deck.begin(), deck.end());
        for (int seat = 0; hands.back().size() < kHand; seat = (seat + 1) % seats) {
            hands[seat].push_back(deck.back());
            deck.pop_back();
        }
    }
    auto next = deck.begin();
    for (Cards& hand : hands) {
        while (hand.size() < kHand) hand.push_back(*next++);
        std::sort(hand.begin(), hand.end());
    }
    for (int row = 0; row < kRows; ++row) rows.push_back({*next++});
    std::vector<Cards> piles(seats);
    std::array<int, kSeats> heads{};
    while (!hands.front().empty()) {
        Value view;
        view.map["rows"] = list(rows, numbers);
        view.map["row_heads"] = list(rows, [](const Cards& row) {
            int sum = 0;
            for (const int card : row) sum += kHeads[card];
            return number(sum);
        });
        view.map["piles"] = list(piles, numbers);
        if (game == "logic") view.map["hands"] = list(hands, numbers);
        const Table table(view, game == "professional");
        std::vector<std::pair<int, int>> turn;
        for (int seat = 0; seat < seats; ++seat) {
            view.map["seat"] = number(seat);
            view.map["hand"] = numbers(hands[seat]);
            const auto& options = view["hand"].list;
            int chosen = 0;
            if (options.size() > 1) {
                const Player& player = *players[seat];
                const std::unique_ptr<Playouts> playouts =
                    player.by_chance ? std::make_unique<ByChance>(match, view) : row_playouts(match, "card", view, player.recipe);
                chosen = best_option(options, *playouts, random, [&player](long made) { return static_cast<double>(made) / player.playouts; });
                if (choices != nullptr) {
                    Cards out = unseen(match, view);
                    out.insert(out.end(), hands[seat].begin(), hands[seat].end());
                    const Habits habits(seats, game == "professional", 1, out);
                    choices->push_back({{}, chosen});
                    for (const int card : hands[seat]) choices->back().situations.push_back(habits.situation(table, card));
                }
            }
            turn.emplace_back(hands[seat][chosen], seat);
        }
        std::sort(turn.begin(), turn.end());
        Table after = table;
        for (const auto& [card, seat] : turn) {
            std::erase(hands[seat], card);
            int at = after.place(card);
            if (at < 0) at = after.cheapest();
            const int taken = after.lay(card);
            heads[seat] += taken;
            if (taken > 0) {
                piles[seat].insert(piles[seat].end(), rows[at].begin(), rows[at].end());
                rows[at].clear();
            }
            rows[at].push_back(card);
            std::sort(rows[at].begin(), rows[at].end());
        }
    }
    return heads;
}

Value match_of(const std::string& game, int seats) {
    Value match;
    match.map["game"] = word(game);
    match.map["seats"] = number(seats);
    return match;
}

double elo(double share) { return -400 * std::log10(1 / share - 1); }

void play(const std::string& game, int seats, int deals, const Player& us, const Player& them) {
    double sum = 0, squares = 0, our_heads = 0, their_heads = 0;
    for (int deal = 0; deal < deals; ++deal) {
        Random cards(2 * deal + 1), random(2 * deal + 2);
        const auto ours = [deal](int seat) { return (seat + deal) % 2 == 0; };
        std::vector<const Player*> players;
        for (int seat = 0; seat < seats; ++seat) players.push_back(ours(seat) ? &us : &them);
        const auto heads = play_deal(match_of(game, seats), players, cards, random, nullptr);
        double won = 0, pairs = 0, we = 0;
        for (int seat = 0; seat < seats; ++seat) {
            (ours(seat) ? our_heads : their_heads) += heads[seat];
            if (!ours(seat)) continue;
            ++we;
            for (int other = 0; other < seats; ++other)
                if (!ours(other)) won += heads[seat] < heads[other] ? 1 : heads[seat] == heads[other] ? 0.5 : 0, ++pairs;
        }
        sum += won / pairs;
        squares += won / pairs * won / pairs;
    }
    const double mean = sum / deals, error = std::sqrt((squares / deals - mean * mean) / (deals - 1));
    const double half = (elo(std::min(0.999, mean + 1.96 * error)) - elo(std::max(0.001, mean - 1.96 * error))) / 2;
    const double each = deals * seats / 2.0;
    std::printf("%s, %d seats, %d deals: %+.0f +- %.0f Elo, heads %.2f v %.2f, %.1f s\n", game.c_str(), seats, deals, elo(mean), half,
                our_heads / each, their_heads / each, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
}

// Multinomial logit by stochastic gradients (AdaGrad). Situations that were never met keep a weight of 1.
std::vector<double> fitted(const std::vector<Choice>& choices) {
    constexpr int kSweeps = 40;
    constexpr double kRate = 0.5, kShrink = 1e-4;
    std::vector<double> logs(Habits::kSituations), squares(Habits::kSituations, 1e-8);
    for (int sweep = 0; sweep < kSweeps; ++sweep)
        for (const auto& [situations, chosen] : choices) {
            std::vector<double> chances;
            double all = 0;
            for (const int at : situations) all += chances.emplace_back(std::exp(logs[at]));
            for (std::size_t card = 0; card < situations.size(); ++card) {
                const int at = situations[card];
                const double slope = chances[card] / all - (static_cast<int>(card) == chosen) + kShrink * logs[at];
                squares[at] += slope * slope;
                logs[at] -= kRate * slope / std::sqrt(squares[at]);
            }
        }
    return logs;
}

void fit(const std::string& game, int seats, int deals, const Player& player) {
    std::vector<Choice> choices;
    const std::vector<const Player*> players(seats, &player);
    for (int deal = 0; deal < deals; ++deal) {
        Random cards(2 * deal + 1), random(2 * deal + 2);
        play_deal(match_of(game, seats), players, cards, random, &choices);
    }
    const char* before = "{";
    for (const double log : fitted(choices)) {
        std::printf("%s%d", before, static_cast<int>(std::lround(std::clamp(16 * log, -127.0, 127.0))));
        before = ", ";
    }
    std::puts("},");
}

// Changes one value of a recipe, as in "own_keenness=2".
bool change(Recipe& recipe, const std::string& word) {
    const std::map<std::string, float Recipe::*> names{
        {"rivals_keenness", &Recipe::rivals_keenness}, {"own_keenness", &Recipe::own_keenness}, {"rivals_heads", &Recipe::rivals_heads}};
    const auto equals = word.find('=');
    const auto found = names.find(word.substr(0, equals));
    if (found == names.end() || equals == std::string::npos) return false;
    recipe.*found->second = std::strtof(word.c_str() + equals + 1, nullptr);
    return true;
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> said(words + 1, words + count);
    if (said.size() >= 6 && said[0] == "play") {
        Player us{std::atol(said[4].c_str())}, them{std::atol(said[5].c_str()), true};
        bool known = true;
        for (std::size_t at = 6; at < said.size(); ++at) known = known && change(us.recipe, said[at]);
        if (known) return play(said[1], std::atoi(said[2].c_str()), std::atoi(said[3].c_str()), us, them), 0;
    } else if (said.size() == 5 && said[0] == "fit") {
        return fit(said[1], std::atoi(said[2].c_str()), std::atoi(said[3].c_str()), {std::atol(said[4].c_str()), true}), 0;
    }
    std::fputs("usage: duel play GAME SEATS DEALS PLAYOUTS MONTECARLO [NAME=VALUE...] | duel fit GAME SEATS DEALS PLAYOUTS\n", stderr);
    return 2;
}
