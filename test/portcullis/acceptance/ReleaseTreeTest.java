package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

/** The tar.gz of the release, and what lies beside it. */
final class ReleaseTreeTest {
  @TempDir
  private static Path folder;
  private static Path tree;

  @BeforeAll
  static void unpack() throws IOException {
    tree = Release.tree(folder);
  }

  @Test
  void runsFromAReadOnlyRoot() throws IOException {
    Release.assumeNamespace("-rm");
    String script = "mount -o remount,ro,bind / && \"$1/bin/portcullis\" validate config --insecure -c "
        + "\"$1/share/config/portcullis.yaml\"";
    Release
        .run(Map.of("PORTCULLIS_JAVA_OPTIONS", "-Xlog:aot=info:stderr"), "unshare", "-rm", "sh", "-c", script, "sh",
            tree.toString())
        .assertStatus(0).assertSays("Using AOT-linked classes: true");
  }

  @Test
  void exchangedJarIsWhatRuns(@TempDir Path aside) throws Exception {
    Path changed = aside.resolve("tree");
    Release.run(Map.of(), "cp", "-a", tree.toString(), changed.toString()).assertStatus(0);
    Path source = Files.createDirectories(aside.resolve("portcullis/cli")).resolve("Main.java");
    Files.writeString(source, """
        package portcullis.cli;
        public final class Main {
          public static void main(String[] words) {
            System.out.println("another program");
          }
        }
        """);
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()));
    Path jar = changed.resolve("lib/app/portcullis.jar");
    try (FileSystem inside = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
      Files.copy(source.resolveSibling("Main.class"), inside.getPath("portcullis/cli/Main.class"),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Release.run(Map.of(), changed + "/bin/portcullis", "--version").assertStatus(0).assertSays("another program");
  }

  @Test
  void anyLibraryExchangedLeavesTheCacheUnused(@TempDir Path aside) throws Exception {
    Path changed = aside.resolve("tree");
    Map<String, String> loud = Map.of("PORTCULLIS_JAVA_OPTIONS", "-Xlog:aot=info:stderr");
    Release.run(Map.of(), "cp", "-a", tree.toString(), changed.toString()).assertStatus(0);
    Release.run(loud, changed + "/bin/portcullis", "--version").assertStatus(0).assertSays("AOT-linked classes: true");
    Release.run(Map.of(), "sh", "-c", "touch \"$1\"/lib/app/re2j-*.jar", "sh", changed.toString()).assertStatus(0);
    String output = Release.run(loud, changed + "/bin/portcullis", "--version").assertStatus(0).output();
    assertFalse(output.contains("AOT-linked classes: true"), output);
  }

  @Test
  void sbomNamesEveryFileAndNothingElse() throws Exception {
    Map<String, String> named = new TreeMap<>();
    List<String> unlicensed = new ArrayList<>();
    Value sbom = Json.read(Files.readString(Release.file("\\.cdx\\.json")));
    assertEquals(new Value.Str("CycloneDX"), member(sbom, "bomFormat"));
    collect(member(member(sbom, "metadata"), "component"), named, unlicensed);
    collect(sbom, named, unlicensed);
    Map<String, String> there = new TreeMap<>();
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.filter(f -> Files.isRegularFile(f) && !Files.isSymbolicLink(f)).toList()) {
        there.put(tree.relativize(file).toString(), sha256(file));
      }
    }
    assertEquals(there, named);
    assertEquals(List.of(), unlicensed);
  }

  private static Value member(Value of, String name) {
    return of instanceof Value.Dict d ? d.get(name).orElse(Value.NULL) : Value.NULL;
  }

  private static void collect(Value component, Map<String, String> files, List<String> unlicensed) {
    if (member(component, "name") instanceof Value.Str(String name)) {
      if (member(component, "type").equals(new Value.Str("file"))) {
        Value hash = ((Value.Array) member(component, "hashes")).items().getFirst();
        files.put(name, ((Value.Str) member(hash, "content")).value());
      } else if (!(member(component, "licenses") instanceof Value.Array)) {
        unlicensed.add(name);
      }
    }
    if (member(component, "components") instanceof Value.Array inner) {
      inner.items().forEach(c -> collect(c, files, unlicensed));
    }
  }

  private static String sha256(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  @Test
  void everyLibraryHasALicence() throws IOException {
    try (Stream<Path> jars = Files.list(tree.resolve("lib/app"))) {
      List<Path> libraries = jars.filter(f -> f.toString().endsWith(".jar"))
          .filter(f -> !f.getFileName().toString().matches("portcullis(-demo)?\\.jar")).toList();
      for (Path jar : libraries) {
        Path about = tree.resolve("legal/libraries").resolve(jar.getFileName().toString().replaceFirst("\\.jar$", ""))
            .resolve("ABOUT");
        String licence = Files.readString(about).split(",")[0];
        assertTrue(Files.isRegularFile(tree.resolve("legal/libraries").resolve(licence)), jar + ": " + licence);
      }
    }
    assertTrue(Files.isRegularFile(tree.resolve("legal/java.base/LICENSE"))
        && Files.isRegularFile(tree.resolve("legal/LICENSE")));
  }

  /** With glibc and nothing else, as in the smallest of base images, and with a root that is read-only. */
  @Test
  void containerStartsWithoutAShell(@TempDir Path root) throws IOException {
    Release.assumeNamespace("-rm");
    Matcher entry = Pattern.compile("(?m)^ENTRYPOINT \\[(.*)]$")
        .matcher(Files.readString(Release.FOLDER.resolve("Containerfile")));
    assertTrue(entry.find());
    String script = "mount --bind \"$1\" \"$1\" && mount --rbind /proc \"$1/proc\" "
        + "&& mount -o remount,bind,ro \"$1\" && ! touch \"$1/opt/x\" 2>/dev/null && exec chroot \"$@\"";
    List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", script, "sh", root.toString()));
    Pattern.compile("\"([^\"]*)\"").matcher(entry.group(1)).results().forEach(word -> command.add(word.group(1)));
    command.add("--version");
    Files.createDirectories(root.resolve("opt"));
    Files.createDirectories(root.resolve("proc"));
    Release.run(Map.of(), "cp", "-a", tree.toString(), root.resolve("opt").toString()).assertStatus(0);
    for (String library : List.of("ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libpthread.so.0", "libm.so.6",
        "librt.so.1")) {
      String copy = "for f in /lib64/$1 /lib/x86_64-linux-gnu/$1; do [ ! -e $f ] || cp -L --parents $f \"$2\"; done";
      Release.run(Map.of(), "sh", "-c", copy, "sh", library, root.toString()).assertStatus(0);
    }
    Release.run(Map.of("LC_ALL", "C.UTF-8"), command.toArray(String[]::new)).assertStatus(0)
        .assertSays("portcullis version ");
  }

  @Test
  void unitIsHardened() throws IOException {
    Release.assumeTool("systemd-analyze");
    String unit = Release.FOLDER.resolve("portcullis.service").toString();
    Release.run(Map.of(), "systemd-analyze", "security", "--offline=true", "--threshold=20", unit).assertStatus(0);
    String complaints = Release.run(Map.of(), "systemd-analyze", "verify", "--man=no", unit).output().lines()
        .filter(line -> !line.contains("/usr/local/bin/portcullis is not executable")).reduce("", String::concat);
    assertEquals("", complaints);
  }

  @Test
  void manualPageIsWellFormedAndNamesTheCommands() throws IOException {
    String page = Files.readString(Release.FOLDER.resolve("portcullis.1"));
    assertTrue(page.contains("portcullis 0.") && !page.contains("@VERSION@"), page);
    Release.assumeTool("man");
    String shown = Release.run(Map.of("LC_ALL", "C.UTF-8", "MANWIDTH", "120"), "sh", "-c", "man -l --warnings \"$1\" "
        + "2>&1", "sh",
        Release.FOLDER.resolve("portcullis.1").toString()).assertStatus(0).output();
    assertFalse(shown.contains("warning"), shown);
    String overview = Release.run(Map.of(), tree + "/bin/portcullis", "help").output();
    for (String command : List.of("serve proxy", "serve decision", "validate config", "validate rules", "health",
        "demo")) {
      assertTrue(overview.contains("portcullis " + command), overview);
      assertTrue(page.contains(command), command);
    }
  }
}
