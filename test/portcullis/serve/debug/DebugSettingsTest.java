package portcullis.serve.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.SubstitutedSource;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class DebugSettingsTest {
  @TempDir
  private Path folder;
  private final Problems problems = new Problems();

  private Optional<DebugSettings> read(String yaml) {
    return Yaml.read(SubstitutedSource.unchanged(new SourceFile("c.yaml", yaml)), problems)
        .flatMap(node -> DebugSettings.decoder().decode(node, problems));
  }

  private String reported() {
    return problems.sorted().toString();
  }

  @Test
  void hasDefaultsForAllButTheKey() {
    DebugSettings settings = read("{key_file: k}").orElseThrow();
    assertEquals(Duration.ofMinutes(15), settings.keep());
    assertEquals(1000, settings.most());
    assertEquals(8 << 20, settings.mostBytes());
    assertTrue(read("{keep: 1m}").isEmpty());
    assertTrue(reported().contains("key_file"), reported());
  }

  @ParameterizedTest
  @CsvSource({"keep: 1s,true", "keep: 24h,true", "keep: 0s,false", "keep: 25h,false", "max_count: 1,true",
    "max_count: 0,false", "max_size: 64KB,true", "max_size: 1KB,false", "max_size: 2GB,false", "other: 1,false"})
  void boundsWhatIsKept(String setting, boolean valid) {
    assertEquals(valid, read("{key_file: k, " + setting + "}").isPresent(), reported());
  }

  @Test
  void aKeyIsRead() throws IOException {
    assertTrue(withKey("1".repeat(64)).key(problems).isPresent());
    assertTrue(problems.isEmpty(), reported());
  }

  @Test
  void anUnusableKeyIsAProblem() throws IOException {
    assertTrue(withKey("1234").key(problems).isEmpty());
    assertTrue(reported().contains("64 hexadecimal digits"), reported());
  }

  private DebugSettings withKey(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("key"), text);
    return read("{key_file: '" + file + "'}").orElseThrow();
  }
}
