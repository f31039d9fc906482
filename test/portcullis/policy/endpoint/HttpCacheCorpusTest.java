package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Needs;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

/**
 * The tests of http-tests/cache-tests that are required of, or best for, a private cache. Left out are those of whole
 * suites: {@code heuristic} beyond what is required (nothing is guessed), {@code invalidation}, {@code method} and
 * {@code updateHEAD} (our calls are questions: each method has keys of its own), {@code partial} and
 * {@code conditional-*} (a call with a range or conditions of its own goes past the cache), {@code interim} (the
 * client's affair), {@code cdn-cache-control} (not ours), and {@code pragma}, {@code cc-request} (all merely
 * informative).
 */
class HttpCacheCorpusTest {
  private static final Set<String> SUITES = Set.of("cc-freshness", "cc-parse", "age-parse", "expires", "expires-parse",
      "cc-response",
      "stale", "heuristic", "status", "vary", "vary-parse", "update304", "auth", "other", "headers");

  /** Best for a cache, but not done here, and why. */
  private static final Map<String, String> NOT_DONE = new TreeMap<>(Map.ofEntries(
      Map.entry("stale-while-revalidate", "nobody gets what is stale"),
      Map.entry("stale-while-revalidate-window", "nobody gets what is stale"),
      Map.entry("status-200-must-understand", "no-store is taken at its word"),
      Map.entry("headers-store-Content-Length", "framing is the client's affair, which refuses what contradicts "
          + "itself"),
      Map.entry("headers-store-Transfer-Encoding", "framing is the client's affair, which refuses what contradicts "
          + "itself"),
      Map.entry("304-etag-update-response-Content-Length", "framing is the client's affair, which refuses what "
          + "contradicts itself"),
      Map.entry("vary-cache-key", "all that is sent is part of the key"),
      Map.entry("vary-normalise-combine", "fields count as they are sent"),
      Map.entry("vary-normalise-lang-order", "fields count as they are sent"),
      Map.entry("vary-normalise-lang-case", "fields count as they are sent"),
      Map.entry("vary-normalise-lang-space", "fields count as they are sent"),
      Map.entry("vary-normalise-lang-select", "fields count as they are sent"),
      Map.entry("vary-normalise-space", "fields count as they are sent"),
      Map.entry("other-cookie", "all that is sent is part of the key"),
      Map.entry("other-authorization-public", "all that is sent is part of the key"),
      Map.entry("other-authorization-must-revalidate", "all that is sent is part of the key"),
      Map.entry("cc-resp-immutable-fresh", "a browser's reload is nothing that endpoints do"),
      Map.entry("cc-resp-immutable-stale", "a browser's reload is nothing that endpoints do")));

  private static List<HttpCacheRow> rows() throws Exception {
    Path path = Needs.corpus("http-cache-tests/cache-tests.json");
    List<HttpCacheRow> out = new ArrayList<>();
    for (Value suite : HttpCacheRow.items(Json.read(Files.readString(path)), "suites")) {
      if (SUITES.contains(HttpCacheRow.text(suite, "id"))) {
        HttpCacheRow.items(suite, "tests")
            .forEach(test -> out.add(new HttpCacheRow(HttpCacheRow.text(suite, "id"), test)));
      }
    }
    return out;
  }

  /** For a private cache, by what a cache has to do or would best do. */
  private static boolean applies(HttpCacheRow row) {
    boolean ours = !row.is("browser_skip") && !row.is("cdn_only") && !row.is("browser_only");
    boolean guess = row.suite().equals("heuristic") && !row.kind().equals("required");
    boolean refusal = row.suite().equals("status") && !row.kind().equals("required") && !row.isGood();
    return ours && !guess && !refusal && !row.kind().equals("check") && !NOT_DONE.containsKey(row.id());
  }

  @Test
  void doesWhatAPrivateCacheHasToDoAndWhatIsBestForOne() throws Exception {
    List<String> wrong = new ArrayList<>();
    int done = 0;
    for (HttpCacheRow row : rows()) {
      if (applies(row)) {
        done++;
        row.error().ifPresent(error -> wrong.add(row.id() + ": " + error));
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(done > 80, "only " + done + " rows apply");
  }

  @Test
  void whatIsNotDoneIsStillInTheCorpus() throws Exception {
    List<String> ids = rows().stream().map(HttpCacheRow::id).toList();
    assertEquals(List.of(), NOT_DONE.keySet().stream().filter(id -> !ids.contains(id)).toList());
  }
}
