package mnemo.recall;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;

/** The mnemo server's reply to a question; the lists hold uuids, except `categories`, which holds names. */
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
                texts(body, "episodes"),
                texts(body, "entities"),
                texts(body, "edges"),
                texts(body, "categories"));
    }

    private static List<String> texts(JsonNode body, String name) {
        return StreamSupport.stream(body.path(name).spliterator(), false).map(JsonNode::asText).toList();
    }
}
