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

/** `mnemo.system2.layer` and `mnemo.system2.children`: the options of a walk, layer by layer. */
public class Layer {
    @Context
    public Transaction transaction;

    /** A category or entity that can be chosen. */
    public record Candidate(
            @Description("Uuid of the hierarchy's generation.") String hierarchy,
            @Description("Uuid of the category or entity.") String uuid,
            @Description("Its name.") String name,
            @Description("Its tags.") List<String> tags,
            @Description("Layer from the bottom, 0 for an entity.") long layer,
            @Description("Entities under it, 1 for an entity.") long leaves,
            @Description("Given parents that contain it; 1 in the top layer.") long parents,
            @Description("Similarity to the given vector, or null.") Double cosine) {}

    @Procedure(name = "mnemo.system2.layer", mode = Mode.READ)
    @Description("The options at one layer of the categories.")
    public Stream<Candidate> layer(
            @Name(value = "params", description = "Parameters of system2/layer, including group.")
                    Map<String, Object> params) {
        return run(Arguments.params(params, "parents"));
    }

    @Procedure(name = "mnemo.system2.children", mode = Mode.READ)
    @Description("Children of the chosen categories, no duplicates; the top layer if none is given.")
    public Stream<Candidate> children(
            @Name(value = "group", description = "Group to read.") String group,
            @Name(value = "parents", defaultValue = "[]", description = "Uuids of chosen categories, at most 1000.")
                    List<String> parents,
            @Name(value = "asOf", defaultValue = "null", description = "Only entities mentioned by then; null for all.")
                    Object asOf) {
        return run(Map.of(
                "group", Arguments.group(group),
                "hierarchy", "",
                "parents", Arguments.uuids(parents),
                "vector", Arguments.NO_VECTOR,
                "visible_until", Arguments.visibleUntil(asOf),
                "limit", Arguments.MAX_ROWS));
    }

    private Stream<Candidate> run(Map<String, Object> params) {
        return transaction.execute(Statements.text("system2/layer"), Arguments.withNullVector(params)).stream()
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
