package mnemo.system2;

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

/** `mnemo.system2.layer` and `mnemo.system2.children`: what may be chosen, layer by layer. */
public class Layer {
    @Context
    public Transaction transaction;

    /** A category or an entity that may be chosen. */
    public record Candidate(
            @Description("Uuid of the generation of the hierarchy.") String hierarchy,
            @Description("Of the category or entity.") String uuid,
            @Description("What it is called.") String name,
            @Description("What kind of thing it is.") List<String> tags,
            @Description("Layer from the bottom, 0 for an entity.") long layer,
            @Description("Entities under it, 1 for an entity.") long leaves,
            @Description("Given parents that hold it, 1 at the top.") long parents,
            @Description("Cosine to the given vector, or null.") Double cosine) {}

    @Procedure(name = "mnemo.system2.layer", mode = Mode.READ)
    @Description("What may be chosen at one layer of the hierarchy over entities, by the parameters of system2/layer.")
    public Stream<Candidate> layer(
            @Name(value = "params", description = "The parameters of system2/layer, group among them.")
                    Map<String, Object> params) {
        return run(Arguments.params(params, "parents"));
    }

    @Procedure(name = "mnemo.system2.children", mode = Mode.READ)
    @Description("What chosen categories hold, shared ones once; the top layer where none is given.")
    public Stream<Candidate> children(
            @Name(value = "group", description = "Whose memory.") String group,
            @Name(value = "parents", defaultValue = "[]", description = "Uuids of chosen categories, at most 1000.")
                    List<String> parents,
            @Name(value = "asOf", defaultValue = "null", description = "Only what was written of by then; null is all.")
                    Object asOf) {
        return run(Map.of(
                "group", Arguments.group(group),
                "hierarchy", "",
                "parents", Arguments.uuids(parents),
                "vector", Arguments.NO_VECTOR,
                "visible_until", Arguments.visibleUntil(asOf),
                "limit", Arguments.MOST_ROWS));
    }

    private Stream<Candidate> run(Map<String, Object> params) {
        return transaction.execute(Statements.text("system2/layer"), Arguments.nulled(params)).stream()
                .map(Layer::candidate);
    }

    private static Candidate candidate(Map<String, Object> row) {
        Number cosine = (Number) row.get("cosine");
        return new Candidate(
                (String) row.get("hierarchy"),
                (String) row.get("uuid"),
                (String) row.get("name"),
                Arguments.texts(row.get("tags")),
                ((Number) row.get("layer")).longValue(),
                ((Number) row.get("leaves")).longValue(),
                ((Number) row.get("parents")).longValue(),
                cosine == null ? null : cosine.doubleValue());
    }
}
