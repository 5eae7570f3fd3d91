package mnemo.query;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The project's `.cypher` files, packed into the plugin's jar under `mnemo/cypher/`: a procedure runs
 * the same statement that a client sends to a server without the plugin.
 */
public final class Statements {
    private static final Map<String, String> CACHE = new ConcurrentHashMap<>();

    private Statements() {}

    /**
     * Returns the statement of a file, without comment lines.
     *
     * @param name a path below `cypher/`, without the suffix, such as `search/gather`
     * @throws IllegalArgumentException the jar has no such file
     */
    public static String text(String name) {
        return CACHE.computeIfAbsent(name, Statements::read);
    }

    /** Returns a file of the jar's `mnemo/` folder, or an empty string if there is none. */
    public static String resource(String path) {
        try (InputStream stream = Statements.class.getResourceAsStream("/mnemo/" + path)) {
            return stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static String read(String name) {
        String whole = resource("cypher/" + name + ".cypher");
        if (whole.isEmpty()) {
            throw new IllegalArgumentException("the plugin's jar has no mnemo/cypher/" + name + ".cypher");
        }
        return whole.lines()
                .filter(line -> !line.stripLeading().startsWith("//"))
                .collect(Collectors.joining("\n"))
                .strip();
    }
}
