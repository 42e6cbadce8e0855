import org.msgpack.core.MessagePack
import org.msgpack.value.Value
import org.msgpack.value.ValueFactory.newInteger
import org.msgpack.value.ValueFactory.newMap
import org.msgpack.value.ValueFactory.newString
import java.io.InputStream
import java.io.OutputStream

/** The session with the referee: reads questions from stdin and writes answers to stdout. */
fun main() {
    val output = System.out
    System.setOut(System.err) // stdout belongs to the protocol: println() is for your own log
    play(System.`in`, output)
}

fun play(input: InputStream, output: OutputStream) {
    val packer = MessagePack.newDefaultPacker(output)
    fun send(vararg entries: Pair<String, Value>) {
        packer.packValue(message(*entries)).flush() // or it waits in a buffer
    }
    send("type" to newString("hello"), "protocol" to newInteger(1), "name" to newString("Kotlin kit"))
    val unpacker = MessagePack.newDefaultUnpacker(input)
    while (unpacker.hasNext()) {
        val message = unpacker.unpackValue()
        when (message["type"].text) {
            "welcome" -> Clock.matchBegins(message)
            "decide" -> {
                Clock.questionComes(message)
                // `options` is a list here, but a map in a welcome.
                val option = choose(message["kind"].text, message["view"], message["options"].list)
                send("type" to newString("choice"), "id" to message["id"], "option" to option)
            }
            "bye" -> return
        }
    }
}

fun message(vararg entries: Pair<String, Value>): Value = newMap(entries.associate { (key, value) -> newString(key) to value })

// What a value is, in Kotlin. All of them throw if it is something else.
operator fun Value.get(key: String): Value = asMapValue().map().getValue(newString(key))
val Value.int get() = asIntegerValue().toInt()
val Value.text get() = asStringValue().asString()
val Value.list: List<Value> get() = asArrayValue().list()
val Value.ints get() = list.map { it.int }
