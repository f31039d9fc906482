import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows what a release is made of, run from its source by jlink/release.sh:
 * {@code java Parts.java licences TREE} lays the libraries' licences into the tree,
 * {@code java Parts.java sbom TREE VERSION [NAME VERSION LICENCE]...} writes a CycloneDX 1.6 document of every file in
 * the tree to stdout; the triples are what else is linked into the one file.
 */
final class Parts {
  /** @param holder the jar that it is packed in, or nothing where it is a jar itself */
  record Part(String artifact, String group, String licence, String holder) {}

  private static final List<String> OWN = List.of("portcullis.jar", "portcullis-demo.jar");

  private final Path tree;
  private final List<Part> known;

  private Parts(Path tree) throws IOException {
    this.tree = tree;
    this.known = table(Path.of("jlink/parts"));
  }

  public static void main(String[] words) throws IOException {
    Parts parts = new Parts(Path.of(words[1]));
    try {
      if (words[0].equals("licences")) {
        parts.licences();
      } else {
        System.out.println(parts.sbom(words[2], List.of(words).subList(3, words.length)));
      }
    } catch (IllegalStateException e) {
      System.err.println("build.sh: " + e.getMessage());
      System.exit(1);
    }
  }

  private static List<Part> table(Path file) throws IOException {
    List<Part> out = new ArrayList<>();
    String holder = "";
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      boolean inside = line.startsWith("+");
      String[] words = (inside ? line.substring(1) : line).strip().split(" +");
      if (!inside) {
        holder = words[0];
      }
      out.add(new Part(words[0], words[1], words[2], inside ? holder : ""));
    }
    return out;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      return all.filter(f -> Files.isRegularFile(f) && !Files.isSymbolicLink(f)).sorted().toList();
    }
  }

  /** The jars of libraries; our own are not among them. */
  private List<Path> jars() throws IOException {
    return files().stream().filter(f -> f.toString().endsWith(".jar") && f.getParent().equals(tree.resolve("lib/app")))
        .filter(f -> !OWN.contains(f.getFileName().toString())).toList();
  }

  private static String stem(Path jar) {
    return jar.getFileName().toString().replaceFirst("\\.jar$", "");
  }

  private Part partOf(Path jar) {
    return known.stream().filter(p -> p.holder().isEmpty() && stem(jar).matches(p.artifact() + "-\\d.*")).findFirst()
        .orElseThrow(() -> new IllegalStateException("jlink/parts has no line for " + jar.getFileName()));
  }

  private void licences() throws IOException {
    for (Path jar : jars()) {
      Path folder = tree.resolve("legal/libraries").resolve(stem(jar));
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("ABOUT"), partOf(jar).licence() + ", see the file of that name in "
          + "legal/libraries\n");
      try (JarFile opened = new JarFile(jar.toFile())) {
        for (JarEntry entry : opened.stream().filter(e -> e.getName().matches("META-INF/[^/]*(LICENSE|NOTICE)[^/]*"))
            .toList()) {
          Files.write(folder.resolve(entry.getName().substring("META-INF/".length())),
              opened.getInputStream(entry).readAllBytes());
        }
      }
    }
  }

  private String sbom(String version, List<String> linked) throws IOException {
    List<String> components = new ArrayList<>();
    for (Path jar : jars()) {
      components.add(library(jar));
    }
    components.add(runtime());
    for (int i = 0; i < linked.size(); i += 3) {
      components.add(
          object("type", text("library"), "name", text(linked.get(i)), "version", text(linked.get(i + 1)), "licenses",
              licence(linked.get(i + 2)), "description", text("linked into the one file")));
    }
    Path own = tree.resolve("lib/app/portcullis.jar");
    String subject = object("type", text("application"), "bom-ref", text("portcullis"), "name", text("portcullis"),
        "version", text(version),
        "hashes", hashes(own), "licenses", licence("Apache-2.0"), "components", list(ownJars()));
    return object("bomFormat", text("CycloneDX"), "specVersion", text("1.6"), "version", "1", "metadata",
        object("component", subject),
        "components", list(components));
  }

  private List<String> ownJars() throws IOException {
    List<String> out = new ArrayList<>();
    for (String name : OWN) {
      out.add(file(tree.resolve("lib/app").resolve(name)));
    }
    return out;
  }

  private String library(Path jar) throws IOException {
    Part part = partOf(jar);
    String version = stem(jar).substring(part.artifact().length() + 1);
    TreeMap<String, String> versions = new TreeMap<>();
    try (JarFile opened = new JarFile(jar.toFile())) {
      for (JarEntry entry : opened.stream().filter(e -> e.getName().matches("META-INF/maven/.*/pom\\.properties"))
          .toList()) {
        Properties said = new Properties();
        said.load(opened.getInputStream(entry));
        versions.put(said.getProperty("artifactId"), said.getProperty("version"));
      }
    }
    List<Part> inside = known.stream().filter(p -> p.holder().equals(part.artifact())).toList();
    versions.keySet().stream()
        .filter(a -> !a.equals(part.artifact()) && inside.stream().noneMatch(p -> p.artifact().equals(a)))
        .forEach(a -> {
          throw new IllegalStateException("jlink/parts does not say that " + a + " is in " + jar.getFileName());
        });
    List<String> nested = new ArrayList<>(
        inside.stream().map(p -> component(p, versions.getOrDefault(p.artifact(), ""), "[]", List.of())).toList());
    nested.add(file(jar));
    return component(part, version, hashes(jar), nested);
  }

  private static String component(Part part, String version, String hashes, List<String> nested) {
    String at = version.isEmpty() ? "" : "@" + version;
    String purl = "pkg:maven/" + part.group() + "/" + part.artifact() + at;
    return object("type", text("library"), "bom-ref", text(purl), "group", text(part.group()), "name",
        text(part.artifact()), "version",
        text(version), "hashes", hashes, "licenses", licence(part.licence()), "purl", text(purl), "components",
        list(nested));
  }

  /** The JDK's part with every other file. */
  private String runtime() throws IOException {
    Properties release = new Properties();
    release.load(Files.newBufferedReader(tree.resolve("release")));
    List<String> files = new ArrayList<>();
    for (Path file : files()) {
      if (!file.toString().endsWith(".jar") || !file.startsWith(tree.resolve("lib/app"))) {
        files.add(file(file));
      }
    }
    String version = release.getProperty("JAVA_VERSION").replace("\"", "");
    String modules = release.getProperty("MODULES").replace("\"", "");
    return object("type", text("platform"), "bom-ref", text("jdk"), "name", text("OpenJDK"), "version", text(version),
        "licenses",
        licence("GPL-2.0-only WITH Classpath-exception-2.0"), "description", text("the JDK's run-time image, of the "
            + "modules " + modules),
        "components", list(files));
  }

  private String file(Path file) throws IOException {
    return object("type", text("file"), "name", text(tree.relativize(file).toString()), "hashes", hashes(file));
  }

  private static String hashes(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
        in.transferTo(java.io.OutputStream.nullOutputStream());
      }
      return "[" + object("alg", text("SHA-256"), "content", text(HexFormat.of().formatHex(digest.digest()))) + "]";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String licence(String spdx) {
    return "[" + (spdx.contains(" ") ? object("expression", text(spdx)) : object("license", object("id", text(spdx))))
        + "]";
  }

  private static String text(String content) {
    return '"' + content.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String list(List<String> elements) {
    return elements.stream().collect(Collectors.joining(",\n", "[\n", "]"));
  }

  /** An object of these names and written values in turn, without those that are empty. */
  private static String object(String... pairs) {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      if (!pairs[i + 1].equals("\"\"") && !pairs[i + 1].equals("[]")) {
        out.add(text(pairs[i]) + ": " + pairs[i + 1]);
      }
    }
    return "{" + String.join(", ", out) + "}";
  }
}
