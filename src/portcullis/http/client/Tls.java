package portcullis.http.client;

import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * The TLS settings for https: given keys, trust and parameters, or those of the machine. The latter are read with the
 * first https connection, as that takes a fifth of the time and memory of a start. Safe for all threads.
 */
record Tls(Optional<SSLContext> given, Optional<SSLParameters> chosen) {
  static final Tls OF_MACHINE = new Tls(Optional.empty(), Optional.empty());

  SSLContext context() throws SSLException {
    try {
      return given.isPresent() ? given.get() : SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new SSLException("the certificates that this machine trusts cannot be read: " + e.getMessage(), e);
    }
  }

  SSLParameters parameters() throws SSLException {
    return chosen.isPresent() ? chosen.get() : context().getDefaultSSLParameters();
  }
}
