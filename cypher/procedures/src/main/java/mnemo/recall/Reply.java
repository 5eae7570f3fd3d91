package mnemo.recall;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;

/** What the mnemo server says to a question; the lists hold uuids. */
record Reply(
        String answer,
        String route,
        String context,
        List<String> episodes,
        List<String> entities,
        List<String> edges,
        List<String> categories) {

    static Reply of(JsonNode body) {
        return new Reply(
                body.path("answer").asText(),
                body.path("route").asText(),
                body.path("context").asText(),
                uuids(body, "episodes"),
                uuids(body, "entities"),
                uuids(body, "edges"),
                uuids(body, "categories"));
    }

    private static List<String> uuids(JsonNode body, String name) {
        return StreamSupport.stream(body.path(name).spliterator(), false).map(JsonNode::asText).toList();
    }
}
