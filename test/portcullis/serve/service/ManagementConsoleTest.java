package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;

/** Which requests the management service leaves to the console, and that its responses arrive. */
class ManagementConsoleTest {
  private final DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]\n",
      "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}\n");

  /** Answers with the path that was requested; below {@code /console/live} bit by bit. */
  private static final class Echo implements ConsoleEndpoint {
    @Override
    public Answer answer(ValidRequest incoming) {
      String path = incoming.target() instanceof Target.Resource resource ? resource.path() : "*";
      return path.startsWith("/console/live")
          ? new Live(Fields.of("Content-Type", "text/event-stream", "X-Path", path),
              new ByteArrayInputStream("data: 1\n\n".getBytes(UTF_8)), _ -> null) // nothing ends it
          : new Whole(Response.of(203, "text/plain", path));
    }

    @Override
    public void close() {}
  }

  private String answer(String target, boolean console) throws IOException, KeyMaterialException {
    PublishedKeys none = PublishedKeys.of(List.of());
    Optional<ConsoleEndpoint> endpoint = console ? Optional.of(new Echo()) : Optional.empty();
    Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).management(
        ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), () -> none, new Ready(),
        new ManagementEndpoints(Optional.empty(), endpoint, Optional.empty()));
    try {
      return OneRequest.receivedCalls(listener.port(), "GET", target);
    } finally {
      listener.stop(Duration.ZERO);
    }
  }

  private static final class Ready implements StatusSource {
    @Override
    public List<String> unreadyReasons() {
      return List.of();
    }

    @Override
    public StatusReport report() {
      throw new IllegalStateException("it is not requested");
    }
  }

  @ParameterizedTest
  @CsvSource({"/console, 203, 404", "/console/, 203, 404", "/console/app.js?a=b, 203, 404", "/consoles, 404, 404",
    "/.portcullis/login, 203, 404", "/.portcullis, 404, 404", "/live, 200, 200", "/console/live, 200, 404",
    "/a/console, 404, 404"})
  void consoleAndItsLoginAreServedIfItIsConfigured(String target, int with, int without) throws Exception {
    assertEquals(with, OneRequest.status(answer(target, true)));
    assertEquals(without, OneRequest.status(answer(target, false)));
  }

  @ParameterizedTest
  @CsvSource({"/console/a, text/plain, /console/a", "/console/live, text/event-stream, data: 1"})
  void responsesOfTheConsoleArriveWhole(String target, String type, String body) throws Exception {
    String answer = answer(target, true);
    assertEquals(type, OneRequest.field(answer, "Content-Type"));
    assertTrue(OneRequest.body(answer).contains(body), answer);
  }
}
