package portcullis.cli;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts servers with one of these certificates, whatever their host and issuer. Immutable. */
final class PinnedCertificates extends X509ExtendedTrustManager {
  private final List<X509Certificate> certificates;

  PinnedCertificates(List<X509Certificate> certificates) {
    this.certificates = List.copyOf(certificates);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    if (!certificates.contains(chain[0])) {
      throw new CertificateException("the service shows " + chain[0].getSubjectX500Principal()
          + ", which is not the certificate of this configuration");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("clients are not expected");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
