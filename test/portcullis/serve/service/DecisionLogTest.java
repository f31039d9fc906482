package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.KeyedHash;

/** What the decision log has of requests, and what it never has. */
class DecisionLogTest {
  private static final String CANARY = "c4narY-s3cret-7f19";
  private static final String MECHANISMS = """
      authenticators:
        - {id: anon, type: anonymous, config: {subject: guest}}
        - {id: nobody, type: unauthorized}
      authorizers:
        - {id: never, type: deny}
      finalizers:
        - {id: user, type: header, config: {headers: {X-User: "{{ .Subject.ID }}"}}}
        - {id: mark, type: cookie, config: {cookies: {seen: "1"}}}
      """;
  private static final String RULES = """
      - {id: open, match: {routes: [{path: /open/**}]},
         execute: [{authenticator: anon}, {finalizer: user}, {finalizer: mark}]}
      - {id: shut, match: {routes: [{path: /shut}]}, execute: [{authenticator: anon}, {authorizer: never}]}
      - {id: gone, match: {routes: [{path: /gone}]}, execute: [{authenticator: anon}],
         forward_to: {host: "127.0.0.1:1", rewrite: {scheme: http}}}
      - {id: login, match: {routes: [{path: /login}]}, execute: [{authenticator: nobody}]}
      """;

  @TempDir
  private Path folder;

  private List<String> logged(String settings, String... requests) throws Exception {
    return logged(false, settings, requests);
  }

  private List<String> logged(boolean proxy, String settings, String... requests) throws Exception {
    return new LoggedDecisions(folder, MECHANISMS, RULES).lines(proxy, settings, requests);
  }

  private static String get(String path, String... fields) {
    return "GET " + path + " HTTP/1.1\r\nHost: App.test\r\nConnection: close\r\n" + String.join("", fields) + "\r\n";
  }

  private Path key() throws IOException {
    return Files.writeString(folder.resolve("key"), "0b".repeat(32));
  }

  private static void contains(String line, String... parts) {
    for (String part : parts) {
      assertTrue(line.contains(part), () -> part + " is not in " + line);
    }
  }

  @Test
  void hasALineForEachDecision() throws Exception {
    List<String> lines = logged("headers: [User-Agent]", get("/open/a%20b", "User-Agent: curl\r\n"), get("/shut"),
        get("/login"), get("/unknown"));
    assertEquals(4, lines.size(), lines.toString());
    contains(lines.get(0), "\"decision\":\"allowed\",\"status\":200", "\"method\":\"GET\",\"scheme\":\"http\"",
        "\"host\":\"app.test\",\"path\":\"/open/a%20b\",\"headers\":{\"User-Agent\":\"curl\"}",
        "\"client\":[\"127.0.0.1\"]", "\"rule\":{\"id\":\"open\",\"rule_set\":\"test\"}",
        "{\"id\":\"anon\",\"kind\":\"authenticator\",\"type\":\"anonymous\",\"outcome\":\"passed\",\"ms\":",
        "\"upstream\":{\"headers\":[\"X-User\"],\"cookies\":[\"seen\"]}");
    contains(lines.get(1), "\"decision\":\"denied\",\"status\":403", "\"outcome\":\"failed\"",
        "\"error\":\"authorization_error\"");
    contains(lines.get(2), "\"status\":401", "\"error\":\"authentication_error\"");
    contains(lines.get(3), "\"status\":404", "\"steps\":[],\"error\":\"no_rule_error\"");
    lines.forEach(line -> assertEquals(1, Yaml.read(new SourceFile("l", line), new Problems()).stream().count()));
  }

  @Test
  void hasNoHeadersUnlessTheyAreListed() throws Exception {
    String line = logged("", get("/open/1", "User-Agent: curl\r\n")).getFirst();
    assertFalse(line.contains("\"headers\":{"), line);
  }

