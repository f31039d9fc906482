package portcullis.policy.route;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.fixture.GoldenReport;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

/**
 * The rows of {@code golden/glob.json}: globs with what the Go library says of texts. Where it contradicts its own
 * grammar the grammar decides: the library misses characters beyond ASCII ({@code ?}, ranges), wildcards within braces,
 * the empty choice and the empty run of three stars, and lets {@code a.**.com} fit a.com and {@code {a*,ab}c} not fit
 * ac, which the texts do not say.
 */
public final class GlobRows {
  private static final String FILE = "golden/glob.json";

  private GlobRows() {}

  static Path file() {
    return Path.of("test/data", FILE);
  }

  /** One report. */
  public static List<GoldenReport> reports() {
    try {
      List<Value> rows = ((Value.Array) Corpus.members(Json.read(Files.readAllBytes(file()))).get("cases")).items();
      List<String> misses = new ArrayList<>();
      rows.forEach(row -> wrong(Corpus.members(row)).ifPresent(misses::add));
      return List.of(new GoldenReport(FILE, rows.size(), misses));
    } catch (IOException | ValueFault e) {
      throw new IllegalStateException(FILE, e);
    }
  }

  private static Optional<String> wrong(Map<String, Value> row) {
    String text = Corpus.text(row.get("glob"));
    Optional<Glob> glob = Glob.compile(RuleText.written(text), Corpus.text(row.get("separator")).charAt(0),
        new Problems());
    if (glob.isPresent() == row.containsKey("error")) {
      return Optional
          .of(Corpus.text(row.get("name")) + ": `" + text + (glob.isPresent() ? "` is accepted" : "` is refused"));
    }
    List<String> faults = new ArrayList<>();
    if (glob.isPresent()) {
      List<String> deviating = row.containsKey("deviates") ? Corpus.texts(row.get("deviates")) : List.of();
      Corpus.texts(row.get("match")).forEach(input -> expect(glob.get(), input, !deviating.contains(input), faults));
      Corpus.texts(row.get("no_match")).forEach(input -> expect(glob.get(), input, deviating.contains(input), faults));
    }
    return faults.isEmpty() ? Optional.empty()
        : Optional.of(Corpus.text(row.get("name")) + ": " + String.join("; ", faults));
  }

  private static void expect(Glob glob, String input, boolean fits, List<String> faults) {
    if (glob.matches(input) != fits) {
      faults.add("`" + glob + (fits ? "` should fit `" : "` should not fit `") + input + "`");
    }
  }
}
