package portcullis.policy.decision;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import portcullis.http.message.CookieNames;
import portcullis.http.message.NameSet;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;

/**
 * The protected header fields and cookies: those that some rule may set. Those of a client are never forwarded,
 * whatever the rule, as upstreams trust them. Fields that carry credentials of the client or belong to the message are
 * not protected: they are only replaced if a rule sets them.
 *
 * @param names of the header fields in lower case, sorted
 */
public record ProtectedHeaders(NameSet headers, CookieNames cookies, List<String> names) {
  public static final ProtectedHeaders NONE = new ProtectedHeaders(NameSet.EMPTY, CookieNames.NONE, List.of());

  /** Fields that upstreams do not trust as ours, and may need even if no rule sets them. */
  static final Set<String> CLIENTS_OWN = Set.of("authorization", "cookie", "host", "content-type", "accept",
      "user-agent", "content-length", "transfer-encoding", "connection");

  /** Returns those of all these pipelines, and the cookies of the mechanisms that are defined. */
  public static ProtectedHeaders of(Collection<Pipeline> pipelines, Catalogue catalogue) {
    Set<String> headers = new HashSet<>();
    Set<String> cookies = new HashSet<>();
    catalogue.authenticators().definitions().forEach(
        definition -> definition.mechanism().endpoints().ifPresent(endpoints -> cookies.addAll(endpoints.cookies())));
    for (Pipeline pipeline : pipelines) {
      for (Step<Mechanism.Finalizer> step : pipeline.finalizers()) {
        headers.addAll(step.mechanism().headers());
        cookies.addAll(step.mechanism().cookies());
      }
      for (Step<? extends Mechanism> step : pipeline.handlers()) {
        if (step.mechanism() instanceof Mechanism.Authorizer authorizer) {
          headers.addAll(authorizer.headers());
        }
      }
    }
    List<String> names = headers.stream().map(n -> n.toLowerCase(Locale.ROOT)).filter(n -> !CLIENTS_OWN.contains(n))
        .distinct().sorted().toList();
    return new ProtectedHeaders(NameSet.of(names), CookieNames.of(cookies), names);
  }
}
