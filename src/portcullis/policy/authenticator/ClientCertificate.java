package portcullis.policy.authenticator;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.keys.ClientIdentity;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.LiveFiles;
import portcullis.crypto.keys.RevocationLists;
import portcullis.crypto.keys.TrustStore;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/**
 * Authenticates clients by X.509 certificates. The chain is verified here even if the listener has done so, as each
 * definition has trusted issuers of its own; nothing of an unverified certificate is visible to rules.
 */
public record ClientCertificate(Config config, Files files, VerifiedClients verified, MechanismContext context)
    implements Mechanism.Authenticator {
  private static final Pattern TRUST_DOMAIN = Pattern.compile("[a-z0-9._-]{1,255}");

  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(
      Mechanism.Authenticator.class,
      "client_certificate", settings(), ClientCertificate::refined, ClientCertificate::make)
      .purpose("Accepts client certificates (X.509, also SPIFFE SVIDs), of TLS or forwarded by a trusted proxy. The "
          + "listener has to request them: `tls.client_auth`.")
      .fails(ErrorKind.AUTHENTICATION, "the request has no certificate, or one that is not issued by `trust_store`, "
          + "expired, revoked, not for clients, of another trust domain or without the name for the subject");

  /** The names that a subject can have. */
  private enum Name {
    SPIFFE_ID("spiffe_id"), DISTINGUISHED_NAME("distinguished_name"), COMMON_NAME("common_name"), URI("uri"),
    DNS("dns"), EMAIL("email");

    private final String text;

    Name(String text) {
      this.text = text;
    }

    Optional<String> of(ClientIdentity client) {
      return switch (this) {
        case SPIFFE_ID -> client.spiffeId();
        case DISTINGUISHED_NAME -> Optional.of(client.distinguishedName()).filter(name -> !name.isEmpty());
        case COMMON_NAME -> client.commonName();
        case URI -> only(client.uris());
        case DNS -> only(client.dnsNames());
        case EMAIL -> only(client.emails());
      };
    }

    /** Returns the name if there is one only: which of several is meant is not known. */
    private static Optional<String> only(List<String> names) {
      return names.size() == 1 ? Optional.of(names.getFirst()) : Optional.empty();
    }
  }

  /** The settings. */
  public record Config(LocatedText trustStore, List<LocatedText> revocations, CertificateSource source,
      List<Name> names, List<String> trustDomains) {}

  /** The files, now and after each reload. */
  record Files(Supplier<TrustStore> trust, List<Supplier<RevocationLists>> revocations) {
    VerifiedClients.Evidence now() {
      return new VerifiedClients.Evidence(trust.get(), revocations.stream().map(Supplier::get).toList());
    }
  }

  private static Decoder<Config> settings() {
    Decoder<LocatedText> path = Decoders.nonEmpty().then((_, node, _) -> Optional.of((LocatedText) node));
    Key<LocatedText> trust = Key.required("trust_store", path, "the PEM file of the trusted issuers");
    Key<List<LocatedText>> revocations = Key.withDefault("revocation_lists", Decoders.list(path),
        List.<LocatedText>of(), "files of revocation lists in PEM or DER; if there are any, each issuer in a chain "
            + "needs a current one")
        .restricting();
    Key<CertificateSource> source = CertificateSource.key();
    Key<List<Name>> names = names();
    Key<List<String>> domains = trustDomains();
    return Decoders.object("settings", List.of(trust, revocations, source, names, domains),
        p -> new Config(p.get(trust), p.get(revocations), p.get(source), p.get(names), p.get(domains)));
  }

  private static Key<List<Name>> names() {
    SequencedMap<String, Name> known = new LinkedHashMap<>();
    for (Name name : Name.values()) {
      known.put(name.text, name);
    }
    return Key.withDefault("subject_from", Decoders.list(Decoders.choice(known), 1),
        List.of(Name.SPIFFE_ID, Name.DISTINGUISHED_NAME),
        "the name that becomes the subject: the first that the certificate has; of several alternative names of a "
            + "kind none is used");
  }

  private static Key<List<String>> trustDomains() {
    Decoder<String> domain = Decoders.nonEmpty().then((text, node, problems) -> {
      if (TRUST_DOMAIN.matcher(text).matches()) {
        return Optional.of(text);
      }
      problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a trust domain",
          "write it as `prod.example`, without `spiffe://` and path");
      return Optional.empty();
    });
    return Key.withDefault("trust_domains", Decoders.list(domain), List.<String>of(),
        "the accepted SPIFFE trust domains; by default a SPIFFE ID is not required").restricting();
  }

  private static Decoder<Config> refined(Config c) {
    Key<List<String>> domains = trustDomains();
    return Decoders.object("settings", List.of(domains), p -> new Config(c.trustStore, c.revocations, c.source,
        c.names, p.get(domains).isEmpty() ? c.trustDomains : p.get(domains)));
  }

  private static Optional<Mechanism.Authenticator> make(Config config, MechanismContext context, Problems problems) {
    Optional<Supplier<TrustStore>> trust = open(config.trustStore, context.trust().stores(), problems);
    List<Supplier<RevocationLists>> revocations = new ArrayList<>();
    for (LocatedText file : config.revocations) {
      open(file, context.trust().revocations(), problems).ifPresent(revocations::add);
    }
    return trust.filter(_ -> revocations.size() == config.revocations.size())
        .map(store -> new ClientCertificate(config, new Files(store, List.copyOf(revocations)), new VerifiedClients(),
            context));
  }

  private static <T> Optional<Supplier<T>> open(LocatedText file, LiveFiles<T> files, Problems problems) {
    try {
      return Optional.of(files.open(Path.of(file.text())));
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.report(e, file, problems);
      return Optional.empty();
    }
  }

  @Override
  public void forget() {
    verified.clear();
  }

  @Override
  public Subject authenticate(PipelineState state) throws Failure {
    ClientIdentity client = identified(config.source.chain(state.request()));
    if (!config.trustDomains.isEmpty() && client.trustDomain().filter(config.trustDomains::contains).isEmpty()) {
      throw new Failure.Authentication(client.trustDomain()
          .map(domain -> "the trust domain `" + domain + "` of the client certificate is not accepted")
          .orElse("the client certificate has no valid SPIFFE ID"));
    }
    String id = config.names.stream().flatMap(name -> name.of(client).stream()).findFirst()
        .orElseThrow(() -> new Failure.Authentication("the client certificate has none of the names "
            + String.join(", ", config.names.stream().map(name -> name.text).toList())
            + ", or more than one of a kind"));
    return new Subject(id, attributes(client)).by(Credential.of(client.thumbprint(),
        Optional.of(client.certificate().getNotAfter().toInstant())));
  }

  /** Verifies the chain, unless the same one was verified a moment ago. */
  private ClientIdentity identified(List<X509Certificate> chain) throws Failure {
    Instant now = context.clock().instant();
    VerifiedClients.Evidence evidence = files.now();
    Optional<ClientIdentity> known = verified.find(chain, evidence, now);
    if (known.isPresent()) {
      return known.get();
    }
    try {
      RevocationLists revocations = RevocationLists.NONE;
      for (RevocationLists more : evidence.revocations()) {
        revocations = revocations.and(more);
      }
      evidence.trust().checkClient(chain, revocations, now);
      ClientIdentity client = ClientIdentity.of(chain.getFirst());
      verified.keep(chain, evidence, client, now);
      return client;
    } catch (KeyMaterialException e) {
      throw new Failure.Authentication("the client certificate is not accepted: " + e.getMessage());
    }
  }

  private static Value.Dict attributes(ClientIdentity client) {
    X509Certificate certificate = client.certificate();
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("distinguished_name", Value.of(client.distinguishedName()));
    client.commonName().ifPresent(name -> out.put("common_name", Value.of(name)));
    out.put("dns_names", Value.Array.ofStrings(client.dnsNames()));
    out.put("uris", Value.Array.ofStrings(client.uris()));
    out.put("emails", Value.Array.ofStrings(client.emails()));
    out.put("ip_addresses", Value.Array.ofStrings(client.addresses()));
    client.spiffeId().ifPresent(id -> out.put("spiffe_id", Value.of(id)));
    client.trustDomain().ifPresent(domain -> out.put("trust_domain", Value.of(domain)));
    out.put("issuer", Value.of(certificate.getIssuerX500Principal().getName()));
    out.put("serial_number", Value.of(certificate.getSerialNumber().toString(16)));
    out.put("not_after", Value.of(certificate.getNotAfter().toInstant().toString()));
    out.put("x5t#S256", Value.of(client.thumbprint()));
    return new Value.Dict(out);
  }
}
