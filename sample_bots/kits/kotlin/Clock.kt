import org.msgpack.value.Value
import org.msgpack.value.ValueFactory.newString

/**
 * The time left for the present decision.
 * A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
 * unless the welcome says "clock": "wall". Java counts it in steps of 10 ms.
 */
object Clock {
    private val self = ProcessHandle.current()
    private var core = false
    private var end = 0L

    private val used get() = self.info().totalCpuDuration().map { it.toNanos() }.orElseGet { System.nanoTime() }

    private val now get() = if (core) used else System.nanoTime()

    /** Chooses the clock of a match. */
    fun matchBegins(welcome: Value) {
        core = welcome.asMapValue().map()[newString("clock")] == newString("core")
    }

    /** Starts the clock of a question. */
    fun questionComes(decide: Value) {
        val time = decide.asMapValue().map()[newString("time")]
        end = now + (time?.get("limit_us")?.asIntegerValue()?.toLong() ?: 0) * 1000
    }

    /** Seconds that are left for the present decision, without the bank. Answer well before none is left. */
    fun timeLeft() = (end - now) / 1e9
}
