package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.fixture.Corpora;
import portcullis.fixture.CorpusTables;
import portcullis.fixture.GoldenReport;
import portcullis.fixture.GoldenRow;
import portcullis.lang.source.Problems;

/**
 * The rows of {@code golden/glob.json}: globs with what the Go library says of strings. Where it contradicts its own
 * grammar the grammar decides: the library misses characters beyond ASCII ({@code ?}, ranges), wildcards within braces,
 * the empty choice and the empty run of three stars, and lets {@code a.**.com} fit a.com and {@code {a*,ab}c} not fit
 * ac, which the texts do not say.
 */
public final class GlobRows {
  private GlobRows() {}

  public static GoldenReport report() {
    return GoldenRow.run("golden/glob.json", GlobRows::miss);
  }

  private static Optional<String> miss(GoldenRow row) {
    String text = row.text("glob");
    Optional<Glob> glob = Glob.compile(RuleText.written(text), row.text("separator").charAt(0),
        new Problems());
    if (glob.isPresent() == row.has("error")) {
      return Optional.of("`" + text + (glob.isPresent() ? "` is accepted" : "` is refused"));
    }
    List<String> errors = new ArrayList<>();
    if (glob.isPresent()) {
      List<String> deviating = texts(row, "deviates");
      texts(row, "match").forEach(input -> expect(glob.get(), input, !deviating.contains(input), errors));
      texts(row, "no_match").forEach(input -> expect(glob.get(), input, deviating.contains(input), errors));
    }
    return errors.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", errors));
  }

  private static List<String> texts(GoldenRow row, String member) {
    return Corpora.items(row.row(), member).stream().map(CorpusTables::text).toList();
  }

  private static void expect(Glob glob, String input, boolean fits, List<String> errors) {
    if (glob.matches(input) != fits) {
      errors.add("`" + glob + (fits ? "` should fit `" : "` should not fit `") + input + "`");
    }
  }
}
