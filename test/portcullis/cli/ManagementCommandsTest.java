package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.StubService;

/** Commands that call a running service, where the answer is not what they expect. */
class ManagementCommandsTest {
  private static final String EVENT = "data: {\"number\":%d,\"time\":\"2030-01-02T03:04:05Z\",\"answer\":403,"
      + "\"decision\":\"denied\",\"method\":\"GET\",\"host\":\"a.example\",\"path\":\"/\"}\n\n";

  @TempDir
  private Path folder;

  @Test
  void tailGoesOnAfterTheLastDecisionItHasShown() {
    try (StubService service = new StubService(call -> StubService.ok(
        EVENT.formatted(call.target().contains("after=") ? 8 : 7), "Content-Type: text/event-stream"))) {
      CommandResult shown = CommandResult.of("tail", "--endpoint", service.url(""), "-n", "2");
      assertEquals(2, shown.out().lines().count(), shown.err());
      assertEquals(0, shown.status());
      assertTrue(service.last().target().endsWith("&after=7"), service.last().target());
      assertEquals(2, service.receivedCalls().size());
    }
  }

  /** Which would occupy one of the few places of readers for nobody. */
  @ParameterizedTest
  @ValueSource(strings = {"tail", "top"})
  void endsWithThePipeThatIsReadByNobody(String command) {
    OutputStream closed = new OutputStream() {
      @Override
      public void write(int octet) throws IOException {
        throw new IOException("Broken pipe");
      }
    };
    String type = command.equals("tail") ? "text/event-stream" : "application/json";
    String body = command.equals("tail") ? EVENT.formatted(1) + EVENT.formatted(2) : "{}";
    try (StubService service = new StubService(_ -> StubService.ok(body, "Content-Type: " + type));
        PrintStream out = new PrintStream(closed)) {
      assertEquals(0, new Commands(new Console(out, out)).run(List.of(command, "--endpoint", service.url(""))));
      assertEquals(1, service.receivedCalls().size());
    }
  }

  /** A wrong port, or a proxy that does not pass on a response before its end, is not flooded with requests. */
  @Test
  void tailGivesUpWhereTheStreamEndsAtOnce() {
    try (StubService service = new StubService(_ -> StubService.ok("", "Content-Type: text/event-stream"))) {
      CommandResult ended = CommandResult.of("tail", "--endpoint", service.url(""));
      assertEquals(1, ended.status());
      assertTrue(ended.err().contains("ends the stream of decisions at once, again and again"), ended.err());
      assertEquals(5, service.receivedCalls().size());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "tail|200|text/html; charset=x|is not a management service: the type of its answer is `text/html; charset=x`",
    "tail|200|application/json|`text/event-stream` is expected",
    "top|200|text/event-stream|`application/json` is expected",
    "tail|429|text/html|end a lockout by `portcullis unlock --lockout ADDRESS`",
    "tail|503|text/html|takes no reader at the moment: it stops, or has too many readers",
    "tail|401|text/html|requires credentials",
    "tail|404|text/html|has no console",
  })
  void whatIsNoConsoleIsNamed(String command, int status, String type, String reason) {
    try (StubService service = new StubService(_ -> StubService.answer(status, "{}", "Content-Type: " + type))) {
      CommandResult refused = CommandResult.of(command, "--endpoint", service.url(""));
      assertEquals(1, refused.status());
      assertTrue(refused.err().contains(service.url("") + " ") && refused.err().contains(reason), refused.err());
      assertEquals(1, service.receivedCalls().size());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "--subject|''|`--subject` is followed by what is locked",
    "--client|' '|`--client` is followed by what is locked",
    "--for|1d12h|hours, minutes and seconds as 1h30m, or days alone as 30d, up to 99999d",
    "--for|100000d|up to 99999d",
  })
  void aLockThatCannotBeMeantNamesTheOption(String option, String value, String reason) {
    CommandResult refused = option.equals("--for")
        ? CommandResult.of("lock", "--endpoint", "http://127.0.0.1:1", "--subject", "x", "--reason", "r", option, value)
        : CommandResult.of("lock", "--endpoint", "http://127.0.0.1:1", "--reason", "r", option, value);
    assertEquals(2, refused.status());
    assertTrue(refused.err().contains(reason), refused.err());
  }

  @Test
  void aLockThatIsNotSavedIsAWarning() throws Exception {
    Path key = Files.writeString(folder.resolve("lock.key"), "0b".repeat(32));
    String lock = "{\"id\":\"0123456789abcdef\",\"target\":\"subject\",\"value\":\"x\",\"warning\":\"in force\"}";
    try (StubService service = new StubService(_ -> StubService.answer(201, lock, "Content-Type: application/json"))) {
      CommandResult made = CommandResult.of("lock", "--endpoint", service.url(""), "--key", key.toString(), "--subject",
          "x", "--reason", "r");
      assertEquals("0 portcullis: warning: in force\n", made.status() + " " + made.err());
      assertTrue(made.out().startsWith("locked: 0123456789abcdef  subject x"), made.out());
    }
  }

  @Test
  void theFileOfAKeyIsNamed() {
    CommandResult missing = CommandResult.of("locks", "--endpoint", "http://127.0.0.1:1", "--key",
        folder.resolve("none.key").toString());
    assertTrue(missing.err().contains("the key in `" + folder.resolve("none.key") + "` cannot be read"), missing.err());
  }
}
