package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.service.OneRequest.body;
import static portcullis.serve.service.OneRequest.field;
import static portcullis.serve.service.OneRequest.status;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import jdk.jfr.FlightRecorder;
import jdk.jfr.RecordingState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.fixture.ProtoReader;
import portcullis.http.server.Descriptors;
import portcullis.observe.profiling.Kind;
import portcullis.observe.profiling.Profiler;

/** What Go's tools get at the paths that they know. */
class ProfilingEndpointTest {
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static Listener listener;

  @BeforeAll
  static void start() throws Exception {
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: a, type: anonymous}]", """
        - {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}
        """);
    listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .profiling("127.0.0.1", 0, List.of("portcullis", "serve", "decision"), List.of());
  }

  @AfterAll
  static void stop() {
    listener.stop(Duration.ofSeconds(5));
  }

  private static String get(String target) throws IOException {
    return OneRequest.receivedCalls(listener.port(), "GET", target);
  }

  private static String post(String target, String body) throws IOException {
    return OneRequest.answer(listener.port(),
        OneRequest.text("POST", target, "Content-Length: " + body.length()) + "\r\n" + body);
  }

  @Test
  void indexLeadsToEveryProfile() throws IOException {
    String answer = get("/debug/pprof/");
    assertEquals("200 text/html; charset=utf-8", status(answer) + " " + field(answer, "Content-Type"));
    for (Kind kind : Kind.values()) {
      String link = kind.text() + (kind == Kind.PROFILE ? "" : "?debug=1");
      String entry = "<dt><a href=\"" + link + "\">" + kind.text() + "</a>\n<dd>" + kind.meaning() + "\n";
      assertTrue(body(answer).contains(entry), () -> entry + " is not in " + answer);
    }
    assertTrue(body(answer).startsWith("<!DOCTYPE html>\n<html lang=\"en\">"), answer);
    assertTrue(body(answer).contains("<a href=\"cmdline\">") && body(answer).contains("<a href=\"trace?seconds=5\">"),
        answer);
  }

  @ParameterizedTest
  @CsvSource({"GET, /debug/pprof, 301", "GET, /debug, 404", "GET, /, 404", "GET, /debug/pprofs, 404",
    "GET, /debug/pprof/none, 404", "HEAD, /debug/pprof/cmdline, 200", "OPTIONS, *, 404",
    "POST, /debug/pprof/cmdline, 405", "PUT, /debug/pprof/symbol, 405", "POST, /debug/pprof/symbol, 200"})
  void everyPathHasItsStatus(String method, String target, int status) throws IOException {
    String answer = OneRequest.receivedCalls(listener.port(), method, target);
    assertEquals(status, status(answer));
    assertEquals("nosniff", field(answer, "X-Content-Type-Options"));
    assertEquals(status == 405 ? "GET, HEAD" : "", field(answer, "Allow"));
    assertEquals(status == 301 ? "/debug/pprof/" : "", field(answer, "Location"));
  }

  @Test
  void whatIsRefusedSaysWhy() throws IOException {
    assertEquals("404 page not found\n", body(get("/debug")));
    assertEquals("Unknown profile\n", body(get("/debug/pprof/none")));
    assertEquals("only GET is served\n", body(OneRequest.receivedCalls(listener.port(), "PUT", "/debug/pprof/heap")));
    String denied = OneRequest.receivedCalls(listener.port(), "GET", "/debug/pprof/heap", "Origin: http://evil.test");
    assertEquals(
        "403 requests of pages of other origins, or under a host name that is "
            + "not listed in management.status_hosts, are refused\n",
        status(denied) + " " + body(denied));
  }

  @Test
  void messageThatIsRefusedEndsTheConnection() throws IOException {
    String answer = OneRequest.answer(listener.port(), "GET /debug/pprof/ HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    assertEquals("400 close", status(answer) + " " + field(answer, "Connection"));
  }

  @Test
  void aRecordingThatIsInterruptedIsLoggedAsUnavailable() throws Exception {
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: a, type: anonymous}]", """
        - {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}
        """);
    try (ProfilingEndpoint endpoint = new ProfilingEndpoint(new Profiler(InstantSource.system()), List.of(), List.of(),
        setup.log())) {
      Listener interrupted = Listener.start("test", ListenerSettings.plain("127.0.0.1", 0), Optional.empty(),
          transaction -> {
            Thread.currentThread().interrupt();
            endpoint.handle(transaction);
          }, TelemetrySinks.NONE, setup.log(), InstantSource.system(), new Descriptors());
      OneRequest.receivedCalls(interrupted.port(), "GET", "/debug/pprof/trace?seconds=60");
      interrupted.stop(Duration.ofSeconds(5)); // its thread cannot write
    }
    String log = setup.shown();
    assertTrue(log.lines().anyMatch(line -> line.contains("\"TX finished\"")
        && line.contains("\"_http_status_code\":503")), log);
  }

  @Test
  void commandLineIsPartedByZeros() throws IOException {
    String answer = get("/debug/pprof/cmdline");
    assertEquals("portcullis\0serve\0decision", body(answer));
    assertEquals(PLAIN, field(answer, "Content-Type"));
  }

  @Test
  void debugMakesAProfileReadable() throws IOException {
    String text = get("/debug/pprof/goroutine?debug=1");
    assertEquals(PLAIN, field(text, "Content-Type"));
    assertTrue(body(text).startsWith("goroutine profile: total "), text);
    for (String off : List.of("", "?debug=0", "?debug=")) {
      String answer = get("/debug/pprof/goroutine" + off);
      assertEquals("application/octet-stream", field(answer, "Content-Type"));
      assertEquals("attachment; filename=\"goroutine\"", field(answer, "Content-Disposition"));
      assertEquals("goroutine", sampleType(answer));
    }
  }

  /** The name of the first value that a profile in Go's format has of each sample. */
  private static String sampleType(String answer) throws IOException {
    ProtoReader profile = ProtoReader.read(
        new GZIPInputStream(new ByteArrayInputStream(body(answer).getBytes(ISO_8859_1))).readAllBytes());
    return profile.texts(6).get((int) profile.messages(1).getFirst().number(1));
  }

  @Test
  void symbolsHaveTheNamesOfFunctions() throws IOException {
    assertEquals(200, status(get("/debug/pprof/goroutine")));
    String known = body(get("/debug/pprof/symbol?0x1000"));
    assertTrue(known.matches("num_symbols: 1\n0x1000 \\S.*\n"), known);
    String name = known.lines().toList().getLast();
    assertEquals("num_symbols: 1\n" + name + "\n" + name + "\n", body(post("/debug/pprof/symbol", "0x1000+0x1000")));
    assertEquals("num_symbols: 1\n" + name + "\n", body(post("/debug/pprof/symbol?0x2000", "nonsense 0x1000")));
    for (String unknown : List.of("", "?", "?0x", "?1000", "?0xzz", "?0x1001", "?0x10000000000000001000",
        "?0x7fffffffffffffff")) {
      assertEquals("num_symbols: 1\n", body(get("/debug/pprof/symbol" + unknown)), unknown);
    }
    assertEquals("num_symbols: 1\n0x000000000001000 " + name.substring(7) + "\n",
        body(get("/debug/pprof/symbol?0x000000000001000")));
  }

  @Test
  void symbolsAreReadUpToAMegabyte() throws IOException {
    assertEquals(200, status(get("/debug/pprof/goroutine")));
    String filling = "+".repeat((1 << 20) - 6);
    assertTrue(body(post("/debug/pprof/symbol", filling + "0x1000")).contains("\n0x1000 "));
    assertEquals("num_symbols: 1\n", body(post("/debug/pprof/symbol", filling + "+0x1000")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "301", "-1", "x", "1.5", "1000000", ""})
  void secondsOutOfRangeAreRefused(String seconds) throws IOException {
    String answer = get("/debug/pprof/profile?seconds=" + seconds);
    assertEquals("400 seconds is not a number from 1 to 300\n", status(answer) + " " + body(answer));
  }

  @Test
  void oneRecordingIsMadeAtATime() throws Exception {
    CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> {
      try {
        return get("/debug/pprof/trace?seconds=4");
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    Await.until(() -> first.isDone() || recordings(name -> !name.equals("portcullis")) != 0);
    String second = get("/debug/pprof/mutex?seconds=1");
    assertEquals("503 5 another recording is in progress; only one is made at a time\n",
        status(second) + " " + field(second, "Retry-After") + " " + body(second));
    assertEquals(503, status(get("/debug/pprof/profile?seconds=300")), "as long as it may be");
    String trace = first.get();
    assertEquals("200 application/x-jfr", status(trace) + " " + field(trace, "Content-Type"));
    assertEquals("attachment; filename=\"trace.jfr\"", field(trace, "Content-Disposition"));
    assertTrue(body(trace).startsWith("FLR\0"), "a recording of JDK Flight Recorder");
  }

  @Test
  void recordsForRequestedSeconds() throws IOException {
    long begin = System.nanoTime();
    assertEquals("samples", sampleType(get("/debug/pprof/profile?seconds=1")));
    assertTrue(System.nanoTime() - begin >= 1_000_000_000L);
    assertEquals("contentions", sampleType(get("/debug/pprof/block?seconds=1")));
    assertEquals(200, status(get("/debug/pprof/trace")), "a second unless told otherwise");
  }

  @Test
  void heapIsCollectedBeforehandOnRequest() throws Exception {
    Semaphore collected = new Semaphore(0);
    NotificationListener counting = (notification, _) -> {
      if (GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()).getGcCause()
          .equals("System.gc()")) {
        collected.release();
      }
    };
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).addNotificationListener(counting, null, null);
    }
    assertEquals(200, status(get("/debug/pprof/heap?gc=0&debug=1")));
    assertEquals(200, status(get("/debug/pprof/allocs?gc=1&debug=1")));
    assertEquals(200, status(get("/debug/pprof/heap?gc=1&debug=1")));
    assertTrue(collected.tryAcquire(60, TimeUnit.SECONDS));
    System.gc();
    assertTrue(collected.tryAcquire(60, TimeUnit.SECONDS), "what is reported comes in order");
    assertEquals(0, collected.availablePermits());
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).removeNotificationListener(counting);
    }
  }

  @Test
  void profilerEndsWithItsListener() throws Exception {
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: a, type: anonymous}]", """
        - {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}
        """);
    long before = recordings("portcullis"::equals);
    Listener other = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .profiling("127.0.0.1", 0, List.of(), List.of());

    other.stop(Duration.ZERO);
    assertEquals(before, recordings("portcullis"::equals));
  }

  @Test
  void aProfileThatCannotBeMadeIs500AndLogged() throws Exception {
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: a, type: anonymous}]", """
        - {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}
        """);
    Profiler profiler = new Profiler(InstantSource.system());
    Listener other = Listener.startUnobserved("profiling", ListenerSettings.plain("127.0.0.1", 0),
        new ProfilingEndpoint(profiler, List.of(), List.of(), setup.log()), () -> {}, setup.log(),
        InstantSource.system(), new Descriptors());
    try {
      assertEquals(200, status(OneRequest.receivedCalls(other.port(), "GET", "/debug/pprof/allocs")));
      profiler.close();
      String answer = OneRequest.receivedCalls(other.port(), "GET", "/debug/pprof/allocs");
      assertEquals(500, status(answer));
      assertEquals("failed to make the profile\n", body(answer));
    } finally {
      other.stop(Duration.ZERO);
    }
    String log = setup.shown();
    for (String part : List.of("Failed to make a profile", "_error", "has been closed", "\"_kind\":\"allocs\"")) {
      assertTrue(log.contains(part), log);
    }
  }

  private static long recordings(Predicate<String> named) {
    return FlightRecorder.getFlightRecorder().getRecordings().stream()
        .filter(recording -> recording.getState() == RecordingState.RUNNING && named.test(recording.getName())).count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gc=1", "gc=true"})
  void garbageIsCollectedBeforeAProfileOfTheHeap(String query) throws IOException {
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    assertEquals(200, status(get("/debug/pprof/heap?debug=1&" + query)));
    assertTrue(garbage.refersTo(null));
  }
}
