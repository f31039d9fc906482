package portcullis.policy.mechanism;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.http.message.Grammar;
import portcullis.lang.template.RenderFailure;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;

/** Texts rendered for a place where not every character may stand. */
public final class Templates {
  private Templates() {}

  /** The rendered text; {@code what} says of a failure what was to be rendered. */
  public static String text(Template template, Value.Dict scope, String what) throws Failure {
    try {
      return template.render(scope);
    } catch (RenderFailure e) {
      throw new Failure.Internal("failed to render " + what, e.getMessage());
    }
  }

  /** The lines of the template, but for empty ones; no value that it renders can begin a line. */
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
   * The value of a header field: without the blanks around it, which are no part of it, and without control characters
   * (RFC 9110, 5.5), its UTF-8 bytes as characters 0 to 255.
   */
  public static String field(String value, String what) throws Failure {
    if (control(value).isPresent()) {
      throw new Failure.Internal("failed to render " + what + ": the value holds a control character");
    }
    return asBytes(Grammar.trimmed(value));
  }

  private static Optional<Character> control(String value) {
    return value.chars().filter(c -> c < ' ' && c != '\t' || c == 127).mapToObj(c -> (char) c).findFirst();
  }

  private static String asBytes(String value) {
    boolean ascii = value.chars().allMatch(c -> c < 128);
    return ascii ? value : new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
