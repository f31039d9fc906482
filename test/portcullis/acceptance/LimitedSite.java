package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import portcullis.fixture.FreePort;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.RunningImage;

/**
 * The built image with rate limits by the field {@code X-Who}, with users and API keys that are locked out after two
 * failed attempts, and with an application behind it.
 */
final class LimitedSite implements AutoCloseable {
  static final String OWNER = "127.0.0.1";
  static final String STRANGER = "127.0.0.2";
  /** None has to wait longer: the timeouts of Redis are a second each, the rest is for slow machines. */
  private static final int LONGEST_MILLIS = 10_000;
  private static final String CONFIG = """
      log: { level: info, format: text }
      tracing: { enabled: false }
      metrics: { enabled: false }
      serve: { host: 127.0.0.1, port: %d%s }
      management: { host: 127.0.0.1, port: %d, locks: { key_file: lock.key } }
      %s
      mechanisms:
        authenticators:
          - { id: anybody, type: anonymous }
          - { id: people, type: basic_auth, config: { users: users.yaml, lockout: { attempts: 2, for: 30m } } }
          - { id: machines, type: api_key, config: { keys: keys.yaml, lockout: { attempts: 2, for: 30m } } }
        authorizers:
      %s
        finalizers: [ { id: user, type: header, config: { headers: { X-User: "{{ .Subject.ID }}" } } } ]
      providers: { file_system: { src: rules.yaml } }
      """;
  private static final String LIMIT = """
          - id: %1$s
            type: rate_limit
            config: { name: %1$s, key: '{{ .Request.Header "X-Who" }}', rate: 2/1h%2$s }
      """;
  private static final String RULE = """
        - id: %1$s
          match: { routes: [ { path: /%1$s } ] }
          forward_to: { host: "127.0.0.1:%2$d", rewrite: { scheme: http } }
          execute: [ %3$s, { finalizer: user } ]
      """;

  private final RawUpstream application = RawUpstream.of(Application::serve);
  private final int port = FreePort.next();
  private final String key;
  private final Path folder;
  private final RunningImage image;

  private LimitedSite(Path folder, String service, String serve, String cache, List<String> stores) throws IOException {
    key = key(folder);
    Files.writeString(folder.resolve("users.yaml"), """
        alice: { password: $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW }
        bob: { password: $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW }
        """);
    Files.setPosixFilePermissions(Files.writeString(folder.resolve("lock.key"), "0123456789abcdef".repeat(4)),
        PosixFilePermissions.fromString("rw-------"));
    this.folder = folder;
    StringBuilder limits = new StringBuilder();
    StringBuilder rules = new StringBuilder("version: \"1alpha4\"\nrules:\n");
    for (String store : stores) {
      String id = store.isEmpty() ? "few" : store;
      limits.append(LIMIT.formatted(id, store.isEmpty() ? "" : ", store: redis, on_outage: " + store));
      rules.append(RULE.formatted(id, application.port(), "{ authenticator: anybody }, { authorizer: " + id + " }"));
    }
    for (String who : List.of("people", "machines")) {
      rules.append(RULE.formatted(who, application.port(), "{ authenticator: " + who + " }"));
    }
    Files.writeString(folder.resolve("rules.yaml"), rules);
    Files.writeString(folder.resolve("config.yaml"),
        CONFIG.formatted(port, serve, FreePort.next(), cache, limits.toString().stripTrailing()));
    image = RunningImage.startIn(folder, "serve", service, "-c", "config.yaml", "--insecure");
    image.await("Starting listening .*_service=" + service);
  }

  /** One that counts in its memory, at {@code /few}. @param serve more keys of {@code serve}, after a comma */
  static LimitedSite start(Path folder, String service, String serve) throws IOException {
    return new LimitedSite(folder, service, serve, "", List.of(""));
  }

  /** One that counts in Redis; its paths are named as what they do without it. */
  static LimitedSite startShared(Path folder, int redis) throws IOException {
    return new LimitedSite(folder, "decision", "", "cache: " + inRedis(redis, ""),
        List.of("memory", "allow", "deny"));
  }

  /** One that does the same, and belongs to a fleet at another Redis. */
  static LimitedSite startInFleet(Path folder, int redis, int fleet, String outage) throws IOException {
    return new LimitedSite(folder, "decision", "", "cache: " + inRedis(redis, "") + "\nfleet: "
        + inRedis(fleet, ", on_outage: " + outage), List.of("memory", "allow", "deny"));
  }

  private static String inRedis(int port, String more) {
    return "{ type: redis, config: { address: \"127.0.0.1:" + port + "\", tls: { disabled: true } }" + more + " }";
  }

  private static String key(Path folder) {
    try (RunningImage made = RunningImage.startIn(folder, "key", "new", "--file", "keys.yaml", "--subject", "robot")) {
      if (made.exitStatus() != 0) {
        throw new AssertionError(made.output());
      }
      return made.output().lines().filter(line -> line.startsWith("pk_")).findFirst().orElseThrow().strip();
    }
  }

  /** Runs a command of the image to its end, and returns all of its output behind its exit status. */
  String run(String... words) {
    try (RunningImage command = RunningImage.startIn(folder, words)) {
      return command.exitStatus() + " " + command.output();
    }
  }

  RunningImage image() {
    return image;
  }

  int port() {
    return port;
  }

  /** An API key of the user {@code robot}. */
  String key() {
    return key;
  }

  /** How many requests have reached the application. */
  int reached() {
    return application.heads().size();
  }

  /** What comes back within the longest time. @param from the address of the client */
  Answer ask(String from, String path, String... fields) throws IOException {
    return ask(port, from, path, fields);
  }

  /** What a request of that caller gets. */
  Answer limited(String path, String who) throws IOException {
    return ask(OWNER, path, "X-Who: " + who);
  }

  static Answer ask(int port, String from, String path, String... fields) throws IOException {
    long begin = System.nanoTime();
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress("127.0.0.1", port), LONGEST_MILLIS);
      socket.setSoTimeout(LONGEST_MILLIS);
      socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n"
          + String.join("\r\n", fields) + (fields.length == 0 ? "" : "\r\n") + "\r\n").getBytes(ISO_8859_1));
      String text = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      return new Answer(text, Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  /** A response. @param time that it took */
  record Answer(String text, Duration time) {
    int status() {
      return Integer.parseInt(text.substring(9, 12));
    }

    /** The values of a field with a bar between them. */
    String field(String name) {
      return Application.field(text, name);
    }

    /** The number behind {@code t=} of the field RateLimit. */
    long seconds() {
      return Pattern.compile(";t=(\\d+)").matcher(field("ratelimit")).results().map(MatchResult::group).findFirst()
          .map(found -> Long.parseLong(found.substring(3))).orElseThrow(() -> new AssertionError(text));
    }

    /** The status, and how many more requests are allowed. */
    String summary() {
      return status() + " " + field("ratelimit").replaceAll(";t=.*", "");
    }
  }

  @Override
  public void close() {
    image.close();
    application.close();
  }
}
