package mnemo.recall;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.procedure.TerminationGuard;

/**
 * The mnemo server, as the database's administrator configured it; no query can name another.
 *
 * <p>In this order: MNEMO_API__URL and MNEMO_API__KEY in Neo4j's environment; the file `mnemo-server.json` that
 * `mnemo serve` writes into the home of the server that `mnemo up` started; the default address.
 *
 * <p>Errors carry no cause: Neo4j shows the innermost message alone, which would be that of a closed channel.
 */
record Service(String url, String key) {
    private static final String FILE = "mnemo-server.json";
    private static final String DEFAULT_URL = "http://127.0.0.1:7676";
    private static final Duration CONNECTING = Duration.ofSeconds(5);
    private static final Duration ANSWERING = Duration.ofSeconds(180);
    private static final long POLL_MS = 100;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTING)
            .build();

    static Service of(GraphDatabaseService database) {
        String url = System.getenv("MNEMO_API__URL");
        if (url != null && !url.isBlank()) {
            String key = System.getenv("MNEMO_API__KEY");
            return new Service(url.strip(), key == null ? "" : key.strip());
        }
        return announced(home(database));
    }

    /** Ask; ends when the caller's transaction is ended. */
    Reply recall(Map<String, Object> asked, TerminationGuard guard) {
        HttpResponse<String> response = waited(CLIENT.sendAsync(request(asked), HttpResponse.BodyHandlers.ofString()), guard);
        JsonNode body = parsed(response.body());
        if (response.statusCode() == OK) {
            return Reply.of(body);
        }
        String said = body.path("error").path("message").asText("nothing more");
        String hint = response.statusCode() == UNAUTHORIZED ? "; set MNEMO_API__KEY for Neo4j, or start both anew" : "";
        throw new IllegalStateException("the mnemo server answered " + response.statusCode() + ": " + said + hint);
    }

    private HttpRequest request(Map<String, Object> asked) {
        try {
            return HttpRequest.newBuilder(URI.create(url.replaceAll("/+$", "") + "/v1/recall"))
                    .timeout(ANSWERING)
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer " + key)
                    .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(asked)))
                    .build();
        } catch (IOException | IllegalArgumentException error) {
            throw new IllegalArgumentException("cannot ask " + url + ": " + error.getMessage());
        }
    }

    private HttpResponse<String> waited(CompletableFuture<HttpResponse<String>> coming, TerminationGuard guard) {
        try {
            while (true) {
                guard.check();
                try {
                    return coming.get(POLL_MS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException still) {
                    continue;
                }
            }
        } catch (ExecutionException error) {
            Throwable why = error.getCause();
            boolean slow = why instanceof HttpTimeoutException && !(why instanceof HttpConnectTimeoutException);
            throw new IllegalStateException(slow ? late() : unreachable());
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the mnemo server was answering");
        } finally {
            coming.cancel(true);
        }
    }

    private String unreachable() {
        return "no mnemo server answers at " + url + ". Start one with `mnemo serve`, with the same settings as"
                + " `mnemo up`, and call this again; for a server elsewhere set MNEMO_API__URL and MNEMO_API__KEY in"
                + " Neo4j's environment";
    }

    private String late() {
        return "the mnemo server at " + url + " has not answered within " + ANSWERING.toSeconds() + " seconds; its log"
                + " says why, and the option {route: 'system1'} asks no LLM on the way";
    }

    private static JsonNode parsed(String body) {
        try {
            return JSON.readTree(body);
        } catch (IOException error) {
            return JSON.createObjectNode();
        }
    }

    private static Path home(GraphDatabaseService database) {
        return database instanceof GraphDatabaseAPI internals
                ? internals.getDependencyResolver().resolveDependency(Config.class).get(GraphDatabaseSettings.neo4j_home)
                : Path.of(".");
    }

    private static Service announced(Path home) {
        try {
            JsonNode said = JSON.readTree(Files.readString(home.resolve(FILE)));
            return new Service(said.path("url").asText(DEFAULT_URL), said.path("key").asText(""));
        } catch (NoSuchFileException absent) {
            return new Service(DEFAULT_URL, "");
        } catch (IOException error) {
            throw new IllegalStateException("cannot read " + FILE + " in Neo4j's home; start `mnemo serve` anew");
        }
    }
}
