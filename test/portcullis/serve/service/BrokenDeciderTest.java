package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.policy.decision.Decider;

/** What is answered where deciding a request fails by a bug or for want of memory: a denial, and a line in the log. */
class BrokenDeciderTest {
  private final DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]\n",
      "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}\n");

  private Decider broken(boolean memory) {
    return new Decider(() -> {
      if (memory) {
        throw new OutOfMemoryError("of a test");
      }
      throw new IllegalStateException("of a test");
    }, setup.log());
  }

  private Services services() {
    return new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system());
  }

  @ParameterizedTest
  @CsvSource({"true, 8, 503, out of memory", "false, 13, 500, internal error"})
  void checksAreDenied(boolean memory, long code, long status, String error) throws Exception {
    Listener listener = services().envoy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), broken(memory),
        () -> true);
    try (EnvoyCaller envoy = new EnvoyCaller(listener.port())) {
      EnvoyCaller.CheckResult answer = envoy.check("/a");
      assertEquals(code + " " + status, answer.code() + " " + answer.status());
    } finally {
      listener.stop(Duration.ofSeconds(5));
    }
    assertLogged(error);
    assertTrue(setup.shown().contains("\"_grpc_status_code\":" + code + ","), setup.shown());
  }

  @ParameterizedTest
  @CsvSource({"true, 503, out of memory", "false, 500, internal error"})
  void requestsAreRefused(boolean memory, int status, String error) throws Exception {
    Listener listener = services().decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), broken(memory));
    try {
      assertEquals(status, OneRequest.status(OneRequest.receivedCalls(listener.port(), "GET", "/a")));
    } finally {
      listener.stop(Duration.ofSeconds(5));
    }
    assertLogged(error);
  }

  private void assertLogged(String error) {
    String log = setup.shown();
    assertTrue(log.lines().anyMatch(line -> line.contains("\"TX finished\"") && line.contains("\"_error\":\"" + error)
        && line.contains("\"_access_granted\":false")), log);
    assertTrue(log.lines().anyMatch(line -> !line.contains("\"TX ") && line.contains("of a test")), log);
  }
}
