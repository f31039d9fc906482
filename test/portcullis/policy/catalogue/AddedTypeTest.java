package portcullis.policy.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new type of mechanism is one file, and one line in the list of types: here one is added to the program. */
class AddedTypeTest {
  private static final String FILE = """
      package portcullis.policy.authorizer;

      import java.util.List;
      import java.util.Optional;
      import portcullis.config.Decoder;
      import portcullis.config.Decoders;
      import portcullis.config.Key;
      import portcullis.policy.mechanism.Failure;
      import portcullis.policy.mechanism.Mechanism;
      import portcullis.policy.mechanism.MechanismType;
      import portcullis.policy.mechanism.PipelineState;

      /** Allows short paths. */
      public record ShortPath(int longest) implements Mechanism.Authorizer {
        public static final MechanismType<Integer, Mechanism.Authorizer> TYPE = \
      MechanismType.of(Mechanism.Authorizer.class,
            "short_path", settings(), _ -> settings(), (longest, _, _) -> Optional.of(new ShortPath(longest)));

        private static Decoder<Integer> settings() {
          Key<Integer> longest = Key.required("longest", Decoders.number(1, 100), "how long a path may be");
          return Decoders.object("settings", List.of(longest), parts -> parts.get(longest));
        }

        @Override
        public Mechanism.Outcome authorize(State state) throws Failure {
          if (state.request().path().judged().length() > longest) {
            throw new Failure.Authorization("the path is too long");
          }
          return Mechanism.Outcome.PASSED;
        }
      }
      """;

  private static final String CONFIG = """
      mechanisms:
        authenticators: [ { id: anon, type: anonymous } ]
        authorizers: [ { id: brief, type: short_path, config: { longest: 5 } } ]
      default_rule: { execute: [ { authenticator: anon }, { authorizer: brief } ] }
      """;

  @TempDir
  private Path folder;

  private void compile() throws IOException {
    Path types = Path.of("src/portcullis/policy/catalogue/MechanismTypes.java");
    String listed = Files.readString(types);
    String added = listed.replace("\"authorizers\", List.of(", "\"authorizers\", "
        + "List.of(portcullis.policy.authorizer.ShortPath.TYPE, ");
    assertTrue(!added.equals(listed), "the list of authorizers looks different now");
    Path file = Files.writeString(
        Files.createDirectories(folder.resolve("src/portcullis/policy/authorizer")).resolve("ShortPath.java"), FILE);
    Path line = Files.writeString(
        Files.createDirectories(folder.resolve("src/portcullis/policy/catalogue")).resolve("MechanismTypes.java"),
        added);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean good = compiler
          .getTask(said, files, null, List.of("-proc:none", "-d", folder.resolve("classes").toString(), "-cp",
              System.getProperty("java.class.path")), null, files.getJavaFileObjects(file, line))
          .call();
      assertTrue(good, said.toString());
    }
  }

  private String run(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1", "-cp", folder.resolve("classes") + ":" + System.getProperty("java.class.path"),
        "portcullis.cli.Main"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  private String explained(String config, String path) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("config.yaml"), config);
    Path request = Files.writeString(folder.resolve("request.yaml"), "url: http://a" + path);
    String said = run("explain", "--insecure", "-c", file.toString(), "--request", request.toString());
    return said.lines().filter(line -> line.startsWith("verdict") || line.contains("error")).findFirst().orElse(said);
  }

  @Test
  void aTypeIsOneFileAndOneLine() throws IOException, InterruptedException {
    compile();
    assertEquals("verdict  allowed, subject `anonymous`", explained(CONFIG, "/abc"));
    assertTrue(explained(CONFIG, "/abcdef").contains("authorization error: the path is too long"));
    String wrong = run("validate", "config", "--insecure", "-c", Files.writeString(folder.resolve("wrong.yaml"),
        CONFIG.replace("longest: 5", "longest: many")).toString());
    assertTrue(wrong.contains("mechanisms.authorizers[0].config.longest: "), wrong);
    String help = run("help", "mechanism", "short_path");
    assertTrue(help.contains("how long a path may be"), help);
  }
}
