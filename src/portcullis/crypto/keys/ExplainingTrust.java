package portcullis.crypto.keys;

import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts what another trust manager trusts; its errors name the certificate, and an issuer that is unknown. Immutable.
 */
final class ExplainingTrust extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager trust;
  private final String where;

  /** @param where the trusted certificates are, and how others can be named */
  ExplainingTrust(X509ExtendedTrustManager trust, String where) {
    this.trust = trust;
    this.where = where;
  }

  private CertificateException explained(X509Certificate[] chain, CertificateException error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathBuilderException) {
        X509Certificate last = chain[chain.length - 1];
        boolean alone = last.getIssuerX500Principal().equals(last.getSubjectX500Principal());
        return new CertificateException("unknown issuer: " + Certificates.name(chain[0])
            + (alone && chain.length == 1 ? " is self-signed" : " is issued by `" + last.getIssuerX500Principal() + "`")
            + ", which is not among " + where, error);
      }
      if (cause instanceof CertPathValidatorException invalid) {
        X509Certificate bad = chain[Math.clamp(invalid.getIndex(), 0, chain.length - 1)];
        return new CertificateException(Certificates.name(bad) + reason(bad, invalid), error);
      }
    }
    return error;
  }

  private static String reason(X509Certificate certificate, CertPathValidatorException invalid) {
    return switch (invalid.getReason()) {
      case BasicReason.EXPIRED -> " expired at " + certificate.getNotAfter().toInstant();
      case BasicReason.NOT_YET_VALID -> " is not valid before " + certificate.getNotBefore().toInstant();
      default -> " is not valid: " + invalid.getMessage();
    };
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    try {
      trust.checkServerTrusted(chain, type);
    } catch (CertificateException e) {
      throw explained(chain, e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
    try {
      trust.checkServerTrusted(chain, type, socket);
    } catch (CertificateException e) {
      throw explained(chain, e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
    try {
      trust.checkServerTrusted(chain, type, engine);
    } catch (CertificateException e) {
      throw explained(chain, e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trust.checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
    trust.checkClientTrusted(chain, type, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
    trust.checkClientTrusted(chain, type, engine);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust.getAcceptedIssuers();
  }
}
