package portcullis.policy.mechanism;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.http.message.Grammar;
import portcullis.lang.template.RenderFailure;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.TemplateVariables;

/** Decodes templates and renders them for places that do not take every character. */
public final class Templates {
  private Templates() {}

  /** Returns the decoder of a template. */
  public static Decoder<Template> decoder() {
    return Decoders.located().then((text, _, problems) -> TemplateVariables.compile(text, problems));
  }

  /**
   * Renders a template.
   *
   * @param what names the result in error messages
   */
  public static String text(Template template, Value.Dict scope, String what) throws Failure {
    try {
      return template.render(scope);
    } catch (RenderFailure e) {
      throw new Failure.Internal("failed to render " + what, e.getMessage());
    }
  }

  /** Renders a template and returns its lines but empty ones; rendered values cannot contain line breaks. */
  public static List<String> lines(Template template, Value.Dict scope, String what) throws Failure {
    try {
      String text = template.renderUnbroken(scope);
      if (text.indexOf('\n') < 0) {
        return text.isEmpty() ? List.of() : List.of(text);
      }
      return Stream.of(text.split("\n")).filter(line -> !line.isEmpty()).toList();
    } catch (RenderFailure e) {
      throw new Failure.Internal("failed to render " + what, e.getMessage());
    }
  }

  /**
   * Returns a value as a header field carries it (RFC 9110, 5.5): trimmed, as UTF-8 bytes in characters 0 to 255; fails
   * on control characters.
   */
  public static String field(String value, String what) throws Failure {
    boolean ascii = true;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' && c != '\t' || c == 127) {
        throw new Failure.Internal("failed to render " + what + ": the value holds a control character");
      }
      ascii &= c < 128;
    }
    String trimmed = Grammar.trimmed(value);
    return ascii ? trimmed : new String(trimmed.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
