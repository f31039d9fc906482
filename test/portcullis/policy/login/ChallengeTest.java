package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static portcullis.policy.login.LoginBench.challenged;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests without a session are redirected to the login. */
class ChallengeTest {
  @TempDir
  private Path folder;
  private LoginBench bench;
  private LoginBench.Browser browser;

  @BeforeEach
  void open() {
    bench = new LoginBench(folder);
    browser = bench.new Browser();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      GET  | Accept: text/html,*/*              | 302
      GET  | Sec-Fetch-Mode: navigate           | 302
      HEAD | Accept: text/html                  | 302
      GET  | Accept: application/json           | 401
      GET  | Accept: */*                        | 401
      POST | Accept: text/html                  | 401
      GET  | Sec-Fetch-Mode: cors               | 401
      """)
  void onlyNavigationsAreRedirected(String method, String field, int status) {
    String[] parts = field.split(": ");
    assertEquals(status,
        challenged(bench.login(), browser.request(method, "/api", "", parts[0], parts[1])).status());
    assertEquals(401, challenged(bench.login(), browser.request(method, "/api", "", parts[0], parts[1],
        "X-Requested-With", "XMLHttpRequest")).status());
  }

  @ParameterizedTest
  @CsvSource({"Sec-Fetch-Mode,no-cors", "Sec-Fetch-Mode,websocket", "Sec-Fetch-Dest,iframe", "Sec-Fetch-Dest,empty",
    "Upgrade,websocket", "X-Requested-With,xmlhttprequest"})
  void oneFieldShowsThatNoPageIsRequested(String name, String value) throws Exception {
    Map<String, String> fields = new LinkedHashMap<>(Map.of("Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document",
        "Accept", "text/html"));
    assertEquals(302, challenged(bench.login(), browser.request("GET", "/api", "", pairs(fields))).status());
    fields.put(name, value);
    assertEquals(401, challenged(bench.login(), browser.request("GET", "/api", "", pairs(fields))).status());
  }

  private static String[] pairs(Map<String, String> fields) {
    return fields.entrySet().stream().flatMap(field -> Stream.of(field.getKey(), field.getValue()))
        .toArray(String[]::new);
  }
}
