package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.message.DirectInput;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.DirectBuffers;
import portcullis.http.wire.Framing;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.WireInput;

/** Bodies that are copied from channel to channel. */
@Timeout(60)
class DirectUploadTest {
  private final AtomicInteger direct = new AtomicInteger();

  /** Yields as much as is asked for, or that much at most of what is asked for a buffer. */
  private final class Source extends InputStream implements DirectInput {
    private final ByteArrayInputStream bytes;
    private final int mostDirect;

    Source(byte[] bytes, int mostDirect) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.mostDirect = mostDirect;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return bytes.read(into, offset, length);
    }

    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public int read(ByteBuffer into) {
      assertTrue(into.isDirect());
      direct.incrementAndGet();
      byte[] some = new byte[Math.min(into.remaining(), mostDirect)];
      int n = bytes.read(some, 0, some.length);
      into.put(some, 0, Math.max(n, 0));
      return n;
    }
  }

  private static byte[] random(int length) {
    byte[] out = new byte[length];
    new Random(4711).nextBytes(out);
    return out;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void arriveUnchanged(boolean announced) throws Exception {
    byte[] much = random(3_000_001);
    LinkedBlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
    Framing framing = announced ? new Framing.Length(much.length) : Framing.CHUNKED;
    RawUpstream.Script script = peer -> {
      peer.head();
      received.add(BodyInput.of(framing, new WireInput(peer.input()), new HeadLimits(1000, 10)).readAllBytes());
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    };
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      Ask ask = Ask.get(upstream, "/").body(new Source(much, 100_000), announced ? much.length : -1);
      assertEquals("200 ok", ask.answer(client));
      assertArrayEquals(much, received.poll(20, TimeUnit.SECONDS));
      assertTrue(direct.get() > 10);
      assertEquals(1, client.connections());
    }
  }

  @Test
  void aBodyShorterThanItsLengthFails() throws Exception {
    RawUpstream.Script script = peer -> {
      peer.head();
      peer.awaitEnd();
    };
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      Ask ask = Ask.get(upstream, "/").body(new Source(random(200_000), 100_000), 200_001);
      assertEquals("RequestBodyException", ask.outcome(client));
      assertTrue(direct.get() > 0);
    }
  }

  private static final class Collected implements Upload.Sink {
    private long bytes;
    private boolean ended;

    @Override
    public void write(byte[] some, int length) {
      bytes += length;
    }

    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public void write(ByteBuffer some) {
      bytes += some.remaining();
      some.position(some.limit());
    }

    @Override
    public void end(Fields trailers) {
      ended = true;
    }

    @Override
    public void close() {}
  }

  private static final Upload.Listener SILENT = new Upload.Listener() {
    @Override
    public void ended() {}

    @Override
    public void broken(Throwable cause) {}
  };

  private static WireRequest.Parts parts(InputStream body, int length) {
    try (RawUpstream upstream = RawUpstream.answering("")) {
      return Ask.get(upstream, "/").body(body, length).request().parts();
    }
  }

  @Test
  void aBodyThatTricklesGivesItsBufferBack() {
    Collected sink = new Collected();
    new Upload(parts(new Source(random(200_000), 10), 200_000), sink, SILENT, new DirectBuffers(), false).run();
    assertEquals(200_000, sink.bytes);
    assertTrue(sink.ended);
    assertTrue(direct.get() > 0 && direct.get() < 100, () -> direct + " reads into buffers");
  }

  @Test
  void withoutAFreeBufferABodyIsCopiedInPieces() {
    DirectBuffers buffers = new DirectBuffers();
    Optional<ByteBuffer> last = buffers.take();
    for (Optional<ByteBuffer> next = last; next.isPresent(); next = buffers.take()) {
      last = next;
    }
    Collected sink = new Collected();
    new Upload(parts(new Source(random(200_000), 100_000), 200_000), sink, SILENT, buffers, false).run();
    assertEquals(200_000, sink.bytes);
    assertEquals(0, direct.get());
    buffers.give(last.orElseThrow().position(5));
    ByteBuffer again = buffers.take().orElseThrow();
    assertEquals(DirectBuffers.SIZE, again.remaining());
    assertFalse(buffers.take().isPresent());
  }

  @Test
  void aFailureGivesTheBufferBack() {
    DirectBuffers buffers = new DirectBuffers();
    InputStream failing = new SourceThatFails();
    for (int i = 0; i < 100; i++) {
      new Upload(parts(failing, 200_000), new Collected(), SILENT, buffers, false).run();
    }
    assertTrue(buffers.take().isPresent());
  }

  private static final class SourceThatFails extends InputStream implements DirectInput {
    @Override
    public int read() {
      return 'x';
    }

    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      throw new IOException("gone");
    }
  }
}
