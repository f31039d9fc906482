package portcullis.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.config.Enforcement;
import portcullis.fixture.Needs;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;

/** A copy of the public estate of rules, for tests that are skipped without it. */
public final class Estate {
  public static final Map<String, String> VARIABLES = Map.of("CLIENT_SECRET", "secret", "OPENFGA_AUTH_MODEL_ID",
      "model", "OPENFGA_STORE_ID", "store");

  private final Path folder;

  private Estate(Path folder) {
    this.folder = folder;
  }

  /** Copies it to the folder, with absolute paths. */
  public static Estate in(Path folder) {
    Path corpus = Needs.corpus("lfx");
    try (Stream<Path> all = Files.walk(corpus)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Path copy = folder.resolve(corpus.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.write(copy, Files.readAllBytes(file));
      }
      Path config = folder.resolve("config.yaml");
      Files.writeString(config, Files.readString(config).replace("path: signer.pem", "path: " + folder.resolve(
          "signer.pem")).replace("src: rules", "src: " + folder.resolve("rules")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Estate(folder);
  }

  public Path file(String name) {
    return folder.resolve(name);
  }

  Settings settings() {
    return settings(file("config.yaml"), VARIABLES);
  }

  static Settings settings(Path config, Map<String, String> variables) {
    Problems problems = new Problems();
    Optional<Settings> settings = new ConfigurationFile(Optional.of(config.toString()),
        new EnvironmentOverrides(new HashMap<>(variables), List.of("PORTCULLISCFG_")), Enforcement.NONE)
        .settings(problems);
    return settings.orElseThrow(() -> new AssertionError(text(problems)));
  }

  static List<String> text(Problems problems) {
    return problems.sorted().stream().map(Problem::text).toList();
  }
}
