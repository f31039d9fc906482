package portcullis.policy.errorhandler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.FieldName;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RefusalStatus;
import portcullis.policy.mechanism.StepFailure;
import portcullis.policy.mechanism.TemplateSafety;
import portcullis.policy.mechanism.Templates;
import portcullis.policy.mechanism.Values;

/** Responds as configured: status, header fields and body. */
public record GenericHandler(Config config) implements Mechanism.ErrorHandler {
  public static final MechanismType<Config, Mechanism.ErrorHandler> TYPE = MechanismType.of(
      Mechanism.ErrorHandler.class,
      "generic", settings(), GenericHandler::refined, (config, context,
          problems) -> TemplateSafety.check(config.body, config.values, context, problems)
              ? Optional.of(new GenericHandler(config))
              : Optional.empty())
      .purpose("Answers with a fixed status, and with header fields and a body from templates.")
      .fails(ErrorKind.INTERNAL, "a template fails");

  private static final String HEADERS = "the header fields, one pair an entry, templates of Request and Values";
  private static final String BODY = "the body, a template of Request and Values";

  /** @param headers names and templates in the order of the answer */
  public record Config(int code, List<Map.Entry<String, Template>> headers, Optional<Template> body, Values values) {}

  private static Decoder<Config> settings() {
    Key<Integer> code = Key.required("code", RefusalStatus.decoder(100), "the status");
    Key<List<Map.Entry<String, Template>>> headers = Key.withDefault("headers", FieldName.pairs(), List.of(), HEADERS);
    Key<Optional<Template>> body = Key.optional("body", Templates.decoder(), BODY);
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "strings that templates read as `Values`");
    return Decoders.object("settings", List.of(code, headers, body, values),
        parts -> new Config(parts.get(code), parts.get(headers), parts.get(body), parts.get(values)));
  }

  private static Decoder<Config> refined(Config config) {
    Key<Integer> code = Key.withDefault("code", RefusalStatus.decoder(100), config.code, "the status");
    Key<List<Map.Entry<String, Template>>> headers = Key.withDefault("headers", FieldName.pairs(), config.headers,
        HEADERS);
    Key<Optional<Template>> body = Key.optional("body", Templates.decoder(), BODY);
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "overrides values with the same name");
    return Decoders.object("settings", List.of(code, headers, body, values), parts -> new Config(parts.get(code),
        parts.get(headers), parts.get(body).or(config::body), config.values.overlaid(parts.get(values))));
  }

  @Override
  public Optional<HandlerResponse> answer(StepFailure stepFailure, PipelineState state) throws Failure {
    Value.Dict scope = config.values.in(state.errorScope());
    List<Field> fields = new ArrayList<>();
    for (Map.Entry<String, Template> header : config.headers) {
      String what = "value for '" + header.getKey() + "' header";
      fields.add(new Field(header.getKey(), Templates.field(Templates.text(header.getValue(), scope, what), what)));
    }
    String body = config.body.isPresent() ? Templates.text(config.body.get(), scope, "the body") : "";
    return Optional
        .of(HandlerResponse.with(new Response(config.code, Fields.of(fields), body.getBytes(StandardCharsets.UTF_8))));
  }
}
