// The session with the referee, and the time a decision may take. The search is in search.cpp.
//
//     ./strong                    thinks for half of each limit
//     ./strong --playouts 20000   makes about so many playouts for each decision, however long that takes: the same answers each time
#include <charconv>
#include <ctime>
#include <exception>
#include <iostream>

#include "search.hpp"

namespace {

// Share of the limit to use, most seconds to use, and seconds always left as a margin.
constexpr double kShare = 0.5, kMost = 2.0, kMargin = 0.01;

class Bot {
public:
    // `playouts`: how many to make for each decision; 0: as many as there is time for.
    explicit Bot(long playouts) : playouts_(playouts) {}

    void welcome(json::Value message) {
        match_ = std::move(message);
        random_ = Random(static_cast<std::uint64_t>(match_["seed"].integer));
        // Processor time shows what the referee's clock shows: it stands while this bot is frozen and while others have its core.
        clock_ = match_["clock"].text == "core" ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    }

    // The index of the best option; in unknown games and kinds 0, the first, which is always legal.
    int decide(const json::Value& message) {
        const double begin = now();
        const auto& options = message["options"].list;
        if (options.size() < 2) return 0;
        // Playouts tell little about a draft: by them this bot lost to montecarlo, which takes the highest card.
        if (message["kind"].text == "draft") return static_cast<int>(options.size()) - 1;
        const auto playouts = playouts_of(match_, message["kind"].text, message["view"]);
        if (playouts == nullptr) return 0;
        const double limit = static_cast<double>(message["time"]["limit_us"].integer) / 1e6;
        // After a fault, the clock of this question may have run for a long time before it was read: answer at once.
        const double budget = message.has("fault") ? 0 : std::min({kShare * limit, limit - kMargin, kMost});
        return best_option(options, *playouts, random_, [&](long made) {
            if (playouts_ > 0) return static_cast<double>(made) / static_cast<double>(playouts_);
            return budget > 0 ? (now() - begin) / budget : 1.0;
        });
    }

private:
    double now() const {
        timespec time{};
        clock_gettime(clock_, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    }

    long playouts_;
    json::Value match_;
    Random random_{1};
    clockid_t clock_ = CLOCK_MONOTONIC;
};

// The number of playouts that the arguments ask for; 0 if they ask for none, -1 if they cannot be read.
long playouts_asked(const std::vector<std::string_view>& arguments) {
    if (arguments.empty()) return 0;
    if (arguments.size() != 2 || arguments[0] != "--playouts") return -1;
    long asked = -1;
    const auto [end, error] = std::from_chars(arguments[1].data(), arguments[1].data() + arguments[1].size(), asked);
    return error == std::errc() && end == arguments[1].data() + arguments[1].size() && asked > 0 ? asked : -1;
}

}  // namespace

int main(int count, char** words) {
    const long playouts = playouts_asked({words + 1, words + count});
    if (playouts < 0) {
        std::cerr << "usage: " << words[0] << " [--playouts NUMBER]\n";
        return 2;
    }
    std::ios::sync_with_stdio(false);
    std::cout << R"({"type":"hello","protocol":1,"name":"strong-cpp"})" << std::endl;
    Bot bot(playouts);
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
