package mnemo.memtree;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import mnemo.query.Statements;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;

/**
 * `mnemo.memtree.route`: the route of a vector from the root of the memtree down, in one call.
 *
 * <p>Descends to the nearest child (on a tie, the first by position) while its cosine is at least the threshold of
 * that depth. The caller passes the thresholds, so that the rule is defined in one place.
 */
public class Route {
    private static final String ROOT = "memtree/root_node";
    private static final RelationshipType CONTAINS = RelationshipType.withName("CONTAINS");
    private static final double LOWEST = -1.0;

    @Context
    public Transaction transaction;

    @Context
    public TerminationGuard guard;

    /** One node of the route. */
    public record Step(
            @Description("0 for the root.") long depth,
            @Description("Uuid of the node.") String uuid,
            @Description("root, category or leaf.") String kind,
            @Description("Similarity to the vector; null for the root.") Double cosine,
            @Description("Children compared at this node.") long candidates,
            @Description("Position after its last child.") long next_position,
            @Description("Position among its siblings; null for the root.") Long position,
            @Description("Episodes under it; 1 for a leaf.") long leaves,
            @Description("Text of the node; null for the root.") String content,
            @Description("Speaker of a leaf; null for other nodes.") String speaker,
            @Description("Revision of the root at the start; null for other nodes.") Long revision) {}

    private record Child(Node node, double cosine, long position) {}

    private record Choice(Child best, long candidates, long nextPosition) {}

    @Procedure(name = "mnemo.memtree.route", mode = Mode.READ)
    @Description("The route of a vector through a group's memtree, from the root down.")
    public Stream<Step> route(
            @Name(value = "group", description = "Group to read.") String group,
            @Name(value = "vector", description = "Unit length.") List<Double> vector,
            @Name(value = "thresholds", description = "Minimum cosine to descend from depth 0, 1, and so on.")
                    List<Double> thresholds,
            @Name(value = "tie", description = "Cosines this near to the highest count as equal.") double tie) {
        double[] target = vector.stream().mapToDouble(Double::doubleValue).toArray();
        List<Step> steps = new ArrayList<>();
        Node node = root(group);
        Child arrived = null;
        for (int depth = 0; node != null; depth++) {
            Choice choice = choose(node, target, tie);
            steps.add(step(node, arrived, choice, depth));
            arrived = goesDown(choice.best(), thresholds, depth) ? choice.best() : null;
            node = arrived == null ? null : arrived.node();
        }
        return steps.stream();
    }

    private Node root(String group) {
        try (var rows = transaction.execute(Statements.text(ROOT), Map.of("group", group))) {
            return rows.hasNext() ? (Node) rows.next().get("root") : null;
        }
    }

    private Choice choose(Node node, double[] target, double tie) {
        List<Child> children = new ArrayList<>();
        double highest = LOWEST;
        long next = 0;
        for (Relationship member : node.getRelationships(Direction.OUTGOING, CONTAINS)) {
            guard.check();
            long position = ((Number) member.getProperty("position", 0L)).longValue();
            Node child = member.getEndNode();
            children.add(new Child(child, cosine(child, target), position));
            highest = Math.max(highest, children.get(children.size() - 1).cosine());
            next = Math.max(next, position + 1);
        }
        double minimum = highest - tie;
        Child best = children.stream()
                .filter(child -> child.cosine() >= minimum)
                .min(Comparator.comparingLong(Child::position))
                .orElse(null);
        return new Choice(best, children.size(), next);
    }

    private static boolean goesDown(Child best, List<Double> thresholds, int depth) {
        return best != null && depth < thresholds.size() && best.cosine() >= thresholds.get(depth);
    }

    /** The cosine of a node's embedding; -1 if it has none, a zero one, or one of another length. */
    private static double cosine(Node node, double[] target) {
        if (!(node.getProperty("embedding", null) instanceof float[] vector) || vector.length != target.length) {
            return LOWEST;
        }
        double dot = 0;
        double own = 0;
        double other = 0;
        for (int index = 0; index < vector.length; index++) {
            dot += vector[index] * target[index];
            own += (double) vector[index] * vector[index];
            other += target[index] * target[index];
        }
        return own == 0 || other == 0 ? LOWEST : dot / Math.sqrt(own * other);
    }

    private static Step step(Node node, Child arrived, Choice choice, int depth) {
        boolean root = arrived == null;
        String kind = root ? "root" : node.hasLabel(Label.label("Episode")) ? "leaf" : "category";
        return new Step(
                depth,
                (String) node.getProperty("uuid"),
                kind,
                root ? null : arrived.cosine(),
                choice.candidates(),
                choice.nextPosition(),
                root ? null : arrived.position(),
                ((Number) node.getProperty("leaves", 1L)).longValue(),
                (String) node.getProperty("content", null),
                (String) node.getProperty("speaker", null),
                root ? ((Number) node.getProperty("revision")).longValue() : null);
    }
}
