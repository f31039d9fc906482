package portcullis.serve.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import portcullis.lang.markup.Html;
import portcullis.lang.source.FileFailure;
import portcullis.lang.value.Json;
import portcullis.lang.value.ValueException;
import portcullis.policy.rule.Rule;

/**
 * Shows what test cases have tried of rules; immutable.
 *
 * @param problem why nothing is known; empty for nothing
 */
record CoverageView(Optional<TestedRules> tested, String problem) {
  private static final int LARGEST = 16 << 20;

  /** Reads the file that the configuration names, if it names one. */
  static CoverageView of(Optional<Path> file) {
    return file.map(CoverageView::read).orElse(new CoverageView(Optional.empty(), ""));
  }

  private static CoverageView read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] text = in.readNBytes(LARGEST + 1);
      return text.length > LARGEST ? unusable(file + ": it is larger than 16 MB")
          : new CoverageView(Optional.of(TestedRules.of(Json.read(text))), "");
    } catch (IOException e) {
      return unusable(FileFailure.reason(e));
    } catch (ValueException e) {
      return unusable(file + ": " + e.getMessage());
    }
  }

  private static CoverageView unusable(String why) {
    return new CoverageView(Optional.empty(), "cannot read " + why);
  }

  /** Returns where the figures come from, or why there are none. */
  Html source() {
    if (tested.isPresent()) {
      return Html.of("<p class=\"soft\">Test cases are those of {}.</p>", Times.shown(tested.get().at()));
    }
    return problem.isEmpty()
        ? Html.of("<p class=\"soft\">Test cases are not shown: <code>management.console.coverage_file</code> names "
            + "no file of <code>portcullis test --coverage-file</code>.</p>")
        : Html.of("<p class=\"note bad\">Test cases are not shown: management.console.coverage_file: {}</p>", problem);
  }

  /** Returns the head of a column; nothing where nothing is known. */
  Html head() {
    return tested.isPresent() ? Html.of("<th scope=\"col\">Test cases</th>") : Html.NONE;
  }

  /** Returns a cell of the column. */
  Html cell(Rule rule) {
    return tested.isPresent() ? Html.of("<td data-label=\"Test cases\">{}</td>", text(tested.get().of(rule), rule))
        : Html.NONE;
  }

  /** Returns a sentence about a rule; nothing where nothing is known. */
  Html sentence(Rule rule) {
    return tested.isPresent() ? Html.of(" Its test cases: {}.", text(tested.get().of(rule), rule)) : Html.NONE;
  }

  private static Html text(Optional<TestedRules.Tested> found, Rule rule) {
    if (found.isEmpty() || found.get().cases() == 0 && found.get().isOf(rule)) {
      return Html.of("<span class=\"warn\">none</span>");
    }
    TestedRules.Tested one = found.get();
    if (!one.isOf(rule)) {
      return Html.of("<span class=\"warn\">{} of another version of this rule</span>", cases(one.cases()));
    }
    Html failed = one.failed() == 0 ? Html.NONE : Html.of(", <span class=\"bad\">{} failed</span>", one.failed());
    Html configuration = one.isWith(rule) ? Html.NONE
        : Html.of(", <span class=\"warn\">with another configuration</span>");
    return Html.of("{}{}, <span class=\"soft\">{} of {} outcomes</span>{}", cases(one.cases()), failed, one.tried(),
        one.points(), configuration);
  }

  private static String cases(long count) {
    return count == 1 ? "1 case" : "%,d cases".formatted(count);
  }
}
