package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.Await;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;
import portcullis.http.message.WireResponse;
import portcullis.policy.lock.Lock;
import portcullis.serve.service.WaitingSite.Held;
import portcullis.serve.service.WaitingSite.Response;
import portcullis.serve.stream.StreamSettings;

/** A response with HTTP/2 on both sides that has begun, and of which nothing comes for a while. */
class QuietCallTest {
  private static final String MESSAGE = "\0\0\0\0\2hi";
  private static final String MUCH = "x".repeat(1_000_000); // more than the windows of a stream

  private WaitingSite site;

  /** Returns which sides have HTTP/2. */
  WaitingSite.Sides sides() {
    return WaitingSite.Sides.BOTH;
  }

  private void start(boolean tls, String idle, Optional<Duration> maxAge) throws Exception {
    site = new WaitingSite(sides(), tls, idle, 2000, new StreamSettings(maxAge));
  }

  @AfterEach
  void stop() {
    site.close();
  }

  /** The upstream's side of a response: what it sends, a piece at a time; empty for its end. */
  private static final class Pieces {
    private final BlockingQueue<String> next = new LinkedBlockingQueue<>();
    private volatile boolean broken;

    Pieces(Held held) {
      held.answer().complete(exchange -> {
        WireExchange wire = WireExchange.of(exchange);
        wire.respond(200, Fields.of("Content-Type", "application/grpc"), -1);
        wire.getResponseBody().flush();
        for (String piece = taken(); !piece.isEmpty(); piece = taken()) {
          wire.getResponseBody().write(piece.getBytes(ISO_8859_1));
          wire.getResponseBody().flush();
        }
        if (broken) {
          wire.abort();
          return;
        }
        wire.trail(Fields.of("grpc-status", "0"));
        wire.getResponseBody().close();
      });
    }

