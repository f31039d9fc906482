package portcullis.http.client;

import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * What https is spoken with: keys, trust and parameters that were given, or the machine's own. The latter are read when
 * https is first spoken, as that takes a fifth of a start's time and memory that many never need. Safe for all threads.
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
