// Deals the cards it cannot see at random and plays the rest of the deal, many thousand times.
#include <ctime>
#include <iostream>
#include <limits>
#include <exception>

#include "playouts.hpp"

namespace {

// Share of the limit to use, most seconds to use, and seconds always left as a margin.
constexpr double kShare = 0.5, kMost = 2.0, kMargin = 0.01;
constexpr int kRounds = 8;  // between two looks at the clock

class Bot {
public:
    void welcome(json::Value message) {
        match_ = std::move(message);
        random_ = Random(static_cast<std::uint64_t>(match_["seed"].integer));
        // Processor time shows what the referee's clock shows: it stands while this bot is frozen and while others have its core.
        clock_ = match_["clock"].text == "core" ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
        begin_ = now();
    }

    // The index of the best option; in unknown games and kinds 0, the first, which is always legal.
    int decide(const json::Value& message) {
        begin_ = now();
        const auto& options = message["options"].list;
        const std::string& kind = message["kind"].text;
        if (options.size() < 2) return 0;
        // A hand is drafted for all seats to see. High cards do well in every deal.
        if (kind == "draft") return static_cast<int>(options.size()) - 1;
        const auto playouts = playouts_for(kind, message["view"]);
        if (playouts == nullptr) return 0;
        const double limit = static_cast<double>(message["time"]["limit_us"].integer) / 1e6;
        // After a fault, the clock of this question may have run for a long time before it was read: answer at once.
        const double budget = message.has("fault") ? 0 : std::max(0.0, std::min({kShare * limit, limit - kMargin, kMost}));
        return best(options, *playouts, budget);
    }

private:
    std::unique_ptr<Playouts> playouts_for(const std::string& kind, const json::Value& view) const {
        const std::string& game = match_["game"].text;
        if (game == "hand") return hand_playouts(match_, kind, view);
        if (game == "eleven") return eleven_playouts(match_, kind, view);
        return row_playouts(match_, kind, view);
    }

    double now() const {
        timespec time{};
        clock_gettime(clock_, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    }

    // After each part of the time, the worse half of the options is dropped.
    int best(const std::vector<json::Value>& options, Playouts& playouts, double budget) {
        std::vector<double> losses(options.size(), 0.0);
        std::vector<int> left(options.size());
        for (std::size_t index = 0; index < left.size(); ++index) left[index] = static_cast<int>(index);
        int parts = 0;
        while ((std::size_t{1} << parts) < options.size()) ++parts;
        for (int part = 1; part <= parts; ++part) {
            do {
                for (int round = 0; round < (budget > 0 ? kRounds : 1); ++round) {
                    // All options are tried against the same hidden cards, so that their differences owe less to luck.
                    playouts.guess(random_);
                    for (const int index : left) losses[index] += playouts.loss(options[index], random_);
                }
            } while (now() - begin_ < budget * part / parts);
            std::stable_sort(left.begin(), left.end(), [&losses](int a, int b) { return losses[a] < losses[b]; });
            left.resize((left.size() + 1) / 2);
        }
        return left.front();
    }

    json::Value match_;
    Random random_{1};
    clockid_t clock_ = CLOCK_MONOTONIC;
    double begin_ = 0;
};

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::cout << R"({"type":"hello","protocol":1,"name":"montecarlo-cpp"})" << std::endl;
    Bot bot;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            json::Value message = json::parse(line);
            const std::string type = message["type"].text;
            if (type == "welcome")
                bot.welcome(std::move(message));
            else if (type == "decide")
                std::cout << R"({"type":"choice","id":)" << message["id"].integer << R"(,"index":)" << bot.decide(message) << "}" << std::endl;
            else if (type == "bye")
                return 0;
        } catch (const std::exception& error) {
            std::cerr << "a message could not be read: " << error.what() << '\n';
        }
    }
}
