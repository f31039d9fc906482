package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class EventReadersTest {
  private Instant now = Instant.EPOCH;
  private final Queue<String> events = new ArrayDeque<>();
  private final List<EventSource> closed = new ArrayList<>();
  private final EventReaders readers = new EventReaders(() -> now);

  private EventSource source() {
    return new EventSource() {
      @Override
      public Optional<byte[]> next(Duration wait) {
        now = now.plus(wait);
        return Optional.ofNullable(events.poll()).map(text -> text.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public void close() {
        closed.add(this);
      }
    };
  }

  private Optional<EventStream> open() {
    return readers.open(this::source);
  }

  private static String read(InputStream in) throws IOException {
    byte[] room = new byte[100];
    int count = in.read(room);
    return count < 0 ? "end" : new String(room, 0, count, StandardCharsets.UTF_8);
  }

  @Test
  void numberOfReadersIsBounded() throws IOException {
    List<EventStream> all = new ArrayList<>();
    for (int i = 0; i < EventReaders.MOST; i++) {
      all.add(open().orElseThrow());
    }
    assertEquals(Optional.empty(), open());
    all.getFirst().close();
    all.getFirst().close();
    assertEquals(1, closed.size());
    assertTrue(open().isPresent());
    assertEquals(Optional.empty(), open(), "a place is free once only");
  }

  @Test
  void eventsAreSentAndSilenceIsBroken() throws IOException {
    try (InputStream in = open().orElseThrow()) {
      assertEquals("retry: 2000\n\n", read(in));
      events.add("data: a\n\n");
      assertEquals("data: a\n\n", read(in));
      assertEquals(":\n\n", read(in), "after 15 s");
    }
  }

  @Test
  void streamEndsOnceItIsToldTo() throws IOException {
    try (EventStream in = open().orElseThrow()) {
      read(in);
      in.end();
      events.add("data: a\n\n");
      assertEquals("end", read(in));
    }
  }

  @Test
  void streamsEndWithTheConsole() throws IOException {
    try (InputStream in = open().orElseThrow()) {
      read(in);
      readers.close();
      assertEquals("end", read(in));
      assertEquals(Optional.empty(), open());
    }
    assertEquals(0, readers.count());
  }
}
