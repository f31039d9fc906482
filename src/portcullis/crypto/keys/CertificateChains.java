package portcullis.crypto.keys;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Reads chains of certificates from untrusted sources. */
public final class CertificateChains {
  /** Longer chains are refused. */
  public static final int LONGEST = 10;

  private CertificateChains() {}

  /** Reads PEM that has certificates only, at least one. */
  public static List<X509Certificate> ofPem(String pem) throws KeyMaterialException {
    return bounded(TrustStore.parse(pem).certificates());
  }

  /** Reads certificates in DER. */
  public static List<X509Certificate> ofDer(List<byte[]> chain) throws KeyMaterialException {
    List<X509Certificate> out = new ArrayList<>();
    for (byte[] der : bounded(chain)) {
      out.add(Certificates.read(der));
    }
    return out;
  }

  /** Returns the chain. @throws KeyMaterialException if it is too long */
  public static <T> List<T> bounded(List<T> chain) throws KeyMaterialException {
    if (chain.size() > LONGEST) {
      throw new KeyMaterialException("the chain has more than " + LONGEST + " certificates");
    }
    return chain;
  }
}
