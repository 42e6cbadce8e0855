import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** The session with the referee: reads questions and writes answers, each after its length in four bytes. */
class Bot {
    public static void main(String[] arguments) throws IOException {
        OutputStream output = System.out;
        System.setOut(System.err); // stdout belongs to the protocol: println() is for your own log
        play(System.in, output);
    }

    @SuppressWarnings("unchecked")
    static void play(InputStream input, OutputStream output) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(input));
        Clock.matchBegins(Map.of()); // loads what it needs, before a limit runs
        send(output, Map.of("type", "hello", "protocol", 1L, "name", "Java kit"));
        while (true) {
            byte[] bytes;
            try {
                bytes = new byte[in.readInt()];
            } catch (EOFException end) {
                return;
            }
            in.readFully(bytes); // waits for all of it
            var message = (Map<String, Object>) Msgpack.decode(bytes);
            switch ((String) message.get("type")) {
                case "welcome" -> Clock.matchBegins(message);
                case "decide" -> {
                    Clock.questionComes(message);
                    send(output, answer(message));
                }
                case "bye" -> {
                    return;
                }
                default -> { }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> answer(Map<String, Object> decide) {
        var view = (Map<String, Object>) decide.get("view");
        var options = (List<Object>) decide.get("options"); // a list here, but a map in a welcome
        Object option = Strategy.choose((String) decide.get("kind"), view, options);
        return Map.of("type", "choice", "id", decide.get("id"), "option", option);
    }

    private static void send(OutputStream output, Map<String, Object> message) throws IOException {
        byte[] bytes = Msgpack.encode(message);
        var out = new DataOutputStream(output);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.flush(); // or it may wait in a buffer
    }
}
