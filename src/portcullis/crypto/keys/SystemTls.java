package portcullis.crypto.keys;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * TLS settings with the certificates that the host trusts, for all connections without a trust store of their own. The
 * certificates are read with the first connection. Thread safe.
 */
public final class SystemTls extends SSLContext {
  private SystemTls(Map<String, String> environment) {
    super(new Lazy(environment), null, "TLS");
  }

  /** Makes it the default of this process. */
  public static void install(Map<String, String> environment) {
    SSLContext.setDefault(new SystemTls(Map.copyOf(environment)));
  }

  private static final class Lazy extends SSLContextSpi {
    private final Map<String, String> environment;
    private SSLContext context;
    private SSLContext untrusting;

    Lazy(Map<String, String> environment) {
      this.environment = environment;
    }

    private synchronized SSLContext context() {
      if (context == null) {
        context = of(ClientTls.systemTrustManagers(environment));
      }
      return context;
    }

    /** Its parameters are the same, and cost no reading of certificates. */
    private synchronized SSLContext untrusting() {
      if (untrusting == null) {
        untrusting = context == null ? of(new TrustManager[0]) : context;
      }
      return untrusting;
    }

    private static SSLContext of(TrustManager[] trust) {
      return Jca.required(() -> {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust, null);
        return context;
      });
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("the system's TLS is initialized already");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return context().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return context().getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return context().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return context().createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return context().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return context().getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return untrusting().getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return untrusting().getSupportedSSLParameters();
    }
  }
}
