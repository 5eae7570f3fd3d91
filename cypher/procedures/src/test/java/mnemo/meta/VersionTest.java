package mnemo.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mnemo.query.Statements;
import org.junit.jupiter.api.Test;
import org.neo4j.harness.Neo4j;
import org.neo4j.harness.Neo4jBuilders;

class VersionTest {
    @Test
    void versionIsTheBuildsVersion() {
        try (Neo4j server = Neo4jBuilders.newInProcessBuilder()
                        .withDisabledServer()
                        .withProcedure(Version.class)
                        .build();
                var transaction = server.defaultDatabaseService().beginTx()) {
            var rows = transaction.execute(Statements.text("meta/plugin")).stream().toList();
            assertEquals(1, rows.size());
            assertTrue(((String) rows.get(0).get("version")).matches("\\d+\\.\\d+\\.\\d+"), rows.toString());
            assertEquals("", rows.get(0).get("build"));
        }
    }

    @Test
    void statementHasNoComments() {
        assertTrue(Statements.text("meta/plugin").startsWith("CYPHER 25\n"));
    }

    @Test
    void missingStatementIsNamedInTheError() {
        var error = assertThrows(IllegalArgumentException.class, () -> Statements.text("meta/nothing"));
        assertTrue(error.getMessage().contains("mnemo/cypher/meta/nothing.cypher"));
    }
}
