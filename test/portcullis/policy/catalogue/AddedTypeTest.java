package portcullis.policy.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.ChangedProgram;

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
        public Mechanism.Outcome authorize(PipelineState state) throws Failure {
          if (state.request().path().canonical().length() > longest) {
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

  private ChangedProgram program;

  private String explained(String config, String path) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("config.yaml"), config);
    Path request = Files.writeString(folder.resolve("request.yaml"), "url: http://a" + path);
    String reported = program.run("explain", "--insecure", "-c", file.toString(), "--request", request.toString())
        .output();
    return reported.lines().filter(line -> line.startsWith("result") || line.contains("error")).findFirst()
        .orElse(reported);
  }

  @Test
  void aTypeIsOneFileAndOneLine() throws IOException, InterruptedException {
    program = new ChangedProgram(folder).add("policy/authorizer/ShortPath.java", FILE).edit(
        "policy/catalogue/MechanismTypes.java", "\"authorizers\", List.of(",
        "\"authorizers\", List.of(portcullis.policy.authorizer.ShortPath.TYPE, ").compile();
    assertEquals("result    allowed, subject `anonymous`", explained(CONFIG, "/abc"));
    assertTrue(explained(CONFIG, "/abcdef").contains("authorization error: the path is too long"));
    String wrong = program.run("validate", "config", "--insecure", "-c", Files.writeString(folder.resolve("wrong.yaml"),
        CONFIG.replace("longest: 5", "longest: many")).toString()).output();
    assertTrue(wrong.contains("mechanisms.authorizers[0].config.longest: "), wrong);
    String help = program.run("help", "mechanism", "short_path").output();
    assertTrue(help.contains("how long a path may be"), help);
  }
}
