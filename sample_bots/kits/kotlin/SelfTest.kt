import org.msgpack.core.MessagePack
import org.msgpack.value.Value
import org.msgpack.value.ValueFactory.newArray
import org.msgpack.value.ValueFactory.newInteger
import org.msgpack.value.ValueFactory.newString
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream

fun main() {
    testStrategy()
    testSession()
    println("all is well")
}

fun testStrategy() {
    val rows = newArray(ints(15), ints(11, 13), ints(8), ints(50, 51, 52, 53, 54))
    val view = message("rows" to rows, "row_heads" to ints(2, 6, 1, 11))
    check("a card that fits closely is better than a sixth one", 16, choose("card", view, ints(1, 16, 60).list).int)
    check("the row with the fewest heads is taken", 3, choose("row", view, ints(1, 2, 3, 4).list).int)
    check("the highest card is drafted", 10, choose("draft", message(), ints(1, 7, 10).list).int)
    check("an unknown kind gets the first option", ints(), choose("dance", message(), listOf(ints(), ints(5))))
}

/** A session whose bytes come one by one, with all that may be added later. */
fun testSession() {
    val options = listOf(newInteger(5), newString("stop"), ints(), ints(3, 104), newInteger(1 shl 20))
    val input = ByteArrayOutputStream()
    val referee = MessagePack.newDefaultPacker(input)
    referee.packValue(message("type" to newString("welcome"), "options" to message(), "seed" to newInteger(1L shl 47)))
    for (option in options) {
        referee.packValue(message("type" to newString("news"), "options" to newInteger(3)))
        referee.packValue(message(
            "type" to newString("decide"), "id" to newInteger(2147483647), "kind" to newString("new"),
            "view" to message("rows" to newInteger(7)), "options" to newArray(option, newInteger(1)), "new" to ints()
        ))
    }
    referee.packValue(message("type" to newString("bye"))).flush()
    val output = ByteArrayOutputStream()
    play(Trickle(input.toByteArray()), output)

    val answers = MessagePack.newDefaultUnpacker(output.toByteArray())
    answers.skipValue() // the hello
    for (option in options) {
        val answer = answers.unpackValue()
        check("the id goes back", 2147483647, answer["id"].int)
        check("the option goes back as it came", option, answer["option"])
    }
    check("nothing else is sent", false, answers.hasNext())
}

class Trickle(bytes: ByteArray) : ByteArrayInputStream(bytes) {
    override fun read(to: ByteArray, at: Int, length: Int) = super.read(to, at, minOf(1, length))
}

fun ints(vararg numbers: Int): Value = newArray(numbers.map { newInteger(it) })

fun check(about: String, expected: Any, got: Any) {
    if (expected != got) throw AssertionError("$about: expected $expected, got $got")
}
