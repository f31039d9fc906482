package portcullis.serve.console;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Fields;
import portcullis.http.message.ValidRequest;

/**
 * Checks that a request comes from a page of the console, or from no page of a browser: it names a listed host, so that
 * another name that resolves to this address (DNS rebinding) does not suffice, and has no other origin.
 */
record SameOrigin(List<String> hosts) {
  private static final Set<String> READING = Set.of("GET", "HEAD");

  /** Returns why a request is refused; empty if it is not. */
  Optional<String> obstacle(ValidRequest incoming) {
    Optional<String> wrongHost = wrongHost(incoming);
    if (wrongHost.isPresent()) {
      return wrongHost;
    }
    boolean isForeign = incoming.fields().all("Origin").stream().anyMatch(origin -> !isOwn(origin, incoming));
    if (isForeign) {
      return Optional.of("the request comes from a page of another origin");
    }
    if (READING.contains(incoming.method())) {
      return isEmbedded(incoming.fields()) ? Optional.of("pages of other origins cannot embed the console")
          : Optional.empty();
    }
    if (incoming.fields().all("Sec-Fetch-Site").stream().anyMatch(site -> !site.equals("same-origin"))) {
      return Optional.of("the request comes from a page of another origin");
    }
    return incoming.fields().has("Origin") ? Optional.empty()
        : Optional.of("a request that changes something names its origin by the field Origin");
  }

  /** Returns why a request is refused whatever its origin. */
  Optional<String> wrongHost(ValidRequest incoming) {
    return hosts.contains(incoming.host().lower().host()) ? Optional.empty()
        : Optional.of("this host name is not listed in management.status_hosts");
  }

  private static boolean isOwn(String origin, ValidRequest incoming) {
    return origin.equalsIgnoreCase(incoming.scheme() + "://" + incoming.host());
  }

  /** Returns whether a browser says that a page of another origin loads this, other than by following a link. */
  private static boolean isEmbedded(Fields fields) {
    Set<String> own = Set.of("same-origin", "none");
    return fields.first("Sec-Fetch-Site").filter(site -> !own.contains(site)).isPresent()
        && fields.first("Sec-Fetch-Mode").filter("navigate"::equals).isEmpty();
  }
}
