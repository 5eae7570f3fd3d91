package mnemo.launcher;

import org.neo4j.server.CommunityBootstrapper;
import org.neo4j.server.NeoBootstrapper;

/** Starts a Neo4j Community server in this process: the jars of Maven Central have no main of their own. */
public final class Serve {
    private Serve() {}

    public static void main(String[] arguments) {
        int code = NeoBootstrapper.start(new CommunityBootstrapper(), arguments);
        if (code != NeoBootstrapper.OK) {
            System.exit(code);
        }
    }
}
