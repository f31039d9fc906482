package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;

/** What handlers written against the API may expect. */
class ExchangeTest {
  private static RawClient.Answer ask(TestServer server, String target, String... fields) throws IOException {
    try (RawClient client = RawClient.of(server)) {
      return client.say("GET " + target + " HTTP/1.1\r\nHost: h\r\n" + String.join("\r\n", fields)
          + (fields.length == 0 ? "" : "\r\n") + "\r\n").answer();
    }
  }

  private static TestServer answering(HttpHandler handler) throws IOException {
    return new TestServer(exchange -> {
      handler.handle(exchange);
      TestServer.answer(exchange, 200, "");
    });
  }

  @Test
  void servesTheJdksOwnClient() throws Exception {
    try (TestServer server = new TestServer(); HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://localhost:" + server.address().getPort() + "/p?q");
      for (HttpRequest.BodyPublisher body : List.of(HttpRequest.BodyPublishers.ofString("hello"),
          HttpRequest.BodyPublishers.noBody(),
          HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofString("chunks")))) {
        HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).POST(body).build(),
            HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode());
        assertEquals(body.contentLength() == 0 ? "" : body.contentLength() > 0 ? "hello" : "chunks", answer.body());
      }
    }
  }

  @Test
  void exposesTheRequest() throws Exception {
    try (TestServer server = answering(exchange -> {
      WireExchange wire = (WireExchange) exchange;
      assertEquals("/a%2Fb/%2e%2e/c?x=%zz|", wire.target());
      assertEquals(Fields.of("Host", "h", "x-A", "1", "X-a", "2"), wire.fields());
      assertEquals(List.of("1", "2"), exchange.getRequestHeaders().get("X-A"));
      assertThrows(UnsupportedOperationException.class, () -> exchange.getRequestHeaders().add("A", "b"));
      assertEquals("/a%2Fb/%2e%2e/c?x=%25zz%7c", exchange.getRequestURI().toString());
      assertEquals("GET", exchange.getRequestMethod());
      assertEquals("HTTP/1.1", exchange.getProtocol());
      assertEquals("/", exchange.getHttpContext().getPath());
      assertTrue(exchange.getRemoteAddress().getAddress().isLoopbackAddress());
      assertTrue(exchange.getLocalAddress().getPort() != exchange.getRemoteAddress().getPort());
      assertNull(exchange.getPrincipal());
      assertEquals(-1, exchange.getResponseCode());
      assertEquals(-1, exchange.getRequestBody().read());
      assertFalse(exchange instanceof HttpsExchange);
    })) {
      assertEquals(200, ask(server, "/a%2Fb/%2e%2e/c?x=%zz|", "x-A: 1", "X-a: 2").status(),
          server.reports().toString());
    }
  }

  @ParameterizedTest
  @CsvSource({"/a?b=c, /a?b=c", "//evil/admin, /.//evil/admin", "///a, /.///a", "*, *", "http://h/p, http://h/p",
    "/a[b]|\\^`{}, /a%5bb%5d%7c%5c%5e%60%7b%7d", "/%, /%25"})
  void makesAUriOfEveryTargetWithoutMovingItsPath(String target, String uri) {
    assertEquals(uri, RequestUri.of(target).toString());
    assertNull(target.startsWith("/") ? RequestUri.of(target).getHost() : null);
  }

  @Test
  void keepsAttributesToTheExchange() throws Exception {
    LinkedBlockingQueue<String> found = new LinkedBlockingQueue<>();
    try (TestServer server = answering(exchange -> {
      found.add(String.valueOf(exchange.getAttribute("user")));
      exchange.setAttribute("user", "alice");
      found.add(String.valueOf(exchange.getAttribute("user")));
    })) {
      ask(server, "/");
      ask(server, "/");
      assertEquals(List.of("null", "alice", "null", "alice"), List.copyOf(found));
    }
  }

  @Test
  void sendsTheFieldsThatWereSetAndADate() throws Exception {
    try (TestServer server = answering(exchange -> exchange.getResponseHeaders().put("X-A", List.of("1", "2")))) {
      RawClient.Answer answer = ask(server, "/");
      assertEquals(List.of("1", "2"), answer.fields().all("X-a"));
      assertTrue(answer.header("Date").matches("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT"),
          answer.header("Date"));
    }
  }

  @Test
  void sendsExactlyTheGivenLinesButFramingAndConnection() throws Exception {
    try (TestServer server = new TestServer(exchange -> ((WireExchange) exchange).respond(299,
        Fields.of("date", "today", "X-b", "1", "Content-Length", "77", "x-B", "2", "Transfer-Encoding", "gzip",
            "Keep-Alive", "x"),
        0))) {
      assertEquals(Fields.of("date", "today", "X-b", "1", "x-B", "2", "Content-Length", "0"),
          ask(server, "/").fields());
    }
  }

  @Test
  void closesWhereTheHandlerSaysSo() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      exchange.getResponseHeaders().set("Connection", "close");
      TestServer.answer(exchange, 200, "");
    }); RawClient client = RawClient.of(server)) {
      client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n");
      assertEquals(1, client.answers().size());
    }
  }

  @Test
  void answersOnceOnly() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      exchange.sendResponseHeaders(204, -1);
      assertThrows(IOException.class, () -> exchange.sendResponseHeaders(200, -1));
      assertEquals(204, exchange.getResponseCode());
    })) {
      assertEquals(204, ask(server, "/").status());
    }
  }

  @Test
  void fieldsThatCannotBeSentLeaveNothingBehind() throws Exception {
    try (TestServer server = new TestServer(exchange -> {
      WireExchange wire = (WireExchange) exchange;
      assertThrows(IllegalArgumentException.class, () -> wire.respond(200, Fields.of("A", "b\r\nEvil: 1"), 0));
      assertThrows(IllegalArgumentException.class, () -> wire.respond(200, Fields.of("A b", "c"), 0));
      assertThrows(IllegalArgumentException.class, () -> wire.inform(103, Fields.of("A", "\0")));
      wire.respond(200, Fields.of("B", "c"), 0);
    })) {
      RawClient.Answer answer = ask(server, "/");
      assertEquals(200, answer.status());
      assertFalse(answer.fields().has("A") || answer.fields().has("Evil"));
    }
  }

  @Test
  void filtersMayWrapTheBodyBeforeAndAfterTheHeaders() throws Exception {
    try (TestServer server = new TestServer(exchange -> TestServer.answer(exchange, 200, "hello"))) {
      HttpContext context = server.server().createContext("/filtered", exchange -> {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write("hello".getBytes());
        exchange.close();
      });
      context.getFilters().add(Filter.beforeHandler("upper case", exchange -> exchange
          .setStreams(exchange.getRequestBody(), new FilterOutputStream(exchange.getResponseBody()) {
            @Override
            public void write(int octet) throws IOException {
              super.write(Character.toUpperCase(octet));
            }
          })));
      assertEquals("HELLO", ask(server, "/filtered/x").body());
      assertEquals("hello", ask(server, "/filter").body());
    }
  }

  @Test
  void authenticatorsDecideBeforeHandlers() throws Exception {
    try (TestServer server = new TestServer()) {
      server.server()
          .createContext("/known", exchange -> TestServer.answer(exchange, 200, exchange.getPrincipal().getUsername()))
          .setAuthenticator(new BasicAuthenticator("test") {
            @Override
            public boolean checkCredentials(String user, String password) {
              return user.equals("alice") && password.equals("secret");
            }
          });
      assertEquals(401, ask(server, "/known").status());
      assertEquals("Basic realm=\"test\", charset=\"UTF-8\"", ask(server, "/known").header("WWW-Authenticate"));
      assertEquals("alice", ask(server, "/known", "Authorization: Basic YWxpY2U6c2VjcmV0").body());
    }
  }

  @Test
  void answers404WithoutAContext() throws Exception {
    try (TestServer server = new TestServer()) {
      server.server().removeContext("/");
      server.server().createContext("/a", exchange -> TestServer.answer(exchange, 200, "a"));
      server.server().createContext("/a/b", exchange -> TestServer.answer(exchange, 200, "b"));
      assertEquals(404, ask(server, "/").status());
      assertEquals("a", ask(server, "/a/x").body());
      assertEquals("b", ask(server, "/a/b/x").body());
      assertEquals("b", ask(server, "http://h/a/b").body());
      assertThrows(IllegalArgumentException.class, () -> server.server().createContext("/a"));
      assertThrows(IllegalArgumentException.class, () -> server.server().removeContext("/c"));
    }
  }

  @Test
  void anExecutorRunsTheHandlers() throws Exception {
    LinkedBlockingQueue<String> names = new LinkedBlockingQueue<>();
    ExecutorService one = Executors.newSingleThreadExecutor(run -> new Thread(run, "handlers"));
    try (WireServerHolder holder = new WireServerHolder(exchange -> {
      names.add(Thread.currentThread().getName());
      TestServer.echo(exchange);
    }, one)) {
      try (RawClient client = new RawClient(holder.server.getAddress())) {
        assertEquals("x", client.say("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx").answer().body());
        assertEquals(200, client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n").answer().status());
      }
      assertEquals("handlers", names.poll(10, TimeUnit.SECONDS));
    } finally {
      one.shutdown();
    }
  }

  private record WireServerHolder(WireServer server) implements AutoCloseable {
    WireServerHolder(HttpHandler handler, ExecutorService executor) throws IOException {
      this(new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED));
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
      server.setExecutor(executor);
      assertEquals(executor, server.getExecutor());
      server.createContext("/", handler);
      server.start();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "body"})
  void answersAreSentBeforeTheHandlerReturns(String body) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (TestServer server = new TestServer(exchange -> {
      TestServer.answer(exchange, 200, body);
      await(goOn);
    }); RawClient client = RawClient.of(server)) {
      client.say("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n");
      assertEquals(body, client.answer().body());
      goOn.countDown();
      assertEquals(body, client.answer().body());
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void plainServerRejectsTlsConfigurator() throws Exception {
    HttpsConfigurator configurator = new HttpsConfigurator(SSLContext.getDefault());
    assertThrows(IllegalStateException.class,
        () -> new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED).setHttpsConfigurator(configurator));
  }
}
