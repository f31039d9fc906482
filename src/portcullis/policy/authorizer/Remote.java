package portcullis.policy.authorizer;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Field;
import portcullis.lang.expression.Available;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointDecoder;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.endpoint.EndpointResponse;
import portcullis.policy.mechanism.CallFailures;
import portcullis.policy.mechanism.Checks;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.FieldName;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.Payload;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RequestAdditions;
import portcullis.policy.mechanism.TemplateSafety;
import portcullis.policy.mechanism.Templates;
import portcullis.policy.mechanism.Values;

/** Calls an authorization endpoint; the response is checked by expressions, or by its status alone. */
public record Remote(Config config, MechanismContext context) implements Mechanism.Authorizer {
  public static final MechanismType<Config, Mechanism.Authorizer> TYPE = MechanismType.of(Mechanism.Authorizer.class,
      "remote", settings(), Remote::refined, Remote::make)
      .purpose("Asks an endpoint whether a request is allowed: by the status of the response, and by "
          + "expressions on its content, which later steps read as `Outputs.ID`.")
      .fails(ErrorKind.AUTHORIZATION, "the response has another status than 2xx, or an expression is false")
      .fails(ErrorKind.COMMUNICATION, "the endpoint cannot be reached or does not answer in time")
      .fails(ErrorKind.INTERNAL, "a template or an expression fails, or the response cannot be parsed");

  private static final String SERVICE = "the authorization endpoint";

  /**
   * @param forwarded response header fields to forward to the upstream
   * @param time how long responses are cached; zero for not at all
   */
  public record Config(Endpoint endpoint, Optional<Template> payload, List<Checks.Check> expressions,
      List<String> forwarded,
      Duration time, Values values) {}

  private static Decoder<Config> settings() {
    Key<Endpoint> endpoint = Key.required("endpoint", EndpointDecoder.decoder(), "the endpoint to call");
    Key<Optional<Template>> payload = Key.optional("payload", Templates.decoder(),
        "the body of the request, a template");
    Key<List<Checks.Check>> expressions = Key
        .withDefault("expressions", Checks.decoder(0, Available.of("Payload")), List.of(),
            "expressions on the response, `Payload`, that must all be true")
        .restricting();
    Key<List<String>> forwarded = Key.withDefault("forward_response_headers_to_upstream",
        Decoders.list(FieldName.decoder()),
        List.of(), "response header fields to forward to the upstream");
    Key<Duration> time = Key.withDefault("cache_ttl", Decoders.duration(), Duration.ZERO,
        "how long responses are cached");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "strings that templates read as `Values`");
    return Decoders.checked("settings", List.of(endpoint, payload, expressions, forwarded, time, values),
        (p, problems) -> {
          if (p.get(payload).isEmpty() && p.get(endpoint).headers().isEmpty()) {
            problems.error(p.node().at(), p.node().path(), "`payload` is missing", "an endpoint without headers of its "
                + "own needs one");
            return Optional.empty();
          }
          return Optional.of(new Config(p.get(endpoint), p.get(payload), p.get(expressions), p.get(forwarded),
              p.get(time), p.get(values)));
        });
  }

  private static Decoder<Config> refined(Config c) {
    Key<Optional<Template>> payload = Key.optional("payload", Templates.decoder(),
        "the body of the request, a template");
    Key<List<Checks.Check>> expressions = Key.withDefault("expressions", Checks.decoder(0, Available.of("Payload")),
        List.of(),
        "overrides the value of the definition");
    Key<List<String>> forwarded = Key.withDefault("forward_response_headers_to_upstream",
        Decoders.list(FieldName.decoder()),
        List.of(), "overrides the value of the definition");
    Key<Duration> time = Key.withDefault("cache_ttl", Decoders.duration(), c.time, "how long responses are cached");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "overrides values with the same name");
    return Decoders.object("settings", List.of(payload, expressions, forwarded, time, values),
        p -> new Config(c.endpoint,
            p.get(payload).or(c::payload), p.get(expressions).isEmpty() ? c.expressions : p.get(expressions),
            p.get(forwarded).isEmpty() ? c.forwarded : p.get(forwarded), p.get(time),
            c.values.overlaid(p.get(values))));
  }

  private static Optional<Mechanism.Authorizer> make(Config config, MechanismContext context, Problems problems) {
    boolean good = config.endpoint.secure(context.caller(), context.enforcement().egressTls(), problems)
        & TemplateSafety.check(config.payload, config.values, context, problems);
    return good ? Optional.of(new Remote(config, context)) : Optional.empty();
  }

  @Override
  public Mechanism.Outcome authorize(PipelineState state) throws Failure {
    Value.Dict scope = config.values.in(state.scope());
    try {
      EndpointRequest request = config.endpoint.request(scope);
      if (config.payload.isPresent()) {
        request
            .body(Payload.bytes(Templates.text(config.payload.get(), scope, "payload for the authorization endpoint")));
      }
      CacheKey key = config.endpoint.key("remote authorizer", request, state.identity(), context.caller());
      return config.endpoint.cached(key, request, config.time, context.caller(), reply -> result(reply, state));
    } catch (CallFailure e) {
      throw CallFailures.failure(e, SERVICE);
    }
  }

  private Mechanism.Outcome result(EndpointResponse reply, PipelineState state) throws Failure {
    if (!reply.good()) {
      throw new Failure.Authorization("authorization failed based on received response code: " + reply.status(),
          Failure.isOutage(reply.status()));
    }
    Optional<Value> payload = Payload.of(reply, state.request());
    if (!config.expressions.isEmpty()) {
      Checks.verify(config.expressions, Optional.empty(), Value.dict("Payload", payload.orElse(Value.NULL)));
    }
    return new Mechanism.Outcome(payload, RequestAdditions.headers(forwarded(reply.headers())));
  }

  private List<Field> forwarded(HttpHeaders headers) {
    List<Field> out = new ArrayList<>();
    for (String name : config.forwarded) {
      Optional<String> value = headers.firstValue(name);
      if (value.isPresent()) {
        out.add(new Field(name, value.get()));
      }
    }
    return out;
  }

  @Override
  public Set<String> headers() {
    return Set.copyOf(config.forwarded);
  }
}
