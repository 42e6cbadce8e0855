// The time left for the present decision.
// A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
// unless the welcome says "clock": "wall".
#include "session.hpp"

#include <ctime>

static clockid_t clock_id = CLOCK_MONOTONIC;
static double limit_end = 0;

static double now() {
    timespec time;
    clock_gettime(clock_id, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

void match_begins(const Map &welcome) {
    const auto clock = welcome.find("clock");
    const bool core = clock != welcome.end() && clock->second.as<std::string>() == "core";
    clock_id = core ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
}

void question_comes(const Map &decide) {
    const auto time = decide.find("time");
    limit_end = now() + (time == decide.end() ? 0 : time->second.as<Map>().at("limit_us").as<double>() / 1e6);
}

double time_left() {
    return limit_end - now();
}
