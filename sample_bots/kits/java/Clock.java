import java.time.Duration;
import java.util.Map;

/**
 * The time left for the present decision.
 * A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
 * unless the welcome says "clock": "wall". Java counts it in steps of 10 ms.
 */
class Clock {
    private static final ProcessHandle SELF = ProcessHandle.current();
    private static boolean core = false;
    private static long end = 0;

    /** Chooses the clock of a match. */
    static void matchBegins(Map<String, Object> welcome) {
        core = "core".equals(welcome.get("clock"));
    }

    /** Starts the clock of a question. */
    static void questionComes(Map<String, Object> decide) {
        long limit = decide.get("time") instanceof Map<?, ?> time ? (Long) time.get("limit_us") : 0;
        end = now() + limit * 1000;
    }

    /** Seconds that are left for the present decision, without the bank. Answer well before none is left. */
    static double timeLeft() {
        return (end - now()) / 1e9;
    }

    private static long now() {
        return core ? SELF.info().totalCpuDuration().map(Duration::toNanos).orElseGet(System::nanoTime) : System.nanoTime();
    }
}
