package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TokenIssuer;

/** Three instances of the built image on one Redis behind HAProxy, as config/docs/fleet.md has them. */
final class HaproxyFleet implements AutoCloseable {
  private static final int SIZE = 3;
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final String CONFIG = """
      log: {level: info, format: text}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d, trusted_proxies: [127.0.0.1], shutdown_delay: 2s}
      management: {host: 127.0.0.1, port: %d, locks: {key_file: lock.key}}
      fleet:
        type: redis
        name: gate-%d
        config: {address: "127.0.0.1:%d", tls: {disabled: true}, secret: of-all-instances}
      mechanisms:
        authenticators:
          - id: token
            type: jwt
            config: {jwks_endpoint: {url: "%s"}, assertions: {issuers: [https://idp.example]}}
      providers: {file_system: {src: rules.yaml}}
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
      - id: r
        match: {routes: [{path: "/**"}]}
        forward_to: {host: "%s", rewrite: {scheme: http}}
        execute: [{authenticator: token}]
      """;
  /**
   * The retries are those that HAProxy makes unless told otherwise: of connections that cannot be opened. Without a
   * {@code timeout check} a check that takes longer than {@code inter} has failed, so that on a busy machine all three
   * are down.
   */
  private static final String FRONT = """
      defaults
        mode http
        timeout connect 5s
        timeout client 30s
        timeout server 30s
        timeout tunnel 1h
        timeout check 20s
      frontend web
        bind 127.0.0.1:%d
        default_backend gates
      backend gates
        option redispatch 1
        retries 3
        option httpchk
        http-check send meth GET uri /ready ver HTTP/1.1 hdr Host localhost
        default-server check inter 200ms fall 1 rise 1
        use-server gate-2 if { path /socket }
        http-response set-header X-Instance %%s
      """;

  private final Path folder;
  private final RedisServer redis;
  private final TokenIssuer issuer = new TokenIssuer();
  private final RawUpstream upstream = RawUpstream.of(Application::serve);
  private final List<RunningImage> images = new ArrayList<>();
  private final int port = FreePort.next();
  private final Process front;

  HaproxyFleet(Path folder) throws IOException {
    this.folder = folder;
    Path program = Needs.program("haproxy");
    redis = RedisServer.start(folder);
    StringBuilder config = new StringBuilder(FRONT.formatted(port));
    for (int i = 1; i <= SIZE; i++) {
      int own = FreePort.next();
      int management = FreePort.next();
      Path home = Files.createDirectory(home(i));
      Files.writeString(home.resolve("config.yaml"),
          CONFIG.formatted(own, management, i, redis.port(), issuer.jwksUrl()));
      Files.writeString(home.resolve("rules.yaml"), RULES.formatted(upstream.host()));
      Files.writeString(home.resolve("lock.key"), "5".repeat(64));
      Files.setPosixFilePermissions(home.resolve("lock.key"), PosixFilePermissions.fromString("rw-------"));
      config.append("  server gate-%d 127.0.0.1:%d port %d\n".formatted(i, own, management));
      images.add(start(i));
    }
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), config.toString());
    front = new ProcessBuilder(program.toString(), "-f", file.toString(), "-db").redirectErrorStream(true)
        .redirectOutput(folder.resolve("haproxy.log").toFile()).start();
    awaitFront();
  }

  private void awaitFront() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!FreePort.isListening(port)) {
      assertTrue(front.isAlive() && System.nanoTime() < end, "haproxy does not start");
      Thread.onSpinWait();
    }
  }

  private Path home(int instance) {
    return folder.resolve("gate-" + instance);
  }

  private RunningImage start(int instance) {
    RunningImage started = RunningImage.startIn(home(instance), "serve", "proxy", "-c", "config.yaml", "--insecure");
    started.await("Starting listening .*_service=proxy");
    return started;
  }

  /** Ends an instance, as SIGTERM does. */
  void stop(int instance) {
    assertEquals(0, image(instance).stop(), () -> image(instance).output());
  }

  /** Starts an instance that has ended. */
  void restart(int instance) {
    images.set(instance - 1, start(instance));
  }

  RunningImage image(int instance) {
    return images.get(instance - 1);
  }

  /** Runs a command of the image beside that instance, and returns its output. */
  String run(int instance, String... words) {
    try (RunningImage command = RunningImage.startIn(home(instance), words)) {
      assertEquals(0, command.exitStatus(), command.output());
      return command.output();
    }
  }

  /** Returns a token for an hour. */
  String token(String subject) throws Exception {
    long now = Instant.now().getEpochSecond();
    return issuer.token("{\"iss\":\"https://idp.example\",\"sub\":\"%s\",\"iat\":%d,\"exp\":%d}"
        .formatted(subject, now, now + 3600));
  }

  /** Returns what HAProxy reported: which server is up or down since when, and why. */
  String frontLog() {
    try {
      return Files.readString(folder.resolve("haproxy.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port of HAProxy. */
  int port() {
    return port;
  }

  @Override
  public void close() {
    front.destroy();
    try {
      if (!front.waitFor(5, TimeUnit.SECONDS)) {
        front.destroyForcibly();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      front.destroyForcibly();
    }
    images.forEach(RunningImage::close);
    upstream.close();
    issuer.close();
    redis.close();
  }
}
