package mnemo.search;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import mnemo.query.Statements;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

/** `mnemo.search.gather`: the statement `search/gather`, run where the data is. */
public class Gather {
    private static final String STATEMENT = "search/gather";

    @Context
    public Transaction transaction;

    /** What the indexes of a group find for a question; keys as in `search/gather.cypher`. */
    public record Gathered(
            @Description("Episodes with bare, whole, words and fits.") List<Map<String, Object>> episodes,
            @Description("Entities with whole, words and sources.") List<Map<String, Object>> entities,
            @Description("Facts with whole, words, sources, subject_name and object_name.") List<Map<String, Object>> edges,
            @Description("Speakers whose name stands in the question.") List<Map<String, Object>> people) {}

    @Procedure(name = "mnemo.search.gather", mode = Mode.READ)
    @Description("What a group's vector and full-text indexes find for a question, with neighbouring episodes.")
    public Stream<Gathered> gather(
            @Name(value = "params", description = "The parameters of search/gather, group among them.")
                    Map<String, Object> params) {
        if (!(params.get("group") instanceof String group) || group.isEmpty()) {
            throw new IllegalArgumentException("params.group must be a string that is not empty");
        }
        return transaction.execute(Statements.text(STATEMENT), params).stream().map(Gather::gathered);
    }

    @SuppressWarnings("unchecked") // the statement's own columns
    private static Gathered gathered(Map<String, Object> row) {
        return new Gathered(
                (List<Map<String, Object>>) row.get("episodes"),
                (List<Map<String, Object>>) row.get("entities"),
                (List<Map<String, Object>>) row.get("edges"),
                (List<Map<String, Object>>) row.get("people"));
    }
}
