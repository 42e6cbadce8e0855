import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Tests of the strategy, of the session, and of the codec by the golden vectors in vectors/. */
class SelfTest {
    public static void main(String[] arguments) throws IOException {
        testStrategy();
        testVectors();
        testSession();
        System.out.println("all is well");
    }

    private static void testStrategy() {
        List<List<Long>> rows = List.of(List.of(15L), List.of(11L, 13L), List.of(8L), List.of(50L, 51L, 52L, 53L, 54L));
        Map<String, Object> view = Map.of("rows", rows, "row_heads", List.of(2L, 6L, 1L, 11L));
        check("a card that fits closely is better than a sixth one", 16L, Strategy.choose("card", view, List.of(1L, 16L, 60L)));
        check("the row with the fewest heads is taken", 3L, Strategy.choose("row", view, List.of(1L, 2L, 3L, 4L)));
        check("the highest card is drafted", 10L, Strategy.choose("draft", Map.of(), List.of(1L, 7L, 10L)));
        check("an unknown kind gets the first option", 9L, Strategy.choose("dance", Map.of(), List.of(9L, 5L)));
    }

    private static void testVectors() throws IOException {
        try (var paths = Files.walk(Path.of("vectors"))) {
            for (Path path : paths.filter(path -> path.toString().contains("from-")).filter(Files::isRegularFile).toList()) {
                String file = Files.readString(path);
                byte[] bytes = HexFormat.of().parseHex(text(file, "msgpack"));
                String expected = text(file, "json").replace("\\n", "").replaceAll("\\\\(.)", "$1");
                Object message = Msgpack.decode(bytes);
                check(path + " decoded", expected, json(message));
                if (path.toString().contains("from-bot")) {
                    check(path + " encoded", expected, json(Msgpack.decode(Msgpack.encode(message))));
                }
            }
        }
    }

    /** A session whose bytes come one by one, with all that may be added later. */
    private static void testSession() throws IOException {
        List<Object> options = List.of(5L, "stop", List.of(), List.of(3L, 104L), 1L << 20, -7L);
        var input = new ByteArrayOutputStream();
        sendTo(input, Map.of("type", "welcome", "options", Map.of(), "seed", 1L << 47));
        for (Object option : options) {
            sendTo(input, Map.of("type", "news", "options", 3L));
            var view = Map.of("rows", "of another shape");
            sendTo(input, Map.of("type", "decide", "id", 2147483647L, "kind", "new", "view", view, "options", List.of(option, 1L)));
        }
        sendTo(input, Map.of("type", "bye"));
        var output = new ByteArrayOutputStream();
        Bot.play(new Trickle(input.toByteArray()), output);

        var answers = new DataInputStream(new ByteArrayInputStream(output.toByteArray()));
        answers.readNBytes(answers.readInt()); // the hello
        var answered = new ArrayList<Object>();
        while (answers.available() > 0) {
            var answer = (Map<?, ?>) Msgpack.decode(answers.readNBytes(answers.readInt()));
            check("the id goes back", 2147483647L, answer.get("id"));
            answered.add(answer.get("option"));
        }
        check("the options go back as they came", options, answered);
    }

    private static void sendTo(ByteArrayOutputStream input, Map<String, Object> message) throws IOException {
        byte[] bytes = Msgpack.encode(message);
        new DataOutputStream(input).writeInt(bytes.length);
        input.writeBytes(bytes);
    }

    private static class Trickle extends ByteArrayInputStream {
        Trickle(byte[] bytes) {
            super(bytes);
        }

        @Override
        public synchronized int read(byte[] to, int at, int length) {
            return super.read(to, at, Math.min(1, length));
        }
    }

    /** The text that a file of vectors holds for a key, still escaped. */
    private static String text(String file, String key) {
        var matcher = Pattern.compile("\"" + key + "\": \"((?:[^\"\\\\]|\\\\.)*)\"").matcher(file);
        if (!matcher.find()) {
            throw new AssertionError("no " + key + " in " + file);
        }
        return matcher.group(1);
    }

    /** A value as the referee writes JSON. */
    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            var entries = map.entrySet().stream().map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()));
            return entries.collect(Collectors.joining(",", "{", "}"));
        } else if (value instanceof List<?> list) {
            return list.stream().map(SelfTest::json).collect(Collectors.joining(",", "[", "]"));
        } else if (value instanceof String text) {
            var ascii = text.replace("\\", "\\\\").replace("\"", "\\\"").chars();
            return ascii.mapToObj(c -> c < 0x80 ? "" + (char) c : String.format("\\u%04x", c)).collect(Collectors.joining("", "\"", "\""));
        }
        return String.valueOf(value);
    }

    private static void check(String about, Object expected, Object got) {
        if (!expected.equals(got)) {
            throw new AssertionError(about + ": expected " + expected + ", got " + got);
        }
    }
}
