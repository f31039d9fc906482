package portcullis.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;

/** Runs test files as the command does. */
final class TestSuite {
  private final Map<String, String> variables = new HashMap<>();
  private final Problems problems = new Problems();

  TestSuite with(String variable, String value) {
    variables.put(variable, value);
    return this;
  }

  Optional<Suite.Outcome> run(Path config, Path... files) {
    Suite suite = new Suite(named -> new ConfigurationFile(Optional.of(named.orElse(config).toString()),
        new EnvironmentOverrides(variables, List.of("PORTCULLISCFG_")), Enforcement.NONE).settings(problems),
        Enforcement.NONE, problems);
    try {
      return suite.run(List.of(files), "");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  List<String> problems() {
    return problems.sorted().stream().map(Problem::text).toList();
  }

  static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
