import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the provenance of a release to stdout, an in-toto statement with a predicate of SLSA 1.0, run from its source
 * by jlink/release.sh: {@code java Provenance.java FOLDER REVISION BUILDER JDK NATIVE}. The subjects are the files of
 * SHA256SUMS in the folder, the dependencies the source, the JDK and the jars of jlink/dependencies.lock, those with
 * native code for NATIVE only. It has no times and no names of machines, so that two builds of one revision are the
 * same.
 */
final class Provenance {
  private static final String BUILD_TYPE = "urn:portcullis:build:release:1";

  private Provenance() {}

  public static void main(String[] words) throws IOException {
    Path folder = Path.of(words[0]);
    List<String> subjects = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("SHA256SUMS"))) {
      String[] parts = line.split(" [ *]", 2);
      subjects.add("{\"name\": " + text(parts[1]) + ", " + digest("sha256", parts[0]) + "}");
    }
    System.out.println("{\"_type\": \"https://in-toto.io/Statement/v1\",\n\"subject\": " + list(subjects)
        + ",\n\"predicateType\": \"https://slsa.dev/provenance/v1\",\n\"predicate\": {\"buildDefinition\": {"
        + "\"buildType\": " + text(BUILD_TYPE) + ",\n\"externalParameters\": {\"target\": \"release\"},\n"
        + "\"internalParameters\": {\"linkedWith\": " + text(words[5]) + "},\n"
        + "\"resolvedDependencies\": " + list(dependencies(words[1], Path.of(words[3]), words[4])) + "},\n"
        + "\"runDetails\": {\"builder\": {\"id\": " + text(words[2]) + "}}}}");
  }

  private static List<String> dependencies(String revision, Path jdk, String machine) throws IOException {
    List<String> out = new ArrayList<>();
    String commit = revision.replaceFirst("-.*", "");
    out.add("{\"name\": \"source\", " + digest("gitCommit", commit)
        + (commit.equals(revision) ? "" : ", \"annotations\": {\"state\": " + text(revision) + "}") + "}");
    out.add("{\"name\": \"jlink/dependencies.lock\", " + digest("sha256", sha256(Path.of("jlink/dependencies.lock")))
        + "}");
    out.add("{\"name\": \"JDK lib/modules\", " + digest("sha256", sha256(jdk.resolve("lib/modules"))) + "}");
    for (String line : Files.readAllLines(Path.of("jlink/dependencies.lock"))) {
      String[] parts = line.split(" +", 2);
      if (parts[1].matches(".*-linux-\\w+\\.jar") && !parts[1].endsWith("-" + machine + ".jar")) {
        continue;
      }
      out.add("{\"name\": " + text(parts[1]) + ", " + digest("sha256", parts[0]) + "}");
    }
    return out;
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
        in.transferTo(java.io.OutputStream.nullOutputStream());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String digest(String algorithm, String value) {
    return "\"digest\": {" + text(algorithm) + ": " + text(value) + "}";
  }

  private static String text(String content) {
    return '"' + content.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String list(List<String> elements) {
    return elements.stream().collect(Collectors.joining(",\n", "[\n", "]"));
  }
}
