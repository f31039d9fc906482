package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package for Debian, unpacked. */
final class PackageTest {
  @TempDir
  private Path folder;
  private String file;

  @BeforeEach
  void unpack() throws IOException {
    Release.assumeTool("dpkg-deb");
    try (Stream<Path> files = Files.list(Release.FOLDER)) {
      file = files.filter(f -> f.toString().endsWith(".deb")).findFirst().orElseThrow().toString();
    }
    Release.run(Map.of(), "dpkg-deb", "--extract", file, folder.toString()).assertStatus(0);
  }

  private String program() {
    return folder.resolve("usr/bin/portcullis").toString();
  }

  @Test
  void programStartsWithItsAotCache() throws IOException {
    Release.run(Map.of("PORTCULLIS_JAVA_OPTIONS", "-Xlog:aot=info:stderr"), program(), "--version").assertStatus(0)
        .assertSays("portcullis version ").assertSays("Using AOT-linked classes: true");
  }

  @Test
  void configurationIsValidWhereItIsInstalled() throws IOException {
    Release.assumeNamespace("-rm");
    String script = "mount --bind $1/etc/portcullis /mnt; sed -i 's#/etc/portcullis/rules#/mnt/rules#' "
        + "/mnt/portcullis.yaml; $1/usr/bin/portcullis validate config --insecure -c /mnt/portcullis.yaml";
    Release.run(Map.of(), "unshare", "-rm", "sh", "-c", script, "sh", folder.toString()).assertStatus(0);
    assertEquals("/etc/portcullis/portcullis.yaml\n/etc/portcullis/rules/shop.yaml\n",
        Release.run(Map.of(), "dpkg-deb", "--info", file, "conffiles").output());
  }

  @Test
  void unitStartsTheInstalledProgram() throws IOException {
    String unit = Files.readString(folder.resolve("usr/lib/systemd/system/portcullis.service"));
    assertTrue(unit.contains("ExecStart=/usr/bin/portcullis serve proxy"), unit);
    assertFalse(unit.contains("/usr/local") || unit.contains("CacheDirectory") || unit.contains("PORTCULLIS_HOME"),
        unit);
  }

  @Test
  void namesWhatItNeeds() throws IOException {
    Release.run(Map.of(), "dpkg-deb", "--info", file).assertStatus(0).assertSays("Depends: libc6 (>= 2.")
        .assertSays("Package: portcullis");
  }
}
