package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import portcullis.http.server.Descriptors;
import portcullis.lang.value.ParseMemory;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** How much memory for parsing a message of a call takes while it is answered. */
class CallMemoryTest {
  private static final String METHOD = "portcullis.test/Echo";

  private final ParseMemory memory = new ParseMemory(1L << 30);
  private final List<Long> used = new CopyOnWriteArrayList<>();

  private List<Long> used(int... lengths) throws IOException {
    GrpcHandler calls = new GrpcHandler(Map.of("/" + METHOD, (_, _, _) -> {
      used.add(memory.used());
      return new byte[0];
    }), memory);
    Log log = new Log(Level.ERROR, LogFormat.GELF, new LogWriter(new ByteArrayOutputStream()), InstantSource.system(),
        "test");
    Listener listener = Listener.startCalls("decision", ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), calls,
        TelemetrySinks.NONE, log, InstantSource.system(), new Descriptors());
    try (EnvoyCaller caller = new EnvoyCaller(listener.port())) {
      for (int length : lengths) {
        caller.call(METHOD, new byte[length]);
      }
    } finally {
      listener.stop(Duration.ofSeconds(5));
    }
    return used.stream().map(bytes -> bytes / 1000).toList();
  }

  /** In kB. Small messages take what they are copied to, larger ones more, for a head of 1 MB at most. */
  @Test
  void largeMessagesTakeWhatTheirHeadMayBecome() throws IOException {
    assertEquals(List.of(0L, 131L, 524L, 3_200L, 14_291L), used(0, 65_536, 65_537, 400_000,
        4_000_000));
    assertEquals(0, memory.used());
  }
}
