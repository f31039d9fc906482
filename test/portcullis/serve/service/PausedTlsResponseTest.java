package portcullis.serve.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import portcullis.crypto.keys.CipherSuite;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.ServerTls;
import portcullis.crypto.keys.TlsVersion;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;

/** The same with TLS on both sides. */
class PausedTlsResponseTest extends PausedResponseTest {
  private static final TestCertificate ROOT = CertificateDraft.authority("root");
  private static final TestCertificate OWN = CertificateDraft.of("own").hosts("localhost").issuedBy(ROOT).make();

  @Override
  RawUpstream upstream(RawUpstream.Script script) {
    return RawUpstream.of(TestTls.showing(OWN), script);
  }

  @Override
  Optional<ServerTls> tls() throws Exception {
    return Optional.of(ServerTls.of(List.of(KeyRing.parse(OWN.keyStore(ROOT), "", Instant.now()).first()),
        TlsVersion.values()[1], CipherSuite.DEFAULTS, ServerTls.Clients.ANY));
  }

  @Override
  Socket connection(int port) throws IOException {
    return trusting().getSocketFactory().createSocket(InetAddress.getByName("localhost"), port);
  }

  @Override
  SSLContext trusting() {
    return TestTls.trusting(ROOT);
  }

  @Override
  String scheme() {
    return "https";
  }
}
