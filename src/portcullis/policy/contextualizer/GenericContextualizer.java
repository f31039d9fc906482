package portcullis.policy.contextualizer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
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
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.FieldName;
import portcullis.policy.mechanism.ForwardedFields;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.Payload;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.TemplateSafety;
import portcullis.policy.mechanism.Templates;
import portcullis.policy.mechanism.Values;

/** Calls an endpoint for additional data; later steps read the response as {@code Outputs.id}. */
public record GenericContextualizer(Config config, MechanismContext context) implements Mechanism.Contextualizer {
  private static final Duration STANDARD_TIME = Duration.ofSeconds(10);

  public static final MechanismType<Config, Mechanism.Contextualizer> TYPE = MechanismType.of(
      Mechanism.Contextualizer.class, "generic", settings(), GenericContextualizer::refined,
      GenericContextualizer::make)
      .purpose("Fetches further data from an endpoint; later steps read the response as `Outputs.ID`.")
      .fails(ErrorKind.COMMUNICATION, "the endpoint cannot be reached or answers with another status than 2xx")
      .fails(ErrorKind.INTERNAL, "a template fails, or the response cannot be parsed");

  /** @param time how long responses are cached; zero for not at all */
  public record Config(Endpoint endpoint, Optional<Template> payload, List<String> headers, List<String> cookies,
      Duration time, boolean lenient, Values values) {}

  private static Decoder<Config> settings() {
    Key<Endpoint> endpoint = Key.required("endpoint", EndpointDecoder.decoder(), "the endpoint to call");
    Key<Optional<Template>> payload = Key.optional("payload", Templates.decoder(),
        "the body of the request, a template");
    Key<List<String>> headers = Key.withDefault("forward_headers", Decoders.list(FieldName.decoder()), List.of(),
        "client header fields to forward");
    Key<List<String>> cookies = Key.withDefault("forward_cookies", Decoders.list(FieldName.decoder()), List.of(),
        "client cookies to forward");
    Key<Duration> time = Key.withDefault("cache_ttl", Decoders.duration(), STANDARD_TIME,
        "how long responses are cached");
    Key<Boolean> lenient = Key.withDefault("continue_pipeline_on_error", Decoders.flag(), false,
        "whether the pipeline continues after a failure");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "strings that templates read as `Values`");
    return Decoders.object("settings", List.of(endpoint, payload, headers, cookies, time, lenient, values),
        p -> new Config(
            p.get(endpoint), p.get(payload), p.get(headers), p.get(cookies), p.get(time), p.get(lenient),
            p.get(values)));
  }

  private static Decoder<Config> refined(Config c) {
    Key<Optional<Template>> payload = Key.optional("payload", Templates.decoder(),
        "the body of the request, a template");
    Key<List<String>> headers = Key.withDefault("forward_headers", Decoders.list(FieldName.decoder()), List.of(),
        "overrides the value of the definition");
    Key<List<String>> cookies = Key.withDefault("forward_cookies", Decoders.list(FieldName.decoder()), List.of(),
        "overrides the value of the definition");
    Key<Duration> time = Key.withDefault("cache_ttl", Decoders.duration(), c.time, "how long responses are cached");
    Key<Boolean> lenient = Key.withDefault("continue_pipeline_on_error", Decoders.flag(), c.lenient,
        "whether the pipeline continues after a failure");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "overrides values with the same name");
    return Decoders.object("settings", List.of(payload, headers, cookies, time, lenient, values),
        p -> new Config(c.endpoint,
            p.get(payload).or(c::payload), p.get(headers).isEmpty() ? c.headers : p.get(headers),
            p.get(cookies).isEmpty() ? c.cookies : p.get(cookies), p.get(time), p.get(lenient),
            c.values.overlaid(p.get(values))));
  }

  private static Optional<Mechanism.Contextualizer> make(Config config, MechanismContext context, Problems problems) {
    boolean good = config.endpoint.secure(context.caller(), context.enforcement().egressTls(), problems)
        & TemplateSafety.check(config.payload, config.values, context, problems);
    return good ? Optional.of(new GenericContextualizer(config, context)) : Optional.empty();
  }

  @Override
  public Optional<Value> contextualize(PipelineState state) throws Failure {
    Value.Dict scope = config.values.in(state.scope());
    try {
      EndpointRequest request = config.endpoint.request(scope);
      if (config.payload.isPresent()) {
        request.body(
            Payload.bytes(Templates.text(config.payload.get(), scope, "payload for the contextualization endpoint")));
      }
      ForwardedFields.copy(state.request(), request, config.headers, config.cookies);
      CacheKey key = config.endpoint.key("generic contextualizer", request, state.identity(), context.caller());
      return config.endpoint.cached(key, request, config.time, context.caller(), reply -> output(reply, state));
    } catch (CallFailure e) {
      throw CallFailures.failure(e, "the contextualizer endpoint");
    }
  }

  private static Optional<Value> output(EndpointResponse reply, PipelineState state) throws Failure {
    if (!reply.good()) {
      throw Failure.Communication.status(reply.status());
    }
    return Payload.of(reply, state.request());
  }

  @Override
  public boolean lenient() {
    return config.lenient;
  }
}
