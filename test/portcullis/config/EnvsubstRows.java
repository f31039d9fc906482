package portcullis.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.fixture.Corpora;
import portcullis.fixture.GoldenReport;
import portcullis.fixture.GoldenRow;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;

/** The rows of {@code golden/envsubst.json}: strings with the results of heimdall's own library. */
public final class EnvsubstRows {
  private static final String REFUSED = "refused";

  private EnvsubstRows() {}

  public static GoldenReport report() {
    return GoldenRow.run("golden/envsubst.json", EnvsubstRows::miss);
  }

  private static Optional<String> miss(GoldenRow row) {
    // output that is not a valid string (output_b64) is refused at once here, and by heimdall's YAML reader there
    String wanted = row.has("output") ? row.text("output") : REFUSED;
    String got = got(row);
    boolean refused = wanted.equals(REFUSED) && got.startsWith(REFUSED + ": ");
    return got.equals(wanted) || refused ? Optional.empty() : GoldenRow.difference(row.text("input"), wanted, got);
  }

  private static String got(GoldenRow row) {
    Value context = row.context("context");
    Map<String, String> environment = new LinkedHashMap<>();
    ((Value.Dict) context).members().keySet().forEach(name -> environment.put(name, Corpora.text(context, name)));
    Problems problems = new Problems();
    return Substitution.apply(new SourceFile("row", row.text("input")), environment, problems)
        .map(SubstitutedSource::text)
        .orElseGet(() -> REFUSED + ": " + problems.sorted().stream().map(Problem::text).toList());
  }
}
