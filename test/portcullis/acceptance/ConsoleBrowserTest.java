package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Browser;
import portcullis.fixture.BrowserPage;
import portcullis.fixture.Needs;

/** The console of the built image in a real browser, where there is one. */
final class ConsoleBrowserTest {
  /** Installed by .ci/run. */
  private static final Path AXE = Path.of("build/axe/node_modules/axe-core/axe.min.js");
  private static final Path PICTURES = Path.of("build/pictures");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;
  private ConsoleSite site;
  private Browser browser;
  private BrowserPage page;

  @BeforeEach
  void start() throws IOException {
    Optional<Path> program = Browser.installed();
    Needs.installed(program.isPresent(), "chromium");
    site = new ConsoleSite(folder);
    browser = Browser.start(program.get(), Files.createDirectory(folder.resolve("profile")));
    page = browser.page();
    page.send("Authorization", ConsoleSite.CREDENTIALS);
    for (int i = 0; i < 30; i++) {
      site.request("/open/" + i % 3);
    }
    site.request("/admin/users?token=abc");
    site.request("/elsewhere");
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
      site.close();
    }
  }

  @Test
  void reasonOfARefusalIsFoundInThreeClicks() throws IOException {
    page.open(site.console());
    assertEquals("/console/now", page.address());
    page.click("nav a[href='/console/refusals']");
    page.click("a[href='/console/refusals/1']");
    String content = page.content();
    for (String part : List.of("403 GET 127.0.0.1", "/admin/users", "only root may do this", "shop:admin",
        "rules.yaml:4", "admins", "op")) {
      assertTrue(content.contains(part), () -> part + " is missing: " + content);
    }
    assertTrue(!content.contains("abc"), "queries are not kept");
  }

  @Test
  void figuresChangeWhileThePageIsOpen() throws IOException {
    page.open(site.console());
    await("32 since the start");
    for (int i = 0; i < 10; i++) {
      site.request("/open/more");
    }
    await("42 since the start");
    assertEquals("Live", page.text("document.querySelector('.live [role=status]').textContent"));
  }

  private void await(String part) throws IOException {
    long end = System.nanoTime() + 30_000_000_000L;
    while (!page.content().contains(part)) {
      assertTrue(System.nanoTime() < end, () -> "never shown: " + part);
    }
  }

  @Test
  void pagesAreReadWithoutScripts() throws IOException {
    page.scripts(false);
    page.open(site.console());
    assertTrue(page.content().contains("32 since the start"), page.content());
    assertEquals("", page.text("document.querySelector('.live') ? 'live' : ''"));
    for (String path : paths()) {
      page.open(site.console().replace("/console/", path));
      assertTrue(page.content().contains("Signed in as op"), path);
    }
  }

  /** Returns the paths of all pages, and of a refusal. */
  private List<String> paths() throws IOException {
    page.open(site.console());
    String links = page.text("[...document.querySelectorAll('nav a')].map(a => a.getAttribute('href')).join(' ')");
    return List.of((links + " /console/refusals/1").split(" "));
  }

  @Test
  void pagesFitEachScreenAndHaveNoBarriers() throws IOException {
    String axe = Files.isRegularFile(AXE) ? Files.readString(AXE) : "";
    Files.createDirectories(PICTURES);
    for (String path : paths()) {
      for (String colours : List.of("light", "dark")) {
        for (int width : new int[] {1280, 320}) {
          page.show(width, 860, colours);
          page.open(site.console().replace("/console/", path));
          look(path + ", " + colours + ", " + width, axe);
        }
      }
    }
    for (String colours : List.of("light", "dark")) {
      tried();
      for (int width : new int[] {1280, 320}) {
        page.show(width, 860, colours);
        look("/console/try, tried, " + colours + ", " + width, axe);
      }
    }
    Needs.installed(!axe.isEmpty(), "axe-core");
  }

  private void look(String screen, String axe) throws IOException {
    assertEquals("fits", page.text("document.documentElement.scrollWidth <= innerWidth ? 'fits' : "
        + "'is ' + document.documentElement.scrollWidth + ' wide'"), screen);
    Files.write(PICTURES.resolve(screen.replaceAll("\\W+", "-").substring(1) + ".png"), page.picture());
    if (!axe.isEmpty()) {
      page.text(axe + ";''");
      assertEquals("nothing", page.promised("axe.run().then(r => r.violations.map(v => v.id + ': ' + "
          + "v.nodes.map(n => n.target + ' ' + n.failureSummary).join(', ')).join('; ') || 'nothing')"), screen);
    }
  }

  /** Tries a request that is denied. */
  private void tried() throws IOException {
    page.open(site.console() + "try");
    page.text("document.querySelector('[name=url]').value = 'http://app.example/admin/users?token=abcdef';"
        + "document.querySelector('[name=headers]').value = 'Authorization: " + ConsoleSite.CREDENTIALS + "'; ''");
    page.click("form.try button");
  }

  @Test
  void aTriedRequestIsExplainedWithoutItsSecrets() throws IOException {
    tried();
    String content = page.content();
    for (String part : List.of("denied with 403", "shop:admin", "rules.yaml:4", "only root may do this", "admins")) {
      assertTrue(content.contains(part), () -> part + " is missing: " + content);
    }
    assertTrue(!page.text("document.documentElement.outerHTML").contains("abcdef"), content);
    assertTrue(!page.text("document.documentElement.outerHTML").contains(ConsoleSite.CREDENTIALS), content);
  }

  @Test
  void whereARequestWouldGoIsFoundByItsUrl() throws IOException {
    page.open(site.console() + "rules");
    page.text("document.querySelector('[name=url]').value = 'http://app.example/admin/users'; ''");
    page.click("form.filter button");
    assertTrue(page.content().contains("staff (basic_auth)"), page.content());
  }

  @Test
  void formsOfOtherSitesAreRefused() throws IOException {
    HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.createContext("/", exchange -> {
      byte[] form = ("<!doctype html><form method=post action='" + site.console()
          + "now'><button>Win</button></form>").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/html");
      exchange.sendResponseHeaders(200, form.length);
      exchange.getResponseBody().write(form);
      exchange.close();
    });
    other.start();
    try {
      page.open("http://127.0.0.1:" + other.getAddress().getPort() + "/");
      page.click("button");
      assertTrue(page.content().contains("the request comes from a page of another origin"), page.content());
    } finally {
      other.stop(0);
    }
  }

  @Test
  void pagesAreReachedByKeyboard() throws IOException {
    page.open(site.console());
    assertEquals("Skip to the content",
        page.text("[...document.querySelectorAll('a, button, input')].find(e => e.tabIndex >= 0).textContent"));
    assertEquals("", page.text("[...document.querySelectorAll('[tabindex]')].filter(e => e.tabIndex > 0).join()"));
    page.enter("nav a[href='/console/refusals']");
    page.enter("a[href='/console/refusals/1']");
    assertTrue(page.content().contains("only root may do this"), page.content());
    page.open(site.console() + "rules?url=http://app.example/admin/users");
    page.enter("form.filter button");
    assertTrue(page.content().contains("staff (basic_auth)"), page.content());
  }
}
