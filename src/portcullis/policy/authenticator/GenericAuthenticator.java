package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheCodec;
import portcullis.policy.cache.SingleFlight;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointDecoder;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.endpoint.EndpointResponse;
import portcullis.policy.mechanism.CallFailures;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.FieldName;
import portcullis.policy.mechanism.ForwardedFields;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.Payload;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.mechanism.Templates;

/**
 * Gets the subject from an identity endpoint, given a session cookie or other credentials of the client. Only the
 * response is cached, under a key of everything that was sent; the validity of the session is checked for each request.
 */
public record GenericAuthenticator(Config config, MechanismContext context) implements Mechanism.Authenticator {
  private static final String SERVICE = "the endpoint to get information about the user";
  private static final Duration EARLY = Duration.ofSeconds(10);

  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(
      Mechanism.Authenticator.class,
      "generic", settings(), GenericAuthenticator::refined, GenericAuthenticator::make)
      .purpose("Sends a credential of the request, such as a session cookie, to an endpoint; the JSON "
          + "response describes the subject.")
      .fails(ErrorKind.AUTHENTICATION,
          "the request has no such credential, the endpoint answers 401, 403 or another status "
              + "than 2xx, or the session is not valid now")
      .fails(ErrorKind.COMMUNICATION, "the endpoint cannot be reached or does not answer in time")
      .fails(ErrorKind.INTERNAL, "the response is not JSON or has no identifier at `subject.id`");

  /** @param life how long responses are cached; zero for not at all */
  public record Config(Endpoint endpoint, List<DataSource> sources, List<String> headers, List<String> cookies,
      Optional<Template> payload, SubjectPaths subject, Optional<SessionLifespan> lifespan, Duration life) {}

  private static Decoder<Config> settings() {
    Key<Endpoint> endpoint = Key.required("identity_info_endpoint", EndpointDecoder.decoder(), "the endpoint to call");
    Key<List<DataSource>> sources = Key.required("authentication_data_source", DataSource.list(false),
        "where to find the credentials of the client");
    Key<List<String>> headers = Key.withDefault("forward_headers", Decoders.list(FieldName.decoder()), List.of(),
        "client header fields to forward");
    Key<List<String>> cookies = Key.withDefault("forward_cookies", Decoders.list(FieldName.decoder()), List.of(),
        "client cookies to forward");
    Key<Optional<Template>> payload = Key.optional("payload", Templates.decoder(),
        "the body of the request, a template");
    Key<SubjectPaths> subject = Key.required("subject", SubjectPaths.decoder(Optional.empty()),
        "where to find the subject in the response");
    Key<Optional<SessionLifespan>> lifespan = Key
        .optional("session_lifespan", SessionLifespan.decoder(), "where to find the validity of the session")
        .restricting();
    Key<Duration> life = Key.withDefault("cache_ttl", Decoders.duration(), Duration.ZERO,
        "how long responses are cached");
    return Decoders.object("settings", List.of(endpoint, sources, headers, cookies, payload, subject, lifespan, life,
        ObsoleteSettings.fallback()),
        p -> new Config(p.get(endpoint), p.get(sources), p.get(headers), p.get(cookies), p.get(payload),
            p.get(subject), p.get(lifespan), p.get(life)));
  }

  private static Decoder<Config> refined(Config c) {
    Key<Duration> life = Key.withDefault("cache_ttl", Decoders.duration(), c.life, "how long responses are cached");
    return Decoders.object("settings", List.of(life, ObsoleteSettings.fallback()),
        p -> new Config(c.endpoint, c.sources, c.headers,
            c.cookies, c.payload, c.subject, c.lifespan, p.get(life)));
  }

  private static Optional<Mechanism.Authenticator> make(Config config, MechanismContext context, Problems problems) {
    boolean good = config.endpoint.secure(context.caller(), context.enforcement().egressTls(), problems);
    return good ? Optional.of(new GenericAuthenticator(config, context)) : Optional.empty();
  }

  @Override
  public Subject authenticate(PipelineState state) throws Failure {
    String data = DataSource.first(config.sources, state.request(), "failed to get authentication data from request");
    try {
      EndpointRequest request = request(data, state);
      if (config.life.isZero()) {
        return read(answer(request), state).result();
      }
      return context.caller().fetchOnce(
          config.endpoint.key("generic authenticator", request, List.of(data), context.caller()),
          CacheCodec.BYTES,
          () -> answer(request), answer -> read(answer, state));
    } catch (CallFailure e) {
      throw CallFailures.failure(e, SERVICE);
    }
  }

  private EndpointRequest request(String data, PipelineState state) throws Failure, CallFailure {
    Value.Dict scope = Value.dict("AuthenticationData", Value.of(data));
    EndpointRequest request = config.endpoint.request(scope);
    if (config.payload.isPresent()) {
      request
          .body(Payload.bytes(Templates.text(config.payload.get(), scope, "payload for the authenticator endpoint")));
    }
    ForwardedFields.copy(state.request(), request, config.headers, config.cookies);
    return request;
  }

  private byte[] answer(EndpointRequest request) throws Failure {
    try {
      EndpointResponse reply = config.endpoint.send(request, context.caller());
      if (reply.status() == 401 || reply.status() == 403) {
        throw new Failure.Authentication("received authentication data rejected");
      }
      if (!reply.good()) {
        throw new Failure.Authentication("failed to get information about the user",
            Failure.Communication.status(reply.status()));
      }
      return reply.body();
    } catch (CallFailure e) {
      throw CallFailures.failure(e, SERVICE);
    }
  }

  private SingleFlight.Read<Subject> read(byte[] answer, PipelineState state) throws Failure {
    Value document = Payload.json(answer, state.request());
    Instant now = context.clock().instant();
    if (config.lifespan.isPresent()) {
      config.lifespan.get().check(document, now);
    }
    return new SingleFlight.Read<>(config.subject.in(document, "response").by(credential(document)),
        time(document, now));
  }

  private Credential credential(Value document) throws Failure {
    Credential known = document instanceof Value.Dict members ? Credential.of(members, Duration.ZERO) : Credential.NONE;
    return config.lifespan.isPresent()
        ? known.expiring(config.lifespan.get().notAfter(document), config.lifespan.get().leeway())
        : known.expiring(Optional.empty(), Duration.ZERO); // `exp` of a response may be anything
  }

  /** Returns the configured time, or the remaining time of the session if that is shorter. */
  private Duration time(Value document, Instant now) throws Failure {
    Optional<Instant> end = config.lifespan.isPresent() ? config.lifespan.get().notAfter(document) : Optional.empty();
    Duration left = end.map(e -> Duration.between(now, e).minus(EARLY)).orElse(config.life);
    return left.compareTo(config.life) < 0 ? left : config.life;
  }
}
