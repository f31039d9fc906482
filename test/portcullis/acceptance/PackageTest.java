package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Needs;

/** The packages for Debian and Fedora and their kin, unpacked. */
final class PackageTest {
  private static final int CONFIGURATION = 1;
  private static final String SAMPLES = "/etc/portcullis/portcullis.yaml\n/etc/portcullis/rules/shop.yaml\n";

  @TempDir
  private Path folder;

  private static Path file(String kind) throws IOException {
    try (Stream<Path> files = Files.list(Release.FOLDER)) {
      Optional<Path> file = files.filter(f -> f.toString().endsWith("." + kind)).findFirst();
      if (kind.equals("rpm")) {
        Needs.installed(file.isPresent(), "nfpm, so that there is an .rpm");
      }
      return file.orElseThrow();
    }
  }

  private String unpacked(String kind) throws IOException {
    if (kind.equals("rpm")) {
      Rpm.read(file(kind)).extract(folder);
    } else {
      Release.assumeTool("dpkg-deb");
      Release.run(Map.of(), "dpkg-deb", "--extract", file(kind).toString(), folder.toString()).assertStatus(0);
    }
    return folder.resolve("usr/bin/portcullis").toString();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES) // it compresses the image four times
  void packagesOfTheSameTreeAreTheSame() throws IOException {
    Release.assumeTool("dpkg-deb");
    file("rpm");
    Path tree = Release.tree(folder);
    String make = "set -eu; VERSION=$3; . jlink/packages.sh; . jlink/release.sh; for n in 1 2; do mkdir $1/$n; "
        + "cp -a $2 $1/$n/$RELEASE.tree; packages $1/$n; rm -r $1/$n/$RELEASE.tree; "
        + "done; cd $1; diff -r 1 2; ls 1";
    String version = Release.program().getFileName().toString().split("-")[1];
    Release.run(Map.of("HOME", System.getProperty("user.home")), "bash", "-c", make, "bash", folder.toString(),
        tree.toString(), version).assertStatus(0).assertSays(".rpm").assertSays(".deb");
  }

  private static String script(String kind, String name, int tag) throws IOException {
    return kind.equals("rpm") ? Rpm.read(file(kind)).strings().get(tag).getFirst()
        : Release.run(Map.of(), "dpkg-deb", "--info", file(kind).toString(), name).output();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deb", "rpm"})
  void programStartsWithItsAotCache(String kind) throws IOException {
    Release.run(Map.of("PORTCULLIS_JAVA_OPTIONS", "-Xlog:aot=info:stderr"), unpacked(kind), "--version").assertStatus(0)
        .assertSays("portcullis version ").assertSays("Using AOT-linked classes: true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"deb", "rpm"})
  void configurationIsValidWhereItIsInstalled(String kind) throws IOException {
    Release.assumeNamespace("-rm");
    unpacked(kind);
    String script = "mount --bind $1/etc/portcullis /mnt; sed -i 's#/etc/portcullis/rules#/mnt/rules#' "
        + "/mnt/portcullis.yaml; $1/usr/bin/portcullis validate config --insecure -c /mnt/portcullis.yaml";
    Release.run(Map.of(), "unshare", "-rm", "sh", "-c", script, "sh", folder.toString()).assertStatus(0);
  }

  @Test
  void keepsChangesOfTheConfiguration() throws IOException {
    Release.assumeTool("dpkg-deb");
    assertEquals(SAMPLES,
        Release.run(Map.of(), "dpkg-deb", "--info", file("deb").toString(), "conffiles").output());
    assertEquals(SAMPLES.lines().toList(), Rpm.read(file("rpm")).paths(CONFIGURATION));
  }

  @ParameterizedTest
  @CsvSource({"deb, dpkg", "rpm, rpm"})
  void managerInstallsKeepsChangesAndRemoves(String kind, String manager) throws IOException {
    Release.assumeTool(manager);
    Release.assumeTool("systemd-sysusers");
    Release.assumeNamespace("-rm");
    Release.run(Map.of(), "unshare", "-rm", "bash", "test/data/service/package.sh", folder.toString(),
        file(kind).toString()).assertStatus(0).assertSays("portcullis version ").assertSays("Configuration is valid");
  }

  @Test
  void theRpmOwnsNoFolderOfTheSystem() throws IOException {
    List<String> paths = Rpm.read(file("rpm")).paths(-1);
    assertTrue(paths.containsAll(List.of("/usr/bin/portcullis", "/usr/share/man/man1/portcullis.1.gz",
        "/usr/lib/systemd/system/portcullis.service", "/usr/lib/sysusers.d/portcullis.conf")), paths.toString());
    assertEquals(List.of(), paths.stream().filter(List.of("/usr", "/usr/bin", "/usr/lib", "/usr/lib/systemd",
        "/usr/lib/systemd/system", "/usr/lib/sysusers.d", "/usr/share", "/usr/share/man", "/usr/share/man/man1",
        "/usr/share/doc", "/etc")::contains).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"deb", "rpm"})
  void unitStartsTheInstalledProgramAsItsUser(String kind) throws IOException {
    unpacked(kind);
    String unit = Files.readString(folder.resolve("usr/lib/systemd/system/portcullis.service"));
    assertTrue(unit.contains("ExecStart=/usr/bin/portcullis serve proxy"), unit);
    assertFalse(unit.contains("/usr/local") || unit.contains("/var/cache") || unit.contains("PORTCULLIS_HOME"),
        unit);
    assertTrue(unit.contains("\nUser=portcullis\n"), unit);
    assertTrue(script(kind, "postinst", Rpm.POST_INSTALL).contains("systemd-sysusers portcullis.conf"));
    assertTrue(script(kind, "prerm", Rpm.PRE_REMOVE).contains("disable --now portcullis.service"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"deb", "rpm"})
  void createsTheUser(String kind) throws IOException {
    Release.assumeTool("systemd-sysusers");
    unpacked(kind);
    Release.run(Map.of(), "systemd-sysusers", "--root=" + folder, "portcullis.conf").assertStatus(0);
    assertTrue(Files.readString(folder.resolve("etc/passwd")).matches("(?s)portcullis:[^:]*:\\d+:\\d+:.*nologin\\s*"));
  }

  @Test
  void namesWhatItNeeds() throws IOException {
    Release.assumeTool("dpkg-deb");
    Release.run(Map.of(), "dpkg-deb", "--info", file("deb").toString()).assertStatus(0)
        .assertSays("Depends: libc6 (>= 2.").assertSays("Package: portcullis");
    Rpm rpm = Rpm.read(file("rpm"));
    assertEquals(List.of("portcullis"), rpm.strings().get(Rpm.NAME));
    assertTrue(rpm.strings().get(Rpm.REQUIRES).stream().anyMatch(name -> name.matches(
        "libc\\.so\\.6\\(GLIBC_2\\.\\d+\\)\\(64bit\\)")), rpm.strings().get(Rpm.REQUIRES).toString());
  }
}
