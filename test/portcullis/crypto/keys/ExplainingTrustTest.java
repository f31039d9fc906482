package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;

class ExplainingTrustTest {
  private final List<String> receivedCalls = new ArrayList<>();

  private final class Recorder extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
      receivedCalls.add("client socket " + type + (socket != null));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      receivedCalls.add("server socket " + type + (socket != null));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      receivedCalls.add("client engine " + type + (engine != null));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      receivedCalls.add("server engine " + type + (engine != null));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      receivedCalls.add("client " + type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      receivedCalls.add("server " + type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[2];
    }
  }

  /** Without the socket or the engine the name of the host would not be checked. */
  @Test
  void everyCheckIsHandedOnWithAllThatItHas() throws Exception {
    ExplainingTrust trust = new ExplainingTrust(new Recorder(), "here");
    X509Certificate[] chain = new X509Certificate[0];
    try (Socket socket = new Socket()) {
      check(trust, chain, socket, SSLContext.getDefault().createSSLEngine());
    }
    assertEquals(List.of("client RSA", "client socket RSAtrue", "client engine RSAtrue", "server RSA",
        "server socket RSAtrue", "server engine RSAtrue"), receivedCalls);
    assertArrayEquals(new X509Certificate[2], trust.getAcceptedIssuers());
  }

  private static void check(ExplainingTrust trust, X509Certificate[] chain, Socket socket, SSLEngine engine)
      throws CertificateException {
    trust.checkClientTrusted(chain, "RSA");
    trust.checkClientTrusted(chain, "RSA", socket);
    trust.checkClientTrusted(chain, "RSA", engine);
    trust.checkServerTrusted(chain, "RSA");
    trust.checkServerTrusted(chain, "RSA", socket);
    trust.checkServerTrusted(chain, "RSA", engine);
  }
}
