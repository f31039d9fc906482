package portcullis.serve.service;

import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import portcullis.crypto.keys.ServerTls;
import portcullis.fixture.RawUpstream;

/** The same with TLS on both sides. */
class PausedTlsResponseTest extends PausedResponseTest {
  @Override
  RawUpstream upstream(RawUpstream.Script script) {
    return TlsSides.upstream(script);
  }

  @Override
  Optional<ServerTls> tls() throws Exception {
    return Optional.of(TlsSides.listener());
  }

  @Override
  Socket connection(int port) throws IOException {
    return TlsSides.connection(port);
  }

  @Override
  SSLContext trusting() {
    return TlsSides.trusting();
  }

  @Override
  String scheme() {
    return "https";
  }
}
