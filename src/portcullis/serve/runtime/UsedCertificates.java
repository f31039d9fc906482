package portcullis.serve.runtime;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.crypto.keys.ServerTls;
import portcullis.observe.metrics.CertificateExpiry.Used;

/** The certificates of the program's own keys: of listeners, of what signs, and of clients of remote services. */
record UsedCertificates(Program program) {
  /** Returns them without the certificates of their issuers. */
  List<Used> leaves() {
    return chains().stream().map(chain -> new Used(chain.service, chain.certificates.getFirst())).toList();
  }

  /** Returns them with those of their issuers, except trust anchors, whose expiry clients do not check. */
  List<Used> all() {
    List<Used> out = new ArrayList<>();
    for (Chain chain : chains()) {
      for (X509Certificate one : chain.certificates) {
        boolean isAnchor = one.getSubjectX500Principal().equals(one.getIssuerX500Principal());
        if (one.equals(chain.certificates.getFirst()) || !isAnchor) {
          out.add(new Used(chain.service, one));
        }
      }
    }
    return out;
  }

  private record Chain(String service, List<X509Certificate> certificates) {}

  private List<Chain> chains() {
    List<Chain> out = new ArrayList<>();
    listener("main", program.tls().main(), out);
    listener("management", program.tls().management(), out);
    program.reloader().snapshot().catalogue().finalizers().definitions()
        .forEach(definition -> definition.mechanism().keys().forEach(key -> add(definition.id(), key.chain(), out)));
    program.context().keys().shown().forEach(key -> add("client", key.chain(), out));
    program.cacheKeys().forEach(key -> add("cache", key.chain(), out));
    return out;
  }

  private static void listener(String name, Optional<ServerTls> tls, List<Chain> out) {
    tls.ifPresent(t -> t.keys().forEach(key -> add(name, key.chain(), out)));
  }

  private static void add(String service, List<X509Certificate> chain, List<Chain> out) {
    if (!chain.isEmpty()) {
      out.add(new Chain(service, chain));
    }
  }
}
