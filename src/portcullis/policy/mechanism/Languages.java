package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.expression.Expression;
import portcullis.lang.source.LocatedText;
import portcullis.lang.template.Template;

/** Decoders of what is written in a language of its own. */
public final class Languages {
  private static final Key<LocatedText> EXPRESSION = Key.required("expression", Decoders.located(),
      "a CEL expression that is true or false");
  private static final Key<Optional<String>> MESSAGE = Key.optional("message", Decoders.text(),
      "what to say where it is false");

  private Languages() {}

  public static Decoder<Template> template() {
    return Decoders.located().then((text, _, problems) -> Template.compile(text, problems));
  }

  /** A list of expressions, each with the message of its denial. */
  public static Decoder<List<Check>> checks(int least) {
    Decoder<Check> one = Decoders.checked("an expression", List.of(EXPRESSION, MESSAGE), (parts, problems) -> Expression
        .condition(parts.get(EXPRESSION), problems).map(e -> new Check(e, parts.get(MESSAGE))));
    return Decoders.list(one, least);
  }

  /** An expression that has to be true, and what to say where it is not. */
  public record Check(Expression expression, Optional<String> message) {}
}
