package portcullis.policy.finalizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Field;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.FieldName;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RequestAdditions;
import portcullis.policy.mechanism.TemplateSafety;
import portcullis.policy.mechanism.Templates;

/**
 * Sets header fields. A template of several lines sets as many fields, empty lines none; a rendered value cannot
 * contain a line break, so that a client cannot add fields.
 */
public record HeaderFinalizer(SequencedMap<String, Template> templates) implements Mechanism.Finalizer {
  private static final String DOC = "the fields by name, templates of Request, Subject and Outputs";
  public static final MechanismType<SequencedMap<String, Template>, Mechanism.Finalizer> TYPE = MechanismType.of(
      Mechanism.Finalizer.class, "header", settings(), HeaderFinalizer::refined,
      (map, context, problems) -> map.values().stream()
          .map(template -> TemplateSafety.checkField(template, context, problems)).reduce(true, Boolean::logicalAnd)
              ? Optional.of(new HeaderFinalizer(map))
              : Optional.empty())
      .purpose("Adds header fields to the request for the upstream. Each line of a rendered value is a "
          + "field of its own; fields of the client with these names are removed.")
      .fails(ErrorKind.INTERNAL, "a template fails, or a value holds a control character");

  private static Decoder<SequencedMap<String, Template>> settings() {
    return settings(Key.required("headers", FieldName.templates(), DOC));
  }

  private static Decoder<SequencedMap<String, Template>> refined(SequencedMap<String, Template> defined) {
    return settings(Key.withDefault("headers", FieldName.templates(), defined, DOC));
  }

  private static Decoder<SequencedMap<String, Template>> settings(Key<SequencedMap<String, Template>> headers) {
    return Decoders.object("settings", List.of(headers), parts -> parts.get(headers));
  }

  @Override
  public RequestAdditions finish(PipelineState state) throws Failure {
    Value.Dict scope = state.scope();
    List<Field> fields = new ArrayList<>();
    for (Map.Entry<String, Template> entry : templates.entrySet()) {
      String what = "value for '" + entry.getKey() + "' header";
      for (String line : Templates.lines(entry.getValue(), scope, what)) {
        fields.add(new Field(entry.getKey(), Templates.field(line, what)));
      }
    }
    return RequestAdditions.headers(fields);
  }

  @Override
  public Set<String> headers() {
    return templates.keySet();
  }
}
