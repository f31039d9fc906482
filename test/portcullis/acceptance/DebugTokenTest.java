package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** {@code portcullis debug-token} and the built image, which explains requests that carry such a token. */
class DebugTokenTest {
  private static final String SECRET = "hunter2hunter2";
  private static final String CONFIG = """
      log: {level: info, format: text}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d, debug: {key_file: debug.key}}
      mechanisms:
        authenticators:
          - {id: password, type: basic_auth, config: {user_id: ann, password: hunter2hunter2}}
        authorizers:
          - {id: office, type: cel, config: {expressions: [{expression: 'Request.Method != "DELETE"'}]}}
      providers: {file_system: {src: rules.yaml}}
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
      - id: orders
        match: {routes: [{path: "/orders/**"}]}
        forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}}
        execute: [{authenticator: password}, {authorizer: office}]
      - id: other
        match: {routes: [{path: "/other"}]}
        forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}}
        execute: [{authenticator: password}]
      """;

  @TempDir
  private Path folder;
  private final List<String> forwarded = Collections.synchronizedList(new ArrayList<>());
  private final int port = FreePort.next();
  private final int management = FreePort.next();

  private String token(String... words) throws Exception {
    List<String> line = new ArrayList<>(List.of(RunningImage.PROGRAM.toString(), "debug-token"));
    line.addAll(List.of(words));
    Release.Outcome outcome = Release.run(Map.of(), line.toArray(String[]::new));
    assertEquals(0, outcome.status(), outcome.output());
    return outcome.output().strip();
  }

  private HttpResponse<String> send(HttpClient client, String method, String path, String... token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .header("Authorization", "Basic YW5uOmh1bnRlcjJodW50ZXIy").header("Cookie", "sid=" + SECRET);
    for (String one : token) {
      request.header("X-Portcullis-Debug", one);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> explanation(HttpClient client, String id) throws Exception {
    return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + management + "/explanations/" + id))
        .build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Map<String, List<String>> withoutDate(HttpResponse<String> response) {
    Map<String, List<String>> out = new TreeMap<>(response.headers().map());
    out.remove("date");
    return out;
  }

  @Test
  void onlyASignedTokenOfTheRuleIsExplained() throws Exception {
    HttpServer upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext("/", exchange -> {
      exchange.getRequestHeaders().keySet().forEach(name -> forwarded.add(name.toLowerCase(java.util.Locale.ROOT)));
      exchange.sendResponseHeaders(200, 2);
      exchange.getResponseBody().write("ok".getBytes());
      exchange.close();
    });
    upstream.start();
    Files.writeString(folder.resolve("rules.yaml"), RULES.formatted(upstream.getAddress().getPort()));
    Files.writeString(folder.resolve("debug.key"), "0123456789abcdef".repeat(4));
    Files.writeString(folder.resolve("other.key"), "fedcba9876543210".repeat(4));
    String config = Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, management)).toString();
    String key = folder.resolve("debug.key").toString();
    String valid = token("--rule", "orders", "--for", "10m", "--key", key);
    String brief = token("--rule", "orders", "--for", "1s", "--key", key);
    String foreign = token("--rule", "orders", "--key", folder.resolve("other.key").toString());
    String wrongRule = token("--rule", "other", "--key", key);
    try (RunningImage image = RunningImage.startIn(folder, "serve", "proxy", "-c", config, "--insecure");
        HttpClient client = HttpClient.newHttpClient()) {
      image.await("Starting listening .*_service=proxy");
      HttpResponse<String> plain = send(client, "GET", "/orders/1?api_key=" + SECRET);
      HttpResponse<String> debugged = send(client, "GET", "/orders/1?api_key=" + SECRET, valid);
      assertEquals(200, debugged.statusCode());
      String id = debugged.headers().firstValue("X-Portcullis-Explain").orElseThrow();
      String document = explanation(client, id).body();
      assertTrue(document.contains("\"id\":\"orders\"") && document.contains("\"id\":\"office\""), document);
      assertFalse(document.contains(SECRET) || document.contains("YW5uO"), document);
      String text = explanation(client, id + ".txt").body();
      assertTrue(text.contains("rule      `orders` of ") && text.contains("rules.yaml:3: "), text);
      HttpResponse<String> denied = send(client, "DELETE", "/orders/1", valid);
      String why = explanation(client, denied.headers().firstValue("X-Portcullis-Explain").orElseThrow()).body();
      assertTrue(why.contains("\"allowed\":false") && why.contains("Request.Method"), why);
      Await.until(() -> System.currentTimeMillis() >= expiry(brief));
      for (String ignored : List.of(brief, foreign, wrongRule, "x", valid.substring(1), valid + "A")) {
        HttpResponse<String> same = send(client, "GET", "/orders/1?api_key=" + SECRET, ignored);
        assertEquals(withoutDate(plain), withoutDate(same), ignored);
        assertEquals(plain.body(), same.body());
      }
      assertEquals(withoutDate(plain), withoutDate(send(client, "GET", "/orders/1", valid, valid)));
      assertFalse(forwarded.contains("x-portcullis-debug"), forwarded.toString());
      assertEquals(404, explanation(client, "0".repeat(32)).statusCode());
      assertFalse(image.output().contains(SECRET), image.output());
    } finally {
      upstream.stop(0);
    }
  }

  @Test
  void aRuleThatIsNotThereIsRefused() throws Exception {
    Files.writeString(folder.resolve("debug.key"), "0123456789abcdef".repeat(4));
    Files.writeString(folder.resolve("rules.yaml"), RULES.formatted(1));
    String config = Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, management)
        .replace("debug.key", folder.resolve("debug.key").toString())
        .replace("rules.yaml", folder.resolve("rules.yaml").toString())).toString();
    assertTrue(token("--rule", "orders", "-c", config).contains("."));
    String program = RunningImage.PROGRAM.toString();
    Release.Outcome refused = Release.run(Map.of(), program, "debug-token", "--rule", "order", "-c", config);
    assertEquals(1, refused.status());
    assertTrue(refused.output().contains("the configuration has no rule `order`: did you mean `orders`?"),
        refused.output());
    Files.delete(folder.resolve("rules.yaml")); // then nothing is known of the rules
    assertTrue(token("--rule", "order", "-c", config).contains("."));
  }

  /** Returns when a token expires, in milliseconds. */
  private static long expiry(String token) {
    String claims = new String(java.util.Base64.getUrlDecoder().decode(token.split("\\.")[0]));
    return Long.parseLong(claims.replaceAll(".*\"exp\":(\\d+).*", "$1")) * 1000;
  }
}
