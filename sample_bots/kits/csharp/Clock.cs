// The time left for the present decision.
// A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
// unless the welcome says "clock": "wall".
using System.Json;
using System.Runtime.InteropServices;

static class Clock
{
    const int Monotonic = 1, ProcessorTimeOfProcess = 2; // CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID

    static int clock = Monotonic;
    static double end;

    /// Chooses the clock of a match.
    public static void MatchBegins(JsonValue welcome)
    {
        var core = welcome.ContainsKey("clock") && (string)welcome["clock"] == "core";
        clock = core ? ProcessorTimeOfProcess : Monotonic;
    }

    /// Starts the clock of a question.
    public static void QuestionComes(JsonValue decide)
    {
        end = Now() + (decide.ContainsKey("time") ? (double)decide["time"]["limit_us"] / 1e6 : 0);
    }

    /// Seconds that are left for the present decision, without the bank. Answer well before none is left.
    public static double TimeLeft()
    {
        return end - Now();
    }

    static double Now()
    {
        Timespec time;
        clock_gettime(clock, out time);
        return (long)time.Seconds + (long)time.Nanoseconds / 1e9;
    }

    struct Timespec
    {
        public System.IntPtr Seconds, Nanoseconds;
    }

    [DllImport("libc")]
    static extern int clock_gettime(int clock, out Timespec time);
}
