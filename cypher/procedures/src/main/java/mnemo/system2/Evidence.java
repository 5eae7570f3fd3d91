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

/** `mnemo.system2.descendants`, `mnemo.system2.evidence` and `mnemo.system2.gather`: the evidence of chosen entities. */
public class Evidence {
    @Context
    public Transaction transaction;

    /** An entity somewhere under given categories. */
    public record Descendant(
            @Description("The entity.") Node entity,
            @Description("How many of the given categories contain it, directly or not.") long within) {}

    /** A node that belongs to a chosen entity. */
    public record Item(
            @Description("episode, fact or neighbour.") String kind,
            @Description("The chosen entity.") Node entity,
            @Description("Its episode, fact or neighbour.") Node node,
            @Description("Relationships that lead from one to the other.") List<Relationship> ties) {}

    /** The evidence of chosen entities; keys as in `system2/gather.cypher`. */
    public record Gathered(
            @Description("Episodes with bare, whole, words, chosen and fits.") List<Map<String, Object>> episodes,
            @Description("Entities with whole, words, chosen and sources.") List<Map<String, Object>> entities,
            @Description("Facts with whole, words, chosen, sources, subject_name and object_name.") List<Map<String, Object>> edges,
            @Description("Speakers whose name stands in the question.") List<Map<String, Object>> people,
            @Description("Uuids of all chosen entities.") List<String> under) {}

    @Procedure(name = "mnemo.system2.descendants", mode = Mode.READ)
    @Description("All entities under some categories, each once, those in most of them first.")
    public Stream<Descendant> descendants(
            @Name(value = "group", description = "Whose memory.") String group,
            @Name(value = "categories", description = "Uuids of categories, at most 1000.") List<String> categories,
            @Name(value = "asOf", defaultValue = "null", description = "Only what an episode mentioned by then; null is all.")
                    Object asOf) {
        Map<String, Object> params = Map.of(
                "group", Arguments.group(group),
                "categories", Arguments.uuids(categories),
                "visible_until", Arguments.visibleUntil(asOf),
                "limit", Arguments.MOST_ROWS);
        return transaction.execute(Statements.text("system2/descendants"), params).stream()
                .map(row -> new Descendant((Node) row.get("entity"), ((Number) row.get("within")).longValue()));
    }

    @Procedure(name = "mnemo.system2.evidence", mode = Mode.READ)
    @Description("The episodes, facts and neighbours of chosen entities, as nodes and relationships.")
    @SuppressWarnings("unchecked") // the statement's own columns
    public Stream<Item> evidence(
            @Name(value = "group", description = "Whose memory.") String group,
            @Name(value = "entities", description = "Uuids of entities, at most 1000.") List<String> entities,
            @Name(value = "asOf", defaultValue = "null", description = "What held and was written then; null is now, and what is to come.")
                    Object asOf,
            @Name(value = "limit", defaultValue = "25", description = "Most of each kind for an entity, the latest.")
                    long limit) {
        Map<String, Object> params = Map.of(
                "group", Arguments.group(group),
                "entities", Arguments.uuids(entities),
                "as_of", Arguments.asOf(asOf),
                "begun_by", Arguments.visibleUntil(asOf),
                "visible_until", Arguments.visibleUntil(asOf),
                "limit", Math.clamp(limit, 1, Arguments.MOST_ROWS));
        return transaction.execute(Statements.text("system2/evidence"), params).stream()
                .map(row -> new Item(
                        (String) row.get("kind"),
                        (Node) row.get("entity"),
                        (Node) row.get("node"),
                        (List<Relationship>) row.get("ties")));
    }

    @Procedure(name = "mnemo.system2.gather", mode = Mode.READ)
    @Description("The evidence of chosen entities, compared with a question: one row, by the parameters of system2/gather.")
    @SuppressWarnings("unchecked") // the statement's own columns
    public Stream<Gathered> gather(
            @Name(value = "params", description = "The parameters of system2/gather, group among them.")
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
