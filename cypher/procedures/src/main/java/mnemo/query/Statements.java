package mnemo.query;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The project's `.cypher` files, which the plugin's jar holds under `mnemo/cypher/`: a procedure runs
 * the very statement that a client sends where there is no plugin.
 */
public final class Statements {
    private static final Map<String, String> READ = new ConcurrentHashMap<>();

    private Statements() {}

    /**
     * A file's statement, without its comment lines.
     *
     * @param name a path below `cypher/`, without the suffix, such as `search/gather`
     * @throws IllegalArgumentException the jar has no such file
     */
    public static String text(String name) {
        return READ.computeIfAbsent(name, Statements::read);
    }

    /** A file of the jar's `mnemo/` folder, whole; empty where there is none. */
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
