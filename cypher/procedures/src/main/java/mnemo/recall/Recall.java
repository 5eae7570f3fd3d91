package mnemo.recall;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import mnemo.query.Statements;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;

/**
 * `mnemo.recall`: asks the mnemo server a question and returns the answer with the graph it is based on.
 *
 * <p>The server embeds, selects and answers; the nodes are read here, in the caller's transaction.
 */
public class Recall {
    private static final String STATEMENT = "recall/graph";
    private static final Set<String> OPTIONS = Set.of("k", "route", "as_of", "budget");
    private static final int MAX_CHARACTERS = 20_000;

    @Context
    public GraphDatabaseService database;

    @Context
    public Transaction transaction;

    @Context
    public TerminationGuard guard;

    /** An answer and the nodes it is based on. */
    public record Recalled(
            @Description("The LLM's answer with citation marks; without an LLM, the best facts and quotes.") String answer,
            @Description("Episodes, entities, facts and categories, no duplicates.") List<Node> nodes,
            @Description("Relationships between these nodes, no duplicates.") List<Relationship> relationships,
            @Description("The route used: system1, system2 or both.") String route,
            @Description("The context the answer was written from, with sources.") String context) {}

    @Procedure(name = "mnemo.recall", mode = Mode.READ)
    @Description("Asks the mnemo server a question; returns the answer and the graph it is based on.")
    public Stream<Recalled> recall(
            @Name(value = "group", description = "Group to read.") String group,
            @Name(value = "question", description = "Plain text, at most 20,000 characters.") String question,
            @Name(value = "options", defaultValue = "{}", description = "k, route, as_of and budget, each optional.")
                    Map<String, Object> options) {
        Map<String, Object> request = request(group, question, options == null ? Map.of() : options);
        Reply reply = Service.of(database).recall(request, guard);
        Map<String, Object> params = Map.of(
                "group", group,
                "episodes", reply.episodes(),
                "entities", reply.entities(),
                "edges", reply.edges(),
                "categories", reply.categories());
        return transaction.execute(Statements.text(STATEMENT), params).stream().map(row -> recalled(reply, row));
    }

    private static Map<String, Object> request(String group, String question, Map<String, Object> options) {
        if (group == null || group.isBlank() || question == null || question.isBlank()) {
            throw new IllegalArgumentException("group and question must not be blank");
        }
        if (question.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException("question must have at most 20,000 characters");
        }
        Set<String> unknown = new TreeSet<>(options.keySet());
        unknown.removeAll(OPTIONS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("options must be k, route, as_of or budget, got " + unknown);
        }
        Map<String, Object> request = new LinkedHashMap<>(Map.of("group", group, "question", question));
        options.forEach((name, value) -> request.put(name, value instanceof ZonedDateTime moment
                ? DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(moment)
                : value));
        return request;
    }

    @SuppressWarnings("unchecked") // column types are fixed by the statement
    private static Recalled recalled(Reply reply, Map<String, Object> row) {
        return new Recalled(
                reply.answer(),
                (List<Node>) row.get("nodes"),
                (List<Relationship>) row.get("relationships"),
                reply.route(),
                reply.context());
    }
}
