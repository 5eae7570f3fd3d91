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
 * `mnemo.memtree.route`: the way of a vector from the root of the tree over episodes down, in one call.
 *
 * <p>At each node the nearest child is taken (on a tie, the first in position) while its cosine reaches the
 * threshold of that depth. The thresholds are the caller's, so that the rule has one copy.
 */
public class Route {
    private static final String ROOT = "memtree/root_node";
    private static final RelationshipType CONTAINS = RelationshipType.withName("CONTAINS");
    private static final double NEVER = -1.0;

    @Context
    public Transaction transaction;

    @Context
    public TerminationGuard guard;

    /** One node on the way. */
    public record Step(
            @Description("0 for the root.") long depth,
            @Description("Of the node.") String uuid,
            @Description("root, category or leaf.") String kind,
            @Description("To the vector; null for the root.") Double cosine,
            @Description("Children compared at this node.") long candidates,
            @Description("Behind all its children.") long next_position,
            @Description("Among its siblings; null for the root.") Long position,
            @Description("Episodes under it; 1 for a leaf.") long leaves,
            @Description("Its text; null for the root.") String content,
            @Description("Who wrote a leaf; null for others.") String speaker,
            @Description("Of the root when the walk began; null for others.") Long revision) {}

    private record Child(Node node, double cosine, long position) {}

    private record Choice(Child best, long candidates, long nextPosition) {}

    @Procedure(name = "mnemo.memtree.route", mode = Mode.READ)
    @Description("The way of a vector through a group's tree over episodes, from the root down.")
    public Stream<Step> route(
            @Name(value = "group", description = "Whose memory.") String group,
            @Name(value = "vector", description = "Of unit length.") List<Double> vector,
            @Name(value = "thresholds", description = "Least cosine to go down from depth 0, 1, and so on.")
                    List<Double> thresholds,
            @Name(value = "tie", description = "Cosines that near to the highest are a tie.") double tie) {
        double[] wanted = vector.stream().mapToDouble(Double::doubleValue).toArray();
        List<Step> steps = new ArrayList<>();
        Node node = root(group);
        Child arrived = null;
        for (int depth = 0; node != null; depth++) {
            Choice choice = choose(node, wanted, tie);
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

    private Choice choose(Node node, double[] wanted, double tie) {
        List<Child> children = new ArrayList<>();
        double highest = NEVER;
        long next = 0;
        for (Relationship member : node.getRelationships(Direction.OUTGOING, CONTAINS)) {
            guard.check();
            long position = ((Number) member.getProperty("position", 0L)).longValue();
            Node child = member.getEndNode();
            children.add(new Child(child, cosine(child, wanted), position));
            highest = Math.max(highest, children.get(children.size() - 1).cosine());
            next = Math.max(next, position + 1);
        }
        double enough = highest - tie;
        Child best = children.stream()
                .filter(child -> child.cosine() >= enough)
                .min(Comparator.comparingLong(Child::position))
                .orElse(null);
        return new Choice(best, children.size(), next);
    }

    private static boolean goesDown(Child best, List<Double> thresholds, int depth) {
        return best != null && depth < thresholds.size() && best.cosine() >= thresholds.get(depth);
    }

    /** The cosine of a node's vector, a null vector or one of another length being as far as can be. */
    private static double cosine(Node node, double[] wanted) {
        if (!(node.getProperty("embedding", null) instanceof float[] vector) || vector.length != wanted.length) {
            return NEVER;
        }
        double dot = 0;
        double own = 0;
        double theirs = 0;
        for (int index = 0; index < vector.length; index++) {
            dot += vector[index] * wanted[index];
            own += (double) vector[index] * vector[index];
            theirs += wanted[index] * wanted[index];
        }
        return own == 0 || theirs == 0 ? NEVER : dot / Math.sqrt(own * theirs);
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
