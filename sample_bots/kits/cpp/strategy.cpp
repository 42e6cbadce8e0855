// The strategy: change this file, and log to std::cerr whatever you like.
#include "session.hpp"

#include <algorithm>

using Numbers = std::vector<int>;

/// The cost of a card, in hundredths of a head: what it takes now, or how likely others fill its row before it.
static int risk(int card, const Map &view) {
    const auto rows = view.at("rows").as<std::vector<Numbers>>();
    const auto heads = view.at("row_heads").as<Numbers>();
    const Numbers *home = nullptr;
    for (const auto &row : rows)
        if (row.back() < card && (!home || row.back() > home->back())) home = &row;
    if (!home) return 100 * *std::min_element(heads.begin(), heads.end());
    if (home->size() < 5) return (card - home->back()) * home->size();
    return 100 * heads.at(home - rows.data());
}

template <typename Cost> static Value least(const std::vector<Value> &options, Cost cost) {
    return *std::min_element(options.begin(), options.end(), [&](const Value &one, const Value &other) {
        return cost(one.as<int>()) < cost(other.as<int>());
    });
}

/// Returns one of the options. The first is always legal, also in games and kinds of decisions that are not known yet.
Value choose(const std::string &kind, const Map &view, const std::vector<Value> &options) {
    if (kind == "card") return least(options, [&](int card) { return risk(card, view); });
    if (kind == "row") {
        const auto heads = view.at("row_heads").as<Numbers>();
        return least(options, [&](int row) { return heads.at(row - 1); });
    }
    if (kind == "draft") return options.back();  // the highest card, because low cards take rows
    return options.front();
}
