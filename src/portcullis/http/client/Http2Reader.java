package portcullis.http.client;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import portcullis.http.h2.FrameInput;
import portcullis.http.h2.FrameType;
import portcullis.http.h2.HpackDecoder;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.message.Fields;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.WireInput;

/** Reads what an upstream sends on a connection of HTTP/2, and tells streams and connection (RFC 9113, 6). */
final class Http2Reader implements Runnable {
  private static final int TABLE = 4096;
  private static final int MAX_CONTINUATIONS = 32;

  private final Http2Connection connection;
  private final FrameInput in;
  private final HpackDecoder hpack;
  private final int maxBlock;
  private boolean greeted;
  private int unfinished;
  private boolean unfinishedEnds;
  private int continuations;
  private byte[] block = new byte[0];
  private int arrived;

  Http2Reader(Http2Connection connection, Link link, ClientLimits limits) {
    this.connection = connection;
    this.in = new FrameInput(new WireInput(link.input()));
    this.hpack = new HpackDecoder(TABLE, new HeadLimits(limits.maxHeadBytes(), limits.maxHeadFields()));
    this.maxBlock = limits.maxHeadBytes();
  }

  @Override
  public void run() {
    try {
      while (next()) {
        connection.heard();
      }
      connection.ended(new IOException("the connection ended"));
    } catch (IOException e) {
      connection.ended(e);
    } catch (RuntimeException | Error e) {
      connection.ended(new IOException("a frame could not be handled", e));
      throw e;
    }
  }

  /** Handles one frame; a fault of a single stream ends that stream only (RFC 9113, 5.4.2). */
  private boolean next() throws IOException {
    try {
      if (!in.next()) {
        return false;
      }
      frame();
    } catch (Http2Exception e) {
      if (e.stream() == 0) {
        throw e;
      }
      connection.stream(e.stream()).ifPresent(stream -> stream.fail(e));
      connection.sendSoon(() -> connection.frames().reset(e.stream(), e.error()));
    }
    return true;
  }

  private void frame() throws IOException {
    if (unfinished != 0 && (in.type() != FrameType.CONTINUATION || in.stream() != unfinished)) {
      throw protocol("something in the middle of a header block");
    }
    if (!greeted && (in.type() != FrameType.SETTINGS || in.has(FrameType.ACK))) {
      throw protocol("no settings at the beginning");
    }
    switch (in.type()) {
      case DATA -> data();
      case HEADERS -> headers();
      case CONTINUATION -> continuation();
      case RST_STREAM -> reset();
      case SETTINGS -> settings();
      case PUSH_PROMISE -> throw protocol("a push, which is switched off");
      case PING -> ping();
      case GOAWAY -> connection.goneAway(in.integer(0) & Integer.MAX_VALUE);
      case WINDOW_UPDATE -> windowUpdate();
      case PRIORITY, UNKNOWN -> {
      }
    }
  }

  /** Padding counts as well: it has been read as soon as it is here (RFC 9113, 6.1). */
  private void data() throws IOException {
    requireOpened();
    int content = in.to() - in.from();
    int padding = in.has(FrameType.PADDED) ? 1 + (in.payload()[0] & 0xff) : 0;
    arrived += content + padding;
    if (arrived >= Http2Connection.WINDOW_OF_ALL / 2) {
      int bytes = arrived;
      arrived = 0;
      connection.sendSoon(() -> connection.frames().windowUpdate(0, bytes));
    }
    Optional<Http2Stream> stream = connection.stream(in.stream());
    if (stream.isPresent()) {
      boolean end = in.has(FrameType.END_STREAM);
      if (padding > 0 && !end) {
        int id = in.stream();
        connection.sendSoon(() -> connection.frames().windowUpdate(id, padding));
      }
      stream.get().data(in.content(), end);
    }
  }

  private void headers() throws IOException {
    requireOpened();
    unfinished = in.stream();
    unfinishedEnds = in.has(FrameType.END_STREAM);
    continuations = 0;
    block = in.content();
    finishBlock();
  }

  private void continuation() throws IOException {
    if (unfinished == 0) {
      throw protocol("a continuation of nothing");
    }
    int from = block.length;
    int length = in.to() - in.from();
    if (++continuations > MAX_CONTINUATIONS || from + length > maxBlock) {
      throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM, "a header block longer than allowed");
    }
    block = Arrays.copyOf(block, from + length);
    System.arraycopy(in.payload(), in.from(), block, from, length);
    finishBlock();
  }

  /** Every block is read, since it may change the table, whether anybody waits for it or not. */
  private void finishBlock() throws IOException {
    if (!in.has(FrameType.END_HEADERS)) {
      return;
    }
    int id = unfinished;
    unfinished = 0;
    HpackDecoder.Block read = hpack.read(block, 0, block.length);
    Optional<Http2Stream> stream = connection.stream(id);
    if (stream.isPresent()) {
      stream.get().headers(whole(id, read), unfinishedEnds);
    }
  }

  private static Fields whole(int id, HpackDecoder.Block read) throws Http2Exception {
    if (!read.whole()) {
      throw Http2Exception.stream(id, Http2Error.ENHANCE_YOUR_CALM, "the head is longer than allowed");
    }
    return read.fields();
  }

  private void reset() throws Http2Exception {
    requireOpened();
    Http2Error error = Http2Error.of(in.integer(0));
    connection.stream(in.stream()).ifPresent(stream -> {
      connection.flow().close(stream.window());
      stream.fail(error == Http2Error.REFUSED_STREAM ? new Http2Refused()
          : new IOException("the upstream ended the stream: " + error));
    });
  }

  private void settings() throws Http2Exception {
    requireConnection();
    greeted = true;
    if (!in.has(FrameType.ACK)) {
      connection.settings(in.payload(), in.to());
      connection.sendSoon(connection.frames()::settingsAck);
    }
  }

  private void ping() throws Http2Exception {
    requireConnection();
    if (!in.has(FrameType.ACK)) {
      byte[] opaque = in.content();
      connection.sendSoon(() -> connection.frames().ping(opaque, true));
    }
  }

  private void windowUpdate() throws Http2Exception {
    int bytes = in.integer(0) & Integer.MAX_VALUE;
    if (in.stream() == 0) {
      connection.flow().grant(bytes);
      return;
    }
    requireOpened();
    Optional<Http2Stream> stream = connection.stream(in.stream());
    if (stream.isPresent()) {
      connection.flow().grant(in.stream(), stream.get().window(), bytes);
    }
  }

  private void requireConnection() throws Http2Exception {
    if (in.stream() != 0) {
      throw protocol("a frame of the connection on a stream");
    }
  }

  private void requireOpened() throws Http2Exception {
    if (in.stream() == 0 || connection.isUnopened(in.stream())) {
      throw protocol("a frame on a stream that nobody has opened");
    }
  }

  private static Http2Exception protocol(String reason) {
    return Http2Exception.connection(Http2Error.PROTOCOL_ERROR, reason);
  }
}
