package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.fixture.Browser;
import portcullis.fixture.BrowserPage;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.RunningImage;

/** Signs in at a provider that others wrote (oidc-provider), in a real browser, by the built image. */
final class LoginTest {
  private static final Path MODULES = StartedProgram.MODULES;
  private static final String NGINX_FOLDERS = "access_log off; client_body_temp_path %1$s/b; proxy_temp_path %1$s/p;"
      + " fastcgi_temp_path %1$s/f; uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;
  private final int provider = FreePort.next();
  private final int front = FreePort.next();
  private final int service = FreePort.next();

  @Test
  void signsInAndOutThroughTheProxy() throws IOException {
    Path chromium = chromium();
    try (RawUpstream application = RawUpstream.of(LoginTest::page);
        StartedProgram _ = provider(front);
        RunningImage image = image("proxy", front, application.port(), "cookie");
        Browser browser = Browser.start(chromium, folder.resolve("profile"))) {
      walk(browser.page(), image);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "caddy", "traefik", "envoy"})
  void signsInAndOutBehind(String proxy) throws Exception {
    Path chromium = chromium();
    Path program = program(proxy);
    try (RawUpstream application = RawUpstream.of(LoginTest::page);
        StartedProgram _ = provider(front);
        RunningImage image = image(proxy.equals("envoy") ? "decision --envoy-grpc" : "decision", service,
            application.port(), proxy.equals("traefik") || proxy.equals("envoy") ? "cookie" : "cache");
        StartedProgram _ = proxy(proxy, program, application.port());
        Browser browser = Browser.start(chromium, folder.resolve("profile"))) {
      awaitRoutes();
      walk(browser.page(), image);
    }
  }

  /** A proxy may say that it serves before it listens, and may listen before it has its routes. */
  private void awaitRoutes() throws InterruptedException {
    Await.until(this::isRouted, () -> "no routes");
  }

  private boolean isRouted() throws IOException {
    HttpURLConnection request = (HttpURLConnection) URI.create("http://localhost:" + front + "/orders").toURL()
        .openConnection();
    request.setInstanceFollowRedirects(false);
    try {
      return request.getResponseCode() != 404;
    } catch (ConnectException _) {
      return false;
    } finally {
      request.disconnect();
    }
  }

  private static Path program(String proxy) {
    Optional<Path> found = Stream.concat(Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
        Stream.of("/usr/sbin", "/usr/local/sbin", "build/proxies/bin"))
        .map(at -> Path.of(at, proxy).toAbsolutePath()).filter(Files::isExecutable).findFirst();
    Needs.installed(found.isPresent(), proxy);
    return found.orElseThrow();
  }

  @Test
  void theProviderEndsTheSession() throws IOException {
    Path chromium = chromium();
    try (RawUpstream application = RawUpstream.of(LoginTest::page);
        StartedProgram _ = provider(front, "backchannel");
        RunningImage image = image("proxy", front, application.port(), "cookie");
        Browser browser = Browser.start(chromium, folder.resolve("profile"))) {
      BrowserPage page = browser.page();
      signIn(page);
      page.open("http://localhost:" + front + "/other");
      assertEquals("/other", page.address());
      page.open("http://localhost:" + provider + "/session/end"); // the user signs out there
      page.click("button[value=yes]");
      image.await("session ended by its provider");
      page.open("http://localhost:" + front + "/other");
      assertTrue(page.address().startsWith("/interaction/"), page.address());
    }
  }

  private void signIn(BrowserPage page) throws IOException {
    page.open("http://localhost:" + front + "/orders?page=2");
    assertTrue(page.address().startsWith("/interaction/"), page.address());
    page.text("document.querySelector('[name=login]').value = 'ann'");
    page.text("document.querySelector('[name=password]').value = 'any'");
    page.click("button[type=submit]");
    page.click("button[type=submit]"); // the user agrees
    assertEquals("/orders?page=2", page.address());
    assertTrue(page.content().contains("user=ann cookies="), page.content());
    assertEquals("", page.text("document.cookie"));
  }

  private void walk(BrowserPage page, RunningImage image) throws IOException {
    signIn(page);
    page.open("http://localhost:" + front + "/other");
    assertTrue(page.content().contains("user=ann cookies="), page.content());
    assertTrue(!page.content().contains("__Host-") || image.output().contains("_service=decision"), page.content());

    page.open("http://localhost:" + front + "/.portcullis/logout?return_to=/bye");
    page.click("button[value=yes]");
    assertTrue(page.address().startsWith("/interaction/"), page.address()); // /bye needs a session again
    for (String secret : List.of("eyJ", "shop-secret", "?code=", "&code=")) {
      assertTrue(!image.output().contains(secret), image.output());
    }
  }

