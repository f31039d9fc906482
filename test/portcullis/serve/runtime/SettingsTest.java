package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class SettingsTest {
  private static List<String> reported(String text, Map<String, String> variables, Enforcement enforcement) {
    Problems problems = new Problems();
    Settings.read(new SourceFile("f.yaml", text), new EnvironmentOverrides(variables, List.of("P_")), enforcement,
        problems);
    return problems.sorted().stream().map(Problem::text).toList();
  }

  @Test
  void reportsMissingTlsAtItsSection() {
    String hint = "configure it, or disable TLS of listeners by `--insecure-skip-ingress-tls-enforcement`";
    assertEquals(
        List.of("f.yaml:1:1: management: `tls` is missing, " + hint, "f.yaml:2:8: serve: `tls` is missing, " + hint),
        reported("log: { level: info }\nserve: { port: 4456 }\n", Map.of(), Enforcement.ALL));
  }

  @Test
  void reportsListWithMissingItemOnce() {
    assertEquals(List.of("environment P_SERVE_TRUSTED__PROXIES_1: serve.trusted_proxies: item 0 of the list is not "
        + "set, items count from 0"),
        reported("serve: { port: 4456 }\n", Map.of("P_SERVE_TRUSTED__PROXIES_1", "10.0.0.0/8"), Enforcement.NONE));
    assertEquals(List.of(), reported("serve: { trusted_proxies: [ 10.0.0.7 ] }\n",
        Map.of("P_SERVE_TRUSTED__PROXIES_1", "10.0.0.0/8"), Enforcement.NONE));
  }

  @Test
  void reportsErrorsOfVariablesAndFileTogether() {
    assertEquals(List.of("environment P__: names no setting, as `P_SERVE_PORT`",
        "environment P_SERVE: serve: this is a number, but f.yaml:2:8 has a mapping, its members are set by `_NAME`",
        "environment P_SERVE_TRUSTED__PROXIES_1: serve.trusted_proxies: item 0 of the list is not set, items count "
            + "from 0",
        "environment P_LOG_LEVEL: log.level: `lound` is not known here, right is one of: trace, debug, info, warn, "
            + "error, fatal, panic, disabled",
        "f.yaml:2:16: serve.port: `x` is a string, a whole number is needed", "f.yaml:3:1: unknown key `wach`, did you "
            + "mean `watch`?"),
        reported("log: { format: text }\nserve: { port: x }\nwach: true\n",
            Map.of("P_SERVE_TRUSTED__PROXIES_1", "10.0.0.0/8", "P_LOG_LEVEL",
                "lound", "P__", "1", "P_SERVE", "5"),
            Enforcement.NONE));
  }
}
