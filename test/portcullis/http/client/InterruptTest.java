package portcullis.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.RawUpstream;

/** An interrupt ends whatever its thread waits for, and the connection with it, on virtual threads and others. */
final class InterruptTest {
  private static final RawUpstream.Script MUTE = peer -> {
    peer.head();
    peer.awaitEnd();
  };
  private static final RawUpstream.Script STALLING = peer -> {
    peer.head();
    peer.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe");
    peer.awaitEnd();
  };

  /** Interrupts it some time after the upstream has its request. */
  private static Throwable interrupted(boolean virtual, RawUpstream upstream, Callable<?> task)
      throws InterruptedException {
    FutureTask<?> future = new FutureTask<>(task);
    Thread thread = virtual ? Thread.ofVirtual().start(future) : Thread.ofPlatform().start(future);
    assertTrue(Ask.within(() -> !upstream.heads().isEmpty()));
    Ask.pause();
    thread.interrupt();
    try {
      return new AssertionError("ended with " + future.get());
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void interruptEndsWaitForHead(boolean virtual) throws InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(MUTE); WireClient client = Ask.client()) {
      assertInstanceOf(InterruptedException.class,
          interrupted(virtual, upstream, () -> Ask.get(upstream, "/").send(client)));
      assertEquals(0, client.connections());
      assertTrue(Ask.within(() -> upstream.open() == 0));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void interruptEndsReadOfBodyAndStaysSet(boolean virtual) throws InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(STALLING); WireClient client = Ask.client()) {
      Throwable error = interrupted(virtual, upstream, () -> {
        InputStream body = Ask.get(upstream, "/").send(client).body();
        try {
          return body.readAllBytes();
        } catch (IOException e) {
          assertTrue(Thread.currentThread().isInterrupted());
          throw e;
        }
      });
      assertInstanceOf(ResponseBodyException.class, error);
      assertTrue(Ask.within(() -> upstream.open() == 0));
    }
  }

  @Test
  void interruptEndsWaitForBufferedBody() throws InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(STALLING); WireClient client = Ask.client()) {
      assertInstanceOf(InterruptedException.class, interrupted(true, upstream,
          () -> client.send(Ask.plain(upstream, "/").build(), BodyHandlers.ofString())));
      assertEquals(0, client.connections());
    }
  }

  @Test
  void interruptEndsWaitForConnection() throws Exception {
    ClientLimits d = ClientLimits.DEFAULT;
    ClientLimits one = new ClientLimits(1, 1, 1, d.idle(), Ask.LONG, d.head(), 4096, 20, d.bodyIdle(), 100);
    try (RawUpstream upstream = RawUpstream.of(STALLING);
        WireClient client = Ask.client(one);
        InputStream body = Ask.get(upstream, "/").send(client).body()) {
      assertEquals('h', body.read());
      assertInstanceOf(InterruptedException.class,
          interrupted(true, upstream, () -> Ask.get(upstream, "/").send(client)));
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void closingBodyEndsItsReader() throws Exception {
    try (RawUpstream upstream = RawUpstream.of(STALLING); WireClient client = Ask.client()) {
      InputStream body = Ask.get(upstream, "/").send(client).body();
      assertEquals("he", new String(body.readNBytes(2), ISO_8859_1));
      FutureTask<IOException> reading = new FutureTask<>(() -> assertThrows(IOException.class, body::read));
      Thread reader = Thread.ofVirtual().start(reading);
      assertTrue(Ask
          .within(() -> reader.getState() == Thread.State.WAITING || reader.getState() == Thread.State.TIMED_WAITING));
      body.close();
      assertInstanceOf(ResponseBodyException.class, reading.get());
      assertTrue(Ask.within(() -> client.connections() == 0));
    }
  }
}
