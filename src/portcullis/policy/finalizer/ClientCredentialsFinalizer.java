package portcullis.policy.finalizer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.Problems;
import portcullis.policy.endpoint.AccessToken;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.ClientCredentials;
import portcullis.policy.endpoint.ClientCredentialsDecoder;
import portcullis.policy.mechanism.CallFailures;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RequestAdditions;

/** Adds an access token for the upstream, obtained by the client credentials grant (RFC 6749, 4.4). */
public record ClientCredentialsFinalizer(Config config, MechanismContext context) implements Mechanism.Finalizer {
  public static final MechanismType<Config, Mechanism.Finalizer> TYPE = MechanismType.of(Mechanism.Finalizer.class,
      "oauth2_client_credentials", settings(), ClientCredentialsFinalizer::refined, ClientCredentialsFinalizer::make)
      .purpose("Adds an access token for the upstream, obtained by the client credentials grant (RFC "
          + "6749, 4.4).")
      .fails(ErrorKind.COMMUNICATION, "the token endpoint cannot be reached, or grants no token");

  public record Config(ClientCredentials source, Optional<ClientCredentialsDecoder.Header> header) {}

  private static Decoder<Config> settings() {
    Key<Optional<ClientCredentialsDecoder.Header>> header = Key.optional("header", ClientCredentialsDecoder.header(),
        "the header field for the token; by default `Authorization: Bearer`");
    return ClientCredentialsDecoder.with(List.of(header), (source, p) -> new Config(source, p.get(header)));
  }

  private static Decoder<Config> refined(Config c) {
    Key<List<String>> scopes = Key.withDefault("scopes", Decoders.list(Decoders.text()), List.of(),
        "overrides the value of the definition");
    Key<Optional<Duration>> time = Key.optional("cache_ttl", Decoders.duration(), "the maximum time a token is cached");
    Key<Optional<ClientCredentialsDecoder.Header>> header = Key.optional("header", ClientCredentialsDecoder.header(),
        "the header field for the token");
    return Decoders.object("settings", List.of(scopes, time, header), p -> new Config(c.source.with(
        p.get(scopes).isEmpty() ? c.source.scopes() : p.get(scopes), p.get(time).or(c.source::time)),
        p.get(header).map(own -> own.or(c.header)).or(c::header)));
  }

  private static Optional<Mechanism.Finalizer> make(Config config, MechanismContext context, Problems problems) {
    boolean good = config.source.secure(context.caller(), context.enforcement().egressTls(), problems);
    return good ? Optional.of(new ClientCredentialsFinalizer(config, context)) : Optional.empty();
  }

  @Override
  public RequestAdditions finish(PipelineState state) throws Failure {
    try {
      AccessToken token = config.source.token(context.caller());
      String scheme = config.header.flatMap(ClientCredentialsDecoder.Header::scheme).filter(s -> !s.isEmpty())
          .orElse(token.type());
      return RequestAdditions.header(name(), scheme + " " + token.value());
    } catch (CallFailure e) {
      throw CallFailures.failure(e, "the token endpoint");
    }
  }

  private String name() {
    return config.header.map(ClientCredentialsDecoder.Header::name).orElse("Authorization");
  }

  @Override
  public Set<String> headers() {
    return Set.of(name());
  }
}
