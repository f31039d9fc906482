package portcullis.policy.authenticator;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.ServerLimits;
import portcullis.http.server.WireServer;

/** An issuer on a free port: responds by path, and records the requests. */
final class StubIssuer implements AutoCloseable {
  /** A request, as {@code GET /jwks}. */
  record ReceivedRequest(String line, Headers headers, String body) {
    String header(String name) {
      return String.join(",", headers.getOrDefault(name, List.of()));
    }
  }

  private final Map<String, HttpHandler> answers = new ConcurrentHashMap<>();
  private final List<ReceivedRequest> questions = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  StubIssuer() {
    try {
      server = new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Headers headers = new Headers();
      headers.putAll(exchange.getRequestHeaders());
      questions.add(new ReceivedRequest(exchange.getRequestMethod() + " " + exchange.getRequestURI(), headers, body));
      answers.getOrDefault(exchange.getRequestURI().getPath(), saying(404, "")).handle(exchange);
    }
  }

  /** Sets the response for a path. */
  void answer(String path, HttpHandler answer) {
    answers.put(path, answer);
  }

  void answer(String path, String body) {
    answer(path, saying(200, body));
  }

  static HttpHandler saying(int status, String body) {
    return exchange -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  /** Responds with an endless body. */
  static HttpHandler flooding() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      byte[] blanks = " ".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
      try (OutputStream out = exchange.getResponseBody()) {
        for (int i = 0; i < 1 << 14; i++) {
          out.write(blanks);
        }
      }
    };
  }

  String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + path;
  }

  List<ReceivedRequest> questions() {
    return questions;
  }

  /** Returns the lines of all requests, and forgets them. */
  String receivedCalls() {
    String lines = String.join("; ", questions.stream().map(ReceivedRequest::line).toList());
    questions.clear();
    return lines;
  }

  /** Stops listening. */
  @Override
  public void close() {
    ((WireServer) server).stop(Duration.ZERO);
  }
}
