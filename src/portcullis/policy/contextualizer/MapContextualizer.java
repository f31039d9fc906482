package portcullis.policy.contextualizer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.template.RenderFailure;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Values;

/** Renders named templates; later steps read the results as {@code Outputs.id.name}. */
public record MapContextualizer(Values items, Values values) implements Mechanism.Contextualizer {
  public static final MechanismType<MapContextualizer, Mechanism.Contextualizer> TYPE = MechanismType.of(
      Mechanism.Contextualizer.class, "map", settings(), MapContextualizer::refined,
      (config, _, _) -> Optional.of(config))
      .purpose("Renders named templates; later steps read the results as `Outputs.ID.NAME`.")
      .fails(ErrorKind.INTERNAL, "a template fails");

  private static Decoder<MapContextualizer> settings() {
    Key<Values> items = Key.required("items", Values.decoder(), "the strings by name, templates");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "strings that the items read as `Values`");
    return Decoders.object("settings", List.of(items, values),
        parts -> new MapContextualizer(parts.get(items), parts.get(values)));
  }

  private static Decoder<MapContextualizer> refined(MapContextualizer config) {
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "overrides values with the same name");
    return Decoders.object("settings", List.of(values),
        parts -> new MapContextualizer(config.items, config.values.overlaid(parts.get(values))));
  }

  @Override
  public Optional<Value> contextualize(PipelineState state) throws Failure {
    Value.Dict scope = values.in(state.scope());
    Map<String, Value> out = new LinkedHashMap<>();
    for (Map.Entry<String, Template> item : items.templates().entrySet()) {
      try {
        out.put(item.getKey(), Value.of(item.getValue().render(scope)));
      } catch (RenderFailure e) {
        throw new Failure.Internal("failed to render templates for the map contextualizer",
            item.getKey() + ": " + e.getMessage());
      }
    }
    return Optional.of(new Value.Dict(out));
  }
}
