package mnemo.meta;

import java.util.stream.Stream;
import mnemo.query.Statements;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Procedure;

/** `mnemo.version()`: the plugin's version, so that a client can check that it matches its own. */
public class Version {
    /** The plugin's version and the checksum of its sources. */
    public record Built(
            @Description("The version of mnemo, such as 0.1.0.") String version,
            @Description("SHA-256 of sources and statements; empty in a Maven build.") String build) {}

    @Procedure(name = "mnemo.version", mode = Mode.READ)
    @Description("The version of this plugin.")
    public Stream<Built> version() {
        return Stream.of(new Built(Statements.resource("version").strip(), Statements.resource("build").strip()));
    }
}
