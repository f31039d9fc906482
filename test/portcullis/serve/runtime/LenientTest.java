package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** What is missing or old-fashioned without harm is accepted with a warning; what would open something is refused. */
class LenientTest {
  private final Problems problems = new Problems();

  private Optional<Settings> read(String yaml) {
    return Settings.read(new SourceFile("c.yaml", yaml), new EnvironmentOverrides(Map.of(), List.of()),
        Enforcement.NONE,
        problems);
  }

  private String reported() {
    return String.join("\n", problems.sorted().stream().map(Problem::text).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log: {level: }", "log: ", "log: ${PORTCULLIS_TEST_UNSET}", "serve: {timeout: {read: null}}",
    "serve: {port: ~}", "serve: {trusted_proxies: }", "management: ", "metrics: {enabled: }", "cache: ",
    "providers: {file_system: }", "default_rule: ", "mechanisms: "})
  void aNullIsAsIfItWereLeftOut(String yaml) {
    Settings settings = read(yaml).orElseThrow(() -> new AssertionError(reported()));
    assertTrue(reported().contains("warning: ") && reported().contains(", which is as if the key were left out"),
        reported());
    assertEquals(Settings.Logging.DEFAULT, settings.log());
    assertEquals(4456, settings.main().port());
    assertEquals(CacheSettings.DEFAULT, settings.cache());
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve: {tls: }", "serve: {tls: {key_store: {path: a}, client_auth: }}",
    "management: {tls: null}",
    "cache: {type: redis, config: {address: 'a:1', tls: }}",
    "providers: {file_system: {src: rules, require_signature: }}",
    "providers: {http_endpoint: {endpoints: [{url: 'https://a.test'}], require_signature: }}",
    "providers: {file_system: {src: a, require_signature: {keys: [a, b], threshold: }}}",
    "serve: {streams: {max_age: }}", "decision_log: {file: {path: a}, mask: }"})
  void aNullThatWouldOpenSomethingIsRefused(String yaml) {
    assertTrue(read(yaml).isEmpty(), yaml);
    assertTrue(reported().contains(" is nothing, a"), reported());
  }

  @Test
  void aCacheWithoutTypeIsInMemory() {
    assertEquals(new CacheSettings.InMemory(1 << 20, 5),
        read("cache: {config: {memory_limit: 1MB, entry_limit: 5}}").orElseThrow().cache());
    assertTrue(reported().contains("c.yaml:1:8: warning: cache: `type` is missing, `in-memory` is used"), reported());
  }

  @Test
  void aCacheOfUnknownTypeIsRefused() {
    assertTrue(read("cache: {type: nowhere}").isEmpty());
    assertTrue(reported().contains("cache type unsupported"), reported());
  }
}
