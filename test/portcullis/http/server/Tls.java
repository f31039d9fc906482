package portcullis.http.server;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import portcullis.fixture.TestCertificate;

/** TLS contexts for tests of the server. */
final class Tls {
  private Tls() {}

  /** One that shows the first certificate and trusts the others. */
  static SSLContext context(TestCertificate own, TestCertificate... trusted) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("own", own.keys().getPrivate(), new char[0], new Certificate[] {own.certificate()});
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, new char[0]);
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    for (TestCertificate one : trusted) {
      trust.setCertificateEntry(one.certificate().getSerialNumber().toString(), one.certificate());
    }
    TrustManagerFactory trusts = TrustManagerFactory.getInstance("PKIX");
    trusts.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), trusted.length == 0 ? null : trusts.getTrustManagers(), null);
    return context;
  }

  static SSLSocket connect(SSLContext context, InetSocketAddress to, List<String> protocols) throws Exception {
    Socket raw = new Socket(to.getAddress(), to.getPort());
    raw.setSoTimeout(20_000);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(raw, "localhost", to.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(protocols.toArray(String[]::new));
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }
}
