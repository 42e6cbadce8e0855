#include "hidden.hpp"

namespace {

std::array<int, kHighest + 1> deck(const json::Value& match) {
    const std::string& game = match["game"].text;
    const json::Value& options = match["options"];
    std::array<int, kHighest + 1> count{};
    int first = 1, last = kHighest;
    if (game == "tactics" || game == "logic" || game == "tournament" || options["tactics"].integer)
        last = std::min(kHighest, 10 * match["seats"].number() + 4);
    else if (game == "eleven")
        last = 100;
    else if (game == "open")
        first = 2;
    for (int card = first; card <= last; ++card) count[card] = 1;
    if (game == "double")
        for (int card = 1; card <= kHighest; ++card)
            if (!options["doublets"].integer || (card % 11 == 0 && card < 100)) ++count[card];
    return count;
}

}  // namespace

Cards unseen(const json::Value& match, const json::Value& view) {
    auto count = deck(match);
    const auto see = [&count](const json::Value& cards) {
        for (const int card : cards.numbers())
            if (card >= 0 && card <= kHighest) --count[card];
    };
    const auto see_each = [&see](const json::Value& groups) {
        for (const json::Value& cards : groups.list) see(cards);
    };
    see(view["hand"]);
    see(view["taken"]);
    for (const char* groups : {"rows", "stacks", "piles"}) see_each(view[groups]);
    const auto& known = view["known"].list;
    for (std::size_t seat = 0; seat < known.size(); ++seat)
        if (static_cast<int>(seat) != view["seat"].number()) see(known[seat]);
    for (const json::Value& shared : view["shared"].list)
        if (shared.list.size() == 3) see(shared.list[2]);
    for (const json::Value& played : view["played"].list)
        if (const auto pair = played.numbers(); pair.size() == 2 && pair[1] >= 0 && pair[1] <= kHighest) --count[pair[1]];
    Cards cards;
    for (int card = 1; card <= kHighest; ++card)
        for (int times = 0; times < count[card]; ++times) cards.push_back(card);
    return cards;
}

std::vector<Cards> guess_hands(const json::Value& view, Cards& hidden, Random& random, Cards& rest) {
    random.shuffle(hidden);
    const int me = view["seat"].number();
    const Cards sizes = view["hand_sizes"].numbers();
    std::vector<Cards> hands;
    std::size_t at = 0;
    for (int seat = 0; seat < static_cast<int>(sizes.size()); ++seat) {
        hands.push_back(seat == me ? view["hand"].numbers() : view["known"].list[seat].numbers());
        while (seat != me && static_cast<int>(hands.back().size()) < sizes[seat] && at < hidden.size())
            hands.back().push_back(hidden[at++]);
    }
    rest.assign(hidden.begin() + at, hidden.end());
    return hands;
}
