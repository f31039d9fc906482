package portcullis.lang.template;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/**
 * A template, the data that it is rendered with, and the result in Go.
 *
 * @param wanted the output as bytes, a Latin-1 character each; or {@link #REFUSED}, {@link #FAILS}, {@link #EITHER},
 *     {@link #PARSES}
 */
record TemplateRow(String name, String template, Value data, String wanted) {
  static final String REFUSED = "(refused)";
  static final String FAILS = "(fails)";
  static final String EITHER = "(refused or fails)";
  static final String PARSES = "(parses)";
  private static final String LEFT_OUT = "(left out)";

  /** Returns the result in the form of {@link #wanted}; a refusal or failure has its reason behind a line break. */
  String got() {
    Problems problems = new Problems();
    Optional<Template> compiled = Template.compile(LocatedText.of("row", template), problems);
    if (compiled.isEmpty()) {
      String why = problems.sorted().stream().map(Problem::text).toList().toString();
      return (why.contains("is not supported") && !wanted.equals(REFUSED) ? LEFT_OUT : REFUSED) + "\n" + why;
    }
    if (wanted.equals(PARSES)) {
      return PARSES;
    }
    try {
      return bytes(compiled.get().rendered(data));
    } catch (RenderFailure e) {
      return FAILS + "\n" + e.getMessage();
    }
  }

  static String bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Returns whether the template calls a function that is left out on purpose, so that the row does not count. */
  static boolean isLeftOut(String got) {
    return got.startsWith(LEFT_OUT);
  }

  boolean isMetBy(String got) {
    String outcome = got.startsWith(REFUSED + "\n") ? REFUSED : got.startsWith(FAILS + "\n") ? FAILS : got;
    return wanted.equals(EITHER) ? outcome.equals(REFUSED) || outcome.equals(FAILS) : wanted.equals(outcome);
  }
}
