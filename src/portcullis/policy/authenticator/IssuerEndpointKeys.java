package portcullis.policy.authenticator;

import java.util.List;
import java.util.Optional;
import portcullis.config.DecodedMembers;
import portcullis.config.Key;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointDecoder;

/** The two configuration keys of which a definition has one: an endpoint, or the metadata that name it. */
record IssuerEndpointKeys(Key<Optional<Endpoint>> endpoint, Key<Optional<MetadataEndpoint>> metadata) {
  static IssuerEndpointKeys of(String endpoint, MetadataEndpoint.Member member, String doc) {
    return new IssuerEndpointKeys(Key.optional(endpoint, EndpointDecoder.decoder(), doc),
        Key.optional("metadata_endpoint", MetadataEndpoint.decoder(member),
            "the metadata endpoint of the issuer (RFC 8414)"));
  }

  List<Key<?>> both() {
    return List.of(endpoint, metadata);
  }

  /** Returns the configured endpoint; empty exactly if a problem was added. */
  Optional<IssuerEndpoint> place(DecodedMembers parts, Key<Assertion> assertion, Problems problems) {
    return place(parts, problems)
        .filter(place -> isBounded(place.written(), parts.get(assertion), problems));
  }

  /** Returns the configured endpoint of known issuers; empty exactly if a problem was added. */
  Optional<IssuerEndpoint> place(DecodedMembers parts, Problems problems) {
    Optional<Endpoint> own = parts.get(endpoint);
    Optional<MetadataEndpoint> described = parts.get(metadata);
    String names = "`" + endpoint.name() + "` and `" + metadata.name() + "`";
    if (own.isPresent() == described.isPresent()) {
      problems.error(own.isPresent() ? parts.at(metadata) : parts.node().at(), parts.node().path(),
          own.isPresent() ? names + " exclude each other" : names + " are missing", "one of them is needed");
      return Optional.empty();
    }
    return Optional.of(described.<IssuerEndpoint>map(m -> new IssuerEndpoint.Discovered(m, new MetadataDocuments()))
        .orElseGet(() -> new IssuerEndpoint.Configured(own.get())));
  }

  private static boolean isBounded(Endpoint written, Assertion assertion, Problems problems) {
    if (!IssuerEndpoint.isFilledIn(written) || !assertion.issuers().isEmpty()) {
      return true;
    }
    LocatedText url = written.url().text();
    problems.error(url.at(0, url.text().length()), url.path(),
        "`assertions.issuers` is missing: it bounds the endpoints of a template",
        "name the trusted issuers");
    return false;
  }
}
