package mnemo.system2;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the arguments of the System-2 procedures. */
final class Arguments {
    static final long MAX_ROWS = 10_000;
    static final String NO_VECTOR = "";

    private static final ZonedDateTime DISTANT_FUTURE = ZonedDateTime.of(9999, 12, 31, 0, 0, 0, 0, ZoneOffset.UTC);
    private static final int MAX_UUIDS = 1_000;

    private Arguments() {}

    /** A group's name, not empty. */
    static String group(Object value) {
        if (!(value instanceof String group) || group.isEmpty()) {
            throw new IllegalArgumentException("group must be a non-empty string");
        }
        return group;
    }

    /** A list of up to a thousand uuids. */
    static List<String> uuids(List<String> values) {
        if (values == null) {
            throw new IllegalArgumentException("uuids must be a list, got null");
        }
        if (values.size() > MAX_UUIDS) {
            throw new IllegalArgumentException("uuids must be at most " + MAX_UUIDS + ", got " + values.size());
        }
        return values;
    }

    /** The parameters of a statement; only those that decide how much is read are checked. */
    static Map<String, Object> params(Map<String, Object> params, String... lists) {
        if (params == null) {
            throw new IllegalArgumentException("params must be a map, got null");
        }
        group(params.get("group"));
        for (String name : lists) {
            if (!(params.get(name) instanceof List<?> values) || values.size() > MAX_ROWS) {
                throw new IllegalArgumentException(name + " must be a list of at most " + MAX_ROWS + " uuids");
            }
        }
        return params;
    }

    /** A list of texts; a statement returns a list property as an array. */
    static List<String> texts(Object value) {
        if (value instanceof String[] array) {
            return List.of(array);
        }
        return ((List<?>) value).stream().map(String.class::cast).toList();
    }

    /** The moment up to which episodes and starting facts are visible; null is the distant future. */
    static ZonedDateTime visibleUntil(Object moment) {
        return moment == null ? DISTANT_FUTURE : moment(moment);
    }

    /** The moment at which facts must not have ended; null is now. */
    static ZonedDateTime asOf(Object moment) {
        return moment == null ? ZonedDateTime.now(ZoneOffset.UTC) : moment(moment);
    }

    /** A copy of the parameters with `vector` null if it is `NO_VECTOR`. */
    static Map<String, Object> withNullVector(Map<String, Object> params) {
        Map<String, Object> copy = new HashMap<>(params);
        if (NO_VECTOR.equals(copy.get("vector"))) {
            copy.put("vector", null);
        }
        return copy;
    }

    private static ZonedDateTime moment(Object value) {
        if (value instanceof ZonedDateTime moment) {
            return moment;
        }
        throw new IllegalArgumentException("asOf must be a datetime with a zone, such as datetime('2025-03-01')");
    }
}
