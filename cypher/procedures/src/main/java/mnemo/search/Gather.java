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

/** `mnemo.search.gather`: runs the statement `search/gather` on the server. */
public class Gather {
    private static final String STATEMENT = "search/gather";

    @Context
    public Transaction transaction;

    /** The candidates of all indexes for a question; `search/gather.cypher` documents the keys. */
    public record Gathered(
            @Description("Episodes with bare, whole, words and fits.") List<Map<String, Object>> episodes,
            @Description("Entities with whole, words and sources.") List<Map<String, Object>> entities,
            @Description("Facts with whole, words, sources and subject_name.") List<Map<String, Object>> edges,
            @Description("Speakers named in the question.") List<Map<String, Object>> people) {}

    @Procedure(name = "mnemo.search.gather", mode = Mode.READ)
    @Description("Candidates for a question from a group's vector and full-text indexes, with what scoring needs.")
    public Stream<Gathered> gather(
            @Name(value = "params", description = "Parameters of search/gather, including group.")
                    Map<String, Object> params) {
        if (!(params.get("group") instanceof String group) || group.isEmpty()) {
            throw new IllegalArgumentException("params.group must be a non-empty string");
        }
        return transaction.execute(Statements.text(STATEMENT), params).stream().map(Gather::gathered);
    }

    @SuppressWarnings("unchecked") // column types are fixed by the statement
    private static Gathered gathered(Map<String, Object> row) {
        return new Gathered(
                (List<Map<String, Object>>) row.get("episodes"),
                (List<Map<String, Object>>) row.get("entities"),
                (List<Map<String, Object>>) row.get("edges"),
                (List<Map<String, Object>>) row.get("people"));
    }
}
