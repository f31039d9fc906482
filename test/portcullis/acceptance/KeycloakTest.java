package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Browser;
import portcullis.fixture.BrowserPage;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TokenIssuer;

/** Two applications behind one built image, whose users sign in once for both, at a Keycloak. */
final class KeycloakTest {
  private static final Path KEYCLOAK = Path.of("build/keycloak").toAbsolutePath();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;
  private final int port = FreePort.next();
  private final int provider = FreePort.next();
  private final String shop = "http://shop.localhost:" + port;
  private final String reports = "http://reports.localhost:" + port;

  @Test
  @Timeout(240)
  void signsInOnceRefreshesAndSignsOutOfAllApplications() throws IOException {
    Optional<Path> chromium = Browser.installed();
    Needs.installed(chromium.isPresent(), "chromium");
    Needs.possible(Files.exists(KEYCLOAK.resolve("complete")), "no Keycloak in build/keycloak: .ci/run fetches it");
    try (TokenIssuer client = new TokenIssuer();
        RawUpstream application = RawUpstream.of(KeycloakTest::page);
        Started _ = keycloak(client);
        RunningImage image = image(client, application.port());
        Browser browser = Browser.start(chromium.orElseThrow(), folder.resolve("profile"))) {
      BrowserPage page = browser.page();
      signIn(page);
      tokensAreRefreshed(page);
      aLogoutElsewhereEndsTheSessionByTheBackChannel(page, image);
      signIn(page);
      aLogoutEndsTheSessionElsewhereByTheFrontChannel(page);
      for (String secret : List.of("eyJ", "shop-secret", "?code=", "&code=")) {
        assertFalse(image.output().contains(secret), image.output());
      }
    }
  }

  /** With a password at the first application, without at the second. */
  private void signIn(BrowserPage page) throws IOException {
    page.open(shop + "/orders?page=2");
    assertTrue(page.address().startsWith("/realms/shop/"), page.address());
    page.text("document.querySelector('[name=username]').value = 'ann'");
    page.text("document.querySelector('[name=password]').value = 'any'");
    page.click("[type=submit]");
    assertEquals("/orders?page=2", page.address());
    assertTrue(page.content().contains("email=ann@shop.example"), page.content());
    page.open(reports + "/orders");
    assertTrue(page.content().contains("email=ann@shop.example"), page.content());
  }

  /** Keycloak takes each refresh token once, so that the second refresh needs the token of the first. */
  private void tokensAreRefreshed(BrowserPage page) throws IOException {
    page.open(shop + "/orders");
    for (int i = 0; i < 2; i++) {
      String before = page.content();
      long end = System.nanoTime() + 60_000_000_000L;
      while (page.content().equals(before)) {
        assertTrue(System.nanoTime() < end, "the tokens are not refreshed");
        page.open(shop + "/orders");
      }
      assertTrue(page.content().contains("email=ann@shop.example"), page.content());
      assertNotEquals(before, page.content());
    }
  }

  private void aLogoutElsewhereEndsTheSessionByTheBackChannel(BrowserPage page, RunningImage image)
      throws IOException {
    page.open(reports + "/.portcullis/logout?return_to=/bye");
    page.click("#kc-logout"); // without an ID token the provider asks
    awaitSignIn(page); // sent back by the provider, to a page that needs a session
    image.await("session ended by its provider");
    isSignedOut(page, shop);
  }

  private void aLogoutEndsTheSessionElsewhereByTheFrontChannel(BrowserPage page) throws IOException {
    page.open(shop + "/.portcullis/logout?return_to=/bye");
    assertTrue(page.content().contains("You are signed out of this application."), page.content());
    page.click("button"); // the ID token is posted to the provider, which does not ask
    awaitSignIn(page);
    isSignedOut(page, reports);
  }

  private static void awaitSignIn(BrowserPage page) throws IOException {
    page.await("document.readyState === 'complete' && document.querySelector('[name=password]') !== null");
  }

