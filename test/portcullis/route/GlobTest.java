package portcullis.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.source.Problem;
import portcullis.source.Problems;
import portcullis.value.Value;

class GlobTest {
  /**
   * Where the library contradicts its own grammar the grammar decides: the library misses characters beyond ASCII
   * ({@code ?}, ranges), wildcards within braces, the empty choice and the empty run of three stars, and lets
   * {@code a.**.com} fit a.com and {@code {a*,ab}c} not fit ac, which the texts do not say.
   */
  @Test
  void fitsWhatTheGoLibraryFitsExceptWhereItContradictsItsGrammar() {
    List<String> wrong = new ArrayList<>();
    for (Value row : Corpus.items(Corpus.json("golden/glob.json").get("cases"))) {
      check(Corpus.members(row), wrong);
    }
    assertEquals(List.of(), wrong);
  }

  private static void check(Map<String, Value> row, List<String> wrong) {
    String text = Corpus.text(row.get("glob"));
    var glob = Glob.compile(RuleText.written(text), Corpus.text(row.get("separator")).charAt(0), new Problems());
    if (glob.isPresent() == row.containsKey("error")) {
      wrong.add(text + (glob.isPresent() ? " is accepted" : " is refused"));
    }
    if (row.containsKey("error") || glob.isEmpty()) {
      return;
    }
    List<String> deviating = row.containsKey("deviates") ? Corpus.texts(row.get("deviates")) : List.of();
    for (String input : Corpus.texts(row.get("match"))) {
      expect(glob.get(), input, !deviating.contains(input), wrong);
    }
    for (String input : Corpus.texts(row.get("no_match"))) {
      expect(glob.get(), input, deviating.contains(input), wrong);
    }
  }

  private static void expect(Glob glob, String input, boolean fits, List<String> wrong) {
    if (glob.matches(input) != fits) {
      wrong.add(glob + (fits ? " should fit " : " should not fit ") + input);
    }
  }

  @Test
  void saysWhereAGlobIsBroken() {
    assertEquals("`[c-a].com` is no glob: the range ends before it begins at 1+5", fault("[c-a].com"));
    assertEquals("`a[b` is no glob: `[` is never closed at 2+2", fault("a[b"));
    assertEquals("`a[b-` is no glob: `[` is never closed at 2+3", fault("a[b-"));
    assertEquals("`[]x` is no glob: an empty class fits nothing at 1+2", fault("[]x"));
    assertEquals("`x[a-cx-z]` is no glob: a class holds one range or a list, not both at 2+5", fault("x[a-cx-z]"));
    assertEquals("`{` is never closed at 2+1", fault("a{b,c"));
    assertTrue(fault("{".repeat(10_000)).contains("braces are nested more than 50 deep"));
  }

  private static String fault(String text) {
    Problems problems = new Problems();
    Glob.compile(RuleText.written(text), '.', problems);
    Problem first = problems.sorted().getFirst();
    var at = (portcullis.source.Origin.InFile) first.at();
    return first.message() + " at " + at.column() + "+" + at.length();
  }

  @Test
  void takesLinearTimeOnHostileTexts() { // S50
    Glob stars = glob("*a*a*a*a*a*a*a*a*a*a*a*b");
    Glob braces = glob("{{{a,aa},{a,aaa}},a}".repeat(10) + "**b");
    String text = "a".repeat(50_000);
    long start = System.nanoTime();
    assertFalse(stars.matches(text));
    assertFalse(braces.matches(text));
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(10).toNanos());
  }

  @Test
  void equalTextsAndSeparatorsAreEqual() {
    assertEquals(glob("a*"), glob("a*"));
    assertFalse(glob("a*").equals(glob("a**")));
  }

  private static Glob glob(String text) {
    return Glob.compile(RuleText.written(text), '/', new Problems()).orElseThrow();
  }
}
