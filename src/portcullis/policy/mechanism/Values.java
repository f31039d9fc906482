package portcullis.policy.mechanism;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.lang.template.RenderFailure;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;

/** Named templates of the configuration, which other templates and expressions read as {@code Values.name}. */
public record Values(SequencedMap<String, Template> templates) {
  public static final Values NONE = new Values(new LinkedHashMap<>());

  public static Decoder<Values> decoder() {
    return Decoders.map(Templates.decoder()).then((map, _, _) -> Optional.of(new Values(map)));
  }

  /** Returns these with those of the other, which override values with the same name. */
  public Values overlaid(Values other) {
    SequencedMap<String, Template> all = new LinkedHashMap<>(templates);
    all.putAll(other.templates);
    return new Values(all);
  }

  /** Returns the variables with the rendered values as {@code Values}. */
  public Value.Dict in(Value.Dict scope) throws Failure {
    Map<String, Value> out = HashMap.newHashMap(scope.members().size() + 1);
    out.putAll(scope.members());
    out.put("Values", rendered(scope));
    return new Value.Dict(out);
  }

  private Value.Dict rendered(Value.Dict scope) throws Failure {
    if (templates.isEmpty()) {
      return Value.Dict.EMPTY;
    }
    Map<String, Value> texts = LinkedHashMap.newLinkedHashMap(templates.size());
    for (Map.Entry<String, Template> entry : templates.entrySet()) {
      try {
        texts.put(entry.getKey(), Value.of(entry.getValue().render(scope)));
      } catch (RenderFailure e) {
        throw new Failure.Internal("failed to render values: `" + entry.getKey() + "`", e.getMessage());
      }
    }
    return new Value.Dict(texts);
  }
}
