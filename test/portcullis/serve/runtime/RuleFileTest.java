package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.runtime.Site.rule;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of rules that the configuration names is taken away. */
class RuleFileTest {
  private static final String GONE = "ERR Rule file removed, its last good rules stay in force _rule_set=file_system:";

  @TempDir
  private Path folder;
  private Path file;
  private Site site;

  @BeforeEach
  void start() throws Exception {
    file = folder.resolve("rules.yaml");
    write("a");
    site = new Site(folder);
    site.config(Site.MECHANISMS + Site.FILES.formatted(file)).start();
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void write(String id) throws Exception {
    Path aside = Files.writeString(folder.resolve("aside"), "version: 1alpha4\nrules:\n" + rule(id, "/" + id));
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private String problems() {
    return site.program().loadHistory().problems().toString();
  }

  @Test
  void itsRulesStayInForceUntilItIsBack() throws Exception {
    Files.delete(file);
    site.awaitLog(GONE);
    site.await(() -> problems().contains("Rule file file_system:" + file + " is not there any more"), "no problem");
    assertEquals("a", site.found("/a"));
    site.reloadTask().request();
    site.awaitLog("Configuration reload failed");
    assertEquals("a", site.found("/a"));
    write("b");
    site.awaitFound("/b", "b");
    site.await(() -> !problems().contains("Rule file"), "the problem is still named");
    assertEquals("-", site.found("/a"));
  }

  @Test
  void rulesOfAFolderInItsPlaceDoNotCount() throws Exception {
    Files.delete(file);
    Files.createDirectory(file);
    Files.writeString(file.resolve("c.yaml"), "version: 1alpha4\nrules:\n" + rule("c", "/c"));
    site.awaitLog(GONE);
    site.await(() -> problems().contains("is not there any more"), "no problem");
    assertEquals("a", site.found("/a"));
    assertEquals("-", site.found("/c"));
    Files.delete(file.resolve("c.yaml"));
    Files.delete(file);
    write("b");
    site.awaitFound("/b", "b");
    assertTrue(site.program().loadHistory().problems().isEmpty(), problems());
  }
}
