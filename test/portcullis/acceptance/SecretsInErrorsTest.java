package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** Secrets of the configuration stand in no message about it, nor in one about a call that fails. */
class SecretsInErrorsTest {
  private static final String CANARY = "c4narY-s3cret-7f19";
  private static final String STEP = "mechanisms:\n  authorizers:\n  - id: a\n    type: remote\n    config:\n"
      + "      payload: x\n      endpoint:\n";
  private static final String BASIC = "mechanisms:\n  authenticators:\n  - id: a\n    type: basic_auth\n    config:\n";
  private static final String CLIENT = "mechanisms:\n  finalizers:\n  - id: a\n    type: oauth2_client_credentials\n"
      + "    config:\n      client_id: c\n";

  @TempDir
  private Path folder;

  private static void isHidden(String output) {
    assertFalse(output.contains(CANARY), output);
  }

  private RunningImage run(String... words) {
    return RunningImage.startIn(folder, words);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    BASIC + "      user_id: u\n      password: [SECRET]\n",
    BASIC + "      user_id: u\n      pasword: SECRET\n",
    BASIC + "      user_id: u\n      password: SECRET: x\n",
    BASIC + "      user_id: u\n      password: \"SECRET\n",
    BASIC + "      user_id: u\n      password SECRET\n",
    BASIC + "      user_id: u\n      password:\n        is: SECRET\n",
    BASIC + "      { user_id: u, password: SECRET, x: y }\n",
    BASIC + "      user_id: u\n      pass: SECRET\n",
    BASIC + "      user_id: u\n      password:\n      - SECRET\n",
    BASIC + "      user_id: u\n      password:\n      SECRET\n",
    BASIC + "      user_id: u\n      ? password\n      : [SECRET]\n",
    BASIC + "      user_id: u:SECRET\n      password: x\n",
    CLIENT + "      token_url: https://idp.example/token\n      client_secret: {a: SECRET}\n",
    CLIENT + "      token_url: https://idp.example/token\n      client_secrets: SECRET\n",
    CLIENT + "      token_url: ftp://u:SECRET@idp.example/token\n      client_secret: x\n",
    STEP + "        url: ftp://u:SECRET@a.example/\n",
    STEP + "        url: https://u:SECRET@a.example:port/{{ .X\n",
    STEP + "        url: u:SECRET@a.example\n",
    STEP + "        url: https//u:SECRET@a.example\n",
    STEP + "        url: ftp://u:a/SECRET@a.example/\n",
    STEP + "        url: 'https://u:a SECRET@a.example/'\n",
    STEP + "        url: https://a.example/\n        auth: SECRET\n",
    STEP + "        url: https://a.example/\n        auth: {type: basic_auth, config: SECRET}\n",
    STEP + "        url: https://a.example/\n        auth: {type: api_key, config: {in: header, vlaue: SECRET}}\n",
    STEP + "        url: https://u:SECRET@a.example/\n        methd: GET\n",
    STEP + "        url: https://a.example/\n        auth:\n          type: api_key\n          config:\n"
        + "            in: header\n            name: X\n            value: [SECRET]\n",
    STEP + "        url: https://a.example/\n        auth: {type: api_key, config: {in: x, name: X, value: SECRET}}\n",
    STEP + "        url: https://a.example/\n        auth: {type: api_ky, config: {in: header, value: SECRET}}\n",
    STEP + "        url: https://a.example/\n        auth: {type: basic_auth, config: {user: u, passwort: SECRET}}\n",
    STEP + "        url: https://a.example/\n        headers: {Cookie: [sid=SECRET]}\n",
    STEP + "        url: https://a.example/\n        headers: {cookie: 'sid=SECRET', x: [y]}\n",
    STEP + "        url: https://a.example/\n        headers:\n          Cookie: 'sid=SECRET {{ .X'\n",
    STEP + "        url: https://a.example/\n        auth: {type: basic_auth, config: {user: u, pw: SECRET}}\n",
    BASIC + "      user_id: u\n      pw: SECRET\n",
    "serve: {tls: {key_store: a.pem password SECRET}}\n",
    "serve:\n  tls:\n    key_store: {path: a.pem password SECRET}\n",
    "serve:\n  tls:\n    key_store: a.pem password SECRET\n",
    "serve:\n  tls:\n    key_store: a.pem password: SECRET\n",
    "providers: {http_endpoint: {endpoints: [{url: 'ftp://u:SECRET@a.example/rules'}]}}\n",
    "providers: {http_endpoint: {endpoints: [{url: 'https://u:SECRET@a.example/rules', x: y}]}}\n",
    "cache: {type: redis, config: {address: 'redis://u:SECRET@a.example:6379'}}\n",
    "cache: {type: redis, config: {address: 'a.example:6379', credentials: {username: u, password: [SECRET]}}}\n",
    "cache: {type: redis, config: {address: 'u:SECRET@a.example:6379'}}\n",
    "cache: {type: redis, config: {address: 'a.example:6379', credentials: SECRET}}\n",
    "cache: {type: redis, config: {address: 'a.example:6379', secret: {a: SECRET}}}\n",
    "management: {locks: {key: SECRET}}\n",
  })
  void whatIsWrongIsReportedWithoutSecrets(String config) throws IOException {
    Files.writeString(folder.resolve("c.yaml"), config.replace("SECRET", CANARY));
    try (RunningImage validate = run("validate", "config", "-c", "c.yaml", "--insecure")) {
      assertEquals(1, validate.exitStatus(), validate.output());
      assertTrue(validate.output().contains("c.yaml:"), validate.output());
      isHidden(validate.output());
    }
  }

  @Test
  void theVariableThatIsNotSetIsShown() throws IOException {
    Files.writeString(folder.resolve("c.yaml"), """
        cache:
          type: redis
          config:
            address: a.example:6379
            secret: "${CACHE_SECRET_OF_NOBODY}"
            credentials: { username: u, password: %s }
        """.formatted(CANARY));
    try (RunningImage validate = run("validate", "config", "-c", "c.yaml", "--insecure")) {
      assertEquals(1, validate.exitStatus(), validate.output());
      validate.await("^c\\.yaml:5:14: cache\\.config\\.secret: environment variable CACHE_SECRET_OF_NOBODY is not set, "
          + "give it a value.*\\n +secret: \"\\$\\{CACHE_SECRET_OF_NOBODY}\"$");
      isHidden(validate.output());
    }
  }

  @Test
  void aStartThatFailsShowsNoSecret() throws IOException {
    Files.writeString(folder.resolve("c.yaml"), BASIC + "      user_id: u\n      password: [" + CANARY + "]\n");
    try (RunningImage start = run("serve", "decision", "-c", "c.yaml", "--insecure")) {
      assertEquals(1, start.exitStatus(), start.output());
      assertTrue(start.output().contains("password"), start.output());
      isHidden(start.output());
    }
  }

  /** Keys and passwords that are named instead of a configuration or a rule set, or lie in the folder of rules. */
  @Test
  void filesOfSecretsAreNotQuoted() throws Exception {
    Path rules = Files.createDirectory(folder.resolve("rules"));
    Files.writeString(folder.resolve("c.yaml"), "serve: {host: 127.0.0.1, port: " + FreePort.next()
        + "}\nproviders: {file_system: {src: rules}}\n");
    List<String> secrets = List.of(pem("Ed25519"), pem("RSA"), pem("RSA").replace("PRIVATE", "OPENSSH PRIVATE"),
        CANARY + "\n", "AKIAIOSFODNN7:" + CANARY + "\n", "machine h.example login u password " + CANARY + "\n",
        "ghp_" + CANARY + "\nfoo: [\n");
    for (int i = 0; i < secrets.size(); i++) {
      Files.writeString(rules.resolve("secret" + i), secrets.get(i));
    }
    for (String command : List.of("validate rules -c c.yaml rules/secret0", "validate rules -c c.yaml rules",
        "validate config -c rules/secret0", "validate config -c rules/secret3", "validate config -c rules/secret6",
        "serve decision -c c.yaml")) {
      try (RunningImage run = run((command + " --insecure").split(" "))) {
        assertEquals(1, run.exitStatus(), run.output());
        assertTrue(run.output().contains("(not shown, as it "), run.output());
        for (int i = 0; i < secrets.size(); i++) {
          assertTrue(!command.endsWith("rules") || run.output().contains("secret" + i + ":"), run.output());
          secrets.get(i).lines().forEach(line -> assertFalse(run.output().contains(line), run.output()));
        }
      }
    }
  }

  private static String pem(String algorithm) throws GeneralSecurityException {
    byte[] key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate().getEncoded();
    return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
        + "\n-----END PRIVATE KEY-----\n";
  }

  @Test
  void aStartWithoutRedisShowsNoSecret() throws IOException {
    Files.writeString(folder.resolve("c.yaml"), """
        serve: {host: 127.0.0.1, port: %d}
        cache: {type: redis, config: {address: '127.0.0.1:%d', credentials: {username: u, password: %s}, secret: %s}}
        """.formatted(FreePort.next(), FreePort.next(), CANARY, CANARY));
    try (RunningImage start = run("serve", "decision", "-c", "c.yaml", "--insecure")) {
      assertEquals(1, start.exitStatus(), start.output());
      assertTrue(start.output().contains("Redis cannot be used"), start.output());
      isHidden(start.output());
    }
  }

  @Test
  void aReloadThatFailsShowsNoSecret() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      Path file = folder.resolve("config.yaml");
      Files.writeString(file, Files.readString(file).replace("  finalizers:",
          "  authorizers:\n  - {id: a, type: remote, config: {payload: x, endpoint: {url: 'ftp://u:" + CANARY
              + "@a.example'}}}\n  finalizers:"));
      site.image().signal("HUP");
      site.image().await("reload failed .*config\\.yaml:\\d+");
      isHidden(site.image().output());
    }
  }

  /** The server of tokens repeats the secret in its error; nobody listens where rules should be. */
  @Test
  void callsThatFailAndTheStatusShowNoSecret() throws Exception {
    HttpServer idp = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    idp.createContext("/", exchange -> {
      byte[] answer = ("{\"error\":\"invalid_client\",\"error_description\":\"client_secret=" + CANARY
          + " is wrong\",\"error_uri\":\"https://u:" + CANARY + "@idp.example\"}").getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(400, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    idp.start();
    int port = FreePort.next();
    int management = FreePort.next();
    int nobody = FreePort.next();
    String there = "http://127.0.0.1:";
    Files.writeString(folder.resolve("c.yaml"), """
        log: {level: debug}
        tracing: {enabled: false}
        metrics: {enabled: false}
        serve: {host: 127.0.0.1, port: %d, respond: {verbose: true}}
        management: {host: 127.0.0.1, port: %d}
        mechanisms:
          authenticators: [{id: anon, type: anonymous}]
          authorizers:
          - {id: ask, type: remote, config: {payload: x, endpoint: {url: '%s%d/ask?api_key=%s'}}}
          finalizers:
          - {id: token, type: oauth2_client_credentials, config: {token_url: 'http://127.0.0.1:%d/t', client_id: c, \
        client_secret: %s}}
        providers:
          file_system: {src: rules.yaml}
          http_endpoint: {watch_interval: 1s, endpoints: [{url: '%s%d/rules?token=%s'}]}
        """.formatted(port, management, there, nobody, CANARY, idp.getAddress().getPort(), CANARY,
        there, nobody, CANARY));
    Files.writeString(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
        - {id: ask, match: {routes: [{path: /ask}]}, execute: [{authenticator: anon}, {authorizer: ask}]}
        - {id: token, match: {routes: [{path: /token}]}, execute: [{authenticator: anon}, {finalizer: token}]}
        """);
    try (RunningImage image = run("serve", "decision", "-c", "c.yaml", "--insecure")) {
      image.await("Starting listening .*decision");
      image.await("Failed to fetch rule set .*127\\.0\\.0\\.1:" + nobody);
      assertEquals(502, status(port, "/ask"));
      assertEquals(502, status(port, "/token"));
      status(management, "/status");
      image.stop();
      image.await("invalid_client");
      isHidden(image.output());
    } finally {
      idp.stop(0);
    }
  }

  private static int status(int port, String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
          HttpResponse.BodyHandlers.ofString());
      isHidden(answer.body() + answer.headers());
      return answer.statusCode();
    }
  }
}
