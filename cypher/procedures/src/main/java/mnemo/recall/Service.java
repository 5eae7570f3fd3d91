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
 * The mnemo server, as configured by the database's administrator; a query cannot choose another.
 *
 * <p>Found by, in this order: MNEMO_API__URL and MNEMO_API__KEY in Neo4j's environment; `mnemo-server.json`, which
 * `mnemo serve` writes to the home of the Neo4j server started by `mnemo up`; the default address.
 *
 * <p>Errors have no cause: Neo4j shows only the innermost message, which would be that of a closed channel.
 */
record Service(String url, String key) {
    private static final String FILE = "mnemo-server.json";
    private static final String DEFAULT_URL = "http://127.0.0.1:7676";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(180);
    private static final long POLL_MS = 100;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();

    static Service of(GraphDatabaseService database) {
        String url = System.getenv("MNEMO_API__URL");
        if (url != null && !url.isBlank()) {
            String key = System.getenv("MNEMO_API__KEY");
            return new Service(url.strip(), key == null ? "" : key.strip());
        }
        return fromFile(home(database));
    }

    /** Ask the server; stops when the caller's transaction is terminated. */
    Reply recall(Map<String, Object> request, TerminationGuard guard) {
        HttpResponse<String> response = await(CLIENT.sendAsync(httpRequest(request), HttpResponse.BodyHandlers.ofString()), guard);
        JsonNode body = parsed(response.body());
        if (response.statusCode() == OK) {
            return Reply.of(body);
        }
        String detail = body.path("error").path("message").asText("no details");
        String hint = response.statusCode() == UNAUTHORIZED ? "; set MNEMO_API__KEY for Neo4j, or restart both servers" : "";
        throw new IllegalStateException("the mnemo server answered " + response.statusCode() + ": " + detail + hint);
    }

    private HttpRequest httpRequest(Map<String, Object> request) {
        try {
            return HttpRequest.newBuilder(URI.create(url.replaceAll("/+$", "") + "/v1/recall"))
                    .timeout(ANSWER_TIMEOUT)
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer " + key)
                    .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(request)))
                    .build();
        } catch (IOException | IllegalArgumentException error) {
            throw new IllegalArgumentException("cannot ask " + url + ": " + error.getMessage());
        }
    }

    private HttpResponse<String> await(CompletableFuture<HttpResponse<String>> response, TerminationGuard guard) {
        try {
            while (true) {
                guard.check();
                try {
                    return response.get(POLL_MS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException pending) {
                    continue;
                }
            }
        } catch (ExecutionException error) {
            Throwable cause = error.getCause();
            boolean slow = cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException);
            throw new IllegalStateException(slow ? timedOut() : unreachable());
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the mnemo server");
        } finally {
            response.cancel(true);
        }
    }

    private String unreachable() {
        return "no mnemo server answers at " + url + ". Start one with `mnemo serve`, with the same settings as"
                + " `mnemo up`, and call this again; for a server elsewhere set MNEMO_API__URL and MNEMO_API__KEY in"
                + " Neo4j's environment";
    }

    private String timedOut() {
        return "the mnemo server at " + url + " has not answered within " + ANSWER_TIMEOUT.toSeconds() + " seconds;"
                + " see its log, or use the option {route: 'system1'}, which searches without an LLM";
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

    private static Service fromFile(Path home) {
        try {
            JsonNode file = JSON.readTree(Files.readString(home.resolve(FILE)));
            return new Service(file.path("url").asText(DEFAULT_URL), file.path("key").asText(""));
        } catch (NoSuchFileException absent) {
            return new Service(DEFAULT_URL, "");
        } catch (IOException error) {
            throw new IllegalStateException("cannot read " + FILE + " in Neo4j's home; restart `mnemo serve`");
        }
    }
}
