package mnemo.system2;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the arguments of the procedures of System-2. */
final class Arguments {
    static final long MOST_ROWS = 10_000;
    static final String NO_VECTOR = "";

    private static final ZonedDateTime DISTANT_FUTURE = ZonedDateTime.of(9999, 12, 31, 0, 0, 0, 0, ZoneOffset.UTC);
    private static final int MOST_UUIDS = 1_000;

    private Arguments() {}

    /** A group's name; refuses null and the empty string. */
    static String group(Object value) {
        if (!(value instanceof String group) || group.isEmpty()) {
            throw new IllegalArgumentException("group must be a string that is not empty");
        }
        return group;
    }

    /** Up to a thousand uuids. */
    static List<String> uuids(List<String> values) {
        if (values == null) {
            throw new IllegalArgumentException("uuids must be a list, got null");
        }
        if (values.size() > MOST_UUIDS) {
            throw new IllegalArgumentException("uuids must be at most " + MOST_UUIDS + ", got " + values.size());
        }
        return values;
    }

    /** The parameters of a statement; checks those that bound how much is read. */
    static Map<String, Object> params(Map<String, Object> params, String... lists) {
        if (params == null) {
            throw new IllegalArgumentException("params must be a map, got null");
        }
        group(params.get("group"));
        for (String name : lists) {
            if (!(params.get(name) instanceof List<?> values) || values.size() > MOST_ROWS) {
                throw new IllegalArgumentException(name + " must be a list of at most " + MOST_ROWS + " uuids");
            }
        }
        return params;
    }

    /** A list of texts; a property comes as an array. */
    static List<String> texts(Object value) {
        if (value instanceof String[] array) {
            return List.of(array);
        }
        return ((List<?>) value).stream().map(String.class::cast).toList();
    }

    /** The moment until which episodes are seen and facts have begun; the distant future for null. */
    static ZonedDateTime visibleUntil(Object moment) {
        return moment == null ? DISTANT_FUTURE : moment(moment);
    }

    /** The moment by which facts must not have ended; now for null. */
    static ZonedDateTime asOf(Object moment) {
        return moment == null ? ZonedDateTime.now(ZoneOffset.UTC) : moment(moment);
    }

    /** The parameters with null for an empty vector. */
    static Map<String, Object> nulled(Map<String, Object> params) {
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
