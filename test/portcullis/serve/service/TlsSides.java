package portcullis.serve.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import portcullis.crypto.keys.CipherSuite;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.ServerTls;
import portcullis.crypto.keys.TlsVersion;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;

/** The ends of the connections of a proxy that have TLS, with one certificate. */
final class TlsSides {
  private static final TestCertificate ROOT = CertificateDraft.authority("root");
  private static final TestCertificate OWN = CertificateDraft.of("own").hosts("localhost").issuedBy(ROOT).make();

  private TlsSides() {}

  static RawUpstream upstream(RawUpstream.Script script) {
    return RawUpstream.of(TestTls.showing(OWN), script);
  }

  static ServerTls listener() throws Exception {
    return ServerTls.of(List.of(KeyRing.parse(OWN.keyStore(ROOT), "", Instant.now()).first()), TlsVersion.values()[1],
        CipherSuite.DEFAULTS, ServerTls.Clients.ANY);
  }

  static Socket connection(int port) throws IOException {
    return trusting().getSocketFactory().createSocket(InetAddress.getByName("localhost"), port);
  }

  static SSLContext trusting() {
    return TestTls.trusting(ROOT);
  }
}
