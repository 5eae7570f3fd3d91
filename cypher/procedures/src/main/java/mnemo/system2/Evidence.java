package mnemo.system2;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import mnemo.query.Statements;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

/** `mnemo.system2.descendants`, `mnemo.system2.evidence` and `mnemo.system2.gather`: the evidence of chosen nodes. */
public class Evidence {
    @Context
    public Transaction transaction;

    /** An entity under the given categories. */
    public record Descendant(
            @Description("The entity.") Node entity,
            @Description("Given categories that contain it, directly or not.") long within) {}

    /** A node related to a chosen entity. */
    public record Item(
            @Description("episode, fact or neighbour.") String kind,
            @Description("The chosen entity.") Node entity,
            @Description("The related node.") Node node,
            @Description("Relationships between the two.") List<Relationship> ties) {}

    /** The evidence of chosen entities; `system2/gather.cypher` documents the keys. */
    public record Gathered(
            @Description("Episodes with bare, whole, words, chosen and fits.") List<Map<String, Object>> episodes,
            @Description("Entities with whole, words, chosen and sources.") List<Map<String, Object>> entities,
            @Description("Facts with whole, words, chosen, sources and subject_name.") List<Map<String, Object>> edges,
            @Description("Speakers named in the question.") List<Map<String, Object>> people,
            @Description("Uuids of all chosen entities.") List<String> under) {}

    @Procedure(name = "mnemo.system2.descendants", mode = Mode.READ)
    @Description("All entities under some categories, no duplicates, those in most of the categories first.")
    public Stream<Descendant> descendants(
            @Name(value = "group", description = "Group to read.") String group,
            @Name(value = "categories", description = "Uuids of categories, at most 1000.") List<String> categories,
            @Name(value = "asOf", defaultValue = "null", description = "Only entities mentioned by then; null for all.")
                    Object asOf) {
        Map<String, Object> params = Map.of(
                "group", Arguments.group(group),
                "categories", Arguments.uuids(categories),
                "visible_until", Arguments.visibleUntil(asOf),
                "limit", Arguments.MAX_ROWS);
        return transaction.execute(Statements.text("system2/descendants"), params).stream()
                .map(row -> new Descendant((Node) row.get("entity"), ((Number) row.get("within")).longValue()));
    }

    @Procedure(name = "mnemo.system2.evidence", mode = Mode.READ)
    @Description("The episodes, facts and neighbours of chosen entities, as nodes and relationships.")
    @SuppressWarnings("unchecked") // column types are fixed by the statement
    public Stream<Item> evidence(
            @Name(value = "group", description = "Group to read.") String group,
            @Name(value = "entities", description = "Uuids of entities, at most 1000.") List<String> entities,
            @Name(value = "asOf", defaultValue = "null", description = "Facts and episodes as of then; null for now, including upcoming facts.")
                    Object asOf,
            @Name(value = "limit", defaultValue = "25", description = "Most nodes of each kind per entity, latest first.")
                    long limit) {
        Map<String, Object> params = Map.of(
                "group", Arguments.group(group),
                "entities", Arguments.uuids(entities),
                "as_of", Arguments.asOf(asOf),
                "begun_by", Arguments.visibleUntil(asOf),
                "visible_until", Arguments.visibleUntil(asOf),
                "limit", Math.clamp(limit, 1, Arguments.MAX_ROWS));
        return transaction.execute(Statements.text("system2/evidence"), params).stream()
                .map(row -> new Item(
                        (String) row.get("kind"),
                        (Node) row.get("entity"),
                        (Node) row.get("node"),
                        (List<Relationship>) row.get("ties")));
    }

    @Procedure(name = "mnemo.system2.gather", mode = Mode.READ)
    @Description("The evidence of chosen entities, compared with a question, in one row.")
    @SuppressWarnings("unchecked") // column types are fixed by the statement
    public Stream<Gathered> gather(
            @Name(value = "params", description = "Parameters of system2/gather, including group.")
                    Map<String, Object> params) {
        return transaction
                .execute(Statements.text("system2/gather"), Arguments.params(params, "entities", "categories"))
                .stream()
                .map(row -> new Gathered(
                        (List<Map<String, Object>>) row.get("episodes"),
                        (List<Map<String, Object>>) row.get("entities"),
                        (List<Map<String, Object>>) row.get("edges"),
                        (List<Map<String, Object>>) row.get("people"),
                        (List<String>) row.get("under")));
    }
}
