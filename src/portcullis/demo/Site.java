package portcullis.demo;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import portcullis.http.message.IncomingRequest;
import portcullis.http.message.RejectedRequest;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseWriter;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.ServerLimits;
import portcullis.http.server.WireServer;

/** One service of the demonstration on its port of the loopback interface, with a virtual thread for each request. */
final class Site implements AutoCloseable {
  private static final int BACKLOG = 128;
  private static final int LONGEST_BODY = 64 << 10;

  private final WireServer server;

  /** Responds to requests. Thread safe. */
  interface Pages {
    Response answer(Visit visit);
  }

  private Site(WireServer server) {
    this.server = server;
  }

  /**
   * @param role what the service is, for messages
   * @throws IOException if the port is not available, with a message for the user
   */
  static Site open(String role, int port, Pages pages) throws IOException {
    WireServer server = new WireServer(ServerLimits.DEFAULT.withMaxBodyBytes(LONGEST_BODY), RejectionListener.IGNORED);
    try {
      server.bind(new InetSocketAddress(Addresses.HOST, port), BACKLOG);
    } catch (BindException e) {
      throw new IOException("port " + port + " for " + role + " is not available: " + e.getMessage(), e);
    }
    server.createContext("/", exchange -> serve(exchange, pages));
    server.start();
    return new Site(server);
  }

  private static void serve(HttpExchange exchange, Pages pages) throws IOException {
    ResponseWriter.to(exchange).send(switch (IncomingRequest.of(exchange)) {
      case RejectedRequest refused -> Response.of(refused.status());
      case ValidRequest incoming -> pages.answer(visit(incoming));
    });
  }

  private static Visit visit(ValidRequest incoming) throws IOException {
    byte[] body = incoming.content().stream().readAllBytes();
    return switch (incoming.target()) {
      case Target.Resource(String path, String query) ->
        new Visit(incoming.method(), path, query, incoming.fields(), body);
      case Target.Server() -> new Visit(incoming.method(), "*", "", incoming.fields(), body);
    };
  }

  @Override
  public void close() {
    server.stop(Duration.ZERO);
  }
}
