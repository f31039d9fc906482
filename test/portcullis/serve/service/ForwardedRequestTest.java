package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.IncomingRequest;
import portcullis.http.message.Request;
import portcullis.http.message.ResponseWriter;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.Observer;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamKind;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** What the end of a request does to its response, by how much of that has been sent. */
class ForwardedRequestTest {
  private final StubExchange exchange = new StubExchange();
  private final Transaction transaction = new Transaction(exchange, IncomingRequest.of(exchange), Instant.EPOCH);
  private final ClientPresence presence = new ClientPresence();
  private final LockTable locks = new LockTable(InstantSource.system());
  private final DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]\n",
      "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}\n");
  private final StreamRegistry streams = new StreamRegistry(setup.decider(), locks, StreamSettings.DEFAULT,
      InstantSource.system(), setup.log());
  private Decision.Allow allow;

  @BeforeEach
  void decide() throws Exception {
    ValidRequest incoming = ValidRequest.of("GET", "http://a.test/x", Fields.NONE, InetAddress.getLoopbackAddress(),
        new byte[0]);
    Request request = Forwarding.of(incoming, TrustedProxies.NONE)
        .request(ListenerSettings.plain("127.0.0.1", 0).limits().bodies(), YamlFormat::orOther);
    allow = (Decision.Allow) setup.decider().decide(request, Observer.NONE);
  }

  @AfterEach
  void stop() {
    streams.close();
  }

  private ForwardedRequest forwarded() {
    return new ForwardedRequest(transaction, allow, presence, streams, StreamKind.ANSWER);
  }

  /** Of a length that is not known, so that its head is sent before its end. */
  private ResponseWriter.End send(InputStream body) {
    return transaction.reply().stream(200, Fields.NONE, -1, body, () -> {
      throw new IllegalStateException("it has no end");
    });
  }

  /** Has one octet, and then fails. */
  private static InputStream broken() {
    return new InputStream() {
      private boolean isOver;

      @Override
      public int read() throws IOException {
        if (isOver) {
          throw new IOException("reset");
        }
        isOver = true;
        return 'x';
      }
    };
  }

  @Test
  void whatIsEndedBeforeItsResponseIsRefusedByItsOwnThread() {
    ForwardedRequest request = forwarded();
    request.end(EndReason.LOCKED);
    assertTrue(presence.hasLeft(), "it waits no longer");
    assertFalse(request.begin());
    assertEquals(0, exchange.aborts);
  }

  @Test
  void whatIsEndedBeforeItsHeadIsSentEndsBehindIt() {
    ForwardedRequest request = forwarded();
    assertTrue(request.begin());
    request.end(EndReason.LOCKED);
    assertFalse(presence.hasLeft());
    assertEquals(0, exchange.aborts);
    boolean[] left = new boolean[1];
    send(new InputStream() {
      @Override
      public int read() throws IOException {
        left[0] = presence.hasLeft() && exchange.aborts == 1;
        throw new IOException("interrupted");
      }
    });
    assertTrue(left[0], "its head has been sent");
    assertEquals(200, exchange.status);
  }

  @Test
  void whatIsEndedBehindItsHeadIsAbortedAtOnce() {
    ForwardedRequest request = forwarded();
    assertTrue(request.begin());
    send(broken());
    int before = exchange.aborts;
    assertFalse(presence.hasLeft());
    request.end(EndReason.LOCKED);
    assertTrue(presence.hasLeft());
    assertEquals(before + 1, exchange.aborts);
  }

  @Test
  void whatDoesNotEndInTimeIsAborted() {
    forwarded().kill();
    assertEquals(1, exchange.aborts);
  }

  @Test
  void anUpstreamThatBreaksOffIsItsFailure() {
    ForwardedRequest request = forwarded();
    transaction.markAllowed("ann");
    request.mark(transaction, ResponseWriter.End.SOURCE_FAILED);
    assertEquals("upstream_error " + ClientPresence.BROKE_OFF, transaction.errorKind() + " " + transaction.error());
    assertEquals(0, streams.ended(EndReason.IDLE));
  }

  @Test
  void anUpstreamThatIsSilentIsCounted() {
    ForwardedRequest request = forwarded();
    transaction.markAllowed("ann");
    InputStream silent = presence.body(new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("stalled", new SocketTimeoutException("nothing"));
      }
    });
    assertThrows(IOException.class, () -> silent.read(new byte[1], 0, 1));
    request.mark(transaction, ResponseWriter.End.SOURCE_FAILED);
    assertEquals("upstream_error " + ClientPresence.SILENT, transaction.errorKind() + " " + transaction.error());
    assertEquals(1, streams.ended(EndReason.IDLE));
  }

  @Test
  void aClientThatLeavesIsNoFailureOfTheUpstream() {
    ForwardedRequest request = forwarded();
    transaction.markAllowed("ann");
    assertEquals(Optional.empty(), request.failure());
    presence.leave();
    for (ResponseWriter.End end : new ResponseWriter.End[] {ResponseWriter.End.SOURCE_FAILED,
      ResponseWriter.End.CLIENT_LEFT}) {
      request.mark(transaction, end);
      assertEquals("ended the client has gone", transaction.errorKind() + " " + transaction.error());
    }
    assertEquals(Optional.of("the client has gone"), request.failure());
  }

  @Test
  void aClientToWhichNothingCanBeWrittenHasGone() {
    ForwardedRequest request = forwarded();
    transaction.markAllowed("ann");
    request.mark(transaction, ResponseWriter.End.CLIENT_LEFT);
    assertEquals("ended the client has gone", transaction.errorKind() + " " + transaction.error());
  }

  @Test
  void aLockIsTheReasonWhateverElseHasHappened() throws Exception {
    locks.add(new Lock(Lock.Target.SUBJECT, "anonymous", "", Optional.empty(), "test", "command", Instant.now(),
        Optional.empty()));
    ForwardedRequest request = forwarded();
    transaction.markAllowed("ann");
    presence.leave();
    assertEquals(Optional.of("ended: access is locked"), request.failure());
    request.mark(transaction, ResponseWriter.End.SOURCE_FAILED);
    assertEquals("ended ended: access is locked", transaction.errorKind() + " " + transaction.error());
    request.refuse(transaction, new ErrorResponses(ResponseSettings.DEFAULT, setup.log()), Fields.NONE);
    assertEquals(401, exchange.status);
    assertEquals("ended: access is locked", transaction.error());
  }
}
