package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Browser;
import portcullis.fixture.BrowserPage;
import portcullis.fixture.Needs;
import portcullis.fixture.RunningImage;

/** Walks through the demonstration in a real browser, where there is one. */
final class DemoBrowserTest {
  private static final String ANN = "button[value=ann]";
  private static final String BOB = "button[value=bob]";
  private static final String SIGN_OUT = "a[href^='/.portcullis/logout']";

  @Test
  void signsInIsDeniedAndSignsOut(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path profile) throws IOException {
    Optional<Path> program = Browser.installed();
    Needs.installed(program.isPresent(), "chromium");
    try (RunningImage image = RunningImage.start("demo", "--port", "0");
        Browser browser = Browser.start(program.get(), profile)) {
      BrowserPage page = browser.page();
      page.open(image.await("http://127\\.0\\.0\\.1:\\d+/").group());
      assertShown(page, "/", "A gate, and what is behind it");

      page.click("nav a[href='/admin']");
      assertTrue(page.address().startsWith("/authorize?"), page.address());
      page.click(ANN);
      assertShown(page, "/admin", "Who is asking\n\nann");
      page.click(SIGN_OUT);
      assertShown(page, "/", "Sign in");

      page.click("nav a[href='/me']");
      page.click(BOB);
      assertShown(page, "/me", "Its signature is good");
      page.click("nav a[href='/admin']");
      assertTrue(page.address().startsWith("/error?reason=forbidden"), page.address());
      assertTrue(page.content().contains("You may not pass"), page.content());
      page.click("a.button");
      page.click(ANN);
      assertShown(page, "/admin", "Ann Archer");

      page.click("a.brand");
      page.click("a[href='/nowhere']");
      assertTrue(page.content().contains("No rule leads there"), page.content());
      page.click("nav a[href='/me']");
      page.click(SIGN_OUT);
      page.click("nav a[href='/me']");
      assertTrue(page.address().startsWith("/authorize?"), page.address());

      String key = image.await("X-Api-Key: (demo_[a-z0-9_]+)").group(1);
      page.open(image.await("http://(127\\.0\\.0\\.1:\\d+/)").group().replace("//", "//any:" + key + "@") + "stock");
      assertShown(page, "/stock", "Who is asking\n\nforklift");
      assertFalse(page.content().contains(key), page.content());
    }
  }

  private static void assertShown(BrowserPage page, String path, String content) throws IOException {
    assertEquals(path, page.address());
    assertTrue(page.content().contains(content), page.content());
  }
}