    private String taken() throws IOException {
      try {
        return next.take();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    void say(String piece) {
      next.add(piece);
    }

    void end() {
      say("");
    }

    void breakOff() {
      broken = true;
      end();
    }
  }

  /** Waits until that many responses have outlasted their handlers. */
  private void awaitPaused(int count) throws Exception {
    Await.until(() -> site.observing.measured("portcullis.rule.decisions").values().stream()
        .mapToInt(Integer::parseInt).sum() == count);
    assertEquals(Integer.toString(count), site.active());
    assertEquals(List.of(), site.finished());
  }

  private static void read(HttpResponse<InputStream> response, String expected) throws IOException {
    assertEquals(expected, new String(response.body().readNBytes(expected.length()), ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource({"false,true", "true,true", "false,false", "true,false"})
  void itGoesOnAsIfItHadNotPaused(boolean tls, boolean waits) throws Exception {
    start(tls, "2m", Optional.empty());
    Response asked = site.ask("/x", MESSAGE);
    Held held = site.held();
    if (waits && sides() == WaitingSite.Sides.BOTH) {
      site.awaitNoThread(1);
    }
    Pieces pieces = new Pieces(held);
    pieces.say("one");
    HttpResponse<InputStream> response = asked.get();
    read(response, "one");
    awaitPaused(1);
    pieces.say("two");
    read(response, "two");
    Await.pause(2500); // it pauses again, unless the machine is slow
    pieces.say("two");
    read(response, "two");
    pieces.say(MUCH);
    read(response, MUCH);
    pieces.end();
    assertEquals(-1, response.body().read());
    assertEquals(Optional.of("0"), WireResponse.of(response).trailers().first("grpc-status"));
    String line = site.line();
    assertTrue(line.contains("\"_body_bytes_sent\":1000009") && line.contains("\"_http_status_code\":200"), line);
    assertFalse(line.contains("_error"), line);
    assertEquals(1, site.decided().size());
  }

  /** How a quiet response ends before it is whole, with what is logged. */
  private enum End {
    CLIENT_LEAVES("the client has gone"), CLIENT_DISCONNECTS("the client has gone"),
    UPSTREAM_BREAKS("the answer of the upstream broke off"),
    UPSTREAM_DISCONNECTS("the answer of the upstream broke off"),
    IDLE("the upstream has sent nothing for longer than `timeout.idle`"), LOCKED("ended: access is locked"),
    EXPIRED("ended: the credential has expired"), MAX_AGE("ended: the maximum age is reached"),
    REFUSED("ended: the rules no longer allow it"), STOPPED("ended: the service stops");

    private final String error;

    End(String error) {
      this.error = error;
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void everyEndIsRecordedOnceAndEndsBothSides(End how) throws Exception {
    start(false, how == End.IDLE ? "4s" : "2m",
        how == End.MAX_AGE ? Optional.of(Duration.ofSeconds(6)) : Optional.empty());
    site.sessionSeconds = how == End.EXPIRED ? 6 : 600;
    Response asked = site.ask(how == End.EXPIRED ? "/expiring?id=1" : how == End.REFUSED ? "/revalidated?id=1" : "/x",
        MESSAGE);
    Held held = site.held();
    Pieces pieces = new Pieces(held);
    pieces.say("one");
    HttpResponse<InputStream> response = asked.get();
    read(response, "one");
    if (how != End.IDLE && how != End.EXPIRED && how != End.MAX_AGE && how != End.REFUSED) {
      awaitPaused(1);
    }
    switch (how) {
      case CLIENT_LEAVES -> response.body().close();
      case CLIENT_DISCONNECTS -> site.caller.close();
      case UPSTREAM_DISCONNECTS -> site.upstream.stop(0);
      case UPSTREAM_BREAKS -> pieces.breakOff();
      case LOCKED -> site.locks.add(new Lock(Lock.Target.SUBJECT, "anonymous", "", Optional.empty(), "test", "command",
          Instant.now(), Optional.empty()));
      case REFUSED -> site.sessionSeconds = 0;
      case STOPPED -> site.listener.stop(Duration.ofMillis(100));
      case IDLE, EXPIRED, MAX_AGE -> {
      }
    }
    assertThrows(IOException.class, () -> response.body().read());
    assertTrue(held.left().await(60, TimeUnit.SECONDS), "the response of the upstream ends, too");
    pieces.end();
    String line = site.line();
    assertTrue(line.contains("\"_error\":\"" + how.error + "\""), line);
    assertEquals(1, site.decided().size());
  }

  @Test
  void aStopWaitsForIt() throws Exception {
    start(false, "2m", Optional.empty());
    Response asked = site.ask("/x", MESSAGE);
    Pieces pieces = new Pieces(site.held());
    pieces.say("one");
    read(asked.get(), "one");
    awaitPaused(1);
    Thread stopping = Thread.ofVirtual().start(() -> site.listener.stop(Duration.ofMinutes(1)));
    Await.until(() -> !stopping.isAlive() || site.isShut());
    pieces.say("two");
    read(asked.get(), "two");
    pieces.end();
    assertEquals(-1, asked.get().body().read());
    stopping.join();
    assertFalse(site.line().contains("_error"), site.finished().toString());
  }

  @Test
  void manyAreQuietAndGoOn() throws Exception {
    int count = sides() == WaitingSite.Sides.BOTH ? 1000 : 200; // each has a connection of HTTP/1.1
    start(false, "2m", Optional.empty());
    List<Response> responses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      responses.add(site.ask("/" + i, MESSAGE));
    }
    Map<String, Pieces> all = new HashMap<>();
    for (int i = 0; i < count; i++) {
      Held held = site.held();
      all.put(held.exchange().getRequestURI().getPath(), new Pieces(held));
    }
    for (int i = 0; i < count; i++) {
      all.get("/" + i).say("one");
      read(responses.get(i).get(), "one");
    }
    awaitPaused(count);
    for (int i = 0; i < count; i++) {
      all.get("/" + i).say(Integer.toString(1000 + i));
      all.get("/" + i).end();
    }
    for (int i = 0; i < count; i++) {
      read(responses.get(i).get(), Integer.toString(1000 + i));
      assertEquals(-1, responses.get(i).get().body().read());
    }
    Await.until(() -> site.finished().size() == count && site.active().equals("0"));
    assertEquals(count, site.decided().size());
  }

  @Test
  void itHasItsPlaceUntilItsEnd() throws Exception {
    site = new WaitingSite(sides(), false, "2m", 1, StreamSettings.DEFAULT);
    Response asked = site.ask("/x", MESSAGE);
    Pieces pieces = new Pieces(site.held());
    pieces.say("one");
    read(asked.get(), "one");
    awaitPaused(1);
    assertEquals("503 ", site.ask("/y", "").text());
    pieces.end();
    assertEquals(-1, asked.get().body().read());
    site.line();
    Response next = site.ask("/z", MESSAGE);
    site.held().answer().complete(WaitingSite.message("next"));
    assertEquals("200 next", next.text());
  }
}
