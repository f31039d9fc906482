package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Browser;
import portcullis.fixture.BrowserPage;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RunningImage;

/** Operators sign in to the console at a provider that others wrote (oidc-provider), in a real browser. */
final class ConsoleLoginTest {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;
  private final int provider = FreePort.next();
  private final int management = FreePort.next();
  private final String console = "http://localhost:" + management;

  private RunningImage image() throws IOException {
    Files.writeString(folder.resolve("session.keys"), "0123456789abcdef".repeat(4));
    Files.writeString(folder.resolve("portcullis.yaml"), """
        log: { level: info, format: text }
        tracing: { enabled: false }
        serve: { host: 127.0.0.1, port: %d }
        management:
          host: 127.0.0.1
          port: %d
          console: { enabled: true, execute: [ { authenticator: login }, { authorizer: operators } ] }
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
                session: { keys: session.keys }
          authorizers:
            - { id: operators, type: cel, config: { expressions: [ { expression: Subject.ID == "ann" } ] } }
        """.formatted(FreePort.next(), management, provider));
    RunningImage image = RunningImage.startIn(folder, Map.of("CLIENT_SECRET", "shop-secret"), "serve", "decision",
        "--insecure", "-c", "portcullis.yaml");
    image.await("Portcullis started");
    return image;
  }

  private void signIn(BrowserPage page, String path, String user) throws IOException {
    page.open(console + path);
    assertTrue(page.address().startsWith("/interaction/"), page.address());
    page.text("document.querySelector('[name=login]').value = '" + user + "'");
    page.text("document.querySelector('[name=password]').value = 'any'");
    page.click("button[type=submit]");
    page.click("button[type=submit]"); // the user agrees
  }

  @Test
  void operatorsSignInWorkAndSignOut() throws IOException {
    Optional<Path> chromium = Browser.installed();
    Needs.installed(chromium.isPresent(), "chromium");
    Needs.installed(Files.isDirectory(StartedProgram.MODULES.resolve("node_modules/oidc-provider")), "oidc-provider");
    try (StartedProgram _ = StartedProgram.provider(folder, provider, console);
        RunningImage image = image();
        Browser browser = Browser.start(chromium.get(), folder.resolve("profile"))) {
      BrowserPage page = browser.page();
      signIn(page, "/console/refusals?rule=a", "ann");
      assertEquals("/console/refusals?rule=a", page.address());
      assertTrue(page.content().contains("Signed in as ann"), page.content());
      page.open(console + "/console/try");
      page.text("document.querySelector('[name=url]').value = 'http://app.example/x'; ''");
      page.click("form.try button");
      assertTrue(page.content().contains("denied with 404"), page.content());
      page.open(console + "/console/now");
      assertEquals("live", awaitLive(page));
      page.open(console + "/.portcullis/logout?return_to=/console/now");
      page.click("button[value=yes]");
      assertTrue(page.address().startsWith("/interaction/"), page.address()); // the console needs a session again
      assertTrue(!image.output().contains("shop-secret") && !image.output().contains("eyJ"), image.output());
    }
  }

  @Test
  void othersSignInInVain() throws IOException {
    Optional<Path> chromium = Browser.installed();
    Needs.installed(chromium.isPresent(), "chromium");
    Needs.installed(Files.isDirectory(StartedProgram.MODULES.resolve("node_modules/oidc-provider")), "oidc-provider");
    try (StartedProgram _ = StartedProgram.provider(folder, provider, console);
        RunningImage _ = image();
        Browser browser = Browser.start(chromium.get(), folder.resolve("profile"))) {
      BrowserPage page = browser.page();
      signIn(page, "/console/now", "bob");
      assertTrue(page.content().contains("You may not use the console"), page.content());
    }
  }

  private static String awaitLive(BrowserPage page) throws IOException {
    long end = System.nanoTime() + 30_000_000_000L;
    String state = "";
    while (!state.equals("live") && System.nanoTime() < end) {
      state = page.text("document.querySelector('.live')?.dataset.state ?? ''");
    }
    return state;
  }
}