  @Test
  void hasALineForEachCheckOfEnvoy() throws Exception {
    List<String> lines = new LoggedDecisions(folder, MECHANISMS, RULES).checked("", "/open/a", "/shut");
    assertEquals(2, lines.size(), lines.toString());
    contains(lines.get(0), "\"decision\":\"allowed\"", "\"path\":\"/open/a\"", "\"rule\":{\"id\":\"open\"");
    contains(lines.get(1), "\"decision\":\"denied\"", "\"path\":\"/shut\"", "\"error\":\"authorization_error\"");
  }

  @Test
  void secretsAppearNowhere() throws Exception {
    String secrets = "Authorization: Bearer " + CANARY + "\r\nCookie: session=" + CANARY + "\r\nX-Api-Key: " + CANARY
        + "\r\nX-Private: " + CANARY + "\r\n";
    String body = "POST /shut?access_token=" + CANARY + " HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + (9 + CANARY.length()) + "\r\n"
        + secrets + "\r\npassword=" + CANARY;
    for (String more : List.of("", "hash_key: " + key() + "\n")) {
      Files.deleteIfExists(folder.resolve("decisions.log"));
      List<String> lines = logged(more + "headers: [Authorization, Cookie, X-Api-Key, X-Private]\nmask: [x-private]\n",
          get("/open/x?token=" + CANARY, secrets), body, "GET /open?" + CANARY + " HTTP/1.1\r\nHost: a b\r\n\r\n");
      assertTrue(lines.size() >= 2, lines.toString());
      lines.forEach(line -> assertFalse(line.contains(CANARY), line));
      contains(lines.getFirst(), more.isEmpty() ? "\"X-Private\":\"***\"" : "\"credentials\":{\"authorization\":\"");
    }
  }

  @Test
  void secretsInListedFieldsAreHiddenWhateverTheirLooks() throws Exception {
    List<String> names = List.of("X-Pwd", "X-Pass", "X-Pin", "X-Sid", "X-Saml", "Sec-WebSocket-Protocol",
        "X-Ms-Client-Principal");
    String fields = names.stream().map(name -> name + ": " + CANARY + "\r\n").collect(Collectors.joining())
        + "X-Trace: a eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln\r\nX-Custom: {\"token\":\"" + CANARY
        + "\"} Bearer " + CANARY + "\r\n";
    String line = logged("headers: [" + String.join(", ", names) + ", X-Trace, X-Custom]",
        get("/open/x", fields)).getFirst();
    assertFalse(line.contains(CANARY) || line.contains("eyJ"), line);
    contains(line, "\"X-Sid\":\"***\"", "\"X-Trace\":\"a REDACTED\"",
        "\"X-Custom\":\"{\\\"token\\\":REDACTED} Bearer REDACTED\"");
  }

  @Test
  void controlCharactersAreEscaped() throws Exception {
    String line = logged("headers: [User-Agent]", get("/open/x", "User-Agent: a\u00c2\u009b31mb\r\n")).getFirst();
    contains(line, "\"User-Agent\":\"a\\u009b31mb\"");
  }

  @Test
  void rejectedRequestsHaveNoDebugToken() throws Exception {
    List<String> lines = logged("headers: [X-Portcullis-Debug, User-Agent, Referer]",
        get("/open/%zz", "X-Portcullis-Debug: " + CANARY
            + "\r\nUser-Agent: curl\r\nReferer: https://u:" + CANARY + "@a.test/p?page=2&token=" + CANARY + "\r\n"));
    contains(lines.getFirst(), "\"rejected\":true", "\"headers\":{\"User-Agent\":\"curl\",\"Referer\":"
        + "\"https://***@a.test/p?page=2&token=REDACTED\"}");
  }