  /** What the application shows: the user that it is told of, and the cookies that it gets. */
  private static void page(RawUpstream.Peer peer) throws IOException {
    for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
      String text = "<p>user=" + Application.field(head, "x-user") + " cookies=" + Application.field(head, "cookie")
          + "</p>";
      peer.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + text.length() + "\r\n\r\n" + text);
    }
  }

  private static Path chromium() {
    Optional<Path> program = Browser.installed();
    Needs.installed(program.isPresent(), "chromium");
    Needs.installed(Files.isDirectory(MODULES.resolve("node_modules/oidc-provider")), "oidc-provider");
    return program.orElseThrow();
  }

  private RunningImage image(String mode, int port, int application, String store) throws IOException {
    Files.writeString(folder.resolve("session.keys"), "0123456789abcdef".repeat(4));
    Files.writeString(folder.resolve("portcullis.yaml"), """
        log: { level: debug, format: text }
        tracing: { enabled: false }
        metrics: { enabled: false }
        serve: { host: 127.0.0.1, port: %d, trusted_proxies: [ 127.0.0.1 ] }
        management: { host: 127.0.0.1, port: %d }
        mechanisms:
          authenticators:
            - id: login
              type: oidc
              config:
                providers:
                  - issuer: http://localhost:%d
                    client_id: shop
                    client_auth: { client_secret: "${CLIENT_SECRET}" }
                    scopes: [ email ]
                session: { keys: session.keys, store: %s }
          finalizers:
            - { id: user, type: header, config: { headers: { X-User: "{{ .Subject.ID }}" } } }
        providers: { file_system: { src: rules.yaml } }
        """.formatted(port, FreePort.next(), provider, store));
    Files.writeString(folder.resolve("rules.yaml"), """
        version: "1alpha4"
        rules:
          - id: all
            match: { routes: [ { path: /** } ] }
            forward_to: { host: 127.0.0.1:%d, rewrite: { scheme: http } }
            execute: [ { authenticator: login }, { finalizer: user } ]
        """.formatted(application));
    RunningImage image = RunningImage.startIn(folder, Map.of("CLIENT_SECRET", "shop-secret"),
        ("serve " + mode + " -c portcullis.yaml --insecure").split(" "));
    image.await("Starting listening .*_service=" + mode.replaceAll(" .*", ""));
    return image;
  }

  private StartedProgram provider(int port, String... more) throws IOException {
    return StartedProgram.provider(folder, provider, "http://localhost:" + port, more);
  }

  /** Copies a file of config/front with the ports of this test. */
  private String put(String name, int application) throws IOException {
    return Files.writeString(folder.resolve(name), Files.readString(Path.of("config/front", name))
        .replace("port_value: 8080", "port_value: " + front).replace("port_value: 8081", "port_value: " + application)
        .replace("port_value: 4456", "port_value: " + service).replace("http://:8080", "http://:" + front)
        .replace("127.0.0.1:8080", "127.0.0.1:" + front).replace("127.0.0.1:8081", "127.0.0.1:" + application)
        .replace("127.0.0.1:4456", "127.0.0.1:" + service)
        .replace("\nhttp {\n", "\nhttp {\n" + NGINX_FOLDERS.formatted(folder))).toString();
  }

  private StartedProgram proxy(String name, Path program, int application) throws IOException {
    String user = System.getProperty("user.name").equals("root") ? "user root;" : "";
    return switch (name) {
      case "nginx" ->
        StartedProgram.of(folder, "start worker process", program.toString(), "-p", folder.toString(), "-c",
            put("nginx-login.conf", application), "-e", "stderr", "-g",
            "daemon off; error_log stderr notice; pid " + folder + "/nginx.pid;" + user);
      case "caddy" -> StartedProgram.of(folder, "serving initial configuration", program.toString(), "run", "--config",
          put("Caddyfile-login", application), "--adapter", "caddyfile");
      case "traefik" -> StartedProgram.of(folder, "Starting provider *file", program.toString(),
          "--entrypoints.web.address=127.0.0.1:" + front,
          "--providers.file.filename=" + put("traefik-login.yaml", application), "--providers.file.watch=false",
          "--log.level=INFO", "--global.checknewversion=false", "--global.sendanonymoususage=false");
      default -> StartedProgram.of(folder, "starting main dispatch loop", program.toString(), "-c",
          put("envoy.yaml", application), "--concurrency", "2", "--disable-hot-restart", "--log-level", "info");
    };
  }
}
