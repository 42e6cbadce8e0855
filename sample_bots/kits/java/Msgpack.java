import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** As much of msgpack as the protocol needs: Map, List, String, Long, Double, Boolean and null. */
class Msgpack {
    static Object decode(byte[] bytes) throws IOException {
        var in = new DataInputStream(new ByteArrayInputStream(bytes));
        Object value = read(in);
        if (in.available() > 0) {
            throw new IOException("expected one value, got " + in.available() + " bytes more");
        }
        return value;
    }

    private static Object read(DataInputStream in) throws IOException {
        int first = in.readUnsignedByte();
        if (first <= 0x7f || first >= 0xe0) {
            return (long) (byte) first;
        } else if (first <= 0x8f) {
            return readMap(in, first & 0x0f);
        } else if (first <= 0x9f) {
            return readList(in, first & 0x0f);
        } else if (first <= 0xbf) {
            return readText(in, first & 0x1f);
        }
        return switch (first) {
            case 0xc0 -> null;
            case 0xc2 -> false;
            case 0xc3 -> true;
            case 0xca -> (double) in.readFloat();
            case 0xcb -> in.readDouble();
            case 0xcc -> (long) in.readUnsignedByte();
            case 0xcd -> (long) in.readUnsignedShort();
            case 0xce -> Integer.toUnsignedLong(in.readInt());
            case 0xcf, 0xd3 -> in.readLong();
            case 0xd0 -> (long) in.readByte();
            case 0xd1 -> (long) in.readShort();
            case 0xd2 -> (long) in.readInt();
            case 0xd9 -> readText(in, in.readUnsignedByte());
            case 0xda -> readText(in, in.readUnsignedShort());
            case 0xdb -> readText(in, in.readInt());
            case 0xdc -> readList(in, in.readUnsignedShort());
            case 0xdd -> readList(in, in.readInt());
            case 0xde -> readMap(in, in.readUnsignedShort());
            case 0xdf -> readMap(in, in.readInt());
            default -> throw new IOException("the referee never writes the byte 0x" + Integer.toHexString(first));
        };
    }

    private static String readText(DataInputStream in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static List<Object> readList(DataInputStream in, int length) throws IOException {
        var list = new ArrayList<Object>();
        for (int i = 0; i < length; i++) {
            list.add(read(in));
        }
        return list;
    }

    private static Map<String, Object> readMap(DataInputStream in, int length) throws IOException {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < length; i++) {
            map.put((String) read(in), read(in));
        }
        return map;
    }

    static byte[] encode(Object value) throws IOException {
        var bytes = new ByteArrayOutputStream();
        write(new DataOutputStream(bytes), value);
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            writeHead(out, map.size(), 0x80, 0x8f, 0xdf);
            for (var entry : map.entrySet()) {
                write(out, entry.getKey());
                write(out, entry.getValue());
            }
        } else if (value instanceof List<?> list) {
            writeHead(out, list.size(), 0x90, 0x9f, 0xdd);
            for (Object item : list) {
                write(out, item);
            }
        } else if (value instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            writeHead(out, bytes.length, 0xa0, 0xbf, 0xdb);
            out.write(bytes);
        } else if (value instanceof Long number) {
            writeNumber(out, number);
        } else {
            throw new IllegalArgumentException("expected a Map, List, String or Long, got " + value);
        }
    }

    /** A length: together with the type in the byte from `least` to `most`, or in four bytes after `wide`. */
    private static void writeHead(DataOutputStream out, int length, int least, int most, int wide) throws IOException {
        if (length <= most - least) {
            out.writeByte(least + length);
        } else {
            out.writeByte(wide);
            out.writeInt(length);
        }
    }

    private static void writeNumber(DataOutputStream out, long number) throws IOException {
        if (number >= -32 && number <= 127) {
            out.writeByte((int) number);
        } else if (number == (int) number) {
            out.writeByte(0xd2);
            out.writeInt((int) number);
        } else {
            out.writeByte(0xd3);
            out.writeLong(number);
        }
    }
}
