package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.http.grpc.Code;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.IncomingRequest;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.RequestId;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.pipeline.Observer;

/** What is done at which end of a request, and what its response has besides that of others. */
class TransactionTest {
  private final StubExchange exchange = new StubExchange();
  private final Transaction transaction = new Transaction(exchange, IncomingRequest.of(exchange), Instant.EPOCH);
  private final List<String> done = new ArrayList<>();

  private void inOrder(String... wanted) {
    assertEquals(List.of(wanted), done);
  }

  /** One of no rule, as a request without a match has. */
  private static Decision decision() throws Exception {
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]\n",
        "- {id: all, match: {routes: [{path: /a}]}, execute: [{authenticator: anon}]}\n");
    ValidRequest incoming = ValidRequest.of("GET", "http://a.test/b", Fields.NONE, InetAddress.getLoopbackAddress(),
        new byte[0]);
    Request request = Forwarding.of(incoming, TrustedProxies.NONE)
        .request(ListenerSettings.plain("127.0.0.1", 0).limits().bodies(), YamlFormat::orOther);
    return setup.decider().decide(request, Observer.NONE);
  }

  @Test
  void itsEndIsOnTheWayOutOfItsHandlerUnlessItOutlastsThat() {
    transaction.markFailed("broken");
    transaction.atEnd(error -> done.add("at once " + error));
    inOrder("at once broken");
    assertFalse(transaction.outlasts());
    Afterwards afterwards = new Afterwards();
    transaction.outlast(afterwards);
    assertTrue(transaction.outlasts());
    transaction.atEnd(error -> done.add("over " + error));
    inOrder("at once broken");
    afterwards.over("gone");
    inOrder("at once broken");
    transaction.returned();
    inOrder("at once broken", "over gone");
  }

  @Test
  void whatIsToBeDoneIsDoneOnceAnotherThreadHasGoneOn() throws IOException {
    Runnable wake = transaction.suspend(() -> {
      assertFalse(transaction.isSuspended());
      transaction.markFailed("late");
      done.add("goes on");
    });
    assertTrue(transaction.isSuspended());
    transaction.atReturn(() -> done.add("returned"));
    transaction.atEnd(error -> done.add("over " + error));
    transaction.returned();
    inOrder();
    wake.run();
    assertEquals(1, exchange.wakes);
    exchange.rest().run();
    inOrder("goes on", "returned", "over late");
    assertFalse(transaction.isSuspended());
    transaction.atReturn(() -> done.add("at once"));
    assertEquals("at once", done.getLast());
  }

  @Test
  void aHandlerThatReturnsTwiceEndsWhatOutlastsItOnce() throws IOException {
    Afterwards afterwards = new Afterwards();
    afterwards.add(error -> done.add("over " + error));
    transaction.suspend(() -> transaction.outlast(afterwards));
    transaction.returned();
    afterwards.over("soon");
    inOrder();
    exchange.rest().run();
    inOrder("over soon");
  }

  @Test
  void whatGoesOnAndFailsEndsToo() {
    transaction.suspend(() -> {
      throw new IOException("the client has gone");
    });
    transaction.atReturn(() -> {
      throw new IllegalStateException("a bug");
    });
    transaction.atReturn(() -> done.add("returned"));
    IOException error = assertThrows(IOException.class, exchange.rest()::run);
    assertEquals("the client has gone", error.getMessage());
    inOrder("returned");
  }

  @Test
  void whatGoesOnHasTheIdOfItsRequest() throws Exception {
    try (RequestId _ = RequestId.assign("it")) {
      transaction.suspend(() -> done.add(RequestId.text().orElse("none")));
    }
    assertEquals(Optional.empty(), RequestId.text());
    exchange.rest().run();
    inOrder("it");
  }

  @Test
  void aDecisionIsForgottenWhileNoThreadWaitsUnlessItIsNeededAfterwards() throws Exception {
    for (boolean kept : List.of(false, true)) {
      StubExchange other = new StubExchange();
      Transaction waiting = new Transaction(other, IncomingRequest.of(other), Instant.EPOCH);
      waiting.decided(decision());
      waiting.forwarded(Fields.of("X-Sent", "1"));
      if (kept) {
        waiting.keepDecision();
      }
      waiting.suspend(() -> {});
      assertTrue(waiting.decision().isPresent());
      waiting.returned();
      assertEquals(kept, waiting.decision().isPresent());
      assertEquals(kept ? Fields.of("X-Sent", "1") : Fields.NONE, waiting.forwarded());
    }
  }

  @Test
  void nothingIsForgottenOfARequestThatHasItsResponse() throws Exception {
    transaction.decided(decision());
    transaction.forwarded(Fields.of("X-Sent", "1"));
    transaction.returned();
    assertTrue(transaction.decision().isPresent());
    assertEquals(Fields.of("X-Sent", "1"), transaction.forwarded());
  }

  @Test
  void whatIsCountedIsReleasedAtOnceUnlessItsDecisionIsKept() throws IOException {
    transaction.suspend(() -> {});
    transaction.atRelease(() -> done.add("released"));
    inOrder("released");
    transaction.keepDecision();
    transaction.atRelease(() -> done.add("kept"));
    inOrder("released");
    exchange.rest().run();
    inOrder("released", "kept");
  }

  @Test
  void anAnswerHasTheIdUnlessARuleHasSetOne() throws IOException {
    transaction.identify(new Field("X-Request-Id", "ours"));
    transaction.answer(Response.of(204).with("x-request-id", "theirs"));
    assertEquals(List.of("theirs"), exchange.answered.all("X-Request-Id"));
    StubExchange other = new StubExchange();
    Transaction second = new Transaction(other, IncomingRequest.of(other), Instant.EPOCH);
    second.identify(new Field("X-Request-Id", "ours"));
    second.answer(Response.of(403, "text/plain", "no").with("X_Request_Id", "theirs"));
    assertEquals(List.of("ours"), other.answered.all("X-Request-Id"));
    assertFalse(other.answered.has("X_Request_Id"));
    assertEquals("403 no", other.status + " " + other.sent.toString(UTF_8));
  }

  @Test
  void headersOfOursReplaceThoseOfTheirs() throws IOException {
    Fields theirs = Fields.of("Access-Control-Allow-Origin", "*", "ACCESS-CONTROL-MAX-AGE", "1", "X-Why", "theirs",
        "X-Own", "1");
    assertSame(theirs, transaction.withOwnHeaders(theirs));
    transaction.setCorsHeaders(List.of(new Field("Access-Control-Allow-Origin", "https://a.test")));
    transaction.explainedBy(new Field("X-Why", "4711"));
    Fields wanted = Fields.of("X-Own", "1", "X-Why", "4711", "Access-Control-Allow-Origin", "https://a.test");
    assertEquals(wanted, transaction.withOwnHeaders(theirs));
    transaction.answer(new Response(200, theirs, new byte[0]));
    assertEquals(wanted, exchange.answered);
  }

  @Test
  void errorsHaveTheirKinds() {
    assertEquals("precondition_error", transaction.errorKind());
    transaction.markDenied("no");
    assertEquals("precondition_error false no false",
        String.join(" ", transaction.errorKind(), transaction.allowed().orElseThrow().toString(), transaction.error(),
            Boolean.toString(transaction.refused())));
    transaction.markRefused("never");
    assertEquals("false never true", String.join(" ", transaction.allowed().orElseThrow().toString(),
        transaction.error(), Boolean.toString(transaction.refused())));
    transaction.markAllowed("ann");
    assertEquals("upstream_error ann", transaction.errorKind() + " " + transaction.subject());
    transaction.markFailed("broken");
    assertEquals("upstream_error broken", transaction.errorKind() + " " + transaction.error());
    transaction.markEnded("stopped");
    assertEquals("ended stopped", transaction.errorKind() + " " + transaction.error());
  }

  @Test
  void theStatusOfACallAndTheCodeOfItsCheckAreTwoThings() {
    assertEquals("Optional.empty Optional.empty", transaction.code() + " " + transaction.callStatus());
    transaction.setCode(Code.PERMISSION_DENIED);
    assertEquals(Optional.empty(), transaction.callStatus());
    transaction.setCallStatus(Code.OK);
    assertEquals(List.of(Code.PERMISSION_DENIED, Code.OK),
        List.of(transaction.code().orElseThrow(), transaction.callStatus().orElseThrow()));
  }

  @Test
  void itIsThatOfItsExchange() {
    assertEquals("http 127.0.0.1 0", transaction.scheme() + " " + transaction.client() + " " + transaction.reply()
        .status());
    assertSame(exchange, transaction.exchange());
    assertSame(Observer.NONE, transaction.observer());
  }
}
