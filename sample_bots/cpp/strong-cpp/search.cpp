#include "search.hpp"

#include <cmath>

namespace {

constexpr int kStep = 64;         // about so many playouts between two looks at the budget
constexpr double kFarBehind = 4;  // standard errors behind the best option: the decision is easy
constexpr int kEnough = 32;       // steps before an error is believed

// An option and its losses. The loss of a step is that of some playouts, one for each deal of the hidden cards.
struct Candidate {
    int index;
    double total = 0;
    std::vector<double> steps{};
};

// Whether a candidate is worse than the best one beyond doubt. Both met the same hidden cards, so their differences are compared.
bool far_behind(const Candidate& candidate, const Candidate& best) {
    const auto count = static_cast<double>(best.steps.size());
    if (count < kEnough) return false;
    const double mean = (candidate.total - best.total) / count;
    double squares = 0;
    for (std::size_t step = 0; step < best.steps.size(); ++step) {
        const double off = candidate.steps[step] - best.steps[step] - mean;
        squares += off * off;
    }
    return mean > kFarBehind * std::sqrt(squares / (count - 1) / count);
}

}  // namespace

int best_option(const std::vector<json::Value>& options, Playouts& playouts, Random& random, const Spent& spent) {
    std::vector<Candidate> left;
    for (std::size_t index = 0; index < options.size(); ++index) left.push_back({static_cast<int>(index)});
    int parts = 0;
    while ((std::size_t{1} << parts) < options.size()) ++parts;
    long made = 0;
    for (int part = 1; part <= parts && left.size() > 1; ++part) {
        do {
            for (Candidate& candidate : left) candidate.steps.push_back(0);
            const int rounds = std::max(1, kStep / static_cast<int>(left.size()));
            for (int round = 0; round < rounds; ++round) {
                // All options are tried against the same hidden cards, so that their differences owe less to luck.
                playouts.guess(random);
                for (Candidate& candidate : left) candidate.steps.back() += playouts.loss(options[candidate.index], random);
            }
            for (Candidate& candidate : left) candidate.total += candidate.steps.back();
            made += rounds * static_cast<long>(left.size());
        } while (spent(made) * parts < part);
        std::stable_sort(left.begin(), left.end(), [](const Candidate& a, const Candidate& b) { return a.total < b.total; });
        left.resize((left.size() + 1) / 2);
        std::erase_if(left, [best = left.front()](const Candidate& candidate) { return far_behind(candidate, best); });
    }
    return left.front().index;
}

std::unique_ptr<Playouts> playouts_of(const json::Value& match, const std::string& kind, const json::Value& view) {
    const std::string& game = match["game"].text;
    if (game == "hand") return hand_playouts(match, kind, view);
    if (game == "eleven") return eleven_playouts(match, kind, view);
    return row_playouts(match, kind, view);
}
