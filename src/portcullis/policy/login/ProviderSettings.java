package portcullis.policy.login;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.ClientTlsSettings;
import portcullis.crypto.keys.KeyPairAlgorithms;
import portcullis.crypto.keys.TlsVersion;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.policy.endpoint.Urls;
import portcullis.policy.mechanism.MechanismContext;

/**
 * The settings of an OpenID provider.
 *
 * @param id in the callback URL if there are several providers
 * @param name on the page that lets the user choose
 * @param parameters added to the authorization request
 * @param tls empty for the default settings
 */
record ProviderSettings(String id, String name, LocatedText issuer, String clientId, ClientAuthentication client,
    List<String> scopes, SequencedMap<String, String> parameters, Set<Algorithm> algorithms,
    Optional<ClientTlsSettings> tls) {
  /** What follows an issuer in the URL of its metadata (OpenID Connect Discovery 1.0, 4). */
  static final String METADATA = "/.well-known/openid-configuration";
  private static final String MAX_AGE = "max_age";
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
  private static final Pattern ID = Pattern.compile("[a-z0-9-]{1,32}");
  private static final List<Algorithm> DEFAULT_ALGORITHMS = List.of(Algorithm.RS256, Algorithm.ES256, Algorithm.ES384,
      Algorithm.ES512, Algorithm.PS256, Algorithm.PS384, Algorithm.PS512, Algorithm.EDDSA);
  /** Parameters that the login sets itself. */
  private static final Set<String> OWN = Set.of("response_type", "response_mode", "client_id", "redirect_uri", "scope",
      "state", "nonce", "code_challenge", "code_challenge_method", "request", "request_uri", "client_secret");

  static Decoder<ProviderSettings> decoder() {
    Key<String> id = Key.withDefault("id", idDecoder(), "main", "the name of the provider in the callback URL");
    Key<Optional<String>> name = Key.optional("name", Decoders.nonEmpty(),
        "the name that users see; without it `id`, or the host of the issuer");
    Key<LocatedText> issuer = Key.required("issuer", Decoders.located(), "the issuer, whose metadata are discovered");
    Key<String> clientId = Key.required("client_id", Decoders.nonEmpty(), "the client id");
    Key<ClientAuthentication> client = Key.required("client_auth", ClientAuthentication.decoder(),
        "how the client authenticates");
    Key<List<String>> scopes = Key.withDefault("scopes", Decoders.list(Decoders.nonEmpty()), List.of(),
        "scopes besides `openid`; `offline_access` is often needed for refresh tokens");
    Key<SequencedMap<String, String>> parameters = Key.withDefault("parameters", parameterMap(),
        new LinkedHashMap<>(),
        "parameters added to the authorization request, as `prompt` or `acr_values`; `max_age` is checked too");
    Key<List<Algorithm>> algorithms = Key.withDefault("id_token_algorithms",
        Decoders.list(KeyPairAlgorithms.decoder(), 1), DEFAULT_ALGORITHMS,
        "the accepted signatures of ID tokens");
    Key<Optional<ClientTlsSettings>> tls = Key.optional("tls",
        ClientTlsSettings.decoder(TlsVersion.TLS1_2, List.of(), (settings, _) -> settings),
        "trusted issuers and the client certificate").restricting();
    return Decoders.checked("a provider",
        List.of(id, name, issuer, clientId, client, scopes, parameters, algorithms, tls), (p, problems) -> {
          ProviderSettings made = new ProviderSettings(p.get(id),
              p.get(name).orElse(p.has(id) ? p.get(id) : host(p.get(issuer))),
              p.get(issuer), p.get(clientId), p.get(client), p.get(scopes), p.get(parameters),
              Set.copyOf(p.get(algorithms)),
              p.get(tls));
          return made.isSound(p, client, problems) ? Optional.of(made) : Optional.empty();
        });
  }

  /** Returns the host of an issuer; all of it where it is not a URL, which is an error. */
  private static String host(LocatedText issuer) {
    try {
      return Optional.ofNullable(new URI(issuer.text()).getHost()).orElse(issuer.text());
    } catch (URISyntaxException _) {
      return issuer.text();
    }
  }

  private static Decoder<String> idDecoder() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      if (ID.matcher(text).matches()) {
        return Optional.of(text);
      }
      problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not an id",
          "1 to 32 lower-case letters, digits and hyphens");
      return Optional.empty();
    });
  }

  /** Decodes parameters of the authorization request; those that the login sets are errors. */
  private static Decoder<SequencedMap<String, String>> parameterMap() {
    return Decoders.map(Decoders.text()).then((map, node, problems) -> {
      long before = problems.errors();
      if (node instanceof Node.Mapping written) {
        written.members().forEach((name, member) -> {
          if (OWN.contains(name)) {
            problems.error(member.nameAt(), member.value().path(), "`" + name + "` is set by the login itself",
                "remove it");
          }
        });
      }
      if (map.containsKey(MAX_AGE) && !SECONDS.matcher(map.get(MAX_AGE)).matches()) {
        problems.error(node.at(), node.path(), "`" + MAX_AGE + "` is not a number of seconds", "as `3600`");
      }
      return problems.errors() == before ? Optional.of(map) : Optional.empty();
    });
  }

  private boolean isSound(DecodedMembers p, Key<?> client, Problems problems) {
    if (!Urls.check(issuer, false, problems)) {
      return false;
    }
    if (issuer.text().contains("{{") || issuer.text().contains("?") || issuer.text().contains("#")) {
      problems.error(issuer.at(0, issuer.text().length()), issuer.path(),
          "an issuer has no template, query or fragment",
          "as `https://idp.example/realms/main`");
      return false;
    }
    if (issuer.text().replaceAll("/+$", "").endsWith(METADATA)) {
      problems.error(issuer.at(0, issuer.text().length()), issuer.path(),
          "this is the URL of the metadata of the issuer", "write the issuer, which is what precedes `" + METADATA
              + "`");
      return false;
    }
    if (this.client instanceof ClientAuthentication.Tls && tls.flatMap(ClientTlsSettings::keyStore).isEmpty()) {
      problems.error(p.at(client), p.node().path(), "`tls.key_store` is missing: the client authenticates by its "
          + "certificate", "name the PEM file with key and certificate");
      return false;
    }
    return true;
  }

  /** Returns whether the provider can be called as configured; adds problems if not. */
  boolean usable(MechanismContext context, Problems problems) {
    boolean secure = Urls.check(issuer, context.enforcement().egressTls(), problems)
        && (tls.isEmpty() || Urls.isHttps(issuer, problems) && tls.get().read(context.keys(), problems).isPresent());
    return client.usable(context, problems) && secure;
  }

  /** Returns how long ago users may have signed in at the provider; empty for any time. */
  Optional<Duration> maxAge() {
    return Optional.ofNullable(parameters.get(MAX_AGE)).map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }

  /** Returns the scopes of the authorization request. */
  String scope() {
    return String.join(" ", Stream.concat(Stream.of("openid"), scopes.stream()).distinct().toList());
  }
}
