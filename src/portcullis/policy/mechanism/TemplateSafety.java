package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Insertion;
import portcullis.lang.template.Template;

/**
 * Reports values of clients that templates write into JSON, HTML, a form or a list in a header field without quoting
 * them: such a value can end the string that it is in and add members of its own (CWE-74).
 */
public final class TemplateSafety {
  private TemplateSafety() {}

  /**
   * Adds a warning for each such value, or an error where the configuration is strict about templates.
   *
   * @param values which the template reads as {@code Values}
   * @return whether there was no error
   */
  public static boolean check(Optional<Template> template, Values values, MechanismContext context,
      Problems problems) {
    return report(template.map(t -> t.unquoted(values.templates())).orElse(List.of()), context, problems);
  }

  /** Does the same for a template whose result is a header field. */
  public static boolean checkField(Template template, MechanismContext context, Problems problems) {
    return report(template.unquotedInField(), context, problems);
  }

  private static boolean report(List<Insertion> insertions, MechanismContext context, Problems problems) {
    boolean good = true;
    for (Insertion insertion : insertions) {
      String message = "`" + insertion.written() + "` writes a value of the client into "
          + insertion.context().text() + " unquoted";
      String hint = "pass it through `" + insertion.context().function() + "`"
          + (insertion.context() == Insertion.Context.JSON
              ? " or `toJson`, which write the quotes too: `{{ print \"a:\" .Request.Body.b | quote }}`"
              : "");
      if (context.strictTemplates()) {
        problems.error(insertion.at(), "", message, hint);
        good = false;
      } else {
        problems.warning(insertion.at(), "", message, hint);
      }
    }
    return good;
  }
}
