package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import portcullis.http.message.WireExchange;
import portcullis.http.wire.RequestHead;

/** Our server on a free port, with a note of what reached its handler and what did not. */
final class TestServer implements AutoCloseable, RejectionListener {
  /** What a refusal or a failure said. */
  record Report(int status, String what) {}

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
  private final HttpServer server;

  /** One that answers with what it got. */
  TestServer() throws IOException {
    this(ServerLimits.DEFAULT, TestServer::echo);
  }

  TestServer(HttpHandler handler) throws IOException {
    this(ServerLimits.DEFAULT, handler);
  }

  TestServer(ServerLimits limits, HttpHandler handler) throws IOException {
    server = new WireServer(limits, this);
    start(handler);
  }

  /** One in TLS. */
  TestServer(ServerLimits limits, HttpsConfigurator configurator, HttpHandler handler) throws IOException {
    WireServer secure = WireServer.secure(limits, this, new Descriptors());
    secure.setHttpsConfigurator(configurator);
    server = secure;
    start(handler);
  }

  private void start(HttpHandler handler) throws IOException {
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
    server.createContext("/", exchange -> {
      seen.add(exchange.getRequestMethod() + " " + ((WireExchange) exchange).target());
      handler.handle(exchange);
    });
    server.start();
  }

  /** Answers with the body that came. */
  static void echo(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().add("X-Target", ((WireExchange) exchange).target());
      exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  static void answer(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      byte[] bytes = body.getBytes(ISO_8859_1);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  HttpServer server() {
    return server;
  }

  /** Methods and targets that reached the handler. */
  List<String> seen() {
    return seen;
  }

  BlockingQueue<Report> reports() {
    return reports;
  }

  @Override
  public void refused(InetSocketAddress peer, Optional<RequestHead> head, int status, String reason) {
    reports.add(new Report(status, reason));
  }

  @Override
  public void failed(InetSocketAddress peer, RequestHead head, Throwable error) {
    reports.add(new Report(500, error.toString()));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
