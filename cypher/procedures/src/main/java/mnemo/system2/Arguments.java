package mnemo.system2;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the procedures of System-2 take, checked. */
final class Arguments {
    static final long MOST_ROWS = 10_000;
    static final String NO_VECTOR = "";

    private static final ZonedDateTime DISTANT_FUTURE = ZonedDateTime.of(9999, 12, 31, 0, 0, 0, 0, ZoneOffset.UTC);
    private static final int MOST_UUIDS = 1_000;

    private Arguments() {}

    /** A group's name; refuses nothing at all. */
    static String group(Object value) {
        if (!(value instanceof String group) || group.isEmpty()) {
            throw new IllegalArgumentException("wanted group as a string that is not empty");
        }
        return group;
    }

    /** Up to a thousand uuids. */
    static List<String> uuids(List<String> values) {
        if (values == null) {
            throw new IllegalArgumentException("wanted a list of uuids, got null");
        }
        if (values.size() > MOST_UUIDS) {
            throw new IllegalArgumentException("wanted at most " + MOST_UUIDS + " uuids, got " + values.size());
        }
        return values;
    }

    /** The parameters of a statement, checked as far as they decide how much is read; the statement needs all of them. */
    static Map<String, Object> params(Map<String, Object> params, String... lists) {
        if (params == null) {
            throw new IllegalArgumentException("wanted the parameters as a map, got null");
        }
        group(params.get("group"));
        for (String name : lists) {
            if (!(params.get(name) instanceof List<?> values) || values.size() > MOST_ROWS) {
                throw new IllegalArgumentException("wanted " + name + " as a list of at most " + MOST_ROWS + " uuids");
            }
        }
        return params;
    }

    /** A list of texts, which a statement returns as an array where it is a property. */
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

    /** The parameters with null in place of what stands for no vector. */
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
        throw new IllegalArgumentException("wanted asOf as a datetime with a zone, such as datetime('2025-03-01')");
    }
}