  @Test
  void equalSecretsHaveEqualHashes() throws Exception {
    List<String> lines = logged("hash_key: " + key(), get("/open/1", "Authorization: Bearer a\r\n"),
        get("/open/2", "Authorization: Bearer a\r\n"), get("/open/3", "Authorization: Bearer b\r\n"));
    List<String> hashes = lines.stream().map(line -> line.substring(line.indexOf("\"hashes\""))).toList();
    contains(hashes.getFirst(), "\"subject\":\"");
    assertEquals(hashes.get(0), hashes.get(1));
    assertNotEquals(hashes.get(0), hashes.get(2));
  }

  @Test
  void credentialsAreHashedByTheirNames() throws Exception {
    KeyedHash hash = new KeyedHash(SymmetricKey.parse(Files.readString(key()), "test"));
    String line = logged("hash_key: " + key(), get("/open/1", "X-Api-Key: k\r\n", "Accept: x\r\n", "Cookie: a=1\r\n",
        "Authorization: Bearer a\r\n")).getFirst();
    Value.Dict hashes = (Value.Dict) ((Value.Dict) Json.read(line.getBytes(StandardCharsets.UTF_8))).get("hashes")
        .orElseThrow();
    assertEquals(Optional.of(new Value.Dict(Map.of("x-api-key", Value.of(hash.of("k")), "cookie",
        Value.of(hash.of("a=1")), "authorization", Value.of(hash.of("Bearer a"))))), hashes.get("credentials"));
  }

  @Test
  void onlyAllowedRequestsAreSampled() throws Exception {
    List<String> lines = logged("sample_allowed: 0", get("/open/1"), get("/shut"), get("/open/2"), get("/login"));
    assertEquals(2, lines.size(), lines.toString());
    lines.forEach(line -> contains(line, "\"decision\":\"denied\""));
  }

  @Test
  void sampledLinesHaveTheirShare() throws Exception {
    List<String> lines = logged("sample_allowed: 0.9999", get("/open/1"), get("/open/2"), get("/open/3"), get("/shut"));
    contains(lines.getFirst(), "\"decision\":\"allowed\",\"sampled\":0.9999,");
    assertFalse(lines.getLast().contains("\"sampled\""), lines.getLast());
    assertFalse(logged("", get("/open/1")).getLast().contains("\"sampled\""));
  }

  @Test
  void errorsOfAnUpstreamAreNamed() throws Exception {
    contains(logged(true, "", get("/gone", "Accept: x\r\n")).getFirst(), "\"decision\":\"allowed\",\"status\":502",
        "\"error\":\"upstream_error\",\"upstream\":{\"headers\":[\"Host\",", "\"Accept\"", "],\"cookies\":[]}");
  }

  @Test
  void aRequestForTheServerAsAWholeHasAnAsterisk() throws Exception {
    contains(logged("", get("/open/1").replace("GET /open/1", "OPTIONS *")).getFirst(),
        "\"method\":\"OPTIONS\",\"scheme\":\"http\",\"host\":\"App.test\",\"path\":\"*\"", "\"rejected\":true");
  }

  @Test
  void malformedRequestsAreDenied() throws Exception {
    List<String> lines = logged("", get("/open/%2e%2e/x\\y"), get("/open/%zz"));
    lines.forEach(line -> contains(line, "\"decision\":\"denied\"", "\"error\":\"precondition_error\""));
    assertFalse(lines.isEmpty());
  }

  @Test
  void whatIsNoRequestForARuleIsNoDecision() throws Exception {
    List<String> lines = logged(true, "", "\0\1\2\r\n\r\n", "GET /open/1 HTTP/1.1\r\nBroken field\r\n\r\n",
        "CONNECT app.test:443 HTTP/1.1\r\nHost: app.test:443\r\n\r\n", get("/" + "a".repeat(100_000)),
        "GET /open/1 HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
        "OPTIONS /open/2 HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\nOrigin: https://shop.test\r\n"
            + "Access-Control-Request-Method: GET\r\n\r\n",
        get("/open/3"));
    assertEquals(1, lines.size(), lines.toString());
    contains(lines.getFirst(), "/open/3");
  }
}
