package portcullis.http.server;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Provides this program's server, with default limits, behind the JDK's API. */
public final class WireServerProvider extends HttpServerProvider {
  @Override
  public HttpServer createHttpServer(InetSocketAddress address, int backlog) throws IOException {
    return bound(new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED), Optional.ofNullable(address),
        backlog);
  }

  @Override
  public HttpsServer createHttpsServer(InetSocketAddress address, int backlog) throws IOException {
    return bound(WireServer.secure(ServerLimits.DEFAULT, RejectionListener.IGNORED), Optional.ofNullable(address),
        backlog);
  }

  private static <S extends HttpServer> S bound(S server, Optional<InetSocketAddress> address, int backlog)
      throws IOException {
    if (address.isPresent()) {
      server.bind(address.get(), backlog);
    }
    return server;
  }
}
