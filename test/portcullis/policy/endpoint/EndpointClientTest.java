package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.StubService;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;

class EndpointClientTest {
  private static final Optional<Duration> ANY = Optional.empty();
  private static final CallLimits HEAD = Setup.limits(Optional.of(Duration.ofMillis(300)), ANY, ANY);
  private static final CallLimits PAUSE = Setup.limits(ANY, Optional.of(Duration.ofMillis(200)), ANY);
  private static final CallLimits WHOLE = Setup.limits(ANY, ANY, Optional.of(Duration.ofMillis(600)));
  private static final String MEGABYTE = "x".repeat(1 << 20);

  private static String failure(Class<? extends CallFailure> kind, Setup setup, RawUpstream stub) {
    return assertThrows(kind, () -> setup.say("{url: '" + stub.uri("/x?key=secret") + "', method: GET}")).getMessage()
        .replace(stub.host(), "HOST");
  }

  @Test
  void anAnswerThatDoesNotBeginIsLate() {
    try (RawUpstream stub = RawUpstream.of(RawUpstream.Peer::awaitEnd); Setup setup = new Setup(HEAD)) {
      assertEquals("http://HOST: no answer in time", failure(CallFailure.TimedOut.class, setup, stub));
    }
  }

  @Test
  void anAnswerThatStallsIsLate() {
    try (RawUpstream stub = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").awaitEnd();
    }); Setup setup = new Setup(PAUSE)) {
      assertEquals("http://HOST: the answer stalled for 200 ms", failure(CallFailure.TimedOut.class, setup, stub));
    }
  }

  @Test
  void anAnswerThatTricklesIsLate() {
    try (RawUpstream stub = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      for (int i = 0; i < 100_000; i++) {
        peer.say("x");
        LockSupport.parkNanos(20_000_000);
      }
    }); Setup setup = new Setup(WHOLE)) {
      assertEquals("http://HOST: the answer was not whole within 600 ms",
          failure(CallFailure.TimedOut.class, setup, stub));
    }
  }

  @Test
  void hugeResponseCostsOneCallAndNoMemory() {
    try (RawUpstream stub = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: " + (1L << 30) + "\r\n\r\n");
      for (int i = 0; i < 1 << 10; i++) {
        peer.say(MEGABYTE);
      }
    }); Setup setup = new Setup()) {
      assertEquals("the answer is larger than 100000 bytes", failure(CallFailure.Unreachable.class, setup, stub));
      assertEquals(0, setup.caller.breakers().states().getFirst().failuresInARow());
    }
  }

  @Test
  void anAnswerAsLargeAsAllowedIsRead() throws CallFailure {
    String body = "x".repeat(100_000);
    try (RawUpstream stub = RawUpstream.answering("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + body);
        Setup setup = new Setup()) {
      assertEquals(100_000, setup.say("{url: '" + stub.uri("/") + "', method: GET}").body().length);
    }
  }

  @Test
  void redirectsAreNeverFollowed() throws CallFailure {
    try (RawUpstream elsewhere = RawUpstream.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        Setup setup = new Setup()) {
      for (int status : new int[] {301, 302, 303, 307, 308}) {
        try (RawUpstream stub = RawUpstream
            .answering("HTTP/1.1 " + status + " X\r\nLocation: " + elsewhere.uri("/login")
                + "\r\nContent-Length: 0\r\n\r\n")) {
          assertEquals(status, setup.say("{url: '" + stub.uri("/") + "', method: GET}").status());
        }
      }
      assertEquals(0, elsewhere.connections());
    }
  }

  @Test
  void reportsErrorWithoutTheUrl() {
    try (Setup setup = new Setup();
        RawUpstream mute = RawUpstream.of(RawUpstream.Peer::head);
        RawUpstream garbled = RawUpstream.of(RawUpstream.once("SSH-2.0-x\r\n\r\n"));
        RawUpstream broken = RawUpstream.of(RawUpstream.once("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"))) {
      assertEquals("http://HOST: the connection ended without an answer",
          failure(CallFailure.Unreachable.class, setup, mute));
      assertTrue(failure(CallFailure.Unreachable.class, setup, garbled).startsWith("http://HOST: "));
      assertEquals("http://HOST: the connection ended inside a body",
          failure(CallFailure.Unreachable.class, setup, broken));
    }
  }

  @Test
  void refusedConnectionIsReportedWithoutUrl() throws IOException {
    try (Socket taken = new Socket(); Setup setup = new Setup()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // nobody else can listen there
      String host = "127.0.0.1:" + taken.getLocalPort();
      String why = assertThrows(CallFailure.Unreachable.class, () -> setup.say("http://" + host + "/x?key=secret"))
          .getMessage();
      assertTrue(why.startsWith("http://" + host + ": no connection to ") && !why.contains("secret"), why);
    }
  }

  @Test
  void untrustedCertificateFailsTheCall() {
    TestCertificate server = CertificateDraft.of("gate").hosts("localhost").make();
    try (
        RawUpstream stub = RawUpstream.of(TestTls.showing(server),
            RawUpstream.always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        Setup setup = new Setup()) {
      String why = failure(CallFailure.Unreachable.class, setup, stub);
      assertTrue(why.startsWith("https://HOST: "), why);
    }
  }

  @Test
  void interruptedCallDoesNotCountAsFailure() throws Exception {
    CountDownLatch receivedCalls = new CountDownLatch(1);
    try (RawUpstream stub = RawUpstream.of(peer -> {
      peer.head();
      receivedCalls.countDown();
      peer.awaitEnd();
    }); Setup setup = new Setup()) {
      FutureTask<Boolean> call = new FutureTask<>(() -> {
        CallFailure e = assertThrows(CallFailure.Unreachable.class,
            () -> setup.say("{url: '" + stub.uri("/") + "', method: GET}"));
        assertEquals("interrupted", e.getMessage());
        return Thread.currentThread().isInterrupted();
      });
      Thread thread = Thread.ofVirtual().start(call);
      receivedCalls.await();
      thread.interrupt();
      assertTrue(call.get());
      assertEquals(0, setup.caller.breakers().states().getFirst().failuresInARow());
    }
  }

  @Test
  void aCallThatCannotBePutInBytesIsNotMade() {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      HttpCall call = new HttpCall("GET", URI.create(stub.url("/")), new byte[0], Optional.empty());
      call.add("X-A", "x\r\nX-B: y");
      assertThrows(CallFailure.InvalidRequest.class, () -> setup.caller.send(call));
      assertEquals(0, stub.receivedCalls().size());
    }
  }

  @Test
  void failingServiceIsTriedOncePerSecond() throws CallFailure {
    try (RawUpstream stub = RawUpstream.of(RawUpstream.Peer::head); Setup setup = new Setup()) {
      for (int i = 0; i < 20; i++) {
        failure(CallFailure.Unreachable.class, setup, stub);
      }
      int calls = stub.heads().size();
      assertEquals("calls to http://HOST are suspended: it has failed 20 times in a row",
          failure(CallFailure.Unreachable.class, setup, stub));
      assertEquals(calls, stub.heads().size());
      setup.later(Duration.ofSeconds(1));
      failure(CallFailure.Unreachable.class, setup, stub);
      assertTrue(failure(CallFailure.Unreachable.class, setup, stub).startsWith("calls to"));
      assertEquals(calls + 1, stub.heads().size());
      assertTrue(setup.caller.breakers().states().getFirst().openSince().isPresent());
    }
  }

  @Test
  void badResponsesNeverOpenTheBreaker() throws CallFailure {
    try (RawUpstream stub = RawUpstream.answering("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n");
        Setup setup = new Setup()) {
      for (int i = 0; i < 50; i++) {
        assertEquals(503, setup.say("{url: '" + stub.uri("/") + "', method: GET}").status());
      }
    }
  }
}