  private static void isSignedOut(BrowserPage page, String origin) throws IOException {
    page.open(origin + "/orders");
    assertTrue(page.address().startsWith("/realms/shop/"), page.address());
    assertFalse(page.text("document.querySelector('[name=password]').name").isEmpty());
  }

  /** What an application shows: what it is told of the user, and of the ID token. */
  private static void page(RawUpstream.Peer peer) throws IOException {
    for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
      String text = "<p>email=" + Application.field(head, "x-email") + " token=" + Application.field(head, "x-token");
      peer.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + text.length() + "\r\n\r\n" + text);
    }
  }

  private RunningImage image(TokenIssuer client, int application) throws IOException {
    Files.writeString(folder.resolve("session.keys"), "0123456789abcdef".repeat(4));
    Files.writeString(folder.resolve("client.pem"), client.keyStore());
    Files.writeString(folder.resolve("portcullis.yaml"), """
        log: { level: debug, format: text }
        tracing: { enabled: false }
        metrics: { enabled: false }
        serve: { host: 127.0.0.1, port: %1$d }
        management: { host: 127.0.0.1, port: %2$d }
        mechanisms:
          authenticators:
            - id: shop
              type: oidc
              config:
                providers:
                  - issuer: http://localhost:%3$d/realms/shop
                    client_id: shop
                    client_auth: { client_secret: "${CLIENT_SECRET}" }
                    scopes: [ email ]
                session: { keys: session.keys, tokens: [ id_token ] }
            - id: reports
              type: oidc
              config:
                providers:
                  - issuer: http://localhost:%3$d/realms/shop
                    client_id: reports
                    client_auth: { method: private_key_jwt, key_store: { path: client.pem } }
                    scopes: [ email ]
                session: { keys: session.keys }
          finalizers:
            - id: user
              type: header
              config:
                headers: { X-Email: "{{ .Subject.Attributes.email }}", X-Token: "{{ .Subject.Attributes.jti }}" }
        providers: { file_system: { src: rules.yaml } }
        """.formatted(port, FreePort.next(), provider));
    StringBuilder rules = new StringBuilder("version: \"1alpha4\"\nrules:\n");
    for (String name : List.of("shop", "reports")) {
      rules.append("""
            - id: %1$s
              match: { routes: [ { path: /** } ], hosts: [ { type: exact, value: "%1$s.localhost:%3$d" } ] }
              forward_to: { host: 127.0.0.1:%2$d, rewrite: { scheme: http } }
              execute: [ { authenticator: %1$s }, { finalizer: user } ]
          """.formatted(name, application, port));
    }
    Files.writeString(folder.resolve("rules.yaml"), rules);
    RunningImage image = RunningImage.startIn(folder, Map.of("CLIENT_SECRET", "shop-secret"), "serve", "proxy", "-c",
        "portcullis.yaml", "--insecure");
    image.await("Starting listening .*_service=proxy");
    return image;
  }

  /** It has a home of its own, with links to what is installed, as it imports realms from there only. */
  private Started keycloak(TokenIssuer client) throws IOException {
    Path home = Files.createDirectory(folder.resolve("keycloak"));
    for (String part : List.of("conf", "lib", "providers", "themes")) {
      Files.createSymbolicLink(home.resolve(part), KEYCLOAK.resolve(part));
    }
    Files.writeString(Files.createDirectories(home.resolve("data/import")).resolve("shop-realm.json"),
        Files.readString(Path.of("test/data/login/realm.json")).replace("PORT", Integer.toString(port))
            .replace("JWKS", client.jwksUrl()));
    return Started.of(home, "Listening on:", System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-Xmx512m", "-Dkc.home.dir=" + home, "-Djava.io.tmpdir=" + home,
        "-Djava.util.concurrent.ForkJoinPool.common.threadFactory="
            + "io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory",
        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager", "-cp", home + "/lib/quarkus-run.jar",
        "io.quarkus.bootstrap.runner.QuarkusEntryPoint", "start", "--optimized", "--import-realm", "--cache=local",
        "--http-enabled=true", "--http-host=127.0.0.1", "--http-port=" + provider, "--hostname-strict=false");
  }
}
