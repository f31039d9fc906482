package portcullis.serve.runtime;

import java.util.List;
import java.util.Optional;
import portcullis.config.Node;
import portcullis.lang.source.Problems;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.TlsSettings;

/** Finds authenticators that need a certificate of the client, which no request to the main service can have. */
public final class CertificateChecks {
  private static final String SOURCE = "certificate_source";

  private CertificateChecks() {}

  /**
   * Adds a warning for each of them.
   *
   * @param envoy whether Envoy may report certificates, for which it has to be a trusted proxy
   */
  public static void check(Settings settings, boolean envoy, Problems problems) {
    ListenerSettings main = settings.main();
    boolean trusting = !main.get(ListenerSettings.PROXIES).networks().isEmpty();
    boolean requested = main.tls().flatMap(TlsSettings::clientAuth).isPresent() || envoy && trusting;
    List<Node> authenticators = settings.mechanisms().flatMap(all -> at(all, "authenticators"))
        .map(found -> found instanceof Node.Sequence list ? list.items() : List.<Node>of()).orElse(List.of());
    for (Node authenticator : authenticators) {
      Optional<Node> type = at(authenticator, "type");
      if (is(type, "client_certificate")) {
        report(type, at(authenticator, "config", SOURCE), requested, trusting, problems);
      }
      at(authenticator, "config", "assertions", "proof_of_possession").ifPresent(proof -> {
        if (is(at(proof, "type"), "mtls")) {
          report(at(proof, "type"), at(proof, "config", SOURCE), requested, trusting, problems);
        }
      });
    }
  }

  private static void report(Optional<Node> type, Optional<Node> source, boolean requested, boolean trusting,
      Problems problems) {
    Node place = source.or(() -> type).orElseThrow();
    boolean isTls = source.isEmpty() || is(source, "tls");
    if (isTls && !requested) {
      problems.warning(place.at(), place.path(), "no client can present a certificate, as none is requested",
          "set `serve.tls.client_auth`, or name the header field of a trusted proxy as `" + SOURCE + "`");
    } else if (!isTls && !trusting) {
      problems.warning(place.at(), place.path(), "only trusted proxies forward certificates, and there are none",
          "name them in `serve.trusted_proxies`");
    }
  }

  private static Optional<Node> at(Node node, String... names) {
    Optional<Node> found = Optional.of(node);
    for (String name : names) {
      found = found.flatMap(n -> n instanceof Node.Mapping mapping ? mapping.get(name) : Optional.empty());
    }
    return found;
  }

  private static boolean is(Optional<Node> node, String text) {
    return node.filter(found -> found instanceof Node.Scalar scalar && scalar.text().equals(text)).isPresent();
  }
}
