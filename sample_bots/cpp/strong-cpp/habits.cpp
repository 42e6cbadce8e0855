#include "habits.hpp"

#include <cmath>

namespace {

// Natural logarithms of the weights, times kScale.
constexpr float kScale = 16;
constexpr std::int8_t kFitted[Habits::kTables][Habits::kSituations] = {
#include "habits.inc"
};

// Upper ends of the classes, in cards that are expected to come in before this one.
constexpr std::array<float, Habits::kComing - 1> kComingUpTo{0.001F, 0.1F, 0.2F, 0.35F, 0.55F, 0.8F, 1.2F, 1.8F, 2.8F};

}  // namespace

Habits::Habits(int seats, bool both_ends, int cards_a_turn, const Cards& out, float keenness) {
    for (const int card : out) ++below_[card];
    for (int card = 1; card <= kHighest; ++card) below_[card] += below_[card - 1];
    const float share = out.empty() ? 0.0F : static_cast<float>((seats - 1) * cards_a_turn) / static_cast<float>(out.size());
    for (std::size_t between = 0; between < coming_.size(); ++between) {
        const float expected = share * static_cast<float>(between);
        coming_[between] = std::lower_bound(kComingUpTo.begin(), kComingUpTo.end(), expected) - kComingUpTo.begin();
    }
    const int fitted_to = both_ends ? 3 : seats <= 2 ? 0 : seats <= 6 ? 1 : 2;
    for (int at = 0; at < kSituations; ++at) weights_[at] = std::exp(keenness * kFitted[fitted_to][at] / kScale);
}
